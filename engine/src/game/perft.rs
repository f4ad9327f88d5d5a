//! Counting move sequences, the yardstick of a move generator.

use super::position::Position;
use super::rules::Rules;
use super::side::Side;

/// Number of move sequences of exactly `depth` plies from `position`.
///
/// Games won on the way have no sequel and are not counted; draws by repetition and quiet plies are left
/// out of account, so that the number depends on the position alone. The last ply is counted, not played, and
/// while the Dogs drop the last two are.
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
    if depth == 2 && position.dogs_in_hand() > 0 {
        return drop_and_leopards_move(rules, position);
    }
    let mut leaves = 0;
    position.each_move(rules, |mv| leaves += perft(rules, &position.after(rules, mv), depth - 1));
    leaves
}

/// Sequences of a drop and a move of the Leopards, in the order in which they come, with a dog in hand and
/// captures that do not yet win.
fn drop_and_leopards_move(rules: &Rules, position: &Position) -> u64 {
    let vacant = u64::from(position.vacant(rules).len());
    let others = vacant.saturating_sub(1);
    if position.leopards_in_hand() > 0 {
        return vacant * others;
    }
    let ways = position.leopard_ways(rules);
    let [steps, leaps, leaps_to_be] = [ways.steps, ways.leaps, ways.leaps_to_be].map(u64::from);
    match position.side_to_move() {
        // A dog takes away a step or a leap only by landing where it ends, and adds a leap only by landing
        // under it.
        Side::Dogs => others * (steps + leaps) + leaps_to_be,
        Side::Leopards => {
            let goes_on = position.captured() + 1 < rules.captures_to_win();
            steps * vacant + if goes_on { leaps * (vacant + 1) } else { 0 }
        }
    }
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
