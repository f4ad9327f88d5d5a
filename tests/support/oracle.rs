//! A second opinion on the rules: slow, and written from the text of the rules alone, without the engine.

use crate::play::own_boards;
use crate::reference::{BoardText, reference_boards};
use std::collections::BTreeMap;

/// The rules on one board, worked on position texts.
#[derive(Clone, Debug)]
pub struct Oracle {
    board: BoardText,
    captures_to_win: u32,
}

/// A position text taken apart.
struct Fields {
    pieces: BTreeMap<String, char>,
    side: char,
    dogs_in_hand: u32,
    leopards_in_hand: u32,
    captured: u32,
    quiet: u32,
}

impl Oracle {
    /// The rules on a board of the reference data or of [`own_boards`].
    pub fn new(board: &str, captures_to_win: u8) -> Self {
        let known = reference_boards().into_iter().chain(BoardText::read_all(own_boards()));
        let board = known.into_iter().find(|known| known.name == board).expect("a board of the tests");
        Self { board, captures_to_win: captures_to_win.into() }
    }

    /// Every legal move of a position, and the position it leads to.
    pub fn moves(&self, position: &str) -> BTreeMap<String, String> {
        let fields = self.read(position);
        let at = |point: &String| fields.pieces[point];
        let mut moves = BTreeMap::new();
        if fields.captured >= self.captures_to_win {
            return moves;
        }
        let (own, hand) = match fields.side {
            'd' => ('d', fields.dogs_in_hand),
            _ => ('L', fields.leopards_in_hand),
        };
        if hand > 0 {
            for point in self.board.points().iter().filter(|point| at(point) == '.') {
                moves.insert(format!("@{point}"), self.next(position, None, None, point));
            }
            return moves;
        }
        for line in &self.board.lines {
            let backwards: Vec<String> = line.iter().rev().cloned().collect();
            for line in [line, &backwards] {
                for pair in line.windows(2).filter(|pair| at(&pair[0]) == own && at(&pair[1]) == '.') {
                    moves.insert(pair.concat(), self.next(position, Some(&pair[0]), None, &pair[1]));
                }
                let leaps = |three: &&[String]| three.iter().map(at).eq(['L', 'd', '.']);
                for three in line.windows(3).filter(leaps).filter(|_| own == 'L') {
                    let [from, over, to] = three else { unreachable!("windows of three") };
                    moves.insert(format!("{from}{to}"), self.next(position, Some(from), Some(over), to));
                }
            }
        }
        moves
    }

    /// Number of move sequences of so many plies.
    pub fn perft(&self, position: &str, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => self.moves(position).values().map(|next| self.perft(next, depth - 1)).sum(),
        }
    }

    fn read(&self, position: &str) -> Fields {
        let [rows, side, hand, captured, quiet] = position.split(' ').collect::<Vec<_>>()[..] else {
            panic!("five fields in \"{position}\"")
        };
        let number = |text: &str| text.parse::<u32>().expect("a number");
        let symbols = rows.chars().filter(|&c| c != '/').flat_map(|c| match c.to_digit(10) {
            Some(vacant) => vec!['.'; vacant as usize],
            None => vec![c],
        });
        let (dogs, leopards) = hand.split_once('+').unwrap_or((hand, "0"));
        Fields {
            pieces: self.board.points().into_iter().zip(symbols).collect(),
            side: side.chars().next().expect("a side"),
            dogs_in_hand: number(dogs),
            leopards_in_hand: number(leopards),
            captured: number(captured),
            quiet: number(quiet),
        }
    }

    /// The text of the position after a move.
    fn next(&self, position: &str, from: Option<&String>, over: Option<&String>, to: &str) -> String {
        let mut fields = self.read(position);
        let piece = if fields.side == 'd' { 'd' } else { 'L' };
        fields.pieces.insert(to.to_owned(), piece);
        for left in from.into_iter().chain(over) {
            fields.pieces.insert(left.clone(), '.');
        }
        fields.quiet = if from.is_some() && over.is_none() { fields.quiet + 1 } else { 0 };
        fields.captured += u32::from(over.is_some());
        match (from, piece) {
            (Some(_), _) => {}
            (None, 'd') => fields.dogs_in_hand -= 1,
            (None, _) => fields.leopards_in_hand -= 1,
        }
        let side = if fields.side == 'd' { 'l' } else { 'd' };
        let entering = match fields.leopards_in_hand {
            0 => String::new(),
            n => format!("+{n}"),
        };
        let Fields { dogs_in_hand, captured, quiet, .. } = fields;
        format!("{} {side} {dogs_in_hand}{entering} {captured} {quiet}", self.rows(&fields.pieces))
    }

    fn rows(&self, pieces: &BTreeMap<String, char>) -> String {
        let points = self.board.points();
        let mut symbols = points.iter().map(|point| pieces[point]);
        let row = |&length: &usize| {
            let mut text = String::new();
            for symbol in symbols.by_ref().take(length) {
                let vacant = text.chars().last().and_then(|last| last.to_digit(10));
                match (symbol, vacant) {
                    ('.', Some(n)) => {
                        text.pop();
                        text.push_str(&(n + 1).to_string());
                    }
                    ('.', None) => text.push('1'),
                    _ => text.push(symbol),
                }
            }
            text
        };
        self.board.rows.iter().map(row).collect::<Vec<_>>().join("/")
    }
}
