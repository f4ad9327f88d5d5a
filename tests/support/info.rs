//! The `info` lines of a search.

/// What an `info` line of a search says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies of the iteration.
    pub depth: u64,
    /// Plies of the longest line looked at.
    pub sel_depth: u64,
    /// Milliseconds since the search began.
    pub time: u64,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Thousandths of the hash table in use.
    pub hashfull: u64,
    /// Number of the line, from 1.
    pub multi_pv: u64,
    /// `cp N` or `mate N`.
    pub score: String,
    /// `lowerbound` or `upperbound`.
    pub bound: Option<String>,
    /// The line of play.
    pub pv: Vec<String>,
}

impl Info {
    /// Reads a line, which must have every field of the protocol in its order.
    ///
    /// # Errors
    /// What is missing or wrong.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split(' ').peekable();
        let mut word = |expected: &str| match words.next() {
            Some(word) if expected.is_empty() || word == expected => Ok(word.to_owned()),
            other => Err(format!("expected {expected:?}, found {other:?}")),
        };
        word("info")?;
        let mut number = |name: &str| {
            word(name)?;
            word("")?.parse::<u64>().map_err(|error| format!("{name}: {error}"))
        };
        let (depth, sel_depth, time) = (number("depth")?, number("seldepth")?, number("time")?);
        let (nodes, nps, hashfull) = (number("nodes")?, number("nps")?, number("hashfull")?);
        let multi_pv = number("multipv")?;
        word("score")?;
        let (unit, amount) = (word("")?, word("")?);
        if !["cp", "mate"].contains(&unit.as_str()) || amount.parse::<i32>().is_err() {
            return Err(format!("no score: {unit} {amount}"));
        }
        let bound = words.next_if(|&word| word == "lowerbound" || word == "upperbound").map(str::to_owned);
        let pv: Vec<String> = match words.next() {
            None => Vec::new(),
            Some("pv") => words.map(str::to_owned).collect(),
            Some(other) => return Err(format!("expected pv, found {other:?}")),
        };
        let score = format!("{unit} {amount}");
        Ok(Self { depth, sel_depth, time, nodes, nps, hashfull, multi_pv, score, bound, pv })
    }

    /// The line without what depends on the speed of the machine.
    #[must_use]
    pub fn timeless(&self) -> Self {
        Self { time: 0, nps: 0, ..self.clone() }
    }
}
