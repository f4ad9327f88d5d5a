//! Whether a program is an engine as the protocol has it: one question after the other, each explained.

use super::Conditions;
use crate::client::{Client, Failure, Go};
use crate::config::EngineConfig;
use crate::process::Guard;
use crate::referee::Referee;
use crate::schedule::Setting;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a point of the protocol was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As it should be.
    Passed,
    /// Not as it should be, and what was expected instead.
    Failed(String),
    /// An extension it does not have, which no game needs.
    Missing(String),
}

/// A point of the protocol, and how it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was asked.
    pub point: &'static str,
    /// How it was answered.
    pub verdict: Verdict,
}

/// How long an infinite search runs before it is stopped, and what a search by time may take.
const THINKING: Duration = Duration::from_millis(200);
/// Games that are played through.
const GAMES: u64 = 3;
/// Plies of each.
const PLIES: usize = 60;

/// The engine under test, and what has been found.
struct Suite<'a> {
    client: Client,
    setting: &'a Setting,
    patience: Duration,
    findings: Vec<Finding>,
}

/// Asks an engine all that the protocol says, about one game. An engine that does not start is found so, and
/// one that ends is not asked on.
pub fn check_engine(
    config: &EngineConfig,
    setting: &Setting,
    conditions: &Conditions,
    guard: &Arc<Guard>,
) -> Vec<Finding> {
    let launch = conditions.launch(config);
    let started = "starts and answers ugi with ugiok";
    match Client::start(&launch, guard, conditions.patience.stall) {
        Err(error) => vec![Finding { point: started, verdict: Verdict::Failed(error.to_string()) }],
        Ok(client) => {
            let patience = conditions.patience.stall;
            let mut suite = Suite { client, setting, patience, findings: Vec::new() };
            suite.found(started, Ok(()));
            if let Err(failure) = suite.all(config) {
                suite.found("goes on", Err(format!("{failure}: nothing more could be asked")));
            }
            suite.findings
        }
    }
}

impl Suite<'_> {
    fn found(&mut self, point: &'static str, result: Result<(), String>) {
        let verdict = result.map_or_else(Verdict::Failed, |()| Verdict::Passed);
        self.findings.push(Finding { point, verdict });
    }

    fn extension(&mut self, point: &'static str, result: Result<(), String>) {
        let verdict = result.map_or_else(Verdict::Missing, |()| Verdict::Passed);
        self.findings.push(Finding { point, verdict });
    }

    /// # Errors
    /// The engine has ended or no longer answers.
    fn all(&mut self, config: &EngineConfig) -> Result<(), Failure> {
        let is_named = !self.client.identity().name.is_empty();
        self.found("says who it is", if is_named { Ok(()) } else { Err("no id name".to_owned()) });
        for (name, value) in &config.options {
            self.client.set_option(name, value);
        }
        let missing: Vec<&str> = self.setting.options(None).map(|(name, _)| *name).collect();
        let missing: Vec<&str> =
            missing.into_iter().filter(|name| self.client.option(name).is_none()).collect();
        let result =
            if missing.is_empty() { Ok(()) } else { Err(format!("no option {}", missing.join(", "))) };
        self.extension("offers the options that set the game", result);
        for (name, value) in self.setting.options(None) {
            self.client.set_option(name, value);
        }
        self.client.new_game();
        let errors = self.client.ready()?;
        let result = errors.first().map_or(Ok(()), |error| Err(format!("info string error {error}")));
        self.found("takes its options and answers isready with readyok", result);
        self.limits()?;
        self.infinite()?;
        self.bad_input()?;
        self.games()
    }

    fn referee(&self) -> Referee {
        Referee::new(&self.setting.rules, usize::MAX)
    }

    /// Has it move from the start, and says what is wrong with the answer.
    fn answer(&mut self, go: &Go, allowance: Duration) -> Result<Result<(), String>, Failure> {
        let mut referee = self.referee();
        let answer = self.client.go(referee.position_command(), go, allowance)?;
        Ok(referee.play_text(&answer.bestmove).map_err(|error| format!("after {go}: {error}")))
    }

    fn limits(&mut self) -> Result<(), Failure> {
        let limits = [
            ("moves within nodes", Go::Nodes(100)),
            ("moves within a depth", Go::Depth(2)),
            ("moves within a time for the move", Go::MoveTime(THINKING)),
            ("moves by a clock", Go::Clocks { time: [Duration::from_secs(2); 2], increment: [THINKING; 2] }),
            (
                "moves by a clock that has run out",
                Go::Clocks { time: [Duration::from_millis(1); 2], increment: [Duration::ZERO; 2] },
            ),
        ];
        for (point, go) in limits {
            let result = self.answer(&go, self.patience)?;
            self.found(point, result);
        }
        Ok(())
    }

    fn infinite(&mut self) -> Result<(), Failure> {
        let position = self.referee().position_command().to_owned();
        let answer = self.client.go(&position, &Go::Infinite, THINKING);
        let point = "thinks until it is told to stop, and then moves";
        match answer {
            Ok(_) => {
                self.found(point, Err("bestmove came before stop; expected it to think on".to_owned()));
                Ok(())
            }
            Err(Failure::Silent { .. }) => {
                let start = Instant::now();
                let stopped = self.client.stop();
                let told = format!("no bestmove within {:?} of stop", start.elapsed());
                self.found(point, if stopped.is_ok() { Ok(()) } else { Err(told) });
                stopped
            }
            Err(failure) => Err(failure),
        }
    }

    /// Nothing that it does not understand may end it or change the position.
    fn bad_input(&mut self) -> Result<(), Failure> {
        let bad =
            ["", "xyzzy", "position fen nonsense", "position startpos moves z9z9", "go nodes x", "\u{fffd}"];
        for line in bad {
            self.client.send_raw(line);
        }
        // What `go nodes x` came to is stopped.
        self.client.send_raw("stop");
        self.client.ready()?;
        let result = self.answer(&Go::Nodes(10), self.patience)?;
        self.found("goes on after lines it does not understand", result);
        Ok(())
    }

    /// Whole games against itself: legal moves, and the same end as the referee's.
    fn games(&mut self) -> Result<(), Failure> {
        let (mut illegal, mut wrong, mut seen) = (None, None, 0);
        let mut answers_queries = true;
        for _ in 0..GAMES {
            self.client.new_game();
            self.client.ready()?;
            let mut referee = self.referee();
            while referee.termination().is_none() && referee.moves().len() < PLIES {
                let answer = self.client.go(referee.position_command(), &Go::Nodes(50), self.patience)?;
                if let Err(error) = referee.play_text(&answer.bestmove) {
                    illegal = Some(format!("{error} after {}", referee.position_command()));
                    break;
                }
                seen += 1;
                if !answers_queries {
                    continue;
                }
                match self
                    .client
                    .result(referee.position_command(), self.patience.min(Duration::from_secs(2)))
                {
                    Ok((is_over, _)) if is_over == referee.termination().is_some() => {}
                    Ok((is_over, _)) => {
                        wrong = Some(format!("gameover {is_over} after {}", referee.position_command()));
                    }
                    Err(Failure::Silent { .. }) => answers_queries = false,
                    Err(failure) => return Err(failure),
                }
            }
        }
        let result = illegal.map_or(Ok(()), Err);
        self.found("plays legal moves through whole games", result);
        let point = "answers query gameover and query result as the rules have it";
        if answers_queries && seen > 0 {
            self.found(point, wrong.map_or(Ok(()), Err));
        } else {
            self.extension(point, Err("no response".to_owned()));
        }
        Ok(())
    }
}
