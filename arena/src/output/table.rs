//! The results of a match: `table.csv` and its tables.

use super::csv_file::{WriteError, share, write_csv};
use super::report::{Ending, score_cells, write_endings};
use super::text_table::{Align, TextTable};
use crate::schedule::Plan;
use crate::stats::{Outcomes, Tallies};
use engine::game::Side;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The results of a match.
#[derive(Clone, Copy, Debug)]
pub struct MatchReport<'a> {
    /// What was played.
    pub plan: &'a Plan,
    /// How the games came out.
    pub tallies: &'a Tallies,
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
    pub fn write_csv(&self, directory: &Path) -> Result<(), WriteError> {
        let players = 0..self.plan.players.len();
        let mut rows = Vec::new();
        for player in players.clone() {
            let others = players.clone().filter(|&other| other != player).map(Some);
            for opponent in std::iter::once(None).chain(others) {
                rows.extend(SIDES.map(|(side, word)| self.row(player, opponent, side, word)));
            }
        }
        write_csv(&directory.join("table.csv"), &rows)
    }

    fn row(&self, player: usize, opponent: Option<usize>, side: Option<Side>, word: &'static str) -> Row<'_> {
        let players = &self.plan.players;
        let outcomes = self.tallies.outcomes(player, side, opponent);
        let interval = outcomes.score().map(|_| outcomes.interval());
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
        }
    }

    /// Writes the tables for a person: engines by score, with both sides; the sides; the pairings where
    /// there are several.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_table(&self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        writeln!(out, "\n{}", self.standings())?;
        if self.plan.players.len() > 2 {
            writeln!(out, "{}", self.pairings())?;
        }
        let dogs = self.tallies.dogs();
        let [score, interval] = score_cells(dogs);
        let Outcomes { wins, draws, losses } = dogs;
        writeln!(
            out,
            "Dogs' score over all games: {score} % {interval}; dogs won {wins}, drawn {draws}, leopards won {losses}."
        )?;
        writeln!(out, "Score: a win 1, a draw ½; in brackets its Wilson 95 % interval.")?;
        write_endings(out, self.tallies, ending)
    }

    /// The players, the best first.
    fn standings(&self) -> TextTable {
        let mut table = TextTable::new([
            ("engine", Align::Left),
            ("side", Align::Left),
            ("games", Align::Right),
            ("score %", Align::Right),
            ("95 %", Align::Left),
            ("won", Align::Right),
            ("drawn", Align::Right),
            ("lost", Align::Right),
        ]);
        let mut players: Vec<usize> = (0..self.plan.players.len()).collect();
        let points = |player: usize| self.tallies.outcomes(player, None, None).score().unwrap_or(0.5);
        players.sort_by(|&a, &b| points(b).total_cmp(&points(a)));
        for player in players {
            for (side, word) in SIDES {
                let name =
                    if side.is_none() { self.plan.players[player].name.clone() } else { String::new() };
                let outcomes = self.tallies.outcomes(player, side, None);
                table.row([name, word.to_owned()].into_iter().chain(outcome_cells(outcomes)));
            }
        }
        table
    }

    fn pairings(&self) -> TextTable {
        let mut table = TextTable::new([
            ("pairing", Align::Left),
            ("", Align::Left),
            ("games", Align::Right),
            ("score %", Align::Right),
            ("95 %", Align::Left),
            ("won", Align::Right),
            ("drawn", Align::Right),
            ("lost", Align::Right),
        ]);
        for cell in self.plan.order.cells() {
            let [a, b] = cell.players;
            let names = [a, b].map(|player| self.plan.players[player].name.clone());
            table.row(names.into_iter().chain(outcome_cells(self.tallies.outcomes(a, None, Some(b)))));
        }
        table
    }
}

fn outcome_cells(outcomes: Outcomes) -> impl Iterator<Item = String> {
    let [score, interval] = score_cells(outcomes);
    let Outcomes { wins, draws, losses } = outcomes;
    let counts = [wins, draws, losses].map(|count| count.to_string());
    [outcomes.games().to_string(), score, interval].into_iter().chain(counts)
}
