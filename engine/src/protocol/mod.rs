//! The text protocol: the only place that reads or writes its words.

mod command;
mod options;
mod reply;
mod session;

pub use session::serve;
