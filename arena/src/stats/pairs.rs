//! Pairs of games: an opening played twice, with the sides swapped.

use std::ops::AddAssign;

/// What a player scored in pairs: how often 0, ½, 1, 1½ and 2 points.
///
/// The two games of a pair share an opening that may favour one side, so they are not independent; pairs are.
/// Everything that needs a variance is worked out from these five counts (the pentanomial model; M. Van den
/// Bergh, "A practical introduction to the GSPRT", 2020).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs(pub [u64; 5]);

/// Points a game in a pair, for each of the five counts.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pairs {
    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Adds a pair by the points in half points: 0 to 4.
    pub fn add_half_points(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// The same pairs seen from the other player.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.0;
        counts.reverse();
        Self(counts)
    }

    /// Each score and its share; `None` before the first pair.
    pub(super) fn shares(&self) -> Option<[(f64, f64); 5]> {
        let count = self.count() as f64;
        (count > 0.0).then(|| std::array::from_fn(|i| (SCORES[i], self.0[i] as f64 / count)))
    }

    /// Mean and variance of the score of a pair, in points a game; `None` before the first pair.
    pub fn moments(&self) -> Option<(f64, f64)> {
        self.shares().map(|shares| moments(&shares))
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Self) {
        for (own, others) in self.0.iter_mut().zip(other.0) {
            *own += others;
        }
    }
}

/// Mean and variance of values with probabilities.
pub(super) fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|(value, share)| value * share).sum();
    let variance = distribution.iter().map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}
