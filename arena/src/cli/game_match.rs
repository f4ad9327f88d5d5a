//! `arena match`: engines against each other.

use super::competition::CompetitionArgs;
use super::execute::{Execution, interrupted};
use crate::output::MatchReport;
use crate::schedule::{Plan, gauntlet, round_robin};
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub(super) struct MatchArgs {
    #[command(flatten)]
    competition: CompetitionArgs,
    /// Games of each pairing; each opening is played twice, with the sides swapped (the last once, if the
    /// number is odd)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Run")]
    games: u64,
    /// Only the first engine meets the others
    #[arg(long, help_heading = "Run")]
    gauntlet: bool,
}

impl MatchArgs {
    /// What is to be played.
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        let pairings = if self.gauntlet { gauntlet } else { round_robin };
        self.competition.plan(pairings, self.games, String::new())
    }

    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let plan = self.plan()?;
        let report = MatchReport { plan: &plan, test: None };
        let execution = Execution {
            plan: &plan,
            run: &self.competition.run,
            output: &self.competition.output,
            tables: None,
            default_directory: "results/match",
            games_of_each: format!("{} of each pairing", self.games),
            live: &|tallies| report.live(tallies),
            is_decided: &|_| false,
        };
        let Some(executed) = execution.execute()? else { return Ok(interrupted()) };
        report.write_csv(&executed.directory, &executed.tallies)?;
        executed.print(&report, &self.competition.output)?;
        executed.close("table.csv", &self.competition.output)
    }
}
