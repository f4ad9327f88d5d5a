//! Exact values of a game, from the table that serves it, as the search asks for them.

use crate::game::{Game, Move, Position, Rules, Value};
use crate::search::Probe;
use crate::tables::{Table, TableError, TableStore};
use std::sync::{Arc, OnceLock};

/// A table, and the rules it is asked by.
pub struct ExactValues {
    table: Arc<Table>,
    rules: Arc<Rules>,
    /// The first fault met while reading: from then on the table is not trusted.
    fault: OnceLock<TableError>,
}

impl ExactValues {
    /// The values of a game, where the store has its table.
    pub fn find(store: &TableStore, rules: &Arc<Rules>) -> Option<Self> {
        Some(Self::new(store.find(rules)?, rules))
    }

    /// The values of a game by the table that serves it.
    pub fn new(table: Arc<Table>, rules: &Arc<Rules>) -> Self {
        Self { table, rules: Arc::clone(rules), fault: OnceLock::new() }
    }

    /// What went wrong with the table, if anything did.
    pub fn fault(&self) -> Option<&TableError> {
        self.fault.get()
    }

    /// The legal moves of a game with their values, the best for the side to move first; none where a value
    /// is not known.
    pub fn moves(&self, game: &Game) -> Option<Vec<(Move, Value)>> {
        let position = game.position();
        let valued = |&mv: &Move| Some((mv, self.value(&position.after(&self.rules, mv))?));
        let mut moves = game.legal_moves().iter().map(valued).collect::<Option<Vec<_>>>()?;
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value.merit(position.side_to_move())));
        Some(moves)
    }
}

impl Probe for ExactValues {
    fn value(&self, position: &Position) -> Option<Value> {
        if self.fault.get().is_some() {
            return None;
        }
        self.table.probe(&self.rules, position).unwrap_or_else(|fault| {
            let _ = self.fault.set(fault); // another thread may have met it first
            None
        })
    }
}
