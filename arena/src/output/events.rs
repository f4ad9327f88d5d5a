//! Events of a run for programs: one JSON object a line on standard output.

use crate::game::GameRecord;
use crate::schedule::Plan;
use engine::game::Side;
use serde_json::{Value, json};
use std::io::{self, Write as _};

/// Who is told what happens, if anyone.
#[derive(Clone, Copy, Debug)]
pub struct Events {
    enabled: bool,
}

impl Events {
    /// Events that are written, or none.
    pub const fn new(enabled: bool) -> Self {
        Self { enabled }
    }

    /// The run begins, or goes on after `done` of its games.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn begin(self, plan: &Plan, games: u64, done: u64) -> io::Result<()> {
        self.write(&|| {
            let engines: Vec<Value> = plan
                .players
                .iter()
                .map(|player| json!({ "name": player.name, "limit": player.limit.to_string() }))
                .collect();
            json!({ "event": "begin", "games": games, "done": done, "seed": plan.seed, "engines": engines })
        })
    }

    /// A game is in the file.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn game(self, plan: &Plan, game: &GameRecord) -> io::Result<()> {
        self.write(&|| {
            let [dogs, leopards] = Side::BOTH.map(|side| &plan.player(&game.task, side).name);
            json!({
                "event": "game",
                "game": game.task.number,
                "pair": game.task.pair,
                "dogs_engine": dogs,
                "leopards_engine": leopards,
                "winner": game.winner().map_or("draw".to_owned(), |side| side.to_string()),
                "reason": game.termination.word(),
                "plies": game.moves.len(),
                "captured": game.captured,
                "detail": game.detail,
            })
        })
    }

    /// Something a person should know.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn note(self, note: &str) -> io::Result<()> {
        self.write(&|| json!({ "event": "note", "note": note }))
    }

    fn write(self, event: &dyn Fn() -> Value) -> io::Result<()> {
        if self.enabled { write_event(&event()) } else { Ok(()) }
    }
}

/// Writes one event.
pub(super) fn write_event(event: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{event}")?;
    out.flush()
}
