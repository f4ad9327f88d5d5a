//! What the reports of all kinds of runs share.

use super::costs::{costs_json, write_costs};
use super::events::write_event;
use super::text_table::percent;
use crate::schedule::{Openings, Plan, Setting};
use crate::stats::{Interval, Outcomes, Tallies};
use engine::game::Start;
use serde_json::json;
use std::io::{self, Write};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games were played.
    Complete,
    /// It was stopped before all were.
    Interrupted {
        /// Games that were to be played.
        games: u64,
    },
}

/// The results of a run, as it is told in the end.
pub trait Report {
    /// What was played.
    fn plan(&self) -> &Plan;

    /// Writes the tables for a person.
    ///
    /// # Errors
    /// `out` cannot be written to.
    fn write_table(&self, out: &mut dyn Write, tallies: &Tallies, ending: Ending) -> io::Result<()>;

    /// The same for a program. What has no bound or no meaning is `null`; no number is ever infinite.
    fn json(&self, tallies: &Tallies) -> serde_json::Value;
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for a person.
    Tables,
    /// One JSON object.
    Json,
    /// The last of the events of the run.
    Event,
}

/// Prints the results on standard output, and what the moves cost unless the run is to be without times.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(
    report: &dyn Report,
    tallies: &Tallies,
    ending: Ending,
    format: Format,
    with_times: bool,
) -> io::Result<()> {
    if format == Format::Tables {
        let mut out = io::stdout().lock();
        report.write_table(&mut out, tallies, ending)?;
        return if with_times { write_costs(&mut out, report.plan(), tallies) } else { Ok(()) };
    }
    let mut value = report.json(tallies);
    value["complete"] = (ending == Ending::Complete).into();
    value["games"] = tallies.dogs().games().into();
    value["unique_games"] = tallies.unique_games().into();
    value["dogs"] = outcomes_json(tallies.dogs());
    value["endings"] =
        tallies.reasons().into_iter().map(|(word, count)| (word.to_owned(), json!(count))).collect();
    value["overhead"] = with_times.then(|| costs_json(report.plan(), tallies)).into();
    if format == Format::Event {
        return write_event(&json!({ "event": "end", "result": value }));
    }
    writeln!(io::stdout().lock(), "{value:#}")
}

/// Wins, draws, losses, score and interval.
pub(super) fn outcomes_json(outcomes: Outcomes) -> serde_json::Value {
    let interval = outcomes.score().map(|_| outcomes.interval());
    json!({
        "games": outcomes.games(),
        "wins": outcomes.wins,
        "draws": outcomes.draws,
        "losses": outcomes.losses,
        "score": outcomes.score(),
        "score_low": interval.map(|interval| interval.low),
        "score_high": interval.map(|interval| interval.high),
    })
}

/// Writes what is going to be played: the game, the number of games, the openings and the seed.
///
/// # Errors
/// `out` cannot be written to.
pub fn write_heading(out: &mut dyn Write, plan: &Plan, games_of_each: &str) -> io::Result<()> {
    let mut games: Vec<String> = plan.settings.iter().map(describe).collect();
    games.dedup();
    for game in games {
        writeln!(out, "{game}")?;
    }
    let openings = match &plan.openings {
        Openings::Random(0) => "from the start".to_owned(),
        Openings::Random(1) => "first ply random".to_owned(),
        Openings::Random(n) => format!("first {n} plies random"),
        Openings::Listed { name, .. } => format!("openings {name}"),
    };
    writeln!(out, "{} games, {games_of_each}; {openings}; seed {}", plan.order.len(), plan.seed)
}

fn describe(setting: &Setting) -> String {
    let rules = &setting.rules;
    let leopards = match (rules.leopards(), rules.config().start) {
        (1, Start::Placed(_)) => "1 leopard".to_owned(),
        (n, Start::Placed(_)) => format!("{n} leopards"),
        (1, Start::Entered) => "1 leopard that enters".to_owned(),
        (n, Start::Entered) => format!("{n} leopards that enter"),
    };
    format!("{} on {}, {leopards}, {} first", setting.variant, rules.board().name(), rules.config().first)
}

/// Writes how the games ended, how many differed, and that a run was stopped if it was.
pub(super) fn write_endings(out: &mut dyn Write, tallies: &Tallies, ending: Ending) -> io::Result<()> {
    let reasons = tallies.reasons();
    if !reasons.is_empty() {
        let counts: Vec<String> = reasons.iter().map(|(word, count)| format!("{word} {count}")).collect();
        writeln!(out, "Endings: {}.", counts.join(", "))?;
    }
    let (played, unique) = (tallies.dogs().games(), tallies.unique_games());
    if unique < played {
        writeln!(
            out,
            "Only {unique} of {played} games are different: more --openings, or option.Noise, would tell more."
        )?;
    }
    if let Ending::Interrupted { games } = ending {
        writeln!(out, "Interrupted after {played} of {games} games.")?;
    }
    Ok(())
}

/// A score in percent with its interval in brackets; dashes before the first game.
pub(super) fn score_cells(outcomes: Outcomes) -> [String; 2] {
    match outcomes.score() {
        Some(score) => [percent(score), interval_text(outcomes.interval())],
        None => ["–".to_owned(), "–".to_owned()],
    }
}

fn interval_text(Interval { low, high }: Interval) -> String {
    format!("[{:>5} {:>5}]", percent(low), percent(high))
}
