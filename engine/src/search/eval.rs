//! What a position looks like without search.
//!
//! The Leopards count captures, room and threats; the Dogs count leopards hemmed in. All terms read the
//! board's own graph, so that the evaluation carries over to boards it was never tried on.

use super::score::{Score, WIN_BOUND};
use crate::game::{MAX_POINTS, PointSet, Position, Rules, Side};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Weights of the evaluation, in hundredths of a dog, from the Dogs' view.
#[derive(Clone, Debug)]
struct Weights {
    /// For each step open to a leopard.
    step: Score,
    /// For each vacant point the leopards can reach by steps.
    room: Score,
    /// For a leopard that cannot step: alone, a second and a third one count more.
    hemmed: [Score; 6],
    /// For the first, and each further, dog that can be captured at once, with the Dogs to move.
    threat: [Score; 2],
    /// For each dog still in hand.
    hand: Score,
    /// For having the move.
    tempo: Score,
}

const WEIGHTS: Weights = Weights {
    step: -5,
    room: -4,
    hemmed: [0, 100, 250, 400, 500, 600],
    threat: [-15, -70],
    hand: 6,
    tempo: 4,
};

/// The evaluation of one game: weights, and what they come to under its rules.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// What the captured dogs are worth, by their number.
    captured: [Score; MAX_POINTS],
    noise: Option<Noise>,
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
    /// The evaluation for a game. `noise` is the size of random errors in hundredths of a dog, 0 for none,
    /// and `seed` chooses them.
    pub fn new(rules: &Rules, noise: u32, seed: u64) -> Self {
        let to_win = Score::from(rules.captures_to_win().max(1));
        let captured = std::array::from_fn(|n| {
            let n = n as Score;
            // A lost dog costs its worth; the nearer the last one that may be lost, the more.
            -(100 * n + 300 * n * n / (to_win * to_win))
        });
        let noise = (noise > 0).then(|| Noise {
            salt: Xoshiro256PlusPlus::seed_from_u64(seed).random(),
            size: noise.min(WIN_BOUND as u32 / 4) as Score,
        });
        Self { captured, noise }
    }

    /// The evaluation from the view of the side to move.
    #[inline]
    pub fn evaluate(&self, rules: &Rules, position: &Position) -> Score {
        let for_dogs = self.for_dogs(rules, position);
        let score = match position.side_to_move() {
            Side::Dogs => for_dogs,
            Side::Leopards => -for_dogs,
        };
        let noise = self.noise.as_ref().map_or(0, |noise| noise.of(position.key()));
        (score + WEIGHTS.tempo + noise).clamp(1 - WIN_BOUND, WIN_BOUND - 1)
    }

    fn for_dogs(&self, rules: &Rules, position: &Position) -> Score {
        let w = &WEIGHTS;
        let vacant = position.vacant(rules);
        let mut score = self.captured[usize::from(position.captured())];
        score += w.hand * Score::from(position.dogs_in_hand());
        let mut hemmed = 0;
        let mut reached = PointSet::EMPTY;
        for leopard in position.leopards() {
            let steps = rules.board().neighbours(leopard) & vacant;
            score += w.step * steps.len() as Score;
            hemmed += usize::from(steps.is_empty());
            reached |= steps;
        }
        score += w.hemmed[hemmed] + w.room * room(rules, reached, vacant).len() as Score;
        if position.side_to_move() == Side::Dogs {
            score += match position.leap_count(rules) as Score {
                0 => 0,
                n => w.threat[0] + (n - 1) * w.threat[1],
            };
        }
        score
    }
}

/// The vacant points that can be reached from `reached`, itself among them.
#[inline]
fn room(rules: &Rules, mut reached: PointSet, vacant: PointSet) -> PointSet {
    let mut fresh = reached;
    while !fresh.is_empty() {
        let next =
            fresh.into_iter().fold(PointSet::EMPTY, |set, point| set | rules.board().neighbours(point));
        fresh = (next & vacant) - reached;
        reached |= fresh;
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::VariantSpec;

    fn eval(text: &str) -> Score {
        let (rules, position) = VariantSpec::default().rules().unwrap().parse_position(text).unwrap();
        Evaluator::new(&rules, 0, 0).evaluate(&rules, &position)
    }

    #[test]
    fn what_helps_a_side_raises_its_score() {
        let whole = eval("L/2LL2/4/6/dddd d 11 0 0");
        assert!(whole > eval("L/2LL2/4/6/ddd1 d 11 1 0"), "a captured dog");
        let free = eval("L/2LL2/4/d4d/dd2 l 11 0 0");
        let hemmed = eval("L/1dLLd1/4/d4d/4 l 11 0 0");
        assert!(free > hemmed, "leopards with less room");
        assert!(whole > eval("L/1dLL2/4/6/ddd1 d 11 0 0"), "a dog that can be taken");
    }

    #[test]
    fn noise_is_repeatable_and_bounded() {
        let rules = VariantSpec::default().rules().unwrap();
        let start = rules.start();
        let plain = Evaluator::new(&rules, 0, 1).evaluate(&rules, &start);
        let noisy = |seed| Evaluator::new(&rules, 50, seed).evaluate(&rules, &start);
        let scores: Vec<Score> = (0..200).map(noisy).collect();
        assert_eq!(scores, (0..200).map(noisy).collect::<Vec<_>>());
        assert!(scores.iter().all(|score| (score - plain).abs() <= 50));
        assert!(scores.iter().any(|score| (score - plain).abs() > 10));
    }
}
