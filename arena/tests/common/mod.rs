//! What the tests of the arena share.
#![allow(dead_code)] // each test file uses its part
#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A row of a CSV file by column.
pub(crate) type Row = BTreeMap<String, String>;

pub(crate) fn arena() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.stdin(Stdio::null());
    command
}

/// Runs the arena in a directory and waits for it.
pub(crate) fn run(directory: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Output {
    arena().current_dir(directory).args(arguments).output().unwrap()
}

/// Runs the arena, which must succeed, and gives its standard output.
pub(crate) fn run_well(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {}\n{out}\n{err}", output.status);
    assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
    out
}

/// Runs the arena, which must fail with one line, and gives that line.
pub(crate) fn run_badly(directory: &Path, arguments: &[&str]) -> String {
    let output = run(directory, arguments);
    let err = text(&output.stderr);
    assert!(!output.status.success(), "{arguments:?} succeeded:\n{}", text(&output.stdout));
    assert!(err.starts_with("error: ") && !err.contains("panicked"), "{arguments:?}: {err}");
    err
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The mock engine, which Cargo builds together with the tests.
pub(crate) fn mock_program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_arena")).with_file_name("examples").join("mock_engine");
    assert!(program.exists(), "no {}: cargo build -p arena --example mock_engine", program.display());
    program
}

/// A description of the mock engine with these arguments.
pub(crate) fn mock(name: &str, arguments: &str) -> String {
    format!("name={name},cmd={},args={arguments}", mock_program().display())
}

pub(crate) fn read_csv(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// Numbers of the processes that live and have this word among their arguments.
pub(crate) fn processes_with(word: &str) -> Vec<u32> {
    let directories = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbers = directories.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has_word = |number: &u32| {
        let arguments = std::fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        arguments.split(|&byte| byte == 0).any(|argument| argument == word.as_bytes())
    };
    numbers.filter(has_word).collect()
}

/// How many children of a process have ended and were not waited for.
pub(crate) fn zombies_of(parent: u32) -> usize {
    let directories = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let is_zombie = |stat: &String| {
        // After the name, which is in brackets and may hold anything: state, parent.
        let rest = stat.rsplit(") ").next().unwrap_or_default();
        rest.starts_with(&format!("Z {parent} "))
    };
    directories
        .filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok())
        .filter(is_zombie)
        .count()
}

/// Waits until a condition holds, for as long as the slowest machine may take.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !holds() {
        assert!(Instant::now() < deadline, "still not: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A match that would take hours, between engines that can be found by a mark.
pub(crate) struct Endless {
    pub(crate) child: Child,
    pub(crate) mark: String,
    pub(crate) directory: tempfile::TempDir,
}

impl Endless {
    /// `script` is that of one engine; the run is waited for until `is_under_way`.
    pub(crate) fn start(
        name: &str,
        script: &str,
        flags: &[&str],
        is_under_way: impl Fn(&Path, &str) -> bool,
    ) -> Self {
        let mark = format!("mark-{name}-{}", std::process::id());
        let directory = tempfile::tempdir().unwrap();
        let engine = |name, script: &str| mock(name, &format!("{script} --mark {mark}"));
        let mut command = arena();
        command.current_dir(directory.path()).args(["match", "--variant", "hat", "--games", "1000000"]);
        command.args(["--engine", &engine("a", script), "--engine", &engine("b", "--do ignore-quit")]);
        command.args(["--out", "run", "--timeout", "600"]).args(flags);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the run is under way", || is_under_way(&directory.path().join("run/games.csv"), &mark));
        Self { child, mark, directory }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    pub(crate) fn assert_nobody_is_left(&self) {
        wait_until("all engines are gone", || processes_with(&self.mark).is_empty());
    }
}
