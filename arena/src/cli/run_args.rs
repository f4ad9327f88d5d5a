//! The flags that all runs share.

use crate::clock::Patience;
use crate::config::{Adjudication, DrawRule, ResignRule};
use crate::output::{Claim, DirectoryError, Events, Format, OutputDirectory};
use crate::process::processors;
use crate::schedule::{MAX_OPENINGS, Opening, Openings, Purpose, Setting, Shard, all_openings, derive};
use anyhow::{Context as _, bail};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub(super) struct RunArgs {
    /// Seed of all that is drawn by lot: openings, and the option Seed of engines that have it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Games at a time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Tie the engines of each game to a processor of their own, with all their threads (Linux). Several arenas on
    /// one machine need processors of their own first, as taskset gives them
    #[arg(long)]
    affinity: bool,
    /// Play only a part of the run, such as 2/8; auto takes it from a scheduler's job array, and auto/8 only
    /// which part of the 8 (`arena help merge` tells more)
    #[arg(long, value_name = "PART", value_parser = super::shard::parse, default_value = "1/1", hide_default_value = true)]
    pub(super) shard: Shard,
    /// Plies after which a game is a draw
    #[arg(long, value_name = "PLIES", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(1..))]
    max_plies: u16,
    /// How long an engine may take to get ready, and to move where its limit is not a time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    timeout: Duration,
    /// What an engine may overstep its move time or clock by
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    time_margin: u64,
    #[command(flatten)]
    adjudication: AdjudicationArgs,
}

/// How games begin.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Run")]
#[group(multiple = false)]
pub(super) struct OpeningArgs {
    /// Random plies at the start of each game
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    openings: u16,
    /// File of openings: on each line a position, or moves from the start
    #[arg(long, value_name = "FILE")]
    opening_file: Option<PathBuf>,
    /// All openings of so many plies that are different, mirror images counted once, in random order
    #[arg(long, value_name = "PLIES")]
    all_openings: Option<u16>,
}

impl OpeningArgs {
    /// The openings for each of the settings.
    pub(super) fn openings(&self, settings: &[Setting], seed: u64) -> anyhow::Result<Openings> {
        if let Some(path) = &self.opening_file {
            return read_openings(path, settings);
        }
        let Some(plies) = self.all_openings else { return Ok(Openings::Random(self.openings.into())) };
        let list = |setting: &Setting| {
            let rules = &setting.rules;
            match all_openings(rules, plies.into(), derive(seed, Purpose::Order, 0)) {
                None => bail!("--all-openings {plies}: more than {MAX_OPENINGS}: expected fewer plies"),
                Some(list) if list.is_empty() => {
                    bail!("--all-openings {plies}: every game of {} dogs is over by then", rules.dogs())
                }
                Some(list) => Ok(list),
            }
        };
        let lists = settings.iter().map(list).collect::<anyhow::Result<_>>()?;
        Ok(Openings::Listed { name: format!("all of {plies} plies"), lists })
    }
}

/// The openings of a file that fit each setting, in the order of the file. A line that is of other rules, such
/// as a position with another number of dogs, is left out where a sweep has several.
fn read_openings(path: &Path, settings: &[Setting]) -> anyhow::Result<Openings> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read opening file {}", path.display()))?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.split('#').next().unwrap_or("")));
    let lines: Vec<(usize, &str)> = lines.filter(|(_, line)| !line.trim().is_empty()).collect();
    let list = |setting: &Setting| {
        let mut faults = Vec::new();
        let mut list = Vec::new();
        for (number, line) in &lines {
            match Opening::parse(line.trim(), &setting.rules) {
                Ok(opening) => list.push(opening),
                Err(fault) => faults.push(format!("line {number}: {fault}")),
            }
        }
        let fault = faults.into_iter().next();
        match fault {
            Some(fault) if settings.len() == 1 || list.is_empty() => {
                bail!("opening file {}: {fault}", path.display())
            }
            None if list.is_empty() => bail!("opening file {}: no opening in it", path.display()),
            _ => Ok(list),
        }
    };
    let lists = settings.iter().map(list).collect::<anyhow::Result<_>>()?;
    Ok(Openings::Listed { name: format!("of {}", path.display()), lists })
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Adjudication")]
struct AdjudicationArgs {
    /// A draw where both engines' scores stay near 0: from=PLIES,moves=N,score=CP
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// A loss where both engines' scores say so: moves=N,score=CP
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Directory of tables: a game ends with its exact value once all pieces are on the board
    #[arg(long, value_name = "DIR")]
    adjudicate: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
#[allow(clippy::struct_excessive_bools)] // each is a flag
pub(super) struct OutputArgs {
    /// Directory of the results; without it a fresh one in results/
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Go on with the run in the directory, if it has begun: the games that are missing are played
    #[arg(long, requires = "out", conflicts_with = "force")]
    pub(super) resume: bool,
    /// Overwrite the results of an earlier run in the directory
    #[arg(long, requires = "out")]
    pub(super) force: bool,
    /// Leave the columns of milliseconds empty and overheads out, so that equal runs give equal results
    #[arg(long)]
    pub(super) no_times: bool,
    /// The result as JSON on standard output, instead of tables
    #[arg(long)]
    json: bool,
    /// What happens, as it happens, for a program: jsonl, a JSON object a line on standard output
    #[arg(long, value_name = "FORMAT", conflicts_with = "json", value_parser = ["jsonl"])]
    events: Option<String>,
    /// No heading and no progress, only the result
    #[arg(long)]
    pub(super) quiet: bool,
}

impl OutputArgs {
    /// How the result is told.
    pub(super) const fn format(&self) -> Format {
        match (self.json, &self.events) {
            (_, Some(_)) => Format::Event,
            (true, None) => Format::Json,
            (false, None) => Format::Tables,
        }
    }

    /// Who is told what happens.
    pub(super) const fn events(&self) -> Events {
        Events::new(self.events.is_some())
    }

    /// The directory of the results, made ready to be written to.
    pub(super) fn claim(&self, default: &Path) -> Result<OutputDirectory, DirectoryError> {
        match &self.out {
            Some(path) if self.resume => OutputDirectory::claim(path, Claim::Resume),
            Some(path) if self.force => OutputDirectory::claim(path, Claim::Overwrite),
            Some(path) => OutputDirectory::claim(path, Claim::New),
            None => OutputDirectory::claim_fresh(default),
        }
    }

    /// The directory with the games of a run to go on with, if it is to be and there are any.
    pub(super) fn existing(&self) -> Result<Option<OutputDirectory>, DirectoryError> {
        match &self.out {
            Some(path) if self.resume => OutputDirectory::existing(path),
            _ => Ok(None),
        }
    }
}

impl RunArgs {
    pub(super) fn max_plies(&self) -> usize {
        self.max_plies.into()
    }

    /// The rules by which games are ended early.
    pub(super) fn adjudication(&self) -> anyhow::Result<Adjudication> {
        let AdjudicationArgs { draw, resign, adjudicate } = &self.adjudication;
        Ok(Adjudication { draw: *draw, resign: *resign, tables: super::absolute(adjudicate.as_deref())? })
    }

    /// Games at a time.
    pub(super) fn workers(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.concurrency.map_or_else(processors, usize::from)
    }

    /// The processors that games have to themselves, if they are to; otherwise none.
    pub(super) fn processors(&self) -> anyhow::Result<Vec<usize>> {
        if !self.affinity {
            return Ok(Vec::new());
        }
        processors(self.workers()).context("--affinity")
    }

    pub(super) const fn patience(&self) -> Patience {
        Patience { margin: Duration::from_millis(self.time_margin), stall: self.timeout }
    }
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds, such as 60 or 0.5".to_owned())
}
