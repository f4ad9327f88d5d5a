//! Where the time of a solution goes, beside what the memory of the machine can do.
//!
//! `cargo bench -p engine --bench solve -- demala demala-23` solves the games of these presets (without a name:
//! hat-13), once without and once with a file, and tells the time of each phase: on the clock, and of all
//! processors (where the system tells), which other work on the machine hardly changes.

use engine::game::{Rules, Side, VariantSpec};
use engine::tables::{Progress, SolveOptions, Stage, Starts, memory_needed, solve_to_file};
use std::hint::black_box;
use std::io::{self, Write as _};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;
use std::time::Instant;

fn main() -> io::Result<()> {
    let mut names: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    if names.is_empty() {
        names.push("hat-13".to_owned());
    }
    let threads = available_parallelism()?.get();
    stream(threads)?;
    for name in names {
        let spec = VariantSpec { variant: Some(name.clone()), ..VariantSpec::default() };
        let rules = spec.rules().map_err(io::Error::other)?;
        let options = SolveOptions { threads, memory: None, level: 3 };
        phases(&name, &rules, &options, false)?;
        phases(&name, &rules, &options, true)?;
    }
    Ok(())
}

/// A moment: on the clock, and seconds of all processors.
#[derive(Clone, Copy)]
struct Moment(Instant, f64);

impl Moment {
    fn now() -> Self {
        // User and system time, in hundredths of a second, behind the name in brackets.
        let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Self(Instant::now(), ticks as f64 / 100.0)
    }

    fn since(self, earlier: Self) -> (f64, f64) {
        ((self.0 - earlier.0).as_secs_f64(), self.1 - earlier.1)
    }
}

fn tell(what: &str, (clock, processors): (f64, f64)) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{what:<44} {clock:7.2} s {processors:8.2} s of processors")
}

/// Copies more than any cache holds, a part in each thread.
fn stream(threads: usize) -> io::Result<()> {
    const BYTES: usize = 1 << 28;
    const ROUNDS: usize = 8;
    let begin = Moment::now();
    let fill = || {
        let (from, mut to) = (vec![1u8; BYTES], vec![2u8; BYTES]);
        for _ in 0..ROUNDS {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(fill);
        }
    });
    let time = Moment::now().since(begin);
    tell("memory copied", time)?;
    // The first filling writes both halves; a copy reads and writes.
    let moved = (threads * BYTES * (2 + 2 * ROUNDS)) as f64 / 1e9;
    let [clock, processors] = [time.0, time.1 / threads as f64].map(|seconds| moved / seconds.max(0.01));
    writeln!(io::stdout().lock(), "{clock:.1} GB/s read and written; {processors:.1} by time of processors")
}

/// Solves a game and tells what each phase took.
fn phases(name: &str, rules: &Rules, options: &SolveOptions, with_file: bool) -> io::Result<()> {
    let begin = Moment::now();
    // The phases in order, each with its end and how many steps it had.
    let ends: Mutex<Vec<(String, Moment, usize)>> = Mutex::default();
    let progress = |step: &Progress| {
        let phase = match step.stage {
            Stage::Movement { winner: Side::Dogs, dense: true, .. } => "the Dogs' wins, all words".to_owned(),
            Stage::Movement { winner: Side::Dogs, .. } => "the Dogs' wins, one by one".to_owned(),
            Stage::Movement { dense: true, .. } => "the Leopards' wins, all words".to_owned(),
            Stage::Movement { .. } => "the Leopards' wins, one by one".to_owned(),
            Stage::Drops { hand: 0..4 } => "hands 0 to 3".to_owned(),
            Stage::Drops { .. } => "the other hands".to_owned(),
        };
        let Ok(mut ends) = ends.lock() else { return };
        match ends.last_mut() {
            Some((last, end, steps)) if *last == phase => (*end, *steps) = (Moment::now(), *steps + 1),
            _ => ends.push((phase, Moment::now(), 1)),
        }
    };
    let never = AtomicBool::new(false);
    let (mut size, what) = (0, if with_file { "with its file" } else { "in memory" });
    if with_file {
        let dir = tempfile::tempdir()?;
        let path = solve_to_file(dir.path(), rules, options, &progress, &never).map_err(io::Error::other)?;
        size = std::fs::metadata(path)?.len();
    } else {
        let games = [rules.clone()];
        black_box(Starts::solve(&games, options, &progress, &never).map_err(io::Error::other)?);
    }
    let whole = Moment::now().since(begin);
    let mut last = begin;
    for (phase, end, steps) in ends.into_inner().unwrap_or_default() {
        tell(&format!("{name} {what}: {phase} ({steps})"), end.since(last))?;
        last = end;
    }
    tell(&format!("{name} {what}: all"), whole)?;
    let megabytes = memory_needed(rules) >> 20;
    writeln!(io::stdout().lock(), "{megabytes} MB of memory, {:.1} MB written", size as f64 / 1e6)
}
