//! Exact values of whole games: solved, stored, probed, verified.

mod bits;
mod bytes;
mod index;
mod movement;
#[cfg(test)]
mod oracle;
mod parallel;
mod plan;
mod score;
mod simd;
mod solve;
mod store;
mod table;
mod tail;

pub use solve::{Progress, SolveError, SolveOptions, Stage, solve};
pub use store::TableStore;
pub use table::{Table, TableError};
