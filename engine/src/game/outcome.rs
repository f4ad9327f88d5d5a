//! How a game ended.

use super::side::Side;
use std::fmt;

/// Why a game is over by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The Leopards, to move with every leopard on the board, can neither step nor capture: the Dogs win.
    Trapped,
    /// The Leopards have captured enough dogs.
    Captures,
    /// The Dogs, to move, have no legal move: the Leopards win.
    Stuck,
    /// A position has occurred as often as the rules allow: a draw.
    Repetition,
    /// Too many plies without a drop, an entry or a capture: a draw.
    Quiet,
}

impl Reason {
    /// Who wins by it; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Trapped => Some(Side::Dogs),
            Self::Captures | Self::Stuck => Some(Side::Leopards),
            Self::Repetition | Self::Quiet => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Trapped => "trapped",
            Self::Captures => "captures",
            Self::Stuck => "stuck",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
        })
    }
}
