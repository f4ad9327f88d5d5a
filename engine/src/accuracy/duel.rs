//! Whole games of the search, alone, against play that a table makes perfect.

use super::{AccuracyError, hash_for, outcome_of, valued_moves};
use crate::exact::ExactValues;
use crate::game::{Game, Move, Reason, Rules, Side, Value};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::tables::{Table, TableError};
use crate::workers::in_order;
use fxhash::FxHashSet;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Moves whose nodes the transposition table of the player who is judged has room for.
const MOVES_KEPT: usize = 4;
/// Nodes with which the perfect player chooses among moves that keep a draw, so that it sets problems.
const DRAW_NODES: u64 = 10_000;
/// Openings tried for each that is wanted.
const TRIES: usize = 200;

/// What games to play.
#[derive(Clone, Copy, Debug)]
pub struct DuelOptions {
    /// The side of the search.
    pub side: Side,
    /// Games, each with an opening of its own.
    pub games: usize,
    /// Random plies of an opening, all of which keep the value of the start.
    pub plies: usize,
    /// Seed of the openings.
    pub seed: u64,
    /// Games at a time; changes nothing in what comes out as long as time is no limit.
    pub workers: usize,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Duel {
    /// All its moves, the opening's first.
    pub moves: Vec<Move>,
    /// The value after the opening.
    pub value: Value,
    /// How it ended.
    pub reason: Reason,
    /// Whether the search got what the value promises it.
    pub is_kept: bool,
}

/// Plays the search against a table that it does not see. The other side hastens to win, delays its loss, and
/// chooses among the moves that keep a draw by a search of its own.
///
/// # Errors
/// The table cannot be read, or there is no memory for the search.
pub fn duel(
    table: &Arc<Table>,
    rules: &Arc<Rules>,
    limits: &Limits,
    options: &DuelOptions,
    tell: &(dyn Fn(&Duel) + Sync),
) -> Result<Vec<Duel>, AccuracyError> {
    let openings = openings(table, rules, options)?;
    let games = in_order(
        options.workers,
        openings.len(),
        || (),
        |(), number| {
            let (opening, value) = &openings[number];
            let duel = play(table, opening.clone(), *value, limits, options.side)?;
            if let Some(duel) = &duel {
                tell(duel);
            }
            Ok::<_, AccuracyError>(duel)
        },
    )?;
    Ok(games.into_iter().flatten().collect())
}

/// Different openings of random moves that keep the value of the start for the side of the search, each with the
/// value it leads to; fewer where there are no more.
fn openings(
    table: &Table,
    rules: &Arc<Rules>,
    options: &DuelOptions,
) -> Result<Vec<(Game, Value)>, TableError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut openings = Vec::new();
    let mut seen = FxHashSet::default();
    let Some(start) = table.probe(rules, &rules.start())? else { return Ok(openings) };
    let outcome = outcome_of(start.merit(options.side));
    for _ in 0..options.games * TRIES {
        if openings.len() == options.games {
            break;
        }
        let (mut game, mut value) = (Game::new(Arc::clone(rules)), start);
        for _ in 0..options.plies {
            let Some(mut moves) = valued_moves(table, rules, &game)? else { break };
            moves.retain(|(_, value)| outcome_of(value.merit(options.side)) == outcome);
            if moves.is_empty() {
                break;
            }
            let (mv, next) = moves[rng.random_range(0..moves.len())];
            game.play(mv);
            value = next;
        }
        let is_whole = game.moves().len() == options.plies && game.outcome().is_none();
        if is_whole && seen.insert(game.position().key()) {
            openings.push((game, value));
        }
    }
    Ok(openings)
}

/// One game from its opening on; `None` where a side has no move to play on with.
fn play(
    table: &Arc<Table>,
    mut game: Game,
    value: Value,
    limits: &Limits,
    side: Side,
) -> Result<Option<Duel>, AccuracyError> {
    let rules = Arc::clone(game.rules());
    let exact = ExactValues::new(Arc::clone(table), &rules);
    let (mut judged, mut perfect) = (Searcher::new(MOVES_KEPT * hash_for(limits))?, Searcher::new(1)?);
    let options = SearchOptions::default();
    let never = AtomicBool::new(false);
    let draw_limits = Limits { nodes: Some(DRAW_NODES), ..Limits::default() };
    let reason = loop {
        if let Some(reason) = game.outcome() {
            break reason;
        }
        let best = if game.position().side_to_move() == side {
            judged.search(&game, limits, &options, None, &never, &mut |_| {}).best
        } else {
            let best = perfect.search(&game, &draw_limits, &options, Some(&exact), &never, &mut |_| {}).best;
            if exact.fault().is_some() {
                valued_moves(table, &rules, &game)?; // says what the fault is
            }
            best
        };
        match best {
            Some(mv) => game.play(mv),
            None => return Ok(None),
        }
    };
    let promised = outcome_of(value.merit(side));
    let got = match reason.winner() {
        Some(winner) if winner == side => 1,
        Some(_) => -1,
        None => 0,
    };
    Ok(Some(Duel { moves: game.moves().to_vec(), value, reason, is_kept: got >= promised }))
}
