//! `engine boards` and `engine variants`: what can be played.

use crate::game::{Board, VariantSpec, boards, variants};
use crate::game_args::read_board_file;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct BoardsArgs {
    /// Boards to show [default: all]
    #[arg(value_name = "BOARD")]
    names: Vec<String>,
    /// Check and show the boards of a TOML file of your own
    #[arg(long, value_name = "FILE")]
    board_file: Option<PathBuf>,
    /// Write one board as an SVG picture instead
    #[arg(long)]
    svg: bool,
}

pub(super) fn run_boards(args: &BoardsArgs) -> anyhow::Result<()> {
    let own = args.board_file.as_deref().map(read_board_file).transpose()?;
    let known: &[Arc<Board>] = own.as_deref().unwrap_or_else(|| boards());
    for name in &args.names {
        let is_known = known.iter().any(|board| board.name() == name);
        let names: Vec<&str> = known.iter().map(|board| board.name()).collect();
        anyhow::ensure!(is_known, "unknown board \"{name}\": expected one of {}", names.join(", "));
    }
    let is_wanted = |name: &str| args.names.is_empty() || args.names.iter().any(|wanted| wanted == name);
    let shown: Vec<&Arc<Board>> = known.iter().filter(|board| is_wanted(board.name())).collect();
    let mut out = std::io::stdout().lock();
    if args.svg {
        let [board] = shown[..] else { anyhow::bail!("--svg: expected the name of one board") };
        out.write_all(board.svg(board.default_start(3)).as_bytes())?;
        return Ok(());
    }
    for (number, board) in shown.into_iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let symmetry = if board.is_symmetric() { "mirror symmetric" } else { "not symmetric" };
        let (points, edges, jumps) = (board.point_count(), board.edge_count(), board.jump_count());
        writeln!(out, "{}: {points} points, {edges} edges, {jumps} jump lines, {symmetry}", board.name())?;
        writeln!(out, "{}", board.drawing(|_| 'o').trim_end_matches('\n'))?;
    }
    Ok(())
}

pub(super) fn run_variants() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    let header = ("variant", "board", "leopards", "dogs", "captures", "first");
    writeln!(
        out,
        "{:<12} {:<7} {:<13} {:>4}  {:>8}  {:<8}  what it is",
        header.0, header.1, header.2, header.3, header.4, header.5
    )?;
    for variant in variants() {
        let spec = VariantSpec { variant: Some(variant.name.clone()), ..VariantSpec::default() };
        let rules = spec.rules()?;
        let leopards = if variant.placed.is_empty() {
            format!("{} entered", variant.leopards)
        } else {
            variant.placed.join(" ")
        };
        let aliases = if variant.aliases.is_empty() {
            String::new()
        } else {
            format!("; also {}", variant.aliases.join(", "))
        };
        let first = rules.config().first;
        writeln!(
            out,
            "{:<12} {:<7} {leopards:<13} {:>4}  {:>8}  {:<8}  {}{aliases}",
            variant.name,
            variant.board,
            variant.dogs,
            rules.captures_to_win(),
            first.to_string(),
            variant.about
        )?;
    }
    Ok(())
}
