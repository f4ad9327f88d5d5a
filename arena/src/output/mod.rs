//! What a run leaves behind and what a person sees of it.

mod balance;
mod csv_file;
mod directory;
mod games;
mod progress;
mod report;
mod table;
mod text_table;

pub use balance::{BalanceCell, BalanceReport};
pub use csv_file::WriteError;
pub use directory::{DirectoryError, OutputDirectory};
pub use games::GamesFile;
pub use progress::Progress;
pub use report::{Ending, write_heading};
pub use table::MatchReport;
