//! The search of a weakened engine: a score for every move, and a choice among them.

use super::super::pvs::{RootMove, Shared, Worker};
use super::super::score::{INFINITE, Score, from_value};
use super::super::searcher::{MAX_DEPTH, Report, SearchOptions, SearchResult, make_report};
use super::Level;
use crate::game::{Game, Move, Position, Reason, Rules, Side, Value};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Searches as the level of `options` does, with one thread. The moves told are the best found, as in any search;
/// the move of the result is the one chosen.
pub(in super::super) fn search(
    shared: &Shared<'_>,
    game: &Game,
    mut root_moves: Vec<RootMove>,
    options: &SearchOptions,
    report: &mut dyn FnMut(&Report),
) -> SearchResult {
    let (rules, position) = (&**game.rules(), game.position());
    for root_move in &mut root_moves {
        root_move.score = first_look(shared, position, root_move.mv);
    }
    root_moves.sort_by_key(|root_move| -root_move.score);
    let mut worker = Worker::new(shared, game, root_moves);
    let lines = options.multi_pv.clamp(1, worker.root_moves.len());
    let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) as i32;
    let only_move = shared.limits.clock.is_some() && worker.root_moves.len() == 1;
    let mut completed = 0;
    for depth in 1..=deepest {
        // Scores of two depths do not compare: those of an iteration that is broken off are dropped.
        let before = worker.root_moves.clone();
        score_all(&mut worker, options.level, lines, depth);
        worker.tell_nodes();
        if worker.aborted {
            worker.root_moves = before;
            break;
        }
        worker.root_moves.sort_by_key(|root_move| -root_move.score);
        completed = depth;
        for (number, root_move) in worker.root_moves[..lines].iter().enumerate() {
            report(&make_report(shared, root_move, depth, number, None));
        }
        if only_move || shared.budget.is_some_and(|budget| shared.begun.elapsed() >= budget.soft) {
            break;
        }
    }
    let last = make_report(shared, &worker.root_moves[0], completed, 0, None);
    report(&last);
    let candidates = candidates(options.level, rules, position, &worker.root_moves);
    let scores = candidates.iter().map(|candidate| candidate.score);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed(options.seed, game));
    let chosen = options.level.choose(scores, &mut rng);
    SearchResult { best: Some(candidates[chosen].mv), last }
}

/// The seed of a choice: another in each position, and when a position comes again.
fn seed(seed: u64, game: &Game) -> u64 {
    // The odd constant is that of SplitMix64; what comes of it is spread over all bits by the generator.
    let ply = (game.moves().len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    seed ^ game.position().key() ^ ply
}

/// What a move looks like without search.
fn first_look(shared: &Shared<'_>, position: &Position, mv: Move) -> Score {
    let next = position.after(shared.rules, mv);
    match next.outcome(shared.rules).map(Reason::winner) {
        None => -shared.evaluator.evaluate(shared.rules, &next),
        Some(None) => 0,
        Some(Some(winner)) => from_value(Value::Win { winner, plies: 0 }, position.side_to_move(), 1),
    }
}

/// One iteration: scores for all moves, exact as far as a move may be chosen or is to be told.
fn score_all(worker: &mut Worker<'_>, level: Level, lines: usize, depth: i32) {
    let last = worker.root_moves.len() - 1;
    worker.first_root_move = last;
    let mut found: Vec<Score> = Vec::with_capacity(worker.root_moves.len());
    for index in 0..=last {
        let alpha = match found.get(lines - 1) {
            Some(&told) => level.floor(found[0]).min(told),
            None => -INFINITE,
        };
        // The search heeds the moves from `first_root_move` on: this one alone.
        worker.root_moves.swap(index, last);
        let score = worker.search_root(alpha, INFINITE, depth);
        worker.root_moves.swap(index, last);
        if worker.aborted {
            return;
        }
        found.insert(found.partition_point(|&other| other >= score), score);
    }
}

/// The moves to choose from: to a careful player those that win on the spot, or else those that do not let the
/// opponent do so, or else, and to any other player, all.
fn candidates<'m>(
    level: Level,
    rules: &Rules,
    position: &Position,
    root_moves: &'m [RootMove],
) -> Vec<&'m RootMove> {
    let all = || root_moves.iter();
    if level.is_careful() {
        let wins = |mv| is_won(rules, &position.after(rules, mv), position.side_to_move());
        let winning: Vec<_> = all().filter(|root_move| wins(root_move.mv)).collect();
        if !winning.is_empty() {
            return winning;
        }
        let safe: Vec<_> =
            all().filter(|root_move| !can_win(rules, &position.after(rules, root_move.mv))).collect();
        if !safe.is_empty() {
            return safe;
        }
    }
    all().collect()
}

fn is_won(rules: &Rules, position: &Position, side: Side) -> bool {
    position.outcome(rules).and_then(Reason::winner) == Some(side)
}

/// Whether the side to move can win with its next move.
fn can_win(rules: &Rules, position: &Position) -> bool {
    let side = position.side_to_move();
    let wins = |&mv: &Move| is_won(rules, &position.after(rules, mv), side);
    position.outcome(rules).is_none() && position.legal_moves(rules).iter().any(wins)
}
