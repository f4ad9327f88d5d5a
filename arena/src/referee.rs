//! The arena's own judge: which moves are legal and when a game is over, whatever the engines say.

use crate::game::Termination;
use engine::game::{Game, Move, MoveError, Position, Rules, Side};
use std::sync::Arc;

/// The judge of one game.
#[derive(Clone, Debug)]
pub struct Referee {
    game: Game,
    max_plies: usize,
    /// The command that sets the present position on an engine, grown move by move.
    command: String,
}

impl Referee {
    /// A game from the start of the rules; it is a draw once `max_plies` moves are made, openings included.
    pub fn new(rules: &Arc<Rules>, max_plies: usize) -> Self {
        Self::from_position(rules, rules.start(), max_plies)
    }

    /// A game from some position of the rules.
    pub fn from_position(rules: &Arc<Rules>, start: Position, max_plies: usize) -> Self {
        let game = Game::from_position(Arc::clone(rules), start);
        let start = rules.board().position_text(game.start());
        Self { game, max_plies, command: format!("position fen {start}") }
    }

    /// The position the game has come to.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// Whether any piece is in hand.
    pub fn is_entering(&self) -> bool {
        let setup = self.game.position().setup();
        setup.dogs_in_hand > 0 || setup.leopards_in_hand > 0
    }

    /// The moves made.
    pub fn moves(&self) -> &[Move] {
        self.game.moves()
    }

    /// Who moves.
    pub fn side_to_move(&self) -> Side {
        self.game.position().side_to_move()
    }

    /// The protocol's command for the present position: the start and all moves, so that an engine knows
    /// what has been repeated.
    pub fn position_command(&self) -> &str {
        &self.command
    }

    /// Why the game is over; `None` while it goes on.
    pub fn termination(&self) -> Option<Termination> {
        let by_rules = self.game.outcome().map(Termination::Rules);
        by_rules.or_else(|| (self.game.moves().len() >= self.max_plies).then_some(Termination::MaxPlies))
    }

    /// Makes a move given as text.
    ///
    /// # Errors
    /// It is no move, or not legal.
    pub fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        let mv = self.game.play_text(text)?;
        self.note(mv);
        Ok(())
    }

    /// Makes a move known to be legal.
    pub fn play(&mut self, mv: Move) {
        self.game.play(mv);
        self.note(mv);
    }

    fn note(&mut self, mv: Move) {
        self.command.push_str(if self.game.moves().len() == 1 { " moves " } else { " " });
        self.command.push_str(&self.game.rules().board().move_text(mv));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::game::{Reason, VariantSpec};

    fn referee(max_plies: usize) -> Referee {
        Referee::new(&Arc::new(VariantSpec::default().rules().unwrap()), max_plies)
    }

    #[test]
    fn the_command_grows_with_the_game() {
        let mut referee = referee(10);
        assert_eq!(referee.position_command(), "position fen L/2LL2/4/6/4 d 15 0 0");
        referee.play_text("@d1").unwrap();
        referee.play_text("a1e1").unwrap_err();
        referee.play_text("b3b2").unwrap();
        assert_eq!(referee.position_command(), "position fen L/2LL2/4/6/4 d 15 0 0 moves @d1 b3b2");
        assert_eq!((referee.side_to_move(), referee.moves().len()), (Side::Dogs, 2));
    }

    #[test]
    fn a_game_ends_by_the_rules_before_it_ends_by_plies() {
        let mut short = referee(1);
        short.play_text("@d1").unwrap();
        assert_eq!(short.termination(), Some(Termination::MaxPlies));
        let spec = VariantSpec { dogs: Some(1), ..VariantSpec::default() };
        let over = Referee::new(&Arc::new(spec.rules().unwrap()), 0);
        assert_eq!(over.termination(), Some(Termination::Rules(Reason::Captures)));
    }
}
