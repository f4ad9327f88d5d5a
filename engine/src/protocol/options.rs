//! The options a client can set.

use crate::game::{
    Captures, MAX_LEOPARDS, MAX_POINTS, MAX_QUIET_LIMIT, MAX_REPETITION, SetupKind, Side, VariantSpec,
    boards, variants,
};
use crate::game_args::read_board_file;
use crate::search::{Level, MAX_THREADS, SearchOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest transposition table, in MB.
const MAX_HASH: usize = 1 << 20;
/// The size of the transposition table where none is set, in MB.
const DEFAULT_HASH: usize = 16;
const MAX_MULTI_PV: usize = crate::game::MAX_MOVES;
const MAX_NOISE: u32 = 10_000;
const MAX_OVERHEAD: u64 = 10_000;

/// All that can be set.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The game.
    pub(super) spec: VariantSpec,
    /// How to search it.
    pub(super) search: SearchOptions,
    /// Size of the transposition table in MB.
    pub(super) hash: usize,
    /// Directories with tables.
    pub(super) table_paths: Vec<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            spec: VariantSpec::default(),
            search: SearchOptions::default(),
            hash: DEFAULT_HASH,
            table_paths: Vec::new(),
        }
    }
}

/// What a changed option touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touches {
    /// The game: a new one begins.
    Game,
    /// The transposition table.
    Hash,
    /// The tables of exact values.
    Tables,
    /// How positions are judged: what was learnt before is no longer true.
    Judgement,
    /// The next search.
    Search,
}

/// The options as the protocol lists them: name, type, default and range.
pub(super) fn declarations() -> Vec<String> {
    let spin = |name: &str, default: u64, min: u64, max: u64| {
        format!("option name {name} type spin default {default} min {min} max {max}")
    };
    let combo = |name: &str, default: &str, values: Vec<&str>| {
        format!("option name {name} type combo default {default} var {}", values.join(" var "))
    };
    let variant_names = variants().iter().map(|v| v.name.as_str());
    let aliases = variants().iter().flat_map(|v| v.aliases.iter().map(String::as_str));
    let preset = &variants()[0];
    let board_names = boards().iter().map(|board| board.name()).collect();
    let search = SearchOptions::default();
    vec![
        combo("Variant", &preset.name, variant_names.chain(aliases).collect()),
        combo("Board", &preset.board, board_names),
        "option name BoardFile type string default <empty>".to_owned(),
        spin("Dogs", preset.dogs.into(), 1, MAX_POINTS as u64 - 1),
        spin("Leopards", preset.leopards.into(), 1, MAX_LEOPARDS as u64),
        combo("Setup", "placed", vec!["placed", "entered"]),
        combo("First", "auto", vec!["auto", "dogs", "leopards"]),
        "option name Captures type string default auto".to_owned(),
        spin("Repetition", crate::game::DEFAULT_REPETITION.into(), 0, MAX_REPETITION.into()),
        spin("QuietLimit", crate::game::DEFAULT_QUIET_LIMIT.into(), 0, MAX_QUIET_LIMIT.into()),
        spin("Hash", DEFAULT_HASH as u64, 1, MAX_HASH as u64),
        spin("Threads", search.threads as u64, 1, MAX_THREADS as u64),
        spin("MultiPV", search.multi_pv as u64, 1, MAX_MULTI_PV as u64),
        "option name TablePath type string default <empty>".to_owned(),
        spin("Level", search.level.number().into(), 0, Level::FULL.number().into()),
        spin("Noise", search.noise.into(), 0, MAX_NOISE.into()),
        spin("Seed", search.seed, 0, i64::MAX as u64),
        spin("MoveOverhead", search.overhead.as_millis() as u64, 0, MAX_OVERHEAD),
    ]
}

/// A number between two bounds.
fn number<T>(text: &str, min: T, max: T) -> Result<T, String>
where
    T: std::str::FromStr + PartialOrd + std::fmt::Display + Copy,
{
    let number = text.parse().ok().filter(|n| *n >= min && *n <= max);
    number.ok_or_else(|| format!("expected a number from {min} to {max}"))
}

impl Options {
    /// The options with one of them changed, and what that touches. Whether the game can be played is for
    /// the caller to find out.
    ///
    /// # Errors
    /// There is no such option, or it does not take the value.
    pub(super) fn with(&self, name: &str, value: &str) -> Result<(Self, Touches), String> {
        let mut new = self.clone();
        let touches = new.set(name, value).map_err(|fault| match fault {
            Fault::NoSuchOption => format!("unknown option \"{name}\" (ugi lists them)"),
            Fault::Value(expected) => format!("option {name} value \"{value}\": {expected}"),
        })?;
        Ok((new, touches))
    }

    fn set(&mut self, name: &str, value: &str) -> Result<Touches, Fault> {
        let spec = &mut self.spec;
        let search = &mut self.search;
        let touches = match name.to_ascii_lowercase().as_str() {
            "variant" => {
                // A preset is a whole game: what was changed about the last one goes.
                *spec = VariantSpec {
                    variant: Some(value.to_owned()),
                    repetition: spec.repetition,
                    quiet_limit: spec.quiet_limit,
                    ..VariantSpec::default()
                };
                Touches::Game
            }
            "board" => {
                spec.board = Some(value.to_owned());
                Touches::Game
            }
            "boardfile" => {
                self.set_board_file(value)?;
                Touches::Game
            }
            "dogs" => {
                spec.dogs = Some(number(value, 1, MAX_POINTS as u8 - 1)?);
                Touches::Game
            }
            "leopards" => {
                spec.leopards = Some(number(value, 1, MAX_LEOPARDS as u8)?);
                Touches::Game
            }
            "setup" => {
                spec.setup = Some(value.parse::<SetupKind>()?);
                Touches::Game
            }
            "first" => {
                spec.first = if value == "auto" { None } else { Some(value.parse::<Side>()?) };
                Touches::Game
            }
            "captures" => {
                spec.captures = value.parse::<Captures>()?;
                Touches::Game
            }
            "repetition" => {
                spec.repetition = Some(number(value, 0, MAX_REPETITION)?);
                Touches::Game
            }
            "quietlimit" => {
                spec.quiet_limit = Some(number(value, 0, MAX_QUIET_LIMIT)?);
                Touches::Game
            }
            "hash" => {
                self.hash = number(value, 1, MAX_HASH)?;
                Touches::Hash
            }
            "tablepath" => {
                let paths = if is_empty(value) { Vec::new() } else { std::env::split_paths(value).collect() };
                self.table_paths = paths;
                Touches::Tables
            }
            "threads" => {
                search.threads = number(value, 1, MAX_THREADS)?;
                Touches::Search
            }
            "multipv" => {
                search.multi_pv = number(value, 1, MAX_MULTI_PV)?;
                Touches::Search
            }
            "level" => {
                let number = number(value, 0, Level::FULL.number())?;
                search.level = Level::new(number).unwrap_or_default();
                Touches::Search
            }
            "noise" => {
                search.noise = number(value, 0, MAX_NOISE)?;
                Touches::Judgement
            }
            "seed" => {
                search.seed = number(value, 0, i64::MAX as u64)?;
                Touches::Judgement
            }
            "moveoverhead" => {
                search.overhead = Duration::from_millis(number(value, 0, MAX_OVERHEAD)?);
                Touches::Search
            }
            _ => return Err(Fault::NoSuchOption),
        };
        Ok(touches)
    }

    fn set_board_file(&mut self, value: &str) -> Result<(), Fault> {
        let own_boards = if is_empty(value) {
            Vec::new()
        } else {
            read_board_file(Path::new(value)).map_err(|error| Fault::Value(format!("{error:#}")))?
        };
        // The board of a file is played at once: the first, until `Board` names another.
        self.spec.board = own_boards.first().map(|board| board.name().to_owned());
        self.spec.own_boards = own_boards;
        Ok(())
    }
}

/// What an unset text option is shown as, and may be set to.
fn is_empty(value: &str) -> bool {
    value.is_empty() || value == "<empty>"
}

enum Fault {
    NoSuchOption,
    Value(String),
}

impl From<String> for Fault {
    fn from(expected: String) -> Self {
        Self::Value(expected)
    }
}
