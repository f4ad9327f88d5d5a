//! A move, in two bytes.

use super::board::Board;
use super::point::Point;
use std::num::NonZeroU16;

/// A move: a piece entering from the hand, a step, or a leap that captures.
///
/// Two bytes, so that move lists and transposition tables stay small: to, from and over in five bits each,
/// and a bit for a leap. They are stored inverted, so that `Option<Move>` takes two bytes as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

/// What a move does, for a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A dog is dropped, or a leopard enters, on `to`.
    Drop {
        /// The vacant point it is put on.
        to: Point,
    },
    /// A piece goes along a line to a vacant neighbour.
    Step {
        /// Where it stood.
        from: Point,
        /// Where it goes.
        to: Point,
    },
    /// A leopard leaps over a dog and takes it.
    Leap {
        /// Where the leopard stood.
        from: Point,
        /// Where the dog stood.
        over: Point,
        /// Where the leopard lands.
        to: Point,
    },
}

const LEAP: u16 = 1 << 15;

impl Move {
    #[inline]
    const fn pack(to: Point, from: Point, over: Point, flag: u16) -> Self {
        let bits = to.index() as u16 | (from.index() as u16) << 5 | (over.index() as u16) << 10 | flag;
        // All bits set would be a leap from a point over itself to itself: no such move.
        match NonZeroU16::new(!bits) {
            Some(bits) => Self(bits),
            None => Self(NonZeroU16::MAX),
        }
    }

    /// A dog dropped, or a leopard entered, on `to`.
    #[inline]
    pub const fn drop(to: Point) -> Self {
        Self::pack(to, to, to, 0)
    }

    /// A step between neighbours.
    #[inline]
    pub const fn step(from: Point, to: Point) -> Self {
        Self::pack(to, from, from, 0)
    }

    /// A leap that captures the dog on `over`.
    #[inline]
    pub const fn leap(from: Point, over: Point, to: Point) -> Self {
        Self::pack(to, from, over, LEAP)
    }

    #[inline]
    const fn bits(self) -> u16 {
        !self.0.get()
    }

    /// Where the piece ends.
    #[inline]
    pub const fn to(self) -> Point {
        Point::from_low_bits(self.bits())
    }

    /// Where the piece stood; for a drop the same as [`to`](Self::to).
    #[inline]
    pub const fn from(self) -> Point {
        Point::from_low_bits(self.bits() >> 5)
    }

    /// Whether a piece comes from the hand.
    #[inline]
    pub const fn is_drop(self) -> bool {
        self.from().index() == self.to().index()
    }

    /// Whether a dog is captured.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.bits() & LEAP != 0
    }

    /// What the move does.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        let (from, to) = (self.from(), self.to());
        if self.is_capture() {
            MoveKind::Leap { from, over: Point::from_low_bits(self.bits() >> 10), to }
        } else if self.is_drop() {
            MoveKind::Drop { to }
        } else {
            MoveKind::Step { from, to }
        }
    }

    /// The same move on the mirrored board, left to right; itself where the board is not symmetric.
    #[inline]
    #[must_use]
    pub fn mirrored(self, board: &Board) -> Self {
        let image = |point| board.mirrored(point).unwrap_or(point);
        match self.kind() {
            MoveKind::Drop { to } => Self::drop(image(to)),
            MoveKind::Step { from, to } => Self::step(image(from), image(to)),
            MoveKind::Leap { from, over, to } => Self::leap(image(from), image(over), image(to)),
        }
    }

    /// The move as 16 bits, never 0: what a transposition table stores.
    #[inline]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move of [`to_bits`](Self::to_bits); `None` for 0. Any other number gives some move, legal or not.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_what_a_move_does() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        let points = [0, 1, 30, 31].map(|i| Point::new(i).unwrap());
        for to in points {
            assert_eq!(Move::drop(to).kind(), MoveKind::Drop { to });
            for from in points.into_iter().filter(|&p| p != to) {
                assert_eq!(Move::step(from, to).kind(), MoveKind::Step { from, to });
                for over in points.into_iter().filter(|&p| p != to && p != from) {
                    let leap = Move::leap(from, over, to);
                    assert_eq!(leap.kind(), MoveKind::Leap { from, over, to });
                    assert_eq!(Move::from_bits(leap.to_bits()), Some(leap));
                }
            }
        }
    }
}
