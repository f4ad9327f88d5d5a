//! What the pictures share: size, fonts, the title, the legend.

use super::canvas::Canvas;
use super::raster::{Raster, label_size};
use super::typeface::Typeface;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters_backend::DrawingErrorKind;
use std::io;

/// Why a picture could not be drawn.
pub(in super::super) type PlotError = DrawingAreaErrorKind<io::Error>;
/// Where pictures are drawn.
pub(super) type Area<'a> = DrawingArea<Canvas<'a>, Shift>;

const SIZE: (u32, u32) = (960, 540);
const TITLE_HEIGHT: i32 = 62;
const LEGEND_WIDTH: u32 = 215;
/// Room for a name in a legend, right of its sign.
const LEGEND_TEXT: f32 = 170.0;
/// Height of a line of a legend, and how many there is room for.
const LEGEND_LINE: i32 = 23;
const LEGEND_LINES: usize = 19;
/// Fonts that every system has something like; no file of them is needed to draw.
pub(super) const FONT: &str = "sans-serif";
pub(super) const TEXT_SIZE: i32 = 15;

/// A picture in the formats of its files.
pub(in super::super) struct Picture {
    /// The text of an SVG file.
    pub(in super::super) svg: String,
    /// The same as a PNG file, if it was asked for.
    pub(in super::super) png: Option<Vec<u8>>,
}

/// An entry of a legend.
pub(super) enum Key {
    /// A heading.
    Heading(String),
    /// A line with a marker.
    Line(RGBColor, usize, String),
    /// A field of colour.
    Field(RGBColor, String),
}

/// Draws a picture: its title, a line below it, what `draw` puts into the rest, and a legend on the right.
pub(super) fn picture(
    title: &str,
    subtitle: &str,
    legend: &[Key],
    with_png: bool,
    draw: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> Result<Picture, PlotError> {
    let mut svg = String::new();
    let failed = |error| PlotError::BackendError(DrawingErrorKind::DrawingError(error));
    let mut bitmap = with_png.then(|| Raster::new(SIZE)).transpose().map_err(failed)?;
    {
        let area = Canvas::new(&mut svg, SIZE, bitmap.as_mut()).into_drawing_area();
        area.fill(&WHITE)?;
        let big = (FONT, 21).into_font().style(FontStyle::Bold).color(&BLACK);
        area.draw(&Text::new(title.to_owned(), (20, 12), big))?;
        let small = (FONT, TEXT_SIZE).into_font().color(&RGBColor(70, 70, 70));
        area.draw(&Text::new(subtitle.to_owned(), (20, 39), small))?;
        let (_, below) = area.split_vertically(TITLE_HEIGHT);
        let (left, right) = below.split_horizontally(SIZE.0 - LEGEND_WIDTH);
        draw(&left)?;
        draw_legend(&right, legend)?;
        area.present()?;
    }
    let png = bitmap.map(|bitmap| bitmap.png()).transpose().map_err(failed)?;
    Ok(Picture { svg, png })
}

fn draw_legend(area: &Area<'_>, keys: &[Key]) -> Result<(), PlotError> {
    let text = |bold: bool| {
        let font = (FONT, TEXT_SIZE).into_font();
        let font = if bold { font.style(FontStyle::Bold) } else { font };
        font.color(&BLACK)
    };
    let mut y = 14;
    // What there is no room for is counted.
    let shown = if keys.len() > LEGEND_LINES { LEGEND_LINES - 1 } else { keys.len() };
    for key in &keys[..shown] {
        match key {
            Key::Heading(heading) => {
                y += if y > 14 { 10 } else { 0 };
                area.draw(&Text::new(heading.clone(), (8, y), text(true)))?;
            }
            Key::Line(colour, index, name) => {
                area.draw(&PathElement::new([(8, y + 8), (32, y + 8)], colour.stroke_width(2)))?;
                draw_marker(area, (20, y + 8), *index, *colour)?;
                area.draw(&Text::new(fitted(name, LEGEND_TEXT), (40, y), text(false)))?;
            }
            Key::Field(colour, name) => {
                let corners = [(8, y), (32, y + 15)];
                area.draw(&Rectangle::new(corners, colour.filled()))?;
                area.draw(&Rectangle::new(corners, RGBColor(150, 150, 150).stroke_width(1)))?;
                area.draw(&Text::new(fitted(name, LEGEND_TEXT), (40, y), text(false)))?;
            }
        }
        y += LEGEND_LINE;
    }
    if shown < keys.len() {
        area.draw(&Text::new(format!("and {} more", keys.len() - shown), (40, y), text(false)))?;
    }
    Ok(())
}

/// A marker of its own for each of the first four lines, so that colour alone tells nothing.
pub(super) fn draw_marker(
    area: &Area<'_>,
    (x, y): (i32, i32),
    index: usize,
    colour: RGBColor,
) -> Result<(), PlotError> {
    let filled = colour.filled();
    match index % 4 {
        0 => area.draw(&Circle::new((x, y), 5, filled)),
        1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], filled)),
        2 => area.draw(&Polygon::new([(x, y - 6), (x + 6, y + 4), (x - 6, y + 4)], filled)),
        _ => area.draw(&Polygon::new([(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], filled)),
    }
}

/// How wide a text in the size of labels is, in units of the drawing. The typeface measured is a wide one: where
/// another shows an SVG file, texts are hardly wider.
fn text_width(text: &str) -> f32 {
    let wide_letter = TEXT_SIZE as f32;
    let every_letter_wide = || wide_letter * text.chars().count() as f32;
    Typeface::new(false).map_or_else(|_| every_letter_wide(), |face| face.line(text, label_size()).width)
}

/// A name made to fit into a width by leaving out its middle: engines differ in how they begin, and limits stand
/// at the end.
pub(super) fn fitted(name: &str, width: f32) -> String {
    let letters: Vec<char> = name.chars().collect();
    let kept = |count: usize| -> String {
        let (head, tail) = (count.div_ceil(2), count / 2);
        letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect()
    };
    if text_width(name) <= width {
        return name.to_owned();
    }
    (0..letters.len()).rev().map(kept).find(|text| text_width(text) <= width).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_to_fit_and_keep_both_ends() {
        assert_eq!(fitted("koti, nodes=10000", LEGEND_TEXT), "koti, nodes=10000");
        for name in ["a second engine of mine vs another, nodes=1000", &"W".repeat(300)] {
            let text = fitted(name, LEGEND_TEXT);
            assert!(text_width(&text) <= LEGEND_TEXT && text.chars().count() > 10, "{text}");
            assert!(text.starts_with(&name[..4]) && text.ends_with(&name[name.len() - 4..]), "{text}");
        }
        assert_eq!(fitted("any", 0.0), "");
    }
}
