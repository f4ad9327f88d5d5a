//! Games in the order of their numbers, whichever ends first.

use crate::game::GameRecord;
use std::collections::BTreeMap;

/// Holds back games until all before them have come, so that the files of a run do not depend on how many
/// workers play it.
#[derive(Debug)]
pub struct InOrder<'a> {
    /// Numbers of the games still to be handed on.
    expected: &'a [u64],
    held: BTreeMap<u64, GameRecord>,
}

impl<'a> InOrder<'a> {
    /// For games with these indices, in this order.
    pub const fn new(expected: &'a [u64]) -> Self {
        Self { expected, held: BTreeMap::new() }
    }

    /// Takes a game and gives all whose turn has come.
    pub fn push(&mut self, record: GameRecord) -> Vec<GameRecord> {
        self.held.insert(record.task.number - 1, record);
        let mut ready = Vec::new();
        while let Some((first, rest)) = self.expected.split_first()
            && let Some(record) = self.held.remove(first)
        {
            ready.push(record);
            self.expected = rest;
        }
        ready
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::GameTask;

    #[test]
    fn games_wait_for_those_before_them() {
        let record = |index: u64| {
            GameRecord::unplayed(GameTask {
                number: index + 1,
                pair: 1,
                round: 0,
                setting: 0,
                players: [0, 1],
            })
        };
        let mut order = InOrder::new(&[2, 3, 5, 7]);
        let mut push =
            |index| order.push(record(index)).iter().map(|r| r.task.number - 1).collect::<Vec<_>>();
        assert!(push(5).is_empty());
        assert!(push(3).is_empty());
        assert_eq!(push(2), [2, 3, 5]);
        assert_eq!(push(7), [7]);
    }
}
