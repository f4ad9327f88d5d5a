//! Who makes sure that no child outlives the run.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::BTreeSet;
use std::io::{self, BufRead, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The variable in the environment of every child that names the run it belongs to.
const RUN: &str = "KOTI_ARENA_RUN";
/// How often, and how far apart, the watchdog looks for children it was not told of.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// The register of all process groups that live, shared by everything that starts a child.
///
/// [`stop`](Self::stop) kills them all and lets no new one start. With a watchdog, a small process that is
/// told of every group, they are killed as well when this program ends in any other way, `kill -9` included:
/// the watchdog sees the end of its input. A child that had just started, so that the watchdog was not told of
/// it yet, is found by its environment, where the system shows it (Linux).
#[derive(Default)]
pub struct Guard {
    register: Mutex<Register>,
    /// The name of the run, for a watchdog to know its children by.
    run: Option<String>,
}

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
        let mut register = Register { watchdog: Some(Watchdog { process, input }), ..Register::default() };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("{}-{}", std::process::id(), now.as_nanos());
        register.tell(&format!("={run}"));
        Ok(Self { register: Mutex::new(register), run: Some(run) })
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
        if let Some(run) = &self.run {
            command.env(RUN, run);
        }
        let child = command.process_group(0).spawn()?;
        let group = Pid::from_child(&child).as_raw_nonzero().get();
        register.groups.insert(group);
        register.tell(&format!("+{group}"));
        Ok(child)
    }

    /// Kills a child's group, waits for the child, and forgets it.
    pub(super) fn end(&self, child: &mut Child) -> io::Result<std::process::ExitStatus> {
        let group = Pid::from_child(child).as_raw_nonzero().get();
        // Before the child is waited for: until then nobody else can be given its number.
        kill_group(group);
        let mut register = self.register();
        if register.groups.remove(&group) {
            register.tell(&format!("-{group}"));
        }
        drop(register);
        child.wait()
    }

    fn register(&self) -> MutexGuard<'_, Register> {
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Register {
    fn tell(&mut self, line: &str) {
        if let Some(input) = self.watchdog.as_mut().and_then(|watchdog| watchdog.input.as_mut()) {
            // Without the watchdog a run is less safe, and no less right.
            let _ = input.write_all(format!("{line}\n").as_bytes());
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b".\n"); // this is the end of its input, and so its own
        }
        let _ = self.process.wait();
    }
}

/// What the watchdog process does: reads the name of the run (`=name`), which groups start (`+123`) and end
/// (`-123`), and kills those left at the end of its input. If the run did not end in order (`.`), it looks for
/// children that had only just started too.
pub fn watch(input: impl BufRead) {
    let mut groups = BTreeSet::new();
    let (mut run, mut is_in_order) = (None, false);
    for line in input.lines().map_while(Result::ok) {
        let Some((sign, rest)) = line.split_at_checked(1) else { continue };
        match (sign, rest.parse()) {
            ("=", _) => run = Some(rest.to_owned()),
            (".", _) => is_in_order = true,
            ("+", Ok(group)) => drop(groups.insert(group)),
            ("-", Ok(group)) => drop(groups.remove(&group)),
            _ => {}
        }
    }
    groups.into_iter().for_each(kill_group);
    if let (Some(run), false) = (run, is_in_order) {
        for _ in 0..LOOKS {
            kill_children_of(&run);
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}

/// Kills the processes whose environment names a run, where there is `/proc` to tell.
fn kill_children_of(run: &str) {
    let mark = format!("{RUN}={run}");
    let Ok(directories) = std::fs::read_dir("/proc") else { return };
    for directory in directories.filter_map(Result::ok) {
        let number =
            directory.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        let Some(number) = number else { continue };
        let environment = std::fs::read(directory.path().join("environ")).unwrap_or_default();
        if environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes()) {
            let _ = kill_process(number, Signal::KILL); // already gone: as wanted
        }
    }
}

fn kill_group(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        let _ = kill_process_group(group, Signal::KILL); // already gone: as wanted
    }
}
