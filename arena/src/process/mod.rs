//! A child process as a partner for lines of text: every wait has a deadline, and its end is certain.
//!
//! Each child leads a process group of its own, so that what it starts ends with it. Threads read its
//! output and wait for its exit, so that nobody ever polls; a [`Guard`] knows all groups that live and kills
//! them when the run is stopped, or when this program itself is killed.

#[cfg(not(unix))]
compile_error!("the arena needs a Unix system: it ends engines by their process groups");

mod affinity;
mod child;
mod guard;
mod lines;
mod tail;

pub use affinity::{AffinityError, processors};
pub use child::{ChildProcess, Fault, Launch};
pub use guard::{Guard, watch};
pub use lines::{Line, MAX_LINE};

/// Starts a thread that ends with its child; unlike the standard library's it does not panic.
fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}
