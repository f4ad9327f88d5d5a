//! Plays a plan: from the check of the engines to the last row of the games file.

use super::run_args::{OutputArgs, RunArgs};
use super::{INTERRUPTED, WATCHDOG_COMMAND};
use crate::output::{
    Ending, Format, GamesFile, GamesFormat, OutputDirectory, Progress, Report, print, write_heading,
};
use crate::process::Guard;
use crate::runner::{self, Conditions, Event, InOrder, exact_values, preflight, table_engine};
use crate::schedule::Plan;
use crate::stats::Tallies;
use anyhow::Context as _;
use engine::game::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// What an error of standard output is about.
const STANDARD_OUTPUT: &str = "cannot write standard output";

/// What is to be executed, and how it is spoken of.
pub(super) struct Execution<'a> {
    pub(super) plan: &'a Plan,
    pub(super) run: &'a RunArgs,
    pub(super) output: &'a OutputArgs,
    /// The directory where none is named.
    pub(super) default_directory: &'a str,
    /// Directory of tables to look up the exact values of the starts in.
    pub(super) tables: Option<&'a Path>,
    /// `40 in each cell`.
    pub(super) games_of_each: String,
    /// What is shown of the games so far while others are played.
    pub(super) live: &'a dyn Fn(&Tallies) -> String,
    /// Whether the games so far, pairs complete, are enough: no other is played then.
    pub(super) is_decided: &'a dyn Fn(&Tallies) -> bool,
}

/// A run that has ended.
pub(super) struct Executed {
    pub(super) tallies: Tallies,
    pub(super) directory: PathBuf,
    /// The exact values of the starts, by index of the settings, as far as they are known.
    pub(super) exact: Vec<Option<Value>>,
    pub(super) ending: Ending,
}

impl Execution<'_> {
    /// Plays the plan, or what is left of it; `None` if it was stopped before the first game.
    pub(super) fn execute(&self) -> anyhow::Result<Option<Executed>> {
        let games = self.run.shard.games(&self.plan.order);
        let mut tallies = Tallies::default();
        // Looked at before any engine is started, and changed only once all of it is found to be of this run.
        let begun = match self.output.existing()? {
            Some(directory) => Some(self.open(directory, &games, &mut tallies)?),
            None => None,
        };
        let done = tallies.dogs().games();
        let mut decided = done > 0 && (self.is_decided)(&tallies);
        let left = if decided { &[] } else { &games[done as usize..] };
        let guard = guard()?;
        let conditions = Conditions {
            workers: self.run.workers(),
            patience: self.run.patience(),
            own_program: own_program()?,
            tables: self.plan.adjudication.tables.as_deref().map(table_engine),
            processors: self.run.processors()?,
        };
        let mut notes = match left {
            [] => Vec::new(),
            _ => match preflight(self.plan, &conditions, &guard) {
                _ if guard.is_stopped() => return Ok(None),
                result => result?,
            },
        };
        if let (Some(directory), false) = (&self.plan.adjudication.tables, left.is_empty()) {
            let values = exact_values(&self.plan.settings, directory, &conditions, &guard)?;
            if values.iter().all(Option::is_none) {
                notes
                    .push(format!("no table in {} serves these games: none ends by it", directory.display()));
            }
        }
        let exact = match self.tables {
            Some(tables) => exact_values(&self.plan.settings, tables, &conditions, &guard)?,
            None => vec![None; self.plan.settings.len()],
        };
        let (directory, mut file) = if let Some(begun) = begun {
            begun
        } else {
            let directory = self.output.claim(Path::new(self.default_directory))?;
            self.open(directory, &games, &mut tallies)?
        };
        let events = self.output.events();
        events.begin(self.plan, games.len() as u64, done).context(STANDARD_OUTPUT)?;
        self.announce(games.len(), done, &notes).context(STANDARD_OUTPUT)?;
        let mut progress = Progress::new(games.len() as u64, done, self.output.quiet);
        let mut in_order = InOrder::new(left);
        let result = runner::run(self.plan, left, &conditions, &guard, |event| -> anyhow::Result<()> {
            match event {
                Event::Note(note) => {
                    events.note(&note).context(STANDARD_OUTPUT)?;
                    progress.note(&format!("warning: {note}"));
                }
                Event::Finished(record) => {
                    progress.game();
                    for record in in_order.push(*record) {
                        // Games that were being played when it was decided are none of the run.
                        if decided {
                            continue;
                        }
                        file.append(self.plan, &record)?;
                        events.game(self.plan, &record).context(STANDARD_OUTPUT)?;
                        tallies.add(&record);
                        decided = (self.is_decided)(&tallies);
                        if decided {
                            guard.stop();
                        }
                    }
                    progress.show(|| (self.live)(&tallies));
                }
            }
            Ok(())
        });
        progress.finish();
        result?;
        let games = games.len() as u64;
        let is_complete = decided || tallies.dogs().games() >= games;
        let ending = if is_complete { Ending::Complete } else { Ending::Interrupted { games } };
        Ok(Some(Executed { tallies, directory, exact, ending }))
    }

    /// The games file of a directory, with the games in it counted.
    fn open(
        &self,
        directory: OutputDirectory,
        games: &[u64],
        tallies: &mut Tallies,
    ) -> anyhow::Result<(PathBuf, GamesFile)> {
        let path = directory.path().to_owned();
        let format = GamesFormat::new(self.plan, !self.output.no_times);
        let file = GamesFile::open(directory, self.plan, games, format, |game| tallies.add(game))?;
        Ok((path, file))
    }

    fn announce(&self, games: usize, done: u64, notes: &[String]) -> std::io::Result<()> {
        if !self.output.quiet && self.output.format() == Format::Tables {
            let mut out = std::io::stdout().lock();
            write_heading(&mut out, self.plan, &self.games_of_each)?;
            if !self.run.shard.is_whole() {
                writeln!(out, "Part {} of them: {games} games", self.run.shard)?;
            }
            if done > 0 {
                writeln!(out, "{done} games are played already, {} are left", games as u64 - done)?;
            }
        }
        for note in notes.iter().chain(&self.plan.warnings()) {
            writeln!(std::io::stderr(), "warning: {note}")?;
        }
        Ok(())
    }
}

/// Who ends the engines when the run ends, Ctrl-C included.
pub(super) fn guard() -> anyhow::Result<Arc<Guard>> {
    let guard = Guard::with_watchdog(&own_program()?, WATCHDOG_COMMAND);
    let guard = Arc::new(guard.context("cannot start the watchdog, this program itself")?);
    let on_signal = Arc::clone(&guard);
    ctrlc::set_handler(move || on_signal.stop()).context("cannot listen for Ctrl-C")?;
    Ok(guard)
}

pub(super) fn own_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find this program's own file")
}

impl Executed {
    /// Prints the results; after they are written, as nobody may be there to read them.
    pub(super) fn print(&self, report: &dyn Report, output: &OutputArgs) -> anyhow::Result<()> {
        print(report, &self.tallies, self.ending, output.format(), !output.no_times).context(STANDARD_OUTPUT)
    }

    /// Says where the files are, and gives the exit code.
    pub(super) fn close(&self, summary: &str, output: &OutputArgs) -> anyhow::Result<ExitCode> {
        let directory = self.directory.display();
        // What reads JSON on standard output wants nothing else there.
        let mut out: Box<dyn std::io::Write> = if output.format() == Format::Tables {
            Box::new(std::io::stdout().lock())
        } else {
            Box::new(std::io::stderr())
        };
        match self.ending {
            Ending::Complete => {
                writeln!(out, "Written: {directory}/games.csv, {directory}/{summary}")?;
                Ok(ExitCode::SUCCESS)
            }
            Ending::Interrupted { .. } => {
                writeln!(
                    out,
                    "Written so far: {directory}/games.csv, {directory}/{summary}; the same command goes on with --resume --out {directory}"
                )?;
                Ok(interrupted())
            }
        }
    }
}

/// The exit code of a run that was stopped.
pub(super) fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}
