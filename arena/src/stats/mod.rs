//! Counts, scores and intervals. No I/O.

mod tally;
mod wilson;

pub use tally::{Outcomes, Tallies, Tally};
pub use wilson::{Interval, wilson};
