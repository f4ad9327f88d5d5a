//! The order in which moves are tried: the more often the first is the best, the less there is to search.

use super::pvs::MAX_PLY;
use crate::game::{MAX_MOVES, MAX_POINTS, Move, MoveKind, PointSet, Position, Rules, Side};
use arrayvec::ArrayVec;

/// What a move promises, the least first.
#[derive(Clone, Copy)]
enum Promise {
    Quiet,
    /// A step that threatens a capture, or one that meets a threat.
    Threat,
    Counter,
    Killer,
    LastKiller,
    Capture,
    Best,
}

/// Moves that refuted other nodes: of the same distance from the root, and after the same move.
#[derive(Clone)]
pub(super) struct Refutations {
    killers: [[Option<Move>; 2]; MAX_PLY],
    counters: Box<[[Option<Move>; MAX_POINTS * MAX_POINTS]; 2]>,
}

fn pair_index(mv: Move) -> usize {
    mv.from().index() * MAX_POINTS + mv.to().index()
}

impl Refutations {
    pub(super) fn new() -> Self {
        Self { killers: [[None; 2]; MAX_PLY], counters: Box::new([[None; MAX_POINTS * MAX_POINTS]; 2]) }
    }

    /// Notes that `best` refuted the position at `ply`; `last` led to the position.
    pub(super) fn note(&mut self, side: Side, ply: usize, best: Move, last: Option<Move>) {
        if best.is_capture() {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if let Some(last) = last {
            self.counters[side.index()][pair_index(last)] = Some(best);
        }
    }
}

/// What helps to order the moves of a node, beside what refuted others.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeHints {
    /// The best move of an earlier search.
    pub(super) best: Option<Move>,
    /// Plies from the root.
    pub(super) ply: usize,
    /// The move that led to the node.
    pub(super) last: Option<Move>,
}

/// The moves of a node, the most promising first, sorted no further than they are asked for.
pub(super) struct OrderedMoves {
    /// Promise, order of listing and move in one number, so that the greatest is the next.
    ranked: ArrayVec<u64, MAX_MOVES>,
    next: usize,
}

/// A move with what it promises; of two that promise the same the one listed before ranks higher.
#[inline]
fn rank(promise: Promise, listed: usize, mv: Move) -> u64 {
    (promise as u64) << 32 | ((MAX_MOVES - listed) as u64) << 16 | u64::from(mv.to_bits())
}

#[inline]
fn ranked_move(rank: u64) -> Option<Move> {
    Move::from_bits(rank as u16)
}

impl OrderedMoves {
    /// No moves yet.
    #[inline]
    pub(super) fn none() -> Self {
        Self { ranked: ArrayVec::new_const(), next: 0 }
    }

    /// Takes in all moves of a node: the best of an earlier search first, then captures, moves that refuted
    /// neighbouring nodes, threats and their answers, and the rest as they are listed.
    ///
    /// In place, as a list of moves takes two kilobytes.
    pub(super) fn fill(
        &mut self,
        rules: &Rules,
        position: &Position,
        moves: &[Move],
        refutations: &Refutations,
        node: &NodeHints,
    ) {
        let side = position.side_to_move();
        let killers = refutations.killers[node.ply];
        let counter = node.last.and_then(|last| refutations.counters[side.index()][pair_index(last)]);
        let hot = HotPoints::new(rules, position);
        let promise = |mv: Move| {
            if Some(mv) == node.best {
                Promise::Best
            } else if mv.is_capture() {
                Promise::Capture
            } else if Some(mv) == killers[0] {
                Promise::LastKiller
            } else if Some(mv) == killers[1] {
                Promise::Killer
            } else if Some(mv) == counter {
                Promise::Counter
            } else if hot.concern(rules, position, mv) {
                Promise::Threat
            } else {
                Promise::Quiet
            }
        };
        self.ranked.extend(moves.iter().enumerate().map(|(listed, &mv)| rank(promise(mv), listed, mv)));
    }
}

impl Iterator for OrderedMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let rest = self.ranked.get_mut(self.next..)?;
        let (first, others) = rest.split_first_mut()?;
        for other in others {
            // Leaves the greatest in front; the order of the others does not matter.
            let (low, high) = ((*first).min(*other), (*first).max(*other));
            (*first, *other) = (high, low);
        }
        self.next += 1;
        ranked_move(*first)
    }
}

/// For the Dogs to move: the dogs that can be captured now, and the points the leopards would land on.
struct HotPoints {
    attacked: PointSet,
    landings: PointSet,
}

impl HotPoints {
    #[inline]
    fn new(rules: &Rules, position: &Position) -> Self {
        let mut hot = Self { attacked: PointSet::EMPTY, landings: PointSet::EMPTY };
        if position.side_to_move() == Side::Dogs {
            position.each_threat(rules, |threat| {
                if let MoveKind::Leap { over, to, .. } = threat.kind() {
                    hot.attacked = hot.attacked.with(over);
                    hot.landings = hot.landings.with(to);
                }
            });
        }
        hot
    }

    /// Whether a quiet move meets a threat of the leopards, or makes one.
    #[inline]
    fn concern(&self, rules: &Rules, position: &Position, mv: Move) -> bool {
        match position.side_to_move() {
            Side::Dogs => self.landings.contains(mv.to()) || self.attacked.contains(mv.from()),
            Side::Leopards => {
                let vacant = position.vacant(rules);
                !mv.is_drop()
                    && rules
                        .board()
                        .jumps(mv.to())
                        .iter()
                        .any(|jump| position.dogs().contains(jump.over) && vacant.contains(jump.to))
            }
        }
    }
}
