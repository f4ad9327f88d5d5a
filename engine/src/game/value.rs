//! The exact value of a position.

use super::side::Side;
use std::fmt;

/// What perfect play comes to, the rules of repetition and quiet plies left aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// This side can force a win.
    Win {
        /// Who wins.
        winner: Side,
        /// Plies to the end when the winner hastens and the loser delays; 0 where the game is over.
        plies: u16,
    },
    /// Neither side can force a win.
    Draw,
}

impl Value {
    /// Who wins; `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw => None,
        }
    }

    /// The worth of the value to a side, for comparing: a quick win is most, then a slow one, a draw (0), a
    /// slow loss and a quick one.
    pub const fn merit(self, side: Side) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win { winner, plies } if winner as u8 == side as u8 => u16::MAX as i32 + 1 - plies as i32,
            Self::Win { plies, .. } => plies as i32 - u16::MAX as i32 - 1,
        }
    }

    /// Plies to the end; `None` for a draw.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Win { plies, .. } => Some(plies),
            Self::Draw => None,
        }
    }
}

/// As the protocol's `query value` writes it: `dogs 13`, `leopards 4` or `draw`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, plies } => write!(f, "{winner} {plies}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}
