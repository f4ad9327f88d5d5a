//! Exact values of whole games: solved, stored, probed, verified.

mod bits;
mod blocks;
mod bytes;
mod format;
mod index;
mod make;
mod movement;
#[cfg(test)]
mod oracle;
mod parallel;
mod plan;
mod score;
mod simd;
mod solve;
mod starts;
mod store;
mod table;
mod tail;
#[cfg(test)]
mod tests;
mod verify;
mod writer;

pub use make::{SolveOptions, file_name, memory_needed, solve, solve_to_file};
pub use solve::{Progress, SolveError, Stage};
pub use starts::Starts;
pub use store::TableStore;
pub use table::{DEFAULT_CACHE, Table, TableError};
pub use verify::{Verifier, VerifyError, entries};
