//! Levels: how a weakened engine plays.
//!
//! A level bounds what the engine sees, by a number of nodes for a move, and how well it chooses among the moves
//! it has scored: with probabilities that fall off exponentially with what a move gives away, as of a player who
//! errs by small amounts often and by large ones seldom. Both go over from hardly anything to nearly everything in
//! equal ratios from level to level (`results/levels` has the matches that hold this to be monotone).

mod play;

pub(super) use play::search;

use super::limits::Limits;
use super::score::{INFINITE, Score, WIN, WIN_BOUND, is_decided};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use std::fmt;

/// Nodes for a move at level 1, and how many times more each further level has.
const NODES: f64 = 20.0;
const NODES_RATIO: f64 = 1.55;
/// The temperature at level 1, as a score, and what part of it each further level keeps.
const TEMPERATURE: f64 = 300.0;
const TEMPERATURE_RATIO: f64 = 0.78;
/// From this level on a win on the spot is taken, and none is left to the opponent where that can be helped.
const CAREFUL: u8 = 5;
/// So many temperatures behind the best a move is not chosen once in a thousand times: its score need not be exact.
const MARGIN: f64 = 8.0;
/// Evaluations count for no more than this, and wins for more.
const MOST_EVAL: Score = 1_000;
/// What a won move counts for, and how much less with each ply that the win lies ahead.
const WON: Score = 2_000;
const PLY: Score = 5;

/// How strongly to play, from 0 (any legal move) to 20 (as well as the engine can).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// Full strength: nothing is weakened.
    pub const FULL: Self = Self(20);

    /// The level of this number; `None` past 20.
    pub const fn new(number: u8) -> Option<Self> {
        if number <= Self::FULL.0 { Some(Self(number)) } else { None }
    }

    /// Its number, from 0 to 20.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Steps above level 1.
    fn steps(self) -> i32 {
        i32::from(self.0) - 1
    }

    /// Nodes for a move.
    fn nodes(self) -> u64 {
        (NODES * NODES_RATIO.powi(self.steps())).max(1.0) as u64
    }

    /// By how much less a move may score for each factor e that it is chosen more seldom.
    fn temperature(self) -> f64 {
        if self.0 == 0 { f64::INFINITY } else { TEMPERATURE * TEMPERATURE_RATIO.powi(self.steps()) }
    }

    /// The limits of a search at this level: at full strength those given.
    pub(super) fn bound(self, limits: &Limits) -> Limits {
        let own = (self < Self::FULL).then(|| self.nodes());
        Limits { nodes: limits.nodes.into_iter().chain(own).min(), ..*limits }
    }

    /// The score up to which a move is as good as never chosen beside one of score `best`.
    fn floor(self, best: Score) -> Score {
        let least = worth(best) - (MARGIN * self.temperature()).min(f64::from(2 * WON)) as Score;
        if least > MOST_EVAL {
            WIN_BOUND - 1
        } else if least < -MOST_EVAL {
            -INFINITE
        } else {
            least
        }
    }

    /// Whether it takes a win on the spot and sees one of the opponent's.
    fn is_careful(self) -> bool {
        self.0 >= CAREFUL
    }

    /// Chooses one of several scores, at least one, at random: the better, the likelier.
    fn choose(self, scores: impl Iterator<Item = Score> + Clone, rng: &mut Xoshiro256PlusPlus) -> usize {
        let best = scores.clone().map(worth).max().unwrap_or(0);
        let weights = scores.map(|score| (f64::from(worth(score) - best) / self.temperature()).exp());
        let mut left = weights.clone().sum::<f64>() * rng.random::<f64>();
        weights
            .enumerate()
            .find_map(|(index, weight)| {
                left -= weight;
                (left < 0.0).then_some(index)
            })
            // Rounding may leave a trace behind the last.
            .unwrap_or(0)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::FULL
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A score for choosing: wins count for more than any evaluation and quick ones for most, but none for so much
/// that it is never passed over.
fn worth(score: Score) -> Score {
    if is_decided(score) {
        let plies = (WIN - score.abs()).min((WON - MOST_EVAL) / PLY);
        score.signum() * (WON - PLY * plies)
    } else {
        score.clamp(-MOST_EVAL, MOST_EVAL)
    }
}

#[cfg(test)]
mod tests {
    use super::super::score::{loss_in, win_in};
    use super::*;
    use rand::SeedableRng;

    fn level(number: u8) -> Level {
        Level::new(number).unwrap()
    }

    /// How often each of some scores is chosen in a thousand times.
    fn shares(number: u8, scores: &[Score]) -> Vec<u32> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut shares = vec![0; scores.len()];
        for _ in 0..1_000 {
            shares[level(number).choose(scores.iter().copied(), &mut rng)] += 1;
        }
        shares
    }

    #[test]
    fn each_level_sees_more_and_errs_less_than_the_one_below() {
        for number in 1..20 {
            let (lower, upper) = (level(number - 1), level(number));
            assert!(lower.nodes() < upper.nodes(), "{number}");
            assert!(lower.temperature() > upper.temperature(), "{number}");
        }
        // As the description of the protocol has them.
        let told = [0, 1, 3, 5, 7, 10, 13, 16, 19].map(level);
        assert_eq!(told.map(Level::nodes), [12, 20, 48, 115, 277, 1_032, 3_846, 14_322, 53_333]);
        let temperatures = told.map(|level| level.temperature().round());
        assert_eq!(temperatures[1..], [300.0, 183.0, 111.0, 68.0, 32.0, 15.0, 7.0, 3.0]);
        assert_eq!(Level::new(21), None);
        assert_eq!(Level::default(), level(20));
    }

    #[test]
    fn small_errors_are_likelier_than_large_ones() {
        let shares = shares(8, &[-120, 40, 0, 20, -300]);
        assert!(shares[1] > shares[3] && shares[3] > shares[2] && shares[2] > shares[0], "{shares:?}");
        assert!(shares[4] <= 2, "{shares:?}");
    }

    #[test]
    fn the_lowest_level_chooses_evenly_and_the_highest_hardly_errs() {
        let scores = [win_in(1), 0, loss_in(2), -500];
        assert!(shares(0, &scores).iter().all(|share| (200..300).contains(share)));
        assert_eq!(shares(19, &scores), [1_000, 0, 0, 0]);
    }

    #[test]
    fn wins_count_for_more_than_evaluations_and_quick_ones_for_more_than_slow_ones() {
        let order = [win_in(1), win_in(40), win_in(300), 5_000, 10, -10, -5_000, loss_in(300), loss_in(2)];
        assert!(order.is_sorted_by(|a, b| worth(*a) >= worth(*b)));
        assert!(worth(win_in(1)) > worth(win_in(40)) && worth(10) > worth(-10));
    }
}
