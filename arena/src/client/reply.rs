//! Lines of an engine, as far as the arena listens to them.

use engine::game::Value;

/// The score of a mate at once, in centipawns.
pub const MATE: i64 = 100_000;

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `id name …`.
    Name(&'a str),
    /// `option name …`.
    Option(EngineOption),
    /// `ugiok`.
    UgiOk,
    /// `readyok`.
    ReadyOk,
    /// `info … score … time MS nodes N …`.
    Info {
        /// Nodes searched.
        nodes: Option<u64>,
        /// Milliseconds since `go`.
        time: Option<u64>,
        /// The score from the side to move's view in centipawns; a mate is [`MATE`] less its plies.
        score: Option<i64>,
    },
    /// `info string error …`.
    Error(&'a str),
    /// `bestmove …`: the move, empty if there is none.
    BestMove(&'a str),
    /// `response …`: what was asked for.
    Response(&'a str),
    /// Anything else: not for us.
    Other,
}

/// An option an engine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// The least number it takes, where it is one.
    pub min: Option<i64>,
    /// The greatest number it takes, where it is one.
    pub max: Option<i64>,
}

impl<'a> Reply<'a> {
    /// Reads a line. Whatever is not understood is [`Reply::Other`].
    pub fn parse(line: &'a str) -> Self {
        let (command, rest) = split_word(line);
        match command {
            "ugiok" => Self::UgiOk,
            "readyok" => Self::ReadyOk,
            "bestmove" => Self::BestMove(split_word(rest).0),
            "response" => Self::Response(rest.trim_end()),
            "info" => Self::parse_info(rest),
            "id" => match split_word(rest) {
                ("name", name) => Self::Name(name.trim_end()),
                _ => Self::Other,
            },
            "option" => EngineOption::parse(rest).map_or(Self::Other, Self::Option),
            _ => Self::Other,
        }
    }

    fn parse_info(text: &'a str) -> Self {
        if let ("string", rest) = split_word(text) {
            return match split_word(rest) {
                ("error", error) => Self::Error(error.trim_end()),
                _ => Self::Other,
            };
        }
        // Moves and free text come last: no word in them is a key.
        let words: Vec<&str> =
            text.split_ascii_whitespace().take_while(|&word| word != "pv" && word != "string").collect();
        let after = |key: &str| words.iter().position(|&word| word == key).map(|at| &words[at + 1..]);
        let number = |words: &[&str]| words.first().and_then(|word| word.parse::<i64>().ok());
        let natural = |key: &str| after(key).and_then(number).and_then(|number| u64::try_from(number).ok());
        let (nodes, time) = (natural("nodes"), natural("time"));
        let score = match after("score") {
            Some(["cp", rest @ ..]) => number(rest).map(|score| score.clamp(-MATE, MATE)),
            Some(["mate", rest @ ..]) => number(rest).map(|plies| {
                let far = MATE - plies.saturating_abs().min(MATE / 2);
                if plies > 0 { far } else { -far }
            }),
            _ => None,
        };
        let is_other = nodes.is_none() && time.is_none() && score.is_none();
        if is_other { Self::Other } else { Self::Info { nodes, time, score } }
    }
}

impl EngineOption {
    /// A number the option takes, made of any number.
    pub fn fit(&self, number: u64) -> u64 {
        let least = self.min.unwrap_or(0).max(0) as u64;
        let most = self.max.map_or(u64::from(u32::MAX), |max| max.max(0) as u64).max(least);
        least + number % (most - least).saturating_add(1)
    }

    /// Reads `name NAME type TYPE … min N max N`; a name may have blanks in it.
    fn parse(text: &str) -> Option<Self> {
        let ("name", rest) = split_word(text) else { return None };
        let (name, rest) = rest.split_once(" type ").unwrap_or((rest, ""));
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number =
            |key: &str| words.windows(2).find(|pair| pair[0] == key).and_then(|pair| pair[1].parse().ok());
        Some(Self { name: name.trim().to_owned(), min: number("min"), max: number("max") })
    }
}

/// The answer to `query value`: `dogs 13`, `leopards 4`, `draw`; anything else is no value.
pub(super) fn parse_value(text: &str) -> Option<Value> {
    if text == "draw" {
        return Some(Value::Draw);
    }
    let (winner, plies) = text.split_once(' ')?;
    Some(Value::Win { winner: winner.parse().ok()?, plies: plies.parse().ok()? })
}

/// The first word of a text, and what comes after it.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(|c: char| c.is_ascii_whitespace())
        .map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::Side;

    #[test]
    fn exact_values_are_read() {
        let values = [Value::Draw, Value::Win { winner: Side::Leopards, plies: 40 }];
        assert!(values.iter().all(|value| parse_value(&value.to_string()) == Some(*value)));
        assert!(["none", "", "dogs", "dogs x", "cats 3"].iter().all(|text| parse_value(text).is_none()));
    }

    #[test]
    fn a_number_is_made_to_fit() {
        let option = |min, max| EngineOption { name: String::new(), min, max };
        assert_eq!(option(Some(1), Some(64)).fit(64), 1);
        assert_eq!(option(Some(-5), Some(-1)).fit(64), 0);
        assert_eq!(option(Some(9), Some(3)).fit(64), 9);
        assert!(i64::try_from(option(Some(0), Some(i64::MAX)).fit(u64::MAX)).is_ok());
        assert!(option(None, None).fit(u64::MAX) <= u32::MAX.into());
    }

    #[test]
    fn lines_are_read_as_meant() {
        let option = |name: &str, min, max| Reply::Option(EngineOption { name: name.to_owned(), min, max });
        let cases = [
            ("ugiok", Reply::UgiOk),
            (" readyok ", Reply::ReadyOk),
            ("id name Koti 0.1.0 ", Reply::Name("Koti 0.1.0")),
            ("id author x", Reply::Other),
            ("option name Hash type spin default 16 min 1 max 64", option("Hash", Some(1), Some(64))),
            ("option name Board File type string default <empty>", option("Board File", None, None)),
            ("option name Odd", option("Odd", None, None)),
            (
                "info depth 3 nodes 120 nps 5 pv a1b3 nodes",
                Reply::Info { nodes: Some(120), time: None, score: None },
            ),
            ("info score cp -35 nodes 2", Reply::Info { nodes: Some(2), time: None, score: Some(-35) }),
            (
                "info nodes 7 score mate 13 upperbound",
                Reply::Info { nodes: Some(7), time: None, score: Some(MATE - 13) },
            ),
            ("info score mate -2", Reply::Info { nodes: None, time: None, score: Some(2 - MATE) }),
            ("info time 12 nodes 3 pv time 5", Reply::Info { nodes: Some(3), time: Some(12), score: None }),
            ("info time -1", Reply::Other),
            ("info score cp", Reply::Other),
            ("info depth 3 pv a1b3 nodes 5", Reply::Other),
            ("info nodes x", Reply::Other),
            ("info nodes", Reply::Other),
            ("info string nodes 7", Reply::Other),
            ("info string error bad move", Reply::Error("bad move")),
            ("bestmove a1b3", Reply::BestMove("a1b3")),
            ("bestmove\ta1b3 ponder b3a1", Reply::BestMove("a1b3")),
            ("bestmove", Reply::BestMove("")),
            ("bestmove2 a1", Reply::Other),
            ("response dogs 13 ", Reply::Response("dogs 13")),
            ("", Reply::Other),
            ("\u{fffd}\u{fffd}", Reply::Other),
        ];
        for (line, expected) in cases {
            assert_eq!(Reply::parse(line), expected, "{line:?}");
        }
    }
}
