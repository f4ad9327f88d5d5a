//! `engine samples` and `engine fit`: the evaluation's weights, from exact values.

use super::truth::Truth;
use super::whole_file::WholeFile;
use crate::fit::{
    Epoch, FitOptions, Sample, SamplesOptions, Searches, fit, make_samples, read_samples, write_sample,
};
use crate::game::Board;
use crate::game_args::{NumberRange, own_boards};
use anyhow::Context as _;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct SamplesArgs {
    /// Numbers of dogs to play with, such as 8..18
    #[arg(long, value_name = "RANGE", help_heading = "Game")]
    dogs: NumberRange,
    /// Samples to make
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    count: usize,
    /// Seed of the games they come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Search positions of the games with so many nodes and take what the search evaluates, instead of what moves
    /// of the games and off them lead to
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..))]
    leaves: Option<u64>,
    /// Weights to search by, made by `engine fit` [default: the engine's own]
    #[arg(long, value_name = "FILE", requires = "leaves")]
    weights: Option<PathBuf>,
    /// Games at a time, which changes nothing in what comes out [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    truth: Truth,
}

impl SamplesArgs {
    /// The searches to take the leaves of.
    fn searches(&self) -> anyhow::Result<Option<Searches>> {
        let Some(searches) = self.leaves.map(Searches::new) else { return Ok(None) };
        let Some(path) = &self.weights else { return Ok(Some(searches)) };
        let name = || format!("weights {}", path.display());
        let bytes = std::fs::read(path).with_context(name)?;
        let searches = searches.with_weights(&bytes);
        Ok(Some(searches.with_context(|| format!("{}: expected weights that `engine fit` made", name()))?))
    }
}

pub(super) fn run_samples(args: &SamplesArgs) -> anyhow::Result<()> {
    let rules = args.truth.rules(&args.dogs)?;
    let table = args.truth.table(&rules[0])?;
    let workers = super::threads(args.threads);
    let options = SamplesOptions { count: args.count, seed: args.seed, workers, searches: args.searches()? };
    let mut out = BufWriter::new(std::io::stdout().lock());
    make_samples::<anyhow::Error>(&table, &rules, &options, |sample| Ok(write_sample(&mut out, sample)?))?;
    Ok(out.flush()?)
}

#[derive(Debug, clap::Args)]
pub(super) struct FitArgs {
    /// Files with samples (`engine samples` makes them)
    #[arg(required = true, value_name = "FILE")]
    samples: Vec<PathBuf>,
    /// Files with samples that are not fitted to, to see how the weights do on them
    #[arg(long, value_name = "FILE")]
    test: Vec<PathBuf>,
    /// TOML file with the boards of samples that the catalogue does not have
    #[arg(long, value_name = "FILE")]
    board_file: Option<PathBuf>,
    /// How often each sample is seen
    #[arg(long, value_name = "N", default_value_t = 12)]
    epochs: u32,
    /// Seed of the first weights and of the order of samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads, which change nothing in what comes out [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// File to write the weights to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn read(paths: &[PathBuf], own_boards: &[Arc<Board>]) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    for path in paths {
        let name = || format!("samples {}", path.display());
        let file = std::fs::File::open(path).with_context(name)?;
        samples.extend(read_samples(BufReader::new(file), own_boards).with_context(name)?);
    }
    Ok(samples)
}

pub(super) fn run_fit(args: &FitArgs) -> anyhow::Result<()> {
    let file = WholeFile::begin("weights", &args.out)?;
    let own_boards = own_boards(args.board_file.as_deref())?;
    let (samples, test) = (read(&args.samples, &own_boards)?, read(&args.test, &own_boards)?);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} samples, {} to test with, seed {}", samples.len(), test.len(), args.seed)?;
    writeln!(
        out,
        "{:<9} {:>5} {:>8} {:>8} {:>7} {:>8} {:>7}",
        "phase", "epoch", "fitted", "held out", "right", "test", "right"
    )?;
    let mut result = Ok(());
    let mut tell = |epoch: &Epoch| {
        let phase = if epoch.is_movement { "movement" } else { "drop" };
        let Epoch { number, fitted, held_out, .. } = epoch;
        let right = 100.0 * epoch.held_out_right;
        let test = epoch
            .test
            .map_or_else(String::new, |(loss, right)| format!(" {loss:>8.5} {:>6.2}%", 100.0 * right));
        let told = writeln!(out, "{phase:<9} {number:>5} {fitted:>8.5} {held_out:>8.5} {right:>6.2}%{test}");
        if result.is_ok() {
            result = told;
        }
    };
    let options = FitOptions { epochs: args.epochs, seed: args.seed, workers: super::threads(args.threads) };
    let weights = fit(&samples, &test, &options, &mut tell)?;
    result?;
    file.finish(&weights)
}
