//! The search's moves in given positions, judged.

use super::{outcome_of, valued_moves};
use crate::game::{Game, Position, Rules, Side};
use crate::search::{Limits, SearchOptions, Searcher};
use crate::tables::{Table, TableError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Megabytes of the transposition table of each worker.
const HASH: usize = 16;

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

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().flatten().zip(other.0.iter().flatten()).for_each(|(sum, tally)| sum.add(tally));
    }
}

/// Searches each position with the same limits and nothing learnt from the others, and judges the moves.
/// With limits on nodes or depth the result is the same whatever the number of `workers`.
///
/// # Errors
/// The table cannot be read, or has no values of these positions.
pub fn measure(
    table: &Table,
    positions: &[(Arc<Rules>, Position)],
    limits: &Limits,
    workers: usize,
) -> Result<Accuracy, TableError> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Accuracy, TableError> {
        let mut accuracy = Accuracy::default();
        let Ok(mut searcher) = Searcher::new(HASH) else { return Ok(accuracy) };
        while let Some((rules, position)) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            searcher.clear();
            let tally = judge(table, rules, position, &mut searcher, limits)?;
            accuracy.0[position.side_to_move().index()][Phase::of(position) as usize].add(&tally);
        }
        Ok(accuracy)
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers.max(1)).map(|_| scope.spawn(work)).collect();
        let mut total = Accuracy::default();
        for handle in handles {
            match handle.join() {
                Ok(accuracy) => total.add(&accuracy?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(total)
    })
}

/// The search's move in one position, judged; nothing where the table has no value.
fn judge(
    table: &Table,
    rules: &Arc<Rules>,
    position: &Position,
    searcher: &mut Searcher,
    limits: &Limits,
) -> Result<Tally, TableError> {
    let game = Game::from_position(Arc::clone(rules), *position);
    let side = position.side_to_move();
    let Some(moves) = valued_moves(table, rules, &game)? else { return Ok(Tally::default()) };
    let never = AtomicBool::new(false);
    let best = searcher.search(&game, limits, &SearchOptions::default(), None, &never, &mut |_| {}).best;
    let merits = || moves.iter().map(|(mv, value)| (mv, value.merit(side)));
    let chosen = merits().find(|(mv, _)| Some(**mv) == best).map_or(i32::MIN, |(_, merit)| merit);
    let most = merits().map(|(_, merit)| merit).max().unwrap_or(0);
    let mut tally = Tally { positions: 1, ..Tally::default() };
    if outcome_of(chosen) == outcome_of(most) && chosen != i32::MIN {
        tally.kept = 1;
        if outcome_of(most) != 0 {
            tally.decided = 1;
            tally.best = u64::from(chosen == most);
            tally.plies_off = (most - chosen) as u64;
        }
    }
    Ok(tally)
}
