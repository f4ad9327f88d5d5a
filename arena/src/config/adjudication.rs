//! Ends of games that need not be played out.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The rules by which a game may be ended early; none of them holds by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// A draw, when both engines have long thought the game even.
    pub draw: Option<DrawRule>,
    /// A loss, when both engines have long thought it lost for one side.
    pub resign: Option<ResignRule>,
    /// Directory of tables: a game has its exact value once all pieces are on the board.
    pub tables: Option<PathBuf>,
}

/// `from=60,moves=8,score=10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Plies before which no game is ended.
    pub from: u64,
    /// Moves in a row of each side.
    pub moves: u64,
    /// The most that either engine's score may be from 0, in centipawns.
    pub score: u64,
}

/// `moves=4,score=800`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves in a row of each side.
    pub moves: u64,
    /// The least that the winner's score must be above 0 and the loser's below, in centipawns.
    pub score: u64,
}

/// Reads `key=number` pairs, each key once.
fn numbers<const N: usize>(text: &str, keys: [&str; N], form: &str) -> Result<[u64; N], String> {
    let fail = || format!("\"{text}\": expected {form}");
    let mut values = [None; N];
    for part in text.split(',') {
        let (key, value) = part.split_once('=').ok_or_else(fail)?;
        let index = keys.iter().position(|known| *known == key.trim()).ok_or_else(fail)?;
        let value = value.trim().parse().ok().filter(|value| *value <= 1_000_000).ok_or_else(fail)?;
        if values[index].replace(value).is_some() {
            return Err(fail());
        }
    }
    if values.contains(&None) { Err(fail()) } else { Ok(values.map(Option::unwrap_or_default)) }
}

impl FromStr for DrawRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "from=PLIES,moves=N,score=CP, such as from=60,moves=8,score=10";
        let [from, moves, score] = numbers(text, ["from", "moves", "score"], form)?;
        Ok(Self { from, moves: moves.max(1), score })
    }
}

impl FromStr for ResignRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "moves=N,score=CP, such as moves=4,score=800";
        let [moves, score] = numbers(text, ["moves", "score"], form)?;
        Ok(Self { moves: moves.max(1), score: score.max(1) })
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "from={},moves={},score={}", self.from, self.moves, self.score)
    }
}

impl fmt::Display for ResignRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "moves={},score={}", self.moves, self.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_as_they_are_written() {
        let text = "from=60,moves=8,score=10";
        assert_eq!(text.parse::<DrawRule>().unwrap().to_string(), text);
        let text = "moves=4,score=800";
        assert_eq!(text.parse::<ResignRule>().unwrap().to_string(), text);
        for bad in
            ["", "moves=4", "moves=4,score=x", "moves=4,moves=4,score=1", "moves=4,score=-1", "a=1,score=1"]
        {
            assert!(bad.parse::<ResignRule>().unwrap_err().contains("expected moves=N,score=CP"), "{bad}");
        }
    }
}
