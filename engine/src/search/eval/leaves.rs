//! The positions that a search evaluates, for the fit to learn from.

use crate::game::Position;
use std::sync::{Mutex, PoisonError};

/// Some of the positions that were evaluated: those whose keys are multiples of a number.
#[derive(Debug)]
pub(crate) struct Leaves {
    every: u64,
    positions: Mutex<Vec<Position>>,
}

impl Leaves {
    /// Takes about one position of `every`.
    pub(crate) fn new(every: u64) -> Self {
        Self { every, positions: Mutex::default() }
    }

    #[inline]
    pub(super) fn note(&self, position: &Position) {
        if position.key().is_multiple_of(self.every) {
            self.positions.lock().unwrap_or_else(PoisonError::into_inner).push(*position);
        }
    }

    /// What was taken since the last time, in the order it was evaluated in; a position may come more than once.
    pub(crate) fn take(&self) -> Vec<Position> {
        std::mem::take(&mut self.positions.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
