//! The results of a match: `table.csv` and its tables.

use super::csv_file::{WriteError, share, write_csv};
use super::report::{Ending, Report, outcomes_json, score_cells, write_endings};
use super::text_table::{Align, TextTable, percent};
use crate::schedule::{Cell, Plan, Player};
use crate::stats::{Estimate, Outcomes, Pairs, Sprt, Strength, Tallies, Verdict, strength};
use engine::game::Side;
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// The results of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    /// What was played.
    pub plan: &'a Plan,
    /// The test the match was played for, if it was.
    pub test: Option<Sprt>,
}

/// A row; its fields are the columns. `both` sides and `all` opponents stand for sums.
#[derive(Serialize)]
struct Row<'a> {
    engine: &'a str,
    limit: String,
    opponent: &'a str,
    side: &'static str,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<String>,
    score_low: Option<String>,
    score_high: Option<String>,
    /// From here on of both sides together only: pairs have both.
    pairs: Option<u64>,
    elo: Option<String>,
    elo_low: Option<String>,
    elo_high: Option<String>,
    normalized_elo: Option<String>,
    los: Option<String>,
}

/// Both sides together, the Dogs, the Leopards.
const SIDES: [(Option<Side>, &str); 3] =
    [(None, "both"), (Some(Side::Dogs), "dogs"), (Some(Side::Leopards), "leopards")];

impl MatchReport<'_> {
    /// Writes `table.csv`: for each engine against all, and against each other, a row for both sides
    /// together and one for each.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_csv(&self, directory: &Path, tallies: &Tallies) -> Result<(), WriteError> {
        let mut rows = Vec::new();
        for player in 0..self.plan.players.len() {
            let opponents = self.opponents(player).into_iter().map(Some);
            for opponent in std::iter::once(None).chain(opponents) {
                rows.extend(SIDES.map(|(side, word)| self.row(tallies, player, opponent, side, word)));
            }
        }
        write_csv(&directory.join("table.csv"), &rows)
    }

    /// Whom a player meets.
    fn opponents(&self, player: usize) -> Vec<usize> {
        let cells = self.plan.order.cells();
        let meets = |other: &usize| {
            cells.iter().any(|cell| cell.players == [player, *other] || cell.players == [*other, player])
        };
        (0..self.plan.players.len()).filter(meets).collect()
    }

    fn row(
        &self,
        tallies: &Tallies,
        player: usize,
        opponent: Option<usize>,
        side: Option<Side>,
        word: &'static str,
    ) -> Row<'_> {
        let players = &self.plan.players;
        let outcomes = tallies.outcomes(player, side, opponent);
        let interval = outcomes.score().map(|_| outcomes.interval());
        let pairs = side.is_none().then(|| tallies.pairs(player, opponent));
        let strength = pairs.and_then(|pairs| strength(&pairs));
        let elo = strength.map(|strength| strength.elo);
        let one_decimal = |value: f64| format!("{value:.1}");
        Row {
            engine: &players[player].name,
            limit: players[player].limit.to_string(),
            opponent: opponent.map_or("all", |opponent| &players[opponent].name),
            side: word,
            games: outcomes.games(),
            wins: outcomes.wins,
            draws: outcomes.draws,
            losses: outcomes.losses,
            score: outcomes.score().map(share),
            score_low: interval.map(|interval| share(interval.low)),
            score_high: interval.map(|interval| share(interval.high)),
            pairs: pairs.map(|pairs| pairs.count()),
            elo: elo.and_then(|elo| elo.value).map(one_decimal),
            elo_low: elo.and_then(|elo| elo.low).map(one_decimal),
            elo_high: elo.and_then(|elo| elo.high).map(one_decimal),
            normalized_elo: strength.and_then(|strength| strength.normalized.value).map(one_decimal),
            los: strength.map(|strength| share(strength.superiority)),
        }
    }

    /// The table of the games so far.
    pub fn live(&self, tallies: &Tallies) -> String {
        let test = self.test_line(tallies).unwrap_or_default();
        format!("{}{test}", self.standings(tallies))
    }

    /// The players, the best first.
    fn standings(&self, tallies: &Tallies) -> TextTable {
        let mut table = outcome_table(("engine", "side"));
        let mut players: Vec<usize> = (0..self.plan.players.len()).collect();
        let points = |player: usize| tallies.outcomes(player, None, None).score().unwrap_or(0.5);
        players.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
        for player in players {
            for (side, word) in SIDES {
                let name =
                    if side.is_none() { self.plan.players[player].name.clone() } else { String::new() };
                let outcomes = tallies.outcomes(player, side, None);
                table.row([name, word.to_owned()].into_iter().chain(outcome_cells(outcomes)));
            }
        }
        table
    }

    fn pairings(&self, tallies: &Tallies) -> TextTable {
        let mut table = outcome_table(("pairing", ""));
        for column in ["Elo", "normalized", "LOS %"] {
            table.column(column, Align::Right);
        }
        table.column("LL LD WL/DD WD WW", Align::Left);
        for cell in self.plan.order.cells() {
            let [a, b] = cell.players;
            let names = [a, b].map(|player| self.plan.players[player].name.clone());
            let pairs = tallies.pairs(a, Some(b));
            let outcomes = outcome_cells(tallies.outcomes(a, None, Some(b)));
            table.row(names.into_iter().chain(outcomes).chain(strength_cells(&pairs)));
        }
        table
    }

    /// Why some differences in the table are open.
    fn notes(&self, tallies: &Tallies) -> Vec<String> {
        let name = |player: usize| &self.plan.players[player].name;
        let note = |cell: Cell| {
            let [a, b] = cell.players;
            let note = strength(&tallies.pairs(a, Some(b)))?.note?;
            Some(format!("{} – {}: {note}.", name(a), name(b)))
        };
        self.plan.order.cells().into_iter().filter_map(note).collect()
    }

    /// What the test has come to.
    fn test_line(&self, tallies: &Tallies) -> Option<String> {
        let test = self.test?;
        let pairs = tallies.pairs(0, Some(1));
        let (low, high) = test.bounds();
        let names = [0, 1].map(|player| self.plan.players[player].name.as_str());
        let verdict = match test.verdict(&pairs) {
            Verdict::H0 => format!("H0 accepted: {} is not better than {} by elo1", names[0], names[1]),
            Verdict::H1 => format!("H1 accepted: {} is better than {} by more than elo0", names[0], names[1]),
            Verdict::Open => "open: more games would tell".to_owned(),
        };
        let ratio = test.log_likelihood_ratio(&pairs);
        Some(format!(
            "Test of {test}: LLR {ratio:.2} in [{low:.2}, {high:.2}] after {} pairs; {verdict}.",
            pairs.count()
        ))
    }
}

impl Report for MatchReport<'_> {
    fn plan(&self) -> &Plan {
        self.plan
    }

    fn write_table(&self, out: &mut dyn Write, tallies: &Tallies, ending: Ending) -> io::Result<()> {
        writeln!(out, "\n{}\n{}", self.standings(tallies), self.pairings(tallies))?;
        let dogs = tallies.dogs();
        let [score, interval] = score_cells(dogs);
        let Outcomes { wins, draws, losses } = dogs;
        writeln!(
            out,
            "Dogs' score over all games: {score} % {interval}; dogs won {wins}, drawn {draws}, leopards won {losses}."
        )?;
        writeln!(
            out,
            "Score: a win 1, a draw ½; in brackets its Wilson 95 % interval. Elo with its 95 % interval, from pairs."
        )?;
        for line in self.notes(tallies).into_iter().chain(self.test_line(tallies)) {
            writeln!(out, "{line}")?;
        }
        write_endings(out, tallies, ending)
    }

    fn json(&self, tallies: &Tallies) -> serde_json::Value {
        let engine = |player: usize| {
            let sides = SIDES
                .map(|(side, word)| (word.to_owned(), outcomes_json(tallies.outcomes(player, side, None))));
            let Player { name, limit, .. } = &self.plan.players[player];
            json!({ "name": name, "limit": limit.to_string(), "sides": serde_json::Map::from_iter(sides) })
        };
        let pairing = |cell: Cell| {
            let [a, b] = cell.players;
            let pairs = tallies.pairs(a, Some(b));
            let strength = strength(&pairs);
            let estimate = |of: fn(Strength) -> Estimate| {
                let e = strength.map(of);
                json!({ "value": e.and_then(|e| e.value), "low": e.and_then(|e| e.low), "high": e.and_then(|e| e.high) })
            };
            json!({
                "engines": [self.plan.players[a].name, self.plan.players[b].name],
                "outcomes": outcomes_json(tallies.outcomes(a, None, Some(b))),
                "pairs": pairs.0,
                "elo": estimate(|strength| strength.elo),
                "normalized_elo": estimate(|strength| strength.normalized),
                "los": strength.map(|strength| strength.superiority),
                "note": strength.and_then(|strength| strength.note),
            })
        };
        let test = self.test.map(|test| {
            let pairs = tallies.pairs(0, Some(1));
            let (low, high) = test.bounds();
            let verdict = match test.verdict(&pairs) {
                Verdict::H0 => "H0",
                Verdict::H1 => "H1",
                Verdict::Open => "open",
            };
            json!({
                "test": test.to_string(),
                "llr": test.log_likelihood_ratio(&pairs),
                "llr_low": low,
                "llr_high": high,
                "verdict": verdict,
            })
        });
        json!({
            "kind": "match",
            "seed": self.plan.seed,
            "engines": (0..self.plan.players.len()).map(engine).collect::<Vec<_>>(),
            "pairings": self.plan.order.cells().into_iter().map(pairing).collect::<Vec<_>>(),
            "sprt": test,
        })
    }
}

fn outcome_table((first, second): (&str, &str)) -> TextTable {
    TextTable::new([
        (first, Align::Left),
        (second, Align::Left),
        ("games", Align::Right),
        ("score %", Align::Right),
        ("95 %", Align::Left),
        ("won", Align::Right),
        ("drawn", Align::Right),
        ("lost", Align::Right),
    ])
}

fn outcome_cells(outcomes: Outcomes) -> impl Iterator<Item = String> {
    let [score, interval] = score_cells(outcomes);
    let Outcomes { wins, draws, losses } = outcomes;
    let counts = [wins, draws, losses].map(|count| count.to_string());
    [outcomes.games().to_string(), score, interval].into_iter().chain(counts)
}

/// Elo with its interval, normalized Elo, superiority, and the pairs they come from.
fn strength_cells(pairs: &Pairs) -> [String; 4] {
    let counts = pairs.0.map(|count| count.to_string()).join(" ");
    let Some(strength) = strength(pairs) else {
        return ["–".to_owned(), "–".to_owned(), "–".to_owned(), counts];
    };
    let number =
        |value: Option<f64>, open: &str| value.map_or(open.to_owned(), |value| format!("{value:+.0}"));
    let Estimate { value, low, high } = strength.elo;
    let elo = format!("{} [{} {}]", number(value, "–"), number(low, "–∞"), number(high, "∞"));
    let normalized = number(strength.normalized.value, "–");
    [elo, normalized, percent(strength.superiority), counts]
}
