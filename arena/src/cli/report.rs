//! `arena report`: tables and pictures of runs.

use crate::output::{Study, write_report};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub(super) struct ReportArgs {
    /// The runs: directories, or their games files
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Directory of the report [default: that of the first run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Each picture as a PNG file too, for what shows no SVG
    #[arg(long)]
    png: bool,
}

impl ReportArgs {
    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let study = Study::read(&self.runs)?;
        let beside = |run: &PathBuf| {
            if run.is_dir() { run.clone() } else { run.parent().map(PathBuf::from).unwrap_or_default() }
        };
        let directory = self.out.clone().or_else(|| self.runs.first().map(beside)).unwrap_or_default();
        let files = write_report(&study, &directory, self.png)?;
        writeln!(std::io::stdout(), "Written to {}: {}", directory.display(), files.join(", "))?;
        Ok(ExitCode::SUCCESS)
    }
}
