//! Wilson's interval.

use super::normal::Z95 as Z;

/// An interval of a score, both ends between 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The 95 % score interval for a share of `score` in `trials` (E. B. Wilson, "Probable inference, the law of
/// succession, and statistical inference", Journal of the American Statistical Association 22, 1927).
///
/// It is meant for wins and losses. A draw counts here as half a win, which makes the interval a little too
/// wide where draws are many, never too narrow: with the same mean, results of 0 and 1 vary the most. Without
/// any trial it is everything from 0 to 1.
pub fn wilson(score: f64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = trials as f64;
    let share = score / n;
    let z2 = Z * Z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At 0 and at `trials` the ends are 0 and 1 but for rounding.
    let low = if score <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if score >= n { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_interval(score: f64, trials: u64, low: f64, high: f64) {
        let interval = wilson(score, trials);
        let close = |a: f64, b: f64| (a - b).abs() < 5e-5;
        assert!(close(interval.low, low) && close(interval.high, high), "{score}/{trials}: {interval:?}");
    }

    /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
    /// (1998), table I, method 3.
    #[test]
    fn newcombes_examples() {
        assert_interval(81.0, 263, 0.2553, 0.3662);
        assert_interval(15.0, 148, 0.0624, 0.1605);
        assert_interval(0.0, 20, 0.0, 0.1611);
        assert_interval(1.0, 29, 0.0061, 0.1718);
    }

    #[test]
    fn the_extremes_stay_within_bounds() {
        assert_eq!(wilson(0.0, 0), Interval { low: 0.0, high: 1.0 });
        for n in [1, 2, 10, 1_000_000] {
            assert!(wilson(0.0, n).low.abs() < f64::EPSILON && wilson(0.0, n).high < 1.0);
            assert!((wilson(n as f64, n).high - 1.0).abs() < f64::EPSILON && wilson(n as f64, n).low > 0.0);
        }
    }
    /// The ends are the shares from which the score is just 97.5 % of the normal distribution away.
    #[test]
    fn statrs_agrees() {
        use statrs::distribution::{ContinuousCDF as _, Normal};
        let normal = Normal::standard();
        for (score, trials) in [(81.0, 263), (15.0, 148), (0.5, 7), (30.0, 60), (99.5, 100)] {
            let Interval { low, high } = wilson(score, trials);
            let n = trials as f64;
            let tail = |share: f64| normal.cdf((score / n - share) / (share * (1.0 - share) / n).sqrt());
            assert!(
                (tail(low) - 0.975).abs() < 1e-9 && (tail(high) - 0.025).abs() < 1e-9,
                "{score}/{trials}"
            );
        }
    }
}
