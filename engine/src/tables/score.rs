//! One byte for value and distance.
//!
//! Whether a distance is odd or even follows from who wins and who moves, so half of it is enough. Seen from
//! the Dogs, larger is better, so that the best successor is a maximum or a minimum of bytes:
//!
//! | byte | Dogs to move | Leopards to move |
//! |---|---|---|
//! | 0 ≤ s ≤ 126 | Leopards win in 2s plies | Leopards win in 2s + 1 plies |
//! | 127 | draw | draw |
//! | 128 ≤ s ≤ 254 | Dogs win in 2(254 − s) + 1 plies | Dogs win in 2(255 − s) plies |
//! | 255 | not used | Dogs win in 0 plies: the Leopards are trapped |
//!
//! A position with the Leopards to move has the least byte of its successors, unchanged; one with the Dogs to
//! move the greatest, one step nearer to the draw. Positions with too few dogs left are won for the Leopards
//! in 0 plies whoever moves; with the Leopards to move this has no byte and is told from the count of dogs.

use crate::game::{Side, Value};

/// Neither side can force a win.
pub(super) const DRAW: u8 = 127;
/// The Leopards have won, the Dogs to move: by captures, or the Dogs are stuck.
pub(super) const LEOPARDS_NOW: u8 = 0;
/// The Leopards, to move, are trapped.
pub(super) const TRAPPED: u8 = 255;
/// The Dogs win with their next move.
pub(super) const DOGS_NEXT: u8 = 254;
/// The greatest of the Leopards' wins, and the number of whole rounds a byte can count for either side.
pub(super) const MAX_ROUNDS: u8 = 126;

/// What a byte means with this side to move.
pub(super) fn value(score: u8, side: Side) -> Value {
    let s = u16::from(score);
    let leopards_move = side == Side::Leopards;
    match score {
        DRAW => Value::Draw,
        0..DRAW => Value::Win { winner: Side::Leopards, plies: 2 * s + u16::from(leopards_move) },
        _ if leopards_move => Value::Win { winner: Side::Dogs, plies: 2 * (255 - s) },
        _ => Value::Win { winner: Side::Dogs, plies: 2 * 254u16.saturating_sub(s) + 1 },
    }
}

/// The byte of a value, the other way round. A position with too few dogs has none with the Leopards to move.
#[cfg(test)]
pub(super) fn from_value(value: Value, side: Side) -> u8 {
    let leopards_move = u16::from(side == Side::Leopards);
    match value {
        Value::Draw => DRAW,
        Value::Win { winner: Side::Leopards, plies } => (plies.saturating_sub(leopards_move) / 2) as u8,
        Value::Win { winner: Side::Dogs, plies } => (254 + leopards_move - plies / 2) as u8,
    }
}

/// The byte of a Dogs' turn whose best successor has this byte; `None` where the distance no longer fits.
pub(super) fn before_dogs_move(best: u8) -> Option<u8> {
    match best {
        MAX_ROUNDS | 128 => None,
        0..MAX_ROUNDS => Some(best + 1),
        DRAW => Some(DRAW),
        129.. => Some(best - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn win(winner: Side, plies: u16) -> Value {
        Value::Win { winner, plies }
    }

    #[test]
    fn one_ply_more_for_each_move_and_never_a_wrap() {
        assert_eq!(value(TRAPPED, Side::Leopards), win(Side::Dogs, 0));
        assert_eq!(value(LEOPARDS_NOW, Side::Dogs), win(Side::Leopards, 0));
        assert_eq!(value(DOGS_NEXT, Side::Dogs), win(Side::Dogs, 1));
        for score in 0..=255u8 {
            let leopards = value(score, Side::Leopards);
            assert_eq!(from_value(leopards, Side::Leopards), score);
            // The Leopards' turn takes the byte of its best successor over.
            if score != TRAPPED {
                let dogs = value(score, Side::Dogs);
                assert_eq!(from_value(dogs, Side::Dogs), score);
                assert_eq!(leopards.winner(), dogs.winner());
                assert_eq!(leopards.plies(), dogs.plies().map(|plies| plies + 1));
            }
            match before_dogs_move(score) {
                Some(before) => {
                    let before = value(before, Side::Dogs);
                    assert_eq!(before.winner(), leopards.winner());
                    assert_eq!(before.plies(), leopards.plies().map(|plies| plies + 1));
                }
                None => assert!(leopards.plies().is_some_and(|plies| plies > 250), "{leopards}"),
            }
        }
    }
}
