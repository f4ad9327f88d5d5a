//! A small network over the patterns of a board.
//!
//! The first layer adds a row of weights for each pattern and each count of the game, as in an efficiently
//! updatable network (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi", 2018); two narrow layers make a score of the sum. There is one network for each phase, dogs in hand
//! or not, whose upper layers differ by the side to move. All arithmetic is on integers, so that every machine
//! comes to the same score.

use super::super::score::Score;
use super::layout::{Feature, Layout};
use super::patterns::{CHUNK, Numbers, Patterns, slice_codes};
use super::shape::Shape;
use super::standing::Standings;
#[cfg(target_arch = "x86_64")]
use super::wide::Vectors;
use crate::game::{Board, MAX_POINTS, Position, Rules, Side};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Width of the first layer.
pub(crate) const WIDTH: usize = 96;
/// Width of the second layer.
pub(crate) const SECOND: usize = 16;
/// What stands for 1 in the first layer: there a value lies between 0 and 1.
pub(crate) const UNIT: i32 = 512;
/// What stands for 1 in the weights of the upper layers.
pub(crate) const WEIGHT_UNIT: i32 = 256;
/// The score of an output of 1: odds of e to 1.
pub(crate) const SCORE_UNIT: Score = 50;

/// The weights of one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PhaseWeights {
    /// One of each feature of the [`Layout`].
    pub(crate) rows: Vec<Row>,
    /// The upper layers, by the side to move.
    pub(crate) upper: Box<[Upper; 2]>,
}

/// A row of the first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Row(pub(crate) [i16; WIDTH]);

impl Row {
    const ZERO: Self = Self([0; WIDTH]);

    /// Adds a row; a sum beyond what fits stays at the end of the scale, where it is beyond 0 or 1 all the same.
    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for (sum, &weight) in self.0.iter_mut().zip(&other.0) {
            *sum = sum.saturating_add(weight);
        }
    }
}

/// The layers above the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Upper {
    /// The second layer, by pairs of its inputs.
    pub(super) second: [Column; WIDTH / 2],
    pub(super) second_bias: Outputs,
    pub(super) out: Outputs,
    pub(super) out_bias: i32,
}

/// What two inputs weigh in each output of the second layer: so all outputs add up side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Column([[i16; 2]; SECOND]);

/// A number for each output of the second layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Outputs(pub(super) [i32; SECOND]);

/// Numbers in the upper layers of one side.
pub(crate) const UPPER_SIZE: usize = SECOND * WIDTH + 2 * SECOND + 1;

impl PhaseWeights {
    /// How many numbers make up the weights of a phase.
    pub(crate) fn size(layout: &Layout) -> usize {
        layout.row_count() * WIDTH + 2 * UPPER_SIZE
    }

    /// The weights from their numbers in order: rows, then for either side the second layer, its bias, the
    /// last layer and its bias. `None` if there are too few or too many.
    pub(crate) fn from_numbers(layout: &Layout, numbers: &[i16]) -> Option<Self> {
        if numbers.len() != Self::size(layout) {
            return None;
        }
        let (rows, upper) = numbers.split_at(layout.row_count() * WIDTH);
        let rows = rows.as_chunks::<WIDTH>().0.iter().map(|&row| Row(row)).collect();
        let upper_of = |side: usize| {
            let (second, rest) = upper[side * UPPER_SIZE..].split_at(SECOND * WIDTH);
            let (second_bias, rest) = rest.split_first_chunk::<SECOND>()?;
            let (out, rest) = rest.split_first_chunk::<SECOND>()?;
            let column = |pair: usize| {
                Column(std::array::from_fn(|i| [0, 1].map(|input| second[i * WIDTH + 2 * pair + input])))
            };
            Some(Upper {
                second: std::array::from_fn(column),
                second_bias: Outputs(second_bias.map(|bias| i32::from(bias) * UNIT)),
                out: Outputs(out.map(i32::from)),
                out_bias: i32::from(*rest.first()?) * UNIT,
            })
        };
        Some(Self { rows, upper: Box::new([upper_of(0)?, upper_of(1)?]) })
    }
}

impl Upper {
    /// The score of a first layer, for the Dogs.
    #[inline(always)]
    fn score(&self, sum: &Row) -> Score {
        let first = sum.0.map(|x| x.clamp(0, UNIT as i16));
        let mut second = self.second_bias.0;
        for ([x, y], column) in first.as_chunks().0.iter().zip(&self.second) {
            for (sum, [x_weight, y_weight]) in second.iter_mut().zip(column.0) {
                *sum += i32::from(*x) * i32::from(x_weight) + i32::from(*y) * i32::from(y_weight);
            }
        }
        let products = second.iter().zip(self.out.0).map(|(sum, weight)| sum.max(&0) / WEIGHT_UNIT * weight);
        Self::to_score(self.out_bias + products.sum::<i32>())
    }

    /// The score of what the last layer adds up to.
    #[inline(always)]
    pub(super) fn to_score(out: i32) -> Score {
        out / (UNIT * WEIGHT_UNIT / SCORE_UNIT)
    }
}

/// The weights of the two phases.
pub(crate) struct Weights {
    pub(crate) layout: Layout,
    /// While dogs are in hand, and later.
    pub(crate) phases: [PhaseWeights; 2],
}

impl Weights {
    /// The weights of a file: numbers of two bytes, the lower first, those of the drop phase and then those of
    /// the movement phase. `None` if it is no such file.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let layout = Layout::new();
        let (pairs, rest) = bytes.as_chunks::<2>();
        let numbers: Vec<i16> = pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        let (drop, later) = numbers.split_at_checked(PhaseWeights::size(&layout))?;
        let phases =
            [PhaseWeights::from_numbers(&layout, drop)?, PhaseWeights::from_numbers(&layout, later)?];
        rest.is_empty().then_some(Self { layout, phases })
    }
}

/// Rows that are added without asking whether there are so many patterns.
const BLOCK: usize = 8;

/// Room for the rows of all shapes: a power of 2, so that a row is found without a check.
const ROWS: usize = 1 << 15;

/// The network of a phase.
#[derive(Debug)]
pub(super) struct PhaseNetwork {
    /// By shape and number.
    rows: Box<[Row; ROWS]>,
    hand: [Row; MAX_POINTS + 1],
    /// From a surplus of `-MAX_POINTS` on.
    surplus: [Row; 3 * MAX_POINTS + 1],
    lives: [Row; MAX_POINTS + 1],
    leopards: [Row; MAX_POINTS + 1],
    move_of: [Row; 2],
    pub(super) upper: [Upper; 2],
}

/// The network, for all boards.
#[derive(Debug)]
pub(crate) struct Network {
    /// Where the rows of each shape begin. Row 0 is nothing: for the places of a chunk that have no pattern.
    first_rows: BTreeMap<Shape, usize>,
    phases: [PhaseNetwork; 2],
}

impl Network {
    /// Lays out weights.
    pub(crate) fn new(weights: &Weights) -> Self {
        let mut first_rows = BTreeMap::new();
        let mut rows_of = Vec::new();
        let mut first = 1;
        for shape in Shape::all() {
            let rows = |(number, filling)| (first + number, weights.layout.pattern_rows(shape, &filling));
            rows_of.extend(shape.fillings().into_iter().map(rows));
            first_rows.insert(shape, first);
            first += shape.size();
        }
        let phase = |phase| PhaseNetwork::new(&weights.layout, phase, &rows_of);
        Self { first_rows, phases: weights.phases.each_ref().map(phase) }
    }

    /// The network of a file of weights, as `engine fit` makes them; `None` if it is no such file.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Arc<Self>> {
        Weights::from_bytes(bytes).map(|weights| Arc::new(Self::new(&weights)))
    }

    /// The network the engine plays with.
    pub(crate) fn builtin() -> &'static Arc<Self> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!("weights.bin"));
            network.expect("the weights are of this layout")
        });
        &NETWORK
    }
}

/// The network on one board.
#[derive(Clone, Debug)]
pub(crate) struct BoardNetwork {
    network: Arc<Network>,
    pub(super) patterns: Patterns,
    /// By chunk and place in it, where the rows of the pattern's shape begin.
    first_rows: Vec<Numbers>,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<Vectors>,
}

impl BoardNetwork {
    /// A network for a board.
    pub(crate) fn new(network: &Arc<Network>, board: &Board) -> Self {
        let patterns = Patterns::new(board);
        let mut first_rows = vec![[0; CHUNK]; patterns.chunk_count()];
        for (i, shape) in patterns.shapes().iter().enumerate() {
            first_rows[i / CHUNK][i % CHUNK] = network.first_rows[shape] as u16;
        }
        Self {
            network: Arc::clone(network),
            patterns,
            first_rows,
            #[cfg(target_arch = "x86_64")]
            vectors: Vectors::widest(),
        }
    }

    /// The score of a position for the Dogs.
    #[inline]
    pub(crate) fn score(&self, rules: &Rules, position: &Position) -> Score {
        #[cfg(target_arch = "x86_64")]
        if let Some(vectors) = self.vectors {
            return vectors.score(self, rules, position);
        }
        self.score_portable(rules, position)
    }

    /// The same with what any processor has.
    fn score_portable(&self, rules: &Rules, position: &Position) -> Score {
        let phase = self.phase(position);
        let standings = self.patterns.standings(rules, position);
        let mut sum = Row::ZERO;
        for row in phase.counts(rules, position) {
            sum.add(row);
        }
        self.each_row(&standings, |row| sum.add(phase.row(row)));
        phase.upper[position.side_to_move().index()].score(&sum)
    }

    /// Calls `visit` with the row of each pattern where points stand so.
    #[inline(always)]
    pub(super) fn each_row(&self, standings: &Standings, mut visit: impl FnMut(u16)) {
        let codes = slice_codes(standings);
        for (chunk, &first_rows) in self.first_rows.iter().enumerate() {
            let rows = self.patterns.add_chunk(chunk, &codes, first_rows);
            let left = self.patterns.shapes().len() - chunk * CHUNK;
            for (_, rows) in (0..left).step_by(BLOCK).zip(rows.as_chunks::<BLOCK>().0) {
                for &row in rows {
                    visit(row);
                }
            }
        }
    }

    /// The network of a position's phase.
    #[inline(always)]
    pub(super) fn phase(&self, position: &Position) -> &PhaseNetwork {
        &self.network.phases[usize::from(position.dogs_in_hand() == 0)]
    }
}

impl PhaseNetwork {
    /// `rows_of` are the rows of weights that add up to each row here.
    fn new(layout: &Layout, weights: &PhaseWeights, rows_of: &[(usize, Vec<usize>)]) -> Self {
        let mut rows: Box<[Row; ROWS]> = vec![Row::ZERO; ROWS].try_into().expect("as many as that");
        for (number, parts) in rows_of {
            for &part in parts {
                rows[*number].add(&weights.rows[part]);
            }
        }
        let row = |feature| layout.count_row(feature).map_or(Row::ZERO, |row| weights.rows[row]);
        let by_count = |feature: fn(u8) -> Feature| std::array::from_fn(|n| row(feature(n as u8)));
        Self {
            rows,
            hand: by_count(Feature::Hand),
            surplus: std::array::from_fn(|surplus| row(Feature::Surplus(surplus as i8 - MAX_POINTS as i8))),
            lives: by_count(Feature::Lives),
            leopards: by_count(Feature::Leopards),
            move_of: [false, true].map(|leopards| row(Feature::LeopardsMove(leopards))),
            upper: (*weights.upper).clone(),
        }
    }

    /// The row with this number, which is below [`ROWS`]: the remainder only tells the compiler.
    #[inline(always)]
    pub(super) fn row(&self, number: u16) -> &Row {
        &self.rows[usize::from(number) % ROWS]
    }

    /// The rows of all counts of a position.
    #[inline(always)]
    pub(super) fn counts(&self, rules: &Rules, position: &Position) -> [&Row; 5] {
        let counts = Counts::of(rules, position);
        [
            &self.hand[usize::from(counts.hand)],
            &self.surplus[(i32::from(counts.surplus) + MAX_POINTS as i32) as usize],
            &self.lives[usize::from(counts.lives)],
            &self.leopards[usize::from(counts.leopards)],
            &self.move_of[usize::from(position.side_to_move() == Side::Leopards)],
        ]
    }
}

/// The counts of a position that have rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) hand: u8,
    pub(crate) surplus: i8,
    pub(crate) lives: u8,
    pub(crate) leopards: u8,
}

impl Counts {
    #[inline(always)]
    pub(crate) fn of(rules: &Rules, position: &Position) -> Self {
        let dogs_left = rules.dogs() - position.captured();
        Self {
            hand: position.dogs_in_hand(),
            surplus: 2 * dogs_left as i8 - rules.board().point_count() as i8,
            lives: rules.captures_to_win().saturating_sub(position.captured()),
            leopards: rules.leopards(),
        }
    }

    /// The features of the counts, with whose move it is.
    pub(crate) fn features(self, side: Side) -> [Feature; 5] {
        [
            Feature::Hand(self.hand),
            Feature::Surplus(self.surplus),
            Feature::Lives(self.lives),
            Feature::Leopards(self.leopards),
            Feature::LeopardsMove(side == Side::Leopards),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, VariantSpec};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt as _, SeedableRng as _};
    use std::sync::Arc;

    /// Positions of random games of all presets.
    fn positions() -> Vec<(Arc<Rules>, Position)> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut positions = Vec::new();
        for variant in crate::game::variants() {
            let spec = VariantSpec { variant: Some(variant.name.clone()), ..VariantSpec::default() };
            let mut game = Game::new(Arc::new(spec.rules().unwrap()));
            while game.outcome().is_none() && game.moves().len() < 80 {
                positions.push((Arc::clone(game.rules()), *game.position()));
                let moves = game.legal_moves();
                game.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        positions
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn vectors_of_any_width_give_the_same_scores() {
        let widths: Vec<Vectors> = Vectors::ALL.into_iter().filter(|vectors| vectors.is_there()).collect();
        assert_eq!(Vectors::widest(), widths.last().copied());
        let mut scores = Vec::new();
        for (rules, position) in positions() {
            let network = BoardNetwork::new(Network::builtin(), rules.board());
            scores.push(network.score_portable(&rules, &position));
            for vectors in &widths {
                let score = vectors.score(&network, &rules, &position);
                assert_eq!(score, scores[scores.len() - 1], "{vectors:?}");
            }
        }
        assert!(scores.len() > 300 && scores.iter().any(|score| score != &scores[0]));
    }

    /// A sum that does not fit would come out at the other end of the scale and turn a score round.
    #[test]
    fn a_sum_beyond_the_scale_stays_at_its_end() {
        let layout = Layout::new();
        let size = PhaseWeights::size(&layout);
        // Rows are the largest there are; above, one output weighs each input by 1 and is the score.
        let numbers = |row: i16| {
            let mut numbers = vec![row; layout.row_count() * WIDTH];
            numbers.resize(size, 0);
            for upper in numbers[layout.row_count() * WIDTH..].chunks_mut(UPPER_SIZE) {
                upper[..WIDTH].fill(WEIGHT_UNIT as i16);
                upper[SECOND * WIDTH + SECOND] = WEIGHT_UNIT as i16;
            }
            numbers
        };
        let score = |row| {
            let bytes: Vec<u8> = numbers(row).repeat(2).into_iter().flat_map(i16::to_le_bytes).collect();
            let network = Network::from_bytes(&bytes).unwrap();
            let rules = VariantSpec::default().rules().unwrap();
            let board = BoardNetwork::new(&network, rules.board());
            assert_eq!(board.score(&rules, &rules.start()), board.score_portable(&rules, &rules.start()));
            board.score(&rules, &rules.start())
        };
        assert_eq!(score(i16::MAX), WIDTH as Score * SCORE_UNIT);
        assert_eq!(score(i16::MIN), 0);
    }

    #[test]
    fn mirror_images_score_the_same() {
        for (rules, position) in positions() {
            let network = BoardNetwork::new(Network::builtin(), rules.board());
            let mirrored = position.mirrored(&rules).unwrap();
            assert_eq!(network.score(&rules, &position), network.score(&rules, &mirrored));
        }
    }

    #[test]
    fn a_file_of_other_weights_is_no_file_of_weights() {
        let bytes = include_bytes!("weights.bin");
        assert!(Weights::from_bytes(bytes).is_some());
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 2]).is_none());
        assert!(Weights::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(Weights::from_bytes(&[]).is_none());
    }
}
