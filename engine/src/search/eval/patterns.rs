//! What the evaluation looks at: local patterns of a board, numbered.
//!
//! Two kinds of patterns cover a board, each point of it several times over: a *star* is a point with all its
//! neighbours, a *run* is three to five points in a straight line. A pattern has one number for each way its
//! points can be filled, and that number is a sum over the pieces, so that the numbers of all patterns of a
//! position come out of a few additions of whole vectors. Patterns of the same shape share their weights
//! wherever they lie and on whatever board, which is what carries the evaluation over to boards it was never
//! fitted on. (Summed pattern tables: M. Buro, "Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997.)

use super::shape::{LONGEST_RUN, Piece, STARS, Shape, end_digit, end_numbers};
use super::standing::{CODES, Leaps, PLANES, Standing, Standings};
use crate::game::{Board, MAX_POINTS, Point, PointSet, Position, Rules};
use std::collections::BTreeSet;

/// Numbers of patterns that are added at once.
pub(crate) const CHUNK: usize = 32;
pub(crate) type Numbers = [u16; CHUNK];

/// Points whose standings are looked up at once: so a position takes the same few steps however many pieces it has.
const SLICE: usize = 2;
const SLICES: usize = MAX_POINTS.div_ceil(SLICE);
/// Ways the planes can hold the points of a slice.
const SLICE_CODES: usize = CODES.pow(SLICE as u32);

/// What the points of a slice add to the numbers of a chunk, by how the planes hold them.
type Adds = [Numbers; SLICE_CODES];

/// By slice, how the planes hold its points: plane by plane, and of each plane the slice's bits.
pub(crate) type SliceCodes = [u32; SLICES];

/// The patterns of a board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// The shape of each pattern.
    shapes: Vec<Shape>,
    leaps: Leaps,
    /// Slices that hold points of the board.
    slices: usize,
    /// Chunk by chunk, those of its slices.
    adds: Vec<Adds>,
}

impl Patterns {
    /// The patterns that cover a board.
    pub(crate) fn new(board: &Board) -> Self {
        let slices = board.point_count().div_ceil(SLICE);
        let mut patterns = Self { shapes: Vec::new(), leaps: Leaps::new(board), slices, adds: Vec::new() };
        for point in board.points() {
            patterns.add_star(board, point);
        }
        for line in lines(board) {
            let length = line.len().min(LONGEST_RUN);
            for run in line.windows(length) {
                patterns.add(Shape::Run(length as u8));
                let mut weight = 1;
                for &point in run {
                    patterns.count(point, |standing| weight * Piece::of(standing) as usize);
                    weight *= Piece::ALL.len();
                }
            }
        }
        patterns
    }

    fn add(&mut self, shape: Shape) {
        if self.shapes.len().is_multiple_of(CHUNK) {
            self.adds.extend(std::iter::repeat_n([[0; CHUNK]; SLICE_CODES], self.slices));
        }
        self.shapes.push(shape);
    }

    /// Adds to the number of the last pattern for what stands on a point.
    fn count(&mut self, point: Point, number: impl Fn(Standing) -> usize) {
        let last = self.shapes.len() - 1;
        let (slice, place) = (point.index() / SLICE, point.index() % SLICE);
        for (codes, adds) in self.adds[last / CHUNK * self.slices + slice].iter_mut().enumerate() {
            let bit = |plane| (codes >> (SLICE * plane + place) & 1) << plane;
            let standing = Standing::of_code((0..PLANES).map(bit).sum());
            adds[last % CHUNK] += number(standing) as u16;
        }
    }

    /// Adds a pattern of points in order, each a digit of its number.
    fn add_digits(&mut self, shape: Shape, points: impl IntoIterator<Item = Point>) {
        self.add(shape);
        self.count_digits(1, points);
    }

    fn count_digits(&mut self, mut weight: usize, points: impl IntoIterator<Item = Point>) {
        for point in points {
            self.count(point, |standing| weight * standing as usize);
            weight *= Standing::COUNT;
        }
    }

    fn add_star(&mut self, board: &Board, point: Point) {
        let (through, ends) = star(board, point);
        let counts = (through.len() as u8, ends.len() as u8);
        if STARS.contains(&counts) {
            self.add(Shape::Star { through: counts.0, ends: counts.1 });
            self.count(point, |standing| standing as usize);
            for &end in &ends {
                self.count(end, |standing| Standing::COUNT * end_digit(ends.len(), standing));
            }
            let weight = Standing::COUNT * end_numbers(counts.1);
            self.count_digits(weight, through.into_iter().flatten());
        } else {
            self.add_digits(Shape::Own, [point]);
            for pair in through {
                self.add_digits(Shape::Pair, pair);
            }
            for end in ends {
                self.add_digits(Shape::End, [end]);
            }
        }
    }

    /// The shape of each pattern.
    pub(crate) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// How many chunks of numbers there are.
    #[inline]
    pub(crate) fn chunk_count(&self) -> usize {
        self.adds.len() / self.slices
    }

    /// How the points of a position on this board stand.
    #[inline(always)]
    #[allow(clippy::inline_always)] // the caller's kind of vectors is to serve here too
    pub(crate) fn standings(&self, rules: &Rules, position: &Position) -> Standings {
        Standings::of(&self.leaps, rules, position)
    }

    /// The numbers of the patterns of a chunk, in their order, added to `numbers`; nothing where there is no pattern.
    #[inline(always)]
    #[allow(clippy::inline_always)] // the caller's kind of vectors is to serve here too
    pub(crate) fn add_chunk(&self, chunk: usize, codes: &SliceCodes, mut numbers: Numbers) -> Numbers {
        for (adds, &codes) in self.adds[chunk * self.slices..][..self.slices].iter().zip(codes) {
            // The remainder only tells the compiler.
            let add = &adds[codes as usize % SLICE_CODES];
            for i in 0..CHUNK {
                numbers[i] += add[i];
            }
        }
        numbers
    }

    /// The number of each pattern.
    pub(crate) fn numbers(&self, standings: &Standings) -> Vec<u16> {
        let codes = slice_codes(standings);
        let chunks = (0..self.chunk_count()).flat_map(|chunk| self.add_chunk(chunk, &codes, [0; CHUNK]));
        chunks.take(self.shapes.len()).collect()
    }
}

/// How the planes hold the points of each slice.
#[inline(always)]
#[allow(clippy::inline_always)] // the caller's kind of vectors is to serve here too
pub(crate) fn slice_codes(standings: &Standings) -> SliceCodes {
    let mut codes = [0; SLICES];
    for (plane, points) in standings.planes.iter().enumerate() {
        for (slice, codes) in codes.iter_mut().enumerate() {
            *codes |= (points.slice(SLICE, slice) << (SLICE * plane)) as u32;
        }
    }
    codes
}

/// The neighbours of a point: in pairs opposite to each other, and the others.
fn star(board: &Board, point: Point) -> (Vec<PointSet>, Vec<Point>) {
    let over = board.jump_lines().iter().filter(|line| line.over.contains(point));
    let through: Vec<PointSet> = over.map(|line| line.ends).collect();
    let ends = through.iter().fold(board.neighbours(point), |rest, &pair| rest - pair);
    (through, ends.into_iter().collect())
}

/// The straight lines of three points and more, in an order that depends on nothing but the board.
fn lines(board: &Board) -> Vec<Vec<Point>> {
    // Jump lines by their middle and one of their ends; each is walked from an end of the whole line.
    let mut lines = BTreeSet::new();
    let next =
        |from: Point, over: Point| board.jumps(from).iter().find(|jump| jump.over == over).map(|j| j.to);
    for start in board.points() {
        for second in board.neighbours(start) {
            if next(second, start).is_some() {
                continue; // not the end of its line
            }
            let mut line = vec![start, second];
            while let Some(point) = next(line[line.len() - 2], line[line.len() - 1]) {
                // A line may close on itself on a board of one's own.
                if line.contains(&point) {
                    break;
                }
                line.push(point);
            }
            if line.len() >= 3 && line.first() < line.last() {
                lines.insert(line);
            }
        }
    }
    lines.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::shape::{Filling, sorted};
    use super::*;
    use crate::game::{BoardData, VariantSpec, board};

    #[test]
    fn lines_are_those_of_the_board() {
        let lengths = |name| {
            let mut lengths: Vec<usize> = lines(&board(name).unwrap()).iter().map(Vec::len).collect();
            lengths.sort_unstable();
            lengths
        };
        assert_eq!(lengths("hat10"), [3, 3, 3, 4, 4, 4]);
        assert_eq!(lengths("rect21"), [4, 4, 5, 5, 5, 5, 6, 6]);
        assert_eq!(lengths("rect29"), [3, 3, 3, 3, 4, 5, 5, 5, 5, 8, 8, 8]);
    }

    /// The filling of each pattern, read off the board point by point.
    #[test]
    fn numbers_say_what_stands_on_the_points_of_each_pattern() {
        let spec = VariantSpec { variant: Some("demala-23".into()), ..VariantSpec::default() };
        let text = "L/1dd1d1/1dL1d1/3Ld1/d2d d 5 2 0";
        let (rules, position) = spec.rules().unwrap().parse_position(text).unwrap();
        let board = rules.board();
        let patterns = Patterns::new(board);
        let standings = patterns.standings(&rules, &position);
        let standing = |point| standings.on(point);
        let mut expected: Vec<Filling> = Vec::new();
        for point in board.points() {
            let (through, ends) = star(board, point);
            let pair = |pair: PointSet| {
                let pair: Vec<Standing> = sorted(pair.into_iter().map(standing));
                [pair[0], pair[1]]
            };
            let (pairs, ends) = (through.into_iter().map(pair), ends.into_iter().map(standing));
            expected.push(Filling::Star { own: standing(point), pairs: sorted(pairs), ends: sorted(ends) });
        }
        for run in lines(board).iter().flat_map(|line| line.windows(line.len().min(LONGEST_RUN))) {
            let run: Vec<Piece> = run.iter().map(|&point| Piece::of(standing(point))).collect();
            let turned = run.iter().rev().copied().collect();
            expected.push(Filling::Run(run.min(turned)));
        }
        let numbers = patterns.numbers(&standings);
        let found: Vec<Filling> = patterns
            .shapes()
            .iter()
            .zip(numbers)
            .map(|(shape, n)| shape.fillings().into_iter().find(|(number, _)| *number == n.into()).unwrap().1)
            .collect();
        assert_eq!(found, expected);
        let seen: BTreeSet<Standing> = board.points().into_iter().map(standing).collect();
        assert_eq!(seen.len(), Standing::COUNT, "the position shows every standing");
    }

    /// A board of one's own may have points with more neighbours than any of the catalogue.
    #[test]
    fn a_hub_of_many_lines_is_told_in_parts() {
        let lines = (1..=8).flat_map(|i| [format!("b{i} a1 c{i}"), format!("a1 d{i}")]).collect();
        let data = BoardData { rows: vec![1, 8, 8, 8], columns: None, lines };
        let board = Board::new("hub", &data).unwrap();
        let patterns = Patterns::new(&board);
        let of_hub = &patterns.shapes()[..17];
        assert_eq!(of_hub, [&[Shape::Own][..], &[Shape::Pair; 8], &[Shape::End; 8]].concat());
        let hub = board.point("a1").unwrap();
        let hub_only = PointSet::EMPTY.with(hub);
        let planes = [board.points(), hub_only, PointSet::EMPTY];
        let standings = Standings { planes };
        let both_dogs = (1 + Standing::COUNT) as u16;
        assert_eq!(patterns.numbers(&standings)[..17], [&[2][..], &[both_dogs; 8], &[1; 8]].concat());
    }
}
