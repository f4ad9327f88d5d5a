//! Which rows of weights there are, and which of them a filling of a pattern or a count of the game calls for.

use super::shape::{Filling, Piece, Shape};
use super::standing::Standing;
use std::collections::BTreeMap;

/// What has a row of weights.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feature {
    /// A star's own point.
    Own(Standing),
    /// A line through a star's point.
    Pair([Standing; 2]),
    /// An end of a star.
    End(Standing),
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
    /// Whether the Leopards have the move.
    LeopardsMove(bool),
}

impl Feature {
    /// Whether no piece stands there: empty board weighs nothing, or every board would need its own balance.
    fn is_vacant(&self) -> bool {
        match self {
            Self::Own(standing) | Self::End(standing) => !standing.is_piece(),
            Self::Pair(pair) => !pair.iter().any(|standing| standing.is_piece()),
            Self::Run(Filling::Run(pieces)) => pieces.iter().all(|&piece| piece == Piece::Vacant),
            Self::Star(_, Filling::Star { own, pairs, ends }) => {
                !own.is_piece()
                    && !pairs.as_flattened().iter().chain(ends).any(|standing| standing.is_piece())
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

/// The order of the rows of weights.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    rows: BTreeMap<Feature, usize>,
}

impl Layout {
    pub(crate) fn new() -> Self {
        let mut features = Vec::new();
        for shape in Shape::all() {
            features.extend(shape.fillings().iter().flat_map(|(_, filling)| features_of(shape, filling)));
        }
        features.extend((0..=MOST_IN_HAND).map(Feature::Hand));
        features.extend((LEAST_SURPLUS..=MOST_SURPLUS).map(Feature::Surplus));
        features.extend((0..=MOST_LIVES).map(Feature::Lives));
        features.extend((0..=MOST_LEOPARDS).map(Feature::Leopards));
        features.extend([false, true].map(Feature::LeopardsMove));
        features.retain(|feature| !feature.is_vacant());
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
            other => other,
        };
        self.row(&feature)
    }

    /// The rows whose sum is the weight of a pattern with this filling, each as often as it counts.
    pub(crate) fn pattern_rows(&self, shape: Shape, filling: &Filling) -> Vec<usize> {
        features_of(shape, filling).iter().filter_map(|feature| self.row(feature)).collect()
    }

    /// Whether each row is of a whole star, in their order.
    pub(crate) fn stars(&self) -> Vec<bool> {
        let mut stars = vec![false; self.row_count()];
        for (feature, &row) in &self.rows {
            stars[row] = matches!(feature, Feature::Star(..));
        }
        stars
    }
}

/// What a pattern with this filling is made of, each as often as it counts.
fn features_of(shape: Shape, filling: &Filling) -> Vec<Feature> {
    match filling {
        Filling::Run(_) => vec![Feature::Run(filling.clone())],
        Filling::Own(own) => vec![Feature::Own(*own)],
        Filling::Pair(pair) => vec![Feature::Pair(*pair)],
        Filling::End(end) => vec![Feature::End(*end)],
        Filling::Star { own, pairs, ends } => {
            let mut features = vec![Feature::Own(*own)];
            features.extend(pairs.iter().map(|&pair| Feature::Pair(pair)));
            features.extend(ends.iter().map(|&end| Feature::End(end)));
            features.push(Feature::Star(shape, filling.clone()));
            features
        }
    }
}
