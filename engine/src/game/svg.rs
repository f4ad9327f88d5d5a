//! Pictures of a board as SVG.

use super::board::Board;
use super::layout::Layout;
use super::point::{Point, PointSet};
use std::fmt::Write as _;

/// Pixels for a column and a line of the text layout, and around the board.
const SCALE: (i32, i32) = (11, 32);
const MARGIN: i32 = 44;
const RADIUS: i32 = 13;

fn place(layout: &Layout, point: Point) -> (i32, i32) {
    let (column, line) = layout.place(point);
    (MARGIN + column * SCALE.0, MARGIN + line * SCALE.1)
}

impl Board {
    /// The board as an SVG picture with the names of its points, and leopards on some of them.
    pub fn svg(&self, leopards: PointSet) -> String {
        let layout = self.layout();
        let (columns, lines) = layout.size();
        let (width, height) = (2 * MARGIN + (columns - 1) * SCALE.0, 2 * MARGIN + (lines - 1) * SCALE.1);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
             <title>Board {}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fbf7ee\"/>\n\
             <g stroke=\"#6b5b45\" stroke-width=\"3\" stroke-linecap=\"round\">\n",
            self.name()
        );
        for from in self.points() {
            let (x1, y1) = place(layout, from);
            for to in self.neighbours(from).into_iter().filter(|&to| to > from) {
                let (x2, y2) = place(layout, to);
                // Writing to a String cannot fail, here and below.
                let _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
            }
        }
        svg.push_str("</g>\n");
        for point in self.points() {
            let (x, y) = place(layout, point);
            let (fill, ink) =
                if leopards.contains(point) { ("#e08214", "#ffffff") } else { ("#ffffff", "#3b3226") };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"{fill}\" stroke=\"#6b5b45\" stroke-width=\"2\"/>\
                 <text x=\"{x}\" y=\"{}\" font-size=\"12\" fill=\"{ink}\">{}</text>",
                y + 4,
                self.point_name(point)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
