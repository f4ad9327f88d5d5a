//! Nothing outlives a run: not when it ends, not when it is interrupted, not when it is killed.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{Endless, processes_with, read_csv, text, wait_until, zombies_of};
use rustix::process::Signal;
use std::path::Path;

fn has_rows(games: &Path, _mark: &str) -> bool {
    std::fs::read_to_string(games).is_ok_and(|text| text.lines().count() > 3)
}

/// Two workers with two engines each, every one of them past its start.
fn all_run(games: &Path, mark: &str) -> bool {
    games.exists() && processes_with(mark).len() == 4
}

#[test]
fn ctrl_c_ends_the_engines_and_keeps_the_games() {
    for signal in [Signal::INT, Signal::TERM] {
        let run = Endless::start("int", "", &["--concurrency", "2"], has_rows);
        run.signal(signal);
        let (mark, directory) = (run.mark, run.directory);
        let output = run.child.wait_with_output().unwrap();
        assert!(processes_with(&mark).is_empty(), "engines are left");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("Interrupted after"), "{}", text(&output.stdout));
        let rows = read_csv(&directory.path().join("run/games.csv"));
        assert!(rows.iter().zip(1..).all(|(row, number)| row["game"] == number.to_string()));
        assert!(rows.iter().all(|row| row["reason"] != "crash"), "a game was lost by the interruption");
    }
}

#[test]
fn ctrl_c_ends_engines_that_do_not_listen() {
    let mut run = Endless::start("deaf", "--do hang", &["--concurrency", "2"], all_run);
    run.signal(Signal::INT);
    assert_eq!(run.child.wait().unwrap().code(), Some(130));
    run.assert_nobody_is_left();
}

#[test]
fn no_engine_survives_the_arena_killed() {
    for script in ["", "--do hang", "--do close-pipes"] {
        let mut run = Endless::start("kill", script, &["--concurrency", "2"], all_run);
        run.signal(Signal::KILL);
        run.child.wait().unwrap();
        run.assert_nobody_is_left();
    }
}

#[test]
fn engines_that_end_leave_no_zombies() {
    let has_lost_many = |games: &Path, _mark: &str| {
        std::fs::read_to_string(games).is_ok_and(|text| text.matches(",crash,").count() >= 12)
    };
    let mut run = Endless::start("zombie", "--do exit", &["--concurrency", "2"], has_lost_many);
    // One that has just ended is a zombie until it is waited for.
    wait_until("those that ended are waited for", || zombies_of(run.child.id()) <= 2);
    run.signal(Signal::INT);
    run.child.wait().unwrap();
    run.assert_nobody_is_left();
}

#[test]
#[cfg(target_os = "linux")]
fn a_child_that_the_watchdog_was_not_told_of_ends_with_a_run_that_was_killed() {
    use std::os::unix::process::ExitStatusExt as _;
    let run = format!("test-{}", std::process::id());
    let mut child =
        std::process::Command::new("sleep").arg("600").env("KOTI_ARENA_RUN", &run).spawn().unwrap();
    arena::process::watch(format!("={run}\n.\n").as_bytes());
    assert!(child.try_wait().unwrap().is_none(), "a run that ended in order kills nobody");
    arena::process::watch(format!("={run}-other\n").as_bytes());
    assert!(child.try_wait().unwrap().is_none(), "nor does another run");
    arena::process::watch(format!("={run}\n").as_bytes());
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}
