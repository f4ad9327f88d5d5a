//! The record of a game: who won, and, apart from it, why the game ended.

use crate::schedule::GameTask;
use engine::game::{Move, Position, Reason, Side};
use std::fmt;
use std::ops::AddAssign;
use std::time::Duration;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// By the rules.
    Rules(Reason),
    /// It reached the limit on plies: a draw.
    MaxPlies,
    /// It was ended by a rule of adjudication, or by its exact value: see the detail.
    Adjudicated {
        /// Who won; `None` for a draw.
        winner: Option<Side>,
    },
    /// One side's engine failed, and that side lost.
    Fault {
        /// The side whose engine failed.
        by: Side,
        /// How it failed.
        kind: FaultKind,
    },
}

/// How an engine loses a game without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// It answered with a move the rules do not allow, or with none.
    IllegalMove,
    /// It used more time than it had.
    Timeout,
    /// It did not answer, though its limit is not a time.
    Stall,
    /// It exited, or closed its pipes, or could not be started again.
    Crash,
}

impl Termination {
    /// Who wins by it; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Rules(reason) => reason.winner(),
            Self::MaxPlies => None,
            Self::Adjudicated { winner } => winner,
            Self::Fault { by: Side::Dogs, .. } => Some(Side::Leopards),
            Self::Fault { by: Side::Leopards, .. } => Some(Side::Dogs),
        }
    }

    /// The word for it in the games file.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules(Reason::Trapped) => "trapped",
            Self::Rules(Reason::Captures) => "captures",
            Self::Rules(Reason::Stuck) => "stuck",
            Self::Rules(Reason::Repetition) => "repetition",
            Self::Rules(Reason::Quiet) => "quiet",
            Self::MaxPlies => "max-plies",
            Self::Adjudicated { .. } => "adjudicated",
            Self::Fault { kind, .. } => match kind {
                FaultKind::IllegalMove => "illegal-move",
                FaultKind::Timeout => "timeout",
                FaultKind::Stall => "stall",
                FaultKind::Crash => "crash",
            },
        }
    }

    /// The termination of this [`word`](Self::word), won by `winner`; `None` if there is no such.
    pub fn from_word(word: &str, winner: Option<Side>) -> Option<Self> {
        let by_rules = [Reason::Trapped, Reason::Captures, Reason::Stuck, Reason::Repetition, Reason::Quiet]
            .map(Self::Rules);
        let kinds = [FaultKind::IllegalMove, FaultKind::Timeout, FaultKind::Stall, FaultKind::Crash];
        let faults = Side::BOTH.into_iter().flat_map(|by| kinds.map(|kind| Self::Fault { by, kind }));
        let mut all =
            by_rules.into_iter().chain([Self::MaxPlies, Self::Adjudicated { winner }]).chain(faults);
        all.find(|termination| termination.word() == word && termination.winner() == winner)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Times of many moves: their number, sum and longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// How many.
    pub count: u32,
    /// All together.
    pub total: Duration,
    /// The longest.
    pub longest: Duration,
}

impl Spans {
    /// Counts one.
    pub fn add(&mut self, span: Duration) {
        *self += Self { count: 1, total: span, longest: span };
    }

    /// The mean; `None` of none.
    pub fn mean(self) -> Option<Duration> {
        self.total.checked_div(self.count)
    }
}

impl AddAssign for Spans {
    fn add_assign(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.total += other.total;
        self.longest = self.longest.max(other.longest);
    }
}

/// What the moves of a game cost beside the thinking, as far as it was measured: a game that was read back from
/// a file tells nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Of each side's moves, by [`Side::index`]: from the request to the answer, less what the engine says it
    /// took itself. Only of moves it said so of.
    pub answers: [Spans; 2],
    /// From each answer to the next request: the arena's own time.
    pub between: Spans,
}

/// A finished game. What is kept of each side is indexed by [`Side::index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// What was to be played.
    pub task: GameTask,
    /// Why it ended.
    pub termination: Termination,
    /// For an engine's failure or an adjudication, what happened, in words; otherwise empty.
    pub detail: String,
    /// The position it began from; `None` is the start of the variant.
    pub start: Option<Position>,
    /// All moves from the start.
    pub moves: Vec<Move>,
    /// How many of them were given.
    pub opening: usize,
    /// Dogs captured.
    pub captured: u8,
    /// Time each side thought.
    pub time: [Duration; 2],
    /// Nodes each side searched, as far as its engine said.
    pub nodes: [u64; 2],
    /// What playing it cost beside the thinking.
    pub costs: Costs,
}

impl GameRecord {
    /// A game of which nothing is known but what was to be played: no moves, broken off.
    pub(crate) fn unplayed(task: GameTask) -> Self {
        Self {
            task,
            termination: Termination::MaxPlies,
            detail: String::new(),
            start: None,
            moves: Vec::new(),
            opening: 0,
            captured: 0,
            time: [Duration::ZERO; 2],
            nodes: [0; 2],
            costs: Costs::default(),
        }
    }

    /// Who won; `None` for a draw.
    pub const fn winner(&self) -> Option<Side> {
        self.termination.winner()
    }
}
