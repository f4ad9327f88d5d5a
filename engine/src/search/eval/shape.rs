//! The shapes of patterns and the ways to fill them, each with its number.

use super::standing::Standing;

/// The longest run.
pub(crate) const LONGEST_RUN: usize = 5;

/// The stars that are patterns as a whole, by lines through and ends: those of the catalogue's boards. Others are
/// told in parts.
pub(crate) const STARS: [(u8, u8); 6] = [(2, 0), (1, 1), (0, 2), (0, 3), (0, 4), (0, 5)];

/// Standings that add to the number of a pattern: all but `Vacant`.
const TOLD: usize = Standing::COUNT - 1;

/// By the number of a star's ends, what each standing but `Vacant` adds to the number of the ends: two fillings of as
/// many ends never have the same sum, whatever their order (a Sidon sequence of that order, each member the least that
/// goes with those before).
const END_DIGITS: [[usize; TOLD]; 6] = [
    [0; TOLD],
    [1, 2, 3, 4, 5],
    [1, 3, 7, 12, 20],
    [1, 4, 13, 32, 71],
    [1, 5, 21, 55, 153],
    [1, 6, 31, 108, 366],
];

/// What stands on a point of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Piece {
    Vacant,
    Dog,
    Leopard,
}

impl Piece {
    pub(crate) const ALL: [Self; 3] = [Self::Vacant, Self::Dog, Self::Leopard];

    pub(super) fn of(standing: Standing) -> Self {
        match standing {
            Standing::Vacant | Standing::Near | Standing::Exposed => Self::Vacant,
            Standing::Dog | Standing::Prey => Self::Dog,
            Standing::Leopard => Self::Leopard,
        }
    }
}

/// The shape of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shape {
    /// A point, the `through` straight lines that pass it, and `ends` neighbours by lines that end in it: one of
    /// [`STARS`].
    Star {
        /// Lines through the point: two neighbours each, opposite to each other.
        through: u8,
        /// The other neighbours.
        ends: u8,
    },
    /// So many points in a straight line.
    Run(u8),
    /// The point of another star.
    Own,
    /// Two neighbours of it, opposite to each other.
    Pair,
    /// Another neighbour of it.
    End,
}

/// A filling of a pattern as far as the weights tell fillings apart: the same for a pattern turned round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Filling {
    Star {
        own: Standing,
        /// What the lines through the point hold beside it, both ends in order, the lines in order.
        pairs: Vec<[Standing; 2]>,
        /// The other neighbours, in order.
        ends: Vec<Standing>,
    },
    Run(Vec<Piece>),
    Own(Standing),
    Pair([Standing; 2]),
    End(Standing),
}

impl Shape {
    /// All shapes.
    pub(crate) fn all() -> Vec<Self> {
        let stars = STARS.map(|(through, ends)| Self::Star { through, ends });
        let runs = (3..=LONGEST_RUN as u8).map(Self::Run);
        stars.into_iter().chain([Self::Own, Self::Pair, Self::End]).chain(runs).collect()
    }

    /// How many numbers its patterns have; not every one needs to stand for a filling.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Star { through, ends } => {
                Standing::COUNT * end_numbers(ends) * Standing::COUNT.pow(2 * u32::from(through))
            }
            Self::Run(length) => Piece::ALL.len().pow(u32::from(length)),
            Self::Own | Self::End => Standing::COUNT,
            Self::Pair => Standing::COUNT.pow(2),
        }
    }

    /// Each number that stands for a filling, with the filling.
    pub(crate) fn fillings(self) -> Vec<(usize, Filling)> {
        let standings = || Standing::ALL.into_iter().enumerate();
        match self {
            Self::Star { through, ends } => {
                let all_pairs = tuples(2 * usize::from(through));
                let all_ends = multisets(usize::from(ends));
                let mut fillings = Vec::with_capacity(Standing::COUNT * all_pairs.len() * all_ends.len());
                for (pairs_number, pairs) in &all_pairs {
                    let pairs: Vec<[Standing; 2]> =
                        sorted(pairs.as_chunks().0.iter().copied().map(sorted_pair));
                    for (ends_number, ends) in &all_ends {
                        for (number, own) in standings() {
                            let rest = pairs_number * end_numbers(ends.len() as u8) + ends_number;
                            let filling = Filling::Star { own, pairs: pairs.clone(), ends: ends.clone() };
                            fillings.push((number + Standing::COUNT * rest, filling));
                        }
                    }
                }
                fillings
            }
            Self::Run(length) => (0..self.size())
                .map(|number| {
                    let digit = |i| Piece::ALL[number / Piece::ALL.len().pow(i) % Piece::ALL.len()];
                    let run: Vec<Piece> = (0..u32::from(length)).map(digit).collect();
                    let turned = run.iter().rev().copied().collect();
                    (number, Filling::Run(run.min(turned)))
                })
                .collect(),
            Self::Own => standings().map(|(number, own)| (number, Filling::Own(own))).collect(),
            Self::Pair => tuples(2)
                .into_iter()
                .map(|(number, pair)| (number, Filling::Pair(sorted_pair([pair[0], pair[1]]))))
                .collect(),
            Self::End => standings().map(|(number, end)| (number, Filling::End(end))).collect(),
        }
    }
}

/// Numbers that the ends of a star take.
pub(super) fn end_numbers(ends: u8) -> usize {
    let ends = usize::from(ends);
    ends * END_DIGITS[ends][TOLD - 1] + 1
}

/// So many points filled in every way, each with its number.
fn tuples(points: usize) -> Vec<(usize, Vec<Standing>)> {
    let tuple = |number: usize| {
        (0..points as u32).map(|i| Standing::ALL[number / Standing::COUNT.pow(i) % Standing::COUNT]).collect()
    };
    (0..Standing::COUNT.pow(points as u32)).map(|number| (number, tuple(number))).collect()
}

/// So many ends filled in every way, whatever their order, each with its number.
fn multisets(ends: usize) -> Vec<(usize, Vec<Standing>)> {
    let of_order = |tuple: &(usize, Vec<Standing>)| tuple.1.is_sorted();
    let number = |ends: &[Standing]| ends.iter().map(|&end| end_digit(ends.len(), end)).sum();
    tuples(ends).into_iter().filter(of_order).map(|(_, ends)| (number(&ends), ends)).collect()
}

/// What an end adds to the number of a star's ends, of which there are so many.
pub(super) fn end_digit(ends: usize, standing: Standing) -> usize {
    (standing as usize).checked_sub(1).map_or(0, |told| END_DIGITS[ends][told])
}

/// Items in order.
pub(super) fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}

fn sorted_pair([a, b]: [Standing; 2]) -> [Standing; 2] {
    [a.min(b), a.max(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_of_one_filling_only() {
        for shape in Shape::all() {
            let mut fillings = vec![None; shape.size()];
            for (number, filling) in shape.fillings() {
                // Several numbers may say the same, as where a line is turned round, but none says two things.
                assert!(fillings[number].replace(filling.clone()).is_none(), "{filling:?}");
            }
        }
    }
}
