//! A sequential test of two hypotheses about the difference between two players.

use super::elo::{NORMALIZED_UNIT, score_of_elo};
use super::pairs::{Pairs, moments};
use std::fmt;
use std::str::FromStr;

/// On which scale the bounds of a test are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Elo: what the score says.
    Logistic,
    /// Normalized Elo: what the number of games that show it says. Tests take equally long whatever the share
    /// of draws.
    #[default]
    Normalized,
}

/// A test whether a difference is `elo0` or `elo1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
    /// More games are needed.
    Open,
}

/// What a test cannot be.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SprtError {
    #[error("bounds {0} and {1}: expected two numbers from -1000 to 1000, the lower first")]
    Bounds(f64, f64),
    #[error("alpha {0} and beta {1}: expected numbers above 0 and below 0.5")]
    Errors(f64, f64),
}

/// The weight of an outcome that was not seen, so that it is not held for impossible.
const UNSEEN: f64 = 1e-3;
/// The most a bound may be.
const MAX_ELO: f64 = 1000.0;

impl Sprt {
    /// A test with the bounds `elo0` below `elo1`; `alpha` is how often it may take H1 where H0 holds, `beta`
    /// how often H0 where H1 holds.
    ///
    /// # Errors
    /// There is no such test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        let limit = -MAX_ELO..=MAX_ELO;
        if !(elo0 < elo1 && limit.contains(&elo0) && limit.contains(&elo1)) {
            return Err(SprtError::Bounds(elo0, elo1));
        }
        if ![alpha, beta].iter().all(|&p| p > 0.0 && p < 0.5) {
            return Err(SprtError::Errors(alpha, beta));
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// The log-likelihood ratios at which H0 and H1 are taken (A. Wald, "Sequential tests of statistical
    /// hypotheses", Annals of Mathematical Statistics 16, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0: above 0 where the games speak for H1. 0 before the first pair.
    ///
    /// That of the generalized test: each hypothesis is taken at the distribution of pairs that is likeliest
    /// under it (M. Van den Bergh, "A practical introduction to the GSPRT", and "Comments on normalized Elo",
    /// section 4, both 2020).
    pub fn log_likelihood_ratio(&self, pairs: &Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let weights = pairs.0.map(|count| (count as f64).max(UNSEEN));
        let total: f64 = weights.iter().sum();
        let seen: [(f64, f64); 5] = std::array::from_fn(|i| (i as f64 / 4.0, weights[i] / total));
        let [h0, h1] = [self.elo0, self.elo1].map(|elo| match self.model {
            EloModel::Logistic => likeliest_with_mean(&seen, score_of_elo(elo)),
            // The mean of two games has the deviation of one divided by √2.
            EloModel::Normalized => likeliest_with_ratio(&seen, elo / NORMALIZED_UNIT * 2f64.sqrt()),
        });
        let ratio = (0..5).map(|i| seen[i].1 * (h1[i] / h0[i]).ln()).sum::<f64>();
        total * ratio
    }

    /// What the test has come to.
    pub fn verdict(&self, pairs: &Pairs) -> Verdict {
        let (low, high) = self.bounds();
        match self.log_likelihood_ratio(pairs) {
            ratio if ratio >= high => Verdict::H1,
            ratio if ratio <= low => Verdict::H0,
            _ => Verdict::Open,
        }
    }
}

/// As a person would say it: `normalized Elo 0 or 5 (alpha 0.05, beta 0.05)`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        write!(f, "{model} Elo {elo0} or {elo1} (alpha {alpha}, beta {beta})")
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for EloModel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalized" => Ok(Self::Normalized),
            _ => Err(format!("\"{text}\": expected normalized or logistic")),
        }
    }
}

/// The probabilities with this mean under which what was seen is likeliest: `p / (1 + x (value − mean))` with
/// the `x` that makes them sum to 1 (proposition 1.1 of the GSPRT paper).
fn likeliest_with_mean(seen: &[(f64, f64); 5], mean: f64) -> [f64; 5] {
    let (least, most) = seen
        .iter()
        .fold((f64::MAX, f64::MIN), |(a, b), &(value, _)| (a.min(value - mean), b.max(value - mean)));
    // Between the poles the sum falls from infinity to minus infinity.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let sum = |x: f64| -> f64 {
        seen.iter().map(|(value, share)| share * (value - mean) / (1.0 + x * (value - mean))).sum()
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if sum(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = f64::midpoint(low, high);
    seen.map(|(value, share)| share / (1.0 + x * (value - mean)))
}

/// The probabilities under which what was seen is likeliest, among those whose mean lies `ratio` standard
/// deviations above ½ (section 4.1 of the comments on normalized Elo: an iteration that linearises the ratio).
fn likeliest_with_ratio(seen: &[(f64, f64); 5], ratio: f64) -> [f64; 5] {
    let mut likeliest = [0.2; 5];
    for _ in 0..30 {
        let distribution: [(f64, f64); 5] = std::array::from_fn(|i| (seen[i].0, likeliest[i]));
        let (mean, variance) = moments(&distribution);
        let deviation = variance.sqrt();
        let linear = seen.map(|(value, share)| {
            let from_mean = (mean - value) / deviation;
            (value - 0.5 - 0.5 * ratio * deviation * (1.0 + from_mean * from_mean), share)
        });
        // Where the linear problem has no solution, as with bounds far off, the deviation is taken as seen.
        let has_both_signs =
            linear.iter().any(|(value, _)| *value > 0.0) && linear.iter().any(|(value, _)| *value < 0.0);
        if !has_both_signs {
            let deviation = moments(seen).1.sqrt();
            return likeliest_with_mean(seen, (0.5 + ratio * deviation).clamp(0.001, 0.999));
        }
        let next = likeliest_with_mean(&linear, 0.0);
        let change = next.iter().zip(&likeliest).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        likeliest = next;
        if change < 1e-10 {
            break;
        }
    }
    likeliest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(counts: [u64; 5], elo0: f64, elo1: f64, model: EloModel) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().log_likelihood_ratio(&Pairs(counts))
    }

    /// The vectors of fastchess's own tests (`sprt_test.cpp`), which come from Fishtest.
    #[test]
    fn fastchess_agrees() {
        use EloModel::{Logistic, Normalized};
        let cases = [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, Normalized, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, Normalized, 3.01),
            ([223, 9863, 21279, 10037, 246], 0.5, 2.5, Logistic, -3.07),
            ([871, 26175, 55983, 26678, 821], 0.0, 2.0, Logistic, -4.98),
        ];
        for (counts, elo0, elo1, model, expected) in cases {
            let ratio = ratio(counts, elo0, elo1, model);
            assert!((ratio - expected).abs() < 0.01 * f64::abs(expected) + 0.005, "{ratio}, not {expected}");
        }
    }

    /// Where every game was won, the likeliest distribution has all the rest on lost pairs, and with the share
    /// `p` of won ones mean and deviation are `p` and `√(p(1−p))`: the ratio is `n ln(p/½)`.
    #[test]
    fn all_won_is_as_worked_out_by_hand() {
        let t = 5.0 / NORMALIZED_UNIT * 2f64.sqrt();
        let p = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
        let expected = 104.0 * (2.0 * p).ln();
        let ratio = ratio([0, 0, 0, 0, 104], 0.0, 5.0, EloModel::Normalized);
        assert!((ratio - expected).abs() < 0.01, "{ratio}, expected {expected}");
    }

    #[test]
    fn bounds_are_walds() {
        let (low, high) = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalized).unwrap().bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3);
    }

    #[test]
    fn the_ratio_is_always_finite_and_leans_the_right_way() {
        for model in [EloModel::Logistic, EloModel::Normalized] {
            assert_eq!(ratio([0; 5], 0.0, 5.0, model).to_bits(), 0f64.to_bits());
            for n in [1, 10, 1_000_000] {
                assert!(ratio([0, 0, 0, 0, n], 0.0, 5.0, model) > 0.0);
                assert!(ratio([n, 0, 0, 0, 0], 0.0, 5.0, model) < 0.0);
                assert!(ratio([0, 0, n, 0, 0], 0.0, 5.0, model) < 0.0);
                assert!(ratio([0, 0, n, 0, 0], -5.0, 5.0, model).abs() < 1e-3 * n as f64);
                for counts in [[n, 0, 0, 0, n], [0, n, 0, 0, 0], [0, 0, 1, n, 0], [1, 0, 0, 0, n], [n; 5]] {
                    for (elo0, elo1) in [(0.0, 5.0), (-1000.0, 1000.0), (-1000.0, -999.0), (999.0, 1000.0)] {
                        let ratio = ratio(counts, elo0, elo1, model);
                        assert!(ratio.is_finite(), "{counts:?} {elo0} {elo1} {model}: {ratio}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_test_that_makes_no_sense_is_refused() {
        for (elo0, elo1, alpha, beta) in [
            (5.0, 5.0, 0.05, 0.05),
            (5.0, 0.0, 0.05, 0.05),
            (f64::NAN, 5.0, 0.05, 0.05),
            (0.0, f64::INFINITY, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.05, 0.5),
            (0.0, 5.0, 0.05, f64::NAN),
        ] {
            assert!(Sprt::new(elo0, elo1, alpha, beta, EloModel::Normalized).is_err());
        }
    }
}
