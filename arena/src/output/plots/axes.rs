//! The axes of charts: where they stand, what is written at them, the lines across.

use super::canvas::Canvas;
use super::frame::{Area, FONT, PlotError, TEXT_SIZE};
use plotters::chart::MeshStyle;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// A chart with a number on either axis.
pub(super) type Chart<'a> = ChartContext<'a, Canvas<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Room for labels that are numbers of up to three digits, with the name of their axis.
const NUMBER_WIDTH: u32 = 58;

/// What two axes show.
pub(super) struct Axes<'a> {
    pub(super) x: Range<f64>,
    pub(super) x_name: &'a str,
    /// About how many labels there are along x.
    pub(super) x_labels: usize,
    pub(super) y: Range<f64>,
    pub(super) y_name: &'a str,
}

impl<'n> Axes<'n> {
    /// The axes of what is shown by the number of dogs.
    pub(super) fn by_dogs(dogs: &[u8], y: Range<f64>, y_name: &'n str) -> Self {
        let [first, last] = [dogs.first(), dogs.last()].map(|dogs| f64::from(*dogs.unwrap_or(&0)));
        Self { x: first - 0.5..last + 0.5, x_name: "number of dogs", x_labels: dogs.len() + 2, y, y_name }
    }

    /// A chart in an area with numbers along y. Nothing is drawn before [`Axes::draw`], so that something can lie
    /// below the lines across.
    pub(super) fn chart<'a>(&self, area: &Area<'a>) -> Result<Chart<'a>, PlotError> {
        self.chart_with_labels(area, NUMBER_WIDTH)
    }

    /// The same with other labels along y, and so much room for them.
    pub(super) fn chart_with_labels<'a>(&self, area: &Area<'a>, width: u32) -> Result<Chart<'a>, PlotError> {
        ChartBuilder::on(area)
            .margin_top(10)
            .margin_left(12)
            .margin_right(12)
            .margin_bottom(8)
            .x_label_area_size(46)
            .y_label_area_size(width)
            .build_cartesian_2d(self.x.clone(), self.y.clone())
    }

    /// Draws the axes with whole numbers at both and a line across at each label of y.
    pub(super) fn draw(&self, chart: &mut Chart<'_>) -> Result<(), PlotError> {
        self.mesh(chart)
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(205, 205, 205))
            .y_label_formatter(&whole)
            .draw()
    }

    /// The axes with whole numbers along x, for what there is along y to be added.
    pub(super) fn mesh<'a, 'b>(
        &self,
        chart: &'b mut Chart<'a>,
    ) -> MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, Canvas<'a>> {
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(self.x_labels)
            .x_label_formatter(&whole)
            .x_desc(self.x_name)
            .y_desc(self.y_name)
            .label_style((FONT, TEXT_SIZE))
            .axis_desc_style((FONT, TEXT_SIZE + 1));
        mesh
    }
}

/// The label of a whole number on an axis; between them none.
#[allow(clippy::trivially_copy_pass_by_ref)] // what plotters asks for
fn whole(value: &f64) -> String {
    if is_whole(*value) { format!("{value:.0}") } else { String::new() }
}

/// Whether a place on an axis is that of a whole number.
pub(super) fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6
}
