//! The parts of a run put together.

use super::directory::{Claim, DirectoryError, GAMES, OutputDirectory};
use super::earlier::fields;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Why parts do not make a whole.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum MergeError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: line {line}: {fault}", path.display())]
    Row { path: PathBuf, line: u64, fault: String },
    #[error("overlap: game {game} is in {} and in {}", first.display(), second.display())]
    Overlap { game: u64, first: PathBuf, second: PathBuf },
    #[error(
        "gap: {games} in none of the parts, of {of}; a part that was broken off is gone on with by --resume"
    )]
    Gap { games: String, of: u64 },
    #[error("{}: no game in it", .0.display())]
    Empty(PathBuf),
    #[error("mixed settings: column {column} is \"{first}\" in {} and \"{second}\" in {}", first_path.display(), second_path.display())]
    Mixed { column: String, first: String, first_path: PathBuf, second: String, second_path: PathBuf },
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Columns that are the same in all games of a run.
const COMMON: [&str; 3] = ["seed", "games", "run"];

/// Puts the games of parts together, in the order of their numbers, into the games file of a directory. The
/// parts are directories of runs, or games files. Gives the number of games.
///
/// # Errors
/// The parts overlap, leave gaps, or are not of one run: then nothing is written. Or the file cannot be.
pub fn merge(parts: &[PathBuf], directory: &Path) -> Result<u64, MergeError> {
    // Once to check, once to write: the games may be more than memory holds.
    let games = walk(parts, &mut |_| Ok(()))?;
    let (path, file) = OutputDirectory::claim(directory, Claim::New)?.into_games();
    let mut out = BufWriter::new(file);
    let write = |error| MergeError::Write { path: path.clone(), error };
    walk(parts, &mut |line| out.write_all(line).map_err(write))?;
    out.flush().map_err(write)?;
    Ok(games)
}

/// Goes through all lines, the header first, in the order in which they stand in the whole.
fn walk(parts: &[PathBuf], take: &mut dyn FnMut(&[u8]) -> Result<(), MergeError>) -> Result<u64, MergeError> {
    let mut open = parts.iter().map(|path| Part::open(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = open.first() else { return Ok(0) };
    for part in &open[1..] {
        first.assert_same_run(part)?;
    }
    let total = first.total;
    take(&first.header)?;
    // Number of the next game of each part, and which part it is.
    let mut next: BTreeMap<u64, usize> = BTreeMap::new();
    for index in 0..open.len() {
        enter(&mut next, &open, index)?;
    }
    let mut expected = 1;
    while let Some((number, index)) = next.pop_first() {
        if number != expected {
            return Err(gap(expected, number - 1, total));
        }
        expected += 1;
        take(&open[index].line)?;
        open[index].advance()?;
        enter(&mut next, &open, index)?;
    }
    if expected <= total {
        return Err(gap(expected, total, total));
    }
    Ok(total)
}

fn gap(first: u64, last: u64, of: u64) -> MergeError {
    let games =
        if first == last { format!("game {first} is") } else { format!("games {first} to {last} are") };
    MergeError::Gap { games, of }
}

fn enter(next: &mut BTreeMap<u64, usize>, open: &[Part], index: usize) -> Result<(), MergeError> {
    let Some(game) = open[index].game else { return Ok(()) };
    match next.insert(game, index) {
        None => Ok(()),
        Some(other) => Err(MergeError::Overlap {
            game,
            first: open[other].path.clone(),
            second: open[index].path.clone(),
        }),
    }
}

/// A part, read line by line.
struct Part {
    path: PathBuf,
    reader: BufReader<File>,
    header: Vec<u8>,
    columns: Vec<String>,
    /// The values of [`COMMON`], and whether there are times.
    common: Vec<String>,
    /// Games of the whole run.
    total: u64,
    /// The row that is next and its number; `None` at the end.
    line: Vec<u8>,
    game: Option<u64>,
    number: u64,
}

impl Part {
    fn open(path: &Path) -> Result<Self, MergeError> {
        let path = if path.is_dir() { path.join(GAMES) } else { path.to_owned() };
        let file = File::open(&path).map_err(|error| MergeError::Read { path: path.clone(), error })?;
        let mut part = Self {
            path,
            reader: BufReader::new(file),
            header: Vec::new(),
            columns: Vec::new(),
            common: Vec::new(),
            total: 0,
            line: Vec::new(),
            game: None,
            number: 0,
        };
        part.read_line()?;
        part.header = std::mem::take(&mut part.line);
        part.columns = fields(&part.header).map_err(|fault| part.fault(fault))?;
        if let Some(missing) =
            COMMON.iter().chain(&["game", "dogs_ms"]).find(|&&name| part.column(name).is_none())
        {
            return Err(part.fault(format!("no column \"{missing}\": expected the games of a run")));
        }
        part.advance()?;
        if part.game.is_none() {
            return Err(MergeError::Empty(part.path));
        }
        Ok(part)
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    fn fault(&self, fault: String) -> MergeError {
        MergeError::Row { path: self.path.clone(), line: self.number, fault }
    }

    fn read_line(&mut self) -> Result<(), MergeError> {
        self.line.clear();
        self.number += 1;
        let read = self.reader.read_until(b'\n', &mut self.line);
        read.map_err(|error| MergeError::Read { path: self.path.clone(), error })?;
        if !self.line.is_empty() && !self.line.ends_with(b"\n") {
            return Err(self.fault("half a row: go on with this part by --resume first".to_owned()));
        }
        Ok(())
    }

    /// Goes on to the next row.
    fn advance(&mut self) -> Result<(), MergeError> {
        let before = self.game.take();
        self.read_line()?;
        if self.line.is_empty() {
            return Ok(());
        }
        let row = fields(&self.line).map_err(|fault| self.fault(fault))?;
        if row.len() != self.columns.len() {
            return Err(self.fault(format!("{} fields, expected {}", row.len(), self.columns.len())));
        }
        let value = |name: &str| self.column(name).map_or("", |column| row[column].as_str());
        let number = |name: &str| {
            value(name).parse::<u64>().map_err(|_| self.fault(format!("{name} is \"{}\"", value(name))))
        };
        let times = if value("dogs_ms").is_empty() { "no" } else { "yes" };
        let common: Vec<String> =
            COMMON.iter().map(|name| value(name)).chain([times]).map(str::to_owned).collect();
        let (game, total) = (number("game")?, number("games")?);
        if before.is_some_and(|before| before >= game) || !(1..=total).contains(&game) {
            return Err(self.fault(format!("game {game} of {total} after game {}", before.unwrap_or(0))));
        }
        if before.is_some() && common != self.common {
            return Err(self.fault("seed, games, run or times are not those of the line before".to_owned()));
        }
        (self.common, self.total, self.game) = (common, total, Some(game));
        Ok(())
    }

    fn assert_same_run(&self, other: &Self) -> Result<(), MergeError> {
        let mixed = |column: &str, first: &str, second: &str| MergeError::Mixed {
            column: column.to_owned(),
            first: first.to_owned(),
            first_path: self.path.clone(),
            second: second.to_owned(),
            second_path: other.path.clone(),
        };
        if self.header != other.header {
            return Err(mixed("names", &self.columns.join(","), &other.columns.join(",")));
        }
        let names = COMMON.iter().copied().chain(["dogs_ms (times)"]);
        for (name, (own, others)) in names.zip(self.common.iter().zip(&other.common)) {
            if own != others {
                return Err(mixed(name, own, others));
            }
        }
        Ok(())
    }
}
