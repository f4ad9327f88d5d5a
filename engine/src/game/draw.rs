//! Pictures of a board in text.

use super::board::Board;
use super::point::{Point, PointSet};
use super::position::Position;
use super::rules::{Rules, counted};
use super::side::Side;
use std::fmt::Write as _;

/// A grid of characters.
struct Canvas {
    lines: Vec<Vec<char>>,
}

impl Canvas {
    fn new((width, height): (i32, i32)) -> Self {
        Self { lines: vec![vec![' '; width as usize]; height as usize] }
    }

    fn put(&mut self, (x, y): (i32, i32), symbol: char) {
        self.lines[y as usize][x as usize] = symbol;
    }

    /// A line between two places, without its ends.
    fn connect(&mut self, a: (i32, i32), b: (i32, i32)) {
        let ((ax, ay), (bx, by)) = if (a.1, a.0) <= (b.1, b.0) { (a, b) } else { (b, a) };
        if ay == by {
            for x in ax + 1..bx {
                self.put((x, ay), '-');
            }
            return;
        }
        let symbol = match (bx - ax).signum() {
            0 => '|',
            1 => '\\',
            _ => '/',
        };
        for y in ay + 1..by {
            // Rounded half away from zero, so that mirror images stay mirror images.
            let (run, rise, step) = (bx - ax, by - ay, y - ay);
            let shift = (2 * run.abs() * step + rise) / (2 * rise) * run.signum();
            self.put((ax + shift, y), symbol);
        }
    }
}

impl Board {
    /// The board in text, a symbol for each point, with its lines; the row letters stand on the left.
    pub fn drawing(&self, symbol: impl Fn(Point) -> char) -> String {
        let layout = self.layout();
        let mut canvas = Canvas::new(layout.size());
        for point in self.points() {
            for neighbour in self.neighbours(point) {
                canvas.connect(layout.place(point), layout.place(neighbour));
            }
        }
        let mut letters = vec![' '; canvas.lines.len()];
        for (letter, row) in ('a'..).zip(0..self.rows().len()) {
            for point in self.row(row) {
                canvas.put(layout.place(point), symbol(point));
                letters[layout.place(point).1 as usize] = letter;
            }
        }
        let line = |(letter, line): (&char, &Vec<char>)| {
            format!("{letter}  {}", line.iter().collect::<String>()).trim_end().to_owned() + "\n"
        };
        letters.iter().zip(&canvas.lines).map(line).collect()
    }

    /// The board in text with its pieces: `L` leopard, `d` dog, `.` vacant.
    pub fn pieces_drawing(&self, dogs: PointSet, leopards: PointSet) -> String {
        self.drawing(|point| {
            if leopards.contains(point) {
                'L'
            } else if dogs.contains(point) {
                'd'
            } else {
                '.'
            }
        })
    }
}

impl Rules {
    /// A position in text: the board, and a line that says who moves and what is in hand and captured.
    pub fn position_drawing(&self, position: &Position) -> String {
        let mut text = self.board().pieces_drawing(position.dogs(), position.leopards());
        let side = match position.side_to_move() {
            Side::Dogs => "Dogs",
            Side::Leopards => "Leopards",
        };
        let leopards_in_hand = match position.leopards_in_hand() {
            0 => String::new(),
            n => format!(" and {}", counted(n.into(), "leopard")),
        };
        let _ = writeln!(
            text,
            "\n{side} to move. In hand: {}{leopards_in_hand}. Captured: {} of {} that win. Quiet plies: {}.",
            counted(position.dogs_in_hand().into(), "dog"),
            position.captured(),
            self.captures_to_win(),
            position.quiet(),
        ); // to a String: cannot fail
        text
    }
}
