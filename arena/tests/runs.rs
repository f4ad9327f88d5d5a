//! Whole runs with the built-in engine and the mock engine: files, tables, and what is refused.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{Row, mock, read_csv, run_badly, run_well};
use engine::game::{Game, VariantSpec};
use std::path::Path;
use std::sync::Arc;

const GAMES_COLUMNS: &str = "game,pair,variant,board,dogs,captures,opening,dogs_engine,leopards_engine,winner,\
    reason,plies,captured,dogs_ms,leopards_ms,dogs_nodes,leopards_nodes,moves,dogs_limit,leopards_limit,detail,\
    seed,games,run,start";
const BALANCE_COLUMNS: &str = "variant,board,dogs,captures,engine,limit,games,unique_games,dogs_wins,\
    leopards_wins,draws,dogs_score,dogs_score_low,dogs_score_high,exact_value,exact_plies";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn column<'a>(rows: &'a [Row], name: &str) -> Vec<&'a str> {
    rows.iter().map(|row| row[name].as_str()).collect()
}

fn balance(directory: &Path, out: &str, flags: &[&str]) -> String {
    let mut arguments = vec!["balance", "--variant", "hat", "--out", out];
    arguments.extend(flags);
    run_well(directory, &arguments)
}

#[test]
fn a_balance_counts_what_its_games_say() {
    let home = tempfile::tempdir().unwrap();
    let flags = ["--dogs", "5,7", "--depth", "1..2", "--games", "6", "--openings", "2"];
    let out = balance(home.path(), "run", &flags);
    assert!(out.contains("koti, depth=1") && out.contains("koti, depth=2"), "{out}");
    let (games, cells) = (home.path().join("run/games.csv"), home.path().join("run/balance.csv"));
    assert_eq!(read(&games).lines().next(), Some(GAMES_COLUMNS));
    assert_eq!(read(&cells).lines().next(), Some(BALANCE_COLUMNS));
    let (games, cells) = (read_csv(&games), read_csv(&cells));
    assert_eq!(games.len(), 24);
    let names: Vec<_> = column(&cells, "limit").into_iter().zip(column(&cells, "dogs")).collect();
    assert_eq!(names, [("depth=1", "5"), ("depth=1", "7"), ("depth=2", "5"), ("depth=2", "7")]);
    for cell in &cells {
        let of_cell = |row: &&Row| row["dogs"] == cell["dogs"] && row["dogs_limit"] == cell["limit"];
        let won = |winner: &str| games.iter().filter(of_cell).filter(|row| row["winner"] == winner).count();
        assert_eq!(cell["games"], "6");
        for (column, winner) in [("dogs_wins", "dogs"), ("leopards_wins", "leopards"), ("draws", "draw")] {
            assert_eq!(cell[column], won(winner).to_string(), "{column} in {cell:?}");
        }
        let score = (won("dogs") as f64 + 0.5 * won("draw") as f64) / 6.0;
        assert_eq!(cell["dogs_score"], format!("{score:.4}"));
        assert!(
            cell["dogs_score_low"] <= cell["dogs_score"] && cell["dogs_score"] <= cell["dogs_score_high"]
        );
    }
    // The same rounds of all cells have the same openings.
    let opening = |row: &Row| row["moves"].split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
    assert!(games.chunks(4).all(|round| round.iter().all(|row| opening(row) == opening(&round[0]))));
}

#[test]
fn every_game_in_the_file_can_be_played_again() {
    let home = tempfile::tempdir().unwrap();
    balance(home.path(), "run", &["--dogs", "6..8", "--nodes", "50", "--games", "3"]);
    for row in read_csv(&home.path().join("run/games.csv")) {
        let spec = VariantSpec {
            variant: Some(row["variant"].clone()),
            dogs: row["dogs"].parse().ok(),
            ..VariantSpec::default()
        };
        let mut game = Game::new(Arc::new(spec.rules().unwrap()));
        for mv in row["moves"].split(' ') {
            game.play_text(mv).unwrap();
        }
        let reason = game.outcome().unwrap();
        assert_eq!(row["reason"], reason.to_string());
        assert_eq!(row["winner"], reason.winner().map_or("draw".to_owned(), |side| side.to_string()));
        assert_eq!(row["plies"], game.moves().len().to_string());
        assert_eq!(row["captured"], game.position().captured().to_string());
        assert_eq!(row["captures"], game.rules().captures_to_win().to_string());
    }
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let flags = |workers| {
        [
            "--dogs",
            "5..8",
            "--nodes",
            "30,300",
            "--games",
            "4",
            "--no-times",
            "--engine",
            "option.Noise=50",
            "--concurrency",
            workers,
        ]
    };
    for (out, workers) in [("one", "1"), ("two", "2"), ("five", "5")] {
        balance(home.path(), out, &flags(workers));
    }
    for file in ["games.csv", "balance.csv"] {
        let text = |run: &str| read(&home.path().join(run).join(file));
        assert!(text("one") == text("two") && text("one") == text("five"), "{file} differs");
    }
    let rows = read_csv(&home.path().join("one/games.csv"));
    assert!(rows.iter().all(|row| row["dogs_ms"].is_empty() && row["leopards_ms"].is_empty()));
    balance(home.path(), "other", &[&["--seed", "2"], &flags("2")[..]].concat());
    assert_ne!(read(&home.path().join("one/games.csv")), read(&home.path().join("other/games.csv")));
}

#[test]
fn levels_are_strengths() {
    let home = tempfile::tempdir().unwrap();
    let flags =
        |workers| ["--dogs", "5", "--level", "0,9", "--games", "5", "--no-times", "--concurrency", workers];
    let out = balance(home.path(), "one", &flags("1"));
    assert!(out.contains("koti, level=0") && out.contains("koti, level=9"), "{out}");
    // The processes are told the level of each game, whatever they played before.
    balance(home.path(), "three", &flags("3"));
    assert_eq!(read(&home.path().join("one/games.csv")), read(&home.path().join("three/games.csv")));
    for row in read_csv(&home.path().join("one/games.csv")) {
        let number = |column: &str| row[column].parse::<u32>().unwrap();
        let nodes_per_ply = (number("dogs_nodes") + number("leopards_nodes")) / number("plies");
        assert_eq!(nodes_per_ply <= 12, row["dogs_limit"] == "level=0", "{row:?}");
    }
    let engines = ["--engine", "level=12", "--engine", "level=0"];
    run_well(
        home.path(),
        &[&["match", "--dogs", "14", "--games", "6", "--out", "run"], &engines[..]].concat(),
    );
    let table = read_csv(&home.path().join("run/table.csv"));
    let higher = table.iter().find(|row| row["engine"] == "koti level=12" && row["side"] == "both").unwrap();
    assert!(higher["score"].parse::<f64>().unwrap() > 0.6, "{higher:?}");
}

#[test]
fn a_match_plays_both_sides_of_every_opening() {
    let home = tempfile::tempdir().unwrap();
    let engines = [mock("a", ""), "name=b,nodes=20".to_owned(), "name=c,depth=1,option.Hash=1".to_owned()];
    let mut arguments = vec!["match", "--variant", "hat", "--games", "4", "--openings", "3", "--out", "run"];
    arguments.extend(engines.iter().flat_map(|engine| ["--engine", engine]));
    let out = run_well(home.path(), &arguments);
    assert!(out.contains("Dogs' score over all games"), "{out}");
    let games = read_csv(&home.path().join("run/games.csv"));
    assert_eq!(games.len(), 12);
    for pair in games.chunks(2) {
        let opening = |row: &Row| row["moves"].split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!((&pair[0]["pair"], opening(&pair[0])), (&pair[1]["pair"], opening(&pair[1])));
        assert_eq!(pair[0]["dogs_engine"], pair[1]["leopards_engine"]);
        assert_eq!(pair[0]["leopards_engine"], pair[1]["dogs_engine"]);
    }
    let table = read_csv(&home.path().join("run/table.csv"));
    assert_eq!(table.len(), 3 * 3 * 3);
    let sums: u32 = table
        .iter()
        .filter(|row| row["opponent"] == "all" && row["side"] == "dogs")
        .map(|row| row["games"].parse::<u32>().unwrap())
        .sum();
    assert_eq!(sums, 12);
}

#[test]
fn games_end_at_the_limit_on_plies() {
    let home = tempfile::tempdir().unwrap();
    balance(home.path(), "run", &["--dogs", "7", "--depth", "1", "--games", "2", "--max-plies", "6"]);
    for row in read_csv(&home.path().join("run/games.csv")) {
        assert_eq!([&row["reason"], &row["winner"], &row["plies"]], ["max-plies", "draw", "6"]);
    }
}

#[test]
fn a_game_that_is_over_before_it_begins_is_recorded() {
    let home = tempfile::tempdir().unwrap();
    balance(home.path(), "run", &["--dogs", "1", "--depth", "1", "--games", "1"]);
    let rows = read_csv(&home.path().join("run/games.csv"));
    assert_eq!([&rows[0]["reason"], &rows[0]["winner"], &rows[0]["moves"]], ["captures", "leopards", ""]);
}

#[test]
fn clocks_and_move_times_are_played() {
    let home = tempfile::tempdir().unwrap();
    let (a, b) = ("name=a,tc=20+0.1", "name=b,movetime=5");
    let mut arguments =
        vec!["match", "--variant", "hat", "--max-plies", "12", "--games", "2", "--out", "run"];
    arguments.extend(["--engine", a, "--engine", b, "--time-margin", "10000"]);
    run_well(home.path(), &arguments);
    let rows = read_csv(&home.path().join("run/games.csv"));
    assert_eq!(column(&rows, "dogs_limit"), ["tc=20+0.1", "movetime=5"]);
    assert!(rows.iter().all(|row| row["detail"].is_empty() && !row["dogs_ms"].is_empty()), "{rows:?}");
}

#[test]
fn a_board_of_ones_own_reaches_the_engine() {
    let home = tempfile::tempdir().unwrap();
    let board = "[cross]\nrows = [1, 3, 1]\nlines = [\"a1 b2 c1\", \"b1 b2 b3\"]\n";
    std::fs::write(home.path().join("cross.toml"), board).unwrap();
    let mut arguments = vec!["balance", "--board-file", "cross.toml", "--leopards", "1", "--dogs", "2..3"];
    arguments.extend(["--depth", "2", "--games", "2", "--openings", "0", "--out", "run"]);
    run_well(home.path(), &arguments);
    let rows = read_csv(&home.path().join("run/games.csv"));
    assert!(rows.iter().all(|row| row["board"] == "cross" && row["detail"].is_empty()), "{rows:?}");
}

#[test]
fn earlier_results_are_never_overwritten_unasked() {
    let home = tempfile::tempdir().unwrap();
    let flags = ["balance", "--variant", "hat", "--dogs", "7", "--depth", "1", "--games", "1"];
    run_well(home.path(), &flags);
    run_well(home.path(), &flags);
    assert!(home.path().join("results/balance-2/balance.csv").exists());
    let again = [&flags[..], &["--out", "results/balance"]].concat();
    let error = run_badly(home.path(), &again);
    assert!(error.contains("results/balance/games.csv holds the games of a run already"), "{error}");
    run_well(home.path(), &[&again[..], &["--force"]].concat());
}

#[test]
fn what_cannot_be_played_is_one_line_before_anything_is_written() {
    let home = tempfile::tempdir().unwrap();
    let silent = mock("silent", "--do silent-at-start") + ",nodes=1";
    let ends = mock("ends", "--do exit-at-start");
    let without_levels = mock("b", "");
    let refuses = mock("refuses", "--do refuse-dogs");
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["balance", "--variant", "chess"], "unknown variant \"chess\""),
        (&["balance", "--dogs", "99"], "--dogs 99: 99 dogs: expected 1 to 18"),
        (&["balance", "--dogs", "1000"], "--dogs 1000"),
        (&["balance", "--dogs", "0"], "0 dogs: expected 1 to 18"),
        (&["balance", "--board-file", "none.toml"], "cannot read board file none.toml"),
        (&["balance", "--tables", "none"], "cannot find none: No such file"),
        (&["balance", "--engines", "none.toml"], "cannot read engine file none.toml"),
        (&["balance", "--nodes", "0"], "--nodes=0: expected a whole number from 1"),
        (&["balance", "--level", "19..21"], "--level=21: expected a whole number from 0 to 20"),
        (
            &["balance", "--engine", &without_levels, "--level", "3"],
            "engine \"b\": it has no option \"Level\"",
        ),
        (&["balance", "--engine", "nodes=5", "--nodes", "1"], "both sides' engines have limits"),
        (
            &["balance", "--engine", "name=x,cmd=/no/such"],
            "engine \"x\": cannot start \"/no/such\": No such file",
        ),
        (
            &["balance", "--engine", "option.Hush=3"],
            "engine \"koti\": it has no option \"Hush\": it offers Variant,",
        ),
        (
            &["balance", "--engine", "option.Hash=much"],
            "engine \"koti\": it refuses its options: option Hash value",
        ),
        (&["balance", "--engine", &ends], "exit status: 4"),
        (
            &["balance", "--engine", &refuses],
            "engine \"refuses\": it refuses demala with 9 dogs: too many dogs for me",
        ),
        (&["balance", "--engine", &silent, "--timeout", "2"], "no ugiok within 2 s"),
        (
            &["balance", "--engine", "cmd=/bin/true"],
            "engine \"true\": cannot start \"/bin/true\": no ugiok: exit status: 0",
        ),
        (&["balance", "--dogs-engine", "option.Hash=1"], "both sides' engines are called \"koti\""),
        (&["match", "--engine", "nodes=1"], "1 given: a match needs two engines or more"),
        (&["match", "--engine", "name=a", "--engine", "name=a"], "two engines are called \"a\""),
        (&["balance", "--games", "1", "--out", "file/run"], "cannot make directory file/run"),
        (&["balance", "--games", "1", "--out", "/proc/run"], "cannot make directory /proc/run"),
    ];
    for (arguments, expected) in cases {
        let error = run_badly(home.path(), arguments);
        assert!(error.contains(expected), "{arguments:?}: {error} lacks {expected}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
    let left: Vec<_> =
        std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["file"]);
    for arguments in
        [["match", "--engine", "speed=1"], ["balance", "--concurrency", "0"], ["balance", "--dogs", "9.."]]
    {
        run_badly(home.path(), &arguments);
    }
}

#[test]
fn help_shows_examples() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, example) in [
        (vec!["help"], "arena balance --variant hat --dogs 5..9"),
        (vec!["help", "balance"], "--captures 12 --openings 0"),
        (vec!["help", "match"], "[[engine]]"),
    ] {
        let out = run_well(home.path(), &arguments);
        assert!(out.contains(example) && !out.contains("watchdog"), "{out}");
    }
}

#[test]
fn exact_values_come_from_tables() {
    let home = tempfile::tempdir().unwrap();
    run_well(home.path(), &["engine", "solve", "--variant", "hat", "--out", "tables"]);
    balance(home.path(), "run", &["--dogs", "4,7", "--depth", "1", "--games", "1", "--tables", "tables"]);
    let rows = read_csv(&home.path().join("run/balance.csv"));
    assert_eq!(column(&rows, "exact_value"), ["draw", "dogs"]);
    assert_eq!(column(&rows, "exact_plies"), ["", "13"]);
    balance(home.path(), "without", &["--dogs", "7", "--depth", "1", "--games", "1"]);
    let rows = read_csv(&home.path().join("without/balance.csv"));
    assert_eq!((column(&rows, "exact_value"), column(&rows, "exact_plies")), (vec![""], vec![""]));
}

#[test]
fn a_gauntlet_and_its_statistics() {
    let home = tempfile::tempdir().unwrap();
    let mut arguments =
        vec!["match", "--variant", "hat", "--gauntlet", "--json", "--games", "6", "--out", "run"];
    arguments.extend([
        "--engine",
        "name=a,nodes=50",
        "--engine",
        "name=b,nodes=5",
        "--engine",
        "name=c,depth=1",
    ]);
    let result: serde_json::Value = serde_json::from_str(&run_well(home.path(), &arguments)).unwrap();
    assert_eq!((result["complete"].as_bool(), result["games"].as_u64()), (Some(true), Some(12)));
    let pairings = result["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 2);
    for pairing in pairings {
        let pairs = pairing["pairs"].as_array().unwrap();
        assert_eq!(pairs.iter().map(|count| count.as_u64().unwrap()).sum::<u64>(), 3);
        assert!((0.0..=1.0).contains(&pairing["los"].as_f64().unwrap()));
    }
    let table = read_csv(&home.path().join("run/table.csv"));
    assert_eq!(table.len(), 3 * (3 + 2 + 2));
    assert!(table.iter().all(|row| (row["side"] == "both") != row["pairs"].is_empty()));
    let games = read_csv(&home.path().join("run/games.csv"));
    assert!(games.iter().all(|row| row["dogs_engine"] == "a" || row["leopards_engine"] == "a"));
}

#[test]
fn a_test_ends_as_soon_as_it_is_decided_and_always_after_the_same_game() {
    let home = tempfile::tempdir().unwrap();
    // One side never plays: no doubt about the better one.
    let never = mock("never", "--do exit");
    let test = |workers: &'static str, out: &'static str| {
        let mut arguments =
            vec!["sprt", "--variant", "hat", "--concurrency", workers, "--out", out, "--no-times"];
        arguments.extend(["--engine", "name=good,nodes=20", "--engine", &never, "--elo1", "300", "--resume"]);
        arguments.extend(["--model", "logistic"]);
        run_well(home.path(), &arguments)
    };
    let out = test("1", "one");
    assert!(out.contains("H1 accepted: good is better than never"), "{out}");
    assert!(out.contains("every game won: the difference has no upper bound"), "{out}");
    test("3", "three");
    let games = read(&home.path().join("one/games.csv"));
    assert!(games == read(&home.path().join("three/games.csv")));
    let rows = read_csv(&home.path().join("one/games.csv"));
    assert!(rows.len() >= 2 && rows.len() < 100 && rows.len().is_multiple_of(2), "{}", rows.len());
    // Nothing is left to be played.
    let again = test("1", "one");
    assert!(again.contains("H1 accepted") && games == read(&home.path().join("one/games.csv")), "{again}");
    for (flags, expected) in [
        (["--elo0", "9", "--elo1", "3"], "bounds 9 and 3: expected two numbers"),
        (["--alpha", "0", "--beta", "0.1"], "alpha 0 and beta 0.1: expected"),
        (["--shard", "1/2", "--seed", "1"], "--shard 1/2: a test ends when its games have decided"),
        (["--engine", "name=c", "--seed", "1"], "3 engines given: a test is between two"),
    ] {
        let engines = ["sprt", "--engine", "name=a", "--engine", "name=b"];
        let error = run_badly(home.path(), &[&engines[..], &flags].concat());
        assert!(error.contains(expected), "{error} lacks {expected}");
    }
}

#[test]
fn what_moves_cost_beside_the_thinking_is_shown() {
    let home = tempfile::tempdir().unwrap();
    // It says that each move took it no time, and once sleeps for much longer.
    let (slow, quick) = (mock("slow", "--do late --at 2 --wait 80"), mock("quick", ""));
    let play = |more: &[&str]| {
        let arguments = ["match", "--variant", "hat", "--games", "2", "--engine", &slow, "--engine", &quick];
        run_well(home.path(), &[&arguments[..], more].concat())
    };
    let out = play(&["--out", "run"]);
    assert!(out.contains("overhead per move") && out.contains("own time between two moves"), "{out}");
    let result = |more: &[&str]| -> serde_json::Value { serde_json::from_str(&play(more)).unwrap() };
    let json = result(&["--out", "again", "--json"]);
    let overhead = &json["overhead"];
    let [slow, quick] = [0, 1].map(|engine| &overhead["engines"][engine]);
    assert_eq!((slow["name"].as_str(), quick["name"].as_str()), (Some("slow"), Some("quick")));
    let plies: u64 = column(&read_csv(&home.path().join("again/games.csv")), "plies")
        .iter()
        .map(|plies| plies.parse::<u64>().unwrap() - 4)
        .sum();
    assert_eq!(slow["moves"].as_u64().unwrap() + quick["moves"].as_u64().unwrap(), plies);
    assert!(slow["max_ms"].as_f64().unwrap() >= 80.0, "{overhead}");
    assert!(slow["mean_ms"].as_f64() < slow["max_ms"].as_f64(), "{overhead}");
    // Between the moves of each of the two games.
    assert_eq!(overhead["between_moves"]["moves"].as_u64().unwrap(), plies - 2);
    assert!(overhead["between_moves"]["mean_ms"].as_f64().unwrap() > 0.0, "{overhead}");
    // Games that were played before tell nothing.
    let json = result(&["--out", "again", "--json", "--resume"]);
    assert_eq!(json["overhead"]["engines"][0]["moves"], 0);
    assert!(json["overhead"]["between_moves"]["mean_ms"].is_null());
    assert!(result(&["--out", "without", "--json", "--no-times"])["overhead"].is_null());
    assert!(!play(&["--out", "untimed", "--no-times"]).contains("overhead"));
}
