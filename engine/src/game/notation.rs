//! Text of moves and positions.
//!
//! A move is `@b3` (a drop or an entry) or the points from and to, `b3c2`. A position is five fields, `rows
//! side hand captured quiet`: rows from the apex down joined by `/`, with `L`, `d`, and a digit for a run of
//! vacant points; `d` or `l`; dogs in hand and `+k` for leopards in hand; captured dogs; quiet plies.

use super::board::Board;
use super::moves::Move;
use super::point::{Point, PointSet};
use super::position::{Position, Setup};
use super::rules::{Rules, SetupError, counted};
use super::side::Side;
use std::fmt::Write as _;

/// Why a text names no move here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MoveError {
    #[error("\"{0}\" is no move: expected @ and a point (@b3) or two points (b3c2)")]
    Syntax(String),
    #[error("{0} is not legal here")]
    Illegal(String),
}

impl Board {
    /// Text of a move on this board.
    pub fn move_text(&self, mv: Move) -> String {
        if mv.is_drop() {
            format!("@{}", self.point_name(mv.to()))
        } else {
            format!("{}{}", self.point_name(mv.from()), self.point_name(mv.to()))
        }
    }

    /// The move that a text names on this board. Of a step and a leap only one is possible between two
    /// points; which, the board decides. Legality depends on a position: see [`Rules::parse_move`].
    ///
    /// # Errors
    /// The text is no move, or no line leads between its points.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let syntax = || MoveError::Syntax(text.to_owned());
        if let Some(name) = text.strip_prefix('@') {
            return self.point(name).map(Move::drop).ok_or_else(syntax);
        }
        let (from, to) = text.split_at_checked(2).ok_or_else(syntax)?;
        let point = |name| self.point(name).ok_or_else(syntax);
        let (from, to) = (point(from)?, point(to)?);
        if self.neighbours(from).contains(to) {
            return Ok(Move::step(from, to));
        }
        let leap = self.jumps(from).iter().find(|jump| jump.to == to);
        leap.map(|jump| Move::leap(from, jump.over, to)).ok_or_else(|| MoveError::Illegal(text.to_owned()))
    }

    /// The row lengths as one text, `1 6 4 6 4`: what a position's rows must add up to.
    fn row_lengths(&self) -> String {
        self.rows().iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
    }

    fn rows_text(&self, dogs: PointSet, leopards: PointSet) -> String {
        let mut text = String::new();
        for row in 0..self.rows().len() {
            if row > 0 {
                text.push('/');
            }
            let mut vacant = 0;
            let flush = |text: &mut String, vacant: &mut u32| {
                if *vacant > 0 {
                    let _ = write!(text, "{vacant}"); // to a String: cannot fail
                }
                *vacant = 0;
            };
            for point in self.row(row) {
                let piece = if leopards.contains(point) {
                    'L'
                } else if dogs.contains(point) {
                    'd'
                } else {
                    vacant += 1;
                    continue;
                };
                flush(&mut text, &mut vacant);
                text.push(piece);
            }
            flush(&mut text, &mut vacant);
        }
        text
    }

    fn parse_rows(&self, text: &str) -> Result<(PointSet, PointSet), String> {
        let expected = || format!("expected {} rows of {} points", self.rows().len(), self.row_lengths());
        let (mut dogs, mut leopards) = (PointSet::EMPTY, PointSet::EMPTY);
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.rows().len() {
            return Err(format!("{}, {} on board {}", counted(rows.len(), "row"), expected(), self.name()));
        }
        for ((letter, row_text), row) in ('a'..).zip(rows).zip(0..) {
            let mut points = self.row(row);
            let mut after_digit = false;
            for symbol in row_text.chars() {
                let (run, set): (usize, Option<&mut PointSet>) = match symbol {
                    'd' => (1, Some(&mut dogs)),
                    'L' => (1, Some(&mut leopards)),
                    '1'..='9' if !after_digit => (symbol as usize - '0' as usize, None),
                    '1'..='9' => {
                        return Err(format!("row {letter} has two digits side by side: expected their sum"));
                    }
                    _ => {
                        return Err(format!("\"{symbol}\" in row {letter}: expected L, d or a digit from 1"));
                    }
                };
                after_digit = set.is_none();
                let last = points.nth(run - 1);
                let last = last.ok_or_else(|| format!("row {letter} is too long: {}", expected()))?;
                if let Some(set) = set {
                    *set = set.with(last);
                }
            }
            if points.next().is_some() {
                return Err(format!("row {letter} is too short: {}", expected()));
            }
        }
        Ok((dogs, leopards))
    }

    /// The parts of a position text for this board.
    ///
    /// # Errors
    /// The field at fault and what was expected.
    pub fn parse_setup(&self, text: &str) -> Result<Setup, SetupError> {
        fn fail<T>(field: &'static str, fault: String) -> Result<T, SetupError> {
            Err(SetupError { field, fault })
        }
        fn number<T: std::str::FromStr>(
            field: &'static str,
            text: &str,
            expected: &str,
        ) -> Result<T, SetupError> {
            // `parse` alone would take a plus sign.
            let digits = text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
            digits.map_or_else(|| fail(field, format!("\"{text}\": expected {expected}")), Ok)
        }
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [rows, side, hand, captured, quiet] = fields[..] else {
            let fault =
                format!("{}, expected 5: rows side hand captured quiet", counted(fields.len(), "field"));
            return fail("position", fault);
        };
        let (dogs, leopards) = match self.parse_rows(rows) {
            Ok(sets) => sets,
            Err(fault) => return fail("rows", fault),
        };
        let side = match side {
            "d" => Side::Dogs,
            "l" => Side::Leopards,
            _ => return fail("side", format!("\"{side}\": expected d or l")),
        };
        let (dogs_hand, leopards_hand) = hand.split_once('+').map_or((hand, None), |(d, l)| (d, Some(l)));
        let expected = "the number of dogs in hand, and +k where k leopards are in hand";
        let small = |field, text, expected| {
            let n: u8 = number(field, text, expected)?;
            if usize::from(n) < super::point::MAX_POINTS {
                Ok(n)
            } else {
                fail(field, format!("\"{text}\": expected {expected}"))
            }
        };
        Ok(Setup {
            dogs,
            leopards,
            side,
            dogs_in_hand: small("hand", dogs_hand, expected)?,
            leopards_in_hand: leopards_hand.map_or(Ok(0), |text| small("hand", text, expected))?,
            captured: small("captured", captured, "the number of dogs captured")?,
            quiet: number("quiet", quiet, "a number of plies, 0 to 65535")?,
        })
    }

    /// Text of a position.
    pub fn position_text(&self, position: &Position) -> String {
        let setup = position.setup();
        let side = match setup.side {
            Side::Dogs => 'd',
            Side::Leopards => 'l',
        };
        let mut text = self.rows_text(setup.dogs, setup.leopards);
        let _ = write!(text, " {side} {}", setup.dogs_in_hand); // to a String: cannot fail
        if setup.leopards_in_hand > 0 {
            let _ = write!(text, "+{}", setup.leopards_in_hand);
        }
        let _ = write!(text, " {} {}", setup.captured, setup.quiet);
        text
    }
}

impl Rules {
    /// The position of a text, and the rules with as many dogs as it has.
    ///
    /// # Errors
    /// The field at fault and what was expected: the text is of another board, has another number of
    /// leopards, or more dogs than the board or fewer than the captures allow.
    pub fn parse_position(&self, text: &str) -> Result<(Self, Position), SetupError> {
        let setup = self.board().parse_setup(text)?;
        let dogs = setup.total_dogs();
        let rules = self
            .with_dogs(u8::try_from(dogs).unwrap_or(u8::MAX))
            .map_err(|error| SetupError { field: "hand", fault: error.to_string() })?;
        let position = rules.check(&setup)?;
        Ok((rules, position))
    }

    /// The legal move that a text names in a position.
    ///
    /// # Errors
    /// The text is no move, or the move is not legal.
    pub fn parse_move(&self, position: &Position, text: &str) -> Result<Move, MoveError> {
        let mv = self.board().parse_move(text)?;
        if position.is_legal(self, mv) { Ok(mv) } else { Err(MoveError::Illegal(text.to_owned())) }
    }
}

/// Every text that looks like a move on some board: `@` or a point, and a point.
pub fn all_move_texts(board: &Board) -> impl Iterator<Item = String> + '_ {
    let names = move || board.points().into_iter().map(|p: Point| board.point_name(p));
    let starts = std::iter::once("@".to_owned()).chain(names());
    starts.flat_map(move |from| names().map(move |to| format!("{from}{to}")))
}
