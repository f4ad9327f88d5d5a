//! `engine solve`: makes table files.

use crate::game::Rules;
use crate::game_args::GameArgs;
use crate::tables::{Progress, SolveOptions, Stage, Table, file_name, memory_needed, solve_to_file};
use anyhow::Context as _;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

#[derive(Debug, clap::Args)]
pub(super) struct SolveArgs {
    /// Number of dogs; matters only to a number of captures, as a table serves every total of dogs
    #[arg(long, value_name = "N", help_heading = "Game")]
    dogs: Option<u8>,
    /// Directory to write the table to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Solve even if the table is there already
    #[arg(long)]
    force: bool,
    /// zstd level of the table, 1 to 19
    #[arg(long, value_name = "LEVEL", default_value_t = 3, value_parser = clap::value_parser!(i32).range(1..=19))]
    level: i32,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    game: GameArgs,
}

/// What solving may use.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Effort {
    /// Threads to solve with [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// Megabytes of memory that may be used [default: what is free]
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

impl Effort {
    pub(super) fn options(self, level: i32) -> SolveOptions {
        SolveOptions {
            threads: super::threads(self.threads),
            memory: self.memory.map(|mb| mb << 20).or_else(free_memory),
            level,
        }
    }
}

/// Free memory in bytes, where the system tells.
fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kb| kb << 10)
}

/// A flag that Ctrl-C sets, so that solving ends in order.
pub(super) fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let mut first = false;
    let flag = FLAG.get_or_init(|| {
        first = true;
        Arc::default()
    });
    if first {
        let flag = Arc::clone(flag);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed)).context("cannot catch Ctrl-C")?;
    }
    Ok(Arc::clone(flag))
}

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let rules = args.game.rules(args.dogs)?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("directory {}", args.out.display()))?;
    let path = args.out.join(file_name(&rules));
    let mut out = std::io::stdout().lock();
    let is_made = || Table::open(&path).map(|table| table.serves(&rules)).context("--force makes it anew");
    if !args.force && path.exists() && is_made()? {
        writeln!(out, "{} is there already; --force solves it again", path.display())?;
        return Ok(());
    }
    let begin = Instant::now();
    let bar = SolveBar::new(&rules);
    let stop = stop_flag()?;
    let options = args.effort.options(args.level);
    let result = solve_to_file(&args.out, &rules, &options, &|step| bar.step(step), &stop);
    bar.finish();
    let path = result.with_context(|| format!("cannot make {}", path.display()))?;
    let size = std::fs::metadata(&path).map_or(0, |data| data.len());
    writeln!(
        out,
        "{}: {:.1} MB in {:.1} s, {} MB of memory",
        path.display(),
        size as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        memory_needed(&rules) >> 20
    )?;
    Ok(())
}

/// Progress of a solution, on a terminal.
pub(super) struct SolveBar {
    bar: ProgressBar,
    what: String,
    hands: u64,
    decided: AtomicU64,
    begin: Instant,
}

impl SolveBar {
    pub(super) fn new(rules: &Rules) -> Self {
        // A bar draws nothing where standard error is no terminal.
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(200));
        Self {
            bar,
            what: format!("{}, {} leopards", rules.board().name(), rules.leopards()),
            hands: u64::from(rules.board().point_count() as u8 - rules.leopards()) + 1,
            decided: AtomicU64::new(0),
            begin: Instant::now(),
        }
    }

    pub(super) fn step(&self, step: &Progress) {
        let decided = self.decided.fetch_add(step.decided, Ordering::Relaxed) + step.decided;
        let rate = decided as f64 / self.begin.elapsed().as_secs_f64().max(0.001) / 1e6;
        let counts = format!("{} positions, {rate:.1} million a second", HumanCount(decided));
        match step.stage {
            Stage::Movement { winner, round, .. } => {
                let plies = 2 * round + 1;
                self.bar.set_message(format!("{}: {winner} win in {plies} plies; {counts}", self.what));
            }
            Stage::Drops { hand } => {
                if hand == 0 {
                    self.bar.set_length(self.hands);
                    self.bar.reset_eta();
                    if let Ok(style) =
                        ProgressStyle::with_template("{spinner} {msg} {bar:20} {pos}/{len} hands, {eta} left")
                    {
                        self.bar.set_style(style);
                    }
                }
                self.bar.set_position(u64::from(hand) + 1);
                self.bar.set_message(format!("{}: {hand} dogs in hand; {counts}", self.what));
            }
        }
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
