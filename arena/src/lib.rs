//! The Koti arena: matches between engines of the leopard games, over pipes and the text protocol.
//!
//! Lowest floor first; a module uses only what stands above it here, and of the engine crate only the game
//! (`engine::game`, `engine::game_args`).
//!
//! - [`process`]: a child process, its lines, deadlines, and its certain end
//! - [`config`]: engines and limits as a person gives them
//! - [`client`]: the protocol, typed
//! - [`clock`]: what each side may think, and what it has left
//! - [`schedule`]: which games are played, by whom, from which openings
//! - [`game`]: the record of a game; why it ended apart from who won
//! - [`referee`]: legality and the end of a game, by the arena's own rules
//! - [`stats`]: counts, scores, intervals
//! - [`runner`]: workers that play the schedule
//! - [`output`]: CSV files, tables, progress
//! - [`cli`]: the command line

pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod game;
pub mod output;
pub mod process;
pub mod referee;
pub mod runner;
pub mod schedule;
pub mod stats;

/// The hidden command with which the arena's own program is the built-in engine.
pub const BUILT_IN_COMMAND: &str = "engine";
