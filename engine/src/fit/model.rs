//! The network in floating point: scores, and how they change with each weight.

use crate::game::{Board, Side};
use crate::search::{Counts, EvalLayout, Patterns, ROW_WIDTH, SECOND_WIDTH, Shape, UPPER_SIZE};
use fxhash::FxHashMap;

use super::samples::Sample;

const WIDTH: usize = ROW_WIDTH;
const SECOND: usize = SECOND_WIDTH;

/// A row of the first layer.
pub(super) type Row = [f32; WIDTH];

/// The sums of rows that patterns and counts call for, each once.
#[derive(Default)]
pub(super) struct Sums {
    /// The rows of each sum, a row as often as it counts.
    pub(super) parts: Vec<Vec<usize>>,
    known: FxHashMap<Vec<usize>, u16>,
    /// By shape, the sum of each number.
    shapes: FxHashMap<Shape, Vec<u16>>,
}

impl Sums {
    fn number(&mut self, parts: Vec<usize>) -> u16 {
        let next = self.parts.len() as u16;
        *self.known.entry(parts).or_insert_with_key(|parts| {
            self.parts.push(parts.clone());
            next
        })
    }

    /// The sum of each number of a shape.
    fn of_shape(&mut self, layout: &EvalLayout, shape: Shape) -> &[u16] {
        if !self.shapes.contains_key(&shape) {
            let mut sums = vec![0; shape.size()];
            for (number, filling) in shape.fillings() {
                sums[number] = self.number(layout.pattern_rows(shape, &filling));
            }
            self.shapes.insert(shape, sums);
        }
        &self.shapes[&shape]
    }
}

/// A sample as the model sees it.
pub(super) struct Input {
    /// The sums that make up its first layer: from here on in [`Inputs::sums`], so many.
    first: u32,
    count: u32,
    side: u8,
    /// Which of the steps of [`STEPS`] its value lies beyond, a bit each.
    beyond: u8,
}

/// The samples of one phase.
#[derive(Default)]
pub(super) struct Inputs {
    pub(super) sums: Sums,
    numbers: Vec<u16>,
    pub(super) samples: Vec<Input>,
    patterns: FxHashMap<String, Patterns>,
}

impl Inputs {
    pub(super) fn add(&mut self, layout: &EvalLayout, sample: &Sample) {
        let Sample { rules, position, value } = sample;
        let board: &Board = rules.board();
        if !self.patterns.contains_key(board.name()) {
            self.patterns.insert(board.name().to_owned(), Patterns::new(board));
        }
        let patterns = &self.patterns[board.name()];
        let first = self.numbers.len() as u32;
        let standings = patterns.standings(rules, position);
        let numbers = patterns.numbers(&standings);
        for (&shape, number) in patterns.shapes().iter().zip(numbers) {
            let sum = self.sums.of_shape(layout, shape)[usize::from(number)];
            self.numbers.push(sum);
        }
        let side = position.side_to_move();
        for feature in Counts::of(rules, position).features(side) {
            let sum = self.sums.number(layout.count_row(feature).into_iter().collect());
            self.numbers.push(sum);
        }
        let merit = value.merit(Side::Dogs);
        let beyond =
            STEPS.iter().enumerate().fold(0, |bits, (i, step)| bits | u8::from(merit > step.merit) << i);
        let count = self.numbers.len() as u32 - first;
        self.samples.push(Input { first, count, side: side.index() as u8, beyond });
    }

    fn sums_of(&self, input: &Input) -> &[u16] {
        &self.numbers[input.first as usize..][..input.count as usize]
    }
}

/// A step of the scale from a quick loss of the Dogs to a quick win.
struct Step {
    /// Values of more merit for the Dogs lie beyond it.
    merit: i32,
    /// The score at which a value is as likely beyond it as not.
    score: f32,
    /// How much it counts.
    weight: f32,
}

const MOST: i32 = u16::MAX as i32 + 1;

/// The two steps that tell who wins count most; those among the wins make a score rise on the way to the end.
const STEPS: [Step; 6] = [
    Step { merit: -(MOST - 12) - 1, score: -9.0, weight: 0.2 },
    Step { merit: -(MOST - 30) - 1, score: -7.0, weight: 0.2 },
    Step { merit: -1, score: -4.0, weight: 1.0 },
    Step { merit: 0, score: 4.0, weight: 1.0 },
    Step { merit: MOST - 40, score: 7.0, weight: 0.2 },
    Step { merit: MOST - 16, score: 9.0, weight: 0.2 },
];
const LEOPARDS_LOSE: usize = 2;
const DOGS_WIN: usize = 3;

/// What a batch of samples came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loss {
    /// Sum of the weighted logarithmic losses.
    pub(super) weighted: f64,
    /// Samples whose winner the score tells rightly.
    pub(super) right: u64,
    /// Samples.
    pub(super) count: u64,
}

impl Loss {
    pub(super) fn add(&mut self, other: &Self) {
        self.weighted += other.weighted;
        self.right += other.right;
        self.count += other.count;
    }

    /// The mean loss of a sample.
    pub(super) fn mean(&self) -> f64 {
        self.weighted / self.count.max(1) as f64
    }

    /// The share of samples whose winner the score tells.
    pub(super) fn right_share(&self) -> f64 {
        self.right as f64 / self.count.max(1) as f64
    }
}

/// The weights, the rows summed up as the samples call for them.
pub(super) struct Model<'a> {
    /// The sums of rows, worked out.
    pub(super) sums: Vec<Row>,
    /// The layers above, of either side.
    pub(super) upper: &'a [f32],
}

/// How the loss of some samples changes with each sum and each weight above.
pub(super) struct Gradient {
    pub(super) sums: Vec<Row>,
    pub(super) upper: Vec<f32>,
    pub(super) loss: Loss,
}

impl Gradient {
    pub(super) fn new(sum_count: usize) -> Self {
        Self { sums: vec![[0.0; WIDTH]; sum_count], upper: vec![0.0; 2 * UPPER_SIZE], loss: Loss::default() }
    }
}

/// Where the layers above begin in the numbers of one side.
const BIAS: usize = SECOND * WIDTH;
const OUT: usize = BIAS + SECOND;
const OUT_BIAS: usize = OUT + SECOND;

/// What the layers make of a sample.
pub(super) struct Layers {
    /// The first layer before it is cut off at 0 and 1.
    sum: Row,
    first: Row,
    second: [f32; SECOND],
    /// The score for the Dogs.
    pub(super) score: f32,
}

impl<'a> Model<'a> {
    /// The model of these rows and layers above, for the sums that some samples call for.
    pub(super) fn new(rows: &[f32], inputs: &Inputs, upper: &'a [f32]) -> Self {
        let rows = rows.as_chunks::<WIDTH>().0;
        let sum_of = |parts: &Vec<usize>| {
            parts.iter().fold([0.0; WIDTH], |mut sum: Row, &part| {
                sum.iter_mut().zip(&rows[part]).for_each(|(sum, x)| *sum += x);
                sum
            })
        };
        Self { sums: inputs.sums.parts.iter().map(sum_of).collect(), upper }
    }

    /// The score of a sample and how it comes about.
    pub(super) fn score(&self, inputs: &Inputs, input: &Input) -> Layers {
        let mut sum = [0.0; WIDTH];
        for &number in inputs.sums_of(input) {
            let row = &self.sums[usize::from(number)];
            for i in 0..WIDTH {
                sum[i] += row[i];
            }
        }
        let first = sum.map(|x| x.clamp(0.0, 1.0));
        let upper = self.upper_of(input);
        let mut second = [0.0; SECOND];
        let mut score = upper[OUT_BIAS];
        for i in 0..SECOND {
            let weights = &upper[i * WIDTH..][..WIDTH];
            let mut lanes = [0.0f32; 8];
            for (a, b) in first.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0) {
                for j in 0..8 {
                    lanes[j] += a[j] * b[j];
                }
            }
            second[i] = (upper[BIAS + i] + lanes.iter().sum::<f32>()).max(0.0);
            score += second[i] * upper[OUT + i];
        }
        Layers { sum, first, second, score }
    }

    /// The layers above of the side to move.
    fn upper_of(&self, input: &Input) -> &[f32] {
        &self.upper[usize::from(input.side) * UPPER_SIZE..][..UPPER_SIZE]
    }

    /// Adds a sample to the loss and, if asked for, to the gradient.
    pub(super) fn learn(&self, inputs: &Inputs, input: &Input, gradient: &mut Gradient, with_gradient: bool) {
        let Layers { sum, first, second, score } = self.score(inputs, input);
        let slope = loss(score, input.beyond, &mut gradient.loss);
        if !with_gradient {
            return;
        }
        let upper = self.upper_of(input);
        let change = &mut gradient.upper[usize::from(input.side) * UPPER_SIZE..][..UPPER_SIZE];
        change[OUT_BIAS] += slope;
        let mut back = [0.0; WIDTH];
        for i in 0..SECOND {
            if second[i] <= 0.0 {
                continue;
            }
            change[OUT + i] += slope * second[i];
            let slope = slope * upper[OUT + i];
            change[BIAS + i] += slope;
            let (weights, change) = (&upper[i * WIDTH..][..WIDTH], &mut change[i * WIDTH..][..WIDTH]);
            for j in 0..WIDTH {
                change[j] += slope * first[j];
                back[j] += slope * weights[j];
            }
        }
        for j in 0..WIDTH {
            // A little slope beyond the ends brings a dead unit back.
            if sum[j] <= 0.0 || sum[j] >= 1.0 {
                back[j] *= 0.01;
            }
        }
        for &number in inputs.sums_of(input) {
            let row = &mut gradient.sums[usize::from(number)];
            for j in 0..WIDTH {
                row[j] += back[j];
            }
        }
    }
}

/// Adds the loss of a score and gives its slope.
fn loss(score: f32, beyond: u8, loss: &mut Loss) -> f32 {
    let mut slope = 0.0;
    let mut told = [false; STEPS.len()];
    for (i, step) in STEPS.iter().enumerate() {
        let is_beyond = beyond >> i & 1 != 0;
        let margin = score - step.score;
        told[i] = (margin > 0.0) == is_beyond;
        let probability = 1.0 / (1.0 + (-margin).exp());
        slope += step.weight * (probability - f32::from(u8::from(is_beyond)));
        // ln(1 + e^-x), x towards the right side.
        let x = if is_beyond { margin } else { -margin };
        let log_loss = f64::from((-x.abs()).exp().ln_1p() + (-x).max(0.0));
        loss.weighted += f64::from(step.weight) * log_loss;
    }
    loss.right += u64::from(told[LEOPARDS_LOSE] && told[DOGS_WIN]);
    loss.count += 1;
    slope
}
