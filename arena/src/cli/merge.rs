//! `arena merge`: the parts of a run put together.

use crate::output::{GAMES, merge};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub(super) struct MergeArgs {
    /// The parts: directories of runs, or their games files
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Directory of the whole
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl MergeArgs {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let games = merge(&self.parts, &self.out)?;
        let out = self.out.display();
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "Written: {out}/{GAMES}, {games} games of {} parts", self.parts.len())?;
        writeln!(
            stdout,
            "For the summary: the run's own command, without --shard, with --resume --out {out}"
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
