//! A part of a run, to be played apart from the others.

use super::{GameTask, Order};
use std::fmt;
use std::str::FromStr;

/// The most parts a run may be divided into.
const MAX_COUNT: u64 = 1_000_000;

/// One of several parts of a run. Every game belongs to exactly one of them, and games of a pair to the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Default for Shard {
    /// The only part: the whole run.
    fn default() -> Self {
        Self { index: 0, count: 1 }
    }
}

impl Shard {
    /// Part `number`, from 1, of `count`; `None` if there is no such part.
    pub fn new(number: u64, count: u64) -> Option<Self> {
        ((1..=MAX_COUNT).contains(&count) && (1..=count).contains(&number))
            .then(|| Self { index: number - 1, count })
    }

    /// Whether it is all of the run.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }

    /// The indices of its games.
    pub fn games(self, order: &Order) -> Vec<u64> {
        (0..order.len()).filter(|&index| self.contains(&order.game(index))).collect()
    }

    const fn contains(self, task: &GameTask) -> bool {
        (task.pair - 1) % self.count == self.index
    }
}

/// As it is given: `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        numbers.and_then(|(number, count)| Self::new(number, count)).ok_or_else(|| {
            format!("\"{text}\": expected a part of a number of parts, such as 2/8, the first being 1/8")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{Cell, round_robin};

    #[test]
    fn every_game_is_in_one_part_and_pairs_are_whole() {
        for order in [
            Order::Pairings { pairings: round_robin(3), games: 5 },
            Order::Sweep { cells: vec![Cell { setting: 0, players: [0, 1] }; 4], games: 3 },
        ] {
            for count in [1, 2, 3, 7, 100] {
                let parts: Vec<Vec<u64>> =
                    (1..=count).map(|number| Shard::new(number, count).unwrap().games(&order)).collect();
                let mut all = parts.concat();
                all.sort_unstable();
                assert_eq!(all, (0..order.len()).collect::<Vec<_>>());
                for part in parts {
                    assert!(part.is_sorted());
                }
                for index in 1..order.len() {
                    let [a, b] = [index - 1, index].map(|index| order.game(index));
                    let shard_of =
                        |task: &GameTask| (1..=count).find(|&i| Shard::new(i, count).unwrap().contains(task));
                    assert!(a.pair != b.pair || shard_of(&a) == shard_of(&b));
                }
            }
        }
    }

    #[test]
    fn parts_read_as_they_are_written() {
        assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
        for bad in ["", "2", "0/8", "9/8", "1/0", "a/8", "-1/8", "1/8/2"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
