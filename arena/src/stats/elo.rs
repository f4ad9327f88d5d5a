//! Differences in strength, from pairs.

use super::normal::{Z95, cdf};
use super::pairs::Pairs;
use super::wilson::wilson;

/// A difference and its 95 % interval, as far as each is bounded: an end that is `None` is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate; `None` where the results set it no bound (all won, all lost), or where it has no meaning.
    pub value: Option<f64>,
    /// The lower end; `None` is minus infinity.
    pub low: Option<f64>,
    /// The upper end; `None` is infinity.
    pub high: Option<f64>,
}

/// What pairs say about the difference between two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// In Elo: the logistic scale, on which a score of 10 to 1 is 400 (A. E. Elo, "The Rating of
    /// Chessplayers", 1978).
    pub elo: Estimate,
    /// In normalized Elo: the score above ½ in standard deviations of one game, times 800/ln 10. It says how
    /// many games show the difference, whatever the share of draws (M. Van den Bergh, "Normalized Elo", 2021).
    pub normalized: Estimate,
    /// Likelihood of superiority: how likely the player is the better one.
    pub superiority: f64,
    /// Why a number is missing or was worked out otherwise, where that is so.
    pub note: Option<&'static str>,
}

/// Normalized Elo of a score one standard deviation above ½.
pub(super) const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo of a share of the points; `None` at 0 and 1.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// The share of the points that a difference in Elo gives.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference that pairs show; `None` before the first pair.
///
/// The interval of Elo is that of the mean score, by the normal approximation with the variance between pairs,
/// put on the scale of Elo. Where no two pairs differ there is no variance to go by: then the interval is
/// Wilson's, for as many trials as there are pairs, which is wider than it must be. Superiority is the normal
/// distribution's too; where all pairs were won it is that of a uniform prior, `1 − ½^(pairs + 1)`.
pub fn strength(pairs: &Pairs) -> Option<Strength> {
    let (mean, variance) = pairs.moments()?;
    let n = pairs.count() as f64;
    if variance > 0.0 {
        let error = (variance / n).sqrt();
        let ends = [mean - Z95 * error, mean + Z95 * error].map(elo_of_score);
        // A pair has the variance of half a game, as it is the mean of two.
        let deviation = (2.0 * variance).sqrt();
        let normalized = |score: f64| Some((score - 0.5) / deviation * NORMALIZED_UNIT);
        return Some(Strength {
            elo: Estimate { value: elo_of_score(mean), low: ends[0], high: ends[1] },
            normalized: Estimate {
                value: normalized(mean),
                low: normalized(mean - Z95 * error),
                high: normalized(mean + Z95 * error),
            },
            superiority: cdf((mean - 0.5) / error),
            note: ends.contains(&None).then_some("few pairs: the interval has an open end"),
        });
    }
    let interval = wilson(mean * n, pairs.count());
    let open = Estimate { value: None, low: None, high: None };
    let tail = 0.5f64.powf(n + 1.0);
    let (superiority, note) = if mean >= 1.0 {
        (1.0 - tail, "every game won: the difference has no upper bound")
    } else if mean <= 0.0 {
        (tail, "every game lost: the difference has no lower bound")
    } else {
        (if mean > 0.5 { 1.0 - tail } else { 0.5 }, "all pairs alike: Wilson's interval, over pairs")
    };
    let superiority = if mean > 0.0 && mean < 0.5 { tail } else { superiority };
    let even = (mean - 0.5).abs() < f64::EPSILON;
    Some(Strength {
        elo: Estimate {
            value: elo_of_score(mean),
            low: elo_of_score(interval.low),
            high: elo_of_score(interval.high),
        },
        normalized: Estimate { value: even.then_some(0.0), ..open },
        superiority,
        note: Some(note),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: Option<f64>, expected: f64) {
        let value = value.unwrap();
        assert!((value - expected).abs() <= 0.01 * expected.abs().max(0.5), "{value}, expected {expected}");
    }

    /// The vectors of fastchess's own tests (`elo_test.cpp`): differences and the half widths of the intervals.
    #[test]
    fn fastchess_agrees() {
        let cases = [
            ([34, 54, 63, 64, 75], [55.58, 27.65, 57.94, 28.28], 1.0),
            ([332, 433, 498, 333, 334], [-8.64, 10.33, -9.17, 10.96], 0.0505),
            ([7895, 8757, 5685, 568, 9999], [-21.04, 2.95, -19.01, 2.65], 0.0),
        ];
        for (counts, [elo, error, normalized, normalized_error], superiority) in cases {
            let strength = strength(&Pairs(counts)).unwrap();
            let half_width = |e: Estimate| Some((e.high.unwrap() - e.low.unwrap()) / 2.0);
            assert_close(strength.elo.value, elo);
            assert_close(half_width(strength.elo), error);
            assert_close(strength.normalized.value, normalized);
            assert_close(half_width(strength.normalized), normalized_error);
            assert!((strength.superiority - superiority).abs() < 1e-4, "{}", strength.superiority);
        }
    }

    #[test]
    fn scores_and_elo_are_inverse() {
        for elo in [-800.0, -3.0, 0.0, 190.8, 1000.0] {
            assert!((elo_of_score(score_of_elo(elo)).unwrap() - elo).abs() < 1e-9);
        }
        assert!((score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!((elo_of_score(0.0), elo_of_score(1.0)), (None, None));
        // No minus before an even score.
        assert_eq!(elo_of_score(0.5).map(f64::to_bits), Some(0));
    }

    #[test]
    fn extremes_are_bounded_and_explained() {
        assert_eq!(strength(&Pairs::default()), None);
        for n in [1, 2, 50, 100_000] {
            let won = strength(&Pairs([0, 0, 0, 0, n])).unwrap();
            assert_eq!((won.elo.value, won.elo.high), (None, None));
            assert!(won.elo.low.unwrap().is_finite() && won.superiority > 0.5 && won.superiority <= 1.0);
            assert!(won.note.unwrap().starts_with("every game won"));
            let lost = strength(&Pairs([n, 0, 0, 0, 0])).unwrap();
            assert!((lost.elo.high.unwrap() + won.elo.low.unwrap()).abs() < 1e-6);
            assert!((lost.superiority + won.superiority - 1.0).abs() < 1e-12);
            let drawn = strength(&Pairs([0, 0, n, 0, 0])).unwrap();
            assert_close(drawn.elo.value, 0.0);
            assert!(drawn.elo.low.unwrap() < 0.0 && drawn.elo.high.unwrap() > 0.0);
            assert_eq!((drawn.normalized.value, drawn.superiority), (Some(0.0), 0.5));
        }
    }

    /// Whatever the counts: every number is finite, and the other player sees the mirror image.
    #[test]
    fn nothing_is_ever_infinite() {
        for code in 1..3usize.pow(5) {
            let digit = |i: u32| [0, 1, 40][code / 3usize.pow(i) % 3];
            let pairs = Pairs([digit(0), digit(1), digit(2), digit(3), digit(4)]);
            let (own, other) = (strength(&pairs).unwrap(), strength(&pairs.reversed()).unwrap());
            for estimate in [own.elo, own.normalized] {
                let numbers = [estimate.low, estimate.value, estimate.high];
                assert!(numbers.iter().flatten().all(|number| number.is_finite()), "{pairs:?}");
                assert!(numbers.iter().flatten().is_sorted_by(|a, b| a <= b), "{pairs:?} {numbers:?}");
            }
            assert!((0.0..=1.0).contains(&own.superiority), "{pairs:?}");
            assert!((own.superiority + other.superiority - 1.0).abs() < 1e-9, "{pairs:?}");
            let mirrored = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a + b).abs() < 1e-6,
                (a, b) => a.is_none() && b.is_none(),
            };
            assert!(mirrored(own.elo.value, other.elo.value) && mirrored(own.elo.low, other.elo.high));
        }
    }
    /// Superiority is the normal distribution's where pairs differ, and of a uniform prior where all were won.
    #[test]
    fn statrs_agrees() {
        use statrs::distribution::{Beta, ContinuousCDF as _, Normal};
        for counts in [[34, 54, 63, 64, 75], [3, 0, 5, 1, 2], [1, 1, 1, 1, 2]] {
            let pairs = Pairs(counts);
            let (mean, variance) = pairs.moments().unwrap();
            let error = (variance / pairs.count() as f64).sqrt();
            let expected = 1.0 - Normal::new(mean, error).unwrap().cdf(0.5);
            assert!((strength(&pairs).unwrap().superiority - expected).abs() < 1e-9, "{counts:?}");
        }
        for n in [1, 2, 9] {
            let posterior = Beta::new(n as f64 + 1.0, 1.0).unwrap();
            let superiority = strength(&Pairs([0, 0, 0, 0, n])).unwrap().superiority;
            assert!((superiority - (1.0 - posterior.cdf(0.5))).abs() < 1e-9, "{n}");
        }
    }
}
