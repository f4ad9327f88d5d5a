//! The catalogue of boards and of presets, and how a person's wishes become [`Rules`].
//!
//! Both are data: a new board is an entry in `boards.toml`, a new preset one in `variants.toml`.

use super::board::{Board, BoardData, BoardError};
use super::point::PointSet;
use super::rules::{Captures, Rules, RulesConfig, RulesError, Start};
use super::side::Side;
use serde::Deserialize;
use std::sync::{Arc, LazyLock};

/// The preset in force where none is named.
pub const DEFAULT_VARIANT: &str = "demala";
/// The occurrence of a position that makes a draw, where nothing else is said.
pub const DEFAULT_REPETITION: u8 = 3;
/// The plies without drop, entry or capture that make a draw, where nothing else is said: more than any
/// forced win takes on boards of 23 points or fewer.
pub const DEFAULT_QUIET_LIMIT: u16 = 400;

/// A preset: a name for a board, pieces and their start.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// Other names it is known by.
    pub aliases: Vec<String>,
    /// What it is, in a few words.
    pub about: String,
    /// Name of its board.
    pub board: String,
    /// Number of leopards.
    pub leopards: u8,
    /// The points the leopards start on; empty where they enter from the hand.
    pub placed: Vec<String>,
    /// Number of dogs.
    pub dogs: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariantData {
    about: String,
    board: String,
    leopards: u8,
    #[serde(default)]
    placed: String,
    dogs: u8,
    #[serde(default)]
    aliases: Vec<String>,
}

/// What cannot be found or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum CatalogError {
    #[error("unknown variant \"{0}\": expected one of {list}", list = variant_names().join(", "))]
    Variant(String),
    #[error("unknown board \"{name}\": expected one of {known}")]
    Board { name: String, known: String },
    #[error("not a board file: {0}")]
    Syntax(String),
    #[error("no board in it: expected a table such as [my-board] with rows and lines")]
    Empty,
    #[error("board {name}: {error}")]
    BadBoard { name: String, error: BoardError },
    #[error("several boards in it: name the one to play ({0})")]
    Several(String),
    #[error(transparent)]
    Rules(#[from] RulesError),
}

/// Reads the boards of a TOML text: a table each, with `rows` and `lines` and, for drawing, `columns`.
///
/// # Errors
/// What is wrong with the text, or with the first board at fault.
pub fn parse_boards(text: &str) -> Result<Vec<Arc<Board>>, CatalogError> {
    let table: toml::Table = toml::from_str(text).map_err(|error| syntax_error(text, &error))?;
    if table.is_empty() {
        return Err(CatalogError::Empty);
    }
    let board = |(name, value): (String, toml::Value)| {
        let data: BoardData = value.try_into().map_err(|error: toml::de::Error| {
            CatalogError::Syntax(format!("board {name}: {}", one_line(error.message())))
        })?;
        match Board::new(&name, &data) {
            Ok(board) => Ok(Arc::new(board)),
            Err(error) => Err(CatalogError::BadBoard { name, error }),
        }
    };
    table.into_iter().map(board).collect()
}

fn syntax_error(text: &str, error: &toml::de::Error) -> CatalogError {
    let line =
        error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
    let message = one_line(error.message());
    CatalogError::Syntax(line.map_or(message.clone(), |line| format!("line {line}: {message}")))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The boards of the catalogue.
pub fn boards() -> &'static [Arc<Board>] {
    static BOARDS: LazyLock<Vec<Arc<Board>>> = LazyLock::new(|| {
        parse_boards(include_str!("boards.toml")).unwrap_or_else(|error| panic!("boards.toml: {error}"))
    });
    &BOARDS
}

/// The presets of the catalogue.
pub fn variants() -> &'static [Variant] {
    static VARIANTS: LazyLock<Vec<Variant>> = LazyLock::new(|| {
        let table: toml::Table = toml::from_str(include_str!("variants.toml"))
            .unwrap_or_else(|error| panic!("variants.toml: {error}"));
        let variant = |(name, value): (String, toml::Value)| {
            let data: VariantData =
                value.try_into().unwrap_or_else(|error| panic!("variants.toml, {name}: {error}"));
            let placed = data.placed.split_whitespace().map(str::to_owned).collect();
            let VariantData { about, board, leopards, dogs, aliases, .. } = data;
            Variant { name, aliases, about, board, leopards, placed, dogs }
        };
        table.into_iter().map(variant).collect()
    });
    &VARIANTS
}

/// The names of all presets, without aliases.
pub fn variant_names() -> Vec<&'static str> {
    variants().iter().map(|variant| variant.name.as_str()).collect()
}

/// The preset of this name or alias.
///
/// # Errors
/// There is none; the message lists those there are.
pub fn variant(name: &str) -> Result<&'static Variant, CatalogError> {
    let is_it =
        |variant: &&Variant| variant.name == name || variant.aliases.iter().any(|alias| alias == name);
    variants().iter().find(is_it).ok_or_else(|| CatalogError::Variant(name.to_owned()))
}

/// The board of this name among the catalogue's.
///
/// # Errors
/// There is none; the message lists those there are.
pub fn board(name: &str) -> Result<Arc<Board>, CatalogError> {
    find_board(boards(), name)
}

fn find_board(boards: &[Arc<Board>], name: &str) -> Result<Arc<Board>, CatalogError> {
    let known = || boards.iter().map(|board| board.name()).collect::<Vec<_>>().join(", ");
    boards
        .iter()
        .find(|board| board.name() == name)
        .cloned()
        .ok_or_else(|| CatalogError::Board { name: name.to_owned(), known: known() })
}

/// Placed or entered leopards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupKind {
    /// On the board at the start.
    Placed,
    /// In hand at the start.
    Entered,
}

impl std::str::FromStr for SetupKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "placed" => Ok(Self::Placed),
            "entered" => Ok(Self::Entered),
            _ => Err(format!("\"{text}\" is no setup: expected placed or entered")),
        }
    }
}

impl std::str::FromStr for Captures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.parse()) {
            ("auto", _) => Ok(Self::Auto),
            (_, Ok(n @ 1..)) => Ok(Self::Number(n)),
            _ => Err(format!("\"{text}\" captures: expected auto or a number from 1 to the number of dogs")),
        }
    }
}

impl std::fmt::Display for Captures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Number(n) => write!(f, "{n}"),
        }
    }
}

/// The game a person asked for: a preset, and what they changed about it.
#[derive(Clone, Debug, Default)]
pub struct VariantSpec {
    /// Name or alias of the preset; none is [`DEFAULT_VARIANT`].
    pub variant: Option<String>,
    /// Another board, by name.
    pub board: Option<String>,
    /// The boards of a person's own file, which come before the catalogue's. A single one is played even
    /// if `board` does not name it.
    pub own_boards: Vec<Arc<Board>>,
    /// Another number of dogs.
    pub dogs: Option<u8>,
    /// Another number of leopards; they start on [`Board::default_start`].
    pub leopards: Option<u8>,
    /// Placed or entered leopards.
    pub setup: Option<SetupKind>,
    /// Who moves first; otherwise the Dogs where the leopards are placed, the Leopards where they enter.
    pub first: Option<Side>,
    /// Captures that win.
    pub captures: Captures,
    /// The occurrence of a position that makes a draw.
    pub repetition: Option<u8>,
    /// Plies without drop, entry or capture that make a draw.
    pub quiet_limit: Option<u16>,
}

impl VariantSpec {
    /// The preset.
    ///
    /// # Errors
    /// It is unknown.
    pub fn preset(&self) -> Result<&'static Variant, CatalogError> {
        variant(self.variant.as_deref().unwrap_or(DEFAULT_VARIANT))
    }

    /// The rules of this game, with all that was left open filled in.
    ///
    /// # Errors
    /// An unknown preset or board, or numbers that do not fit together.
    pub fn rules(&self) -> Result<Rules, CatalogError> {
        let preset = self.preset()?;
        let board = self.resolve_board(preset)?;
        let leopards = self.leopards.unwrap_or(preset.leopards);
        let kind = self.setup.unwrap_or(if preset.placed.is_empty() {
            SetupKind::Entered
        } else {
            SetupKind::Placed
        });
        let is_presets_own =
            board.name() == preset.board && self.own_boards.is_empty() && leopards == preset.leopards;
        let start = match kind {
            SetupKind::Entered => Start::Entered,
            SetupKind::Placed if is_presets_own && !preset.placed.is_empty() => {
                Start::Placed(preset.placed.iter().filter_map(|name| board.point(name)).collect::<PointSet>())
            }
            SetupKind::Placed => Start::Placed(board.default_start(leopards.into())),
        };
        let first = self.first.unwrap_or(match kind {
            SetupKind::Placed => Side::Dogs,
            SetupKind::Entered => Side::Leopards,
        });
        let config = RulesConfig {
            leopards,
            start,
            dogs: self.dogs.unwrap_or(preset.dogs),
            first,
            captures: self.captures,
            repetition: self.repetition.unwrap_or(DEFAULT_REPETITION),
            quiet_limit: self.quiet_limit.unwrap_or(DEFAULT_QUIET_LIMIT),
        };
        Ok(Rules::new(board, config)?)
    }

    fn resolve_board(&self, preset: &Variant) -> Result<Arc<Board>, CatalogError> {
        match (self.board.as_deref(), self.own_boards.as_slice()) {
            (None, []) => board(&preset.board),
            (None, [own]) => Ok(Arc::clone(own)),
            (None, several) => {
                Err(CatalogError::Several(several.iter().map(|b| b.name()).collect::<Vec<_>>().join(", ")))
            }
            (Some(name), own) => {
                let all: Vec<_> = own.iter().chain(boards()).cloned().collect();
                find_board(&all, name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_can_be_played_and_starts_where_the_default_start_would_be() {
        for preset in variants() {
            let spec = VariantSpec { variant: Some(preset.name.clone()), ..VariantSpec::default() };
            let rules = spec.rules().unwrap();
            if let Start::Placed(points) = rules.config().start {
                assert_eq!(points.len(), u32::from(preset.leopards), "{}", preset.name);
                let default = rules.board().default_start(preset.leopards.into());
                assert_eq!(points, default, "{}", preset.name);
            }
        }
    }

    #[test]
    fn faults_of_a_board_file_are_one_line() {
        let cases = [
            ("", "no board in it"),
            ("[b]\nrows = [1,2\nlines", "line 3"),
            (
                "[b]\nrows = [1, 2]\nlines = [\"a1 b1\", \"a1 b9\"]",
                "board b: line 2 \"a1 b9\": no point \"b9\"",
            ),
            ("[b]\nlines = []", "board b: missing field `rows`"),
            ("[b]\nrows = [-1]\nlines = []", "board b: invalid value"),
            (
                "[b]\nrows = [2]\nlines = [\"a1 a2\"]\ncolumns = [[1]]",
                "board b: columns: expected one list a row",
            ),
        ];
        for (text, expected) in cases {
            let message = parse_boards(text).unwrap_err().to_string();
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
        }
    }
}
