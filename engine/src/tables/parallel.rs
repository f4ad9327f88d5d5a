//! Work shared out to threads, item by item.

use std::sync::{Mutex, PoisonError};

/// Calls `work` with each item, on `threads` threads, each with a scratch value of its own.
pub(super) fn in_parallel<T: Send, S>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) + Sync,
) {
    let items = Mutex::new(items);
    let run = || {
        let mut scratch = scratch();
        loop {
            // A thread that panics takes the whole scope with it, so a poisoned iterator is never used.
            let item = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = item else { break };
            work(&mut scratch, item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
