//! Who meets whom, how often, and in which order.

/// One game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameTask {
    /// Its number in the run, from 1.
    pub number: u64,
    /// The number of its pair, from 1: games of a pair have the same opening and the sides swapped. A game
    /// without a partner is a pair of its own.
    pub pair: u64,
    /// Which opening is played, from 0.
    pub round: u64,
    /// Index of its rules in the plan.
    pub setting: usize,
    /// Indices of the players in the plan: the Dogs', then the Leopards'.
    pub players: [usize; 2],
}

/// The order of a run's games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Players meet in pairings, in one setting: each opening twice, with the sides swapped. One round after
    /// the other, so that all pairings are equally far at any time.
    Pairings {
        /// Who meets whom: see [`round_robin`] and [`gauntlet`].
        pairings: Vec<[usize; 2]>,
        /// Games of each pairing. An odd number leaves out the last game of the last pair.
        games: u64,
    },
    /// The same number of games in each cell, one of each cell after the other, each with an opening of its
    /// own and the players on their sides.
    Sweep {
        /// The cells.
        cells: Vec<Cell>,
        /// Games of each cell.
        games: u64,
    },
}

/// A cell of a sweep: what is played, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Index of the setting.
    pub setting: usize,
    /// Indices of the players: the Dogs', then the Leopards'.
    pub players: [usize; 2],
}

impl GameTask {
    /// Setting and players: games that share them are counted together.
    pub const fn cell(&self) -> Cell {
        Cell { setting: self.setting, players: self.players }
    }
}

impl Order {
    /// Number of games.
    pub fn len(&self) -> u64 {
        match self {
            Self::Pairings { pairings, games } => pairings.len() as u64 * games,
            Self::Sweep { cells, games } => cells.len() as u64 * games,
        }
    }

    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The game at an index, from 0 to [`len`](Self::len) (not included).
    pub fn game(&self, index: u64) -> GameTask {
        match self {
            Self::Pairings { pairings, games } => game_of_pairings(pairings, *games, index),
            Self::Sweep { cells, games: _ } => {
                let count = cells.len() as u64;
                let Cell { setting, players } = cells[(index % count) as usize];
                GameTask { number: index + 1, pair: index + 1, round: index / count, setting, players }
            }
        }
    }

    /// The pairings, or the cells of a sweep, each once with the players as they first meet.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Self::Pairings { pairings, .. } => {
                pairings.iter().map(|&players| Cell { setting: 0, players }).collect()
            }
            Self::Sweep { cells, .. } => cells.clone(),
        }
    }
}

fn game_of_pairings(pairings: &[[usize; 2]], games: u64, index: u64) -> GameTask {
    let count = pairings.len() as u64;
    let full_rounds = games / 2;
    // Of the last round of an odd number of games only the first of each pair is played.
    let (round, pairing, swapped) = if index < full_rounds * count * 2 {
        (index / (2 * count), index / 2 % count, index % 2 == 1)
    } else {
        (full_rounds, index - full_rounds * count * 2, false)
    };
    let [a, b] = pairings[pairing as usize];
    let players = if swapped { [b, a] } else { [a, b] };
    GameTask { number: index + 1, pair: round * count + pairing + 1, round, setting: 0, players }
}

/// Every two of the players: 0–1, 0–2, …, 1–2, ….
pub fn round_robin(players: usize) -> Vec<[usize; 2]> {
    (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
}

/// The first of the players against each of the others.
pub fn gauntlet(players: usize) -> Vec<[usize; 2]> {
    (1..players).map(|other| [0, other]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn games(order: &Order) -> Vec<GameTask> {
        (0..order.len()).map(|i| order.game(i)).collect()
    }

    #[test]
    fn a_round_robin_plays_both_sides_of_every_opening() {
        let order = Order::Pairings { pairings: round_robin(3), games: 4 };
        let games = games(&order);
        assert_eq!(games.len(), 12);
        for pair in games.chunks(2) {
            let [a, b] = pair else { panic!("an odd number of games") };
            assert_eq!((a.pair, a.round, a.players), (b.pair, b.round, [b.players[1], b.players[0]]));
        }
        let mut meetings: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        for game in &games {
            *meetings.entry(game.players).or_default() += 1;
        }
        assert_eq!(meetings.len(), 6);
        assert!(meetings.values().all(|&n| n == 2));
        assert!(games.iter().zip(1..).all(|(game, number)| game.number == number));
        assert_eq!(games.iter().map(|game| game.pair).max(), Some(6));
    }

    #[test]
    fn an_odd_number_of_games_leaves_the_last_pair_half() {
        let games = games(&Order::Pairings { pairings: round_robin(3), games: 3 });
        assert_eq!(games.len(), 9);
        let last: Vec<_> = games[6..].iter().map(|game| (game.players, game.pair, game.round)).collect();
        assert_eq!(last, [([0, 1], 4, 1), ([0, 2], 5, 1), ([1, 2], 6, 1)]);
    }

    #[test]
    fn in_a_gauntlet_the_first_meets_the_others() {
        let games = games(&Order::Pairings { pairings: gauntlet(4), games: 2 });
        let players: Vec<_> = games.iter().map(|game| game.players).collect();
        assert_eq!(players, [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]]);
    }

    #[test]
    fn a_sweep_goes_through_all_cells_again_and_again() {
        let cells: Vec<_> = (0..3).map(|setting| Cell { setting, players: [0, 1] }).collect();
        let order = Order::Sweep { cells: cells.clone(), games: 2 };
        let games = games(&order);
        assert_eq!(games.iter().map(GameTask::cell).collect::<Vec<_>>(), [&cells[..], &cells[..]].concat());
        assert_eq!(games.iter().map(|game| game.round).collect::<Vec<_>>(), [0, 0, 0, 1, 1, 1]);
        assert!(games.iter().all(|game| game.pair == game.number));
    }
}
