//! The tail of a fixpoint: once a round finds few positions, it is cheaper to look at each of them than at
//! every word.

use super::index::{Index, Location, UNIT_BITS};
use super::movement::Problem;
use super::parallel::in_parallel;
use crate::game::Side;
use std::sync::{Mutex, PoisonError};

/// A round that finds no more than one position in so many words is followed from position to position.
pub(super) const FEW: usize = 150;

/// Positions that a thread looks at before it asks for more.
const PART: usize = 512;

/// The won positions of a side, a bit each, slot after slot, to be read and set one by one.
pub(super) struct Turns<'a> {
    pub(super) bits: &'a mut [u64],
    pub(super) index: &'a Index,
}

impl Turns<'_> {
    fn number(&self, at: Location) -> usize {
        at.slot << self.index.bits() | at.dogs
    }

    pub(super) fn contains(&self, at: Location) -> bool {
        let number = self.number(at);
        self.bits[number >> UNIT_BITS] >> (number % 64) & 1 == 1
    }

    /// Adds a position; whether it was not there before.
    pub(super) fn insert(&mut self, at: Location) -> bool {
        let number = self.number(at);
        let word = &mut self.bits[number >> UNIT_BITS];
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// The positions whose bits are set.
pub(super) fn positions(words: &[u64], slot: usize, out: &mut Vec<Location>) {
    for (word, &bits) in words.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            out.push(Location { slot, dogs: word << UNIT_BITS | bits.trailing_zeros() as usize });
            bits &= bits - 1;
        }
    }
}

impl Problem {
    /// One round from the Dogs' turns `fresh`, which are in `dogs_turns` already: adds the Leopards' turns
    /// won by them, and gives the Dogs' turns won by these, each once, not yet added.
    pub(super) fn sparse_round(
        &self,
        winner: Side,
        dogs_turns: &Turns,
        leopards_turns: &mut Turns,
        fresh: &[Location],
    ) -> Vec<Location> {
        let index = &self.index;
        let known = &*leopards_turns;
        let candidates = self.each(fresh, |at, out| {
            for (leopards, dogs) in index.before_leopards(index.leopards_of(at.slot), index.dogs_of(at)) {
                let before = index.locate(leopards, dogs);
                if (dogs.count_ones() as u8) < self.least_dogs || known.contains(before) {
                    continue;
                }
                let is_won = match winner {
                    Side::Leopards => true,
                    Side::Dogs => index
                        .after_leopards(leopards, dogs)
                        .all(|(leopards, dogs)| dogs_turns.contains(index.locate(leopards, dogs))),
                };
                if is_won {
                    out.push(before);
                    // The mirror image of a position whose leopards are their own is in the same vector, and
                    // comes from the mirror image of `at`, which may have no place of its own.
                    if index.sets_of(before.slot) == 1 {
                        out.push(index.locate(leopards, index.mirrored(dogs)));
                    }
                }
            }
        });
        let between: Vec<Location> = candidates.into_iter().filter(|&at| leopards_turns.insert(at)).collect();
        let leopards_turns = &*leopards_turns;
        let mut found = self.each(&between, |at, out| {
            let leopards = index.leopards_of(at.slot);
            // A dog's step back is a step.
            for dogs in index.after_dogs(leopards, index.dogs_of(at)) {
                let before = index.locate(leopards, dogs);
                if dogs_turns.contains(before) {
                    continue;
                }
                let is_won = match winner {
                    Side::Dogs => true,
                    Side::Leopards => index
                        .after_dogs(leopards, dogs)
                        .all(|dogs| leopards_turns.contains(index.locate(leopards, dogs))),
                };
                if is_won {
                    out.push(before);
                }
            }
        });
        found.sort_unstable_by_key(|at| (at.slot, at.dogs));
        found.dedup();
        found
    }

    /// What `look` finds at each of these positions, in no certain order.
    fn each(
        &self,
        positions: &[Location],
        look: impl Fn(Location, &mut Vec<Location>) + Sync,
    ) -> Vec<Location> {
        let found = Mutex::new(Vec::new());
        // A part for each thread is not worth its beginning where positions are few.
        let threads = if positions.len() < 2 * PART { 1 } else { self.threads };
        in_parallel(
            threads,
            positions.chunks(PART),
            || (),
            |(), part| {
                let mut out = Vec::new();
                for &at in part {
                    look(at, &mut out);
                }
                found.lock().unwrap_or_else(PoisonError::into_inner).append(&mut out);
            },
        );
        found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
