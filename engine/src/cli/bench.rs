//! `engine bench`: the search's signature and speed.

use crate::game::{Game, VariantSpec};
use crate::search::{Limits, SearchOptions, Searcher};
use anyhow::Context as _;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Size of the transposition table in MB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Number of threads; only with one is the node count a signature
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
}

/// Positions of all phases and several games.
const POSITIONS: [(&str, &str); 12] = [
    ("demala", "L/2LL2/4/6/4 d 15 0 0"),
    ("demala", "L/2dL1d/1Ld1/dd1d1d/1d2 d 7 0 0"),
    ("demala", "1/d2LLd/1dd1/d1Ld1d/dd1d d 3 1 0"),
    ("demala", "d/1dLd1d/Ld1d/1d1Ldd/d1dd l 0 1 3"),
    ("demala", "1/2d1d1/LdL1/d1dddd/dLdd d 0 3 5"),
    ("demala-fan", "L/1L1L1/5/5/5 d 15 0 0"),
    ("demala-23", "L/d1LL1d/6/d4d/dd1d d 8 0 1"),
    ("demala-19", "L/dL1Ld/2d2/d1d1d/ddd d 6 0 1"),
    ("rafaya", "L/d2LL2d/8/d6d/4 d 11 0 0"),
    ("hat", "L/3/3/3 d 7 0 0"),
    ("hat-13", "1/L1L/3/1d1/ddd d 4 0 0"),
    ("meurimueng", "1/6/6/6/4 l 15+5 0 0"),
];

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let options = SearchOptions { threads: args.threads as usize, ..SearchOptions::default() };
    let limits = Limits { depth: Some(args.depth), ..Limits::default() };
    let mut out = std::io::stdout().lock();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    writeln!(out, "{:>12} {:>9}  {:<9} {:<11} position", "nodes", "knodes/s", "score", "variant")?;
    for (variant, text) in POSITIONS {
        let spec = VariantSpec { variant: Some(variant.to_owned()), ..VariantSpec::default() };
        let (rules, position) = spec.rules()?.parse_position(text).with_context(|| text.to_owned())?;
        let game = Game::from_position(Arc::new(rules), position);
        let mut searcher = Searcher::new(args.hash as usize)?;
        let begun = Instant::now();
        let never = AtomicBool::new(false);
        let last = searcher.search(&game, &limits, &options, None, &never, &mut |_| {}).last;
        nodes += last.nodes;
        time += begun.elapsed();
        let speed = last.nodes_per_second() / 1_000;
        writeln!(out, "{:>12} {speed:>9}  {:<9} {variant:<11} {text}", last.nodes, last.score.to_string())?;
    }
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
    writeln!(out, "\n{nodes} nodes {speed} nps")?;
    Ok(())
}
