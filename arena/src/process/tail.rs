//! The last lines of a child's standard error: what it said before it died.

use super::lines::read_lines;
use super::spawn;
use crossbeam_channel::{Receiver, bounded};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How many lines are kept.
const LINES: usize = 5;
/// How many characters of each are kept.
const CHARACTERS: usize = 300;

/// The last lines of a stream, read by a thread of its own so that the stream never fills up.
pub(super) struct Tail {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Nothing is ever sent: it disconnects when the stream has ended.
    ended: Receiver<()>,
}

impl Tail {
    pub(super) fn of(stream: impl Read + Send + 'static) -> io::Result<Self> {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let (alive, ended) = bounded(0);
        let shared = Arc::clone(&lines);
        spawn("engine errors", move || {
            let _alive: crossbeam_channel::Sender<()> = alive;
            read_lines(stream, |line| {
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == LINES {
                    kept.pop_front();
                }
                let printable = line.text.chars().map(|c| if c.is_control() { ' ' } else { c });
                kept.push_back(printable.take(CHARACTERS).collect());
                true
            });
        })?;
        Ok(Self { lines, ended })
    }

    /// The last lines, oldest first, once the stream has ended or `patience` has.
    pub(super) fn lines(&self, patience: Duration) -> Vec<String> {
        let _ = self.ended.recv_timeout(patience); // either way the lines so far are all there is
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
