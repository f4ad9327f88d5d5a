//! Scores: centipawn-like units of the evaluation, and wins counted in plies.

use crate::game::{Side, Value};
use std::fmt;

/// A score from some side's view: at 200 a win is as likely as a draw, at -200 a loss, and each 50 more multiply
/// the odds by e. Wins and losses with a known distance lie beyond [`WIN_BOUND`].
pub type Score = i32;

/// The score of a position lost for the opponent on the spot.
pub const WIN: Score = 32_000;
/// The most plies a win may lie ahead: search depth and table distance together.
pub const MAX_WIN_PLIES: i32 = 1_000;
/// Scores from here on are wins with a known distance; an evaluation stays below.
pub const WIN_BOUND: Score = WIN - MAX_WIN_PLIES;
/// Beyond every score.
pub(super) const INFINITE: Score = WIN + 1;

/// The score of winning in `plies` plies.
#[inline]
pub const fn win_in(plies: i32) -> Score {
    WIN - plies
}

/// The score of losing in `plies` plies.
#[inline]
pub const fn loss_in(plies: i32) -> Score {
    plies - WIN
}

/// Whether a score says who wins.
#[inline]
pub const fn is_decided(score: Score) -> bool {
    score.abs() >= WIN_BOUND
}

/// The score of a table's value, from `side`'s view, for a position `ply` plies below the root.
pub(super) fn from_value(value: Value, side: Side, ply: i32) -> Score {
    match value {
        Value::Win { winner, plies } => {
            let distance = (ply + i32::from(plies)).min(MAX_WIN_PLIES);
            if winner == side { win_in(distance) } else { loss_in(distance) }
        }
        Value::Draw => 0,
    }
}

/// A score as it is shown: `cp 35`, `mate 13` in plies, `mate -4` when losing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownScore(pub Score);

impl fmt::Display for ShownScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = self.0;
        if !is_decided(score) {
            write!(f, "cp {score}")
        } else if score > 0 {
            write!(f, "mate {}", WIN - score)
        } else {
            write!(f, "mate {}", -(WIN + score))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_shown_in_plies() {
        let shown = |score| ShownScore(score).to_string();
        assert_eq!(shown(win_in(13)), "mate 13");
        assert_eq!(shown(loss_in(4)), "mate -4");
        assert_eq!(shown(loss_in(0)), "mate 0");
        assert_eq!(shown(-35), "cp -35");
        let value = Value::Win { winner: Side::Dogs, plies: 10 };
        assert_eq!(from_value(value, Side::Dogs, 3), win_in(13));
        assert_eq!(from_value(value, Side::Leopards, 3), loss_in(13));
    }
}
