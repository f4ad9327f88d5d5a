//! The flags that all runs share.

use crate::clock::Patience;
use crate::output::{Claim, DirectoryError, OutputDirectory};
use crate::schedule::Shard;
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
    /// Leave the columns of milliseconds empty, so that equal runs give equal files
    #[arg(long)]
    pub(super) no_times: bool,
    /// The result as JSON on standard output, instead of tables
    #[arg(long)]
    pub(super) json: bool,
    /// No heading and no progress, only the result
    #[arg(long)]
    pub(super) quiet: bool,
}

impl OutputArgs {
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

    /// Games at a time.
    pub(super) fn workers(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.concurrency.map_or_else(processors, usize::from)
    }

    pub(super) const fn patience(&self) -> Patience {
        Patience { margin: Duration::from_millis(self.time_margin), stall: self.timeout }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds, such as 60 or 0.5".to_owned())
}
