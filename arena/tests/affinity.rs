//! Engines with a processor of their own.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{Endless, mock, processes_with, run_badly, wait_until};
use rustix::process::Signal;
use rustix::thread::sched_getaffinity;
use std::collections::BTreeMap;

/// The processors that a process may use, as the system writes them: `0-3` or `2`.
fn allowed(process: u32) -> String {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.unwrap().trim().to_owned()
}

#[test]
fn each_game_has_a_processor_of_its_own() {
    // Two games at a time have two, where there are two.
    let processors = sched_getaffinity(None).unwrap().count().min(2) as usize;
    let workers = processors.to_string();
    let flags = ["--affinity", "--concurrency", &workers];
    let mut run = Endless::start("tied", "--do hang", &flags, |games, mark| {
        games.exists() && processes_with(mark).len() == 2 * processors
    });
    let mut engines: BTreeMap<String, usize> = BTreeMap::new();
    for process in processes_with(&run.mark) {
        *engines.entry(allowed(process)).or_default() += 1;
    }
    assert!(engines.keys().all(|list| list.parse::<usize>().is_ok()), "{engines:?}");
    assert_eq!(engines.into_values().collect::<Vec<_>>(), vec![2; processors]);
    // The arena itself stays free.
    assert_eq!(allowed(run.child.id()), allowed(std::process::id()));
    run.signal(Signal::INT);
    run.child.wait().unwrap();
    wait_until("all engines are gone", || processes_with(&run.mark).is_empty());
}

#[test]
fn more_games_than_processors_are_one_line() {
    let home = tempfile::tempdir().unwrap();
    let engines = [mock("a", ""), mock("b", "")];
    let mut arguments = vec!["match", "--affinity", "--concurrency", "1024", "--out", "run"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    // A machine with as many is not ours to test on.
    if sched_getaffinity(None).unwrap().count() < 1024 {
        let error = run_badly(home.path(), &arguments);
        assert!(error.starts_with("error: --affinity: 1024 games at a time, and "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(!home.path().join("run").exists());
    }
}
