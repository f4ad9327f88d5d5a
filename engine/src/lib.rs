//! Koti: the leopard games, their rules, a search and a text protocol.

pub mod accuracy;
pub mod cli;
pub mod exact;
pub mod fit;
pub mod game;
pub mod game_args;
pub mod protocol;
pub mod search;
pub mod tables;
pub mod workers;
