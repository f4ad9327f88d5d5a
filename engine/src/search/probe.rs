//! What the search asks of a table, whatever the table is.

use crate::game::{Position, Value};

/// Exact values of positions, where they are known.
pub trait Probe: Send + Sync {
    /// The value of a position of the game being searched; `None` where it is not known.
    fn value(&self, position: &Position) -> Option<Value>;
}
