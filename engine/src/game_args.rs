//! What both command lines share: the flags that choose a game, and how faults are told.

use crate::game::{
    Board, Captures, DEFAULT_VARIANT, MAX_POINTS, Rules, SetupKind, Side, VariantSpec, parse_boards,
};
use anyhow::Context as _;
use clap::error::ErrorKind;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Parses a command line, the program's name first.
///
/// # Errors
/// The code to exit with, once help or version were printed as asked for (0), or one line on standard error
/// that names the argument at fault (2).
pub fn parse_arguments<P: clap::Parser>(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<P, ExitCode> {
    P::try_parse_from(arguments).map_err(|error| {
        if matches!(
            error.kind(),
            ErrorKind::DisplayHelp
                | ErrorKind::DisplayVersion
                | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        ) {
            let _ = error.print(); // nowhere left to report to, here and below
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
        let text = error.to_string();
        let first = text.split("\n\n").next().unwrap_or_default();
        let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(std::io::stderr(), "{line} (--help tells more)");
        ExitCode::from(2)
    })
}

/// Tells why a command failed, in one line on standard error, and gives the code to exit with. A reader
/// that has closed the pipe has seen enough: that is no failure.
pub fn report_error(error: &anyhow::Error) -> ExitCode {
    let is_closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(is_closed_pipe) {
        return ExitCode::SUCCESS;
    }
    let _ = writeln!(std::io::stderr(), "error: {error:#}");
    ExitCode::FAILURE
}

/// The game: a preset, and what is changed about it.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Game")]
pub struct GameArgs {
    /// Preset to play (`engine variants` lists them) [default: demala]
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Another board than the preset's (`engine boards` lists them)
    #[arg(long, value_name = "NAME")]
    pub board: Option<String>,
    /// Captures that win for the leopards: auto or a number
    #[arg(long, value_name = "N", default_value = "auto")]
    pub captures: Captures,
    /// The rest.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// The flags of a game that have one value even where the others go through several.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Game")]
pub struct RuleArgs {
    /// TOML file with boards of your own: rows and lines
    #[arg(long, value_name = "FILE")]
    pub board_file: Option<PathBuf>,
    /// Number of leopards, 1 to 5
    #[arg(long, value_name = "N")]
    pub leopards: Option<u8>,
    /// Leopards on the board at the start, or entering one a turn: placed or entered
    #[arg(long, value_name = "SETUP")]
    pub setup: Option<SetupKind>,
    /// Who moves first: dogs or leopards [default: dogs if the leopards are placed, else leopards]
    #[arg(long, value_name = "SIDE")]
    pub first: Option<Side>,
    /// Occurrence of a position that makes a draw, 0 for none [default: 3]
    #[arg(long, value_name = "N")]
    pub repetition: Option<u8>,
    /// Plies without drop, entry or capture that make a draw, 0 for none [default: 400]
    #[arg(long, value_name = "PLIES")]
    pub quiet_limit: Option<u16>,
}

impl GameArgs {
    /// What the flags say, with the board file read; `dogs` is a flag of its own, a number or a range.
    ///
    /// # Errors
    /// The board file cannot be read or used; the message names it.
    pub fn spec(&self, dogs: Option<u8>) -> anyhow::Result<VariantSpec> {
        let chosen = VariantSpec {
            variant: self.variant.clone(),
            board: self.board.clone(),
            dogs,
            captures: self.captures,
            ..VariantSpec::default()
        };
        self.rules.complete(chosen)
    }

    /// The name of the preset, as it was typed.
    pub fn variant_name(&self) -> &str {
        self.variant.as_deref().unwrap_or(DEFAULT_VARIANT)
    }

    /// The rules the flags ask for.
    ///
    /// # Errors
    /// The board file cannot be used, a name is unknown, or the numbers do not fit together.
    pub fn rules(&self, dogs: Option<u8>) -> anyhow::Result<Rules> {
        Ok(self.spec(dogs)?.rules()?)
    }
}

impl RuleArgs {
    /// A game with what these flags say of it, the board file read.
    ///
    /// # Errors
    /// The board file cannot be read or used; the message names it.
    pub fn complete(&self, spec: VariantSpec) -> anyhow::Result<VariantSpec> {
        Ok(VariantSpec {
            own_boards: own_boards(self.board_file.as_deref())?,
            leopards: self.leopards,
            setup: self.setup,
            first: self.first,
            repetition: self.repetition,
            quiet_limit: self.quiet_limit,
            ..spec
        })
    }
}

/// A number of dogs, as a flag takes it; whether the board has room for them is for the rules to say.
///
/// # Errors
/// It is no number, or far too large a one.
pub fn parse_dogs(text: &str) -> Result<u8, String> {
    text.parse().map_err(|_| format!("expected a number from 1 to {}", MAX_POINTS - 1))
}

/// The boards of a file, none without one.
///
/// # Errors
/// Those of [`read_board_file`].
pub fn own_boards(file: Option<&Path>) -> anyhow::Result<Vec<Arc<Board>>> {
    file.map_or(Ok(Vec::new()), read_board_file)
}

/// The boards of a file.
///
/// # Errors
/// The file cannot be read, or a board in it is at fault; the message names file and fault.
pub fn read_board_file(path: &Path) -> anyhow::Result<Vec<Arc<Board>>> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read board file {}", path.display()))?;
    parse_boards(&text).with_context(|| format!("board file {}", path.display()))
}

/// A range of whole numbers as flags take them: `8..18` (both ends in), a list `9,12,15`, or a mix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberRange(pub Vec<u64>);

/// The most numbers a range may name.
const MAX_RANGE: u64 = 10_000;

impl std::str::FromStr for NumberRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("\"{text}\": expected numbers such as 8..18 (both ends in), 9,12,15 or 7");
        let mut numbers = Vec::new();
        for part in text.split(',') {
            let (low, high) = part.split_once("..").unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
            let (low, high) = (number(low)?, number(high.strip_prefix('=').unwrap_or(high))?);
            if low > high {
                return Err(format!("\"{part}\" runs backwards: expected the lower number first"));
            }
            if high - low >= MAX_RANGE {
                return Err(format!("\"{part}\" names more than {MAX_RANGE} numbers"));
            }
            numbers.extend(low..=high);
        }
        let mut seen = numbers.clone();
        seen.sort_unstable();
        if seen.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(format!("\"{text}\" names a number twice"));
        }
        Ok(Self(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_take_both_ends_and_lists() {
        let range = |text: &str| text.parse::<NumberRange>().map(|range| range.0);
        assert_eq!(range("8..11"), Ok(vec![8, 9, 10, 11]));
        assert_eq!(range("9,12,15"), Ok(vec![9, 12, 15]));
        assert_eq!(range("1..2,7"), Ok(vec![1, 2, 7]));
        for bad in ["", "a", "3..1", "1..", "..", "1,,2", "-1", "1..99999999", "1..3,2"] {
            assert!(range(bad).is_err(), "{bad}");
        }
    }
}
