//! Which rows of weights there are, and which of them a filling of a pattern or a count of the game calls for.

use super::patterns::{Filling, LONGEST_RUN, Piece, Shape};
use std::collections::BTreeMap;

/// What has a row of weights.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    /// A star's own point.
    Own(Piece),
    /// A line through a star's point.
    Pair([Piece; 2]),
    /// An end of a star.
    End(Piece),
    /// A whole star of a common shape: what it says beyond its parts.
    Star(Shape, Filling),
    /// A run.
    Run(Filling),
    /// Dogs in hand.
    Hand(u8),
    /// How many more dogs are left, on the board and in hand, than points without a dog once all are dropped.
    Surplus(i8),
    /// Captures the Leopards still need.
    Lives(u8),
    /// Leopards of the game.
    Leopards(u8),
    /// Vacant points the leopards reach by steps.
    Room(u8),
    /// Vacant points they do not reach.
    Shelter(u8),
    /// Whether the Leopards have the move.
    LeopardsMove(bool),
}

impl Feature {
    /// Whether nothing stands there: empty board weighs nothing, or every board would need its own balance.
    fn is_vacant(&self) -> bool {
        let are_vacant = |pieces: &[Piece]| pieces.iter().all(|&piece| piece == Piece::Vacant);
        match self {
            Self::Own(piece) | Self::End(piece) => *piece == Piece::Vacant,
            Self::Pair(pieces) => are_vacant(pieces),
            Self::Run(Filling::Run(pieces)) => are_vacant(pieces),
            Self::Star(_, Filling::Star { own, pairs, ends }) => {
                *own == Piece::Vacant && *ends == [0; 2] && are_vacant(pairs.as_flattened())
            }
            _ => false,
        }
    }
}

/// The largest count that has a row of its own, by feature; larger ones share the last.
const MOST_IN_HAND: u8 = 15;
const LEAST_SURPLUS: i8 = -2;
const MOST_SURPLUS: i8 = 13;
const MOST_LIVES: u8 = 6;
const MOST_LEOPARDS: u8 = 5;
const MOST_ROOM: u8 = 8;

/// The shapes of stars with rows of their own: those of the catalogue's boards. Others make do with their parts.
const STARS: [(u8, u8); 6] = [(2, 0), (1, 1), (0, 2), (0, 3), (0, 4), (0, 5)];

/// The order of the rows of weights.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    rows: BTreeMap<Feature, usize>,
}

impl Layout {
    pub(crate) fn new() -> Self {
        let mut features = Vec::new();
        let stars = STARS.map(|(through, ends)| Shape::Star { through, ends });
        for shape in stars.into_iter().chain((3..=LONGEST_RUN as u8).map(Shape::Run)) {
            features.extend((0..shape.size()).flat_map(|number| features_of(shape, number)));
        }
        features.extend((0..=MOST_IN_HAND).map(Feature::Hand));
        features.extend((LEAST_SURPLUS..=MOST_SURPLUS).map(Feature::Surplus));
        features.extend((0..=MOST_LIVES).map(Feature::Lives));
        features.extend((0..=MOST_LEOPARDS).map(Feature::Leopards));
        features.extend((0..=MOST_ROOM).flat_map(|n| [Feature::Room(n), Feature::Shelter(n)]));
        features.extend([false, true].map(Feature::LeopardsMove));
        features.sort_unstable();
        features.dedup();
        Self { rows: features.into_iter().zip(0..).collect() }
    }

    /// How many rows there are.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The row of a feature; `None` where it has none.
    fn row(&self, feature: &Feature) -> Option<usize> {
        self.rows.get(feature).copied()
    }

    /// The row of a count, the last one standing for all beyond.
    pub(crate) fn count_row(&self, feature: Feature) -> Option<usize> {
        let feature = match feature {
            Feature::Hand(n) => Feature::Hand(n.min(MOST_IN_HAND)),
            Feature::Surplus(n) => Feature::Surplus(n.clamp(LEAST_SURPLUS, MOST_SURPLUS)),
            Feature::Lives(n) => Feature::Lives(n.min(MOST_LIVES)),
            Feature::Leopards(n) => Feature::Leopards(n.min(MOST_LEOPARDS)),
            Feature::Room(n) => Feature::Room(n.min(MOST_ROOM)),
            Feature::Shelter(n) => Feature::Shelter(n.min(MOST_ROOM)),
            other => other,
        };
        self.row(&feature)
    }

    /// The rows whose sum is the weight of a pattern with this number, each as often as it counts.
    pub(crate) fn pattern_rows(&self, shape: Shape, number: usize) -> Vec<usize> {
        features_of(shape, number)
            .iter()
            .filter(|feature| !feature.is_vacant())
            .filter_map(|feature| self.row(feature))
            .collect()
    }
}

/// What a pattern with this number is made of, each as often as it counts.
fn features_of(shape: Shape, number: usize) -> Vec<Feature> {
    let Some(filling) = shape.filling(number) else { return Vec::new() };
    let end_count = if let Shape::Star { ends, .. } = shape { ends } else { 0 };
    match &filling {
        Filling::Run(_) => vec![Feature::Run(filling)],
        Filling::Pair(pair) => vec![Feature::Pair(*pair)],
        Filling::End(piece) => vec![Feature::End(*piece)],
        Filling::Star { own, pairs, ends: [dogs, leopards] } => {
            let mut features = vec![Feature::Own(*own)];
            features.extend(pairs.iter().map(|&pair| Feature::Pair(pair)));
            let ends = [end_count - dogs - leopards, *dogs, *leopards];
            for (piece, count) in Piece::ALL.into_iter().zip(ends) {
                features.extend((0..count).map(|_| Feature::End(piece)));
            }
            features.push(Feature::Star(shape, filling));
            features
        }
    }
}
