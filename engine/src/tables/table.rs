//! A solved game that answers with exact values.

use super::index::Index;
use super::score::{self, TRAPPED};
use crate::game::{Board, Position, Rules, Side, Value};
use std::path::PathBuf;

/// What is wrong with a table, in one line that names it.
#[derive(Debug, thiserror::Error)]
#[error("table {}: {fault}", path.display())]
pub struct TableError {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: String,
}

/// The strong solution of a game: the exact value of every position with its board, its number of leopards
/// and its least number of dogs, every leopard on the board, any number of dogs on the board and in hand.
pub struct Table {
    pub(super) board: Board,
    pub(super) leopards: u8,
    pub(super) least_dogs: u8,
    pub(super) index: Index,
    pub(super) scores: Vec<Vec<u8>>,
}

impl Table {
    /// Whether the table has the values of these rules: the same lines between points, whatever the name of
    /// the board, as many leopards, and the same least number of dogs.
    pub fn serves(&self, rules: &Rules) -> bool {
        self.fits(rules) && same_lines(&self.board, rules.board())
    }

    /// As [`serves`](Self::serves), lines of the board aside.
    fn fits(&self, rules: &Rules) -> bool {
        self.leopards == rules.leopards()
            && self.least_dogs == least_dogs(rules)
            && self.board.point_count() == rules.board().point_count()
    }

    /// The exact value of a position of rules that the table [`serves`](Self::serves); `None` while leopards
    /// are in hand, and for other rules as far as their numbers differ. Repetition and quiet plies are left
    /// aside.
    ///
    /// # Errors
    /// The file cannot be read, or the part of it in question is damaged.
    pub fn probe(&self, rules: &Rules, position: &Position) -> Result<Option<Value>, TableError> {
        if position.leopards_in_hand() > 0 || !self.fits(rules) {
            return Ok(None);
        }
        if position.is_won_by_captures(rules) {
            return Ok(Some(Value::Win { winner: Side::Leopards, plies: 0 }));
        }
        let leopards = self.index.places_of_points(position.leopards());
        let dogs = self.index.places_of_points(position.dogs());
        let hand = position.dogs_in_hand();
        let side = position.side_to_move();
        let score = match side {
            Side::Dogs => self.dogs_turn(hand, leopards, dogs)?,
            Side::Leopards => {
                let mut least = TRAPPED;
                for (leopards, dogs) in self.index.after_leopards(leopards, dogs) {
                    least = least.min(self.dogs_turn(hand, leopards, dogs)?);
                }
                least
            }
        };
        Ok(Some(score::value(score, side)))
    }

    /// The score of a Dogs' turn; sets have a bit a place.
    fn dogs_turn(&self, hand: u8, leopards: u32, dogs: u32) -> Result<u8, TableError> {
        let at = self.index.locate(leopards, dogs);
        Ok(self.scores[usize::from(hand)][at.slot * self.index.vector_len() + at.dogs])
    }
}

/// The least number of dogs that tells tables apart. Rules whose dogs are too few from the start are won
/// before the first move, whatever the number: they go with the table of the least that can trap.
pub(super) fn least_dogs(rules: &Rules) -> u8 {
    if rules.captures_to_win() == 0 { rules.least_dogs_to_trap() } else { rules.least_dogs() }
}

/// Whether two boards have the same steps and leaps between points of the same numbers.
fn same_lines(a: &Board, b: &Board) -> bool {
    a.point_count() == b.point_count()
        && a.points().into_iter().all(|p| a.neighbours(p) == b.neighbours(p) && a.jumps(p) == b.jumps(p))
}
