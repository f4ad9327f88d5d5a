//! The command `go`.

use std::fmt;
use std::time::Duration;

/// What an engine is told about how long to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// Search this many nodes.
    Nodes(u64),
    /// Search this many plies.
    Depth(u64),
    /// Think for this long.
    MoveTime(Duration),
    /// Think until told to stop.
    Infinite,
    /// Both clocks, that of the Dogs (player 1) first.
    Clocks {
        /// What is left.
        time: [Duration; 2],
        /// What each move adds.
        increment: [Duration; 2],
    },
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(n) => write!(f, "go nodes {n}"),
            Self::Depth(n) => write!(f, "go depth {n}"),
            Self::MoveTime(time) => write!(f, "go movetime {}", time.as_millis()),
            Self::Infinite => f.write_str("go infinite"),
            Self::Clocks { time, increment } => {
                let [p1time, p2time] = time.map(|time| time.as_millis());
                let [p1inc, p2inc] = increment.map(|time| time.as_millis());
                write!(f, "go p1time {p1time} p2time {p2time} p1inc {p1inc} p2inc {p2inc}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_milliseconds() {
        let ms = Duration::from_millis;
        let clocks = Go::Clocks { time: [ms(10_000), ms(9_500)], increment: [ms(100), ms(0)] };
        assert_eq!(clocks.to_string(), "go p1time 10000 p2time 9500 p1inc 100 p2inc 0");
        assert_eq!(Go::MoveTime(ms(50)).to_string(), "go movetime 50");
    }
}
