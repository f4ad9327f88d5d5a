//! Stochastic gradient descent (D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015).

use super::model::{Gradient, Inputs, Loss, Model};
use super::samples::Sample;
use crate::search::{EvalLayout, ROW_UNIT, ROW_WIDTH, UPPER_SIZE, UPPER_UNIT};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Samples of one step.
const BATCH: usize = 1024;
/// Parts of a batch whose gradients are worked out apart and added in order, so that the number of workers
/// changes nothing.
const PARTS: usize = 4;
/// One of so many samples is held out.
const HELD_OUT: usize = 20;
const RATE: f64 = 0.002;
const DECAY: [f32; 2] = [0.9, 0.999];
const TINY: f32 = 1e-8;

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// How often each sample is seen.
    pub epochs: u32,
    /// Seed of the first weights and of the order of samples.
    pub seed: u64,
    /// Threads; changes nothing in what comes out.
    pub workers: usize,
}

/// How well the weights fit after an epoch: means over the samples of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Whether it is the movement phase.
    pub is_movement: bool,
    /// Number of the epoch, from 1.
    pub number: u32,
    /// Logarithmic loss of what was fitted, all steps by their weights.
    pub fitted: f64,
    /// The same of the samples held out.
    pub held_out: f64,
    /// The same of the samples to test with, and the share of these whose winner the score tells; `None`
    /// without such samples.
    pub test: Option<(f64, f64)>,
    /// Share of the samples held out whose winner the score tells.
    pub held_out_right: f64,
}

/// What cannot be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum FitError {
    #[error("no samples of the {0} phase")]
    NoSamples(&'static str),
}

/// Fits the weights of both phases to samples and gives them as the bytes of a weights file; `tell` is told
/// how each epoch went.
///
/// # Errors
/// A phase has no samples.
pub fn fit(
    samples: &[Sample],
    test: &[Sample],
    options: &FitOptions,
    tell: &mut dyn FnMut(&Epoch),
) -> Result<Vec<u8>, FitError> {
    let layout = EvalLayout::new();
    let mut bytes = Vec::new();
    for is_movement in [false, true] {
        let is_of_phase = |sample: &&Sample| (sample.position.dogs_in_hand() == 0) == is_movement;
        let mut sets = Sets::default();
        for (i, sample) in samples.iter().filter(is_of_phase).enumerate() {
            if i % HELD_OUT == 0 { &mut sets.held_out } else { &mut sets.fitted }.add(&layout, sample);
        }
        test.iter().filter(is_of_phase).for_each(|sample| sets.test.add(&layout, sample));
        if sets.fitted.samples.is_empty() {
            return Err(FitError::NoSamples(if is_movement { "movement" } else { "drop" }));
        }
        let weights = Descent::new(&layout, options).run(&sets, options, is_movement, tell);
        for weight in round(&layout, &weights) {
            bytes.extend(weight.to_le_bytes());
        }
    }
    Ok(bytes)
}

/// The whole numbers of the weights file.
fn round(layout: &EvalLayout, weights: &[f32]) -> Vec<i16> {
    let rows = layout.row_count() * ROW_WIDTH;
    let to_whole = |(i, &weight): (usize, &f32)| {
        let unit = if i < rows { ROW_UNIT } else { UPPER_UNIT };
        (weight * unit as f32).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
    };
    weights.iter().enumerate().map(to_whole).collect()
}

/// The samples of a phase by what they are for.
#[derive(Default)]
struct Sets {
    fitted: Inputs,
    held_out: Inputs,
    test: Inputs,
}

/// The state of a descent.
struct Descent {
    weights: Vec<f32>,
    /// Running means of the gradient and of its square.
    means: Vec<[f32; 2]>,
    steps: i32,
    row_count: usize,
    rng: Xoshiro256PlusPlus,
}

impl Descent {
    fn new(layout: &EvalLayout, options: &FitOptions) -> Self {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let row_count = layout.row_count();
        let rows = row_count * ROW_WIDTH;
        let size = rows + 2 * UPPER_SIZE;
        let stars = layout.stars();
        let weights: Vec<f32> = (0..size)
            .map(|i| match stars.get(i / ROW_WIDTH) {
                // A star that no sample shows is to weigh what its parts do.
                Some(true) => 0.0,
                Some(false) => rng.random_range(-0.02..0.02),
                None => rng.random_range(-0.3..0.3),
            })
            .collect();
        Self { means: vec![[0.0; 2]; weights.len()], weights, steps: 0, row_count, rng }
    }

    fn run(
        mut self,
        Sets { fitted, held_out, test }: &Sets,
        options: &FitOptions,
        is_movement: bool,
        tell: &mut dyn FnMut(&Epoch),
    ) -> Vec<f32> {
        let mut order: Vec<u32> = (0..fitted.samples.len() as u32).collect();
        let batches = order.len().div_ceil(BATCH);
        let total = f64::from(options.epochs) * batches as f64;
        for number in 1..=options.epochs {
            for i in (1..order.len()).rev() {
                order.swap(i, self.rng.random_range(0..=i));
            }
            let mut loss = Loss::default();
            for (i, batch) in order.chunks(BATCH).enumerate() {
                let gradient = self.gradient(fitted, batch, options.workers, true);
                loss.add(&gradient.loss);
                let done = (f64::from(number - 1) * batches as f64 + i as f64) / total;
                // Falls from the full rate to nothing along half a wave of the cosine.
                let rate = RATE * 0.5 * (1.0 + (std::f64::consts::PI * done).cos());
                self.step(&fitted.sums.parts, &gradient, batch.len(), rate);
            }
            let held_out = self.loss(held_out, options.workers);
            let test = self.loss(test, options.workers);
            tell(&Epoch {
                is_movement,
                number,
                fitted: loss.mean(),
                held_out: held_out.mean(),
                held_out_right: held_out.right_share(),
                test: (test.count > 0).then(|| (test.mean(), test.right_share())),
            });
        }
        self.weights
    }

    /// The loss of all samples of a set.
    fn loss(&self, inputs: &Inputs, workers: usize) -> Loss {
        let order: Vec<u32> = (0..inputs.samples.len() as u32).collect();
        let mut loss = Loss::default();
        for batch in order.chunks(BATCH) {
            loss.add(&self.gradient(inputs, batch, workers, false).loss);
        }
        loss
    }

    /// Loss and, if asked for, gradient of a batch.
    fn gradient(&self, inputs: &Inputs, batch: &[u32], workers: usize, with_gradient: bool) -> Gradient {
        let (rows, upper) = self.weights.split_at(self.row_count * ROW_WIDTH);
        let model = Model::new(rows, inputs, upper);
        let parts: Vec<&[u32]> = batch.chunks(batch.len().div_ceil(PARTS).max(1)).collect();
        let done: Vec<Mutex<Option<Gradient>>> = parts.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = parts.get(number) else { break };
                let mut gradient = Gradient::new(model.sums.len());
                for &i in *part {
                    model.learn(inputs, &inputs.samples[i as usize], &mut gradient, with_gradient);
                }
                if let Ok(mut slot) = done[number].lock() {
                    *slot = Some(gradient);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let mut total = Gradient::new(model.sums.len());
        for gradient in done.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()) {
            total.loss.add(&gradient.loss);
            for (sum, x) in total.sums.iter_mut().flatten().zip(gradient.sums.iter().flatten()) {
                *sum += x;
            }
            for (sum, x) in total.upper.iter_mut().zip(&gradient.upper) {
                *sum += x;
            }
        }
        total
    }

    /// One step down the gradient of so many samples.
    fn step(&mut self, parts: &[Vec<usize>], gradient: &Gradient, samples: usize, rate: f64) {
        let rows = self.row_count * ROW_WIDTH;
        let mut slopes = vec![0.0f32; self.weights.len()];
        for (parts, slope) in parts.iter().zip(&gradient.sums) {
            for &part in parts {
                for (sum, x) in slopes[part * ROW_WIDTH..][..ROW_WIDTH].iter_mut().zip(slope) {
                    *sum += x;
                }
            }
        }
        slopes[rows..].copy_from_slice(&gradient.upper);
        self.steps += 1;
        let corrections = DECAY.map(|decay| 1.0 - f64::from(decay).powi(self.steps));
        let rate = (rate / corrections[0]) as f32;
        let scale = 1.0 / corrections[1].sqrt() as f32;
        for ((weight, means), slope) in self.weights.iter_mut().zip(&mut self.means).zip(slopes) {
            let slope = slope / samples as f32;
            means[0] = DECAY[0] * means[0] + (1.0 - DECAY[0]) * slope;
            means[1] = DECAY[1] * means[1] + (1.0 - DECAY[1]) * slope * slope;
            *weight -= rate * means[0] / (means[1].sqrt() * scale + TINY);
        }
    }
}

/// Fits the drop phase and gives samples of it with the scores of the model and of the rounded weights, in units
/// of the model.
#[cfg(test)]
pub(super) fn scores_before_and_after_rounding<'a>(
    samples: &'a [Sample],
    options: &FitOptions,
) -> Vec<(&'a Sample, f64, f64)> {
    use crate::search::{BoardNetwork, Network, SCORE_UNIT, Weights};
    let layout = EvalLayout::new();
    let mut sets = Sets::default();
    let samples: Vec<&Sample> = samples.iter().filter(|s| s.position.dogs_in_hand() > 0).collect();
    for sample in &samples {
        sets.fitted.add(&layout, sample);
    }
    let weights = Descent::new(&layout, options).run(&sets, options, false, &mut |_| {});
    let rounded = round(&layout, &weights);
    let bytes: Vec<u8> = rounded.iter().chain(&rounded).flat_map(|weight| weight.to_le_bytes()).collect();
    let whole = Weights::from_bytes(&bytes).expect("of the layout");
    let network = BoardNetwork::new(&std::sync::Arc::new(Network::new(&whole)), samples[0].rules.board());
    let (rows, upper) = weights.split_at(layout.row_count() * ROW_WIDTH);
    let model = Model::new(rows, &sets.fitted, upper);
    let scores = samples.iter().zip(&sets.fitted.samples).map(|(&sample, input)| {
        let rounded = f64::from(network.score(&sample.rules, &sample.position)) / f64::from(SCORE_UNIT);
        (sample, f64::from(model.score(&sets.fitted, input).score), rounded)
    });
    scores.collect()
}
