//! The results of a sweep: `balance.csv` and its table.

use super::csv_file::{WriteError, share, write_csv};
use super::report::{Ending, score_cells, write_endings};
use super::text_table::{Align, TextTable, bar};
use crate::schedule::{Cell, Plan};
use crate::stats::{Tallies, Tally};
use engine::game::Value;
use serde::Serialize;
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
    /// How the games came out.
    pub tallies: &'a Tallies,
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
    pub fn write_csv(&self, directory: &Path) -> Result<(), WriteError> {
        let none = Tally::default();
        let rows: Vec<Row<'_>> = self
            .cells
            .iter()
            .map(|cell| self.row(cell, self.tallies.cell(cell.cell).unwrap_or(&none)))
            .collect();
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

    /// Writes the table for a person: a block for each strength, a line for each number of dogs.
    ///
    /// # Errors
    /// `out` cannot be written to.
    pub fn write_table(&self, out: &mut dyn Write, ending: Ending) -> io::Result<()> {
        for block in self.cells.chunk_by(|a, b| a.cell.players == b.cell.players) {
            writeln!(out, "\n{}, {}", block[0].engine, block[0].limit)?;
            write!(out, "{}", self.block(block))?;
        }
        writeln!(out)?;
        writeln!(out, "Score: a dogs' win 1, a draw ½; in brackets its Wilson 95 % interval.")?;
        write_endings(out, self.tallies, ending)
    }

    fn block(&self, cells: &[BalanceCell]) -> TextTable {
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
            let tally = self.tallies.cell(cell.cell).unwrap_or(&none);
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
