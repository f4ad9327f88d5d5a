//! Points of a board and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

/// The most points a board may have: a set of points is one 32-bit word.
pub const MAX_POINTS: usize = 32;

/// A point of a board: its number, counted row by row from the apex and from the left, from 0.
///
/// Which name it has (`b3`) depends on the board: see [`Board::point_name`](super::Board::point_name).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl Point {
    /// The point with this number; `None` from [`MAX_POINTS`] on.
    pub const fn new(index: usize) -> Option<Self> {
        if index < MAX_POINTS { Some(Self(index as u8)) } else { None }
    }

    /// The point with the low five bits of `bits` as its number.
    #[inline]
    pub(crate) const fn from_low_bits(bits: u16) -> Self {
        Self((bits & 31) as u8)
    }

    /// The number of the point, always below [`MAX_POINTS`].
    #[inline]
    pub const fn index(self) -> usize {
        // The mask changes nothing and lets the compiler drop bounds checks on arrays of 32.
        (self.0 & 31) as usize
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A set of points, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PointSet(u32);

impl PointSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The set whose members are the set bits.
    #[inline]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The members as bits.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The members among the points `width` × `number` to `width` × (`number` + 1) − 1, as bits from the lowest: where
    /// to look in a table by slices of the points.
    #[inline]
    pub const fn slice(self, width: usize, number: usize) -> usize {
        (self.0 >> (width * number)) as usize % (1 << width)
    }

    /// The set of the first `n` points.
    pub const fn first(n: usize) -> Self {
        if n >= MAX_POINTS { Self(u32::MAX) } else { Self((1 << n) - 1) }
    }

    /// Number of members.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is no member.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `point` is a member.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.index() & 1 != 0
    }

    /// Whether the two sets share a member.
    #[inline]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set and `point`.
    #[inline]
    #[must_use]
    pub const fn with(self, point: Point) -> Self {
        Self(self.0 | 1 << point.index())
    }

    /// The set without `point`.
    #[inline]
    #[must_use]
    pub const fn without(self, point: Point) -> Self {
        Self(self.0 & !(1 << point.index()))
    }

    /// The member with the lowest number.
    #[inline]
    pub const fn lowest(self) -> Option<Point> {
        if self.0 == 0 { None } else { Some(Point(self.0.trailing_zeros() as u8)) }
    }
}

impl From<Point> for PointSet {
    #[inline]
    fn from(point: Point) -> Self {
        Self(1 << point.index())
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The members of a set, lowest number first.
#[derive(Clone, Debug)]
pub struct Points(u32);

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let point = PointSet(self.0).lowest()?;
        self.0 &= self.0 - 1;
        Some(point)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Points {}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    #[inline]
    fn into_iter(self) -> Points {
        Points(self.0)
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, |$a:ident, $b:ident| $result:expr) => {
        impl $trait for PointSet {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($result)
            }
        }
    };
}

set_operator!(BitAnd, bitand, |a, b| a & b);
set_operator!(BitOr, bitor, |a, b| a | b);
set_operator!(BitXor, bitxor, |a, b| a ^ b);
set_operator!(Sub, sub, |a, b| a & !b);

impl Not for PointSet {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitOrAssign for PointSet {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for PointSet {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl fmt::Debug for PointSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_gives_its_members_in_order() {
        let points = [3, 0, 31].map(|i| Point::new(i).unwrap());
        let set = PointSet::from_iter(points);
        assert_eq!(set.into_iter().map(Point::index).collect::<Vec<_>>(), [0, 3, 31]);
        assert_eq!(set.len(), 3);
        assert!(set.contains(points[0]) && !set.without(points[0]).contains(points[0]));
        assert_eq!((set - PointSet::first(4)).lowest().map(Point::index), Some(31));
        assert_eq!(PointSet::first(32).len(), 32);
        assert_eq!(Point::new(32), None);
    }
}
