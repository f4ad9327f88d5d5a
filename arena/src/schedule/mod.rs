//! Which games are played, by whom and from which openings: all of it follows from the plan and the number
//! of a game, so that any part of a run can be played anywhere and in any order. No I/O.

mod fingerprint;
mod opening;
mod order;
mod seed;
mod setting;
mod shard;

pub use opening::{MAX_OPENINGS, Opening, Openings, all_openings, random_opening};
pub use order::{Cell, GameTask, Order, gauntlet, round_robin};
pub use seed::{Purpose, derive};
pub use setting::{OptionValue, Setting};
pub use shard::Shard;

use crate::config::{Adjudication, EngineConfig, Limit};

/// Who plays: an engine, and how long it may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// What the player is called in files and tables.
    pub name: String,
    /// Index of its engine in the plan. Players of one engine are served by one process in each worker, so
    /// the two players of a game have different engines.
    pub engine: usize,
    /// How long it may think.
    pub limit: Limit,
}

/// A run: everything that decides which games are played and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engines; each is a process of its own in each worker.
    pub engines: Vec<EngineConfig>,
    /// The players.
    pub players: Vec<Player>,
    /// The games, in the sense of rules.
    pub settings: Vec<Setting>,
    /// Who meets whom, how often, in which order.
    pub order: Order,
    /// What all random numbers of the run come from.
    pub seed: u64,
    /// How the games begin.
    pub openings: Openings,
    /// Plies after which a game is a draw.
    pub max_plies: usize,
    /// When a game is ended before its rules do.
    pub adjudication: Adjudication,
    /// The rule by which the run may end before all games are played, in words; empty where there is none.
    pub stopping: String,
}

impl Plan {
    /// The opening of a game. Games of a pair share theirs, and so do the games of the same round of all
    /// pairings and all cells, as far as the rules of each allow the same moves: they differ in the players,
    /// not in luck.
    pub fn opening(&self, task: &GameTask) -> Opening {
        match &self.openings {
            Openings::Random(plies) => {
                let seed = derive(self.seed, Purpose::Opening, task.round);
                Opening {
                    start: None,
                    moves: random_opening(&self.settings[task.setting].rules, *plies, seed),
                }
            }
            Openings::Listed { lists, .. } => {
                let list = &lists[task.setting];
                list[(task.round % list.len() as u64) as usize].clone()
            }
        }
    }

    /// What a person should know before the run: whether openings come again.
    pub fn warnings(&self) -> Vec<String> {
        let Openings::Listed { name, lists } = &self.openings else { return Vec::new() };
        let rounds = match &self.order {
            Order::Pairings { games, .. } => games.div_ceil(2),
            Order::Sweep { games, .. } => *games,
        };
        let least = lists.iter().map(|list| list.len() as u64).min().unwrap_or(0);
        let warning = format!("openings run out: {least} ({name}) for {rounds} rounds, so they come again");
        if least < rounds { vec![warning] } else { Vec::new() }
    }

    /// The seed of a side's engine in a game.
    pub fn engine_seed(&self, task: &GameTask, side: engine::game::Side) -> u64 {
        derive(self.seed, Purpose::Engine, 2 * task.number + side.index() as u64)
    }

    /// The player of a side in a game.
    pub fn player(&self, task: &GameTask, side: engine::game::Side) -> &Player {
        &self.players[task.players[side.index()]]
    }
}
