//! Letters as outlines, from a typeface that comes with the program.

use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, FaceParsingError, OutlineBuilder};

/// Parts of `DejaVu` Sans; the licence is beside them.
const REGULAR: &[u8] = include_bytes!("../../../fonts/DejaVuSans-subset.ttf");
const BOLD: &[u8] = include_bytes!("../../../fonts/DejaVuSans-Bold-subset.ttf");

/// A typeface in one weight.
pub(super) struct Typeface(Face<'static>);

/// A line of text from x = 0 on, its baseline at y = 0, y downwards.
pub(super) struct TextLine {
    /// Its outlines; `None` where nothing is to be seen.
    pub(super) path: Option<Path>,
    /// How far it reaches.
    pub(super) width: f32,
}

impl Typeface {
    pub(super) fn new(is_bold: bool) -> Result<Self, FaceParsingError> {
        Face::parse(if is_bold { BOLD } else { REGULAR }, 0).map(Self)
    }

    /// The height of small letters in texts of a size: that of an x, as these fonts give no other.
    pub(super) fn x_height(&self, size: f32) -> f32 {
        let bounds = self.0.glyph_index('x').and_then(|x| self.0.glyph_bounding_box(x));
        bounds.map_or(0.0, |bounds| f32::from(bounds.y_max)) * self.scale(size)
    }

    /// A text in a size, in the units of the size. A letter that the typeface does not have is an empty box.
    pub(super) fn line(&self, text: &str, size: f32) -> TextLine {
        let mut pen = Pen { builder: PathBuilder::new(), x: 0.0 };
        for letter in text.chars() {
            let glyph = self.0.glyph_index(letter).unwrap_or_default();
            let _ = self.0.outline_glyph(glyph, &mut pen); // a blank has none
            pen.x += f32::from(self.0.glyph_hor_advance(glyph).unwrap_or_default());
        }
        let scale = self.scale(size);
        let path = pen.builder.finish().and_then(|path| path.transform(Transform::from_scale(scale, -scale)));
        TextLine { path, width: pen.x * scale }
    }

    fn scale(&self, size: f32) -> f32 {
        size / f32::from(self.0.units_per_em())
    }
}

/// Writes one letter after the other.
struct Pen {
    builder: PathBuilder,
    /// Where the letter begins.
    x: f32,
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.builder.move_to(self.x + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.builder.line_to(self.x + x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.builder.quad_to(self.x + x1, y1, self.x + x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.builder.cubic_to(self.x + x1, y1, self.x + x2, y2, self.x + x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signs_of_our_pictures_are_there() {
        for is_bold in [false, true] {
            let typeface = Typeface::new(is_bold).unwrap();
            for letter in "Az09 %½–…×≥αβñśДж'(),.:=[]".chars() {
                assert!(typeface.0.glyph_index(letter).is_some(), "no {letter}");
            }
            assert!(typeface.x_height(10.0) > 4.0);
        }
    }

    #[test]
    fn a_text_is_as_wide_as_its_letters_and_stands_on_its_baseline() {
        let typeface = Typeface::new(false).unwrap();
        let [one, three] = ["H", "HHH"].map(|text| typeface.line(text, 20.0));
        assert!((three.width - 3.0 * one.width).abs() < 1e-3);
        let bounds = three.path.unwrap().bounds();
        assert!(bounds.bottom().abs() < 0.1 && bounds.top() < -10.0, "{bounds:?}");
        assert!(typeface.line(" ", 20.0).path.is_none());
        assert!(typeface.line("漢", 20.0).path.is_some());
    }
}
