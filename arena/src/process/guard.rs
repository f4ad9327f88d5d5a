//! Who makes sure that no child outlives the run.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The register of all process groups that live, shared by everything that starts a child.
///
/// [`stop`](Self::stop) kills them all and lets no new one start. With a watchdog, a small process that is
/// told of every group, they are killed as well when this program ends in any other way, `kill -9` included:
/// the watchdog sees the end of its input.
#[derive(Default)]
pub struct Guard(Mutex<Register>);

#[derive(Default)]
struct Register {
    stopped: bool,
    groups: BTreeSet<i32>,
    watchdog: Option<Watchdog>,
}

struct Watchdog {
    process: Child,
    input: Option<ChildStdin>,
}

impl Guard {
    /// A guard with a watchdog: `program` run with `command`, which must call [`watch`].
    ///
    /// # Errors
    /// The watchdog cannot be started.
    pub fn with_watchdog(program: &Path, command: &str) -> io::Result<Self> {
        // In a group of its own, so that what ends this program's group spares the watchdog.
        let mut process = Command::new(program)
            .arg(command)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let input = process.stdin.take();
        let watchdog = Some(Watchdog { process, input });
        Ok(Self(Mutex::new(Register { watchdog, ..Register::default() })))
    }

    /// Kills every group and lets no new one start.
    pub fn stop(&self) {
        let mut register = self.register();
        register.stopped = true;
        for &group in &register.groups {
            kill_group(group);
        }
    }

    /// Whether the run has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.register().stopped
    }

    /// Starts a child that leads a process group of its own, and registers it; not once stopped.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<Child> {
        // Held while the child starts, so that `stop` comes before or after, never between.
        let mut register = self.register();
        if register.stopped {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "the run is stopped"));
        }
        let child = command.process_group(0).spawn()?;
        let group = Pid::from_child(&child).as_raw_nonzero().get();
        register.groups.insert(group);
        register.tell('+', group);
        Ok(child)
    }

    /// Kills a child's group, waits for the child, and forgets it.
    pub(super) fn end(&self, child: &mut Child) -> io::Result<std::process::ExitStatus> {
        let group = Pid::from_child(child).as_raw_nonzero().get();
        // Before the child is waited for: until then nobody else can be given its number.
        kill_group(group);
        let mut register = self.register();
        if register.groups.remove(&group) {
            register.tell('-', group);
        }
        drop(register);
        child.wait()
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Register {
    fn tell(&mut self, sign: char, group: i32) {
        if let Some(input) = self.watchdog.as_mut().and_then(|watchdog| watchdog.input.as_mut()) {
            // Without the watchdog a run is less safe, and no less right.
            let _ = input.write_all(format!("{sign}{group}\n").as_bytes());
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.input.take()); // the end of its input, and so its own
        let _ = self.process.wait();
    }
}

/// What the watchdog process does: reads which groups start (`+123`) and end (`-123`), and kills those left
/// at the end of its input.
pub fn watch(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    for line in input.lines().map_while(Result::ok) {
        match (line.get(..1), line.get(1..).and_then(|number| number.parse().ok())) {
            (Some("+"), Some(group)) => groups.insert(group),
            (Some("-"), Some(group)) => groups.remove(&group),
            _ => continue,
        };
    }
    groups.into_iter().for_each(kill_group);
}

fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        let _ = kill_process_group(group, Signal::KILL); // already gone: as wanted
    }
}
