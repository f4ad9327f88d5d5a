//! A slow solver to test against: explicit positions in a hash map, the rules' own move generator, plain
//! iteration ply by ply. No bit tricks, no symmetry, nothing shared with the real solver.

use crate::game::{Captures, PointSet, Position, Rules, RulesConfig, Setup, Side, Start, Value};
use fxhash::FxHashMap;
use std::sync::Arc;

/// Dogs, leopards, side to move, dogs in hand.
type State = (u32, u32, Side, u8);

/// The exact value of every position with the leopards, board and least number of dogs of some rules.
pub(super) struct Oracle {
    /// The rules with as many dogs as the board takes.
    pub(super) rules: Rules,
    values: FxHashMap<State, Value>,
}

/// The rules that play every position of a table: as many dogs as the board takes, and captures such that
/// the game goes on down to the same number of dogs.
pub(super) fn widest(rules: &Rules) -> Rules {
    let dogs = rules.board().point_count() as u8 - rules.leopards();
    let captures = Captures::Number(dogs + 1 - rules.least_dogs());
    let config = RulesConfig { dogs, captures, ..*rules.config() };
    Rules::new(Arc::clone(rules.shared_board()), config).unwrap()
}

/// All sets of points of a board with `count` members, or with any number.
pub(super) fn subsets(points: usize, count: Option<u32>) -> impl Iterator<Item = PointSet> {
    (0..1u32 << points).filter(move |s| count.is_none_or(|n| s.count_ones() == n)).map(PointSet::from_bits)
}

/// The position of the widest rules with these pieces.
pub(super) fn position(
    rules: &Rules,
    dogs: PointSet,
    leopards: PointSet,
    side: Side,
    hand: u8,
) -> Option<Position> {
    let captured = rules.dogs().checked_sub(dogs.len() as u8 + hand)?;
    let setup = Setup { dogs, leopards, side, dogs_in_hand: hand, leopards_in_hand: 0, captured, quiet: 0 };
    rules.check(&setup).ok()
}

fn state(position: &Position) -> State {
    let setup = position.setup();
    (setup.dogs.bits(), setup.leopards.bits(), setup.side, setup.dogs_in_hand)
}

impl Oracle {
    pub(super) fn new(rules: &Rules) -> Self {
        let rules = widest(rules);
        assert!(matches!(rules.config().start, Start::Placed(_) | Start::Entered));
        let mut oracle = Self { values: FxHashMap::default(), rules };
        for hand in 0..=oracle.rules.dogs() {
            oracle.solve_hand(hand);
        }
        oracle
    }

    /// Every position with this many dogs in hand.
    fn solve_hand(&mut self, hand: u8) {
        let rules = &self.rules;
        let points = rules.board().point_count();
        let mut open = Vec::new();
        for leopards in subsets(points, Some(rules.leopards().into())) {
            for dogs in subsets(points, None).filter(|dogs| !dogs.meets(leopards)) {
                open.extend(
                    Side::BOTH.iter().filter_map(|&side| position(rules, dogs, leopards, side, hand)),
                );
            }
        }
        // Ended games first: captures before the want of moves, as the rules say.
        open.retain(|position| match position.outcome(rules) {
            Some(reason) => {
                let winner = reason.winner().unwrap();
                self.values.insert(state(position), Value::Win { winner, plies: 0 });
                false
            }
            None => true,
        });
        let mut open: Vec<(State, Vec<State>)> = open
            .iter()
            .map(|position| {
                let moves = position.legal_moves(rules);
                (state(position), moves.iter().map(|&mv| state(&position.after(rules, mv))).collect())
            })
            .collect();
        if hand > 0 {
            // Drops come to an end: the Dogs' turns follow from fewer dogs in hand, the Leopards' from them.
            for side in Side::BOTH {
                for (state, successors) in open.iter().filter(|(state, _)| state.2 == side) {
                    let value = best(side, successors.iter().map(|s| self.values[s]));
                    self.values.insert(*state, value);
                }
            }
            return;
        }
        for plies in 1.. {
            let decided: Vec<Option<Side>> = open
                .iter()
                .map(|(state, successors)| {
                    let side = state.2;
                    let winners = || successors.iter().map(|s| self.values.get(s).and_then(|v| v.winner()));
                    let wins = winners().any(|winner| winner == Some(side));
                    let loses = winners().all(|winner| winner == Some(!side));
                    wins.then_some(side).or(loses.then_some(!side))
                })
                .collect();
            if decided.iter().all(Option::is_none) {
                break;
            }
            let mut verdicts = decided.into_iter();
            open.retain(|(state, _)| match verdicts.next().flatten() {
                Some(winner) => {
                    self.values.insert(*state, Value::Win { winner, plies });
                    false
                }
                None => true,
            });
        }
        self.values.extend(open.into_iter().map(|(state, _)| (state, Value::Draw)));
    }

    pub(super) fn value(&self, position: &Position) -> Value {
        self.values[&state(position)]
    }

    /// Every position and its value.
    pub(super) fn positions(&self) -> impl Iterator<Item = (Position, Value)> {
        self.values.iter().map(|(&(dogs, leopards, side, hand), &value)| {
            let sets = (PointSet::from_bits(dogs), PointSet::from_bits(leopards));
            (position(&self.rules, sets.0, sets.1, side, hand).unwrap(), value)
        })
    }
}

/// The best of the values of the successors, a ply later, for the side that moves.
pub(super) fn best(side: Side, successors: impl Iterator<Item = Value>) -> Value {
    let rank = |value: &Value| match *value {
        Value::Win { winner, plies } if winner == side => i32::from(u16::MAX) - i32::from(plies),
        Value::Win { plies, .. } => i32::from(plies) - i32::from(u16::MAX),
        Value::Draw => 0,
    };
    match successors.max_by_key(rank).unwrap() {
        Value::Win { winner, plies } => Value::Win { winner, plies: plies + 1 },
        Value::Draw => Value::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::VariantSpec;

    fn rules(variant: &str, dogs: u8) -> Rules {
        VariantSpec { variant: Some(variant.into()), dogs: Some(dogs), ..VariantSpec::default() }
            .rules()
            .unwrap()
    }

    #[test]
    fn hat10_comes_out_as_the_reference_says() {
        let oracle = Oracle::new(&rules("hat", 9));
        let text = include_str!("../../../tests/data/solved.csv");
        let mut checked = 0;
        for line in text.lines().filter(|line| line.starts_with("hat10,")) {
            let fields: Vec<&str> = line.split(',').collect();
            let dogs: u8 = fields[3].parse().unwrap();
            let side: Side = fields[4].parse().unwrap();
            let start = position(&oracle.rules, PointSet::EMPTY, PointSet::first(1), side, dogs).unwrap();
            let expected = format!("{} {}", fields[5], fields[6]);
            assert_eq!(oracle.value(&start).to_string(), expected.trim(), "{line}");
            checked += 1;
        }
        assert_eq!(checked, 18);
    }
}
