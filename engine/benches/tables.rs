//! Tables: solving, and probing random positions.
//!
//! `KOTI_TABLE=FILE cargo bench -p engine --bench tables` probes a table file as well, of the rules that
//! `KOTI_VARIANT` names (demala).

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use engine::game::{Captures, PointSet, Position, Rules, RulesConfig, Setup, Side, VariantSpec};
use engine::tables::{SolveOptions, Table, solve};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const OPTIONS: SolveOptions = SolveOptions { threads: 2, memory: None, level: 3 };

fn rules(variant: &str) -> Rules {
    let spec = VariantSpec { variant: Some(variant.to_owned()), ..VariantSpec::default() };
    spec.rules().expect("a preset")
}

/// Random positions with every leopard on the board, any number of dogs on the board and in hand.
fn positions(rules: &Rules, count: usize) -> (Rules, Vec<Position>) {
    let points = rules.board().point_count();
    let dogs = points as u8 - rules.leopards();
    let captures = Captures::Number(dogs + 1 - rules.least_dogs());
    let config = RulesConfig { dogs, captures, ..*rules.config() };
    let rules = Rules::new(Arc::clone(rules.shared_board()), config).expect("the rules with all dogs");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1909);
    let mut found = Vec::new();
    while found.len() < count {
        let mut order: Vec<u32> = (0..points as u32).collect();
        for i in (1..points).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        let set = |points: &[u32]| PointSet::from_bits(points.iter().fold(0, |set, point| set | 1 << point));
        let (leopards, rest) = order.split_at(rules.leopards().into());
        let on_board = rng.random_range(0..=rest.len());
        let hand = rng.random_range(0..=rest.len() - on_board) as u8;
        let setup = Setup {
            dogs: set(&rest[..on_board]),
            leopards: set(leopards),
            side: Side::BOTH[rng.random_range(0..2)],
            dogs_in_hand: hand,
            leopards_in_hand: 0,
            captured: dogs - hand - on_board as u8,
            quiet: 0,
        };
        found.push(rules.check(&setup).expect("a position of the rules"));
    }
    (rules, found)
}

/// How long probes of these positions take, in order of length.
fn times(table: &Table, rules: &Rules, positions: &[Position]) -> Vec<Duration> {
    let mut times: Vec<Duration> = positions
        .iter()
        .map(|position| {
            let begin = Instant::now();
            black_box(table.probe(rules, position).expect("a good table"));
            begin.elapsed()
        })
        .collect();
    times.sort_unstable();
    times
}

fn probing(criterion: &mut Criterion, name: &str, table: &Table, rules: &Rules, count: usize) {
    let (rules, positions) = positions(rules, count);
    // The first pass finds no block unpacked. The median says more than the mean: a Leopards' turn of a hand
    // that is left out takes a thousand looks.
    for pass in ["first pass", "second pass"] {
        let times = times(table, &rules, &positions);
        let at = |percent: usize| times[times.len() * percent / 100];
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{name}, {pass}: median {:?}, 90 % {:?}, 99 % {:?}", at(50), at(90), at(99));
    }
    let mut next = 0;
    criterion.bench_function(name, |bencher| {
        bencher.iter(|| {
            next = (next + 1) % positions.len();
            black_box(table.probe(&rules, &positions[next]).expect("a good table"))
        });
    });
}

fn tables(criterion: &mut Criterion) {
    let stop = AtomicBool::new(false);
    for variant in ["hat", "hat-13"] {
        let rules = rules(variant);
        let make = || solve(&rules, &OPTIONS, &|_| (), &stop).expect("a small game");
        criterion.bench_function(&format!("solve {variant}"), |bencher| {
            bencher.iter_batched(|| (), |()| make(), BatchSize::PerIteration);
        });
        probing(criterion, &format!("probe {variant}"), &make(), &rules, 10_000);
    }
    if let Ok(file) = std::env::var("KOTI_TABLE") {
        let rules = rules(&std::env::var("KOTI_VARIANT").unwrap_or_else(|_| "demala".to_owned()));
        let table = Table::open(Path::new(&file)).expect("a table");
        probing(criterion, "probe file, 300 positions", &table, &rules, 300);
        probing(criterion, "probe file, 20,000 positions", &table, &rules, 20_000);
    }
}

criterion_group!(benches, tables);
criterion_main!(benches);
