//! Random openings.

use engine::game::{Game, Move, Rules};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::sync::Arc;

/// How often an opening is drawn anew because it ended the game, before a shorter one is taken.
const ATTEMPTS: u32 = 100;

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
            let mut game = Game::new(Arc::clone(&rules));
            for &mv in &moves {
                game.play(mv);
            }
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
    }

    #[test]
    fn a_game_that_is_over_or_soon_will_be_has_a_short_opening() {
        assert!(random_opening(&rules("demala", 1, Captures::Auto), 4, 1).is_empty());
        let soon = random_opening(&rules("hat", 9, Captures::Number(1)), 200, 1);
        assert!(soon.len() < 200, "{}", soon.len());
    }
}
