//! The protocol, typed: what an engine is asked and what it answers, each with a deadline.

mod go;
mod reply;

pub use go::Go;
pub use reply::{EngineOption, MATE, Reply};

use crate::process::{ChildProcess, Fault, Guard, Launch};
use engine::game::Value;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a program may take to say that it is an engine.
const START_PATIENCE: Duration = Duration::from_secs(10);
/// How long an engine may take to stop thinking, or to quit, before it is killed.
const STOP_PATIENCE: Duration = Duration::from_millis(500);

/// A running engine.
pub struct Client {
    process: ChildProcess,
    identity: Identity,
    /// Commands not written yet: they go out together with the next one that is answered.
    unsent: String,
    /// How long it may take to be ready.
    patience: Duration,
}

/// What an engine says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its name and version; empty if it gives none.
    pub name: String,
    /// The options it offers.
    pub options: Vec<EngineOption>,
}

/// The answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move as the engine wrote it; empty if it wrote none.
    pub bestmove: String,
    /// When it was asked.
    pub asked: Instant,
    /// From the request to the answer.
    pub elapsed: Duration,
    /// What the engine itself says it took, in whole milliseconds, if it said so.
    pub reported: Option<Duration>,
    /// Nodes searched, if it said so.
    pub nodes: Option<u64>,
    /// Its last score, if it gave one: see [`Reply::Info`].
    pub score: Option<i64>,
    /// The last error it reported on the way, if any.
    pub error: Option<String>,
}

/// Why an engine gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It did not answer in time.
    #[error("no {waiting_for} within {}", seconds(*patience))]
    Silent {
        /// The answer that was due.
        waiting_for: &'static str,
        /// How long was waited.
        patience: Duration,
    },
    /// It has ended or closed its pipes.
    #[error("no {waiting_for}: {how}")]
    Gone {
        /// The answer that was due.
        waiting_for: &'static str,
        /// How it ended, and what it last wrote to standard error.
        how: String,
    },
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such program, or it may not be run.
    #[error("{0}")]
    Spawn(#[from] io::Error),
    /// It runs and does not speak the protocol.
    #[error("{0}")]
    Protocol(#[from] Failure),
}

fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}

impl Client {
    /// Starts an engine and waits until it has introduced itself. `patience` is how long it may take, now
    /// and later, to be ready.
    ///
    /// # Errors
    /// The program cannot be started, or does not answer `ugi` with `ugiok`.
    pub fn start(launch: &Launch, guard: &Arc<Guard>, patience: Duration) -> Result<Self, StartError> {
        let process = ChildProcess::start(launch, guard)?;
        let mut client = Self { process, identity: Identity::default(), unsent: String::new(), patience };
        client.introduce(patience.min(START_PATIENCE))?;
        Ok(client)
    }

    fn introduce(&mut self, patience: Duration) -> Result<(), Failure> {
        let mut identity = Identity::default();
        self.request("ugi", "ugiok", patience, |reply, _| {
            match reply {
                Reply::Name(name) => name.clone_into(&mut identity.name),
                Reply::Option(option) => identity.options.push(option),
                Reply::UgiOk => return Some(()),
                _ => {}
            }
            None
        })?;
        self.identity = identity;
        Ok(())
    }

    /// What the engine said of itself.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The option of this name, whatever its case, if the engine offers it.
    pub fn option(&self, name: &str) -> Option<&EngineOption> {
        self.identity.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option; it goes out with the next request.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.unsent, "setoption name {name} value {value}"); // to a String: cannot fail
    }

    /// Sends a line that may be no command; it goes out with the next request.
    pub fn send_raw(&mut self, line: &str) {
        self.unsent.push_str(line);
        self.unsent.push('\n');
    }

    /// Tells it that a new game begins; it goes out with the next request.
    pub fn new_game(&mut self) {
        self.unsent.push_str("uginewgame\n");
    }

    /// Waits until the engine has done all it was told, and gives the errors it reported on the way.
    ///
    /// Whatever it wrote before is dropped: no answer of an earlier request is taken for that of a later.
    ///
    /// # Errors
    /// It did not get ready in time, or has ended.
    pub fn ready(&mut self) -> Result<Vec<String>, Failure> {
        self.ready_within(self.patience)
    }

    fn ready_within(&mut self, patience: Duration) -> Result<Vec<String>, Failure> {
        self.process.discard_lines();
        let mut errors = Vec::new();
        self.request("isready", "readyok", patience, |reply, _| match reply {
            Reply::Error(error) => {
                errors.push(error.to_owned());
                None
            }
            Reply::ReadyOk => Some(()),
            _ => None,
        })?;
        Ok(errors)
    }

    /// Has the engine think about the position that the command `position` sets, at most for `allowance`.
    ///
    /// # Errors
    /// It did not answer in time, or has ended.
    pub fn go(&mut self, position: &str, go: &Go, allowance: Duration) -> Result<Answer, Failure> {
        self.process.discard_lines();
        self.unsent.push_str(position);
        self.unsent.push('\n');
        let (mut last_nodes, mut last_score, mut last_time, mut error) = (None, None, None, None);
        let asked = Instant::now();
        let (bestmove, elapsed) =
            self.request(&go.to_string(), "bestmove", allowance, |reply, elapsed| match reply {
                Reply::Info { nodes, time, score } => {
                    last_nodes = nodes.or(last_nodes);
                    last_time = time.or(last_time);
                    last_score = score.or(last_score);
                    None
                }
                Reply::Error(text) => {
                    error = Some(text.to_owned());
                    None
                }
                Reply::BestMove(text) => Some((text.to_owned(), elapsed)),
                _ => None,
            })?;
        let reported = last_time.map(Duration::from_millis);
        Ok(Answer { bestmove, asked, elapsed, reported, nodes: last_nodes, score: last_score, error })
    }

    /// The exact value of the position that the command `position` sets; `None` where the engine knows none.
    ///
    /// # Errors
    /// It did not answer in time, or has ended.
    pub fn exact_value(&mut self, position: &str) -> Result<Option<Value>, Failure> {
        self.unsent.push_str(position);
        self.unsent.push('\n');
        Ok(reply::parse_value(&self.query("query value", self.patience)?))
    }

    /// Whether the engine holds the game for over in the position that the command `position` sets, and for
    /// whom it is won, in the words of the protocol: `p1win`, `p2win`, `draw` or `none`.
    ///
    /// # Errors
    /// It did not answer in time, or has ended.
    pub fn result(&mut self, position: &str, patience: Duration) -> Result<(bool, String), Failure> {
        self.process.discard_lines();
        self.unsent.push_str(position);
        self.unsent.push('\n');
        let is_over = self.query("query gameover", patience)? == "true";
        Ok((is_over, self.query("query result", patience)?))
    }

    fn query(&mut self, query: &str, patience: Duration) -> Result<String, Failure> {
        self.request(query, "response", patience, |reply, _| match reply {
            Reply::Response(text) => Some(text.to_owned()),
            _ => None,
        })
    }

    /// After an answer that was due and did not come: has the engine stop, and waits until it has.
    ///
    /// # Errors
    /// It does not obey: all that is left is to end it.
    pub fn stop(&mut self) -> Result<(), Failure> {
        self.request("stop", "bestmove", STOP_PATIENCE, |reply, _| {
            matches!(reply, Reply::BestMove(_)).then_some(())
        })?;
        self.ready_within(STOP_PATIENCE).map(|_| ())
    }

    /// Asks the engine to quit, and ends it if it does not.
    pub fn quit(mut self) {
        let deadline = Instant::now() + STOP_PATIENCE;
        if self.process.write("quit\n", deadline).is_ok() {
            self.process.wait(deadline);
        }
    }

    /// Sends what is unsent and a command, and waits for the reply that `take` takes; it is given each reply
    /// and the time since the command.
    fn request<T>(
        &mut self,
        command: &str,
        waiting_for: &'static str,
        patience: Duration,
        mut take: impl FnMut(Reply<'_>, Duration) -> Option<T>,
    ) -> Result<T, Failure> {
        let mut text = std::mem::take(&mut self.unsent);
        text.push_str(command);
        text.push('\n');
        let start = Instant::now();
        let deadline = start + patience;
        let mut exchange = || {
            self.process.write(&text, deadline)?;
            loop {
                let line = self.process.line(deadline)?;
                if let Some(taken) = take(Reply::parse(&line.text), line.at.saturating_duration_since(start))
                {
                    return Ok(taken);
                }
            }
        };
        exchange().map_err(|fault| match fault {
            Fault::Deadline => Failure::Silent { waiting_for, patience },
            Fault::Gone => Failure::Gone { waiting_for, how: self.process.end() },
        })
    }
}
