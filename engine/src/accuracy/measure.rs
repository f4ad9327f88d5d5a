//! The search's moves in given positions, judged.

use super::{AccuracyError, hash_for, outcome_of, valued_moves};
use crate::game::{Game, Move, Position, Rules, Side, Value};
use crate::search::{Limits, OutOfMemory, SearchOptions, Searcher};
use crate::tables::Table;
use crate::workers;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The two phases of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Dogs are in hand.
    Drop,
    /// All dogs are dropped.
    Move,
}

impl Phase {
    /// Both phases, in their order.
    pub const BOTH: [Self; 2] = [Self::Drop, Self::Move];

    /// The phase of a position.
    pub fn of(position: &Position) -> Self {
        if position.dogs_in_hand() > 0 { Self::Drop } else { Self::Move }
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Drop => "drop",
            Self::Move => "move",
        })
    }
}

/// How some positions came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions judged.
    pub positions: u64,
    /// Moves that kept the exact value.
    pub kept: u64,
    /// Of these, moves in won or lost positions.
    pub decided: u64,
    /// Of these, shortest wins and longest defences.
    pub best: u64,
    /// Plies that the others were off the best distance.
    pub plies_off: u64,
}

impl Tally {
    fn of(judgement: &Judgement) -> Self {
        let (kept, plies_off) = (judgement.keeps_value(), judgement.plies_off());
        let is_decided = kept && judgement.outcome() != 0;
        Self {
            positions: 1,
            kept: kept.into(),
            decided: is_decided.into(),
            best: (is_decided && plies_off == 0).into(),
            plies_off: if is_decided { plies_off } else { 0 },
        }
    }

    fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.kept += other.kept;
        self.decided += other.decided;
        self.best += other.best;
        self.plies_off += other.plies_off;
    }

    /// Share of moves that kept the value; `None` of no positions.
    pub fn kept_share(&self) -> Option<f64> {
        (self.positions > 0).then(|| self.kept as f64 / self.positions as f64)
    }

    /// Share of best distances among the decided positions kept; `None` of none.
    pub fn best_share(&self) -> Option<f64> {
        (self.decided > 0).then(|| self.best as f64 / self.decided as f64)
    }

    /// Mean plies off the best distance among the decided positions kept; `None` of none.
    pub fn mean_plies_off(&self) -> Option<f64> {
        (self.decided > 0).then(|| self.plies_off as f64 / self.decided as f64)
    }
}

/// Tallies by side and phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accuracy([[Tally; 2]; 2]);

impl Accuracy {
    /// The tallies of judged positions.
    pub fn of_all(judgements: &[Judgement]) -> Self {
        let mut accuracy = Self::default();
        for judgement in judgements {
            accuracy.0[judgement.side.index()][judgement.phase as usize].add(&Tally::of(judgement));
        }
        accuracy
    }

    /// The tally of a side in a phase.
    pub fn of(&self, side: Side, phase: Phase) -> &Tally {
        &self.0[side.index()][phase as usize]
    }

    /// All of them together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.0.iter().flatten().for_each(|tally| total.add(tally));
        total
    }
}

/// The move that the search chose in a position, and what there was to choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The number of the position among those given.
    pub number: usize,
    /// Who was to move.
    pub side: Side,
    /// The phase of the position.
    pub phase: Phase,
    /// Legal moves.
    pub moves: usize,
    /// Legal moves that keep the value.
    pub keeping: usize,
    /// The value of the best move.
    pub value: Value,
    /// The move chosen.
    pub chosen: Move,
    /// Its value.
    pub chosen_value: Value,
}

impl Judgement {
    /// -1, 0 or 1: whether the position is lost, drawn or won for the side to move.
    fn outcome(&self) -> i32 {
        outcome_of(self.value.merit(self.side))
    }

    /// Whether the move chosen keeps the exact value: who wins, or the draw.
    pub fn keeps_value(&self) -> bool {
        outcome_of(self.chosen_value.merit(self.side)) == self.outcome()
    }

    /// Plies by which a win comes later, or a loss sooner, than it need.
    fn plies_off(&self) -> u64 {
        (self.value.merit(self.side) - self.chosen_value.merit(self.side)).unsigned_abs().into()
    }
}

/// Searches each position with the same limits and nothing learnt from the others, and judges the moves; positions
/// that the table has no values of are passed over.
/// With limits on nodes or depth the result is the same whatever the number of `workers`.
///
/// # Errors
/// The table cannot be read, or there is no memory for the search.
pub fn measure(
    table: &Table,
    positions: &[(Arc<Rules>, Position)],
    limits: &Limits,
    workers: usize,
) -> Result<Vec<Judgement>, AccuracyError> {
    let judge = |searcher: &mut Result<Searcher, OutOfMemory>, number: usize| {
        let searcher = searcher.as_mut().map_err(|error| *error)?;
        searcher.clear();
        let (rules, position) = &positions[number];
        judge(table, &Game::from_position(Arc::clone(rules), *position), number, searcher, limits)
    };
    let judged = workers::in_order(workers, positions.len(), || Searcher::new(hash_for(limits)), judge)?;
    Ok(judged.into_iter().flatten().collect())
}

/// The search's move in one position, judged; `None` where the table has no value.
fn judge(
    table: &Table,
    game: &Game,
    number: usize,
    searcher: &mut Searcher,
    limits: &Limits,
) -> Result<Option<Judgement>, AccuracyError> {
    let position = game.position();
    let side = position.side_to_move();
    let Some(moves) = valued_moves(table, game.rules(), game)? else { return Ok(None) };
    let never = AtomicBool::new(false);
    let best = searcher.search(game, limits, &SearchOptions::default(), None, &never, &mut |_| {}).best;
    let merit = |value: Value| value.merit(side);
    let value = moves.iter().map(|&(_, value)| value).max_by_key(|&value| merit(value));
    let chosen = moves.iter().find(|&&(mv, _)| Some(mv) == best);
    let (Some(value), Some(&(chosen, chosen_value))) = (value, chosen) else { return Ok(None) };
    let keeps = |other: Value| outcome_of(merit(other)) == outcome_of(merit(value));
    Ok(Some(Judgement {
        number,
        side,
        phase: Phase::of(position),
        moves: moves.len(),
        keeping: moves.iter().filter(|&&(_, other)| keeps(other)).count(),
        value,
        chosen,
        chosen_value,
    }))
}
