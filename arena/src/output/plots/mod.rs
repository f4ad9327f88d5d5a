//! The pictures of a report, as SVG.

mod distributions;
mod frame;
mod heat;
mod palette;
mod reasons;
mod score;

pub(super) use distributions::{captured, lengths};
pub(super) use frame::PlotError;
pub(super) use heat::heat_map;
pub(super) use reasons::reasons;
pub(super) use score::scores;
