//! Counting move sequences, the yardstick of a move generator.

use super::position::Position;
use super::rules::Rules;

/// Number of move sequences of exactly `depth` plies from `position`.
///
/// Games won on the way have no sequel and are not counted; draws by repetition and quiet plies are left
/// out of account, so that the number depends on the position alone. The last ply is counted, not played.
pub fn perft(rules: &Rules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_won_by_captures(rules) {
        return 0;
    }
    if depth == 1 {
        return u64::from(position.move_count(rules));
    }
    let mut leaves = 0;
    position.each_move(rules, |mv| leaves += perft(rules, &position.after(rules, mv), depth - 1));
    leaves
}

/// The same number by listing and playing every move to the last: slow, and the test of [`perft`].
pub fn perft_plain(rules: &Rules, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    position
        .legal_moves(rules)
        .into_iter()
        .map(|mv| perft_plain(rules, &position.after(rules, mv), depth - 1))
        .sum()
}
