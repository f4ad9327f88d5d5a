//! The strong solution of a game, layer by layer.

use super::bytes::fill_fewer;
use super::index::{Index, UNIT, binomial, usual_order};
use super::movement::Problem;
use super::parallel::in_parallel;
use super::plan::Plans;
use super::score::{LEOPARDS_NOW, TRAPPED};
use super::simd::Wide;
use crate::game::{Board, Point, Side};
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SolveError {
    #[error("a win takes more than 250 plies, which does not fit a table")]
    Distance,
    #[error("out of memory: {0} bytes at once could not be had")]
    Memory(usize),
    #[error("solving takes {needed} MB of memory, more than the {limit} MB it may use")]
    MemoryLimit { needed: u64, limit: u64 },
    #[error("stopped")]
    Stopped,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What the solver is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Looking for positions of the movement phase won for this side in two plies more.
    Movement {
        /// Whose wins.
        winner: Side,
        /// Rounds of two plies before.
        round: u16,
        /// Whether the round went through all words of bits; if not, from position to position.
        dense: bool,
    },
    /// Every position with this many dogs in hand.
    Drops {
        /// Dogs in hand.
        hand: u8,
    },
}

/// What the solver tells on its way.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What it is at.
    pub stage: Stage,
    /// Positions of the tables with the Dogs to move that the last step decided, mirror images not counted.
    pub decided: u64,
}

/// How the solver is watched and stopped.
pub(super) struct Watch<'a> {
    pub(super) progress: &'a (dyn Fn(&Progress) + Sync),
    pub(super) stop: &'a AtomicBool,
}

impl Watch<'_> {
    pub(super) fn step(&self, stage: Stage, decided: u64) -> Result<(), SolveError> {
        (self.progress)(&Progress { stage, decided });
        if self.stop.load(Ordering::Relaxed) { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

/// Takes the scores of solved positions, vector by vector, in the order of hands but any order of slots, from
/// several threads.
pub(super) trait Observer: Sync {
    /// Scores of the Dogs' turns and of the Leopards' turns of one slot.
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()>;
    /// All slots of this hand have been given.
    fn layer_done(&self, hand: u8) -> io::Result<()>;
}

/// A zeroed vector, or an error that says how much memory was wanting.
pub(super) fn zeroed<T: Clone + Default>(len: usize) -> Result<Vec<T>, SolveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(len).map_err(|_| SolveError::Memory(len.saturating_mul(size_of::<T>())))?;
    vector.resize(len, T::default());
    Ok(vector)
}

impl Problem {
    /// The problem in the usual order of points.
    pub(super) fn new(board: &Board, leopards: usize, least_dogs: u8, threads: usize) -> Self {
        Self::with_order(board, leopards, least_dogs, threads, &usual_order(board))
    }

    /// The problem with an order of points of one's own.
    pub(super) fn with_order(
        board: &Board,
        leopards: usize,
        least_dogs: u8,
        threads: usize,
        order: &[Point],
    ) -> Self {
        let with_index =
            |paired| Self::from_index(Index::with_order(board, leopards, order, paired), least_dogs, threads);
        let Some(problem) = with_index(true).or_else(|| with_index(false)) else {
            unreachable!("without mirror images a move exchanges at most one of the lowest six index bits")
        };
        problem
    }

    /// The problem of an index; `None` where its mirror images cannot be used.
    pub(super) fn from_index(index: Index, least_dogs: u8, threads: usize) -> Option<Self> {
        let plans = Plans::new(&index)?;
        let steps = |slot| index.dog_steps(index.leopards_of(slot));
        let dog_steps = (0..index.slot_count()).map(steps).collect();
        Some(Self { index, plans, dog_steps, least_dogs, threads, wide: Wide::detect() })
    }

    /// Solves every hand from none to all dogs, and shows each to `observer`.
    pub(super) fn solve(&self, observer: &impl Observer, watch: &Watch) -> Result<(), SolveError> {
        let len = self.index.vector_len();
        let mut scores: Vec<u8> = zeroed(self.index.slot_count() * len)?;
        self.solve_movement(&mut scores, watch)?;
        // Only now: the movement phase has bit vectors of its own.
        let mut next: Vec<u8> = zeroed(scores.len())?;
        for hand in 0..=self.index.free() as u8 {
            self.solve_drop(hand, &scores, &mut next, observer)?;
            observer.layer_done(hand)?;
            let positions = self.index.slot_count() as u64 * self.positions(hand.into());
            watch.step(Stage::Drops { hand }, positions)?;
            std::mem::swap(&mut scores, &mut next);
        }
        Ok(())
    }

    /// Positions of one vector with this hand that a game can have: too many dogs for the board aside.
    fn positions(&self, hand: usize) -> u64 {
        let free = self.index.free();
        (0..=free - hand).map(|dogs| u64::from(binomial(free, dogs))).sum()
    }

    /// From the Dogs' turns with `hand` dogs in hand those with one more, by way of the Leopards' turns.
    fn solve_drop(
        &self,
        hand: u8,
        scores: &[u8],
        next: &mut [u8],
        observer: &impl Observer,
    ) -> Result<(), SolveError> {
        let len = self.index.vector_len();
        let most = self.index.free() as u32 - u32::from(hand);
        let too_far = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let items = next.chunks_exact_mut(len).enumerate();
        let scratch = || vec![0u8; len + UNIT];
        in_parallel(self.threads, items, scratch, |leopards, (slot, next)| {
            leopards[..len].fill(TRAPPED);
            for mv in self.plans.moves(slot) {
                let source = mv.source as usize * len;
                let map = &self.plans.maps[mv.map as usize];
                self.wide.lower_by_leopard_moves(
                    &mut leopards[..len],
                    &scores[source..source + len],
                    map,
                    most,
                );
            }
            let least = u32::from(self.least_dogs);
            fill_fewer(&mut leopards[..len], least.saturating_sub(hand.into()), LEOPARDS_NOW);
            let dogs = &scores[slot * len..(slot + 1) * len];
            if let Err(error) = observer.vectors(hand, slot, dogs, &leopards[..len])
                && let Ok(mut failure) = failure.lock()
            {
                *failure = Some(error);
            }
            if most > 0 {
                if self.wide.drop_dogs(next, leopards, self.index.free(), most - 1) {
                    too_far.store(true, Ordering::Relaxed);
                }
                fill_fewer(next, least.saturating_sub(u32::from(hand) + 1), LEOPARDS_NOW);
            }
        });
        match failure.into_inner() {
            Ok(Some(error)) => Err(error.into()),
            _ if too_far.into_inner() => Err(SolveError::Distance),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_is_not_there_is_told() {
        let error = zeroed::<u64>(usize::MAX / 32).unwrap_err();
        assert!(error.to_string().starts_with("out of memory: "), "{error}");
    }
}
