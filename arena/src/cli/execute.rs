//! Plays a plan: from the check of the engines to the last row of the games file.

use super::run_args::{OutputArgs, RunArgs};
use super::{INTERRUPTED, WATCHDOG_COMMAND};
use crate::output::{Ending, GamesFile, OutputDirectory, Progress, write_heading};
use crate::process::Guard;
use crate::runner::{self, Conditions, Event, InOrder, exact_values, preflight};
use crate::schedule::Plan;
use crate::stats::Tallies;
use anyhow::Context as _;
use engine::game::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

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
    pub(super) games_of_each: &'a str,
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
    /// Plays the plan; `None` if it was stopped before the first game.
    pub(super) fn execute(&self) -> anyhow::Result<Option<Executed>> {
        let own_program = std::env::current_exe().context("cannot find this program's own file")?;
        let guard = Guard::with_watchdog(&own_program, WATCHDOG_COMMAND);
        let guard = Arc::new(guard.context("cannot start the watchdog, this program itself")?);
        let on_signal = Arc::clone(&guard);
        ctrlc::set_handler(move || on_signal.stop()).context("cannot listen for Ctrl-C")?;
        let conditions =
            Conditions { workers: self.run.workers(), patience: self.run.patience(), own_program };
        let notes = match preflight(self.plan, &conditions, &guard) {
            _ if guard.is_stopped() => return Ok(None),
            result => result?,
        };
        let exact = match self.tables {
            Some(tables) => exact_values(&self.plan.settings, tables, &conditions, &guard)?,
            None => vec![None; self.plan.settings.len()],
        };
        let directory = self.claim_directory()?;
        if !self.output.quiet {
            write_heading(&mut std::io::stdout().lock(), self.plan, self.games_of_each)?;
        }
        for note in notes {
            writeln!(std::io::stderr(), "warning: {note}")?;
        }
        self.play(directory, &conditions, &guard, exact).map(Some)
    }

    fn claim_directory(&self) -> anyhow::Result<OutputDirectory> {
        Ok(match &self.output.out {
            Some(path) => OutputDirectory::claim(path, self.output.force)?,
            None => OutputDirectory::claim_fresh(Path::new(self.default_directory))?,
        })
    }

    fn play(
        &self,
        directory: OutputDirectory,
        conditions: &Conditions,
        guard: &Arc<Guard>,
        exact: Vec<Option<Value>>,
    ) -> anyhow::Result<Executed> {
        let plan = self.plan;
        let path = directory.path().to_owned();
        let mut file = GamesFile::new(directory, !self.output.no_times);
        let games: Vec<u64> = (0..plan.order.len()).collect();
        let mut in_order = InOrder::new(&games);
        let mut tallies = Tallies::default();
        let progress = Progress::new(plan.order.len(), self.output.quiet);
        let result = runner::run(plan, &games, conditions, guard, |event| -> anyhow::Result<()> {
            match event {
                Event::Note(note) => progress.note(&format!("warning: {note}")),
                Event::Finished(record) => {
                    progress.game();
                    for record in in_order.push(record) {
                        file.append(plan, &record)?;
                        tallies.add(&record);
                    }
                }
            }
            Ok(())
        });
        progress.finish();
        result?;
        let ending = if guard.is_stopped() { Ending::Interrupted } else { Ending::Complete };
        Ok(Executed { tallies, directory: path, exact, ending })
    }
}

impl Executed {
    /// Whether all games were played.
    pub(super) fn is_complete(&self) -> bool {
        self.ending == Ending::Complete
    }

    /// Says where the files are, and gives the exit code.
    pub(super) fn close(&self, summary: &str) -> anyhow::Result<ExitCode> {
        let directory = self.directory.display();
        let mut out = std::io::stdout().lock();
        match self.ending {
            Ending::Complete => {
                writeln!(out, "Written: {directory}/games.csv, {directory}/{summary}")?;
                Ok(ExitCode::SUCCESS)
            }
            Ending::Interrupted => {
                writeln!(out, "Written: {directory}/games.csv")?;
                Ok(interrupted())
            }
        }
    }
}

/// The exit code of a run that was stopped.
pub(super) fn interrupted() -> ExitCode {
    ExitCode::from(INTERRUPTED)
}
