//! The command line of the engine.

mod accuracy;
mod bench;
mod catalog;
mod duel;
mod fit;
mod perft;
mod solve;
mod truth;
mod values;
mod verify;
mod whole_file;

use crate::game_args::{parse_arguments, report_error};
use crate::protocol::serve;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Without a command the engine speaks its text protocol on standard input and output; type help there.

Examples:
  engine                                           speak the protocol
  printf 'go depth 12\\nwait\\n' | engine           best first move of demala, searched 12 plies deep
  engine perft --variant hat --depth 8             count move sequences
  engine boards rect21                             draw a board
  engine bench                                     signature and speed of the search";

/// The Koti engine of the leopard games.
#[derive(Debug, Parser)]
#[command(name = "engine", bin_name = "engine", version, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count move sequences from a position, for each depth
    Perft(perft::PerftArgs),
    /// Search fixed positions: the node count is the signature of the search
    Bench(bench::BenchArgs),
    /// Draw the boards of the catalogue or of a file
    Boards(catalog::BoardsArgs),
    /// List the presets
    Variants,
    /// Solve a game: a table of the exact value of every position
    Solve(solve::SolveArgs),
    /// Exact values of the starts of games, as CSV
    Values(values::ValuesArgs),
    /// Sample positions to judge the search by: some moves keep the exact value, some lose it
    Positions(accuracy::PositionsArgs),
    /// How often the search keeps the exact value in given positions, as CSV
    Accuracy(accuracy::AccuracyArgs),
    /// Play the search against perfect play: does it get what the exact value promises? As CSV
    Duel(duel::DuelArgs),
    /// Sample positions with their exact values, to fit the evaluation to
    Samples(fit::SamplesArgs),
    /// Fit the weights of the evaluation to samples
    Fit(fit::FitArgs),
    /// Prove a table: recompute every entry from its successors
    Verify(verify::VerifyArgs),
}

/// The number of threads asked for, otherwise one a core.
fn threads(asked: Option<NonZeroUsize>) -> usize {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    asked.unwrap_or_else(cores).get()
}

/// Runs the engine's command line with these arguments, the program's name first, and gives its exit code:
/// 0, 1 where a command failed, 2 where the arguments are at fault.
///
/// Without a command the engine speaks its protocol on standard input and output.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli: Cli = match parse_arguments(arguments) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let result = match cli.command {
        None => {
            serve(std::io::BufReader::new(std::io::stdin()), std::io::stdout());
            Ok(())
        }
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Boards(args)) => catalog::run_boards(&args),
        Some(Command::Positions(args)) => accuracy::run_positions(&args),
        Some(Command::Accuracy(args)) => accuracy::run_accuracy(&args),
        Some(Command::Duel(args)) => duel::run(&args),
        Some(Command::Samples(args)) => fit::run_samples(&args),
        Some(Command::Fit(args)) => fit::run_fit(&args),
        Some(Command::Variants) => catalog::run_variants(),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Values(args)) => values::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
    };
    result.map_or_else(|error| report_error(&error), |()| ExitCode::SUCCESS)
}
