//! Samples: positions with their exact values, made from a table, and their files.

use crate::game::{Board, Captures, Game, Move, Position, Rules, Side, Value, VariantSpec};
use crate::search::{Leaves, Limits, Network, OutOfMemory, SearchOptions, Searcher};
use crate::tables::{Table, TableError};
use crate::workers::in_order;
use fxhash::{FxHashMap, FxHashSet};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How often a player moves at random: one of these for each game.
const RANDOM_SHARES: [f64; 4] = [0.02, 0.08, 0.2, 0.4];
/// How often one hastens to win or delays its loss, where it does not move at random; otherwise any move that
/// keeps the value does.
const HASTE_SHARE: f64 = 0.4;
/// Plies after which a game is left.
const MAX_PLIES: usize = 120;
/// Share of positions taken once all dogs are dropped: that phase lasts longer, and its positions differ less.
const MOVE_SHARE: f64 = 0.25;
/// The most random moves away from the game the second of two positions is looked at.
const MOST_ASTRAY: u32 = 4;
/// Successors taken of each outcome where a move can lose the value; where none can, there is nothing to tell
/// apart and only this share of positions gives one.
const EACH_OUTCOME: usize = 2;
const SAME_OUTCOME_SHARE: f64 = 0.15;
/// One of so many evaluations of a search is taken.
const LEAVES_PER_SAMPLE: u64 = 50;
/// Megabytes of the transposition table of a search.
const HASH: usize = 1;
/// Games that are played before duplicates are removed from their samples.
const BATCH: usize = 512;

/// A position and its exact value.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The rules it is played by.
    pub rules: Arc<Rules>,
    /// The position.
    pub position: Position,
    /// Its exact value.
    pub value: Value,
}

/// What samples to make.
#[derive(Clone, Debug)]
pub struct SamplesOptions {
    /// How many.
    pub count: usize,
    /// Seed of all that is drawn by lot.
    pub seed: u64,
    /// Games played at a time; changes nothing in what comes out.
    pub workers: usize,
    /// Searches whose leaves are taken; `None`: what moves of the games and off them lead to.
    pub searches: Option<Searches>,
}

/// Searches of the positions of games.
#[derive(Clone, Debug)]
pub struct Searches {
    /// Nodes of each.
    pub nodes: u64,
    network: Arc<Network>,
}

impl Searches {
    /// Searches of so many nodes by the engine's own evaluation.
    pub fn new(nodes: u64) -> Self {
        Self { nodes, network: Arc::clone(Network::builtin()) }
    }

    /// The same by other weights, the bytes of a file that `engine fit` made; `None` if they are none.
    #[must_use]
    pub fn with_weights(self, bytes: &[u8]) -> Option<Self> {
        Network::from_bytes(bytes).map(|network| Self { network, ..self })
    }
}

/// Makes samples from games by each of the `rules`, which differ in the number of dogs, and calls `visit` with
/// each: no position comes twice, and there are fewer where a small game has no more. The players know the table and
/// err by chance, so that the samples depend on nothing but the game, the count and the seed, and on the search where
/// its leaves are taken.
///
/// # Errors
/// The table cannot be read, there is no memory for a search, or `visit` failed.
///
/// # Panics
/// `rules` is empty.
pub fn make_samples<E: From<TableError> + From<OutOfMemory> + Send>(
    table: &Table,
    rules: &[Arc<Rules>],
    options: &SamplesOptions,
    mut visit: impl FnMut(&Sample) -> Result<(), E>,
) -> Result<(), E> {
    let mut seen = FxHashSet::default();
    let mut first = 0;
    let mut known = usize::MAX;
    // A batch of games without a new position: there are no more to be had.
    while seen.len() < options.count && known != seen.len() {
        known = seen.len();
        for sample in games::<E>(table, rules, options, first)? {
            let is_new = seen.len() < options.count
                && seen.insert((sample.position.key(), sample.rules.dogs(), sample.rules.captures_to_win()));
            if is_new {
                visit(&sample)?;
            }
        }
        first += BATCH;
    }
    Ok(())
}

/// The samples of a batch of games, in the order of the games.
fn games<E: From<TableError> + From<OutOfMemory> + Send>(
    table: &Table,
    rules: &[Arc<Rules>],
    options: &SamplesOptions,
    first: usize,
) -> Result<Vec<Sample>, E> {
    let analyst = || options.searches.as_ref().map(Analyst::new).transpose();
    let games = in_order(options.workers, BATCH, analyst, |analyst, number| {
        let analyst = analyst.as_mut().map_err(|error| *error)?;
        let seed = options.seed.wrapping_add((first + number) as u64);
        Ok::<_, E>(game(table, rules, seed, analyst.as_mut())?)
    })?;
    Ok(games.into_iter().flatten().collect())
}

/// The samples of one game.
fn game(
    table: &Table,
    rules: &[Arc<Rules>],
    seed: u64,
    mut analyst: Option<&mut Analyst>,
) -> Result<Vec<Sample>, TableError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rules = &rules[rng.random_range(0..rules.len())];
    let random_share = RANDOM_SHARES[rng.random_range(0..RANDOM_SHARES.len())];
    let mut game = Game::new(Arc::clone(rules));
    let mut samples = Vec::new();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        let position = *game.position();
        let Some(successors) = successors(table, rules, &position, &mut rng)? else { break };
        let mv = choose(&successors, position.side_to_move(), random_share, &mut rng);
        let is_sampled = position.dogs_in_hand() > 0 || rng.random_bool(MOVE_SHARE);
        match &mut analyst {
            _ if !is_sampled => {}
            Some(analyst) => {
                if is_mixed(&going_on(successors)) || rng.random_bool(SAME_OUTCOME_SHARE) {
                    for position in analyst.leaves(rules, &position) {
                        let Some(value) = table.probe(rules, &position)? else { continue };
                        samples.push(Sample { rules: Arc::clone(rules), position, value });
                    }
                }
            }
            None => {
                take(successors, &mut rng, &mut samples);
                if let Some(astray) = astray(rules, &position, &mut rng)
                    && let Some(successors) = self::successors(table, rules, &astray, &mut rng)?
                {
                    take(successors, &mut rng, &mut samples);
                }
            }
        }
        let Some(mv) = mv else { break };
        game.play(mv);
    }
    Ok(samples)
}

/// A search that tells what it evaluates.
struct Analyst {
    searcher: Searcher,
    leaves: Arc<Leaves>,
    limits: Limits,
}

impl Analyst {
    fn new(options: &Searches) -> Result<Self, OutOfMemory> {
        let leaves = Arc::new(Leaves::new(LEAVES_PER_SAMPLE));
        let searcher = Searcher::by(&options.network, Some(Arc::clone(&leaves)), HASH)?;
        Ok(Self { searcher, leaves, limits: Limits { nodes: Some(options.nodes), ..Limits::default() } })
    }

    /// Positions that a search of this one evaluates.
    fn leaves(&mut self, rules: &Arc<Rules>, position: &Position) -> Vec<Position> {
        self.searcher.clear();
        let game = Game::from_position(Arc::clone(rules), *position);
        let never = AtomicBool::new(false);
        self.searcher.search(&game, &self.limits, &SearchOptions::default(), None, &never, &mut |_| {});
        self.leaves.take()
    }
}

/// A move and what it leads to.
type Successor = (Move, Sample);

/// The moves of a position in random order; `None` where the table has no values, as with leopards in hand.
fn successors(
    table: &Table,
    rules: &Arc<Rules>,
    position: &Position,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Option<Vec<Successor>>, TableError> {
    let mut successors = Vec::new();
    for mv in position.legal_moves(rules) {
        let position = position.after(rules, mv);
        let Some(value) = table.probe(rules, &position)? else { return Ok(None) };
        successors.push((mv, Sample { rules: Arc::clone(rules), position, value }));
    }
    for i in (1..successors.len()).rev() {
        successors.swap(i, rng.random_range(0..=i));
    }
    Ok(Some(successors))
}

/// The move of a player who errs only by chance. The successors are in random order.
fn choose(
    successors: &[Successor],
    side: Side,
    random_share: f64,
    rng: &mut Xoshiro256PlusPlus,
) -> Option<Move> {
    if rng.random_bool(random_share) {
        return successors.first().map(|(mv, _)| *mv);
    }
    let merit = |(_, sample): &&Successor| sample.value.merit(side);
    let most = successors.iter().max_by_key(merit)?;
    if rng.random_bool(HASTE_SHARE) {
        return Some(most.0);
    }
    successors.iter().find(|(_, sample)| sample.value.winner() == most.1.value.winner()).map(|(mv, _)| *mv)
}

/// Successors in which the game goes on.
fn going_on(successors: Vec<Successor>) -> Vec<Sample> {
    let samples = successors.into_iter().map(|(_, sample)| sample);
    samples.filter(|sample| sample.position.outcome(&sample.rules).is_none()).collect()
}

/// Whether some of these differ in who wins: a move can lose the value.
fn is_mixed(successors: &[Sample]) -> bool {
    successors.iter().any(|sample| sample.value.winner() != successors[0].value.winner())
}

/// Takes successors of a position that tell good moves from bad ones.
fn take(successors: Vec<Successor>, rng: &mut Xoshiro256PlusPlus, samples: &mut Vec<Sample>) {
    let going_on = going_on(successors);
    if is_mixed(&going_on) {
        for outcome in [Some(Side::Dogs), Some(Side::Leopards), None] {
            let of_outcome = going_on.iter().filter(|sample| sample.value.winner() == outcome);
            samples.extend(of_outcome.take(EACH_OUTCOME).cloned());
        }
    } else if rng.random_bool(SAME_OUTCOME_SHARE) {
        samples.extend(going_on.into_iter().next());
    }
}

/// A position some random moves on; `None` where the game ends on the way.
fn astray(rules: &Rules, position: &Position, rng: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let mut position = *position;
    for _ in 0..rng.random_range(1..=MOST_ASTRAY) {
        let moves = position.legal_moves(rules);
        if moves.is_empty() {
            return None;
        }
        position = position.after(rules, moves[rng.random_range(0..moves.len())]);
    }
    position.outcome(rules).is_none().then_some(position)
}

/// Writes a sample as a line: board, leopards, dogs, captures that win, value and position, with commas
/// between.
///
/// # Errors
/// Those of `out`.
pub fn write_sample(out: &mut impl Write, sample: &Sample) -> std::io::Result<()> {
    let Sample { rules, position, value } = sample;
    let board = rules.board();
    writeln!(
        out,
        "{},{},{},{},{value},{}",
        board.name(),
        rules.leopards(),
        rules.dogs(),
        rules.captures_to_win(),
        board.position_text(position)
    )
}

/// What is wrong with a file of samples.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // each message says it
pub enum SampleFileError {
    #[error("line {line}: {fault}")]
    Line { line: usize, fault: String },
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Reads the lines that [`write_sample`] writes; boards are those of the catalogue and one's own.
///
/// # Errors
/// The first line that is no sample, or that cannot be read.
pub fn read_samples(input: impl BufRead, own_boards: &[Arc<Board>]) -> Result<Vec<Sample>, SampleFileError> {
    let mut known = FxHashMap::default();
    let mut samples = Vec::new();
    for (line, text) in (1..).zip(input.lines()) {
        let sample = parse(&text?, own_boards, &mut known);
        samples.push(sample.map_err(|fault| SampleFileError::Line { line, fault })?);
    }
    Ok(samples)
}

/// Rules by board, leopards, dogs and captures.
type KnownRules = FxHashMap<(String, u8, u8, u8), Arc<Rules>>;

fn parse(line: &str, own_boards: &[Arc<Board>], known: &mut KnownRules) -> Result<Sample, String> {
    let fields: Vec<&str> = line.split(',').collect();
    let [board, leopards, dogs, captures, value, position] = fields[..] else {
        return Err(format!("{} fields, expected board,leopards,dogs,captures,value,position", fields.len()));
    };
    let number =
        |name: &str, text: &str| text.parse::<u8>().map_err(|_| format!("{name} {text}: expected a number"));
    let (leopards, dogs) = (number("leopards", leopards)?, number("dogs", dogs)?);
    let captures = number("captures", captures)?;
    let rules = match known.entry((board.to_owned(), leopards, dogs, captures)) {
        std::collections::hash_map::Entry::Occupied(entry) => Arc::clone(entry.get()),
        std::collections::hash_map::Entry::Vacant(entry) => {
            let spec = VariantSpec {
                board: Some(board.to_owned()),
                own_boards: own_boards.to_vec(),
                leopards: Some(leopards),
                dogs: Some(dogs),
                captures: Captures::Number(captures),
                ..VariantSpec::default()
            };
            Arc::clone(entry.insert(Arc::new(spec.rules().map_err(|error| error.to_string())?)))
        }
    };
    let (_, position) = rules.parse_position(position).map_err(|error| error.to_string())?;
    let value = match value.split_once(' ') {
        None if value == "draw" => Value::Draw,
        Some((winner, plies)) => {
            let winner: Side = winner.parse().map_err(|_| format!("value {value}: expected a side"))?;
            let plies = plies.parse().map_err(|_| format!("value {value}: expected plies"))?;
            Value::Win { winner, plies }
        }
        None => return Err(format!("value {value}: expected draw, or a side and plies")),
    };
    Ok(Sample { rules, position, value })
}
