//! What a position looks like without search.
//!
//! A small network judges the patterns that dogs and leopards make on the board's own lines (see [`patterns`]
//! and [`network`]). `engine fit` fits its weights to exact values of boards of up to 21 points.

mod layout;
mod leaves;
#[allow(clippy::inline_always)] // so that all of a score is compiled anew for each kind of vectors
mod network;
mod patterns;
mod shape;
#[allow(clippy::inline_always)] // the caller's kind of vectors is to serve here too
mod standing;
#[cfg(target_arch = "x86_64")]
mod wide;

pub(crate) use layout::Layout;
pub(crate) use leaves::Leaves;
pub(crate) use network::{BoardNetwork, Counts, Network, SECOND, UNIT, UPPER_SIZE, WEIGHT_UNIT, WIDTH};
#[cfg(test)]
pub(crate) use network::{SCORE_UNIT, Weights};
pub(crate) use patterns::Patterns;
pub(crate) use shape::Shape;

use super::score::{Score, WIN_BOUND};
use crate::game::{Board, Position, Rules, Side};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// For having the move.
const TEMPO: Score = 4;

/// The evaluation of one game: weights, and what they come to under its rules.
#[derive(Clone, Debug)]
pub struct Evaluator {
    network: Arc<BoardNetwork>,
    noise: Option<Noise>,
    leaves: Option<Arc<Leaves>>,
}

/// Random but repeatable errors of judgement: the same position always gets the same error.
#[derive(Clone, Debug)]
struct Noise {
    salt: u64,
    /// The largest error either way.
    size: Score,
}

impl Noise {
    fn of(&self, key: u64) -> Score {
        // Finalizer of SplitMix64 (Steele, Lea, Flood 2014): spreads the key over all bits.
        let mut x = key ^ self.salt;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^= x >> 31;
        // Two uniform halves make a triangle: small errors are the most likely.
        let half = |bits: u64| (bits & 0xffff) as i64 * i64::from(self.size) / 0xffff;
        (half(x) - half(x >> 16)) as Score
    }
}

impl Evaluator {
    /// The evaluation of games on a board.
    pub fn new(board: &Board) -> Self {
        Self::by(Network::builtin(), board, None)
    }

    /// The evaluation of games on a board by a network, which leaves what it evaluates in `leaves`.
    pub(super) fn by(network: &Arc<Network>, board: &Board, leaves: Option<Arc<Leaves>>) -> Self {
        Self { network: Arc::new(BoardNetwork::new(network, board)), noise: None, leaves }
    }

    /// The same evaluation with random errors: `noise` is their size as a score, 0 for none, and
    /// `seed` chooses them.
    #[must_use]
    pub fn with_noise(&self, noise: u32, seed: u64) -> Self {
        let noise = (noise > 0).then(|| Noise {
            salt: Xoshiro256PlusPlus::seed_from_u64(seed).random(),
            size: noise.min(WIN_BOUND as u32 / 4) as Score,
        });
        Self { noise, ..self.clone() }
    }

    /// The evaluation from the view of the side to move.
    #[inline]
    pub fn evaluate(&self, rules: &Rules, position: &Position) -> Score {
        if let Some(leaves) = &self.leaves {
            leaves.note(position);
        }
        let for_dogs = self.network.score(rules, position);
        let score = match position.side_to_move() {
            Side::Dogs => for_dogs,
            Side::Leopards => -for_dogs,
        };
        let noise = self.noise.as_ref().map_or(0, |noise| noise.of(position.symmetric_key()));
        (score + TEMPO + noise).clamp(1 - WIN_BOUND, WIN_BOUND - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::VariantSpec;

    fn eval(text: &str) -> Score {
        let (rules, position) = VariantSpec::default().rules().unwrap().parse_position(text).unwrap();
        Evaluator::new(rules.board()).evaluate(&rules, &position)
    }

    #[test]
    fn what_helps_a_side_raises_its_score() {
        let whole = eval("L/2LL2/4/6/dddd d 11 0 0");
        assert!(whole > eval("L/2LL2/4/6/ddd1 d 11 1 0"), "a captured dog");
        // Sixteen dogs win, thirteen do not: see results/exact.
        assert!(eval("L/2LL2/4/6/4 d 16 0 0") > eval("L/2LL2/4/6/4 d 13 0 0") + 50, "more dogs");
    }

    #[test]
    fn noise_is_repeatable_and_bounded() {
        let rules = VariantSpec::default().rules().unwrap();
        let start = rules.start();
        let plain = Evaluator::new(rules.board()).evaluate(&rules, &start);
        let noisy = |seed| Evaluator::new(rules.board()).with_noise(50, seed).evaluate(&rules, &start);
        let scores: Vec<Score> = (0..200).map(noisy).collect();
        assert_eq!(scores, (0..200).map(noisy).collect::<Vec<_>>());
        assert!(scores.iter().all(|score| (score - plain).abs() <= 50));
        assert!(scores.iter().any(|score| (score - plain).abs() > 10));
    }
}
