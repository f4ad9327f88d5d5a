//! Positions to judge by: from games of a weak player, so that all sorts of them come about.

use super::{outcome_of, valued_moves};
use crate::game::{Game, Position, Rules, Side};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::tables::{Table, TableError};
use fxhash::FxHashSet;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Nodes of a move of the player whose games are sampled, and its errors, as a score.
const NODES: u64 = 400;
const NOISE: u32 = 20;
/// How often it moves at random: one of these for each game.
const RANDOM_SHARES: [f64; 3] = [0.03, 0.1, 0.25];
/// Plies after which a game is left.
const MAX_PLIES: usize = 160;
/// Positions with more quiet plies come from aimless play.
const MAX_QUIET: u16 = 40;
/// Games after which a side and phase that has too few positions is given up.
const MAX_GAMES: usize = 50_000;

/// What to sample.
#[derive(Clone, Copy, Debug)]
pub struct SampleOptions {
    /// Positions of each side in each phase.
    pub count: usize,
    /// Seed of all that is drawn by lot.
    pub seed: u64,
}

/// The positions sampled.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Rules and positions, in the order in which they were met.
    pub positions: Vec<(Arc<Rules>, Position)>,
    /// How many were passed over because all moves keep the value.
    pub passed_over: u64,
}

/// Samples positions in which some moves keep the exact value and some lose it, as many of each side while
/// dogs are dropped as later. Each game is played by one of the `rules`, which differ in the number of dogs.
///
/// # Errors
/// The table cannot be read.
///
/// # Panics
/// `rules` is empty.
pub fn sample(table: &Table, rules: &[Arc<Rules>], options: &SampleOptions) -> Result<Sample, TableError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let mut sample = Sample::default();
    let mut counts = [[0; 2]; 2];
    let mut seen = FxHashSet::default();
    let never = AtomicBool::new(false);
    // A megabyte is plenty for so few nodes, and is there always.
    let Ok(mut searcher) = Searcher::new(1) else { return Ok(sample) };
    for _ in 0..MAX_GAMES {
        let rules = &rules[rng.random_range(0..rules.len())];
        let random_share = RANDOM_SHARES[rng.random_range(0..RANDOM_SHARES.len())];
        let player = SearchOptions { noise: NOISE, seed: rng.random(), ..SearchOptions::default() };
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        let mut game = Game::new(Arc::clone(rules));
        searcher.clear();
        while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
            let position = *game.position();
            let Some(moves) = valued_moves(table, rules, &game)? else { break };
            let side = position.side_to_move();
            let outcomes = || moves.iter().map(|(_, value)| outcome_of(value.merit(side)));
            let count: &mut usize = &mut counts[side.index()][usize::from(position.dogs_in_hand() == 0)];
            if outcomes().min() == outcomes().max() {
                sample.passed_over += 1;
            } else if *count < options.count && position.quiet() < MAX_QUIET && seen.insert(position.key()) {
                *count += 1;
                sample.positions.push((Arc::clone(rules), position));
            }
            let mv = if rng.random_bool(random_share) {
                Some(moves[rng.random_range(0..moves.len())].0)
            } else {
                searcher.search(&game, &limits, &player, None, &never, &mut |_| {}).best
            };
            let Some(mv) = mv else { break };
            game.play(mv);
        }
        if Side::BOTH.iter().all(|side| counts[side.index()].iter().all(|&count| count >= options.count)) {
            break;
        }
    }
    Ok(sample)
}
