//! The games of several runs, read from their files and counted for a report.

use super::directory::GAMES;
use crate::stats::Outcomes;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Why a run cannot be reported on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StudyError {
    #[error("cannot read {}: {fault}", path.display())]
    Read { path: PathBuf, fault: String },
    #[error("{}: no game in it", .0.display())]
    Empty(PathBuf),
}

/// The columns of a games file that a report looks at.
#[derive(Deserialize)]
struct GameRow {
    variant: String,
    board: String,
    dogs: u8,
    captures: u8,
    dogs_engine: String,
    leopards_engine: String,
    winner: String,
    reason: String,
    plies: u32,
    captured: u8,
    #[serde(default)]
    dogs_limit: String,
    #[serde(default)]
    leopards_limit: String,
}

/// The columns of a balance file that say what perfect play comes to.
#[derive(Deserialize)]
struct ExactRow {
    variant: String,
    board: String,
    dogs: u8,
    captures: u8,
    exact_value: String,
    exact_plies: String,
}

/// The games of one number of dogs at one strength.
#[derive(Clone, Debug, Default)]
pub(super) struct StudyCell {
    /// How they came out for the Dogs.
    pub(super) dogs: Outcomes,
    /// How often each length and each number of captured dogs occurred.
    pub(super) plies: BTreeMap<u32, u64>,
    pub(super) captured: BTreeMap<u8, u64>,
    /// How often each reason did.
    pub(super) reasons: BTreeMap<String, u64>,
}

/// What perfect play comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exact {
    /// `dogs`, `leopards` or `draw`.
    pub(super) value: String,
    /// Plies to the end; empty for a draw.
    pub(super) plies: String,
}

/// The games of one board with one way to count captures.
#[derive(Clone, Debug, Default)]
pub(super) struct Family {
    /// `demala on rect21`, with the captures where several numbers of them were played.
    pub(super) name: String,
    /// Engines and limits, in the order in which they first played.
    pub(super) strengths: Vec<String>,
    /// By dogs and index of the strength.
    pub(super) cells: BTreeMap<(u8, usize), StudyCell>,
    /// By dogs, as far as they are known.
    pub(super) exact: BTreeMap<u8, Exact>,
}

/// The games of a report.
#[derive(Clone, Debug, Default)]
pub struct Study {
    pub(super) runs: Vec<PathBuf>,
    pub(super) families: Vec<Family>,
}

/// Variant, board, captures, dogs.
type Game = (String, String, u8, u8);

impl Study {
    /// Reads runs: directories, or games files.
    ///
    /// # Errors
    /// A file cannot be read or is no games file; the message names it and the line.
    pub fn read(runs: &[PathBuf]) -> Result<Self, StudyError> {
        let mut strengths: Vec<String> = Vec::new();
        let mut games: BTreeMap<(Game, usize), StudyCell> = BTreeMap::new();
        let mut order: Vec<(String, String)> = Vec::new();
        let mut exact: BTreeMap<Game, Exact> = BTreeMap::new();
        for run in runs {
            let path = if run.is_dir() { run.join(GAMES) } else { run.clone() };
            let mut count = 0;
            for row in read_rows::<GameRow>(&path)? {
                count += 1;
                let strength = strength(&row);
                let index = strengths.iter().position(|known| *known == strength);
                let index = index.unwrap_or_else(|| {
                    strengths.push(strength);
                    strengths.len() - 1
                });
                let place = (row.variant.clone(), row.board.clone());
                if !order.contains(&place) {
                    order.push(place);
                }
                let game = (row.variant.clone(), row.board.clone(), row.captures, row.dogs);
                games.entry((game, index)).or_default().add(row);
            }
            if count == 0 {
                return Err(StudyError::Empty(path));
            }
            let balance = path.with_file_name("balance.csv");
            if balance.exists() {
                for row in
                    read_rows::<ExactRow>(&balance)?.into_iter().filter(|row| !row.exact_value.is_empty())
                {
                    let value = Exact { value: row.exact_value, plies: row.exact_plies };
                    exact.insert((row.variant, row.board, row.captures, row.dogs), value);
                }
            }
        }
        let families = order.iter().flat_map(|place| families(place, &strengths, &games, &exact)).collect();
        Ok(Self { runs: runs.to_vec(), families })
    }
}

/// The families of a board: one, or, where a number of dogs was played with several numbers of captures, one
/// for each number of captures.
fn families(
    place: &(String, String),
    strengths: &[String],
    games: &BTreeMap<(Game, usize), StudyCell>,
    exact: &BTreeMap<Game, Exact>,
) -> Vec<Family> {
    let of_place: Vec<_> =
        games.iter().filter(|((game, _), _)| (&game.0, &game.1) == (&place.0, &place.1)).collect();
    let mut captures_of: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    for ((game, _), _) in &of_place {
        let all = captures_of.entry(game.3).or_default();
        if !all.contains(&game.2) {
            all.push(game.2);
        }
    }
    let name = format!("{} on {}", place.0, place.1);
    let groups: Vec<Option<u8>> = if captures_of.values().all(|all| all.len() == 1) {
        vec![None]
    } else {
        let mut all: Vec<u8> = captures_of.into_values().flatten().collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(Some).collect()
    };
    let family = |captures: Option<u8>| {
        let name = captures.map_or(name.clone(), |captures| format!("{name}, {captures} captures"));
        let mut family = Family { name, ..Family::default() };
        for ((game, strength), cell) in &of_place {
            if captures.is_some_and(|captures| captures != game.2) {
                continue;
            }
            family.cells.insert((game.3, *strength), (*cell).clone());
            if let Some(value) = exact.get(game) {
                family.exact.insert(game.3, value.clone());
            }
        }
        family.keep_own_strengths(strengths);
        family
    };
    groups.into_iter().map(family).collect()
}

impl Family {
    fn keep_own_strengths(&mut self, all: &[String]) {
        let mut own: Vec<usize> = self.cells.keys().map(|key| key.1).collect();
        own.sort_unstable();
        own.dedup();
        let place = |strength: usize| own.iter().position(|known| *known == strength).unwrap_or(0);
        let cells = std::mem::take(&mut self.cells);
        self.cells =
            cells.into_iter().map(|((dogs, strength), cell)| ((dogs, place(strength)), cell)).collect();
        self.strengths = own.iter().map(|&strength| all[strength].clone()).collect();
    }

    /// The numbers of dogs that were played, from the least.
    pub(super) fn dogs(&self) -> Vec<u8> {
        let mut dogs: Vec<u8> = self.cells.keys().map(|key| key.0).collect();
        dogs.dedup();
        dogs
    }

    /// Number of games.
    pub(super) fn games(&self) -> u64 {
        self.cells.values().map(|cell| cell.dogs.games()).sum()
    }
}

impl StudyCell {
    fn add(&mut self, row: GameRow) {
        match row.winner.as_str() {
            "dogs" => self.dogs.wins += 1,
            "leopards" => self.dogs.losses += 1,
            _ => self.dogs.draws += 1,
        }
        *self.plies.entry(row.plies).or_default() += 1;
        *self.captured.entry(row.captured).or_default() += 1;
        *self.reasons.entry(row.reason).or_default() += 1;
    }
}

/// Who played, and how strongly.
fn strength(row: &GameRow) -> String {
    let both = |a: &str, b: &str| if a == b { a.to_owned() } else { format!("{a} vs {b}") };
    let engine = both(&row.dogs_engine, &row.leopards_engine);
    let limit = both(&row.dogs_limit, &row.leopards_limit);
    if limit.is_empty() { engine } else { format!("{engine}, {limit}") }
}

fn read_rows<R: for<'a> Deserialize<'a>>(path: &Path) -> Result<Vec<R>, StudyError> {
    let fail = |error: csv::Error| StudyError::Read { path: path.to_owned(), fault: error.to_string() };
    let mut reader = csv::Reader::from_path(path).map_err(fail)?;
    reader.deserialize().map(|row| row.map_err(fail)).collect()
}
