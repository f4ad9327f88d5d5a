//! What a search may use.

use std::time::Duration;

/// What is left on the clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Bounds of a search; all that are given hold, and with none it runs until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Positions entered, over all threads.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the game.
    pub clock: Option<Clock>,
}

impl Limits {
    /// Whether nothing bounds the search but a stop.
    pub fn is_infinite(&self) -> bool {
        *self == Self::default()
    }

    /// Whether time bounds the search.
    pub fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
    }
}
