//! What stands on a point, and what the leopards around make of it.

use crate::game::{Board, JumpLine, PointSet, Position, Rules};

/// Sets of points that tell the standing of each.
pub(super) const PLANES: usize = 3;

/// A number for each way a point can be in the planes or not.
pub(super) const CODES: usize = 1 << PLANES;

/// What a star shows of a point.
///
/// A leap needs a leopard on one side of a point and a vacant point on the other: that the patterns tell such points
/// from others is worth more than twice as wide a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// Nothing, and no leopard beside it.
    Vacant,
    /// A dog that no leopard could leap over now.
    Dog,
    Leopard,
    /// Nothing; a leopard can step here, and could not leap over a dog here.
    Near,
    /// A dog that a leopard could leap over, had it the move.
    Prey,
    /// Nothing; a dog would be prey here.
    Exposed,
}

impl Standing {
    pub(crate) const ALL: [Self; 6] =
        [Self::Vacant, Self::Dog, Self::Leopard, Self::Near, Self::Prey, Self::Exposed];

    /// How many there are.
    pub(crate) const COUNT: usize = Self::ALL.len();

    /// Whether a dog or a leopard stands there.
    pub(crate) fn is_piece(self) -> bool {
        matches!(self, Self::Dog | Self::Leopard | Self::Prey)
    }

    /// What stands on a point of this code: bit 0 if a piece stands there, bit 1 if a leopard does or can step there,
    /// bit 2 if it lies between a leopard and a vacant point.
    pub(super) fn of_code(code: usize) -> Self {
        match (code & 1 != 0, code & 2 != 0, code & 4 != 0) {
            (false, false, false) => Self::Vacant,
            (false, true, false) => Self::Near,
            (false, _, true) => Self::Exposed,
            (true, false, false) => Self::Dog,
            (true, false, true) => Self::Prey,
            (true, true, _) => Self::Leopard,
        }
    }
}

/// A board's jump lines are filled up to a multiple of this, so that vectors of any width take them as they are.
const LANES: usize = 32;

/// The jump lines of a board, to see at once over which points leopards could leap.
#[derive(Clone, Debug)]
pub(crate) struct Leaps {
    /// Both ends of each line, no points where there is no line.
    ends: Vec<u32>,
    /// Its middle.
    over: Vec<u32>,
}

impl Leaps {
    pub(crate) fn new(board: &Board) -> Self {
        let lines = board.jump_lines();
        let column = |points: fn(&JumpLine) -> PointSet| {
            let mut column: Vec<u32> = lines.iter().map(|line| points(line).bits()).collect();
            column.resize(lines.len().next_multiple_of(LANES), 0);
            column
        };
        Self { ends: column(|line| line.ends), over: column(|line| line.over) }
    }

    /// The points between a leopard and a vacant point.
    #[inline(always)]
    fn aim(&self, leopards: PointSet, vacant: PointSet) -> PointSet {
        let lines = self.ends.iter().zip(&self.over);
        let aim = lines.fold(0, |aim, (ends, over)| {
            let is_open = (ends & leopards.bits() != 0) & (ends & vacant.bits() != 0);
            aim | if is_open { *over } else { 0 }
        });
        PointSet::from_bits(aim)
    }
}

/// How the points of a position stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standings {
    /// The points that have each bit of [`Standing::of_code`].
    pub(super) planes: [PointSet; PLANES],
}

impl Standings {
    /// Those of a position, `leaps` being its board's.
    #[inline(always)]
    pub(crate) fn of(leaps: &Leaps, rules: &Rules, position: &Position) -> Self {
        let (dogs, leopards, vacant) = (position.dogs(), position.leopards(), position.vacant(rules));
        let near = rules.board().beside(leopards) & vacant;
        let planes = [dogs | leopards, leopards | near, leaps.aim(leopards, vacant)];
        Self { planes }
    }

    /// What stands on a point.
    #[cfg(test)]
    pub(super) fn on(&self, point: crate::game::Point) -> Standing {
        let bit = |(plane, points): (usize, &PointSet)| usize::from(points.contains(point)) << plane;
        Standing::of_code(self.planes.iter().enumerate().map(bit).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, Point, VariantSpec};
    use std::collections::BTreeSet;

    /// Tried out by the rules: each leap, and a drop on each vacant point.
    #[test]
    fn prey_can_be_leapt_over_and_so_could_a_dog_on_an_exposed_point() {
        let rules = VariantSpec::default().rules().unwrap();
        let mut seen = BTreeSet::new();
        for board in ["L/1dd1L1/1d1d/3dL1/d2d", "1/L2d1d/dLd1/1d1L1d/4", "d/1dLdL1/4/2L3/1d2"] {
            let position = |side| rules.parse_position(&format!("{board} {side} 5 1 0"));
            let (_, to_drop) = position("d").unwrap();
            let (rules, to_leap) = position("l").unwrap();
            let taken = |position: &Position| {
                let leaps = position.captures(&rules).into_iter();
                leaps.fold(PointSet::EMPTY, |taken, mv| {
                    taken | (position.dogs() - position.after(&rules, mv).dogs())
                })
            };
            let standings = Standings::of(&Leaps::new(rules.board()), &rules, &to_drop);
            let of = |standing| {
                let stands_so = |&point: &Point| standings.on(point) == standing;
                rules.board().points().into_iter().filter(stands_so).collect::<PointSet>()
            };
            assert_eq!(of(Standing::Dog) | of(Standing::Prey), to_drop.dogs(), "{board}");
            assert_eq!(of(Standing::Leopard), to_drop.leopards(), "{board}");
            assert_eq!(of(Standing::Prey), taken(&to_leap), "{board}");
            for point in to_drop.vacant(&rules) {
                let is_exposed = taken(&to_drop.after(&rules, Move::drop(point))).contains(point);
                let is_near = rules.board().neighbours(point).meets(to_drop.leopards());
                let expected = match (is_exposed, is_near) {
                    (true, _) => Standing::Exposed,
                    (false, true) => Standing::Near,
                    (false, false) => Standing::Vacant,
                };
                assert_eq!(standings.on(point), expected, "{board}");
            }
            seen.extend(rules.board().points().into_iter().map(|point| standings.on(point)));
        }
        assert_eq!(seen.len(), Standing::COUNT, "every standing is there");
    }
}
