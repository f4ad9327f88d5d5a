//! When a game need not be played out.

use crate::config::{DrawRule, ResignRule};
use engine::game::Side;

/// What the engines have said of a game so far, as far as a rule asks for it.
#[derive(Clone, Debug, Default)]
pub(super) struct Opinions {
    /// For each side: its moves in a row that it thought even.
    even: [u64; 2],
    /// For each side: its moves in a row that it thought won, and lost.
    won: [u64; 2],
    lost: [u64; 2],
}

impl Opinions {
    /// Takes an engine's score of its move, in centipawns from its own side; `None` where it gave none.
    pub(super) fn add(
        &mut self,
        side: Side,
        score: Option<i64>,
        draw: Option<DrawRule>,
        resign: Option<ResignRule>,
    ) {
        let i = side.index();
        let count = |counter: &mut u64, holds: bool| *counter = if holds { *counter + 1 } else { 0 };
        let is = |test: &dyn Fn(i64) -> bool| score.is_some_and(test);
        if let Some(rule) = draw {
            count(&mut self.even[i], is(&|score| score.unsigned_abs() <= rule.score));
        }
        if let Some(rule) = resign {
            count(&mut self.won[i], is(&|score| score >= rule.score as i64));
            count(&mut self.lost[i], is(&|score| score <= -(rule.score as i64)));
        }
    }

    /// Whether the game is a draw by the rule, after so many plies.
    pub(super) fn is_draw(&self, rule: DrawRule, plies: usize) -> bool {
        plies as u64 >= rule.from && self.even.iter().all(|&moves| moves >= rule.moves)
    }

    /// Who has won by the rule: both engines have to agree.
    pub(super) fn winner(&self, rule: ResignRule) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|&side| self.won[side.index()] >= rule.moves && self.lost[(!side).index()] >= rule.moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_engines_have_to_agree_for_long_enough() {
        let resign = ResignRule { moves: 2, score: 500 };
        let mut opinions = Opinions::default();
        let mut say = |dogs, leopards| {
            opinions.add(Side::Dogs, dogs, None, Some(resign));
            opinions.add(Side::Leopards, leopards, None, Some(resign));
            opinions.winner(resign)
        };
        assert_eq!(say(Some(600), Some(-600)), None);
        assert_eq!(say(Some(600), Some(-499)), None);
        assert_eq!(say(Some(600), Some(-500)), None);
        assert_eq!(say(None, Some(-600)), None);
        assert_eq!(say(Some(600), Some(-600)), None);
        assert_eq!(say(Some(600), Some(-600)), Some(Side::Dogs));
    }

    #[test]
    fn an_even_game_is_a_draw_late_enough() {
        let draw = DrawRule { from: 10, moves: 1, score: 20 };
        let mut opinions = Opinions::default();
        opinions.add(Side::Dogs, Some(-20), Some(draw), None);
        assert!(!opinions.is_draw(draw, 50));
        opinions.add(Side::Leopards, Some(20), Some(draw), None);
        assert!(opinions.is_draw(draw, 10) && !opinions.is_draw(draw, 9));
        opinions.add(Side::Dogs, Some(21), Some(draw), None);
        assert!(!opinions.is_draw(draw, 50));
    }
}
