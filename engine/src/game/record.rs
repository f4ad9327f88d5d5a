//! A game as it is played: the start, the moves, and what repetition needs to know.

use super::moves::Move;
use super::notation::MoveError;
use super::outcome::Reason;
use super::position::Position;
use super::rules::Rules;
use fxhash::FxHashMap;
use std::sync::Arc;

/// A game in progress or ended: a start position, the moves made, and the position they led to.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    start: Position,
    moves: Vec<Move>,
    position: Position,
    /// Keys of the positions before the present one, the start first.
    keys: Vec<u64>,
    occurrences: FxHashMap<u64, u32>,
}

impl Game {
    /// A game from the start of the rules.
    pub fn new(rules: Arc<Rules>) -> Self {
        let start = rules.start();
        Self::from_position(rules, start)
    }

    /// A game from some position of the rules.
    pub fn from_position(rules: Arc<Rules>, start: Position) -> Self {
        let occurrences = std::iter::once((start.key(), 1)).collect();
        Self { rules, start, moves: Vec::new(), position: start, keys: Vec::new(), occurrences }
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The position it began with.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The position it has come to.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Keys of the earlier positions that the present one could repeat, oldest first: those since the last
    /// drop, entry or capture.
    pub fn repeatable_keys(&self) -> &[u64] {
        &self.keys[self.keys.len().saturating_sub(self.position.quiet().into())..]
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        self.occurrences.get(&self.position.key()).copied().unwrap_or(1)
    }

    /// Why the game is over; `None` while it goes on. A win comes before a draw on the same move.
    pub fn outcome(&self) -> Option<Reason> {
        let by_position = self.position.outcome(&self.rules);
        if by_position.is_none_or(|reason| reason.winner().is_none()) {
            let limit = self.rules.repetition();
            if limit != 0 && self.occurrences() >= u32::from(limit) {
                return Some(Reason::Repetition);
            }
        }
        by_position
    }

    /// The moves that may be made: none once the game is over.
    pub fn legal_moves(&self) -> super::movegen::MoveList {
        if self.outcome().is_some() {
            super::movegen::MoveList::new()
        } else {
            self.position.legal_moves(&self.rules)
        }
    }

    /// Makes a move given as text.
    ///
    /// # Errors
    /// The text is no move, or the move is not legal, as none is once the game is over; the game stays as
    /// it was.
    pub fn play_text(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.rules.parse_move(&self.position, text)?;
        if self.outcome().is_some() {
            return Err(MoveError::Illegal(text.to_owned()));
        }
        self.play(mv);
        Ok(mv)
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        self.keys.push(self.position.key());
        self.position = self.position.after(&self.rules, mv);
        self.moves.push(mv);
        *self.occurrences.entry(self.position.key()).or_insert(0) += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::VariantSpec;
    use super::*;
    use crate::game::Side;

    fn hat(spec: VariantSpec) -> Game {
        Game::new(Arc::new(VariantSpec { variant: Some("hat".into()), ..spec }.rules().unwrap()))
    }

    fn play(game: &mut Game, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play_text(mv).unwrap_or_else(|error| panic!("{error} after {:?}", game.moves()));
        }
    }

    /// One dog against a leopard that wants nothing: it can be repeated at will.
    fn one_dog(repetition: u8, quiet_limit: u16) -> Game {
        hat(VariantSpec {
            dogs: Some(1),
            captures: super::super::Captures::Number(1),
            repetition: Some(repetition),
            quiet_limit: Some(quiet_limit),
            ..VariantSpec::default()
        })
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = one_dog(3, 0);
        play(&mut game, "@d1 a1b3 d1d2 b3a1 d2d1 a1b3 d1d2 b3a1");
        assert_eq!((game.outcome(), game.occurrences()), (None, 2));
        play(&mut game, "d2d1");
        assert_eq!(game.outcome(), Some(Reason::Repetition));
        assert!(game.legal_moves().is_empty());
        assert!(game.play_text("a1b3").is_err());
    }

    #[test]
    fn repetition_can_be_off_and_quiet_plies_end_the_game() {
        let mut game = one_dog(0, 9);
        play(&mut game, "@d1 a1b3 d1d2 b3a1 d2d1 a1b3 d1d2 b3a1 d2d1");
        assert_eq!((game.outcome(), game.position().quiet()), (None, 8));
        play(&mut game, "a1b3");
        assert_eq!(game.outcome(), Some(Reason::Quiet));
    }

    #[test]
    fn the_leopards_win_by_captures_and_the_dogs_by_trapping() {
        let mut game = one_dog(3, 400);
        play(&mut game, "@b1 a1c1");
        assert_eq!(game.outcome(), Some(Reason::Captures));
        let mut game = hat(VariantSpec::default());
        play(&mut game, "@d1 a1b3 @d3 b3a1 @d2 a1b2 @c1 b2a1 @c2 a1b3 @c3 b3a1 @b3 a1b2");
        assert_eq!(game.outcome(), None);
        let trapped = game.rules().parse_position("L/ddd/ddd/1d1 l 0 0 3").unwrap();
        assert_eq!(trapped.1.outcome(&trapped.0), Some(Reason::Trapped));
        assert_eq!(Reason::Trapped.winner(), Some(Side::Dogs));
        let stuck = game.rules().parse_position("L/ddd/ddd/ddd d 0 0 3").unwrap();
        assert_eq!(stuck.1.outcome(&stuck.0), Some(Reason::Stuck));
    }

    #[test]
    fn repeatable_keys_end_at_the_last_drop() {
        let mut game = one_dog(0, 0);
        play(&mut game, "@d1 a1b3 d1d2");
        assert_eq!(game.repeatable_keys().len(), 2);
        assert_eq!(game.keys.len(), 3);
    }
}
