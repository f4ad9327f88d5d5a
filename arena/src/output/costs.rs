//! What the moves of a run cost beside the thinking.

use super::text_table::{Align, TextTable};
use crate::game::Spans;
use crate::schedule::{Plan, Player};
use crate::stats::Tallies;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::time::Duration;

/// Players of one name and limit, such as the two sides of a sweep, together.
fn rows<'a>(plan: &'a Plan, tallies: &Tallies) -> Vec<(&'a Player, Spans)> {
    let mut rows: Vec<(&Player, Spans)> = Vec::new();
    for (index, player) in plan.players.iter().enumerate() {
        let answers = tallies.answers(index);
        let is_same =
            |(known, _): &&mut (&Player, Spans)| (&known.name, known.limit) == (&player.name, player.limit);
        match rows.iter_mut().find(is_same) {
            Some((_, known)) => *known += answers,
            None => rows.push((player, answers)),
        }
    }
    rows
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Writes a line for each engine and one for the arena; nothing where no move was played.
pub(super) fn write_costs(out: &mut dyn Write, plan: &Plan, tallies: &Tallies) -> io::Result<()> {
    let between = tallies.between();
    let Some(mean) = between.mean() else { return Ok(()) };
    let mut table = TextTable::new([
        ("overhead per move", Align::Left),
        ("limit", Align::Left),
        ("moves", Align::Right),
        ("mean ms", Align::Right),
        ("longest ms", Align::Right),
    ]);
    for (player, answers) in rows(plan, tallies) {
        let text = |time: Option<Duration>| {
            time.map_or("–".to_owned(), |time| format!("{:.3}", milliseconds(time)))
        };
        let longest = (answers.count > 0).then_some(answers.longest);
        table.row([
            player.name.clone(),
            player.limit.to_string(),
            answers.count.to_string(),
            text(answers.mean()),
            text(longest),
        ]);
    }
    write!(out, "\n{table}")?;
    writeln!(
        out,
        "Overhead: from go to bestmove, less the whole milliseconds the engine says it took. The arena's own time \
         between two moves: mean {:.3} ms, longest {:.3} ms.",
        milliseconds(mean),
        milliseconds(between.longest)
    )
}

/// The same for a program.
pub(super) fn costs_json(plan: &Plan, tallies: &Tallies) -> Value {
    let spans = |spans: Spans| {
        let longest = (spans.count > 0).then(|| milliseconds(spans.longest));
        json!({ "moves": spans.count, "mean_ms": spans.mean().map(milliseconds), "max_ms": longest })
    };
    let engine = |(player, answers): (&Player, Spans)| {
        let mut value = spans(answers);
        value["name"] = player.name.clone().into();
        value["limit"] = player.limit.to_string().into();
        value
    };
    json!({
        "engines": rows(plan, tallies).into_iter().map(engine).collect::<Vec<_>>(),
        "between_moves": spans(tallies.between()),
    })
}
