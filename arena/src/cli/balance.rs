//! `arena balance`: a sweep over dogs and strengths.

use super::execute::{Execution, interrupted};
use super::run_args::{OpeningArgs, OutputArgs, RunArgs};
use super::sweep::SweepArgs;
use crate::config::{EngineConfig, Limit, read_engine_file};
use crate::output::{BalanceCell, BalanceReport};
use crate::schedule::{Cell, Order, Plan, Player};
use anyhow::{anyhow, bail};
use engine::game::Value;
use engine::game_args::NumberRange;
use std::path::PathBuf;
use std::process::ExitCode;

/// Strengths where none are given, in nodes: one that sees little more than captures, one that plays well.
const DEFAULT_NODES: [u64; 2] = [100, 10_000];

#[derive(Debug, clap::Args)]
pub(super) struct BalanceArgs {
    #[command(flatten)]
    games_swept: SweepArgs,
    #[command(flatten)]
    engines: EngineArgs,
    /// Games in each cell, that is, for each number of dogs at each strength
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Run")]
    games: u64,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Directory with tables of the game, for the columns of exact values
    #[arg(long, value_name = "DIR", help_heading = "Game")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Engines")]
struct EngineArgs {
    /// Strengths, in nodes searched for a move: a range or a list [default: 100,10000]
    #[arg(long, value_name = "RANGE", conflicts_with_all = ["depth", "level"])]
    nodes: Option<NumberRange>,
    /// Strengths, in plies searched for a move: a range or a list
    #[arg(long, value_name = "RANGE", conflicts_with = "level")]
    depth: Option<NumberRange>,
    /// Strengths, in levels of the engine (its option Level) from 0 to 20, which is 100,000 nodes at full strength
    #[arg(long, value_name = "RANGE")]
    level: Option<NumberRange>,
    /// The engine of both sides: name=…,cmd=…,args=…,option.NAME=VALUE [default: the built-in engine]
    #[arg(long, value_name = "SPEC", conflicts_with_all = ["dogs_engine", "leopards_engine"])]
    engine: Option<EngineConfig>,
    /// The Dogs' engine; with a limit of its own (nodes=…) that one holds at all strengths
    #[arg(long, value_name = "SPEC")]
    dogs_engine: Option<EngineConfig>,
    /// The Leopards' engine, in the same way
    #[arg(long, value_name = "SPEC")]
    leopards_engine: Option<EngineConfig>,
    /// TOML file with the engine of both sides, or the Dogs' and then the Leopards'
    #[arg(long, value_name = "FILE", conflicts_with_all = ["engine", "dogs_engine", "leopards_engine"])]
    engines: Option<PathBuf>,
}

impl BalanceArgs {
    /// What is to be played.
    pub(super) fn plan(&self) -> anyhow::Result<Plan> {
        let engines = self.engines.sides()?;
        let (players, pairs) = self.engines.players(&engines)?;
        let settings = self.games_swept.settings()?;
        let cells_of =
            |&players: &[usize; 2]| (0..settings.len()).map(move |setting| Cell { setting, players });
        let cells = pairs.iter().flat_map(cells_of).collect();
        Ok(Plan {
            openings: self.openings.openings(&settings, self.run.seed)?,
            adjudication: self.run.adjudication()?,
            engines: engines.to_vec(),
            players,
            settings,
            order: Order::Sweep { cells, games: self.games },
            seed: self.run.seed,
            max_plies: self.run.max_plies(),
            stopping: String::new(),
        })
    }

    pub(super) fn run(&self) -> anyhow::Result<ExitCode> {
        let plan = self.plan()?;
        let tables = super::absolute(self.tables.as_deref())?;
        let cells = |exact: &[Option<Value>]| -> Vec<BalanceCell> {
            let exact = |cell: Cell| exact.get(cell.setting).copied().flatten();
            plan.order.cells().into_iter().map(|cell| named(cell, &plan.players, exact(cell))).collect()
        };
        let execution = Execution {
            plan: &plan,
            run: &self.run,
            output: &self.output,
            tables: tables.as_deref(),
            default_directory: "results/balance",
            games_of_each: format!("{} for each number of dogs at each strength", self.games),
            live: &|tallies| BalanceReport { plan: &plan, cells: &cells(&[]) }.live(tallies),
            is_decided: &|_| false,
        };
        let Some(executed) = execution.execute()? else { return Ok(interrupted()) };
        let report = BalanceReport { plan: &plan, cells: &cells(&executed.exact) };
        report.write_csv(&executed.directory, &executed.tallies)?;
        executed.print(&report, &self.output)?;
        executed.close("balance.csv", &self.output)
    }
}

fn named(cell: Cell, players: &[Player], exact: Option<Value>) -> BalanceCell {
    let [dogs, leopards] = cell.players.map(|player| &players[player]);
    let both = |a: String, b: String| if a == b { a } else { format!("{a} vs {b}") };
    BalanceCell {
        cell,
        engine: both(dogs.name.clone(), leopards.name.clone()),
        limit: both(dogs.limit.to_string(), leopards.limit.to_string()),
        exact,
    }
}

impl EngineArgs {
    /// The Dogs' engine and the Leopards'.
    fn sides(&self) -> anyhow::Result<[EngineConfig; 2]> {
        if let Some(path) = &self.engines {
            let engines = read_engine_file(path)?;
            return match engines.as_slice() {
                [both] => Ok([both.clone(), both.clone()]),
                [dogs, leopards] => Ok([dogs.clone(), leopards.clone()]),
                more => bail!(
                    "engine file {}: {} engines, expected one for both sides, or the Dogs' and the Leopards'",
                    path.display(),
                    more.len()
                ),
            };
        }
        let side =
            |own: &Option<EngineConfig>| own.clone().or_else(|| self.engine.clone()).unwrap_or_default();
        Ok([side(&self.dogs_engine), side(&self.leopards_engine)])
    }

    /// The players of both sides at each strength, and which of them meet.
    fn players(&self, engines: &[EngineConfig; 2]) -> anyhow::Result<(Vec<Player>, Vec<[usize; 2]>)> {
        let [dogs, leopards] =
            engines.each_ref().map(|config| EngineConfig { limit: None, ..config.clone() });
        if dogs != leopards && dogs.base_name() == leopards.base_name() {
            bail!("both sides' engines are called \"{}\": give each a name with name=", dogs.base_name());
        }
        let strengths = self.strengths(engines)?;
        let mut players = Vec::new();
        let mut pairs = Vec::new();
        for strength in strengths {
            pairs.push([players.len(), players.len() + 1]);
            players.extend(engines.iter().enumerate().map(|(engine, config)| Player {
                name: config.base_name(),
                engine,
                limit: config.limit.unwrap_or(strength),
            }));
        }
        Ok((players, pairs))
    }

    /// The limits that are gone through; engines with a limit of their own do not heed them.
    fn strengths(&self, engines: &[EngineConfig; 2]) -> anyhow::Result<Vec<Limit>> {
        let given = [("nodes", &self.nodes), ("depth", &self.depth), ("level", &self.level)];
        let given = given.into_iter().find_map(|(name, range)| Some((name, range.as_ref()?.0.as_slice())));
        match engines.each_ref().map(|engine| engine.limit) {
            [Some(own), Some(_)] if given.is_none() => return Ok(vec![own]),
            [Some(_), Some(_)] => bail!(
                "--nodes, --depth and --level change nothing: both sides' engines have limits of their own"
            ),
            _ => {}
        }
        let (name, numbers) = given.unwrap_or(("nodes", &DEFAULT_NODES));
        let limits = numbers.iter().filter_map(|number| Limit::parse(name, &number.to_string()));
        limits.map(|limit| limit.map_err(|error| anyhow!("--{error}"))).collect()
    }
}
