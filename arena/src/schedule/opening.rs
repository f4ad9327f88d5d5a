//! Openings: drawn by lot, given, or all there are.

use engine::game::{Board, Game, Move, PointSet, Position, Rules, Setup};
use fxhash::FxHashSet;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// How often an opening is drawn anew because it ended the game, before a shorter one is taken.
const ATTEMPTS: u32 = 100;
/// The most openings that are listed.
pub const MAX_OPENINGS: usize = 1_000_000;

/// How a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The position it begins from; `None` is the start of the rules.
    pub start: Option<Position>,
    /// The moves that are given.
    pub moves: Vec<Move>,
}

/// The openings of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Openings {
    /// Random legal moves, so many of them.
    Random(usize),
    /// A list for each setting, gone through round by round, and again from its beginning when it ends.
    Listed {
        /// What they are, in words: `all of 2 plies`.
        name: String,
        /// By index of the settings; no list is empty.
        lists: Vec<Vec<Opening>>,
    },
}

impl Opening {
    /// The game as it stands after the opening.
    pub fn game(&self, rules: &Arc<Rules>) -> Game {
        let mut game = match self.start {
            Some(start) => Game::from_position(Arc::clone(rules), start),
            None => Game::new(Arc::clone(rules)),
        };
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }

    /// Reads a position, or moves from the start, separated by blanks. The game must not be over after it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str, rules: &Arc<Rules>) -> Result<Self, String> {
        let mut opening = Self::default();
        if text.contains('/') {
            let setup = rules.board().parse_setup(text).map_err(|error| error.to_string())?;
            opening.start = Some(rules.check(&setup).map_err(|error| error.to_string())?);
        } else {
            let mut game = Game::new(Arc::clone(rules));
            for word in text.split_whitespace() {
                game.play_text(word).map_err(|error| error.to_string())?;
            }
            opening.moves = game.moves().to_vec();
        }
        match opening.game(rules).outcome() {
            None => Ok(opening),
            Some(reason) => Err(format!("the game is over after it: {reason}")),
        }
    }
}

/// Random legal moves from the start of a game that leave it undecided: `plies` of them, or, where that
/// cannot be had, as many as can.
///
/// Each move is drawn with equal chance among the legal ones (xoshiro256++ from `seed`).
pub fn random_opening(rules: &Arc<Rules>, plies: usize, seed: u64) -> Vec<Move> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start = Game::new(Arc::clone(rules));
    for plies in (1..=plies).rev() {
        if let Some(moves) = (0..ATTEMPTS).find_map(|_| random_moves(start.clone(), plies, &mut rng)) {
            return moves;
        }
    }
    Vec::new()
}

/// Random moves; `None` if they end the game.
fn random_moves(mut game: Game, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Vec<Move>> {
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]);
    }
    game.outcome().is_none().then(|| game.moves().to_vec())
}

/// One opening for each position that so many plies can lead to, positions that mirror each other counted
/// once and ended games left out; in an order drawn by lot. `None` if there are more than
/// [`MAX_OPENINGS`].
pub fn all_openings(rules: &Arc<Rules>, plies: usize, seed: u64) -> Option<Vec<Opening>> {
    let mut games = vec![Game::new(Arc::clone(rules))];
    for _ in 0..plies {
        let mut reached = FxHashSet::default();
        let mut next = Vec::new();
        for game in &games {
            for mv in game.legal_moves() {
                let mut after = game.clone();
                after.play(mv);
                if after.outcome().is_none() && reached.insert(up_to_mirror(after.position(), rules.board()))
                {
                    next.push(after);
                }
            }
            if next.len() > MAX_OPENINGS {
                return None;
            }
        }
        games = next;
    }
    let mut openings: Vec<Opening> =
        games.into_iter().map(|game| Opening { start: None, moves: game.moves().to_vec() }).collect();
    // Fisher and Yates.
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for last in (1..openings.len()).rev() {
        openings.swap(last, rng.random_range(0..=last));
    }
    Some(openings)
}

/// What a position shares with its mirror image and with no other.
fn up_to_mirror(position: &Position, board: &Board) -> [u64; 2] {
    let setup = position.setup();
    let pieces =
        |dogs: PointSet, leopards: PointSet| u64::from(dogs.bits()) << 32 | u64::from(leopards.bits());
    let own = pieces(setup.dogs, setup.leopards);
    let mirrored = board.mirrored_set(setup.dogs).zip(board.mirrored_set(setup.leopards));
    let mirrored = mirrored.map_or(own, |(dogs, leopards)| pieces(dogs, leopards));
    let Setup { dogs_in_hand, leopards_in_hand, captured, side, .. } = setup;
    let rest = [dogs_in_hand, leopards_in_hand, captured, side.index() as u8];
    [own.min(mirrored), u64::from(u32::from_le_bytes(rest))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::{Captures, VariantSpec};

    fn rules(variant: &str, dogs: u8, captures: Captures) -> Arc<Rules> {
        let variant = Some(variant.to_owned());
        Arc::new(
            VariantSpec { variant, dogs: Some(dogs), captures, ..VariantSpec::default() }.rules().unwrap(),
        )
    }

    #[test]
    fn an_opening_never_ends_the_game() {
        let rules = rules("hat", 7, Captures::Number(1));
        for seed in 0..200 {
            let moves = random_opening(&rules, 10, seed);
            let game = Opening { start: None, moves: moves.clone() }.game(&rules);
            assert!(game.outcome().is_none() && moves.len() <= 10);
        }
    }

    #[test]
    fn the_seed_decides() {
        let rules = rules("demala", 15, Captures::Auto);
        assert_eq!(random_opening(&rules, 4, 1), random_opening(&rules, 4, 1));
        let different: std::collections::HashSet<_> =
            (0..100).map(|s| random_opening(&rules, 4, s)).collect();
        assert!(different.len() > 95, "{}", different.len());
        let orders = [1, 1, 2].map(|seed| all_openings(&rules, 2, seed).unwrap());
        assert!(orders[0] == orders[1] && orders[0] != orders[2]);
    }

    #[test]
    fn a_game_that_is_over_or_soon_will_be_has_a_short_opening() {
        assert!(random_opening(&rules("demala", 1, Captures::Auto), 4, 1).is_empty());
        let soon = random_opening(&rules("hat", 9, Captures::Number(1)), 200, 1);
        assert!(soon.len() < 200, "{}", soon.len());
    }

    #[test]
    fn all_openings_are_those_that_differ_by_more_than_a_mirror() {
        // 21 points, 3 leopards: 18 drops, of which one on the axis is its own mirror image.
        let rules = rules("demala", 15, Captures::Auto);
        let board = rules.board();
        let on_axis = board.points().into_iter().filter(|&p| board.mirrored(p) == Some(p));
        let vacant_on_axis = on_axis.filter(|&p| !rules.start().leopards().contains(p)).count();
        assert_eq!(all_openings(&rules, 0, 1).unwrap(), [Opening::default()]);
        assert_eq!(all_openings(&rules, 1, 1).unwrap().len(), usize::midpoint(18, vacant_on_axis));
        let two = all_openings(&rules, 2, 1).unwrap();
        let images: FxHashSet<_> =
            two.iter().map(|opening| up_to_mirror(opening.game(&rules).position(), board)).collect();
        assert_eq!(images.len(), two.len());
        // Every random opening leads to one of them.
        for seed in 0..100 {
            let game = Opening { start: None, moves: random_opening(&rules, 2, seed) }.game(&rules);
            assert!(images.contains(&up_to_mirror(game.position(), board)));
        }
        assert!(all_openings(&rules, 12, 1).is_none());
    }

    #[test]
    fn openings_are_read_as_positions_or_moves() {
        let rules = rules("demala", 15, Captures::Auto);
        let moves = Opening::parse("@d1 b3b2", &rules).unwrap();
        assert_eq!((moves.start, moves.moves.len()), (None, 2));
        let position = Opening::parse("L/2LL2/4/d5/4 l 14 0 0", &rules).unwrap();
        assert!(position.start.is_some() && position.moves.is_empty());
        for (bad, expected) in [
            ("@d1 @d2", "@d2"),
            ("L/2LL2/4/6/4 d 14 0 0", "expected 15 dogs"),
            ("L/2LL2/4/6/4 d x 0 0", "hand"),
            ("L/2LL2/4/6/4 d 5 10 0", "the game is over after it: captures"),
        ] {
            let fault = Opening::parse(bad, &rules).unwrap_err();
            assert!(fault.contains(expected), "{fault} lacks {expected}");
        }
    }
}
