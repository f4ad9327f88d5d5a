//! How games begin and end: openings, adjudication, what the engines think of the result.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{Row, mock, read_csv, run, run_badly, run_well, text};
use std::collections::BTreeSet;
use std::path::Path;

fn play(home: &Path, arguments: &[&str]) -> (Vec<Row>, String) {
    let output = run(home, [arguments, &["--out", "run", "--force"]].concat());
    let err = text(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    (read_csv(&home.join("run/games.csv")), err)
}

fn hat_match(home: &Path, engines: [&str; 2], flags: &[&str]) -> (Vec<Row>, String) {
    let arguments = ["match", "--variant", "hat", "--engine", engines[0], "--engine", engines[1]];
    play(home, &[&arguments[..], flags].concat())
}

fn given(row: &Row) -> String {
    let count = row["opening"].parse().unwrap();
    row["moves"].split(' ').take(count).collect::<Vec<_>>().join(" ")
}

#[test]
fn all_openings_are_played_once_and_running_out_is_said() {
    let home = tempfile::tempdir().unwrap();
    let engines = ["name=a,nodes=5", "name=b,nodes=9"];
    let (rows, err) = hat_match(home.path(), engines, &["--all-openings", "1", "--games", "10"]);
    // Ten points, the leopard on the apex: nine drops, three of them on the axis or six pairs of images.
    let openings: BTreeSet<String> = rows.iter().map(given).collect();
    assert_eq!((rows.len(), openings.len(), err.as_str()), (10, 5, ""));
    let (rows, err) = hat_match(home.path(), engines, &["--all-openings", "1", "--games", "40"]);
    let openings: BTreeSet<String> = rows.iter().map(given).collect();
    assert!(openings.len() < 9, "{openings:?}");
    let expected = format!("warning: openings run out: {} (all of 1 plies) for 20 rounds", openings.len());
    assert!(err.contains(&expected), "{err} lacks {expected}");
}

#[test]
fn openings_come_from_a_file() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("openings.txt");
    let position = "1/1L1/3/dd1 d 5 0 0";
    std::fs::write(&file, format!("# two openings\n@d1 a1b3\n\n{position} # later\n")).unwrap();
    let engines = ["name=a,nodes=5", "name=b,nodes=9"];
    let flags = ["--opening-file", "openings.txt", "--games", "4", "--no-times"];
    let (rows, err) = hat_match(home.path(), engines, &flags);
    assert_eq!(err, "");
    let begun: Vec<_> = rows.iter().map(|row| (given(row), row["start"].as_str())).collect();
    let moves = ("@d1 a1b3".to_owned(), "");
    let start = (String::new(), position);
    assert_eq!(begun, [moves.clone(), moves, start.clone(), start]);
    // Positions come back from the file of a run, too.
    let whole = std::fs::read(home.path().join("run/games.csv")).unwrap();
    std::fs::write(home.path().join("run/games.csv"), &whole[..whole.len() - 9]).unwrap();
    let mut arguments = vec!["match", "--variant", "hat", "--engine", engines[0], "--engine", engines[1]];
    arguments.extend(flags);
    run_well(home.path(), &[&arguments[..], &["--resume", "--out", "run"]].concat());
    assert!(std::fs::read(home.path().join("run/games.csv")).unwrap() == whole);

    for (text, expected) in [
        ("@d1 a1b3\n@z9", "opening file openings.txt: line 2: "),
        ("1/1L1/3/dd1 d 4 0 0", "openings.txt: line 1: hand: 6 dogs on the board, in hand and captured"),
        ("# nothing", "openings.txt: no opening in it"),
    ] {
        std::fs::write(&file, text).unwrap();
        let error = run_badly(home.path(), &[&arguments[..], &["--out", "other"]].concat());
        assert!(error.contains(expected) && error.lines().count() == 1, "{error} lacks {expected}");
    }
    std::fs::remove_file(&file).unwrap();
    let error = run_badly(home.path(), &[&arguments[..], &["--out", "other"]].concat());
    assert!(error.contains("cannot read opening file openings.txt: No such file"), "{error}");
}

#[test]
fn a_sweep_goes_through_boards_and_captures() {
    let home = tempfile::tempdir().unwrap();
    let mut arguments =
        vec!["balance", "--variant", "hat,demala-19", "--captures", "auto,2..3", "--dogs", "6..7"];
    arguments.extend(["--depth", "1", "--games", "1", "--out", "run"]);
    let out = run_well(home.path(), &arguments);
    assert!(out.contains("; demala-19 on rect19, captures 2"), "{out}");
    let rows = read_csv(&home.path().join("run/balance.csv"));
    let games: Vec<_> =
        rows.iter().map(|row| format!("{} {} {}", row["board"], row["captures"], row["dogs"])).collect();
    // With 6 dogs `auto` is 3 captures on hat10, which is played once; on rect19 6 and 7 dogs are fewer by far.
    assert_eq!(games[..5], ["hat10 3 6", "hat10 4 7", "hat10 2 6", "hat10 2 7", "hat10 3 7"]);
    assert!(games[5..].iter().all(|game| game.starts_with("rect19")) && games.len() > 8, "{games:?}");
    let error = run_badly(home.path(), &["balance", "--board", "none", "--dogs", "9"]);
    assert!(error.contains("unknown board \"none\""), "{error}");
    let error = run_badly(home.path(), &["balance", "--captures", "9..12", "--dogs", "10"]);
    assert!(error.contains("11 captures: expected auto or a number from 1"), "{error}");
}

#[test]
fn games_end_by_draw_and_resign_rules() {
    let home = tempfile::tempdir().unwrap();
    let [good, bad, even] = [("good", 900), ("bad", -900), ("even", 5)]
        .map(|(name, score)| mock(name, &format!("--score {score}")));
    let (rows, _) = hat_match(
        home.path(),
        [&good, &bad],
        &["--games", "2", "--openings", "0", "--resign", "moves=3,score=900"],
    );
    for row in &rows {
        let winner = if row["dogs_engine"] == "good" { "dogs" } else { "leopards" };
        assert_eq!([&row["reason"], &row["winner"], &row["plies"]], ["adjudicated", winner, "6"]);
        assert_eq!(row["detail"], "resign rule moves=3,score=900");
    }
    let flags = ["--games", "2", "--openings", "0", "--draw", "from=9,moves=2,score=5"];
    let (rows, _) = hat_match(home.path(), [&even, &even.replace("name=even", "name=also")], &flags);
    for row in &rows {
        assert_eq!([&row["reason"], &row["winner"], &row["plies"]], ["adjudicated", "draw", "9"]);
    }
    // One engine alone cannot end a game.
    let (rows, _) =
        hat_match(home.path(), [&good, &even], &["--games", "2", "--resign", "moves=1,score=900"]);
    assert!(rows.iter().all(|row| row["reason"] != "adjudicated"));
    for flags in [["--draw", "score=3"], ["--resign", "often"]] {
        let output = run(home.path(), [&["balance"], &flags[..]].concat());
        assert!(text(&output.stderr).contains("such as"), "{}", text(&output.stderr));
    }
}

#[test]
fn games_end_with_their_exact_value() {
    let home = tempfile::tempdir().unwrap();
    run_well(home.path(), &["engine", "solve", "--variant", "hat", "--out", "tables"]);
    let engines = ["name=a,nodes=30", "name=b,nodes=60"];
    let (rows, err) = hat_match(home.path(), engines, &["--games", "6", "--adjudicate", "tables"]);
    assert_eq!(err, "");
    let adjudicated: Vec<_> = rows.iter().filter(|row| row["reason"] == "adjudicated").collect();
    assert!(!adjudicated.is_empty());
    for row in adjudicated {
        let drops = row["moves"].split(' ').filter(|mv| mv.starts_with('@')).count();
        assert_eq!(drops, 7, "{row:?}");
        let winner = row["detail"].strip_prefix("exact value ").unwrap().split(' ').next().unwrap();
        assert_eq!(row["winner"], winner);
    }
    std::fs::create_dir(home.path().join("none")).unwrap();
    let (_, err) = hat_match(home.path(), engines, &["--games", "2", "--adjudicate", "none"]);
    assert!(err.contains("no table in ") && err.contains("serves these games"), "{err}");
}

#[test]
fn engines_that_see_the_end_otherwise_are_reported() {
    let home = tempfile::tempdir().unwrap();
    let (wrong, good) = (mock("wrong", "--do wrong-result"), mock("good", ""));
    let mut flags = vec!["--games", "6", "--concurrency", "1"];
    let (rows, err) = hat_match(home.path(), [&wrong, &good], &flags);
    let decided = rows.iter().filter(|row| row["winner"] != "draw").count();
    let reports =
        err.matches("warning: engine \"wrong\" answers gameover true and result draw at the end").count();
    assert!(decided > 0 && decided == reports && !err.contains("\"good\""), "{decided}: {err}");
    // An engine that does not know the question is asked once.
    flags.extend(["--timeout", "2"]);
    let (rows, err) = hat_match(home.path(), [&mock("mute", "--do no-queries"), &good], &flags);
    assert_eq!(
        (rows.len(), err.matches("engine \"mute\" is not asked for results").count()),
        (6, 1),
        "{err}"
    );
}
