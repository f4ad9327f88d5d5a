//! Counts of games.

use super::pairs::Pairs;
use super::wilson::{Interval, wilson};
use crate::game::{GameRecord, Spans};
use crate::schedule::Cell;
use engine::game::Side;
use fxhash::FxHashSet;
use std::collections::BTreeMap;
use std::iter::Sum;
use std::ops::Add;

/// How games came out, seen from one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Outcomes {
    /// Number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, a half for a draw.
    pub const fn points(self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points a game, 0 to 1; `None` before the first game.
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The 95 % interval of the score: see [`wilson`].
    pub fn interval(self) -> Interval {
        wilson(self.points(), self.games())
    }

    /// The same games seen from the other side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    fn count(&mut self, winner: Option<Side>, own: Side) {
        match winner {
            None => self.draws += 1,
            Some(side) if side == own => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }
}

impl Add for Outcomes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl Sum for Outcomes {
    fn sum<I: Iterator<Item = Self>>(outcomes: I) -> Self {
        outcomes.fold(Self::default(), Add::add)
    }
}

/// The games of one cell: the same rules, the same players on the same sides.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// How they came out for the Dogs.
    pub dogs: Outcomes,
    /// Why they ended, in the words of the games file, and how often.
    pub reasons: BTreeMap<&'static str, u64>,
    /// The different games: where they began, and their moves in 16 bits each.
    games: FxHashSet<(u64, Box<[u16]>)>,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.dogs.count(game.winner(), Side::Dogs);
        *self.reasons.entry(game.termination.word()).or_default() += 1;
        let start = game.start.map_or(0, |start| start.key());
        self.games.insert((start, game.moves.iter().map(|mv| mv.to_bits()).collect()));
    }

    /// Number of different games: equal sequences of moves count once.
    pub fn unique_games(&self) -> u64 {
        self.games.len() as u64
    }

    /// How they came out for a side.
    pub fn of(&self, side: Side) -> Outcomes {
        match side {
            Side::Dogs => self.dogs,
            Side::Leopards => self.dogs.reversed(),
        }
    }
}

/// The games of a run, by cell, and the pairs, by players.
#[derive(Clone, Debug, Default)]
pub struct Tallies {
    cells: BTreeMap<Cell, Tally>,
    /// What the first of two players scored, which is the one of the lower index.
    pairs: BTreeMap<[usize; 2], Pairs>,
    /// Half points of the first player in the first game of pairs whose second has not come.
    halves: BTreeMap<u64, usize>,
    /// What the answers of each player cost beside its thinking.
    answers: BTreeMap<usize, Spans>,
    between: Spans,
}

impl Tallies {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.cells.entry(game.task.cell()).or_default().add(game);
        let [dogs, leopards] = game.task.players;
        for (player, answers) in game.task.players.into_iter().zip(game.costs.answers) {
            *self.answers.entry(player).or_default() += answers;
        }
        self.between += game.costs.between;
        let first = if dogs <= leopards { Side::Dogs } else { Side::Leopards };
        let half_points = match game.winner() {
            None => 1,
            Some(winner) => 2 * usize::from(winner == first),
        };
        match self.halves.remove(&game.task.pair) {
            None => drop(self.halves.insert(game.task.pair, half_points)),
            Some(other) => {
                let players = [dogs.min(leopards), dogs.max(leopards)];
                self.pairs.entry(players).or_default().add_half_points(half_points + other);
            }
        }
    }

    /// The games of a cell so far, if there are any.
    pub fn cell(&self, cell: Cell) -> Option<&Tally> {
        self.cells.get(&cell)
    }

    /// The complete pairs of a player against an opponent, or against all.
    pub fn pairs(&self, player: usize, opponent: Option<usize>) -> Pairs {
        let mut sum = Pairs::default();
        for (&[first, second], pairs) in &self.pairs {
            if first == player && opponent.is_none_or(|opponent| opponent == second) {
                sum += *pairs;
            } else if second == player && opponent.is_none_or(|opponent| opponent == first) {
                sum += pairs.reversed();
            }
        }
        sum
    }

    /// How the games of one player came out for it, with `side` against `opponent`; `None` stands for any.
    pub fn outcomes(&self, player: usize, side: Option<Side>, opponent: Option<usize>) -> Outcomes {
        let of_side = |own: Side| {
            self.cells
                .iter()
                .filter(move |(cell, _)| {
                    cell.players[own.index()] == player
                        && opponent.is_none_or(|opponent| cell.players[(!own).index()] == opponent)
                })
                .map(move |(_, tally)| tally.of(own))
        };
        Side::BOTH.into_iter().filter(|&own| side.is_none_or(|side| side == own)).flat_map(of_side).sum()
    }

    /// What the answers of a player cost beside its thinking: see [`Costs`](crate::game::Costs).
    pub fn answers(&self, player: usize) -> Spans {
        self.answers.get(&player).copied().unwrap_or_default()
    }

    /// What the arena itself took between two moves.
    pub fn between(&self) -> Spans {
        self.between
    }

    /// Different games, summed over the cells.
    pub fn unique_games(&self) -> u64 {
        self.cells.values().map(Tally::unique_games).sum()
    }

    /// All games together, for the Dogs.
    pub fn dogs(&self) -> Outcomes {
        self.cells.values().map(|tally| tally.dogs).sum()
    }

    /// Why the games ended, in the words of the games file: the most frequent first.
    pub fn reasons(&self) -> Vec<(&'static str, u64)> {
        let mut total: BTreeMap<&'static str, u64> = BTreeMap::new();
        for (word, count) in self.cells.values().flat_map(|tally| &tally.reasons) {
            *total.entry(word).or_default() += count;
        }
        let mut reasons: Vec<_> = total.into_iter().collect();
        reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{FaultKind, Termination};
    use crate::schedule::GameTask;
    use engine::game::{Move, Point, Reason};

    fn record(players: [usize; 2], termination: Termination, drops: &[usize]) -> GameRecord {
        let task = GameTask { number: 1, pair: 1, round: 0, setting: 0, players };
        let moves = drops.iter().map(|&i| Move::drop(Point::new(i).unwrap())).collect();
        GameRecord { termination, moves, ..GameRecord::unplayed(task) }
    }

    #[test]
    fn pairs_are_counted_once_both_games_have_come() {
        let mut tallies = Tallies::default();
        let trapped = Termination::Rules(Reason::Trapped);
        let mut add = |pair, players, termination| {
            let mut game = record(players, termination, &[]);
            game.task.pair = pair;
            tallies.add(&game);
        };
        add(1, [0, 1], trapped);
        add(2, [0, 2], trapped);
        add(1, [1, 0], Termination::MaxPlies);
        add(2, [2, 0], trapped);
        add(3, [0, 1], trapped);
        assert_eq!(tallies.pairs(0, Some(1)), Pairs([0, 0, 0, 1, 0]));
        assert_eq!(tallies.pairs(1, None), Pairs([0, 1, 0, 0, 0]));
        assert_eq!(tallies.pairs(0, None), Pairs([0, 0, 1, 1, 0]));
        assert_eq!(tallies.pairs(2, Some(1)), Pairs::default());
    }

    #[test]
    fn every_game_is_seen_from_both_sides() {
        let mut tallies = Tallies::default();
        let crash = Termination::Fault { by: Side::Dogs, kind: FaultKind::Crash };
        tallies.add(&record([0, 1], Termination::Rules(Reason::Trapped), &[1, 2]));
        tallies.add(&record([0, 1], Termination::MaxPlies, &[1, 2]));
        tallies.add(&record([1, 0], crash, &[1]));
        let own = tallies.outcomes(0, None, None);
        assert_eq!(own, Outcomes { wins: 2, draws: 1, losses: 0 });
        assert_eq!(tallies.outcomes(1, None, Some(0)), own.reversed());
        assert_eq!(
            tallies.outcomes(0, Some(Side::Leopards), None),
            Outcomes { wins: 1, draws: 0, losses: 0 }
        );
        assert_eq!(tallies.dogs(), Outcomes { wins: 1, draws: 1, losses: 1 });
        assert_eq!(tallies.unique_games(), 2);
        assert_eq!(tallies.reasons(), [("crash", 1), ("max-plies", 1), ("trapped", 1)]);
        assert_eq!(own.score(), Some(2.5 / 3.0));
        assert_eq!(tallies.outcomes(2, None, None).score(), None);
    }
}
