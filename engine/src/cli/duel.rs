//! `engine duel`: the search against perfect play.

use super::truth::Truth;
use crate::accuracy::{Duel, DuelOptions, duel};
use crate::game::Side;
use crate::game_args::parse_dogs;
use crate::search::Limits;
use indicatif::ProgressBar;
use std::io::Write as _;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct DuelArgs {
    /// Number of dogs
    #[arg(long, value_name = "N", value_parser = parse_dogs, help_heading = "Game")]
    dogs: Option<u8>,
    /// The side that the search plays, without a table
    #[arg(long, value_name = "SIDE", default_value = "dogs")]
    side: Side,
    /// Nodes searched for a move
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games, each with an opening of its own
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: usize,
    /// Random plies of an opening, all of which keep the value of the start
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    opening: usize,
    /// Seed of the openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time, which changes nothing in what comes out [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    #[command(flatten)]
    truth: Truth,
}

pub(super) fn run(args: &DuelArgs) -> anyhow::Result<()> {
    let rules = Arc::new(args.truth.game.rules(args.dogs)?);
    let table = args.truth.table(&rules)?;
    let options = DuelOptions {
        side: args.side,
        games: args.games,
        plies: args.opening,
        seed: args.seed,
        workers: super::threads(args.threads),
    };
    let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
    let bar = ProgressBar::new(args.games as u64);
    let games = duel(&table, &rules, &limits, &options, &|_| bar.inc(1))?;
    bar.finish_and_clear();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "variant,board,dogs,side,nodes,game,opening,value,plies_left,kept,winner,reason,plies,moves"
    )?;
    for (number, Duel { moves, value, reason, is_kept }) in (1..).zip(&games) {
        let moves: Vec<String> = moves.iter().map(|mv| rules.board().move_text(*mv)).collect();
        writeln!(
            out,
            "{},{},{},{},{},{number},{},{},{},{is_kept},{},{reason},{},{}",
            args.truth.game.variant_name(),
            rules.board().name(),
            rules.dogs(),
            args.side,
            args.nodes,
            args.opening,
            value.winner().map_or_else(|| "draw".to_owned(), |winner| winner.to_string()),
            value.plies().map_or_else(String::new, |plies| plies.to_string()),
            reason.winner().map_or_else(|| "draw".to_owned(), |winner| winner.to_string()),
            moves.len(),
            moves.join(" ")
        )?;
    }
    out.flush()?;
    let kept = games.iter().filter(|game| game.is_kept).count();
    writeln!(std::io::stderr(), "{kept} of {} games kept the value, seed {}", games.len(), args.seed)?;
    Ok(())
}
