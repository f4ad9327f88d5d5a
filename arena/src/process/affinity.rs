//! Processors for games to have to themselves.

use std::collections::BTreeMap;
use std::io;

/// Why games cannot have processors of their own.
#[derive(Debug, thiserror::Error)]
pub enum AffinityError {
    /// There are not enough.
    #[error("{games} games at a time, and {processors} processors for them")]
    TooFew {
        /// Games at a time.
        games: usize,
        /// Processors that this program may use.
        processors: usize,
    },
    /// The system does not say which there are, or is none that can be asked.
    #[error("this system ties no program to a processor: {0}")]
    System(#[from] io::Error),
}

/// A processor for each of so many games: of different cores as far as they go, and only such as this program
/// may use.
///
/// # Errors
/// There are too few, or the system is not Linux.
pub fn processors(games: usize) -> Result<Vec<usize>, AffinityError> {
    let mut processors = spread(system::allowed()?);
    if processors.len() < games {
        return Err(AffinityError::TooFew { games, processors: processors.len() });
    }
    processors.truncate(games);
    Ok(processors)
}

/// Puts processors of different cores first. Each comes with a name of its core.
fn spread(processors: Vec<(usize, String)>) -> Vec<usize> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(processors.len());
    for (number, core) in processors {
        let rank = seen.entry(core).or_default();
        ranked.push((*rank, number));
        *rank += 1;
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, number)| number).collect()
}

pub(super) use system::Tied;

#[cfg(target_os = "linux")]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    /// The processors that this thread may use, each with a name of its core.
    pub(super) fn allowed() -> io::Result<Vec<(usize, String)>> {
        let set = sched_getaffinity(None)?;
        // Where the system does not tell, every processor counts as a core.
        let core = |number: usize| {
            let file = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
            std::fs::read_to_string(file).unwrap_or_else(|_| number.to_string())
        };
        Ok((0..CpuSet::MAX_CPU)
            .filter(|&number| set.is_set(number))
            .map(|number| (number, core(number)))
            .collect())
    }

    /// While it lives, this thread runs on one processor; what is started by it meanwhile stays there.
    ///
    /// So a child is tied from its first moment on, with all threads it will ever have.
    pub(in super::super) struct Tied(CpuSet);

    impl Tied {
        pub(in super::super) fn to(processor: usize) -> io::Result<Self> {
            let before = sched_getaffinity(None)?;
            let mut one = CpuSet::new();
            one.set(processor);
            sched_setaffinity(None, &one)?;
            Ok(Self(before))
        }
    }

    impl Drop for Tied {
        fn drop(&mut self) {
            let _ = sched_setaffinity(None, &self.0); // as it was: cannot be refused
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn allowed() -> io::Result<Vec<(usize, String)>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "only Linux is known to"))
    }

    pub(in super::super) struct Tied;

    impl Tied {
        pub(in super::super) fn to(_: usize) -> io::Result<Self> {
            allowed().map(|_| Self)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_come_before_their_second_threads() {
        let named =
            |pairs: [(usize, &str); 4]| pairs.map(|(number, core)| (number, core.to_owned())).to_vec();
        assert_eq!(spread(named([(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")])), [0, 2, 1, 3]);
        assert_eq!(spread(named([(0, "0,4"), (4, "0,4"), (5, "1,5"), (7, "7")])), [0, 5, 7, 4]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn more_games_than_processors_are_refused() {
        assert_eq!(processors(1).unwrap().len(), 1);
        let message = processors(5000).unwrap_err().to_string();
        assert!(message.starts_with("5000 games at a time, and "), "{message}");
    }
}
