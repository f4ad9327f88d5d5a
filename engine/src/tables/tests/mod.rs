//! The solver and its tables against the slow oracle, the reference counts, and damage.

use super::index::{Index, binomial};
use super::movement::Problem;
use super::oracle::{Oracle, position, widest};
use super::simd::Wide;
use super::solve::{Observer, Watch};
use super::{Progress, SolveError, SolveOptions, Stage, Starts, Table, solve};
use crate::game::{
    Board, BoardData, Captures, Point, PointSet, Position, Rules, Setup, SetupKind, Side, Value, VariantSpec,
    boards,
};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

mod files;
mod parts;
mod symmetry;

const OPTIONS: SolveOptions = SolveOptions { threads: 2, memory: None, level: 1 };

/// Rules with as many dogs as the board takes.
fn rules_on(board: &Arc<Board>, leopards: u8, captures: Captures) -> Rules {
    let spec = VariantSpec {
        own_boards: vec![Arc::clone(board)],
        leopards: Some(leopards),
        dogs: Some(board.point_count() as u8 - leopards),
        captures,
        ..VariantSpec::default()
    };
    spec.rules().unwrap()
}

fn rules(board: &str, leopards: u8) -> Rules {
    rules_on(&crate::game::board(board).unwrap(), leopards, Captures::Auto)
}

fn solved(rules: &Rules) -> Table {
    solve(rules, &OPTIONS, &|_| (), &AtomicBool::new(false)).unwrap()
}

fn agrees_with_oracle(rules: &Rules) {
    let (table, oracle) = (solved(rules), Oracle::new(rules));
    let mut seen = 0;
    for (position, value) in oracle.positions() {
        let found = table.probe(&oracle.rules, &position).unwrap();
        assert_eq!(found, Some(value), "{}", oracle.rules.board().position_text(&position));
        seen += 1;
    }
    // Every placement of the leopards, every number of dogs on the board and in hand, both sides.
    let free = rules.board().point_count() - usize::from(rules.leopards());
    let sets = binomial(rules.board().point_count(), rules.leopards().into());
    let dogs: u32 = (0..=free).map(|k| binomial(free, k) * (free - k + 1) as u32).sum();
    assert_eq!(seen, 2 * sets * dogs);
}

#[test]
fn hat10_agrees_with_the_oracle() {
    for leopards in 1..=3 {
        agrees_with_oracle(&rules("hat10", leopards));
    }
}

#[test]
fn hat13_agrees_with_the_oracle() {
    agrees_with_oracle(&rules("hat13", 2));
}

#[test]
fn every_number_of_captures_agrees_with_the_oracle() {
    let board = crate::game::board("hat10").unwrap();
    for captures in 1..=9 {
        agrees_with_oracle(&rules_on(&board, 1, Captures::Number(captures)));
    }
}

#[test]
fn small_and_lopsided_boards_agree_with_the_oracle() {
    let board = |rows: &[usize], lines: &[&str]| {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Arc::new(Board::new("small", &BoardData { rows: rows.to_vec(), lines, columns: None }).unwrap())
    };
    let all = [
        board(&[2], &["a1 a2"]),
        board(&[3], &["a1 a2 a3"]),
        board(&[1, 3], &["a1 b1", "a1 b2", "b1 b2 b3"]),
        board(&[2, 3, 2], &["a1 b1 c1", "a1 b2", "a2 b2 c2", "b1 b2 b3"]),
        board(&[3, 4, 3], &["a1 b1", "a1 a2 a3", "a2 b3 c2", "b1 b2 b3 b4", "c1 c2 c3", "b2 c3", "a3 b4"]),
    ];
    for board in &all {
        for leopards in 1..=3.min(board.point_count() as u8 - 1) {
            for captures in [Captures::Auto, Captures::Number(1)] {
                let rules = rules_on(board, leopards, captures);
                // Where no number of dogs traps, auto leaves no game.
                if rules.captures_to_win() > 0 {
                    agrees_with_oracle(&rules);
                }
            }
        }
    }
}

/// Keeps every vector.
#[derive(Default)]
struct Keep(Mutex<Vectors>);
type Vectors = BTreeMap<(u8, usize), (Vec<u8>, Vec<u8>)>;

impl Observer for Keep {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().insert((hand, slot), (dogs.to_vec(), leopards.to_vec()));
        Ok(())
    }
    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}

fn vectors(problem: &Problem) -> Vectors {
    let keep = Keep::default();
    let stop = AtomicBool::new(false);
    problem.solve(&keep, &Watch { progress: &|_| (), stop: &stop }).unwrap();
    keep.0.into_inner().unwrap()
}

/// Scores of both turns, the game's own positions only.
fn scores(index: &Index, vectors: &Vectors, leopards: u32, dogs: u32, hand: u8) -> [u8; 2] {
    let at = index.locate(leopards, dogs);
    let found = &vectors[&(hand, at.slot)];
    [found.0[at.dogs], found.1[at.dogs]]
}

#[test]
fn any_order_of_points_any_number_of_threads_and_portable_code_give_the_same_scores() {
    let rules = rules("hat13", 2);
    let board = rules.board();
    let usual = Problem::new(board, 2, rules.least_dogs(), 2);
    let expected = vectors(&usual);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(581);
    let mut order: Vec<Point> = board.points().into_iter().collect();
    for attempt in 0..4 {
        let mut other = Problem::with_order(board, 2, rules.least_dogs(), 1 + attempt % 3, &order);
        if attempt % 2 == 0 {
            other.wide = Wide::PORTABLE;
        }
        let found = vectors(&other);
        for set in crate::tables::oracle::subsets(board.point_count(), Some(2)) {
            for dogs in crate::tables::oracle::subsets(board.point_count(), None).filter(|d| !d.meets(set)) {
                for hand in 0..=(11 - dogs.len() as u8) {
                    let at = |problem: &Problem, vectors| {
                        let index = &problem.index;
                        let (leopards, dogs) = (index.places_of_points(set), index.places_of_points(dogs));
                        scores(index, vectors, leopards, dogs, hand)
                    };
                    assert_eq!(at(&other, &found), at(&usual, &expected));
                }
            }
        }
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
    }
}

#[test]
fn portable_and_wide_code_agree_on_long_vectors() {
    let rules = rules("rect19", 1);
    let mut problem = Problem::new(rules.board(), 1, rules.least_dogs(), 2);
    let wide = vectors(&problem);
    problem.wide = Wide::PORTABLE;
    let portable = vectors(&problem);
    // Positions with too many dogs for the board are none and may differ.
    for ((hand, slot), (dogs, leopards)) in &wide {
        let other = &portable[&(*hand, *slot)];
        for number in (0..dogs.len()).filter(|n| n.count_ones() + u32::from(*hand) <= 18) {
            assert_eq!((dogs[number], leopards[number]), (other.0[number], other.1[number]));
        }
    }
}

/// Counts positions of the movement phase by dogs and side to move: won for the Dogs, the Leopards, drawn.
struct Counts {
    counts: Mutex<BTreeMap<(u32, Side), [u64; 3]>>,
    index: Index,
}

impl Observer for Counts {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
        if hand > 0 {
            return Ok(());
        }
        let mut counts = vec![[0; 3]; 2 * (self.index.free() + 1)];
        for (side, scores) in [dogs, leopards].into_iter().enumerate() {
            for (number, &score) in scores.iter().enumerate() {
                let class = match score {
                    0..127 => 1,
                    127 => 2,
                    128.. => 0,
                };
                counts[2 * number.count_ones() as usize + side][class] += 1;
            }
        }
        let sets = u64::from(self.index.sets_of(slot));
        let mut all = self.counts.lock().unwrap();
        for (i, new) in counts.iter().enumerate() {
            let entry = all.entry((i as u32 / 2, Side::BOTH[i % 2])).or_default();
            for (entry, new) in entry.iter_mut().zip(new) {
                *entry += sets * new;
            }
        }
        Ok(())
    }
    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}

/// The counts of the movement phase.
fn counts(problem: &Problem) -> BTreeMap<(u32, Side), [u64; 3]> {
    let counts = Counts { counts: Mutex::default(), index: problem.index.clone() };
    let stop = AtomicBool::new(false);
    let stop_at_drops = |step: &Progress| {
        stop.store(matches!(step.stage, Stage::Drops { .. }), Ordering::Relaxed);
    };
    let result = problem.solve(&counts, &Watch { progress: &stop_at_drops, stop: &stop });
    assert!(matches!(result, Err(SolveError::Stopped)));
    counts.counts.into_inner().unwrap()
}

fn counts_agree(name: &str, leopards: u8) {
    let rules = rules(name, leopards);
    let problem = Problem::new(rules.board(), leopards.into(), rules.least_dogs(), 2);
    let counts = counts(&problem);
    let text = include_str!("../../../../tests/data/movement_counts.csv");
    let mut lines = 0;
    for line in text.lines().filter(|line| line.starts_with(&format!("{name},{leopards},"))) {
        let fields: Vec<&str> = line.split(',').collect();
        let n = |i: usize| fields[i].parse::<u64>().unwrap();
        let found = counts[&(n(3) as u32, fields[4].parse().unwrap())];
        assert_eq!(found, [n(5), n(6), n(7)], "{line}");
        lines += 1;
    }
    assert_eq!(lines, 2 * (problem.index.free() + 1));
}

#[test]
fn counts_of_the_movement_phase_are_those_of_the_reference() {
    counts_agree("hat10", 1);
    counts_agree("rect19", 3);
}

#[test]
fn starts_of_rect19_are_those_of_the_reference() {
    let rules = rules("rect19", 3);
    let table = solved(&rules);
    let widest = widest(&rules);
    let start = ["a1", "b2", "b4"].iter().filter_map(|name| rules.board().point(name)).collect::<PointSet>();
    let text = include_str!("../../../../tests/data/solved.csv");
    let mut lines = 0;
    for line in text.lines().filter(|line| line.starts_with("rect19,")) {
        let fields: Vec<&str> = line.split(',').collect();
        let (dogs, side): (u8, Side) = (fields[3].parse().unwrap(), fields[4].parse().unwrap());
        let value = |leopards| {
            let position = position(&widest, PointSet::EMPTY, leopards, side, dogs).unwrap();
            table.probe(&widest, &position).unwrap().unwrap()
        };
        assert_eq!(value(start).to_string(), format!("{} {}", fields[5], fields[6]).trim(), "{line}");
        if !fields[7].is_empty() {
            let mut counts = [0; 3];
            for leopards in crate::tables::oracle::subsets(19, Some(3)) {
                counts[value(leopards).winner().map_or(2, Side::index)] += 1;
            }
            assert_eq!(counts.map(|n: u32| n.to_string()), fields[7..10], "{line}");
        }
        lines += 1;
    }
    assert_eq!(lines, 32);
}

#[test]
fn a_table_serves_its_rules_only() {
    let table = solved(&rules("hat10", 1));
    let with = |spec: VariantSpec| spec.rules().unwrap();
    let hat = || VariantSpec { variant: Some("hat".into()), ..VariantSpec::default() };
    assert!(table.serves(&with(hat())));
    assert!(table.serves(&with(VariantSpec { variant: Some("len-choa".into()), ..hat() })));
    assert!(table.serves(&with(VariantSpec { dogs: Some(1), ..hat() })));
    assert!(table.serves(&with(VariantSpec { captures: Captures::Number(3), dogs: Some(6), ..hat() })));
    let others = [
        VariantSpec { captures: Captures::Number(3), ..hat() },
        VariantSpec { leopards: Some(2), ..hat() },
        VariantSpec { board: Some("hat13".into()), ..hat() },
    ];
    for spec in others {
        let rules = with(spec);
        assert!(!table.serves(&rules));
        assert_eq!(table.probe(&rules, &rules.start()).unwrap(), None);
    }
    // The same lines under another name are the same board, other lines are not.
    let own = |lines: &str| {
        let text = format!("[mine]\nrows = [1, 3, 3, 3]\nlines = [{lines}]");
        let own_boards = crate::game::parse_boards(&text).unwrap();
        with(VariantSpec { own_boards, leopards: Some(1), ..hat() })
    };
    let rays = r#""a1 b1 c1 d1", "d2 c2 b2 a1", "a1 b3 c3 d3", "c1 c2 c3", "d1 d2 d3""#;
    assert!(table.serves(&own(&format!(r#"{rays}, "b3 b2 b1""#))));
    assert!(!table.serves(&own(rays)));
    // Leopards in hand are no matter of a table; a game without enough dogs is over.
    let entered = with(VariantSpec { setup: Some(crate::game::SetupKind::Entered), ..hat() });
    assert_eq!(table.probe(&entered, &entered.start()).unwrap(), None);
    let few = with(VariantSpec { dogs: Some(2), ..hat() });
    let lost = Value::Win { winner: Side::Leopards, plies: 0 };
    assert_eq!(table.probe(&few, &few.start()).unwrap(), Some(lost));
}

/// The value of a position with leopards in hand, by the rules' own moves.
fn value_by_search(rules: &Rules, oracle: &Oracle, position: &Position, known: &mut Known) -> Value {
    if let Some(reason) = position.outcome(rules) {
        return Value::Win { winner: reason.winner().unwrap(), plies: 0 };
    }
    let setup = position.setup();
    if setup.leopards_in_hand == 0 {
        let captured = oracle.rules.dogs() - (setup.dogs.len() as u8 + setup.dogs_in_hand);
        return oracle.value(&oracle.rules.check(&Setup { captured, ..setup }).unwrap());
    }
    if let Some(&value) = known.get(&position.key()) {
        return value;
    }
    let side = position.side_to_move();
    let values: Vec<Value> = position
        .legal_moves(rules)
        .iter()
        .map(|&mv| value_by_search(rules, oracle, &position.after(rules, mv), known))
        .collect();
    let value = crate::tables::oracle::best(side, values.into_iter());
    known.insert(position.key(), value);
    value
}

type Known = BTreeMap<u64, Value>;

#[test]
fn starts_agree_with_the_oracle_whether_the_leopards_are_placed_or_enter() {
    for (name, leopards) in [("hat10", 1), ("hat10", 2), ("hat10", 3)] {
        let oracle = Oracle::new(&rules(name, leopards));
        let mut games = Vec::new();
        for dogs in 1..=(10 - leopards) {
            for first in Side::BOTH {
                for setup in [SetupKind::Placed, SetupKind::Entered] {
                    let spec = VariantSpec {
                        board: Some(name.into()),
                        leopards: Some(leopards),
                        dogs: Some(dogs),
                        first: Some(first),
                        setup: Some(setup),
                        ..VariantSpec::default()
                    };
                    games.push(spec.rules().unwrap());
                }
            }
        }
        let kept = Starts::solve(&games, &OPTIONS, &|_| (), &AtomicBool::new(false)).unwrap();
        let from_table = Starts::from_table(Arc::new(solved(&games[0])));
        for rules in &games {
            let expected = value_by_search(rules, &oracle, &rules.start(), &mut Known::new());
            assert_eq!(kept.value(rules).unwrap(), expected, "{:?}", rules.config());
            assert_eq!(from_table.value(rules).unwrap(), expected);
            assert_eq!(kept.placements(rules).unwrap(), from_table.placements(rules).unwrap());
        }
    }
}
