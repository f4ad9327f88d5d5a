//! The solver against the slow oracle and the reference counts.

use super::index::Index;
use super::movement::Problem;
use super::oracle::Oracle;
use super::score;
use super::solve::{Observer, Stage, Watch};
use crate::game::{Rules, Side, Value, VariantSpec};
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

fn watch(stop: &AtomicBool) -> Watch<'_> {
    Watch { progress: &|_| (), stop }
}

fn rules(board: &str, leopards: u8) -> Rules {
    let spec = VariantSpec {
        board: Some(board.into()),
        leopards: Some(leopards),
        dogs: Some(crate::game::board(board).unwrap().point_count() as u8 - leopards),
        ..VariantSpec::default()
    };
    spec.rules().unwrap()
}

/// Keeps everything.
type Vectors = BTreeMap<(u8, usize), (Vec<u8>, Vec<u8>)>;
#[derive(Default)]
struct Keep(Mutex<Vectors>);

impl Observer for Keep {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().insert((hand, slot), (dogs.to_vec(), leopards.to_vec()));
        Ok(())
    }
    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}

fn agrees_with_oracle(rules: &Rules) {
    let stop = AtomicBool::new(false);
    let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), 2);
    let keep = Keep::default();
    problem.solve(&keep, &watch(&stop)).unwrap();
    let keep = keep.0.into_inner().unwrap();
    let oracle = Oracle::new(rules);
    let mut seen = 0;
    for (position, value) in oracle.positions() {
        let index = &problem.index;
        let leopards = index.places_of_points(position.leopards());
        let at = index.locate(leopards, index.places_of_points(position.dogs()));
        let vectors = &keep[&(position.dogs_in_hand(), at.slot)];
        let side = position.side_to_move();
        let score = if side == Side::Dogs { vectors.0[at.dogs] } else { vectors.1[at.dogs] };
        let few = position.dogs().len() as u8 + position.dogs_in_hand() < rules.least_dogs();
        let found = if few && score == 0 {
            Value::Win { winner: Side::Leopards, plies: 0 }
        } else {
            score::value(score, side)
        };
        assert_eq!(found, value, "{position:?}");
        seen += 1;
    }
    assert!(seen > 1000);
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

struct Counts(Mutex<BTreeMap<(usize, Side), [u64; 3]>>, Index);

impl Observer for Counts {
    fn vectors(&self, hand: u8, slot: usize, dogs: &[u8], leopards: &[u8]) -> io::Result<()> {
        if hand > 0 {
            return Ok(());
        }
        let mut counts: BTreeMap<(usize, Side), [u64; 3]> = BTreeMap::new();
        for (side, scores) in [(Side::Dogs, dogs), (Side::Leopards, leopards)] {
            for (number, &score) in scores.iter().enumerate().take(1 << self.1.free()) {
                let class = match score {
                    0..=126 => 1,
                    127 => 2,
                    _ => 0,
                };
                counts.entry((number.count_ones() as usize, side)).or_default()[class] +=
                    u64::from(self.1.sets_of(slot));
            }
        }
        let mut all = self.0.lock().unwrap();
        for (key, n) in counts {
            let entry = all.entry(key).or_default();
            for i in 0..3 {
                entry[i] += n[i];
            }
        }
        Ok(())
    }
    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}

fn counts_agree(board: &str, leopards: u8) {
    let stop = AtomicBool::new(false);
    let rules = rules(board, leopards);
    let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), 2);
    let keep = Counts(Mutex::default(), problem.index.clone());
    let begin = std::time::Instant::now();
    let step = Mutex::new(std::time::Instant::now());
    problem
        .solve(
            &keep,
            &Watch {
                progress: &|p| {
                    let mut t = step.lock().unwrap();
                    println!("{p:?} {:?}", t.elapsed());
                    *t = std::time::Instant::now();
                },
                stop: &stop,
            },
        )
        .unwrap();
    println!("{board} {:?}", begin.elapsed());
    let counts = keep.0.into_inner().unwrap();
    let text = include_str!("../../../tests/data/movement_counts.csv");
    for line in text.lines().filter(|line| line.starts_with(board)) {
        let fields: Vec<&str> = line.split(',').collect();
        let n = |i: usize| fields[i].parse::<u64>().unwrap();
        let found = counts[&(n(3) as usize, fields[4].parse().unwrap())];
        assert_eq!(found, [n(5), n(6), n(7)], "{line}");
    }
}

#[test]
fn counts_of_hat10_and_rect19() {
    counts_agree("hat10", 1);
    counts_agree("rect19", 3);
}
#[test]
#[ignore]
fn counts_of_rect21() {
    counts_agree("rect21", 3);
}

struct Nothing;
impl Observer for Nothing {
    fn vectors(&self, _: u8, _: usize, _: &[u8], _: &[u8]) -> io::Result<()> {
        Ok(())
    }
    fn layer_done(&self, _: u8) -> io::Result<()> {
        Ok(())
    }
}
fn cpu() -> f64 {
    let t = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = t.split_whitespace().collect();
    (f[13].parse::<f64>().unwrap() + f[14].parse::<f64>().unwrap()) / 100.0
}
#[test]
#[ignore]
fn timing() {
    let stop = AtomicBool::new(false);
    let rules = rules(&std::env::var("BOARD").unwrap(), 3);
    let threads = std::env::var("THREADS").map_or(2, |s| s.parse().unwrap());
    let c0 = cpu();
    let problem = Problem::new(rules.board(), rules.leopards().into(), rules.least_dogs(), threads);
    println!("problem cpu {:.2}", cpu() - c0);
    let begin = std::time::Instant::now();
    let last = Mutex::new(("", cpu()));
    problem
        .solve(
            &Nothing,
            &Watch {
                progress: &|p| {
                    let stage = match p.stage {
                        Stage::Movement { winner: Side::Dogs, .. } => "dogs",
                        Stage::Movement { .. } => "leopards",
                        _ => "drops",
                    };
                    let mut last = last.lock().unwrap();
                    if last.0 != stage {
                        let now = cpu();
                        println!("until {stage}: cpu {:.2}", now - last.1);
                        *last = (stage, now);
                    }
                },
                stop: &stop,
            },
        )
        .unwrap();
    println!("rest cpu {:.2}", cpu() - last.lock().unwrap().1);
    println!("wall {:?} cpu {:.2}", begin.elapsed(), cpu() - c0);
}
