//! The command line.

mod balance;
mod check;
mod competition;
mod execute;
mod game_match;
mod help;
mod manual;
mod merge;
mod report;
mod run_args;
mod shard;
mod sprt;
mod sweep;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use engine::game_args::{parse_arguments, report_error};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The hidden command that makes this program the watchdog of another run of it.
const WATCHDOG_COMMAND: &str = "watchdog";
/// The exit code of a run that was interrupted: what shells give for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// Matches between engines of the leopard games.
#[derive(Debug, Parser)]
#[command(name = "arena", version, after_help = help::EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play every number of dogs against the leopards, at several strengths
    #[command(after_help = help::BALANCE)]
    Balance(Box<balance::BalanceArgs>),
    /// Play engines against each other, each on both sides of every opening
    #[command(after_help = help::MATCH)]
    Match(Box<game_match::MatchArgs>),
    /// Test whether one configuration is better than another, with no more games than that takes
    #[command(after_help = help::SPRT)]
    Sprt(Box<sprt::SprtArgs>),
    /// Put the parts of a run together that were played apart with --shard
    #[command(after_help = help::MERGE)]
    Merge(merge::MergeArgs),
    /// Tables and pictures of runs: Markdown with SVG, and one file of HTML
    #[command(after_help = help::REPORT)]
    Report(report::ReportArgs),
    /// Check whether a program is an engine as the protocol has it, point by point
    #[command(after_help = help::CHECK)]
    Check(Box<check::CheckArgs>),
    /// Print the completions for a shell, to be kept where it looks for them
    Completions(manual::CompletionsArgs),
    /// Print the manual page: arena man > arena.1
    Man,
    #[command(name = WATCHDOG_COMMAND, hide = true)]
    Watchdog,
}

/// Runs the command line with these arguments, the program's name first, and gives the exit code: 0 for a
/// run that was played, 1 for one that could not be, 2 for arguments that make no sense, 130 for one that
/// was interrupted.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli: Cli = match parse_arguments(arguments) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let result = match cli.command {
        Command::Balance(args) => args.run(),
        Command::Match(args) => args.run(),
        Command::Sprt(args) => args.run(),
        Command::Merge(args) => args.run(),
        Command::Report(args) => args.run(),
        Command::Check(args) => args.run(),
        Command::Completions(args) => args.run(),
        Command::Man => manual::print_manual(),
        Command::Watchdog => {
            crate::process::watch(std::io::stdin().lock());
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| report_error(&error))
}

/// A path that means the same in every directory, as an engine may be anywhere.
fn absolute(path: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
    let absolute =
        |path: &Path| path.canonicalize().with_context(|| format!("cannot find {}", path.display()));
    path.map(absolute).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_of_the_help_is_a_command() {
        let examples =
            [help::EXAMPLES, help::BALANCE, help::MATCH, help::SPRT, help::MERGE, help::REPORT, help::CHECK]
                .join("\n");
        // What a shell or a scheduler fills in is none to be read here.
        let is_whole = |command: &&str| !command.ends_with('\\') && !command.contains("auto");
        let lines = examples.lines().filter_map(|line| line.strip_prefix("    arena "));
        let commands: Vec<&str> = lines.filter(is_whole).collect();
        assert!(commands.len() >= 8, "{commands:?}");
        for command in commands {
            let arguments = ["arena"].into_iter().chain(command.split_whitespace());
            let cli = Cli::try_parse_from(arguments).unwrap_or_else(|error| panic!("{command}: {error}"));
            let checked = match cli.command {
                Command::Balance(args) => args.plan().map(drop),
                Command::Match(args) if !command.contains("--engines") => args.plan().map(drop),
                Command::Sprt(args) => args.plan().map(drop),
                _ => Ok(()),
            };
            checked.unwrap_or_else(|error| panic!("{command}: {error:#}"));
        }
    }
}
