//! `games.csv`: a row for each game.

use super::csv_file::{GrowingCsv, WriteError};
use super::directory::OutputDirectory;
use crate::game::GameRecord;
use crate::schedule::Plan;
use engine::game::Side;
use serde::Serialize;

/// The games file of a run.
pub struct GamesFile {
    csv: GrowingCsv,
    with_times: bool,
}

/// A row; its fields are the columns.
#[derive(Serialize)]
struct Row<'a> {
    game: u64,
    pair: u64,
    variant: &'a str,
    board: &'a str,
    dogs: u8,
    captures: u8,
    opening: usize,
    dogs_engine: &'a str,
    leopards_engine: &'a str,
    winner: String,
    reason: &'static str,
    plies: usize,
    captured: u8,
    dogs_ms: Option<u128>,
    leopards_ms: Option<u128>,
    dogs_nodes: u64,
    leopards_nodes: u64,
    moves: String,
    dogs_limit: String,
    leopards_limit: String,
    detail: &'a str,
}

impl GamesFile {
    /// The games file of a directory; without times its two columns of milliseconds stay empty.
    pub fn new(directory: OutputDirectory, with_times: bool) -> Self {
        let (path, file) = directory.into_games();
        Self { csv: GrowingCsv::new(path, file), with_times }
    }

    /// Appends a game; it is in the file when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, plan: &Plan, game: &GameRecord) -> Result<(), WriteError> {
        let setting = &plan.settings[game.task.setting];
        let rules = &setting.rules;
        let [dogs, leopards] = Side::BOTH.map(|side| plan.player(&game.task, side));
        let [dogs_ms, leopards_ms] = game.time.map(|time| self.with_times.then_some(time.as_millis()));
        let moves: Vec<String> = game.moves.iter().map(|&mv| rules.board().move_text(mv)).collect();
        self.csv.append(Row {
            game: game.task.number,
            pair: game.task.pair,
            variant: &setting.variant,
            board: rules.board().name(),
            dogs: rules.dogs(),
            captures: rules.captures_to_win(),
            opening: game.opening,
            dogs_engine: &dogs.name,
            leopards_engine: &leopards.name,
            winner: game.winner().map_or("draw".to_owned(), |side| side.to_string()),
            reason: game.termination.word(),
            plies: game.moves.len(),
            captured: game.captured,
            dogs_ms,
            leopards_ms,
            dogs_nodes: game.nodes[Side::Dogs.index()],
            leopards_nodes: game.nodes[Side::Leopards.index()],
            moves: moves.join(" "),
            dogs_limit: dogs.limit.to_string(),
            leopards_limit: leopards.limit.to_string(),
            detail: &game.detail,
        })
    }
}
