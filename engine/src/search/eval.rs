//! What a position looks like without search.
//!
//! The Leopards count captures, room and threats; the Dogs count leopards hemmed in and lines closed to
//! leaps. All terms read the board's own graph, so that the evaluation carries over to boards it was never
//! tried on. The weights were tried on positions of the 19- and 21-point boards whose exact values are
//! known: those that most often made the search keep the value stay.

use super::score::{Score, WIN_BOUND};
use crate::game::{MAX_POINTS, PointSet, Position, Rules, Side};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Weights of the evaluation in one phase, in hundredths of a dog, from the Dogs' view.
#[derive(Clone, Debug)]
struct Weights {
    /// For each dog captured.
    captured: Score,
    /// By the number of points left vacant once all dogs are dropped: the fewer, the nearer a trap.
    final_vacancies: [Score; 8],
    /// By the number of captures the Leopards still need, from 1.
    lives: [Score; 6],
    /// For each dog still in hand.
    hand: Score,
    /// For each step open to a leopard.
    step: Score,
    /// For each vacant point the leopards can reach by steps.
    room: Score,
    /// For each vacant point they cannot reach.
    shelter: Score,
    /// By the number of leopards that cannot step.
    hemmed: [Score; 4],
    /// For each jump line over a dog with no dog on either end.
    exposed: Score,
    /// For each jump line over a dog with a dog on one end.
    half_exposed: Score,
    /// For each step open to a dog, hand or not.
    mobility: Score,
    /// For each line that leads from a dog's point.
    dog_degree: Score,
    /// For each line that leads from a leopard's point.
    leopard_degree: Score,
    /// By the number of captures the leopards could make at once, with the Dogs to move.
    threats: [Score; 3],
}

/// While there are dogs in hand.
const DROP_WEIGHTS: Weights = Weights {
    captured: -172,
    final_vacancies: [0; 8],
    lives: [0; 6],
    hand: 6,
    step: -7,
    room: -4,
    shelter: 0,
    hemmed: [0, 60, 90, 400],
    exposed: -9,
    half_exposed: 8,
    mobility: 4,
    dog_degree: 8,
    leopard_degree: 0,
    threats: [0, -15, -85],
};

/// Once all dogs are dropped.
const MOVE_WEIGHTS: Weights = Weights {
    captured: -20,
    final_vacancies: [200, 170, 140, 100, 65, 40, 20, 8],
    lives: [-250, -120, -70, -40, -20, -8],
    hand: 0,
    step: -1,
    room: -10,
    shelter: -4,
    hemmed: [0, 56, 160, 250],
    exposed: -25,
    half_exposed: 0,
    mobility: 7,
    dog_degree: 0,
    leopard_degree: -4,
    threats: [0, -30, -110],
};

/// For having the move.
const TEMPO: Score = 4;

/// An entry of a table of weights; past its ends there is nothing to weigh.
fn entry(table: &[Score], index: i32) -> Score {
    usize::try_from(index).ok().and_then(|index| table.get(index)).copied().unwrap_or(0)
}

/// The entry of a table of weights, the last one standing for all beyond.
#[inline]
fn entry_or_last<const N: usize>(table: &[Score; N], index: usize) -> Score {
    table[index.min(N - 1)]
}

impl Weights {
    /// What captured dogs are worth under some rules, by their number.
    fn by_captures(&self, rules: &Rules) -> [Score; MAX_POINTS] {
        let points = rules.board().point_count() as i32;
        std::array::from_fn(|n| {
            let captured = n as i32;
            let left = i32::from(rules.dogs()) - captured;
            let vacancies = points - i32::from(rules.leopards()) - left;
            let lives = i32::from(rules.captures_to_win()) - captured;
            self.captured * captured + entry(&self.final_vacancies, vacancies) + entry(&self.lives, lives - 1)
        })
    }
}

/// The evaluation of one game: weights, and what they come to under its rules.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// What the captured dogs are worth, by their number: while dogs are in hand, and later.
    captured: [[Score; MAX_POINTS]; 2],
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
        let captured = [DROP_WEIGHTS.by_captures(rules), MOVE_WEIGHTS.by_captures(rules)];
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
        (score + TEMPO + noise).clamp(1 - WIN_BOUND, WIN_BOUND - 1)
    }

    fn for_dogs(&self, rules: &Rules, position: &Position) -> Score {
        let is_moving = position.dogs_in_hand() == 0;
        let w = if is_moving { &MOVE_WEIGHTS } else { &DROP_WEIGHTS };
        let (board, vacant, dogs) = (rules.board(), position.vacant(rules), position.dogs());
        let mut score = self.captured[usize::from(is_moving)][usize::from(position.captured())];
        score += w.hand * Score::from(position.dogs_in_hand());

        let mut hemmed = 0;
        let mut reached = PointSet::EMPTY;
        for leopard in position.leopards() {
            let steps = board.neighbours(leopard) & vacant;
            score += w.step * steps.len() as Score;
            score += w.leopard_degree * board.neighbours(leopard).len() as Score;
            hemmed += usize::from(steps.is_empty());
            reached |= steps;
        }
        let room = room(rules, reached, vacant);
        score += w.room * room.len() as Score + w.shelter * (vacant - room).len() as Score;
        score += entry_or_last(&w.hemmed, hemmed);

        for dog in dogs {
            let neighbours = board.neighbours(dog);
            score += w.mobility * (neighbours & vacant).len() as Score;
            score += w.dog_degree * neighbours.len() as Score;
        }
        let (mut exposed, mut half_exposed) = (0, 0);
        for line in board.jump_lines() {
            // Sums instead of branches: which lines hold a dog is as good as random.
            let is_over_dog = Score::from(dogs.meets(line.over));
            let guards = (dogs & line.ends).len();
            exposed += is_over_dog * Score::from(guards == 0);
            half_exposed += is_over_dog * Score::from(guards == 1);
        }
        score += w.exposed * exposed + w.half_exposed * half_exposed;
        if position.side_to_move() == Side::Dogs {
            score += entry_or_last(&w.threats, position.leap_count(rules) as usize);
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
