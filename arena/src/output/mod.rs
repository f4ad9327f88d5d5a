//! What a run leaves behind and what a person sees of it.

mod balance;
mod costs;
mod csv_file;
mod directory;
mod earlier;
mod events;
mod games;
mod merge;
mod pages;
mod plots;
mod progress;
mod report;
mod study;
mod table;
mod text_table;

pub use balance::{BalanceCell, BalanceReport};
pub use csv_file::WriteError;
pub use directory::{Claim, DirectoryError, GAMES, OutputDirectory};
pub use earlier::EarlierError;
pub use events::Events;
pub use games::{GamesFile, GamesFormat};
pub use merge::{MergeError, merge};
pub use pages::{ReportError, write_report};
pub use progress::Progress;
pub use report::{Ending, Format, Report, print, write_heading};
pub use study::{Study, StudyError};
pub use table::MatchReport;
