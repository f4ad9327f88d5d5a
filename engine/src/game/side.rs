//! The two sides.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// A side of the game. In the protocol the Dogs are player 1 and the Leopards player 2, whoever moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The hunters.
    Dogs,
    /// The hunted, who capture.
    Leopards,
}

impl Side {
    /// Both sides, the Dogs first.
    pub const BOTH: [Self; 2] = [Self::Dogs, Self::Leopards];

    /// 0 for the Dogs, 1 for the Leopards.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::Dogs => Self::Leopards,
            Self::Leopards => Self::Dogs,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dogs => "dogs",
            Self::Leopards => "leopards",
        })
    }
}

impl FromStr for Side {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "dogs" => Ok(Self::Dogs),
            "leopards" => Ok(Self::Leopards),
            _ => Err(format!("\"{text}\" is no side: expected dogs or leopards")),
        }
    }
}
