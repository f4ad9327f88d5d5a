//! The pictures of a report, as SVG and PNG.

mod axes;
mod canvas;
mod distributions;
mod frame;
mod heat;
mod palette;
mod raster;
mod reasons;
mod score;
mod typeface;

pub(super) use distributions::{captured, lengths};
pub(super) use frame::{Picture, PlotError};
pub(super) use heat::heat_map;
pub(super) use reasons::reasons;
pub(super) use score::scores;
