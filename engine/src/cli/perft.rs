//! `engine perft`: counts of move sequences.

use crate::game::perft;
use crate::game_args::{GameArgs, parse_dogs};
use anyhow::Context as _;
use std::io::Write as _;

#[derive(Debug, clap::Args)]
pub(super) struct PerftArgs {
    /// Number of dogs
    #[arg(long, value_name = "N", value_parser = parse_dogs, help_heading = "Game")]
    dogs: Option<u8>,
    /// Deepest count, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Position to count from [default: the start of the game]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    #[command(flatten)]
    game: GameArgs,
}

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let rules = args.game.rules(args.dogs)?;
    let (rules, position) = if let Some(text) = &args.position {
        rules.parse_position(text).with_context(|| format!("position \"{text}\""))?
    } else {
        let start = rules.start();
        (rules, start)
    };
    let mut out = std::io::stdout().lock();
    for depth in 1..=args.depth {
        writeln!(out, "{depth} {}", perft(&rules, &position, depth))?;
    }
    Ok(())
}
