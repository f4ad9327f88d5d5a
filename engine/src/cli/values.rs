//! `engine values`: exact values of the starts of games.

use super::solve::{Effort, SolveBar, stop_flag};
use crate::game::{DEFAULT_VARIANT, Rules, RulesConfig, Side, Start};
use crate::game_args::{GameArgs, NumberRange};
use crate::tables::{Starts, TableStore};
use anyhow::Context as _;
use clap::ArgMatches;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct ValuesArgs {
    /// Numbers of dogs, such as 8..18 or 9,12,15 [default: all that the board takes]
    #[arg(long, value_name = "RANGE", help_heading = "Game")]
    dogs: Option<NumberRange>,
    /// Directory with tables; what none of them holds is solved in memory
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    game: EitherFirst,
}

/// The flags of a game, of which `--first` may name both sides.
#[derive(Debug)]
struct EitherFirst {
    game: GameArgs,
    first: Vec<Side>,
}

/// What `--first` names.
#[derive(Clone, Debug)]
struct FirstSides(Vec<Side>);

impl std::str::FromStr for FirstSides {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "both" {
            return Ok(Self(Side::BOTH.to_vec()));
        }
        let side = text.parse().map_err(|_| format!("\"{text}\": expected dogs, leopards or both"))?;
        Ok(Self(vec![side]))
    }
}

impl clap::Args for EitherFirst {
    fn augment_args(command: clap::Command) -> clap::Command {
        GameArgs::augment_args(command).mut_arg("first", |arg| {
            arg.value_parser(clap::value_parser!(FirstSides))
                .help("Who moves first: dogs, leopards or both [default: both]")
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EitherFirst {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        <Self as clap::FromArgMatches>::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, clap::Error> {
        // Taken out first: the flags of a game know one side only.
        let first = matches.remove_one::<FirstSides>("first");
        let game = <GameArgs as clap::FromArgMatches>::from_arg_matches_mut(matches)?;
        Ok(Self { game, first: first.map_or_else(|| Side::BOTH.to_vec(), |sides| sides.0) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = <Self as clap::FromArgMatches>::from_arg_matches(matches)?;
        Ok(())
    }
}

const HEADER: &str = "variant,board,leopards,dogs,captures,first,value,plies,\
    placements_dogs_win,placements_leopards_win,placements_draw";

pub(super) fn run(args: &ValuesArgs) -> anyhow::Result<()> {
    let games = games(args)?;
    let store = match &args.tables {
        Some(dir) => TableStore::open(std::slice::from_ref(dir))?,
        None => TableStore::default(),
    };
    let mut out = std::io::stdout().lock();
    writeln!(out, "{HEADER}")?;
    // Games with the same least number of dogs share a table; a number of captures makes it grow with the dogs.
    let mut rest = games.as_slice();
    while let Some(rules) = rest.first() {
        let count = rest.iter().take_while(|other| table_of(other) == table_of(rules)).count();
        let (group, after) = rest.split_at(count);
        rest = after;
        let starts = starts(args, &store, group)?;
        for rules in group {
            write_row(&mut out, args, rules, &starts)?;
        }
    }
    Ok(())
}

/// The least number of dogs that the table must be for; games over before they begin go with any.
fn table_of(rules: &Rules) -> u8 {
    if rules.captures_to_win() == 0 { rules.least_dogs_to_trap() } else { rules.least_dogs() }
}

/// The games asked for: each number of dogs with each first side.
fn games(args: &ValuesArgs) -> anyhow::Result<Vec<Rules>> {
    let rules = args.game.game.rules(None)?;
    let most = rules.board().point_count() as u64 - u64::from(rules.leopards());
    let dogs = args.dogs.as_ref().map_or_else(|| (1..=most).collect(), |range| range.0.clone());
    let mut games = Vec::new();
    for dogs in dogs {
        let dogs = u8::try_from(dogs).ok().with_context(|| format!("{dogs} dogs: expected 1 to {most}"))?;
        for &first in &args.game.first {
            let rules = args.game.game.rules(Some(dogs))?;
            let config = RulesConfig { first, ..*rules.config() };
            games.push(Rules::new(Arc::clone(rules.shared_board()), config)?);
        }
    }
    Ok(games)
}

/// The values of a group of games with one table.
fn starts(args: &ValuesArgs, store: &TableStore, group: &[Rules]) -> anyhow::Result<Starts> {
    if let Some(table) = group.iter().find_map(|rules| store.find(rules)) {
        return Ok(Starts::from_table(table));
    }
    let Some(rules) = group.last() else { anyhow::bail!("no game") };
    let bar = SolveBar::new(rules);
    let stop = stop_flag()?;
    let starts = Starts::solve(group, &args.effort.options(1), &|step| bar.step(step), &stop);
    bar.finish();
    starts.with_context(|| format!("cannot solve {}", rules.board().name()))
}

fn write_row(
    out: &mut impl std::io::Write,
    args: &ValuesArgs,
    rules: &Rules,
    starts: &Starts,
) -> anyhow::Result<()> {
    let board = rules.board();
    let leopards = match rules.config().start {
        Start::Placed(points) => board.set_names(points),
        Start::Entered => rules.leopards().to_string(),
    };
    let value = starts.value(rules)?;
    let [dogs_win, leopards_win, draw] = starts.placements(rules)?;
    writeln!(
        out,
        "{},{},{leopards},{},{},{},{},{},{dogs_win},{leopards_win},{draw}",
        args.game.game.variant.as_deref().unwrap_or(DEFAULT_VARIANT),
        board.name(),
        rules.dogs(),
        rules.captures_to_win(),
        rules.config().first,
        value.winner().map_or_else(|| "draw".to_owned(), |winner| winner.to_string()),
        value.plies().map_or_else(String::new, |plies| plies.to_string()),
    )?;
    out.flush()?;
    Ok(())
}
