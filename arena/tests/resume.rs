//! Runs that are broken off, gone on with, divided, and put together: nothing is lost, nothing comes twice.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{arena, mock, read_csv, run, run_badly, run_well, text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A sweep of quick games: nodes decide, so that each is the same every time.
const SWEEP: [&str; 14] = [
    "balance",
    "--variant",
    "hat",
    "--dogs",
    "5..7",
    "--nodes",
    "20,60",
    "--games",
    "40",
    "--no-times",
    "--quiet",
    "--concurrency",
    "2",
    "--resume",
];

/// Games of the sweep.
const GAMES: usize = 3 * 2 * 40;

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn sweep(home: &Path, out: &str, flags: &[&str]) -> String {
    run_well(home, &[&SWEEP[..], &["--out", out], flags].concat())
}

fn assert_equal_files(home: &Path, one: &str, other: &str) {
    for file in ["games.csv", "balance.csv"] {
        let (one, other) = (read(home.join(one).join(file)), read(home.join(other).join(file)));
        assert!(one == other, "{file} differs: {} and {} lines", one.lines().count(), other.lines().count());
    }
}

/// Starts the sweep and kills it: after some time, or once some more of its games are in the file. False if
/// it came to its end before.
fn killed(home: &Path, out: &str, rng: &mut Xoshiro256PlusPlus) -> bool {
    let size = || std::fs::metadata(home.join(out).join("games.csv")).map_or(0, |data| data.len());
    let mut command = arena();
    command.current_dir(home).args(SWEEP).args(["--out", out]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    let after = Duration::from_micros(rng.random_range(0..100_000));
    let grown = rng.random_bool(0.7).then(|| size() + rng.random_range(0..3000));
    let is_time = || match grown {
        Some(grown) => size() > grown,
        None => start.elapsed() > after,
    };
    while !is_time() {
        if let Some(status) = child.try_wait().unwrap() {
            let output = child.wait_with_output().unwrap();
            assert!(status.success(), "{}", text(&output.stderr));
            return false;
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn a_run_killed_at_any_moment_is_gone_on_with_as_if_it_had_not_been() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "whole", &[]);
    assert_eq!(read_csv(&home.path().join("whole/games.csv")).len(), GAMES);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut kills, mut runs) = (0, 0);
    while kills < 50 {
        let out = format!("run-{runs}");
        runs += 1;
        while kills < 50 && killed(home.path(), &out, &mut rng) {
            kills += 1;
        }
        sweep(home.path(), &out, &[]);
        assert_equal_files(home.path(), "whole", &out);
    }
}

#[test]
fn a_run_that_is_complete_is_only_summed_up_again() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "one", &[]);
    let games = read(home.path().join("one/games.csv"));
    let balance = read(home.path().join("one/balance.csv"));
    std::fs::remove_file(home.path().join("one/balance.csv")).unwrap();
    sweep(home.path(), "one", &[]);
    assert!(games == read(home.path().join("one/games.csv")));
    assert!(balance == read(home.path().join("one/balance.csv")));
}

#[test]
fn a_match_is_gone_on_with_between_the_games_of_a_pair() {
    let home = tempfile::tempdir().unwrap();
    let (a, b) = (mock("a", ""), mock("b", ""));
    let mut arguments = vec!["match", "--variant", "hat", "--engine", &a, "--engine", &b, "--no-times"];
    arguments.extend(["--games", "9", "--resume", "--out", "run"]);
    run_well(home.path(), &arguments);
    let (games, table) = (home.path().join("run/games.csv"), home.path().join("run/table.csv"));
    let (whole, summary) = (read(&games), read(&table));
    let cut: usize = whole.lines().take(4).map(|line| line.len() + 1).sum();
    std::fs::write(&games, &whole[..cut + 30]).unwrap();
    run_well(home.path(), &arguments);
    assert!(read(&games) == whole && read(&table) == summary);
}

#[test]
fn what_is_not_of_this_run_is_refused_and_kept() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "run", &[]);
    let games = home.path().join("run/games.csv");
    let whole = read(&games);
    let cases: [(&[&str], &str); 6] = [
        (&["--seed", "2"], "games.csv: line 2 is not of this run: column seed is \"1\", expected \"2\""),
        (&["--openings", "2"], "engines, openings, rules or limits differ: column run is"),
        (&["--quiet-limit", "99"], "engines, openings, rules or limits differ: column run is"),
        (&["--max-plies", "99"], "engines, openings, rules or limits differ: column run is"),
        (&["--engine", "option.Noise=3"], "engines, openings, rules or limits differ: column run is"),
        (&["--shard", "2/2"], "column game is \"1\", expected \"2\""),
    ];
    for (flags, expected) in cases {
        let arguments = [&SWEEP[..], &["--out", "run"], flags].concat();
        let arguments: Vec<&str> = arguments.into_iter().collect();
        let error = run_badly(home.path(), &arguments);
        assert!(error.contains(expected) && error.lines().count() == 1, "{error} lacks {expected}");
        assert!(read(&games) == whole);
    }
    std::fs::write(&games, "a letter\nto a friend").unwrap();
    let error = run_badly(home.path(), &[&SWEEP[..], &["--out", "run"]].concat());
    assert!(error.contains("games.csv: line 1 is not of this run: its columns differ"), "{error}");
    assert_eq!(read(&games), "a letter\nto a friend");
}

/// A limit on the size of files stands for a disk that is full: the write fails in the same place.
#[test]
fn a_disk_that_is_full_costs_the_games_after_it_and_no_others() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "whole", &[]);
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec {} {} --out run",
        env!("CARGO_BIN_EXE_arena"),
        SWEEP.join(" ")
    );
    let output = Command::new("sh").current_dir(home.path()).args(["-c", &script]).output().unwrap();
    let error = text(&output.stderr);
    assert!(error.starts_with("error: cannot write run/games.csv: File too large"), "{error}");
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(read(home.path().join("whole/games.csv")).starts_with(&read(home.path().join("run/games.csv"))));
    sweep(home.path(), "run", &[]);
    assert_equal_files(home.path(), "whole", "run");
}

/// Results are in the files before they are told: who listens may have gone.
#[test]
fn output_that_nobody_takes_costs_no_result() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "whole", &[]);
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = arena();
    command.current_dir(home.path()).args(SWEEP).args(["--out", "run"]);
    let output = command.stdout(full).output().unwrap();
    let error = text(&output.stderr);
    assert_eq!(error, "error: cannot write standard output: No space left on device (os error 28)\n");
    assert_eq!(output.status.code(), Some(1));
    assert_equal_files(home.path(), "whole", "run");
}

fn merge<'a>(parts: &[&'a str], out: &'a str) -> Vec<&'a str> {
    [&["merge"], parts, &["--out", out]].concat()
}

#[test]
fn parts_put_together_are_the_whole() {
    let home = tempfile::tempdir().unwrap();
    sweep(home.path(), "whole", &[]);
    let parts = ["part-1", "part-2", "part-3"];
    for (number, part) in (1..).zip(parts) {
        let mut command = arena();
        command.current_dir(home.path()).args(SWEEP).args(["--out", part, "--shard", "auto/3"]);
        command.env("JOB_COMPLETION_INDEX", (number - 1).to_string());
        assert!(command.output().unwrap().status.success());
    }
    let out = run_well(home.path(), &merge(&["part-3", "part-1/games.csv", "part-2"], "merged"));
    assert!(out.contains("240 games of 3 parts"), "{out}");
    sweep(home.path(), "merged", &[]);
    assert_equal_files(home.path(), "whole", "merged");

    sweep(home.path(), "other", &["--seed", "2", "--shard", "3/3"]);
    let half = read(home.path().join("part-3/games.csv"));
    std::fs::write(home.path().join("half.csv"), &half[..half.len() - 5]).unwrap();
    let end = half.trim_end().rfind('\n').unwrap() + 1;
    std::fs::write(home.path().join("short.csv"), &half[..end]).unwrap();
    std::fs::write(home.path().join("empty.csv"), "").unwrap();
    std::fs::write(home.path().join("header.csv"), half.lines().next().unwrap().to_owned() + "\n").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["part-1", "part-2"], "gap: game 3 is in none of the parts, of 240"),
        (&["part-1", "part-2", "short.csv"], "gap: game 240 is in none of the parts"),
        (&["part-1", "part-2", "part-3", "part-2"], "overlap: game 2 is in part-2/games.csv and in part-2"),
        (
            &["part-1", "part-2", "other"],
            "mixed settings: column seed is \"1\" in part-1/games.csv and \"2\"",
        ),
        (&["part-1", "part-2", "half.csv"], "half a row: go on with this part by --resume first"),
        (&["part-1", "empty.csv"], "empty.csv: line 1: it is empty"),
        (&["part-1", "header.csv"], "header.csv: no game in it"),
        (&["part-1", "whole/balance.csv"], "whole/balance.csv: line 1: no column \"seed\""),
        (&["part-1", "none"], "cannot read none: No such file"),
    ];
    for (parts, expected) in cases {
        let error = run_badly(home.path(), &merge(parts, "refused"));
        assert!(error.contains(expected) && error.lines().count() == 1, "{error} lacks {expected}");
        assert!(!home.path().join("refused").exists());
    }
    let error = run_badly(home.path(), &merge(&["part-1", "part-2", "part-3"], "merged"));
    assert!(error.contains("merged/games.csv holds the games of a run already"), "{error}");
}

#[test]
fn what_makes_no_sense_is_said() {
    let home = tempfile::tempdir().unwrap();
    for (flags, expected) in [
        (&["--shard", "3/2"][..], "\"3/2\": expected a part of a number of parts"),
        (&["--shard", "auto"], "expected SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT"),
        (&["--resume"], "--out <DIR>"),
    ] {
        let output = run(home.path(), [&["balance"], flags].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
