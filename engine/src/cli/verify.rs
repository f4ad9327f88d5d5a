//! `engine verify`: proves a table file.

use super::solve::stop_flag;
use crate::tables::{Table, Verifier, entries};
use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Debug, clap::Args)]
pub(super) struct VerifyArgs {
    /// Table file
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// Check this many random positions only
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 1909)]
    seed: u64,
    /// Threads to use [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let begin = Instant::now();
    let table = Table::open(&args.table)?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let verifier = Verifier::new(&table, args.threads.unwrap_or_else(cores).get())?;
    let stop = stop_flag()?;
    let wrong = || format!("table {}", args.table.display());
    let mut out = std::io::stdout().lock();
    if let Some(count) = args.sample {
        let count = verifier.verify_sample(count, args.seed, &stop).with_context(wrong)?;
        writeln!(out, "{}: {count} random positions are right", args.table.display())?;
        return Ok(());
    }
    let bar = ProgressBar::new(entries(&table));
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:20} {percent}%, {eta} left") {
        bar.set_style(style);
    }
    let progress = |hand: usize, compared: u64| {
        bar.set_message(format!("{hand} dogs in hand"));
        bar.set_position(compared);
    };
    let result = verifier.verify_all(&progress, &stop);
    bar.finish_and_clear();
    let count = result.with_context(wrong)?;
    let seconds = begin.elapsed().as_secs_f64();
    writeln!(out, "{}: all {count} entries are right ({seconds:.0} s)", args.table.display())?;
    Ok(())
}
