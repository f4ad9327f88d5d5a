//! The conformance suite, and what shells, manuals and programs are told.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{mock_program, run, run_well, text};

#[test]
fn the_built_in_engine_speaks_the_protocol() {
    let home = tempfile::tempdir().unwrap();
    let out = run_well(home.path(), &["check", "--variant", "hat"]);
    assert!(out.contains("koti speaks the protocol") && !out.contains("missing"), "{out}");
}

#[test]
fn each_fault_of_an_engine_is_named() {
    let home = tempfile::tempdir().unwrap();
    for (fault, expected) in [
        ("silent-at-start", "FAILED   starts and answers ugi with ugiok: no ugiok within 2 s"),
        ("exit-at-start", "exit status: 4"),
        ("never-ready", "FAILED   goes on: no readyok within 2 s"),
        ("illegal", "FAILED   moves within nodes: after go nodes 100:"),
        ("exit", "exit status: 3"),
        ("no-queries", "missing  answers query gameover and query result"),
        ("refuse-dogs", "FAILED   takes its options and answers isready with readyok: info string error"),
    ] {
        let engine = format!("cmd={},args=--do {fault}", mock_program().display());
        let output = run(home.path(), ["check", &engine, "--variant", "hat", "--timeout", "2"]);
        let out = text(&output.stdout);
        assert!(out.contains(expected), "{fault}: {out}");
        assert!(!output.status.success(), "{out}");
    }
    let output = run(home.path(), ["check", "/no/such"]);
    assert!(text(&output.stdout).contains("No such file"), "{}", text(&output.stdout));
    let output = run(home.path(), ["check", "speed=3"]);
    assert!(text(&output.stderr).contains("unknown key \"speed\""), "{}", text(&output.stderr));
}

#[test]
fn shells_and_manuals_are_served() {
    let home = tempfile::tempdir().unwrap();
    assert!(run_well(home.path(), &["completions", "bash"]).contains("--opening-file"));
    assert!(run_well(home.path(), &["completions", "zsh"]).contains("#compdef arena"));
    let manual = run_well(home.path(), &["man"]);
    assert!(manual.contains(".TH arena 1") && manual.contains("\\-\\-opening\\-file"), "{manual}");
    assert!(!manual.contains("watchdog"));
}

#[test]
fn events_are_one_object_a_line() {
    let home = tempfile::tempdir().unwrap();
    let mut arguments = vec!["balance", "--variant", "hat", "--dogs", "6..7", "--depth", "1", "--games", "2"];
    arguments.extend(["--events", "jsonl", "--out", "run"]);
    let out = run_well(home.path(), &arguments);
    let events: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["begin", "game", "game", "game", "game", "end"]);
    assert_eq!(events[0]["games"], 4);
    assert!(events[1..5].iter().zip(1..).all(|(event, number)| event["game"] == number));
    assert_eq!(events[5]["result"]["complete"], true);
    assert_eq!(events[5]["result"]["cells"].as_array().unwrap().len(), 2);
}
