//! The place of one engine in a worker: its process, started anew when it has to be.

use super::{MAX_FAILED_STARTS, RunError};
use crate::client::{Answer, Client, Failure, Go, StartError};
use crate::clock::Patience;
use crate::config::{EngineConfig, LEVEL_OPTION};
use crate::game::FaultKind;
use crate::process::{Guard, Launch};
use crate::schedule::Setting;
use engine::game::{Reason, Side, Value};
use std::sync::Arc;
use std::time::Duration;

/// An engine's process and what it has been told.
pub(super) struct Seat<'a> {
    config: &'a EngineConfig,
    launch: Launch,
    guard: Arc<Guard>,
    patience: Patience,
    client: Option<Client>,
    /// The game it has been told.
    told: Option<&'a Setting>,
    /// Starts that failed, one after the other, and why the last did.
    failed_starts: u32,
    start_error: String,
    notes: Vec<String>,
    /// Whether it answers when it is asked for the result of a game.
    answers_queries: bool,
}

/// How long an engine may take to tell the result of a game.
const QUERY_PATIENCE: Duration = Duration::from_secs(5);

/// How an engine failed, and what happened in words.
pub(super) type Fault = (FaultKind, String);

impl<'a> Seat<'a> {
    pub(super) fn new(
        config: &'a EngineConfig,
        launch: Launch,
        guard: Arc<Guard>,
        patience: Patience,
    ) -> Self {
        Self {
            config,
            launch,
            guard,
            patience,
            client: None,
            told: None,
            failed_starts: 0,
            start_error: String::new(),
            notes: Vec::new(),
            answers_queries: true,
        }
    }

    /// Brings the engine to the start of a game: a fresh one, or one that has forgotten the game before.
    pub(super) fn prepare(
        &mut self,
        setting: &'a Setting,
        seed: u64,
        level: Option<u8>,
    ) -> Result<(), Fault> {
        if self.client.is_some() {
            match self.begin_game(setting, seed, level) {
                Ok(()) => return Ok(()),
                // It broke after its last game was over: that costs no game.
                Err(failure) => {
                    let name = self.config.base_name();
                    self.notes
                        .push(format!("engine \"{name}\" failed between two games ({failure}): restarted"));
                    self.discard();
                }
            }
        }
        self.start().map_err(|error| (FaultKind::Crash, format!("cannot be started: {error}")))?;
        self.begin_game(setting, seed, level).map_err(|failure| {
            self.discard();
            let kind =
                if matches!(failure, Failure::Silent { .. }) { FaultKind::Stall } else { FaultKind::Crash };
            (kind, failure.to_string())
        })
    }

    fn start(&mut self) -> Result<(), StartError> {
        match Client::start(&self.launch, &self.guard, self.patience.stall) {
            Ok(mut client) => {
                for (name, value) in &self.config.options {
                    client.set_option(name, value);
                }
                (self.client, self.told, self.failed_starts) = (Some(client), None, 0);
                Ok(())
            }
            Err(error) => {
                self.failed_starts += 1;
                self.start_error = error.to_string();
                Err(error)
            }
        }
    }

    fn begin_game(&mut self, setting: &'a Setting, seed: u64, level: Option<u8>) -> Result<(), Failure> {
        let Some(client) = &mut self.client else { return Ok(()) };
        for (name, value) in setting.options(self.told) {
            client.set_option(name, value);
        }
        self.told = Some(setting);
        if let Some(level) = level {
            client.set_option(LEVEL_OPTION, &level.to_string());
        }
        if self.config.option("Seed").is_none()
            && let Some(option) = client.option("Seed")
        {
            let seed = option.fit(seed).to_string();
            client.set_option("Seed", &seed);
        }
        client.new_game();
        client.ready().map(|_| ())
    }

    /// Has the engine answer, within `allowance`. An engine that fails to is stopped or ended, so that its
    /// answer can never be taken for one to a later question.
    pub(super) fn go(&mut self, position: &str, go: &Go, allowance: Duration) -> Result<Answer, Failure> {
        let Some(client) = &mut self.client else { return Err(not_running()) };
        let answer = client.go(position, go, allowance);
        let is_usable = match &answer {
            Ok(_) => true,
            Err(Failure::Silent { .. }) => client.stop().is_ok(),
            Err(Failure::Gone { .. }) => false,
        };
        if !is_usable {
            self.discard();
        }
        answer
    }

    /// The exact value of a position, as the engine's tables have it. An engine that fails is ended.
    pub(super) fn exact_value(&mut self, position: &str) -> Option<Value> {
        let value = self.client.as_mut()?.exact_value(position);
        if value.is_err() {
            self.discard();
        }
        value.ok().flatten()
    }

    /// Asks the engine what it thinks of a game that is over by the rules, and notes what the referee does
    /// not. An engine that gives no answer is not asked again.
    pub(super) fn compare_result(&mut self, game: u64, position: &str, reason: Reason) {
        let Some(client) = self.client.as_mut().filter(|_| self.answers_queries) else { return };
        let name = self.config.base_name();
        let expected = match reason.winner() {
            Some(Side::Dogs) => "p1win",
            Some(Side::Leopards) => "p2win",
            None => "draw",
        };
        match client.result(position, self.patience.stall.min(QUERY_PATIENCE)) {
            Ok((true, result)) if result == expected => {}
            Ok((is_over, result)) => self.notes.push(format!(
                "engine \"{name}\" answers gameover {is_over} and result {result} at the end of game {game}, \
                 which is {expected} by {reason}"
            )),
            Err(failure) => {
                self.answers_queries = false;
                self.notes.push(format!("engine \"{name}\" is not asked for results: {failure}"));
                self.discard();
            }
        }
    }

    fn discard(&mut self) {
        self.client = None;
    }

    /// Keeps what a person should know.
    pub(super) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// What a person should know, since it was last asked.
    pub(super) fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Why the run should be given up, if this engine can no longer be started.
    pub(super) fn start_trouble(&self) -> Option<RunError> {
        (self.failed_starts >= MAX_FAILED_STARTS).then(|| RunError::CannotRestart {
            engine: self.config.base_name(),
            times: self.failed_starts,
            error: self.start_error.clone(),
        })
    }

    /// Lets the engine quit.
    pub(super) fn close(self) {
        if let Some(client) = self.client {
            client.quit();
        }
    }
}

/// A seat is only asked after it has been prepared; if it is not, its engine is as good as gone.
fn not_running() -> Failure {
    Failure::Gone { waiting_for: "bestmove", how: "it is not running".to_owned() }
}
