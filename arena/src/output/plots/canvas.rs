//! Where pictures are drawn: onto an SVG file, and a bitmap beside it where one is asked for.

use super::raster::Raster;
use plotters::prelude::SVGBackend;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::io;

type Drawn = Result<(), DrawingErrorKind<io::Error>>;

/// Draws everything twice, so that the two are the same picture.
pub(super) struct Canvas<'a> {
    svg: SVGBackend<'a>,
    bitmap: Option<&'a mut Raster>,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(svg: &'a mut String, size: (u32, u32), bitmap: Option<&'a mut Raster>) -> Self {
        Self { svg: SVGBackend::with_string(svg, size), bitmap }
    }

    fn on_bitmap(&mut self, draw: impl FnOnce(&mut Raster)) {
        if let Some(bitmap) = &mut self.bitmap {
            draw(bitmap);
        }
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.svg.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.svg.ensure_prepared()
    }

    fn present(&mut self) -> Drawn {
        self.svg.present()
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.on_bitmap(|bitmap| bitmap.rectangle([(x, y), (x + 1, y + 1)], color, true));
        self.svg.draw_pixel((x, y), color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.on_bitmap(|bitmap| bitmap.line(&[from, to], style.color(), style.stroke_width()));
        self.svg.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.on_bitmap(|bitmap| bitmap.rectangle([upper_left, bottom_right], style.color(), fill));
        self.svg.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        self.on_bitmap(|bitmap| bitmap.line(&path, style.color(), style.stroke_width()));
        self.svg.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.on_bitmap(|bitmap| bitmap.circle(center, radius, style.color(), fill));
        self.svg.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        let corners: Vec<BackendCoord> = vert.into_iter().collect();
        self.on_bitmap(|bitmap| bitmap.polygon(&corners, style.color()));
        self.svg.fill_polygon(corners, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, pos: BackendCoord) -> Drawn {
        self.on_bitmap(|bitmap| bitmap.text(text, style, pos));
        self.svg.draw_text(text, style, pos)
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<io::Error>> {
        self.svg.estimate_text_size(text, style)
    }
}
