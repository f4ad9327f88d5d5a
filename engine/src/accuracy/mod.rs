//! How often the search keeps what is exactly true: its moves judged by a table.
//!
//! Only positions count in which some legal moves keep the value and some lose it; others tell nothing.

mod duel;
mod measure;
mod sample;

pub use duel::{Duel, DuelOptions, duel};
pub use measure::{Accuracy, Judgement, Phase, Tally, measure};
pub use sample::{Sample, SampleOptions, sample};

use crate::game::{Game, Move, Rules, Value};
use crate::search::{Limits, OutOfMemory};
use crate::tables::{Table, TableError};

/// Why a search cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum AccuracyError {
    /// The table cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is no memory for the search.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
}

/// Megabytes of the transposition table of each search, at the least.
const HASH: usize = 16;

/// Megabytes for a search within limits: an entry of 16 bytes for each node, though not without end.
fn hash_for(limits: &Limits) -> usize {
    let megabytes = limits.nodes.unwrap_or(0) >> 16; // times 16, by 2^20
    usize::try_from(megabytes).unwrap_or(usize::MAX).clamp(HASH, 32 * HASH)
}

/// The legal moves of a game with the exact values they lead to; `None` where the table has none.
fn valued_moves(table: &Table, rules: &Rules, game: &Game) -> Result<Option<Vec<(Move, Value)>>, TableError> {
    let position = game.position();
    let moves = game.legal_moves();
    let values = moves.iter().map(|&mv| {
        Ok(Some((
            mv,
            match table.probe(rules, &position.after(rules, mv))? {
                Some(value) => value,
                None => return Ok(None),
            },
        )))
    });
    values.collect()
}

/// -1, 0 or 1: lost, drawn or won for the side to move.
fn outcome_of(merit: i32) -> i32 {
    merit.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Side, VariantSpec};
    use crate::search::Limits;
    use crate::tables::{SolveOptions, solve};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn positions_tell_and_more_nodes_keep_more() {
        let rules = |dogs| {
            let spec =
                VariantSpec { variant: Some("hat".into()), dogs: Some(dogs), ..VariantSpec::default() };
            Arc::new(spec.rules().unwrap())
        };
        let games = [rules(5), rules(6), rules(7)];
        let options = SolveOptions { threads: 1, memory: None, level: 1 };
        let table = solve(&games[0], &options, &|_| {}, &AtomicBool::new(false)).unwrap();
        let sampled = sample(&table, &games, &SampleOptions { count: 20, seed: 3 }).unwrap();
        assert!(sampled.positions.len() >= 60 && sampled.passed_over > 0);
        for (rules, position) in &sampled.positions {
            let game = Game::from_position(Arc::clone(rules), *position);
            let side = position.side_to_move();
            let moves = valued_moves(&table, rules, &game).unwrap().unwrap();
            let outcomes: Vec<i32> = moves.iter().map(|(_, value)| outcome_of(value.merit(side))).collect();
            assert!(outcomes.iter().any(|outcome| outcome != &outcomes[0]), "all moves keep the value");
        }

        let at = |nodes, workers| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            Accuracy::of_all(&measure(&table, &sampled.positions, &limits, workers).unwrap())
        };
        let quick = at(2, 1);
        assert_eq!(quick, at(2, 2), "the number of workers changes nothing");
        let [quick, slow] = [quick.total(), at(50_000, 2).total()];
        assert_eq!(quick.positions, sampled.positions.len() as u64);
        assert!(quick.kept < quick.positions, "two nodes are not enough");
        assert_eq!(slow.kept, slow.positions, "the smallest board is searched to its end");
        let leopards = at(50_000, 1);
        assert!(leopards.of(Side::Leopards, Phase::Move).positions > 0);
    }
}
