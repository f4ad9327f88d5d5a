//! Exact values of whole games: solved, stored, probed, verified.
//!
//! A table serves one board, one number of leopards and one least number of dogs (with fewer the Leopards have
//! won), every number of dogs on the board and in hand, and both sides to move.
//!
//! - Solving: `index` numbers the positions (a vector for each leopard set, in it a bit or a byte for each dog
//!   set), `plan` says how leopard moves lead from vector to vector, `bits` and `bytes` are the kernels and
//!   `simd` the same for wide vectors. `movement` finds the won positions without dogs in hand, all at once and
//!   in the end (`tail`) one by one; `solve` goes on from hand to hand.
//! - Storing: `format` and `docs/table-format.md`, `writer`, `blocks`; `make` puts solving and storing together.
//! - Probing: `table`, `store`, and `starts` for the starts of games.
//! - Proving: `verify` works from the rules of the game alone; `oracle` is a slow solver for tests.
//!
//! `docs/tables.md` has the method, what it costs, and where each claim is proved.

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
pub use verify::{MovementCount, Verifier, VerifyError, VerifyProgress, entries};
