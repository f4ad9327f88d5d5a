//! What a run leaves behind and what a person sees of it.

mod balance;
mod csv_file;
mod directory;
mod earlier;
mod games;
mod merge;
mod progress;
mod report;
mod table;
mod text_table;

pub use balance::{BalanceCell, BalanceReport};
pub use csv_file::WriteError;
pub use directory::{Claim, DirectoryError, GAMES, OutputDirectory};
pub use earlier::EarlierError;
pub use games::{GamesFile, GamesFormat};
pub use merge::{MergeError, merge};
pub use progress::Progress;
pub use report::{Ending, Report, print, write_heading};
pub use table::MatchReport;
