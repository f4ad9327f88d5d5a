//! Engines and limits as a person gives them: on the command line or in a file.

mod adjudication;
mod engine;
mod file;
mod limit;
mod spec;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use engine::{EngineConfig, EngineError, LEVEL_OPTION, Program};
pub use file::{FileError, read_engine_file};
pub use limit::{LEVEL_NODES, Limit, LimitError, TimeControl};
