//! Counts, scores, intervals, differences in strength, sequential tests. No I/O.

mod elo;
mod normal;
mod pairs;
mod sprt;
mod tally;
mod wilson;

pub use elo::{Estimate, Strength, elo_of_score, score_of_elo, strength};
pub use pairs::Pairs;
pub use sprt::{EloModel, Sprt, SprtError, Verdict};
pub use tally::{Outcomes, Tallies, Tally};
pub use wilson::{Interval, wilson};
