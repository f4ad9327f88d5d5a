//! Engines that do what they should not: each costs its own game, for the right reason, and nothing else.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{Row, mock, mock_program, processes_with, read_csv, run_badly, run_well};

/// How long an engine that certainly stays silent is waited for. Those that behave are given as much, which
/// is a thousand times what they need.
const SHORT: &str = "3";
/// More than anything takes.
const LONG: &str = "60";

struct Match {
    rows: Vec<Row>,
    out: String,
    /// Somewhere to leave the file that says that the fault has happened.
    _directory: tempfile::TempDir,
}

/// A match of four games in which the engine `bad` plays the Dogs first and fails once, at its second move.
fn match_with(fault: &str, more: &str, flags: &[&str]) -> Match {
    let directory = tempfile::tempdir().unwrap();
    let once = directory.path().join("once");
    let script = format!("--do {fault} --at 2 --once {}", once.display());
    let (bad, good) = (mock("bad", &script) + more, mock("good", ""));
    let mut arguments =
        vec!["match", "--variant", "hat", "--engine", &bad, "--engine", &good, "--games", "4"];
    arguments.extend(["--out", "run", "--concurrency", "1", "--openings", "2"]);
    arguments.extend(flags);
    let out = run_well(directory.path(), &arguments);
    assert!(once.exists(), "{fault} has not happened");
    Match { rows: read_csv(&directory.path().join("run/games.csv")), out, _directory: directory }
}

impl Match {
    fn reasons(&self) -> Vec<&str> {
        self.rows.iter().map(|row| row["reason"].as_str()).collect()
    }

    /// The first game is lost by the engine that failed, the others are played as if nothing had been.
    fn assert_only_the_first_is_lost(&self, reason: &str, detail: &str) {
        assert_eq!(self.rows.len(), 4);
        let first = &self.rows[0];
        assert_eq!((first["reason"].as_str(), first["winner"].as_str()), (reason, "leopards"), "{first:?}");
        assert!(first["detail"].contains(detail), "{first:?} lacks {detail}");
        let faults = ["illegal-move", "timeout", "stall", "crash"];
        for row in &self.rows[1..] {
            assert!(!faults.contains(&row["reason"].as_str()) && row["detail"].is_empty(), "{row:?}");
        }
        assert!(self.out.contains(&format!("{reason} 1")), "{}", self.out);
    }

    fn assert_nothing_happened(&self) {
        assert_eq!(self.rows.len(), 4);
        assert!(self.rows.iter().all(|row| row["detail"].is_empty()), "{:?}", self.reasons());
    }
}

fn lost_by(fault: &str, more: &str, timeout: &str, reason: &str, detail: &str) {
    match_with(fault, more, &["--timeout", timeout]).assert_only_the_first_is_lost(reason, detail);
}

/// Two cases side by side: most of their time is waiting.
fn at_once(cases: [&(dyn Fn() + Sync); 2]) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(case);
        }
    });
}

#[test]
fn an_engine_that_hangs_stalls_without_a_clock() {
    at_once([&|| lost_by("hang", ",nodes=10", SHORT, "stall", "no bestmove within 3 s"), &|| {
        lost_by("hang", ",depth=2", SHORT, "stall", "no bestmove within 3 s");
    }]);
}

#[test]
fn an_engine_that_hangs_loses_on_time_with_a_clock() {
    at_once([&|| lost_by("hang", ",movetime=2000", LONG, "timeout", "no bestmove within 2.1 s"), &|| {
        lost_by("hang", ",tc=3", LONG, "timeout", "no bestmove within ");
    }]);
}

#[test]
fn an_engine_that_only_talks_stalls() {
    lost_by("flood", "", SHORT, "stall", "no bestmove");
    lost_by("endless-line", "", SHORT, "stall", "no bestmove");
}

#[test]
fn half_a_line_is_no_answer() {
    lost_by("partial-line", "", SHORT, "stall", "no bestmove");
}

#[test]
fn an_illegal_move_loses_whatever_it_looks_like() {
    lost_by("illegal", "", LONG, "illegal-move", "a1a1");
    lost_by("no-move", "", LONG, "illegal-move", "(none)");
    lost_by("garbage-move", "", LONG, "illegal-move", "\u{fffd}");
}

#[test]
fn an_engine_that_ends_has_crashed() {
    lost_by("exit", "", LONG, "crash", "no bestmove: exit status: 3; stderr: first words | last words");
    lost_by("crash", "", LONG, "crash", "signal: 6 (SIGABRT)");
}

#[test]
fn an_engine_that_closes_its_pipes_has_crashed() {
    lost_by("close-output", "", LONG, "crash", "it closed its pipes without exiting");
    lost_by("close-pipes", "", LONG, "crash", "it closed its pipes without exiting");
}

#[test]
fn garbage_and_huge_lines_and_noise_are_passed_over() {
    for fault in ["garbage", "huge-line", "noise-on-stderr"] {
        match_with(fault, "", &["--timeout", LONG]).assert_nothing_happened();
    }
}

#[test]
fn an_answer_that_comes_too_late_is_never_taken_for_another() {
    // It answers while it is being stopped, or when it has been given up.
    let answer_after = |wait: &str| {
        let run = match_with(&format!("late --wait {wait}"), ",movetime=1500", &["--time-margin", "500"]);
        run.assert_only_the_first_is_lost("timeout", "no bestmove within 2 s");
    };
    at_once([&|| answer_after("2200"), &|| answer_after("4000")]);
}

#[test]
fn an_answer_too_many_does_not_reach_the_next_game() {
    let run = match_with("double", "", &[]);
    // It may cost its own game: the second answer stands where the next is expected.
    assert!(run.rows[1..].iter().all(|row| row["detail"].is_empty()), "{:?}", run.reasons());
}

#[test]
fn an_engine_that_never_gets_ready_stalls() {
    let run = match_with("never-ready", "", &["--timeout", SHORT]);
    // The fault comes between games, and an engine started anew gets ready: no game is lost.
    run.assert_nothing_happened();
}

#[test]
fn an_engine_that_ends_between_games_costs_none() {
    match_with("exit-between-games", "", &[]).assert_nothing_happened();
}

#[test]
fn children_that_an_engine_leaves_behind_end_with_it() {
    let mark = format!("mark-child-{}", std::process::id());
    let run = match_with(&format!("leave-child --mark {mark}"), "", &[]);
    run.assert_only_the_first_is_lost("crash", "exit status: 6");
    assert_eq!(processes_with(&mark), []);
}

#[test]
fn an_engine_that_does_not_quit_is_ended() {
    let mark = format!("mark-quit-{}", std::process::id());
    let directory = tempfile::tempdir().unwrap();
    let (a, b) = (mock("a", &format!("--do ignore-quit --mark {mark}")), mock("b", ""));
    run_well(
        directory.path(),
        &["match", "--variant", "hat", "--engine", &a, "--engine", &b, "--games", "2"],
    );
    assert_eq!(processes_with(&mark), []);
}

#[test]
fn a_run_whose_engine_can_no_longer_be_started_is_given_up() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("vanishing");
    std::fs::copy(mock_program(), &program).unwrap();
    let vanishing = format!("name=gone,cmd={},args=--do vanish --at 2", program.display());
    let mut arguments = vec!["match", "--variant", "hat", "--engine", &vanishing, "--engine", "nodes=10"];
    arguments.extend(["--games", "10", "--concurrency", "1", "--out", "run"]);
    let error = run_badly(directory.path(), &arguments);
    assert!(error.contains("engine \"gone\" could not be started 3 times in a row"), "{error}");
    let rows = read_csv(&directory.path().join("run/games.csv"));
    assert_eq!(rows.iter().map(|row| row["reason"].as_str()).collect::<Vec<_>>(), ["crash"; 4]);
}
