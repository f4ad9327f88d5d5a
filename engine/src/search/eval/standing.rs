//! What stands on a point, and what the leopards around make of it.

use crate::game::{Board, JumpLine, PointSet, Position, Rules};

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
}

/// Standings that are told by sets of points: all but `Vacant`, in their order.
pub(crate) const TOLD: usize = Standing::COUNT - 1;

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
    /// The points of each standing but `Vacant`, in their order.
    pub(crate) told: [PointSet; TOLD],
    /// Points without a piece.
    pub(crate) vacant: PointSet,
    /// Vacant points that the leopards can reach by steps.
    pub(crate) room: PointSet,
}

impl Standings {
    /// Those of a position, `leaps` being its board's.
    #[inline(always)]
    pub(crate) fn of(leaps: &Leaps, rules: &Rules, position: &Position) -> Self {
        let board = rules.board();
        let (dogs, leopards, vacant) = (position.dogs(), position.leopards(), position.vacant(rules));
        let near = board.beside(leopards) & vacant;
        let mut room = near;
        loop {
            let further = room | (board.beside(room) & vacant);
            if further == room {
                break;
            }
            room = further;
        }
        let aim = leaps.aim(leopards, vacant);
        let (prey, exposed) = (dogs & aim, vacant & aim);
        Self { told: [dogs - prey, leopards, near - exposed, prey, exposed], vacant, room }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, VariantSpec};

    /// Tried out by the rules: each leap, and a drop on each vacant point.
    #[test]
    fn prey_can_be_leapt_over_and_so_could_a_dog_on_an_exposed_point() {
        let rules = VariantSpec::default().rules().unwrap();
        let mut seen = [PointSet::EMPTY; TOLD];
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
            let [dogs, leopards, near, prey, exposed] = standings.told;
            assert_eq!((dogs | prey, leopards), (to_drop.dogs(), to_drop.leopards()));
            assert_eq!(prey, taken(&to_leap), "{board}");
            for point in standings.vacant {
                let is_exposed = taken(&to_drop.after(&rules, Move::drop(point))).contains(point);
                assert_eq!(exposed.contains(point), is_exposed, "{board}");
                let is_near = rules.board().neighbours(point).meets(leopards);
                assert_eq!(near.contains(point), is_near && !is_exposed, "{board}");
            }
            seen.iter_mut().zip(standings.told).for_each(|(seen, points)| *seen |= points);
        }
        assert!(seen.iter().all(|points| !points.is_empty()), "every standing is there");
    }
}
