//! The command line of the engine.

mod perft;

use crate::protocol::serve;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The Koti engine of the leopard games.
#[derive(Debug, Parser)]
#[command(name = "engine", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Count move sequences from a position, for each depth
    Perft(perft::PerftArgs),
}

/// Runs the engine's command line with these arguments, the program's name first, and gives its exit code.
///
/// Without a command the engine speaks its protocol on standard input and output.
pub fn run(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    let result = match cli.command {
        None => {
            serve(std::io::BufReader::new(std::io::stdin()), std::io::stdout());
            Ok(())
        }
        Some(Command::Perft(args)) => perft::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            use std::io::Write as _;
            let _ = writeln!(std::io::stderr(), "error: {error:#}"); // nowhere left to report to
            ExitCode::FAILURE
        }
    }
}
