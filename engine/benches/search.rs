//! Speed without tables: moves, evaluation, search, and what a second thread adds.
//!
//! `cargo bench -p engine --bench search`; with a filter behind (`-- perft`) only what it names.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use engine::game::{Game, Position, Rules, VariantSpec, perft};
use engine::search::{Evaluator, Limits, SearchOptions, Searcher};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use std::hint::black_box;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Positions of each phase: name, preset, position.
const POSITIONS: [(&str, &str, &str); 5] = [
    ("start", "demala", "L/2LL2/4/6/4 d 15 0 0"),
    ("drops", "demala", "L/2dL1d/1Ld1/dd1d1d/1d2 d 7 0 0"),
    ("steps", "demala", "1/2d1d1/LdL1/d1dddd/dLdd d 0 3 5"),
    ("large", "rafaya", "L/d2LL2d/8/d6d/4 d 11 0 0"),
    ("entries", "meurimueng", "1/6/6/6/4 l 15+5 0 0"),
];
/// Plies of each perft, a few million leaves.
const DEPTHS: [u32; 5] = [6, 6, 6, 5, 5];
/// Nodes of each search.
const NODES: u64 = 20_000;
/// How long each position is searched by one thread and by two, and how often in turn.
const SHARED_TIME: Duration = Duration::from_millis(500);
const ROUNDS: usize = 3;

fn preset(variant: &str) -> Rules {
    let spec = VariantSpec { variant: Some(variant.to_owned()), ..VariantSpec::default() };
    spec.rules().expect("a preset")
}

fn position(variant: &str, text: &str) -> (Rules, Position) {
    preset(variant).parse_position(text).expect("a position")
}

/// Positions of random games of the default preset, one of each ply.
fn positions_of_games(rules: &Rules) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1909);
    let mut found = Vec::new();
    while found.len() < 1_000 {
        let mut position = rules.start();
        for _ in 0..60 {
            let moves = position.legal_moves(rules);
            if moves.is_empty() {
                break;
            }
            found.push(position);
            position = position.after(rules, moves[rng.random_range(0..moves.len())]);
        }
    }
    found
}

fn moves(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for ((name, variant, text), depth) in POSITIONS.into_iter().zip(DEPTHS) {
        let (rules, position) = position(variant, text);
        group.throughput(Throughput::Elements(perft(&rules, &position, depth)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(&rules, black_box(&position), depth)));
    }
    group.finish();
    let rules = preset("demala");
    let positions = positions_of_games(&rules);
    let mut group = criterion.benchmark_group("positions");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("list the moves", |bencher| {
        bencher.iter(|| positions.iter().map(|p| black_box(p.legal_moves(&rules)).len()).sum::<usize>());
    });
    let evaluator = Evaluator::new(rules.board());
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| positions.iter().map(|p| evaluator.evaluate(&rules, p)).sum::<i32>());
    });
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.throughput(Throughput::Elements(NODES)).sample_size(20);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let (options, never) = (SearchOptions::default(), AtomicBool::new(false));
    for (name, variant, text) in POSITIONS {
        let (rules, position) = position(variant, text);
        let game = Game::from_position(Arc::new(rules), position);
        group.bench_function(name, |bencher| {
            // Each search begins with an empty table, which is no part of what is measured.
            bencher.iter_batched_ref(
                || Searcher::new(4).expect("4 MB"),
                |searcher| searcher.search(&game, &limits, &options, None, &never, &mut |_| {}),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

/// Nodes a second of two threads over those of one, position by position in turn, so that whatever else the
/// machine does weighs on both alike.
fn threads(_: &mut Criterion) {
    let limits = Limits { movetime: Some(SHARED_TIME), ..Limits::default() };
    let never = AtomicBool::new(false);
    let mut nodes = [0; 2];
    for _ in 0..ROUNDS {
        for (_, variant, text) in POSITIONS {
            let (rules, position) = position(variant, text);
            let game = Game::from_position(Arc::new(rules), position);
            for (nodes, threads) in nodes.iter_mut().zip(1..) {
                let options = SearchOptions { threads, ..SearchOptions::default() };
                let mut searcher = Searcher::new(64).expect("64 MB");
                let last = searcher.search(&game, &limits, &options, None, &never, &mut |_| {}).last;
                *nodes += last.nodes_per_second();
            }
        }
    }
    let count = (ROUNDS * POSITIONS.len()) as u64;
    let [one, two] = nodes.map(|nodes| nodes / count);
    let ratio = two as f64 / one.max(1) as f64;
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "threads: {one} nodes/s with one, {two} with two, {ratio:.2} times as many");
}

criterion_group!(benches, moves, search, threads);
criterion_main!(benches);
