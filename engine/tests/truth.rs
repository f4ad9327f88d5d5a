//! The commands that hold the search against exact values: positions, accuracy, duel, samples, fit.

mod common;

use common::{engine, failure, rows, text};
use tempfile::TempDir;

/// A directory with the table of Hat, and its path.
fn solved() -> (TempDir, String) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().to_str().expect("a name in UTF-8").to_owned();
    text(&engine(&["solve", "--variant", "hat", "--out", &path]));
    (dir, path)
}

#[test]
fn accuracy_is_judged_by_nodes_or_by_time() {
    let (dir, tables) = solved();
    let game = ["--variant", "hat", "--tables", &tables];
    let positions = engine(&[&["positions"], &game[..], &["--dogs", "4..7", "--count", "5"]].concat());
    let file = dir.path().join("positions");
    std::fs::write(&file, text(&positions)).unwrap();
    assert_eq!(text(&positions).lines().count(), 20);
    assert!(String::from_utf8_lossy(&positions.stderr).contains("20 positions; "));

    let file = file.to_str().unwrap();
    let judge = |limit: &[&str]| {
        rows(&text(&engine(&[&["accuracy", "--positions", file], &game[..], limit].concat())))
    };
    let by_nodes = judge(&["--nodes", "2,20000"]);
    assert_eq!(by_nodes.len(), 10, "two sides, two phases and all, for each limit");
    let all: Vec<_> = by_nodes.iter().filter(|row| row["side"] == "both").collect();
    assert_eq!((all[0]["limit"].as_str(), all[1]["limit"].as_str()), ("nodes=2", "nodes=20000"));
    assert_eq!(all[1]["kept_share"], "1.0000", "so small a game is searched to its end");
    let lost = dir.path().join("lost.csv");
    let lost = lost.to_str().unwrap();
    let with_list = judge(&["--nodes", "2,20000", "--lost", lost]);
    assert_eq!(with_list, by_nodes);
    let lost = rows(&std::fs::read_to_string(lost).unwrap());
    let count = |row: &std::collections::BTreeMap<String, String>, column: &str| {
        row[column].parse::<usize>().unwrap()
    };
    assert_eq!(lost.len(), count(all[0], "positions") - count(all[0], "kept"));
    assert!(lost.iter().all(|row| {
        row["limit"] == "nodes=2" && (1..count(row, "moves")).contains(&count(row, "keeping"))
    }));
    assert!(lost.iter().all(|row| text(&positions).contains(&row["position"])));
    assert!(lost.iter().all(|row| row["value"] != row["chosen_value"]));
    let nowhere = dir.path().join("none").join("lost.csv");
    let nowhere = failure(
        &[
            &["accuracy", "--positions", file],
            &game[..],
            &["--nodes", "2", "--lost"],
            &[nowhere.to_str().unwrap()],
        ]
        .concat(),
    );
    assert!(nowhere.contains("cannot write lost positions") && nowhere.contains("lost.csv"), "{nowhere}");

    let by_time = judge(&["--movetime", "2"]);
    assert_eq!((by_time.len(), by_time[4]["limit"].as_str()), (5, "movetime=2"));
    assert_eq!(by_time[4]["positions"], "20");

    let both =
        failure(&["accuracy", "--tables", &tables, "--positions", file, "--nodes", "1", "--movetime", "1"]);
    assert!(both.contains("--movetime") && both.contains("--nodes"), "{both}");
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    let none =
        failure(&["accuracy", "--variant", "hat", "--tables", empty, "--positions", file, "--nodes", "5"]);
    assert!(none.contains("no table of this game on hat10"), "{none}");
}

#[test]
fn a_duel_is_won_by_a_search_that_sees_the_end_and_drawn_where_it_is_a_draw() {
    let (_dir, tables) = solved();
    let duel = |flags: &[&str]| {
        let game = ["duel", "--variant", "hat", "--tables", &tables, "--games", "4", "--opening", "2"];
        rows(&text(&engine(&[&game[..], flags].concat())))
    };
    let won = duel(&["--nodes", "20000"]);
    assert_eq!(won.len(), 4);
    for game in &won {
        assert_eq!((game["value"].as_str(), game["kept"].as_str()), ("dogs", "true"), "{game:?}");
        assert_eq!((game["winner"].as_str(), game["reason"].as_str()), ("dogs", "trapped"));
        // A perfect defence lasts as long as the table says, if the attack is perfect too.
        let (plies, left): (u32, u32) = (game["plies"].parse().unwrap(), game["plies_left"].parse().unwrap());
        assert_eq!(plies, left + 2, "{game:?}");
    }
    let drawn = duel(&["--nodes", "20000", "--dogs", "4", "--side", "leopards"]);
    assert!(drawn.iter().all(|game| game["value"] == "draw" && game["kept"] == "true"), "{drawn:?}");
    let weak = duel(&["--nodes", "1", "--dogs", "5", "--seed", "2"]);
    assert!(weak.iter().any(|game| game["kept"] == "false"), "one node is not enough: {weak:?}");
    assert_eq!(won, duel(&["--nodes", "20000", "--threads", "1"]), "the same with any number of threads");
}

#[test]
fn weights_are_fitted_to_samples() {
    let (dir, tables) = solved();
    let samples = ["samples", "--variant", "hat", "--tables", &tables, "--dogs", "4..7", "--count", "3000"];
    let samples = text(&engine(&samples));
    assert_eq!(samples.lines().count(), 3000);
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (file, bad, weights) = (path("samples.csv"), path("bad.csv"), path("weights.bin"));
    std::fs::write(&file, &samples).unwrap();
    std::fs::write(&bad, "hat10,1,7,4,draw\n").unwrap();
    let told = text(&engine(&["fit", &file, "--test", &file, "--epochs", "2", "--out", &weights]));
    assert!(told.starts_with("3000 samples, 3000 to test with, seed 1\n"), "{told}");
    assert_eq!(told.lines().count(), 2 + 2 * 2, "{told}");
    assert_eq!(
        std::fs::metadata(&weights).unwrap().len(),
        std::fs::metadata(concat!(env!("CARGO_MANIFEST_DIR"), "/src/search/eval/weights.bin")).unwrap().len(),
        "as many weights as the engine has"
    );
    let message = failure(&["fit", &bad, "--out", &weights]);
    assert!(message.contains("bad.csv: line 1: 5 fields, expected board,"), "{message}");
    let message = failure(&["fit", &file, "--epochs", "1", "--out", &path("none/weights.bin")]);
    assert!(message.contains("cannot write weights"), "{message}");
}
