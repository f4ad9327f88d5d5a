//! `engine verify`: proves a table file.

use super::solve::stop_flag;
use crate::tables::{MovementCount, Table, Verifier, entries};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    /// Check the positions without dogs in hand only, and count them by dogs, side and value, as CSV
    #[arg(long, conflicts_with = "sample")]
    counts: bool,
    /// Threads to use [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let begin = Instant::now();
    let table = Table::open(&args.table)?;
    let verifier = Verifier::new(&table, super::threads(args.threads))?;
    let stop = stop_flag()?;
    let mut out = std::io::stdout().lock();
    if let Some(count) = args.sample {
        let count = verifier.verify_sample(count, args.seed, &stop)?;
        writeln!(out, "{}: {count} random positions are right", args.table.display())?;
        return Ok(());
    }
    // A bar draws nothing where standard error is no terminal.
    let bar = ProgressBar::new(entries(&table));
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {bar:20} {percent}%, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let name = table.board().name();
    let progress = |hand: usize, compared: u64| {
        let rate = compared as f64 / begin.elapsed().as_secs_f64().max(0.001) / 1e6;
        let counts = format!("{} entries, {rate:.1} million a second", HumanCount(compared));
        bar.set_message(format!("{name}: {hand} dogs in hand; {counts}"));
        bar.set_position(compared);
    };
    if args.counts {
        let counts = verifier.movement_counts(&progress, &stop);
        bar.finish_and_clear();
        return write_counts(&mut out, &table, &counts?);
    }
    let result = verifier.verify_all(&progress, &stop);
    bar.finish_and_clear();
    let (count, seconds) = (result?, begin.elapsed().as_secs_f64());
    writeln!(out, "{}: all {count} entries are right ({seconds:.0} s)", args.table.display())?;
    Ok(())
}

/// Writes counts as the reference data has them.
fn write_counts(out: &mut impl Write, table: &Table, counts: &[MovementCount]) -> anyhow::Result<()> {
    writeln!(out, "board,leopards,least_dogs_to_trap,dogs_on_board,to_move,dogs_win,leopards_win,draw")?;
    let (board, leopards, least) = (table.board().name(), table.leopards(), table.least_dogs());
    for MovementCount { dogs, side, counts: [dogs_win, leopards_win, draw] } in counts {
        writeln!(out, "{board},{leopards},{least},{dogs},{side},{dogs_win},{leopards_win},{draw}")?;
    }
    Ok(())
}
