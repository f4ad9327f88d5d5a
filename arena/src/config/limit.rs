//! How long an engine may think about a move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The most a limit may be, whatever its unit: far beyond any use, and safe to add up.
const MAX: u64 = 1_000_000_000_000;
/// The highest level: an engine's full strength.
const FULL_LEVEL: u8 = 20;
/// The nodes that a move at some level may cost: more than the built-in engine takes for one below the highest.
pub const LEVEL_NODES: u64 = 100_000;

/// What an engine may spend on a move, or on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Positions searched for a move.
    Nodes(u64),
    /// Plies searched for a move.
    Depth(u64),
    /// A strength that the engine sets itself by its option `Level`, within [`LEVEL_NODES`] nodes for a move.
    Level(u8),
    /// Time for a move.
    MoveTime(Duration),
    /// A clock for the game.
    Clock(TimeControl),
}

/// A clock: time for the whole game, and time won with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Time at the start.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// A limit that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LimitError {
    #[error("{name}={value}: expected a whole number from 1")]
    Number { name: &'static str, value: String },
    #[error("level={0}: expected a whole number from 0 to {FULL_LEVEL}")]
    Level(String),
    #[error("tc={0}: expected seconds and an increment, such as 10+0.1 or 60")]
    TimeControl(String),
}

impl Limit {
    /// The names of the limits, as engine descriptions and flags write them.
    pub const NAMES: [&str; 5] = ["nodes", "depth", "level", "movetime", "tc"];

    /// Reads a limit given by its name and value (`nodes`, `1000`).
    ///
    /// `None` if no limit has this name. `movetime` is in milliseconds, `tc` in seconds.
    pub fn parse(name: &str, value: &str) -> Option<Result<Self, LimitError>> {
        let number = |name| match value.parse() {
            Ok(n @ 1..=MAX) => Ok(n),
            _ => Err(LimitError::Number { name, value: value.to_owned() }),
        };
        Some(match name {
            "nodes" => number("nodes").map(Self::Nodes),
            "depth" => number("depth").map(Self::Depth),
            "level" => Self::parse_level(value),
            "movetime" => number("movetime").map(|ms| Self::MoveTime(Duration::from_millis(ms))),
            "tc" => value.parse().map(Self::Clock),
            _ => return None,
        })
    }

    /// The level that the engine is to be set to, if that is what bounds it.
    pub const fn level(self) -> Option<u8> {
        if let Self::Level(level) = self { Some(level) } else { None }
    }

    fn parse_level(value: &str) -> Result<Self, LimitError> {
        match value.parse() {
            Ok(level @ 0..=FULL_LEVEL) => Ok(Self::Level(level)),
            _ => Err(LimitError::Level(value.to_owned())),
        }
    }

    /// Whether games played under this limit can be the same every time: those under a clock cannot.
    pub const fn is_reproducible(self) -> bool {
        matches!(self, Self::Nodes(_) | Self::Depth(_) | Self::Level(_))
    }
}

/// As an engine description writes it: `nodes=1000`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(n) => write!(f, "nodes={n}"),
            Self::Depth(n) => write!(f, "depth={n}"),
            Self::Level(n) => write!(f, "level={n}"),
            Self::MoveTime(time) => write!(f, "movetime={}", time.as_millis()),
            Self::Clock(control) => write!(f, "tc={control}"),
        }
    }
}

impl FromStr for TimeControl {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Self, LimitError> {
        let fail = || LimitError::TimeControl(text.to_owned());
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            // Rounded to what the protocol can say.
            let milliseconds = (text.parse::<f64>().ok()? * 1000.0).round();
            (0.0..=MAX as f64).contains(&milliseconds).then(|| Duration::from_millis(milliseconds as u64))
        };
        let control =
            Self { base: seconds(base).ok_or_else(fail)?, increment: seconds(increment).ok_or_else(fail)? };
        if control.base.is_zero() { Err(fail()) } else { Ok(control) }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_as_they_are_written() {
        for text in [
            "nodes=1",
            "depth=12",
            "level=0",
            "level=20",
            "movetime=250",
            "tc=10+0.1",
            "tc=60+0",
            "tc=0.5+0.002",
        ] {
            let (name, value) = text.split_once('=').unwrap();
            assert_eq!(Limit::parse(name, value).unwrap().unwrap().to_string(), text);
        }
        assert_eq!(Limit::parse("tc", "60").unwrap().unwrap().to_string(), "tc=60+0");
        assert!(Limit::parse("speed", "1").is_none());
    }

    #[test]
    fn bad_limits_are_refused() {
        let bad = [
            "nodes=0",
            "nodes=-1",
            "nodes=",
            "depth=x",
            "movetime=1.5",
            "nodes=99999999999999999999",
            "level=21",
            "level=-1",
        ];
        let bad_clocks =
            ["tc=", "tc=0", "tc=-1", "tc=x+1", "tc=1+", "tc=inf", "tc=nan", "tc=1e300", "tc=1+-1"];
        for text in bad.into_iter().chain(bad_clocks) {
            let (name, value) = text.split_once('=').unwrap();
            let error = Limit::parse(name, value).unwrap().unwrap_err().to_string();
            assert!(error.starts_with(text) && error.contains("expected"), "{error}");
        }
    }
}
