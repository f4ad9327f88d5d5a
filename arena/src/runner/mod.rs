//! Workers that play the games of a plan, each with engine processes of its own.

mod adjudicate;
mod check;
mod exact;
mod in_order;
mod play;
mod preflight;
mod seat;

pub use check::{Finding, Verdict, check_engine};
pub use exact::{ExactError, exact_values};
pub use in_order::InOrder;
pub use preflight::{PreflightError, preflight};

use crate::clock::Patience;
use crate::config::{EngineConfig, Program};
use crate::game::GameRecord;
use crate::process::{Guard, Launch};
use crate::schedule::Plan;
use crossbeam_channel::{Sender, bounded};
use play::play_game;
use seat::Seat;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How the games are played, beside what is played.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// Games at a time.
    pub workers: usize,
    /// What an engine may overstep, and how long it is waited for.
    pub patience: Patience,
    /// This program, which is the built-in engine if told so.
    pub own_program: PathBuf,
    /// The built-in engine with the tables that games are adjudicated by, where they are.
    pub tables: Option<EngineConfig>,
    /// A processor for each of the games at a time, which its engines are tied to; none where they are free.
    pub processors: Vec<usize>,
}

/// The built-in engine as one that tells exact values from the tables of a directory.
pub fn table_engine(directory: &Path) -> EngineConfig {
    let options = vec![("TablePath".to_owned(), directory.display().to_string())];
    EngineConfig { options, ..EngineConfig::default() }
}

/// What happens during a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game has ended; games end in any order: see [`InOrder`].
    Finished(Box<GameRecord>),
    /// Something a person should know.
    Note(String),
}

/// Why a run cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum RunError {
    #[error("engine \"{engine}\" could not be started {times} times in a row, the last time because {error}")]
    CannotRestart { engine: String, times: u32, error: String },
}

/// How often in a row an engine may fail to start, each time losing a game, before the run is given up.
const MAX_FAILED_STARTS: u32 = 3;

impl Conditions {
    /// What to start for an engine, on any processor.
    pub fn launch(&self, config: &EngineConfig) -> Launch {
        match &config.program {
            Program::Command(program) => {
                Launch { program: program.clone(), args: config.args.clone(), processor: None }
            }
            Program::BuiltIn => {
                let args = std::iter::once(crate::BUILT_IN_COMMAND.to_owned()).chain(config.args.clone());
                Launch { program: self.own_program.clone(), args: args.collect(), processor: None }
            }
        }
    }
}

/// Plays the games of a plan with these indices and hands each event to `take`, in the calling thread. An
/// error of `take` ends the run, and so does stopping the guard, which is no error.
///
/// # Errors
/// That of `take`, or an engine that cannot be started any more.
pub fn run<E: From<RunError>>(
    plan: &Plan,
    games: &[u64],
    conditions: &Conditions,
    guard: &Arc<Guard>,
    mut take: impl FnMut(Event) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let workers = conditions.workers.min(games.len());
    let (sender, events) = bounded(4 * workers);
    thread::scope(|scope| {
        for number in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || Worker::new(plan, conditions, guard, number).work(games, next, &sender));
        }
        drop(sender);
        let result = events.iter().try_for_each(|event| take(event?));
        if result.is_err() {
            guard.stop();
        }
        // Workers that still have something to say must not wait for a reader.
        drop(events);
        result
    })
}

/// A thread that plays one game after the other.
struct Worker<'a> {
    plan: &'a Plan,
    conditions: &'a Conditions,
    guard: &'a Guard,
    /// By index of the engines in the plan.
    seats: Vec<Seat<'a>>,
    /// The built-in engine that tells exact values, where games are adjudicated by them.
    tables: Option<Seat<'a>>,
}

impl<'a> Worker<'a> {
    fn new(plan: &'a Plan, conditions: &'a Conditions, guard: &'a Arc<Guard>, number: usize) -> Self {
        let processor = conditions.processors.get(number).copied();
        let seat = |config| {
            let launch = Launch { processor, ..conditions.launch(config) };
            Seat::new(config, launch, Arc::clone(guard), conditions.patience)
        };
        let tables = conditions.tables.as_ref().map(seat);
        Self { plan, conditions, guard, seats: plan.engines.iter().map(seat).collect(), tables }
    }

    /// Plays games until none is left, the run is stopped, or nobody listens.
    fn work(mut self, games: &[u64], next: &AtomicUsize, events: &Sender<Result<Event, RunError>>) {
        while let Some(&index) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            let task = self.plan.order.game(index);
            let record =
                play_game(self.plan, task, &mut self.seats, self.tables.as_mut(), self.conditions.patience);
            // Its engines were killed: such a game is none.
            if self.guard.is_stopped() {
                return;
            }
            let notes: Vec<_> = self
                .seats
                .iter_mut()
                .chain(&mut self.tables)
                .flat_map(Seat::take_notes)
                .map(Event::Note)
                .collect();
            let failed = self.seats.iter().chain(&self.tables).find_map(Seat::start_trouble).map(Err);
            let all = std::iter::once(Event::Finished(Box::new(record))).chain(notes).map(Ok).chain(failed);
            if all.into_iter().any(|event| events.send(event).is_err()) {
                return;
            }
        }
        self.seats.into_iter().chain(self.tables).for_each(Seat::close);
    }
}
