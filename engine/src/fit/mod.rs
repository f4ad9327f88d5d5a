//! Fits the evaluation to exact values.
//!
//! Samples are positions of games of a weak player and what a few random moves make of them, or what a search of
//! such positions evaluates, with their exact values from a table. The latter teach more, but need weights to search
//! by, which the former give. A network is fitted to them by stochastic gradient descent, in floating point, and rounded
//! to the whole numbers the search works with. The same samples, seed and settings give the same weights.

mod descent;
mod model;
mod samples;

pub use descent::{Epoch, FitError, FitOptions, fit};
pub use samples::{
    Sample, SampleFileError, SamplesOptions, Searches, make_samples, read_samples, write_sample,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Side, VariantSpec};
    use crate::tables::{SolveOptions, Table, solve};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    fn game() -> (Table, Vec<Arc<Rules>>) {
        let rules = |dogs| {
            let spec =
                VariantSpec { variant: Some("hat".into()), dogs: Some(dogs), ..VariantSpec::default() };
            Arc::new(spec.rules().unwrap())
        };
        let options = SolveOptions { threads: 1, memory: None, level: 1 };
        let rules = [4, 5, 6, 7].map(rules).to_vec();
        (solve(&rules[0], &options, &|_| {}, &AtomicBool::new(false)).unwrap(), rules)
    }

    fn samples(count: usize, workers: usize) -> Vec<Sample> {
        samples_by(count, workers, None)
    }

    fn samples_by(count: usize, workers: usize, searches: Option<Searches>) -> Vec<Sample> {
        let (table, rules) = game();
        let options = SamplesOptions { count, seed: 5, workers, searches };
        let mut samples = Vec::new();
        make_samples::<Box<dyn std::error::Error + Send + Sync>>(&table, &rules, &options, |sample| {
            samples.push(sample.clone());
            Ok(())
        })
        .unwrap();
        samples
    }

    fn text(samples: &[Sample]) -> String {
        let mut text = Vec::new();
        for sample in samples {
            write_sample(&mut text, sample).unwrap();
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn samples_are_exact_and_the_same_for_any_number_of_workers() {
        let (table, _) = game();
        for searches in [None, Some(Searches::new(2_000))] {
            let [alone, together] = [1, 3].map(|workers| samples_by(500, workers, searches.clone()));
            assert_eq!(alone.len(), 500);
            assert_eq!(text(&alone), text(&together));
            for sample in &alone {
                assert_eq!(table.probe(&sample.rules, &sample.position).unwrap(), Some(sample.value));
                assert_eq!(sample.position.outcome(&sample.rules), None);
            }
            let lines: std::collections::BTreeSet<&str> = text(&alone).leak().lines().collect();
            assert_eq!(lines.len(), 500, "a position comes once");
        }
    }

    #[test]
    fn other_weights_search_for_other_leaves() {
        let epochs = FitOptions { epochs: 1, seed: 1, workers: 2 };
        let weights = fit(&samples(500, 2), &[], &epochs, &mut |_| {}).unwrap();
        let searches = Searches::new(2_000);
        let by_others = searches.clone().with_weights(&weights).unwrap();
        assert_ne!(
            text(&samples_by(200, 2, Some(by_others))),
            text(&samples_by(200, 2, Some(searches.clone())))
        );
        assert!(searches.with_weights(&weights[1..]).is_none());
    }

    #[test]
    fn a_small_game_runs_out_of_samples() {
        let few = samples(1_000_000, 2).len();
        assert!((10_000..100_000).contains(&few), "{few} samples");
    }

    #[test]
    fn samples_are_read_as_they_were_written_and_bad_lines_are_named() {
        let written = text(&samples(100, 1));
        assert_eq!(text(&read_samples(written.as_bytes(), &[]).unwrap()), written);
        let cases = [
            ("hat10,1,7,4,draw", "5 fields, expected board,"),
            ("hat10,1,x,4,draw,L/3/3/3 d 7 0 0", "dogs x: expected a number"),
            ("hat10,1,7,4,cats 3,L/3/3/3 d 7 0 0", "value cats 3: expected a side"),
            ("nowhere,1,7,4,draw,L/3/3/3 d 7 0 0", "nowhere"),
            ("hat10,1,7,4,draw,L/3/3 d 7 0 0", "rows"),
        ];
        for (line, fault) in cases {
            let text = format!("hat10,1,7,4,dogs 13,L/3/3/3 d 7 0 0\n{line}\n");
            let error = read_samples(text.as_bytes(), &[]).unwrap_err().to_string();
            assert!(error.starts_with("line 2: ") && error.contains(fault), "{error} lacks {fault}");
        }
    }

    #[test]
    fn a_fit_improves_and_is_the_same_for_any_number_of_workers() {
        const EPOCHS: u32 = 40;
        let samples = samples(3_000, 2);
        let (fitted, test) = samples.split_at(2_500);
        let run = |workers| {
            let mut epochs = Vec::new();
            let options = FitOptions { epochs: EPOCHS, seed: 1, workers };
            let weights = fit(fitted, test, &options, &mut |epoch| epochs.push(*epoch)).unwrap();
            (weights, epochs)
        };
        let (alone, epochs) = run(1);
        assert_eq!(alone, run(3).0);
        assert_eq!(epochs.len(), 2 * EPOCHS as usize);
        for phase in epochs.chunks(EPOCHS as usize) {
            let (first, last) = (phase[0].test.unwrap().0, phase[phase.len() - 1].test.unwrap().0);
            assert!(last < 0.7 * first, "the loss of what was not fitted goes from {first} to {last}");
        }
        assert!(fit(&[], &[], &FitOptions { epochs: 1, seed: 1, workers: 1 }, &mut |_| {}).is_err());
    }

    #[test]
    fn the_weights_tell_who_wins_on_a_board_they_were_not_fitted_to() {
        let samples = samples(4_000, 2);
        let evaluator = crate::search::Evaluator::new(samples[0].rules.board());
        let mean = |winner: Option<Side>| {
            let of_outcome = samples.iter().filter(|sample| sample.value.winner() == winner);
            let scores: Vec<i32> = of_outcome
                .map(|sample| {
                    let score = evaluator.evaluate(&sample.rules, &sample.position);
                    if sample.position.side_to_move() == Side::Dogs { score } else { -score }
                })
                .collect();
            assert!(scores.len() > 100, "{} samples won by {winner:?}", scores.len());
            scores.iter().sum::<i32>() / scores.len() as i32
        };
        let (won, drawn, lost) = (mean(Some(Side::Dogs)), mean(None), mean(Some(Side::Leopards)));
        assert!(won > drawn + 50 && drawn > lost + 50, "won {won}, drawn {drawn}, lost {lost}");
    }

    #[test]
    fn whole_numbers_score_as_the_model_they_were_rounded_from() {
        let samples = samples(3_000, 2);
        let options = FitOptions { epochs: 4, seed: 1, workers: 2 };
        for (sample, model, rounded) in descent::scores_before_and_after_rounding(&samples, &options) {
            assert!((model - rounded).abs() < 0.2, "{sample:?}: {model} and {rounded}");
        }
    }
}
