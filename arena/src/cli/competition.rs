//! What matches and tests share: engines that play each other from both sides.

use super::run_args::{OpeningArgs, OutputArgs, RunArgs};
use crate::config::{EngineConfig, Limit, TimeControl, read_engine_file};
use crate::schedule::{Order, Plan, Player, Setting};
use anyhow::bail;
use engine::game_args::GameArgs;
use std::path::PathBuf;
use std::time::Duration;

/// The limit of engines that are given none.
const DEFAULT_LIMIT: Limit = Limit::Nodes(10_000);

#[derive(Debug, clap::Args)]
pub(super) struct CompetitionArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Number of dogs
    #[arg(long, value_name = "N", help_heading = "Game")]
    dogs: Option<u8>,
    /// An engine, given twice or more: name=…,cmd=…,args=…,nodes=…|depth=…|level=…|movetime=…|tc=…,option.NAME=VALUE
    #[arg(long, value_name = "SPEC", help_heading = "Engines")]
    engine: Vec<EngineConfig>,
    /// TOML file with engines
    #[arg(long, value_name = "FILE", help_heading = "Engines")]
    engines: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    openings: OpeningArgs,
    #[command(flatten)]
    pub(super) run: RunArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// The limit of engines that have none of their own.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
#[command(next_help_heading = "Engines")]
struct LimitArgs {
    /// Nodes for a move, for engines without a limit of their own [default: 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies searched for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    depth: Option<u64>,
    /// Level of the engine (its option Level), from 0 to 20, within 100,000 nodes for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=20))]
    level: Option<u8>,
    /// Time for a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// A clock for the game and an increment for each move, in seconds: 10+0.1
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<TimeControl>,
}

impl LimitArgs {
    fn limit(&self) -> Limit {
        let nodes =
            self.nodes.map(Limit::Nodes).or(self.depth.map(Limit::Depth)).or(self.level.map(Limit::Level));
        let time = self.movetime.map(Duration::from_millis).map(Limit::MoveTime);
        nodes.or(time).or(self.tc.map(Limit::Clock)).unwrap_or(DEFAULT_LIMIT)
    }
}

impl CompetitionArgs {
    /// What is to be played, between those that `pairings` picks by the number of players.
    pub(super) fn plan(
        &self,
        pairings: fn(usize) -> Vec<[usize; 2]>,
        games: u64,
        stopping: String,
    ) -> anyhow::Result<Plan> {
        let mut engines = self.engine.clone();
        if let Some(path) = &self.engines {
            engines.extend(read_engine_file(path)?);
        }
        if engines.len() < 2 {
            bail!(
                "{} given: a match needs two engines or more (--engine SPEC --engine SPEC, or --engines FILE)",
                engines.len()
            );
        }
        let players = players(&engines, self.limit.limit())?;
        let board_file = super::absolute(self.game.rules.board_file.as_deref())?;
        let setting = Setting::new(&self.game.spec(self.dogs)?, board_file.as_deref())?;
        let settings = vec![setting];
        Ok(Plan {
            openings: self.openings.openings(&settings, self.run.seed)?,
            adjudication: self.run.adjudication()?,
            order: Order::Pairings { pairings: pairings(players.len()), games },
            engines,
            players,
            settings,
            seed: self.run.seed,
            max_plies: self.run.max_plies(),
            stopping,
        })
    }
}

/// A player for each engine. Those without a name are told apart by their limits, and where these are the
/// same, by numbers.
fn players(engines: &[EngineConfig], default_limit: Limit) -> anyhow::Result<Vec<Player>> {
    let mut players: Vec<Player> = Vec::with_capacity(engines.len());
    for (engine, config) in engines.iter().enumerate() {
        let limit = config.limit.unwrap_or(default_limit);
        let is_taken = |name: &str| players.iter().any(|player| player.name == name);
        let name = match &config.name {
            Some(name) if is_taken(name) => {
                bail!("two engines are called \"{name}\": give each its own name")
            }
            Some(name) => name.clone(),
            None => {
                let name = format!("{} {limit}", config.base_name());
                let numbered = (2..).map(|number| format!("{name} #{number}"));
                std::iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
            }
        };
        players.push(Player { name, engine, limit });
    }
    Ok(players)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_without_names_are_told_apart() {
        let names = |specs: &[&str]| {
            let engines: Vec<EngineConfig> = specs.iter().map(|spec| spec.parse().unwrap()).collect();
            players(&engines, Limit::Depth(2)).map(|all| all.into_iter().map(|p| p.name).collect::<Vec<_>>())
        };
        let given = names(&["nodes=10", "nodes=20", "nodes=10", "", "name=a"]).unwrap();
        assert_eq!(given, ["koti nodes=10", "koti nodes=20", "koti nodes=10 #2", "koti depth=2", "a"]);
        let error = names(&["name=a", "name=a,nodes=1"]).unwrap_err().to_string();
        assert!(error.starts_with("two engines are called \"a\""), "{error}");
    }
}
