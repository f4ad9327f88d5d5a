//! What the evaluation looks at: local patterns of a board, numbered.
//!
//! Two kinds of patterns cover a board, each point of it several times over: a *star* is a point with all its
//! neighbours, a *run* is three to five points in a straight line. A pattern has one number for each way its
//! points can be filled, and that number is a sum over the pieces, so that the numbers of all patterns of a
//! position come out of a few additions of whole vectors. Patterns of the same shape share their weights
//! wherever they lie and on whatever board, which is what carries the evaluation over to boards it was never
//! fitted on. (Summed pattern tables: M. Buro, "Experiments with Multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997.)

use crate::game::{Board, MAX_POINTS, Point, PointSet};
use std::collections::BTreeSet;

/// The longest run.
pub(crate) const LONGEST_RUN: usize = 5;
/// The most straight lines of a star, and the most of its other neighbours: what a point has beyond these makes
/// patterns of its own, so that numbers stay small on any board.
const MOST_THROUGH: usize = 2;
const MOST_ENDS: usize = 5;

/// What stands on a point, as a digit of a pattern's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Piece {
    Vacant,
    Dog,
    Leopard,
}

impl Piece {
    pub(crate) const ALL: [Self; 3] = [Self::Vacant, Self::Dog, Self::Leopard];
}

/// The shape of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shape {
    /// A point, the `through` straight lines that pass it, and `ends` neighbours by lines that end in it.
    Star {
        /// Lines through the point: two neighbours each, opposite to each other.
        through: u8,
        /// The other neighbours.
        ends: u8,
    },
    /// So many points in a straight line.
    Run(u8),
    /// Two neighbours of a point opposite to each other, beyond those of its star.
    Pair,
    /// A neighbour of a point beyond those of its star and pairs.
    End,
}

/// A filling of a pattern as far as the weights tell fillings apart: the same for a pattern turned round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Filling {
    Star {
        own: Piece,
        /// What the lines through the point hold beside it, both ends in order, the lines in order.
        pairs: Vec<[Piece; 2]>,
        /// How many ends hold a dog and how many a leopard.
        ends: [u8; 2],
    },
    Run(Vec<Piece>),
    Pair([Piece; 2]),
    End(Piece),
}

impl Shape {
    /// How many numbers its patterns have.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Star { through, ends } => {
                3 * (usize::from(ends) + 1).pow(2) * 9usize.pow(u32::from(through))
            }
            Self::Run(length) => 3usize.pow(u32::from(length)),
            Self::Pair => 9,
            Self::End => 3,
        }
    }

    /// The filling with this number; `None` where more ends are filled than there are.
    pub(crate) fn filling(self, number: usize) -> Option<Filling> {
        let piece = |digit: usize| Piece::ALL[digit % 3];
        let pair = |digits: usize| {
            let mut pair = [piece(digits), piece(digits / 3)];
            pair.sort_unstable();
            pair
        };
        match self {
            Self::Star { through, ends } => {
                let base = usize::from(ends) + 1;
                let (own, rest) = (piece(number), number / 3);
                let (dogs, leopards, rest) = (rest % base, rest / base % base, rest / (base * base));
                if dogs + leopards >= base {
                    return None;
                }
                let mut pairs: Vec<[Piece; 2]> =
                    (0..u32::from(through)).map(|i| pair(rest / 9usize.pow(i))).collect();
                pairs.sort_unstable();
                Some(Filling::Star { own, pairs, ends: [dogs as u8, leopards as u8] })
            }
            Self::Run(length) => {
                let run: Vec<Piece> = (0..u32::from(length)).map(|i| piece(number / 3usize.pow(i))).collect();
                let turned = run.iter().rev().copied().collect();
                Some(Filling::Run(run.min(turned)))
            }
            Self::Pair => Some(Filling::Pair(pair(number))),
            Self::End => Some(Filling::End(piece(number))),
        }
    }
}

/// Numbers of patterns that are added at once.
pub(crate) const CHUNK: usize = 16;
pub(crate) type Numbers = [u16; CHUNK];

/// Points whose pieces are looked up at once: so a position takes the same few steps however many pieces it has.
const SLICE: usize = 4;
const SLICES: usize = MAX_POINTS.div_ceil(SLICE);

/// What the pieces of one side add to the numbers of a chunk: by slice of the points, and by which of these have a
/// piece.
type Adds = [[Numbers; 1 << SLICE]; SLICES];

/// The patterns of a board.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    /// The shape of each pattern.
    shapes: Vec<Shape>,
    /// Slices that hold points of the board.
    slices: usize,
    /// By chunk, what dogs add.
    dogs: Vec<Adds>,
    /// By chunk, what leopards add.
    leopards: Vec<Adds>,
}

impl Patterns {
    /// The patterns that cover a board.
    pub(crate) fn new(board: &Board) -> Self {
        let slices = board.point_count().div_ceil(SLICE);
        let mut patterns = Self { shapes: Vec::new(), slices, dogs: Vec::new(), leopards: Vec::new() };
        for point in board.points() {
            patterns.add_star(board, point);
        }
        for line in lines(board) {
            let length = line.len().min(LONGEST_RUN);
            for run in line.windows(length) {
                patterns.add_digits(Shape::Run(length as u8), run.iter().copied());
            }
        }
        patterns
    }

    fn add(&mut self, shape: Shape) {
        if self.shapes.len().is_multiple_of(CHUNK) {
            self.dogs.push([[[0; CHUNK]; 1 << SLICE]; SLICES]);
            self.leopards.push([[[0; CHUNK]; 1 << SLICE]; SLICES]);
        }
        self.shapes.push(shape);
    }

    /// Adds to the number of the last pattern for each piece on a point.
    fn count(&mut self, point: Point, dog: u16, leopard: u16) {
        let last = self.shapes.len() - 1;
        let (slice, bit) = (point.index() / SLICE, 1 << (point.index() % SLICE));
        for (adds, number) in [(&mut self.dogs, dog), (&mut self.leopards, leopard)] {
            let with_point =
                adds[last / CHUNK][slice].iter_mut().enumerate().filter(|(bits, _)| bits & bit != 0);
            with_point.for_each(|(_, add)| add[last % CHUNK] += number);
        }
    }

    /// Adds a pattern of points in order, each a digit of its number.
    fn add_digits(&mut self, shape: Shape, points: impl IntoIterator<Item = Point>) {
        self.add(shape);
        let mut weight = 1;
        for point in points {
            self.count(point, weight, 2 * weight);
            weight *= 3;
        }
    }

    fn add_star(&mut self, board: &Board, point: Point) {
        let (all_through, all_ends) = star(board, point);
        let (through, more_through) = all_through.split_at(all_through.len().min(MOST_THROUGH));
        let (ends, more_ends) = all_ends.split_at(all_ends.len().min(MOST_ENDS));
        self.add(Shape::Star { through: through.len() as u8, ends: ends.len() as u8 });
        self.count(point, 1, 2);
        let base = ends.len() as u16 + 1;
        for &end in ends {
            self.count(end, 3, 3 * base);
        }
        let mut weight = 3 * base * base;
        for neighbour in through.iter().copied().flatten() {
            self.count(neighbour, weight, 2 * weight);
            weight *= 3;
        }
        for &pair in more_through {
            self.add_digits(Shape::Pair, pair);
        }
        for &end in more_ends {
            self.add_digits(Shape::End, [end]);
        }
    }

    /// The shape of each pattern.
    pub(crate) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// How many chunks of numbers there are.
    #[inline]
    pub(crate) fn chunk_count(&self) -> usize {
        self.dogs.len()
    }

    /// The numbers of the patterns of a chunk, in their order, added to `numbers`; nothing where there is no pattern.
    #[inline(always)]
    #[allow(clippy::inline_always)] // the caller's kind of vectors is to serve here too
    pub(crate) fn add_chunk(
        &self,
        chunk: usize,
        dogs: PointSet,
        leopards: PointSet,
        mut numbers: Numbers,
    ) -> Numbers {
        for slice in 0..self.slices {
            let dogs = &self.dogs[chunk][slice][dogs.slice(SLICE, slice)];
            let leopards = &self.leopards[chunk][slice][leopards.slice(SLICE, slice)];
            for i in 0..CHUNK {
                numbers[i] += dogs[i] + leopards[i];
            }
        }
        numbers
    }

    /// The number of each pattern.
    pub(crate) fn numbers(&self, dogs: PointSet, leopards: PointSet) -> Vec<u16> {
        let chunks =
            (0..self.chunk_count()).flat_map(|chunk| self.add_chunk(chunk, dogs, leopards, [0; CHUNK]));
        chunks.take(self.shapes.len()).collect()
    }
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
    use super::*;
    use crate::game::{BoardData, board};

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
        let board = board("rect23").unwrap();
        let patterns = Patterns::new(&board);
        let set = |names: &str| names.split(' ').map(|name| board.point(name).unwrap()).collect::<PointSet>();
        let (dogs, leopards) = (set("b2 c2 c3 d4 e1 b6"), set("a1 c4 d3"));
        let numbers = patterns.numbers(dogs, leopards);
        let piece = |point| {
            if dogs.contains(point) {
                Piece::Dog
            } else if leopards.contains(point) {
                Piece::Leopard
            } else {
                Piece::Vacant
            }
        };
        for (i, point) in board.points().into_iter().enumerate() {
            let (through, ends) = star(&board, point);
            let mut pairs: Vec<[Piece; 2]> = through
                .iter()
                .map(|&pair| {
                    let mut pair: Vec<Piece> = pair.into_iter().map(piece).collect();
                    pair.sort_unstable();
                    [pair[0], pair[1]]
                })
                .collect();
            pairs.sort_unstable();
            let ends: PointSet = ends.into_iter().collect();
            let ends = [(ends & dogs).len() as u8, (ends & leopards).len() as u8];
            let expected = Filling::Star { own: piece(point), pairs, ends };
            assert_eq!(patterns.shapes()[i].filling(numbers[i].into()), Some(expected));
        }
        let runs = patterns.shapes().iter().zip(&numbers).skip(board.point_count());
        let mut found: Vec<Option<Filling>> = runs.map(|(shape, &n)| shape.filling(n.into())).collect();
        let mut expected: Vec<Option<Filling>> = lines(&board)
            .iter()
            .flat_map(|line| line.windows(line.len().min(LONGEST_RUN)).map(<[Point]>::to_vec))
            .map(|run| {
                let run: Vec<Piece> = run.into_iter().map(piece).collect();
                let turned = run.iter().rev().copied().collect();
                Some(Filling::Run(run.min(turned)))
            })
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    /// A board of one's own may have points with more neighbours than any of the catalogue.
    #[test]
    fn a_hub_of_many_lines_is_told_in_parts() {
        let lines = (1..=8).flat_map(|i| [format!("b{i} a1 c{i}"), format!("a1 d{i}")]).collect();
        let data = BoardData { rows: vec![1, 8, 8, 8], columns: None, lines };
        let board = Board::new("hub", &data).unwrap();
        let patterns = Patterns::new(&board);
        assert!(patterns.shapes().iter().all(|shape| shape.size() < 10_000));
        let hub = board.point("a1").unwrap();
        let dogs = board.points().without(hub);
        let leopards = PointSet::EMPTY.with(hub);
        let of_hub = patterns.shapes().iter().zip(patterns.numbers(dogs, leopards)).take(10);
        let fillings: Vec<Filling> = of_hub.map(|(shape, n)| shape.filling(n.into()).unwrap()).collect();
        let pair = [Piece::Dog; 2];
        let whole = Filling::Star { own: Piece::Leopard, pairs: vec![pair; 2], ends: [5, 0] };
        assert_eq!(fillings[0], whole);
        assert!(fillings[1..7].iter().all(|filling| *filling == Filling::Pair(pair)));
        assert!(fillings[7..].iter().all(|filling| *filling == Filling::End(Piece::Dog)));
    }
}
