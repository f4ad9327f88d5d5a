//! Solves games and makes tables of them.

use super::format::{EXTENSION, Header, usual_hands};
use super::index::Index;
use super::movement::Problem;
use super::solve::{Progress, SolveError, Watch};
use super::table::{Table, least_dogs};
use super::writer::Writer;
use crate::game::Rules;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// Threads to use.
    pub threads: usize,
    /// Bytes of memory that may be used; none is no limit.
    pub memory: Option<u64>,
    /// Compression level of zstd.
    pub level: i32,
}

/// Solves the game of these rules, and all that share its table, in memory.
///
/// # Errors
/// It does not fit the memory or the distances, or `stop` was set.
pub fn solve(
    rules: &Rules,
    options: &SolveOptions,
    progress: &(dyn Fn(&Progress) + Sync),
    stop: &AtomicBool,
) -> Result<Table, SolveError> {
    let writer = solve_into(Cursor::new(Vec::new()), rules, options, progress, stop)?;
    Table::from_bytes(writer.into_inner()).map_err(|error| SolveError::Io(io::Error::other(error)))
}

/// Solves and writes a table file into `dir`; gives its path. It is written beside under another name and
/// renamed at the end, so that there is never half a table.
///
/// # Errors
/// As [`solve`], and where the file cannot be written.
pub fn solve_to_file(
    dir: &Path,
    rules: &Rules,
    options: &SolveOptions,
    progress: &(dyn Fn(&Progress) + Sync),
    stop: &AtomicBool,
) -> Result<PathBuf, SolveError> {
    let path = dir.join(file_name(rules));
    let partial = path.with_extension("partial");
    let remove = |error| {
        let _ = std::fs::remove_file(&partial); // the first error is the one to tell
        error
    };
    let file = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
    let finish = |file: BufWriter<File>| {
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        std::fs::rename(&partial, &path)
    };
    let file = solve_into(file, rules, options, progress, stop).map_err(remove)?;
    finish(file).map_err(|error| remove(SolveError::Io(error)))?;
    Ok(path)
}

/// Bytes of memory that solving takes at its peak: the scores of two hands, and what there is beside them.
pub fn memory_needed(rules: &Rules) -> u64 {
    let index = Index::new(rules.board(), rules.leopards().into());
    let vector = 1u64 << index.bits();
    let scores = vector.saturating_mul(index.slot_count() as u64);
    // Each thread has a few vectors; the order of positions takes four bytes each.
    scores.saturating_mul(2).saturating_add(vector.saturating_mul(16)).saturating_add(64 << 20)
}

/// The name of the table file of some rules: board, leopards and least dogs.
pub fn file_name(rules: &Rules) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
    let board: String = rules.board().name().chars().map(plain).collect();
    format!("{board}-{}-{}.{EXTENSION}", rules.leopards(), least_dogs(rules))
}

fn solve_into<W: Write + Seek + Send>(
    file: W,
    rules: &Rules,
    options: &SolveOptions,
    progress: &(dyn Fn(&Progress) + Sync),
    stop: &AtomicBool,
) -> Result<W, SolveError> {
    check_memory(rules, options, 0)?;
    let least_dogs = least_dogs(rules);
    let problem = Problem::new(rules.board(), rules.leopards().into(), least_dogs, options.threads.max(1));
    let writer = Writer::new(file, header(rules, &problem), options.level)?;
    problem.solve(&writer, &Watch { progress, stop })?;
    Ok(writer.finish()?.0)
}

/// The header of the table of these rules, as far as it is known before the blocks.
pub(super) fn header(rules: &Rules, problem: &Problem) -> Header {
    Header {
        board: Arc::clone(rules.shared_board()),
        leopards: rules.leopards(),
        least_dogs: problem.least_dogs,
        index: problem.index.clone(),
        stored_hands: usual_hands(problem.index.free()),
        block_count: 0,
        lengths_at: 0,
        lengths_checksum: 0,
    }
}

/// Refuses what would not fit the memory that may be used.
///
/// `beside` is what is wanted beside the solution, in bytes.
pub(super) fn check_memory(rules: &Rules, options: &SolveOptions, beside: u64) -> Result<(), SolveError> {
    let limit = options.memory.unwrap_or(u64::MAX);
    let needed = memory_needed(rules).saturating_add(beside);
    if needed > limit {
        return Err(SolveError::MemoryLimit { needed: needed.div_ceil(1 << 20), limit: limit >> 20 });
    }
    Ok(())
}
