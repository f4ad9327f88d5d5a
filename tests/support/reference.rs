//! The reference data of `tests/data`, read without the engine's help.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the workspace").to_owned()
}

/// A file of the reference data.
pub fn data_path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

fn rows<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = data_path(name);
    let rows = csv::Reader::from_path(&path).map(csv::Reader::into_deserialize);
    let rows = rows.and_then(Iterator::collect::<Result<Vec<T>, _>>);
    rows.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A board as its file gives it.
#[derive(Clone, Debug)]
pub struct BoardText {
    /// Its name.
    pub name: String,
    /// Points in each row.
    pub rows: Vec<usize>,
    /// Names of points along each line.
    pub lines: Vec<Vec<String>>,
}

impl BoardText {
    /// The boards of a TOML text, in its order.
    pub fn read_all(text: &str) -> Vec<Self> {
        #[derive(Deserialize)]
        struct Data {
            rows: Vec<usize>,
            lines: Vec<String>,
        }
        let table: toml::Table = toml::from_str(text).expect("boards are TOML");
        let board = |(name, value): (String, toml::Value)| {
            let Data { rows, lines } = value.try_into().unwrap_or_else(|error| panic!("{name}: {error}"));
            let words = |line: &String| line.split(' ').map(str::to_owned).collect();
            Self { name, rows, lines: lines.iter().map(words).collect() }
        };
        table.into_iter().map(board).collect()
    }

    /// Names of all points, row by row.
    pub fn points(&self) -> Vec<String> {
        let row = |(letter, &length): (char, &usize)| {
            (1..=length).map(|place| format!("{letter}{place}")).collect::<Vec<_>>()
        };
        ('a'..).zip(&self.rows).flat_map(row).collect()
    }
}

fn boards_text() -> String {
    std::fs::read_to_string(data_path("boards.toml")).expect("boards.toml can be read")
}

/// The boards of `boards.toml`, in its order.
pub fn reference_boards() -> Vec<BoardText> {
    BoardText::read_all(&boards_text())
}

/// What the comments of `boards.toml` count on each board: points, edges and jump lines.
pub fn reference_counts() -> Vec<[usize; 3]> {
    let counts = |line: &str| {
        let numbers: Vec<usize> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        <[usize; 3]>::try_from(numbers).unwrap_or_else(|_| panic!("no three counts in \"{line}\""))
    };
    boards_text()
        .lines()
        .filter(|line| line.starts_with("# ") && line.contains(" edges, "))
        .map(counts)
        .collect()
}

/// A row of `perft.csv`.
#[derive(Clone, Debug, Deserialize)]
pub struct Perft {
    /// The preset.
    pub variant: String,
    /// Its board.
    pub board: String,
    /// Where its leopards start.
    pub leopards: String,
    /// Number of dogs.
    pub dogs: u8,
    /// Plies.
    pub depth: u32,
    /// Move sequences of as many plies.
    pub leaves: u64,
}

/// The rows of `perft.csv`.
pub fn perfts() -> Vec<Perft> {
    rows("perft.csv")
}

/// A row of `movement_counts.csv`, as far as it tells of boards.
#[derive(Clone, Debug, Deserialize)]
pub struct MovementCount {
    /// The board.
    pub board: String,
    /// Number of leopards.
    pub leopards: u8,
    /// The fewest dogs that trap them somewhere.
    pub least_dogs_to_trap: u8,
}

/// The rows of `movement_counts.csv`.
pub fn movement_counts() -> Vec<MovementCount> {
    rows("movement_counts.csv")
}

/// A row of `solved.csv`: the exact value of a start.
#[derive(Clone, Debug, Deserialize)]
pub struct Solved {
    /// The board.
    pub board: String,
    /// Where the leopards start.
    pub leopards: String,
    /// The fewest dogs that trap them somewhere.
    pub least_dogs_to_trap: u8,
    /// Number of dogs.
    pub dogs: u8,
    /// Who moves first.
    pub first: String,
    /// `dogs`, `leopards` or `draw`.
    pub value: String,
    /// Plies to the end; none for a draw.
    pub plies: Option<u16>,
    /// Placements of the leopards from which the Dogs win; given where they move first.
    pub placements_dogs_win: Option<u64>,
    /// Those from which the Leopards win.
    pub placements_leopards_win: Option<u64>,
    /// Those that are draws.
    pub placements_draw: Option<u64>,
}

impl Solved {
    /// Placements won by the Dogs, by the Leopards, and drawn, where they are given.
    pub fn placements(&self) -> [Option<u64>; 3] {
        [self.placements_dogs_win, self.placements_leopards_win, self.placements_draw]
    }
}

/// The rows of `solved.csv`.
pub fn solved() -> Vec<Solved> {
    rows("solved.csv")
}
