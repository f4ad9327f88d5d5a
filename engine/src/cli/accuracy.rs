//! `engine positions` and `engine accuracy`: sets of positions, and the search judged on them.

use super::truth::Truth;
use super::whole_file::WholeFile;
use crate::accuracy::{Accuracy, Judgement, Phase, SampleOptions, measure, sample};
use crate::game::{Position, Rules, Side};
use crate::game_args::NumberRange;
use crate::search::Limits;
use anyhow::Context as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, clap::Args)]
pub(super) struct PositionsArgs {
    /// Numbers of dogs to play with, such as 8..18
    #[arg(long, value_name = "RANGE", help_heading = "Game")]
    dogs: NumberRange,
    /// Positions of each side in each phase
    #[arg(long, value_name = "N", default_value_t = 250)]
    count: usize,
    /// Seed of the games they come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    truth: Truth,
}

pub(super) fn run_positions(args: &PositionsArgs) -> anyhow::Result<()> {
    let rules = args.truth.rules(&args.dogs)?;
    let table = args.truth.table(&rules[0])?;
    let sample = sample(&table, &rules, &SampleOptions { count: args.count, seed: args.seed })?;
    let mut out = std::io::stdout().lock();
    for (rules, position) in &sample.positions {
        writeln!(out, "{}", rules.board().position_text(position))?;
    }
    let counted = (sample.positions.len(), sample.passed_over);
    writeln!(
        std::io::stderr(),
        "{} positions; {} passed over, where every move keeps the value",
        counted.0,
        counted.1
    )?;
    Ok(())
}

#[derive(Debug, clap::Args)]
pub(super) struct AccuracyArgs {
    /// File with a position a line (`engine positions` makes one)
    #[arg(long, value_name = "FILE")]
    positions: PathBuf,
    /// Nodes searched for a move: a number or a list
    #[arg(long, value_name = "RANGE", required_unless_present = "movetime")]
    nodes: Option<NumberRange>,
    /// Milliseconds for a move instead: a number or a list
    #[arg(long, value_name = "RANGE", conflicts_with = "nodes")]
    movetime: Option<NumberRange>,
    /// Positions at a time [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// File for the positions in which the value was lost, as CSV
    #[arg(long, value_name = "FILE")]
    lost: Option<PathBuf>,
    #[command(flatten)]
    truth: Truth,
}

impl AccuracyArgs {
    /// The limits to search with, each with its name in the table.
    fn limits(&self) -> anyhow::Result<Vec<(String, Limits)>> {
        let (name, numbers) = match (&self.nodes, &self.movetime) {
            (Some(nodes), _) => ("nodes", nodes),
            (None, Some(movetime)) => ("movetime", movetime),
            (None, None) => return Ok(Vec::new()), // refused by the parser
        };
        let limit = |&n: &u64| {
            anyhow::ensure!(n > 0, "--{name} 0: expected numbers from 1");
            let limits = match name {
                "nodes" => Limits { nodes: Some(n), ..Limits::default() },
                _ => Limits { movetime: Some(Duration::from_millis(n)), ..Limits::default() },
            };
            Ok((format!("{name}={n}"), limits))
        };
        numbers.0.iter().map(limit).collect()
    }
}

const HEADER: &str =
    "variant,board,limit,side,phase,positions,kept,kept_share,best_distance_share,mean_plies_off";

pub(super) fn run_accuracy(args: &AccuracyArgs) -> anyhow::Result<()> {
    let rules = args.truth.game.rules(None)?;
    let positions = read_positions(&args.positions, &rules)?;
    let table = args.truth.table(&rules)?;
    let threads = super::threads(args.threads);
    let lost_file = args.lost.as_deref().map(|path| WholeFile::begin("lost positions", path)).transpose()?;
    let mut out = std::io::stdout().lock();
    let mut lost = format!("{LOST_HEADER}\n");
    writeln!(out, "{HEADER}")?;
    for (limit, limits) in args.limits()? {
        let judgements = measure(&table, &positions, &limits, threads)?;
        write_rows(&mut out, args, &rules, &limit, &Accuracy::of_all(&judgements))?;
        for judgement in judgements.iter().filter(|judgement| !judgement.keeps_value()) {
            let (rules, position) = &positions[judgement.number];
            lost.push_str(&lost_row(&limit, rules, position, judgement));
        }
    }
    lost_file.map_or(Ok(()), |file| file.finish(lost.as_bytes()))
}

const LOST_HEADER: &str = "limit,side,phase,position,moves,keeping,value,chosen,chosen_value";

fn lost_row(limit: &str, rules: &Rules, position: &Position, judgement: &Judgement) -> String {
    let board = rules.board();
    let Judgement { side, phase, moves, keeping, value, chosen_value, .. } = judgement;
    let (position, chosen) = (board.position_text(position), board.move_text(judgement.chosen));
    format!("{limit},{side},{phase},{position},{moves},{keeping},{value},{chosen},{chosen_value}\n")
}

fn read_positions(path: &Path, rules: &Rules) -> anyhow::Result<Vec<(Arc<Rules>, Position)>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read positions {}", path.display()))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, number)| {
            let (rules, position) =
                rules.parse_position(line).with_context(|| format!("{} line {number}", path.display()))?;
            Ok((Arc::new(rules), position))
        })
        .collect()
}

fn write_rows(
    out: &mut impl std::io::Write,
    args: &AccuracyArgs,
    rules: &Rules,
    limit: &str,
    accuracy: &Accuracy,
) -> anyhow::Result<()> {
    let share = |share: Option<f64>| share.map_or_else(String::new, |share| format!("{share:.4}"));
    let total = accuracy.total();
    let cells = Side::BOTH.into_iter().flat_map(|side| Phase::BOTH.map(|phase| (side, phase)));
    let rows = cells
        .map(|(side, phase)| (side.to_string(), phase.to_string(), *accuracy.of(side, phase)))
        .chain([("both".to_owned(), "all".to_owned(), total)]);
    for (side, phase, tally) in rows {
        writeln!(
            out,
            "{},{},{limit},{side},{phase},{},{},{},{},{}",
            args.truth.game.variant_name(),
            rules.board().name(),
            tally.positions,
            tally.kept,
            share(tally.kept_share()),
            share(tally.best_share()),
            share(tally.mean_plies_off()),
        )?;
    }
    out.flush()?;
    Ok(())
}
