//! What the tests share: a session with a program over pipes, the reference data, random games, and a slow
//! second opinion on the rules.

// Whatever goes wrong in here is the failure of the test that called it.
#![allow(clippy::missing_panics_doc)]

mod info;
mod oracle;
mod play;
mod reference;
mod session;

pub use info::Info;
pub use oracle::Oracle;
pub use play::{Walk, own_boards, walks};
pub use reference::{
    BoardText, MovementCount, Perft, Solved, data_path, movement_counts, perfts, reference_boards,
    reference_counts, root_path, solved,
};
pub use session::{Search, Session};
