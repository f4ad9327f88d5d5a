//! One child process.

use super::affinity::Tied;
use super::guard::Guard;
use super::lines::{Line, read_lines};
use super::spawn;
use super::tail::Tail;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Events that may wait to be taken; a child that writes faster is held up by its own pipe.
const BACKLOG: usize = 256;
/// After a child has exited, how long its last lines may take; after it has closed its output, how long
/// its exit may take.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// What to start.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The processor that it and all it starts are tied to, if any.
    pub processor: Option<usize>,
}

/// Why a child gave no line or took none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The deadline has passed.
    Deadline,
    /// It has exited or closed its pipes.
    Gone,
}

enum Event {
    Line(Line),
    /// Its standard output has ended.
    Closed,
    /// It has exited and can be waited for.
    Exited,
}

/// A child process; it is killed with its group and waited for when dropped.
pub struct ChildProcess {
    child: Child,
    input: Option<ChildStdin>,
    events: Receiver<Event>,
    errors: Option<Tail>,
    guard: Arc<Guard>,
    closed: bool,
    exited: bool,
    /// How it ended, once it has been waited for.
    status: Option<ExitStatus>,
}

impl ChildProcess {
    /// Starts a child under a guard.
    ///
    /// # Errors
    /// The program cannot be started, or not on its processor.
    pub fn start(launch: &Launch, guard: &Arc<Guard>) -> io::Result<Self> {
        let mut command = Command::new(&launch.program);
        command.args(&launch.args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let tied = launch.processor.map(Tied::to).transpose()?;
        let mut child = guard.spawn(&mut command)?;
        drop(tied);
        let (sender, events) = bounded(BACKLOG);
        let input = child.stdin.take();
        let (output, errors) = (child.stdout.take(), child.stderr.take());
        let pid = Pid::from_child(&child);
        // From here on the child is ended by being dropped, whatever fails.
        let mut process = Self {
            child,
            input,
            events,
            errors: None,
            guard: Arc::clone(guard),
            closed: false,
            exited: false,
            status: None,
        };
        if let Some(input) = &process.input {
            rustix::io::ioctl_fionbio(input, true)?;
        }
        if let Some(output) = output {
            let sender = sender.clone();
            spawn("engine output", move || report_lines(output, &sender))?;
        }
        process.errors = errors.map(Tail::of).transpose()?;
        spawn("engine exit", move || report_exit(pid, &sender))?;
        Ok(process)
    }

    /// The next line of standard output.
    ///
    /// # Errors
    /// None came before the deadline, or none will come.
    pub fn line(&mut self, deadline: Instant) -> Result<Line, Fault> {
        loop {
            let ending = self.closed || self.exited;
            if self.closed && self.exited {
                return Err(Fault::Gone);
            }
            let patience = if ending { deadline.min(Instant::now() + LAST_WORDS) } else { deadline };
            match self.event(patience) {
                Ok(Event::Line(line)) => return Ok(line),
                Ok(Event::Closed | Event::Exited) => {}
                Err(_) if ending => return Err(Fault::Gone),
                Err(fault) => return Err(fault),
            }
        }
    }

    /// Drops all lines that have come so far.
    pub fn discard_lines(&mut self) {
        let now = Instant::now();
        while self.event(now).is_ok() {}
    }

    fn event(&mut self, deadline: Instant) -> Result<Event, Fault> {
        match self.events.recv_deadline(deadline) {
            // A child that floods us always has a line ready: what came too late is none.
            Ok(Event::Line(line)) if line.at > deadline => Err(Fault::Deadline),
            Ok(event) => {
                self.closed |= matches!(event, Event::Closed);
                self.exited |= matches!(event, Event::Exited);
                Ok(event)
            }
            Err(RecvTimeoutError::Timeout) => Err(Fault::Deadline),
            Err(RecvTimeoutError::Disconnected) => Err(Fault::Gone),
        }
    }

    /// Writes text to standard input.
    ///
    /// # Errors
    /// The child did not take it before the deadline, or takes no more.
    pub fn write(&mut self, text: &str, deadline: Instant) -> Result<(), Fault> {
        let Some(input) = &mut self.input else { return Err(Fault::Gone) };
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match input.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => wait_for_room(input, deadline)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Err(Fault::Gone),
            }
        }
        Ok(())
    }

    /// Gives it until the deadline to exit by itself, which the end of its input tells it to as well.
    pub fn wait(&mut self, deadline: Instant) {
        self.input = None;
        while !self.exited && self.event(deadline).is_ok() {}
    }

    /// Ends it, if it does not end by itself at once, and says how it ended and what it last wrote to
    /// standard error.
    pub fn end(&mut self) -> String {
        self.wait(Instant::now() + LAST_WORDS);
        let by_itself = self.exited;
        self.kill();
        let mut text = match self.status {
            Some(status) if by_itself => status.to_string(),
            _ => "it closed its pipes without exiting".to_owned(),
        };
        let errors = self.errors.as_ref().map_or(Vec::new(), |tail| tail.lines(LAST_WORDS));
        if !errors.is_empty() {
            let _ = write!(text, "; stderr: {}", errors.join(" | ")); // to a String: cannot fail
        }
        text
    }

    fn kill(&mut self) {
        if self.status.is_none() {
            self.status = self.guard.end(&mut self.child).ok();
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

fn report_lines(output: impl io::Read, events: &Sender<Event>) {
    read_lines(output, |line| events.send(Event::Line(line)).is_ok());
    let _ = events.send(Event::Closed); // nobody waits any more: no matter
}

/// Waits for the exit and leaves the child to be waited for by its owner.
fn report_exit(pid: Pid, events: &Sender<Event>) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(pid), options), Err(rustix::io::Errno::INTR)) {}
    let _ = events.send(Event::Exited);
}

fn wait_for_room(input: &ChildStdin, deadline: Instant) -> Result<(), Fault> {
    let left = deadline.saturating_duration_since(Instant::now());
    let timeout = Timespec::try_from(left).map_err(|_| Fault::Deadline)?;
    match poll(&mut [PollFd::new(input, PollFlags::OUT)], Some(&timeout)) {
        Ok(0) => Err(Fault::Deadline),
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(_) => Err(Fault::Gone),
    }
}
