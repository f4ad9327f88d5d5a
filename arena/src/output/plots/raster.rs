//! A bitmap to draw on, for what shows no SVG.

use super::frame::TEXT_SIZE;
use super::typeface::Typeface;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, FontStyle, FontTransform};
use std::io;
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Pixels for each unit of the drawing, so that small letters stay readable.
const SCALE: f32 = 2.0;
/// The SVG files of plotters give a font's size divided by this; the two are to look the same.
const FONT_RATIO: f64 = 1.24;

/// The size of the letters that labels have in the files.
pub(super) fn label_size() -> f32 {
    (f64::from(TEXT_SIZE) / FONT_RATIO) as f32
}

/// A bitmap, white at first. What has no extent, such as a line between equal points, is not drawn.
pub(super) struct Raster {
    pixels: Pixmap,
    regular: Typeface,
    bold: Typeface,
}

impl Raster {
    /// A bitmap for a drawing of this size.
    pub(super) fn new((width, height): (u32, u32)) -> io::Result<Self> {
        let pixels = |units: u32| (units as f32 * SCALE).ceil() as u32;
        let mut pixels = Pixmap::new(pixels(width), pixels(height))
            .ok_or_else(|| io::Error::other(format!("no bitmap of {width} × {height}")))?;
        pixels.fill(Color::WHITE);
        let typeface = |is_bold| Typeface::new(is_bold).map_err(io::Error::other);
        Ok(Self { pixels, regular: typeface(false)?, bold: typeface(true)? })
    }

    /// The bitmap as a PNG file.
    pub(super) fn png(&self) -> io::Result<Vec<u8>> {
        self.pixels.encode_png().map_err(io::Error::other)
    }

    /// A line from point to point.
    pub(super) fn line(&mut self, points: &[BackendCoord], color: BackendColor, width: u32) {
        if let Some(path) = through(points, false) {
            self.stroke(&path, color, width);
        }
    }

    /// A rectangle between two corners, filled or not.
    pub(super) fn rectangle(&mut self, corners: [BackendCoord; 2], color: BackendColor, is_filled: bool) {
        let [[left, top], [right, bottom]] = corners.map(|(x, y)| [x as f32, y as f32]);
        let Some(rectangle) = Rect::from_ltrb(left, top, right, bottom) else { return };
        self.shape(&PathBuilder::from_rect(rectangle), color, is_filled);
    }

    /// A circle, filled or not.
    pub(super) fn circle(&mut self, (x, y): BackendCoord, radius: u32, color: BackendColor, is_filled: bool) {
        if let Some(circle) = PathBuilder::from_circle(x as f32, y as f32, radius as f32) {
            self.shape(&circle, color, is_filled);
        }
    }

    /// The area inside these corners.
    pub(super) fn polygon(&mut self, corners: &[BackendCoord], color: BackendColor) {
        if let Some(path) = through(corners, true) {
            self.fill(&path, color, Transform::identity());
        }
    }

    /// A text, anchored at a point and turned about it as its style says.
    pub(super) fn text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) {
        let typeface = if matches!(style.style(), FontStyle::Bold) { &self.bold } else { &self.regular };
        let size = (style.size() / FONT_RATIO) as f32;
        let line = typeface.line(text, size);
        let Some(path) = line.path else { return };
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * line.width,
            HPos::Right => -line.width,
        };
        // Of the baseline, again as in the SVG files.
        let down = match style.anchor().v_pos {
            VPos::Top => 0.76 * size,
            VPos::Center => 0.5 * typeface.x_height(size),
            VPos::Bottom => -0.5 * typeface.x_height(size),
        };
        let degrees = match style.transform() {
            FontTransform::None => 0.0,
            FontTransform::Rotate90 => 90.0,
            FontTransform::Rotate180 => 180.0,
            FontTransform::Rotate270 => 270.0,
        };
        let place = Transform::from_translate(left, down)
            .post_concat(Transform::from_rotate(degrees))
            .post_translate(x as f32, y as f32);
        self.fill(&path, style.color(), place);
    }

    fn shape(&mut self, path: &Path, color: BackendColor, is_filled: bool) {
        if is_filled {
            self.fill(path, color, Transform::identity());
        } else {
            self.stroke(path, color, 1);
        }
    }

    fn fill(&mut self, path: &Path, color: BackendColor, place: Transform) {
        let place = place.post_scale(SCALE, SCALE);
        self.pixels.fill_path(path, &paint(color), FillRule::Winding, place, None);
    }

    fn stroke(&mut self, path: &Path, color: BackendColor, width: u32) {
        let stroke = Stroke { width: width as f32, ..Stroke::default() };
        let place = Transform::from_scale(SCALE, SCALE);
        self.pixels.stroke_path(path, &paint(color), &stroke, place, None);
    }
}

fn through(points: &[BackendCoord], is_closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let mut points = points.iter().map(|&(x, y)| (x as f32, y as f32));
    let (x, y) = points.next()?;
    builder.move_to(x, y);
    points.for_each(|(x, y)| builder.line_to(x, y));
    if is_closed {
        builder.close();
    }
    builder.finish()
}

fn paint(color: BackendColor) -> Paint<'static> {
    let (red, green, blue) = color.rgb;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (color.alpha.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: BackendColor = BackendColor { alpha: 1.0, rgb: (255, 0, 0) };

    fn color_at(raster: &Raster, x: u32, y: u32) -> (u8, u8, u8) {
        let scale = SCALE as u32;
        let pixel = raster.pixels.pixel(scale * x, scale * y).unwrap();
        (pixel.red(), pixel.green(), pixel.blue())
    }

    #[test]
    fn shapes_are_where_they_are_drawn() {
        let mut raster = Raster::new((40, 40)).unwrap();
        raster.rectangle([(5, 5), (10, 10)], RED, true);
        raster.rectangle([(20, 5), (30, 15)], RED, false);
        raster.polygon(&[(5, 20), (15, 20), (15, 30), (5, 30)], BackendColor { alpha: 0.5, ..RED });
        raster.circle((30, 30), 4, RED, true);
        let (red, white) = ((255, 0, 0), (255, 255, 255));
        for (x, y, expected) in
            [(7, 7, red), (12, 7, white), (20, 10, red), (25, 10, white), (30, 30, red), (36, 36, white)]
        {
            assert_eq!(color_at(&raster, x, y), expected, "{x} {y}");
        }
        assert_eq!(color_at(&raster, 10, 25).0, 255);
        assert!((120..=136).contains(&color_at(&raster, 10, 25).1));
    }

    #[test]
    fn what_has_no_extent_does_no_harm() {
        assert!(Raster::new((0, 5)).is_err());
        let mut raster = Raster::new((4, 4)).unwrap();
        raster.line(&[], RED, 1);
        raster.line(&[(1, 1)], RED, 1);
        raster.polygon(&[(1, 1)], RED);
        raster.rectangle([(2, 2), (2, 2)], RED, true);
        raster.circle((2, 2), 0, RED, true);
        assert_eq!(color_at(&raster, 2, 2), (255, 255, 255));
        assert!(raster.png().unwrap().starts_with(b"\x89PNG"));
    }
}
