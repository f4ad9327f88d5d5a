//! `games.csv`: a row for each game, and all that a run needs to be gone on with.

use super::csv_file::{GrowingCsv, WriteError, csv_text};
use super::directory::OutputDirectory;
use super::earlier::{EarlierError, read_earlier};
use crate::game::GameRecord;
use crate::schedule::Plan;
use engine::game::Side;
use serde::Serialize;
use std::io;

/// The games file of a run.
pub struct GamesFile {
    csv: GrowingCsv,
    format: GamesFormat,
}

/// How the rows of a run are written.
#[derive(Clone, Copy, Debug)]
pub struct GamesFormat {
    with_times: bool,
    fingerprint: u64,
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
    seed: u64,
    games: u64,
    run: String,
    start: String,
}

impl GamesFormat {
    /// The format of a plan's rows; without times the two columns of milliseconds stay empty.
    pub fn new(plan: &Plan, with_times: bool) -> Self {
        Self { with_times, fingerprint: plan.fingerprint() }
    }

    /// The row of a game; with the header before it if asked.
    pub(super) fn row(self, plan: &Plan, game: &GameRecord, header: bool) -> io::Result<Vec<u8>> {
        let setting = &plan.settings[game.task.setting];
        let rules = &setting.rules;
        let [dogs, leopards] = Side::BOTH.map(|side| plan.player(&game.task, side));
        let [dogs_ms, leopards_ms] = game.time.map(|time| self.with_times.then_some(time.as_millis()));
        let moves: Vec<String> = game.moves.iter().map(|&mv| rules.board().move_text(mv)).collect();
        let row = Row {
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
            seed: plan.seed,
            games: plan.order.len(),
            run: format!("{:016x}", self.fingerprint),
            start: game.start.map_or(String::new(), |start| rules.board().position_text(&start)),
        };
        csv_text(&[row], header)
    }
}

impl GamesFile {
    /// The games file of a directory. Where it holds games of this run already, those are handed to `take`
    /// and stay: they must be the first of `games`, in this order. A last row without an end is dropped.
    /// Nothing is changed where anything in the file is not of this run.
    ///
    /// # Errors
    /// The file holds something else, or cannot be read or written.
    pub fn open(
        directory: OutputDirectory,
        plan: &Plan,
        games: &[u64],
        format: GamesFormat,
        mut take: impl FnMut(&GameRecord),
    ) -> Result<Self, EarlierError> {
        let (path, file) = directory.into_games();
        let csv = read_earlier(path, file, plan, games, format, &mut take)?;
        Ok(Self { csv, format })
    }

    /// Appends a game; it is in the file when this returns.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, plan: &Plan, game: &GameRecord) -> Result<(), WriteError> {
        let header = !self.csv.has_header();
        self.csv.append(self.format.row(plan, game, header))
    }
}
