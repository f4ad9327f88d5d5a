//! Values of all positions of a hand from those their moves lead to.
//!
//! Quick enough for billions of entries, and still nothing of the solver's: moves are put together from the
//! lines of the board, and each position looks at its successors one by one. That the moves are those of the
//! rules is held by the sample, which goes by the rules' own positions, and by the slow oracle of the tests.

use super::super::index::{Index, places_of};
use super::super::score::{self, LEOPARDS_NOW, TRAPPED};
use crate::game::{Board, Point, PointSet, Side, Value};

/// Bits of a dog set that are looked up at once: the table of a slot's moves stays in the nearest cache.
const LOW_BITS: usize = 8;

/// All of these bits.
const LOW_SETS: u32 = (1 << LOW_BITS) - 1;

/// A value as a number, larger for the Dogs' better: a draw is 0, a win is the further from it the sooner.
pub(super) type Worth = i16;
/// Farther than any distance.
const FAR: Worth = 1000;

/// The number of a value.
pub(super) fn worth(value: Value) -> Worth {
    match value {
        Value::Draw => 0,
        Value::Win { winner: Side::Dogs, plies } => FAR - plies as Worth,
        Value::Win { winner: Side::Leopards, plies } => plies as Worth - FAR,
    }
}

/// The value of a number.
pub(super) fn value(worth: Worth) -> Value {
    let plies = (FAR - worth.abs()) as u16;
    match worth {
        0 => Value::Draw,
        1.. => Value::Win { winner: Side::Dogs, plies },
        _ => Value::Win { winner: Side::Leopards, plies },
    }
}

/// What the scores of one side's turns mean, and the other way round. Larger scores are worth more.
pub(super) struct Scale {
    worths: [Worth; 256],
    /// By worth, from the least; `None`: no score means it.
    scores: Vec<Option<u8>>,
}

impl Scale {
    pub(super) fn new(side: Side) -> Self {
        let mut worths: [Worth; 256] = std::array::from_fn(|score| worth(score::value(score as u8, side)));
        // On the Leopards' turn alone they can be trapped; on the Dogs' this score is none and must not pass.
        worths[usize::from(TRAPPED)] = FAR;
        let mut scores = vec![None; 2 * FAR as usize + 1];
        for (score, &worth) in (0..=u8::MAX).zip(&worths) {
            scores[(worth + FAR) as usize] = Some(score);
        }
        Self { worths, scores }
    }

    #[inline]
    pub(super) fn worth(&self, score: u8) -> Worth {
        self.worths[usize::from(score)]
    }

    #[inline]
    pub(super) fn score(&self, worth: Worth) -> Option<u8> {
        self.scores[(worth + FAR) as usize]
    }
}

/// A ply earlier: a win is a ply further away.
#[inline]
fn a_ply_before(worth: Worth) -> Worth {
    worth - worth.signum()
}

/// A kind of leopard move from the positions of a slot.
struct LeopardMove {
    /// The bits of the points moved to and leapt over, and of the latter alone: where it can be made, the dog
    /// set has of the first just the second.
    asks: u32,
    takes: u32,
    /// Where the positions it leads to begin.
    begin: usize,
    /// For each bit of the dog set its bit there; 0 for the points of the move.
    bits: Vec<u32>,
    /// For all sets of the lowest bits: what they become there, and all ones where the move asks for others.
    low: [u32; 1 << LOW_BITS],
    cannot: [u8; 1 << LOW_BITS],
}

/// The moves of a slot, between numbers of dog sets.
pub(super) struct SlotMoves {
    free: usize,
    leopards: Vec<LeopardMove>,
    /// Two bits of the dog set each, between which a dog steps.
    steps: Vec<u32>,
}

impl SlotMoves {
    pub(super) fn new(board: &Board, index: &Index, slot: usize) -> Self {
        let set = index.leopards_of(slot);
        let leopards = index.points_of_places(set);
        let open = board.points() - leopards;
        let place = |point: Point| index.places_of_points(PointSet::from(point)).trailing_zeros();
        // Bit `i` of a dog set stands for the `i`-th place without a leopard.
        let bit = |point: Point| 1u32 << (place(point) - (set & ((1 << place(point)) - 1)).count_ones());
        let mut moves = Vec::new();
        let mut steps = Vec::new();
        for from in leopards {
            let ways = (board.neighbours(from).into_iter().map(|to| (None, to)))
                .chain(board.jumps(from).iter().map(|jump| (Some(jump.over), jump.to)))
                .filter(|&(over, to)| open.contains(to) && over.is_none_or(|over| open.contains(over)));
            for (over, to) in ways {
                let takes = over.map_or(0, bit);
                let after = set ^ 1 << place(from) ^ 1 << place(to);
                let there = index.locate(after, 0);
                let stay = open.without(to).into_iter().filter(|&point| Some(point) != over);
                let mut bits = vec![0; index.free()];
                for point in stay {
                    let at = index.locate(after, 1 << place(point));
                    bits[bit(point).trailing_zeros() as usize] = at.dogs as u32;
                }
                let low = std::array::from_fn(|low| image(&bits, low as u32));
                let asks = bit(to) | takes;
                let is_asked = |low: u32| low & asks == takes & LOW_SETS;
                let cannot = std::array::from_fn(|low| if is_asked(low as u32) { 0 } else { TRAPPED });
                moves.push(LeopardMove { asks, takes, begin: there.slot << index.free(), bits, low, cannot });
            }
        }
        for from in open {
            let next = board.neighbours(from) & open;
            steps.extend(next.into_iter().filter(|&to| from < to).map(|to| bit(from) | bit(to)));
        }
        Self { free: index.free(), leopards: moves, steps }
    }

    /// Calls `found` with each dog set of `counts` dogs and the worth of the Leopards' turn, by the scores of
    /// the Dogs' turns of all slots.
    pub(super) fn leopards_turns(
        &self,
        counts: &std::ops::Range<usize>,
        dogs_turns: &[u8],
        scale: &Scale,
        mut found: impl FnMut(usize, Worth),
    ) {
        let low_bits = LOW_BITS.min(self.free);
        let (mut least, mut scores) = ([0; 1 << LOW_BITS], [0; 1 << LOW_BITS]);
        for high in 0..1usize << (self.free - low_bits) {
            let dogs_high = high.count_ones() as usize;
            if dogs_high >= counts.end || dogs_high + low_bits < counts.start {
                continue;
            }
            least.fill(TRAPPED);
            let number = (high << low_bits) as u32;
            for mv in self.leopards.iter().filter(|mv| number & mv.asks == mv.takes & !LOW_SETS) {
                let begin = mv.begin + image(&mv.bits, number) as usize;
                let there = &dogs_turns[begin..];
                // Looked up whether it can be made or not: quicker than to guess.
                for (score, &low) in scores[..1 << low_bits].iter_mut().zip(&mv.low) {
                    *score = there[low as usize];
                }
                for ((least, &score), &cannot) in least.iter_mut().zip(&scores).zip(&mv.cannot) {
                    *least = (*least).min(score | cannot);
                }
            }
            for (low, &least) in least[..1 << low_bits].iter().enumerate() {
                if counts.contains(&(dogs_high + low.count_ones() as usize)) {
                    let worth = if least == TRAPPED { FAR } else { a_ply_before(scale.worth(least)) };
                    found(high << low_bits | low, worth);
                }
            }
        }
    }

    /// The same for the Dogs' turns without dogs in hand, by the scores of the Leopards' turns of this slot.
    pub(super) fn steps(
        &self,
        counts: &std::ops::Range<usize>,
        leopards_turns: &[u8],
        scale: &Scale,
        mut found: impl FnMut(usize, Worth),
    ) {
        for number in 0..1usize << self.free {
            if !counts.contains(&(number.count_ones() as usize)) {
                continue;
            }
            let mut best = LEOPARDS_NOW;
            let mut is_stuck = true;
            for &step in &self.steps {
                let set = number as u32 & step;
                let can = set != 0 && set != step;
                is_stuck &= !can;
                best = best.max(if can { leopards_turns[number ^ step as usize] } else { LEOPARDS_NOW });
            }
            found(number, if is_stuck { -FAR } else { a_ply_before(scale.worth(best)) });
        }
    }

    /// The same with dogs in hand, by the scores of the Leopards' turns of this slot with one dog less there.
    pub(super) fn drops(
        &self,
        counts: &std::ops::Range<usize>,
        leopards_turns: &[u8],
        scale: &Scale,
        mut found: impl FnMut(usize, Worth),
    ) {
        let all = (1usize << self.free) - 1;
        for number in 0..=all {
            if !counts.contains(&(number.count_ones() as usize)) {
                continue;
            }
            // There is always room for a dog in hand.
            let mut best = LEOPARDS_NOW;
            let mut vacant = all ^ number;
            while vacant != 0 {
                let rest = vacant & (vacant - 1);
                best = best.max(leopards_turns[number | vacant ^ rest]);
                vacant = rest;
            }
            found(number, a_ply_before(scale.worth(best)));
        }
    }
}

/// The dog set that these bits of a dog set become.
fn image(bits: &[u32], set: u32) -> u32 {
    places_of(set).filter_map(|bit| bits.get(bit)).fold(0, |image, bit| image | bit)
}

/// Puts the scores of a slot, in the order of the file, where their dog sets say. Positions with fewer dogs
/// are won for the Leopards.
pub(super) fn spread(scores: &[u8], sets: &[u32], out: &mut [u8]) {
    out.fill(LEOPARDS_NOW);
    for (&set, &score) in sets.iter().zip(scores) {
        out[set as usize] = score;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_are_larger_and_come_back() {
        let win = |winner, plies| Value::Win { winner, plies };
        let order = [
            win(Side::Leopards, 0),
            win(Side::Leopards, 9),
            win(Side::Leopards, 253),
            Value::Draw,
            win(Side::Dogs, 254),
            win(Side::Dogs, 1),
            win(Side::Dogs, 0),
        ];
        assert!(order.is_sorted_by(|&a, &b| worth(a) < worth(b)));
        assert_eq!(order.map(|v| value(worth(v))), order);
        assert_eq!(value(a_ply_before(worth(order[1]))), win(Side::Leopards, 10));
        assert_eq!(value(a_ply_before(worth(order[5]))), win(Side::Dogs, 2));
        assert_eq!(a_ply_before(0), 0);
        for side in Side::BOTH {
            let scale = Scale::new(side);
            assert!(scale.worths.is_sorted(), "{side}");
            for score in 0..=255 {
                assert_eq!(scale.score(scale.worth(score)), Some(score), "{side}");
            }
            assert_eq!(scale.score(FAR - 256), None, "farther than a table has");
        }
    }
}
