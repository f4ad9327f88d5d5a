//! The random numbers that position keys are made of.

use super::board::Board;
use super::point::{MAX_POINTS, Point};
use super::rules::MAX_LEOPARDS;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::LazyLock;

/// One number for everything a position's key depends on; a key is the exclusive or of those that apply
/// (A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970).
#[derive(Debug)]
pub(super) struct Keys {
    pub(super) dog: [u64; MAX_POINTS],
    pub(super) leopard: [u64; MAX_POINTS],
    pub(super) dogs_in_hand: [u64; MAX_POINTS],
    pub(super) leopards_in_hand: [u64; MAX_LEOPARDS + 1],
    pub(super) captured: [u64; MAX_POINTS],
    pub(super) leopards_to_move: u64,
}

impl Keys {
    /// The one set of keys, the same in every run and for every board.
    pub(super) fn get() -> &'static Self {
        static KEYS: LazyLock<Keys> = LazyLock::new(|| {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1909);
            Keys {
                dog: rng.random(),
                leopard: rng.random(),
                dogs_in_hand: rng.random(),
                leopards_in_hand: rng.random(),
                captured: rng.random(),
                leopards_to_move: rng.random(),
            }
        });
        &KEYS
    }
}

/// The numbers of the pieces of a mirror image: what stands on a point counts for the point opposite. Where a board is
/// not symmetric a position is its own image.
#[derive(Clone, Debug)]
pub(super) struct MirroredKeys {
    pub(super) dog: [u64; MAX_POINTS],
    pub(super) leopard: [u64; MAX_POINTS],
}

impl MirroredKeys {
    pub(super) fn new(board: &Board) -> Self {
        let opposite = |index| {
            let image = Point::new(index).and_then(|point| board.mirrored(point));
            image.map_or(index, Point::index)
        };
        let keys = Keys::get();
        Self {
            dog: std::array::from_fn(|index| keys.dog[opposite(index)]),
            leopard: std::array::from_fn(|index| keys.leopard[opposite(index)]),
        }
    }
}
