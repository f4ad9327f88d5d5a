//! The results of a sweep: `balance.csv` and its table.

use super::csv_file::{WriteError, share, write_csv};
use super::report::{Ending, Report, outcomes_json, score_cells, write_endings};
use super::text_table::{Align, TextTable, bar};
use crate::schedule::{Cell, Plan};
use crate::stats::{Tallies, Tally};
use engine::game::Value;
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;

/// Cells of text that a score of 100 % fills.
const BAR_WIDTH: usize = 20;

/// A cell of a sweep, as it is named in the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceCell {
    /// What is played, and by whom.
    pub cell: Cell,
    /// The engine, or both: `a vs b`, the Dogs' first.
    pub engine: String,
    /// Its limit, or both.
    pub limit: String,
    /// The exact value of the start, where it is known.
    pub exact: Option<Value>,
}

/// The results of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct BalanceReport<'a> {
    /// What was played.
    pub plan: &'a Plan,
    /// The cells, those of one strength together.
    pub cells: &'a [BalanceCell],
}

/// A row; its fields are the columns.
#[derive(Serialize)]
struct Row<'a> {
    variant: &'a str,
    board: &'a str,
    dogs: u8,
    captures: u8,
    engine: &'a str,
    limit: &'a str,
    games: u64,
    unique_games: u64,
    dogs_wins: u64,
    leopards_wins: u64,
    draws: u64,
    dogs_score: Option<String>,
    dogs_score_low: Option<String>,
    dogs_score_high: Option<String>,
    exact_value: Option<String>,
    exact_plies: Option<u16>,
}

impl BalanceReport<'_> {
    /// Writes `balance.csv`: a row for each cell.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_csv(&self, directory: &Path, tallies: &Tallies) -> Result<(), WriteError> {
        let none = Tally::default();
        let rows: Vec<Row<'_>> =
            self.cells.iter().map(|cell| self.row(cell, tallies.cell(cell.cell).unwrap_or(&none))).collect();
        write_csv(&directory.join("balance.csv"), &rows)
    }

    fn row<'a>(&'a self, cell: &'a BalanceCell, tally: &Tally) -> Row<'a> {
        let setting = &self.plan.settings[cell.cell.setting];
        let interval = tally.dogs.score().map(|_| tally.dogs.interval());
        Row {
            variant: &setting.variant,
            board: setting.rules.board().name(),
            dogs: setting.rules.dogs(),
            captures: setting.rules.captures_to_win(),
            engine: &cell.engine,
            limit: &cell.limit,
            games: tally.dogs.games(),
            unique_games: tally.unique_games(),
            dogs_wins: tally.dogs.wins,
            leopards_wins: tally.dogs.losses,
            draws: tally.dogs.draws,
            dogs_score: tally.dogs.score().map(share),
            dogs_score_low: interval.map(|interval| share(interval.low)),
            dogs_score_high: interval.map(|interval| share(interval.high)),
            exact_value: cell
                .exact
                .map(|value| value.winner().map_or("draw".to_owned(), |side| side.to_string())),
            exact_plies: cell.exact.and_then(Value::plies),
        }
    }

    /// The table of the games so far.
    pub fn live(&self, tallies: &Tallies) -> String {
        self.blocks(tallies)
    }

    /// A block for each strength, a line for each number of dogs.
    fn blocks(&self, tallies: &Tallies) -> String {
        let game = |cell: &BalanceCell| {
            let setting = &self.plan.settings[cell.cell.setting];
            let rules = &setting.rules;
            (setting.variant.as_str(), rules.board().name(), rules.config().captures)
        };
        let blocks = self.cells.chunk_by(|a, b| a.cell.players == b.cell.players && game(a) == game(b));
        let has_one_game = self.cells.iter().all(|cell| game(cell) == game(&self.cells[0]));
        let text = |block: &[BalanceCell]| {
            let (variant, board, captures) = game(&block[0]);
            let game = if has_one_game {
                String::new()
            } else {
                format!("; {variant} on {board}, captures {captures}")
            };
            format!("\n{}, {}{game}\n{}", block[0].engine, block[0].limit, self.block(block, tallies))
        };
        blocks.map(text).collect()
    }

    fn block(&self, cells: &[BalanceCell], tallies: &Tallies) -> TextTable {
        let mut table = TextTable::new([
            ("dogs", Align::Right),
            ("to capture", Align::Right),
            ("dogs' score %", Align::Right),
            ("", Align::Left),
            ("95 %", Align::Left),
            ("dogs win", Align::Right),
            ("draw", Align::Right),
            ("leopards win", Align::Right),
            ("different", Align::Right),
        ]);
        let none = Tally::default();
        let is_known = self.cells.iter().any(|cell| cell.exact.is_some());
        if is_known {
            table.column("exact", Align::Left);
        }
        for cell in cells {
            let rules = &self.plan.settings[cell.cell.setting].rules;
            let tally = tallies.cell(cell.cell).unwrap_or(&none);
            let [score, interval] = score_cells(tally.dogs);
            table.row([
                rules.dogs().to_string(),
                rules.captures_to_win().to_string(),
                score,
                tally.dogs.score().map_or_else(String::new, |score| bar(score, BAR_WIDTH)),
                interval,
                tally.dogs.wins.to_string(),
                tally.dogs.draws.to_string(),
                tally.dogs.losses.to_string(),
                format!("{}/{}", tally.unique_games(), tally.dogs.games()),
                cell.exact.map_or_else(String::new, |value| value.to_string()),
            ]);
        }
        table
    }
}

impl Report for BalanceReport<'_> {
    fn plan(&self) -> &Plan {
        self.plan
    }

    fn write_table(&self, out: &mut dyn Write, tallies: &Tallies, ending: Ending) -> io::Result<()> {
        writeln!(out, "{}", self.blocks(tallies))?;
        writeln!(out, "Score: a dogs' win 1, a draw ½; in brackets its Wilson 95 % interval.")?;
        write_endings(out, tallies, ending)
    }

    fn json(&self, tallies: &Tallies) -> serde_json::Value {
        let none = Tally::default();
        let cell = |cell: &BalanceCell| {
            let setting = &self.plan.settings[cell.cell.setting];
            let tally = tallies.cell(cell.cell).unwrap_or(&none);
            json!({
                "variant": setting.variant,
                "board": setting.rules.board().name(),
                "dogs": setting.rules.dogs(),
                "captures": setting.rules.captures_to_win(),
                "engine": cell.engine,
                "limit": cell.limit,
                "unique_games": tally.unique_games(),
                "for_dogs": outcomes_json(tally.dogs),
                "exact": cell.exact.map(|value| value.to_string()),
            })
        };
        json!({ "kind": "balance", "seed": self.plan.seed, "cells": self.cells.iter().map(cell).collect::<Vec<_>>() })
    }
}
