//! `arena sprt`: whether one configuration is better than another.

use super::competition::CompetitionArgs;
use super::execute::{Execution, interrupted};
use crate::output::MatchReport;
use crate::schedule::{Plan, round_robin};
use crate::stats::{EloModel, Sprt, Verdict};
use anyhow::bail;
use std::process::ExitCode;

#[derive(Debug, clap::Args)]
pub(super) struct SprtArgs {
    #[command(flatten)]
    competition: CompetitionArgs,
    #[command(flatten)]
    test: TestArgs,
    /// Games after which the test is given up as open
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..=10_000_000), help_heading = "Test")]
    games: u64,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Test")]
struct TestArgs {
    /// Difference of the first engine to the second under H0: it is no better than this
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// Difference under H1: it is at least this much better
    #[arg(long, value_name = "ELO", default_value_t = 10.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often H1 may be taken where H0 holds
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    alpha: f64,
    /// How often H0 may be taken where H1 holds
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    beta: f64,
    /// Scale of the bounds: normalized or logistic Elo
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::Normalized)]
    model: EloModel,
}

impl SprtArgs {
    /// The test, and what is to be played.
    pub(super) fn plan(&self) -> anyhow::Result<(Sprt, Plan)> {
        let TestArgs { elo0, elo1, alpha, beta, model } = self.test;
        let sprt = Sprt::new(elo0, elo1, alpha, beta, model)?;
        if !self.competition.run.shard.is_whole() {
            bail!(
                "--shard {}: a test ends when its games have decided, so it has no parts",
                self.competition.run.shard
            );
        }
        let plan = self.competition.plan(round_robin, self.games, sprt.to_string())?;
        match plan.players.len() {
            2 => Ok((sprt, plan)),
            more => bail!("{more} engines given: a test is between two"),
        }
    }

    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let (sprt, plan) = self.plan()?;
        let report = MatchReport { plan: &plan, test: Some(sprt) };
        let execution = Execution {
            plan: &plan,
            run: &self.competition.run,
            output: &self.competition.output,
            tables: None,
            default_directory: "results/sprt",
            games_of_each: format!("at most; {sprt}"),
            live: &|tallies| report.live(tallies),
            is_decided: &|tallies| sprt.verdict(&tallies.pairs(0, Some(1))) != Verdict::Open,
        };
        let Some(executed) = execution.execute()? else { return Ok(interrupted()) };
        report.write_csv(&executed.directory, &executed.tallies)?;
        executed.print(&report, &self.competition.output)?;
        executed.close("table.csv", &self.competition.output)
    }
}
