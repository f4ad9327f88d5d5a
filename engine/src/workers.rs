//! Jobs shared out to threads, their results in the order of the jobs.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Does the jobs 0 to `count` − 1 on `workers` threads, at least one, each with a scratch value of its own, and
/// gives their results in order: the same whatever the number of workers, if a job depends on nothing but its number.
///
/// # Errors
/// A job failed.
pub fn in_order<T: Send, S, E: Send>(
    workers: usize,
    count: usize,
    scratch: impl Fn() -> S + Sync,
    job: impl Fn(&mut S, usize) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, T)>, E> {
        let mut scratch = scratch();
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(done);
            }
            done.push((number, job(&mut scratch, number)?));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::with_capacity(count);
        for handle in handles {
            match handle.join() {
                Ok(done) => all.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok::<_, E>(all)
    })?;
    all.sort_unstable_by_key(|(number, _)| *number);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}
