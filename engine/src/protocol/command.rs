//! What a client says: text of the protocol made into commands.

use crate::game::Side;
use crate::search::{Clock, Limits};
use std::time::Duration;

/// A line of input, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Ugi,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    Position {
        start: Start,
        moves: Vec<String>,
    },
    Go(GoLimits),
    Query(Query),
    Stop,
    Quit,
    Show,
    Help,
    Wait,
    Nothing,
    /// A line that makes no sense, and why.
    Invalid(String),
}

/// Where a position begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    StartPos,
    Fen(String),
}

/// What is asked of the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Query {
    P1Turn,
    GameOver,
    Result,
    Fen,
    LegalMoves,
    IsLegal(String),
    Reason,
    Value,
}

/// The limits of a `go`, before it is known who moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GoLimits {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    time: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
}

impl GoLimits {
    /// The limits for a side to move.
    ///
    /// # Errors
    /// Clocks are given, but not this side's.
    pub(super) fn for_side(&self, side: Side) -> Result<Limits, String> {
        let number = side.index();
        let clock = match self.time[number] {
            Some(remaining) => {
                Some(Clock { remaining, increment: self.increment[number].unwrap_or_default() })
            }
            None if self.time.iter().chain(&self.increment).any(Option::is_some) => {
                let player = number + 1;
                return Err(format!("go: p{player}time is missing, and player {player} ({side}) is to move"));
            }
            None => None,
        };
        Ok(Limits { depth: self.depth, nodes: self.nodes, movetime: self.movetime, clock })
    }
}

/// Understands a line.
pub(super) fn parse(line: &str) -> Command {
    understand(line).unwrap_or_else(Command::Invalid)
}

fn understand(line: &str) -> Result<Command, String> {
    let (word, rest) = split_word(line);
    match word {
        "" => Ok(Command::Nothing),
        "ugi" => Ok(Command::Ugi),
        "isready" => Ok(Command::IsReady),
        "uginewgame" => Ok(Command::NewGame),
        "setoption" => parse_set_option(rest),
        "position" => parse_position(rest),
        "go" => parse_go(rest),
        "query" => parse_query(rest),
        "stop" => Ok(Command::Stop),
        "quit" => Ok(Command::Quit),
        "show" => Ok(Command::Show),
        "help" => Ok(Command::Help),
        "wait" => Ok(Command::Wait),
        _ => Err(format!("unknown command \"{}\" (help lists them)", printable(word))),
    }
}

/// The first word of a line and what follows it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// A piece of input fit to be quoted in one line of output.
pub(super) fn printable(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.chars().take(MOST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

fn parse_set_option(rest: &str) -> Result<Command, String> {
    let expected = || "setoption: expected name <option> value <value>".to_owned();
    let named = rest
        .strip_prefix("name")
        .filter(|named| named.starts_with(char::is_whitespace))
        .ok_or_else(expected)?;
    let words: Vec<&str> = named.split_whitespace().collect();
    let split = words.iter().position(|&word| word == "value");
    let name = words[..split.unwrap_or(words.len())].join(" ");
    if name.is_empty() {
        return Err(expected());
    }
    // The value is kept as it was typed: a path may hold blanks in a row.
    let value = split.and_then(|_| named.split_once("value")).map_or("", |(_, value)| value.trim());
    Ok(Command::SetOption { name, value: value.to_owned() })
}

fn parse_position(rest: &str) -> Result<Command, String> {
    let (kind, rest) = split_word(rest);
    let words: Vec<&str> = rest.split_whitespace().collect();
    let split = words.iter().position(|&word| word == "moves");
    let (before, moves) = words.split_at(split.unwrap_or(words.len()));
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    let start = match kind {
        "startpos" if before.is_empty() => Start::StartPos,
        "startpos" => {
            return Err(format!("position: \"{}\" after startpos: expected moves", printable(before[0])));
        }
        "fen" => Start::Fen(before.join(" ")),
        _ => return Err("position: expected startpos or fen <position>, and moves <moves>".to_owned()),
    };
    Ok(Command::Position { start, moves })
}

fn parse_go(rest: &str) -> Result<Command, String> {
    let mut limits = GoLimits::default();
    let mut words = rest.split_whitespace();
    while let Some(word) = words.next() {
        if word == "infinite" {
            continue;
        }
        let mut number = |least: i64, expected: &str| -> Result<i64, String> {
            let text = words.next().unwrap_or("nothing");
            let number = text.parse::<i64>().ok().filter(|&n| n >= least);
            number.ok_or_else(|| format!("go: {word} {}: expected {expected}", printable(text)))
        };
        let mut time = || -> Result<Option<Duration>, String> {
            // A clock that has run out is told as a negative time by some clients.
            Ok(Some(Duration::from_millis(number(i64::MIN, "milliseconds")?.max(0) as u64)))
        };
        match word {
            "p1time" => limits.time[0] = time()?,
            "p2time" => limits.time[1] = time()?,
            "p1inc" => limits.increment[0] = time()?,
            "p2inc" => limits.increment[1] = time()?,
            "movetime" => limits.movetime = time()?,
            "depth" => {
                limits.depth = Some(number(1, "a number of plies from 1")?.min(u32::MAX.into()) as u32);
            }
            "nodes" => limits.nodes = Some(number(1, "a number of nodes from 1")? as u64),
            _ => {
                let known = "p1time, p2time, p1inc, p2inc, movetime, depth, nodes or infinite";
                return Err(format!("go: unknown limit \"{}\": expected {known}", printable(word)));
            }
        }
    }
    Ok(Command::Go(limits))
}

fn parse_query(rest: &str) -> Result<Command, String> {
    let (word, rest) = split_word(rest);
    let query = match word {
        "p1turn" => Query::P1Turn,
        "gameover" => Query::GameOver,
        "result" => Query::Result,
        "fen" => Query::Fen,
        "legalmoves" => Query::LegalMoves,
        "islegal" => Query::IsLegal(rest.to_owned()),
        "reason" => Query::Reason,
        "value" => Query::Value,
        _ => {
            let known = "p1turn, gameover, result, fen, legalmoves, islegal <move>, reason or value";
            return Err(format!("query: unknown question \"{}\": expected {known}", printable(word)));
        }
    };
    Ok(Command::Query(query))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood() {
        assert_eq!(parse("  isready \r"), Command::IsReady);
        assert_eq!(parse(""), Command::Nothing);
        let option =
            |name: &str, value: &str| Ok(Command::SetOption { name: name.into(), value: value.into() });
        assert_eq!(understand("setoption name Hash value 64"), option("Hash", "64"));
        assert_eq!(
            understand("setoption name BoardFile value /a  b/c.toml"),
            option("BoardFile", "/a  b/c.toml")
        );
        assert_eq!(understand("setoption name Clear Hash"), option("Clear Hash", ""));
        let position = |start, moves: &[&str]| {
            Ok(Command::Position { start, moves: moves.iter().map(|&mv| mv.to_owned()).collect() })
        };
        assert_eq!(understand("position startpos"), position(Start::StartPos, &[]));
        assert_eq!(
            understand("position fen 1/3 d  1 0 0 moves @a1 a1b1"),
            position(Start::Fen("1/3 d 1 0 0".into()), &["@a1", "a1b1"])
        );
        assert_eq!(understand("query islegal a1b3"), Ok(Command::Query(Query::IsLegal("a1b3".into()))));
    }

    #[test]
    fn clocks_belong_to_the_side_to_move() {
        let Ok(Command::Go(go)) = understand("go p1time 1000 p1inc 10 p2time -5") else { panic!("no go") };
        let clock = go.for_side(Side::Dogs).unwrap().clock.unwrap();
        assert_eq!((clock.remaining.as_millis(), clock.increment.as_millis()), (1000, 10));
        assert_eq!(go.for_side(Side::Leopards).unwrap().clock.unwrap().remaining, Duration::ZERO);
        let Ok(Command::Go(go)) = understand("go p1time 1000") else { panic!("no go") };
        assert!(go.for_side(Side::Leopards).unwrap_err().contains("p2time is missing"));
        let Ok(Command::Go(go)) = understand("go infinite") else { panic!("no go") };
        assert!(go.for_side(Side::Leopards).unwrap().is_infinite());
    }

    #[test]
    fn bad_lines_get_one_clear_line() {
        let cases = [
            ("flaw", "unknown command \"flaw\""),
            ("setoption Hash 5", "setoption: expected name"),
            ("setoption name", "setoption: expected name"),
            ("position", "position: expected startpos or fen"),
            ("position startpos @b1", "\"@b1\" after startpos: expected moves"),
            ("go depth", "go: depth nothing: expected a number of plies from 1"),
            ("go depth 0", "go: depth 0: expected"),
            ("go nodes -3", "go: nodes -3: expected"),
            ("go movetime soon", "go: movetime soon: expected milliseconds"),
            ("go quickly", "go: unknown limit \"quickly\""),
            ("query weather", "query: unknown question \"weather\""),
        ];
        for (line, expected) in cases {
            let message = understand(line).unwrap_err();
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
        }
        assert_eq!(printable("a\u{7}b\tc"), "a?b?c");
    }
}
