//! A board: its points, lines, neighbours, jumps, mirror symmetry and a layout for drawing.

use super::layout::{Layout, LayoutError};
use super::point::{MAX_POINTS, Point, PointSet};
use serde::Deserialize;

/// The most points in one row: a run of vacant points is written as one digit.
pub const MAX_ROW_LENGTH: usize = 9;
/// The most rows: a row is named by one letter.
pub const MAX_ROWS: usize = 26;

/// A leap along a straight line: over one point to the one right behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Jump {
    /// The point leapt over, where the captured dog stands.
    pub over: Point,
    /// The point landed on.
    pub to: Point,
}

/// Three points of a line: a leap from either end over the middle to the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpLine {
    /// The middle alone.
    pub over: PointSet,
    /// Both ends.
    pub ends: PointSet,
}

/// A board as its file gives it: straight lines through named points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardData {
    /// The number of points of each row, from the apex down.
    pub rows: Vec<usize>,
    /// The lines: names of points with blanks between them. Points next to each other in a line are
    /// neighbours; three in a row are a jump.
    pub lines: Vec<String>,
    /// For drawing, optional: the horizontal place of every point, row by row, in columns of text.
    pub columns: Option<Vec<Vec<i32>>>,
}

/// What is wrong with the data of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // each message says it
pub enum BoardError {
    #[error("rows: expected 1 to {MAX_ROWS} rows of 1 to {MAX_ROW_LENGTH} points each")]
    Rows,
    #[error("rows: {0} points, expected 2 to {MAX_POINTS}")]
    PointCount(usize),
    #[error("line {line} \"{text}\": {fault}")]
    Line { line: usize, text: String, fault: LineFault },
    #[error("the board is not connected: no lines lead from {from} to {to}")]
    NotConnected { from: String, to: String },
    #[error("{0}")]
    Layout(#[from] LayoutError),
}

/// What is wrong with one line of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LineFault {
    #[error("no point \"{0}\" on this board")]
    NoSuchPoint(String),
    #[error("a line needs two points or more")]
    TooShort,
    #[error("{0} stands twice in it")]
    Repeated(String),
    #[error("{0} and {1} are neighbours in another line already")]
    EdgeTwice(String, String),
    #[error("from {0} to {1} there would be both a step and a leap")]
    StepAndLeap(String, String),
    #[error("from {0} to {1} there would be leaps over two different points")]
    TwoLeaps(String, String),
}

/// Points whose neighbours are looked up at once.
const SLICE: usize = 8;
const SLICES: usize = MAX_POINTS.div_ceil(SLICE);

/// A board, checked: every line makes sense, all points hang together, and a pair of points names at most
/// one step or leap.
#[derive(Clone, Debug)]
pub struct Board {
    name: String,
    rows: Vec<usize>,
    point_count: usize,
    neighbours: [PointSet; MAX_POINTS],
    /// By slice of the points and by which of these are asked for: their neighbours.
    beside: [[PointSet; 1 << SLICE]; SLICES],
    /// All jumps, those of one start together.
    jumps: Vec<Jump>,
    /// Where the jumps of each point begin in `jumps`; one more entry closes the last.
    jump_starts: [u16; MAX_POINTS + 1],
    /// All jump lines, each once.
    jump_lines: Vec<JumpLine>,
    mirror: Option<[Point; MAX_POINTS]>,
    layout: Layout,
}

impl Board {
    /// Works out a board from its data.
    ///
    /// # Errors
    /// The first fault found, naming the line where there is one.
    pub fn new(name: &str, data: &BoardData) -> Result<Self, BoardError> {
        let rows = data.rows.clone();
        if rows.is_empty() || rows.len() > MAX_ROWS || rows.iter().any(|&n| n == 0 || n > MAX_ROW_LENGTH) {
            return Err(BoardError::Rows);
        }
        let point_count = rows.iter().sum();
        if !(2..=MAX_POINTS).contains(&point_count) {
            return Err(BoardError::PointCount(point_count));
        }
        let layout = Layout::new(&rows, data.columns.as_deref())?;
        let mut board = Self {
            name: name.to_owned(),
            rows,
            point_count,
            neighbours: [PointSet::EMPTY; MAX_POINTS],
            beside: [[PointSet::EMPTY; 1 << SLICE]; SLICES],
            jumps: Vec::new(),
            jump_starts: [0; MAX_POINTS + 1],
            jump_lines: Vec::new(),
            mirror: None,
            layout,
        };
        board.connect(&data.lines)?;
        board.beside = std::array::from_fn(|slice| {
            std::array::from_fn(|bits| {
                let points = PointSet::from_bits((bits as u32) << (SLICE * slice));
                points.into_iter().fold(PointSet::EMPTY, |set, point| set | board.neighbours(point))
            })
        });
        board.check_connected()?;
        board.mirror = board.find_mirror();
        Ok(board)
    }

    /// Fills neighbours and jumps from the lines.
    fn connect(&mut self, lines: &[String]) -> Result<(), BoardError> {
        let fault = |i: usize, fault| BoardError::Line { line: i + 1, text: lines[i].clone(), fault };
        let mut paths = Vec::with_capacity(lines.len());
        for (i, text) in lines.iter().enumerate() {
            let path = self.read_line(text).map_err(|f| fault(i, f))?;
            for pair in path.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                if self.neighbours[a.index()].contains(b) {
                    return Err(fault(i, LineFault::EdgeTwice(self.point_name(a), self.point_name(b))));
                }
                self.neighbours[a.index()] = self.neighbours[a.index()].with(b);
                self.neighbours[b.index()] = self.neighbours[b.index()].with(a);
            }
            paths.push(path);
        }
        // Ambiguity can only be judged once every line is in.
        let mut from: Vec<Vec<Jump>> = vec![Vec::new(); MAX_POINTS];
        for (i, path) in paths.iter().enumerate() {
            for triple in path.windows(3) {
                let ends = PointSet::from_iter([triple[0], triple[2]]);
                self.jump_lines.push(JumpLine { over: triple[1].into(), ends });
                for (a, over, to) in [(triple[0], triple[1], triple[2]), (triple[2], triple[1], triple[0])] {
                    let names = || (self.point_name(a), self.point_name(to));
                    if self.neighbours[a.index()].contains(to) {
                        let (a, b) = names();
                        return Err(fault(i, LineFault::StepAndLeap(a, b)));
                    }
                    if from[a.index()].iter().any(|jump| jump.to == to) {
                        let (a, b) = names();
                        return Err(fault(i, LineFault::TwoLeaps(a, b)));
                    }
                    from[a.index()].push(Jump { over, to });
                }
            }
        }
        for (index, mut jumps) in from.into_iter().enumerate() {
            jumps.sort_by_key(|jump| jump.to);
            self.jumps.append(&mut jumps);
            self.jump_starts[index + 1] = self.jumps.len() as u16;
        }
        Ok(())
    }

    fn read_line(&self, text: &str) -> Result<Vec<Point>, LineFault> {
        let mut path = Vec::new();
        for name in text.split_whitespace() {
            let point = self.point(name).ok_or_else(|| LineFault::NoSuchPoint(name.to_owned()))?;
            if path.contains(&point) {
                return Err(LineFault::Repeated(name.to_owned()));
            }
            path.push(point);
        }
        if path.len() < 2 { Err(LineFault::TooShort) } else { Ok(path) }
    }

    fn check_connected(&self) -> Result<(), BoardError> {
        let mut reached = PointSet::first(1);
        loop {
            let next = reached.into_iter().fold(reached, |set, point| set | self.neighbours(point));
            if next == reached {
                break;
            }
            reached = next;
        }
        let name = |point| self.point_name(point);
        match (reached.lowest(), (self.points() - reached).lowest()) {
            (Some(from), Some(to)) => Err(BoardError::NotConnected { from: name(from), to: name(to) }),
            _ => Ok(()),
        }
    }

    /// The map that turns every row round, if it keeps all steps and all jumps.
    fn find_mirror(&self) -> Option<[Point; MAX_POINTS]> {
        let mut image: [Point; MAX_POINTS] = std::array::from_fn(|i| Point::from_low_bits(i as u16));
        for row in 0..self.rows.len() {
            let points: Vec<Point> = self.row(row).collect();
            for (a, b) in points.iter().zip(points.iter().rev()) {
                image[a.index()] = *b;
            }
        }
        let keeps = self.points().into_iter().all(|point| {
            let there = image[point.index()];
            let steps: PointSet = self.neighbours(point).into_iter().map(|p| image[p.index()]).collect();
            let jumps = self.jumps(point).iter().map(|j| (image[j.over.index()], image[j.to.index()]));
            steps == self.neighbours(there)
                && jumps.clone().count() == self.jumps(there).len()
                && jumps.clone().all(|(over, to)| self.jumps(there).contains(&Jump { over, to }))
        });
        keeps.then_some(image)
    }

    /// The name of the board in the catalogue or its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of points of each row, from the apex down.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// The points of a row, from the left. `row` counts from 0.
    pub fn row(&self, row: usize) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator + use<> {
        let first: usize = self.rows[..row].iter().sum();
        (first..first + self.rows[row]).map(|i| Point::from_low_bits(i as u16))
    }

    /// Number of points.
    pub fn point_count(&self) -> usize {
        self.point_count
    }

    /// All points.
    #[inline]
    pub fn points(&self) -> PointSet {
        PointSet::first(self.point_count)
    }

    /// The points one step away.
    #[inline]
    pub fn neighbours(&self, point: Point) -> PointSet {
        self.neighbours[point.index()]
    }

    /// The points one step away from any of some points, which may be among them.
    #[inline]
    pub fn beside(&self, points: PointSet) -> PointSet {
        (0..SLICES).fold(PointSet::EMPTY, |set, slice| set | self.beside[slice][points.slice(SLICE, slice)])
    }

    /// The leaps that begin at this point.
    #[inline]
    pub fn jumps(&self, point: Point) -> &[Jump] {
        let i = point.index();
        &self.jumps[self.jump_starts[i] as usize..self.jump_starts[i + 1] as usize]
    }

    /// All jump lines, each once though it can be leapt both ways.
    #[inline]
    pub fn jump_lines(&self) -> &[JumpLine] {
        &self.jump_lines
    }

    /// Number of lines between neighbours.
    pub fn edge_count(&self) -> usize {
        self.neighbours.iter().map(|set| set.len() as usize).sum::<usize>() / 2
    }

    /// Number of jump lines, each counted once though it can be leapt both ways.
    pub fn jump_count(&self) -> usize {
        self.jump_lines.len()
    }

    /// Whether turning every row round, left to right, gives the same board.
    pub fn is_symmetric(&self) -> bool {
        self.mirror.is_some()
    }

    /// The mirror image of a point; `None` where the board is not symmetric.
    pub fn mirrored(&self, point: Point) -> Option<Point> {
        self.mirror.as_ref().map(|image| image[point.index()])
    }

    /// The mirror image of a set; `None` where the board is not symmetric.
    pub fn mirrored_set(&self, set: PointSet) -> Option<PointSet> {
        let image = self.mirror.as_ref()?;
        Some(set.into_iter().map(|point| image[point.index()]).collect())
    }

    /// Where the points lie in a drawing.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The point with this name, a row letter and a place from 1 (`b3`).
    pub fn point(&self, name: &str) -> Option<Point> {
        let [letter @ b'a'..=b'z', digit @ b'1'..=b'9'] = *name.as_bytes() else { return None };
        let (row, place) = (usize::from(letter - b'a'), usize::from(digit - b'1'));
        if row < self.rows.len() && place < self.rows[row] { self.row(row).nth(place) } else { None }
    }

    /// The name of a point: row letter and place, `b3`.
    pub fn point_name(&self, point: Point) -> String {
        let mut place = point.index();
        for (letter, &length) in (b'a'..).zip(&self.rows) {
            if place < length {
                return format!("{}{}", char::from(letter), place + 1);
            }
            place -= length;
        }
        format!("{point:?}") // not a point of this board
    }

    /// Names of all members of a set, with blanks between.
    pub fn set_names(&self, set: PointSet) -> String {
        set.into_iter().map(|point| self.point_name(point)).collect::<Vec<_>>().join(" ")
    }

    /// The usual start of `count` leopards: symmetric, as near the apex as can be. An odd one stands on the
    /// middle of the first row that has a middle; the others in pairs, the innermost of the highest rows
    /// below the apex first (the sources' own starts: Hat on the apex, Pulijudam on the apex and two points
    /// below).
    ///
    /// Gives fewer points only where the board has fewer.
    pub fn default_start(&self, count: usize) -> PointSet {
        let mut start = PointSet::EMPTY;
        let rows: Vec<Vec<Point>> = (0..self.rows.len()).map(|row| self.row(row).collect()).collect();
        if count % 2 == 1
            && let Some(row) = rows.iter().find(|row| row.len() % 2 == 1)
        {
            start = start.with(row[row.len() / 2]);
        }
        let pairs =
            rows.iter().flat_map(|row| (0..row.len() / 2).rev().map(|i| (row[i], row[row.len() - 1 - i])));
        for (left, right) in pairs {
            if start.len() as usize + 2 <= count {
                start = start.with(left).with(right);
            }
        }
        for point in self.points() {
            if (start.len() as usize) < count {
                start = start.with(point);
            }
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[usize], lines: &[&str]) -> Result<Board, BoardError> {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Board::new("test", &BoardData { rows: rows.to_vec(), lines, columns: None })
    }

    fn message(rows: &[usize], lines: &[&str]) -> String {
        board(rows, lines).unwrap_err().to_string()
    }

    #[test]
    fn faults_name_the_line() {
        let cases: [(&[usize], &[&str], &str); 11] = [
            (&[], &[], "rows: expected 1 to 26 rows"),
            (&[1, 10], &[], "rows: expected 1 to 26 rows"),
            (&[9, 9, 9, 9], &[], "rows: 36 points, expected 2 to 32"),
            (&[1], &[], "rows: 1 points, expected 2 to 32"),
            (&[1, 2], &["a1 b1", "a1 b3"], "line 2 \"a1 b3\": no point \"b3\""),
            (&[1, 2], &["a1"], "line 1 \"a1\": a line needs two points"),
            (&[1, 2], &["a1 b1 a1"], "line 1 \"a1 b1 a1\": a1 stands twice"),
            (&[1, 2], &["a1 b1 b2", "b2 b1"], "line 2 \"b2 b1\": b2 and b1 are neighbours in another line"),
            (
                &[1, 2],
                &["a1 b1 b2", "b2 a1"],
                "line 1 \"a1 b1 b2\": from a1 to b2 there would be both a step and",
            ),
            (
                &[1, 2, 1],
                &["a1 b1 c1", "a1 b2 c1"],
                "line 2 \"a1 b2 c1\": from a1 to c1 there would be leaps",
            ),
            (&[1, 3], &["a1 b1", "b2 b3"], "not connected: no lines lead from a1 to b2"),
        ];
        for (rows, lines, expected) in cases {
            let message = message(rows, lines);
            assert!(message.contains(expected), "{message} lacks {expected}");
        }
    }

    #[test]
    fn a_lopsided_board_has_no_mirror() {
        let lopsided = board(&[1, 2], &["a1 b1", "b1 b2"]).unwrap();
        assert!(!lopsided.is_symmetric());
        assert!(board(&[1, 2], &["a1 b1", "a1 b2"]).unwrap().is_symmetric());
    }

    #[test]
    fn jumps_run_both_ways_along_a_line() {
        let line = board(&[4], &["a1 a2 a3 a4"]).unwrap();
        let jumps = |name: &str| -> Vec<String> {
            let from = line.point(name).unwrap();
            line.jumps(from)
                .iter()
                .map(|j| format!("{}x{}", line.point_name(j.over), line.point_name(j.to)))
                .collect()
        };
        assert_eq!(jumps("a1"), ["a2xa3"]);
        assert_eq!(jumps("a3"), ["a2xa1"]);
        assert_eq!((line.edge_count(), line.jump_count()), (3, 2));
    }
}
