//! Tables of exact values: made on the command line, asked for over the protocol.

use assert_cmd::cargo::cargo_bin_cmd;
use engine::game::{Game, VariantSpec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tests::{Session, Solved, solved};

/// Solves a preset into a directory and gives the table's file.
fn solve(variant: &str, directory: &Path) -> PathBuf {
    let mut solve = cargo_bin_cmd!("koti-engine");
    solve.args(["solve", "--variant", variant, "--out"]).arg(directory).assert().success();
    let entry = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").path();
    let mut files = std::fs::read_dir(directory).expect("the directory was made").map(entry);
    files.find(|path| path.extension().is_some_and(|extension| extension == "koti")).expect("a table")
}

fn start(tables: &Path) -> Session {
    let mut engine = Session::start(env!("CARGO_BIN_EXE_koti-engine"), &[]);
    engine.tell(&format!("setoption name TablePath value {}", tables.display()));
    engine
}

/// The rows of the reference on the small board, which takes a moment to solve.
fn reference() -> impl Iterator<Item = Solved> {
    solved().into_iter().filter(|row| row.board == "hat10")
}

#[test]
fn a_table_gives_the_values_of_the_reference() {
    let directory = tempfile::tempdir().unwrap();
    solve("hat", directory.path());
    let mut engine = start(directory.path());
    assert_eq!(engine.query("value"), "none", "no table for demala");
    engine.tell("setoption name Variant value hat");
    assert_eq!(reference().count(), 18);
    for row in reference() {
        engine.tell(&format!("setoption name Dogs value {}", row.dogs));
        engine.tell(&format!("setoption name First value {}", row.first));
        let expected = match row.plies {
            Some(plies) => format!("{} {plies}", row.value),
            None => row.value.clone(),
        };
        assert_eq!(engine.query("value"), expected, "{row:?}");
        // The search says the same.
        if row.value == "dogs" {
            let sign = if row.first == "dogs" { "" } else { "-" };
            assert_eq!(engine.go("depth 1").last().score, format!("mate {sign}{}", row.plies.unwrap()));
        }
    }
    // Other captures are another game, with no table.
    engine.tell("setoption name Dogs value 6");
    engine.tell("setoption name Captures value 2");
    assert_eq!(engine.query("value"), "none");
    engine.tell("setoption name Captures value 3"); // what `auto` gives with six dogs
    assert_ne!(engine.query("value"), "none");
    engine.tell("setoption name TablePath value <empty>");
    assert_eq!(engine.query("value"), "none");
    engine.quit();
}

/// The CSV of `engine values`, with these flags beside the game.
fn values(flags: &[&str]) -> String {
    let output = cargo_bin_cmd!("koti-engine")
        .args(["values", "--variant", "hat", "--first", "both"])
        .args(flags)
        .output()
        .expect("the engine can be started");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("CSV is text")
}

#[test]
fn values_of_starts_are_those_of_the_reference() {
    let text = values(&["--dogs", "1..9"]);
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let header = rows.headers().unwrap().clone();
    let wanted = [
        "variant",
        "board",
        "leopards",
        "dogs",
        "captures",
        "first",
        "value",
        "plies",
        "placements_dogs_win",
        "placements_leopards_win",
        "placements_draw",
    ];
    assert_eq!(header.iter().take(wanted.len()).collect::<Vec<_>>(), wanted);
    let column = |name: &str| wanted.iter().position(|&column| column == name).unwrap();
    let mut found = rows.records().map(Result::unwrap);
    for row in reference() {
        let record = found.next().unwrap_or_else(|| panic!("{row:?} is missing"));
        let field = |name: &str| &record[column(name)];
        assert_eq!((field("variant"), field("board"), field("leopards")), ("hat", "hat10", "a1"));
        assert_eq!((field("dogs"), field("first")), (row.dogs.to_string().as_str(), row.first.as_str()));
        let plies = row.plies.map_or(String::new(), |plies| plies.to_string());
        assert_eq!((field("value"), field("plies")), (row.value.as_str(), plies.as_str()), "{row:?}");
        assert_eq!(field("captures"), (row.dogs + 1).saturating_sub(row.least_dogs_to_trap).to_string());
        if let [Some(dogs), Some(leopards), Some(draw)] = row.placements() {
            let placements = ["placements_dogs_win", "placements_leopards_win", "placements_draw"].map(field);
            assert_eq!(placements, [dogs, leopards, draw].map(|n| n.to_string()), "{row:?}");
        }
    }
    assert_eq!(found.next(), None);
    // From a table the same comes out as from memory.
    let directory = tempfile::tempdir().unwrap();
    solve("hat", directory.path());
    assert_eq!(values(&["--dogs", "1..9", "--tables", directory.path().to_str().unwrap()]), text);
}

#[test]
fn verify_tells_a_sound_table_from_a_damaged_one() {
    let directory = tempfile::tempdir().unwrap();
    let table = solve("len-choa", directory.path());
    let verify = || {
        let mut verify = cargo_bin_cmd!("koti-engine");
        verify.arg("verify").arg(&table);
        verify
    };
    verify().assert().success();
    verify().args(["--sample", "50"]).assert().success();
    let sound = std::fs::read(&table).unwrap();
    // A flipped bit anywhere is found.
    for part in 0..40 {
        let mut damaged = sound.clone();
        damaged[part * (sound.len() - 1) / 39] ^= 1 << (part % 8);
        std::fs::write(&table, damaged).unwrap();
        let output = verify().output().unwrap();
        let line = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "part {part} of 40 was damaged");
        assert!(line.matches('\n').count() == 1 && line.contains(table.to_str().unwrap()), "{line}");
    }
}

/// Two engines, one for each side, both with the table.
#[test]
fn a_game_by_the_table_lasts_as_long_as_it_says() {
    for (variant, dogs, plies) in [("hat", "7", 13), ("hat", "5", 21), ("len-choa", "6", 13)] {
        let directory = tempfile::tempdir().unwrap();
        solve(variant, directory.path());
        let mut engines = [start(directory.path()), start(directory.path())];
        for engine in &mut engines {
            engine.tell(&format!("setoption name Variant value {variant}"));
            engine.tell(&format!("setoption name Dogs value {dogs}"));
        }
        let spec = VariantSpec {
            variant: Some(variant.to_owned()),
            dogs: dogs.parse().ok(),
            ..VariantSpec::default()
        };
        let mut game = Game::new(Arc::new(spec.rules().unwrap()));
        let mut moves = String::new();
        for left in (0..=plies).rev() {
            for engine in &mut engines {
                assert_eq!(engine.query("value"), format!("dogs {left}"), "{variant}:{moves}");
            }
            if left > 0 {
                let best = engines[game.position().side_to_move().index()].go("depth 2").best;
                game.play_text(&best).unwrap();
                moves = format!("{moves} {best}");
                for engine in &mut engines {
                    engine.tell(&format!("position startpos moves{moves}"));
                }
            }
        }
        assert!(game.outcome().is_some());
        for mut engine in engines {
            assert_eq!(engine.query("reason"), "trapped");
            engine.quit();
        }
    }
}

#[test]
fn show_lists_the_moves_with_their_values() {
    let directory = tempfile::tempdir().unwrap();
    solve("hat", directory.path());
    let mut engine = start(directory.path());
    engine.tell("setoption name Variant value hat");
    engine.send("show");
    insta::assert_snapshot!("show_values", engine.sync().join("\n"));
    engine.quit();
}

#[test]
fn a_table_that_cannot_be_used_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let table = solve("hat", directory.path());
    let bytes = std::fs::read(&table).unwrap();
    let name = table.file_name().and_then(|name| name.to_str()).unwrap();
    let mut engine = Session::start(env!("CARGO_BIN_EXE_koti-engine"), &[]);
    let command = format!("setoption name TablePath value {}", directory.path().display());
    for (what, damaged) in [
        ("empty", Vec::new()),
        ("cut short", bytes[..bytes.len() / 2].to_vec()),
        ("no table", b"a text that lies in the directory by mistake".repeat(400)),
    ] {
        std::fs::write(&table, damaged).unwrap();
        let fault = engine.refused(&command);
        assert!(fault.contains(name), "{what}: {fault}");
        assert_eq!(engine.query("value"), "none");
    }
    std::fs::remove_dir_all(directory.path()).unwrap();
    let fault = engine.refused(&command);
    assert!(fault.contains(directory.path().to_str().unwrap()), "{fault}");
    engine.quit();
}

#[test]
fn a_table_can_be_written_only_where_there_is_room() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut solve = cargo_bin_cmd!("koti-engine");
    let output = solve.args(["solve", "--variant", "hat", "--out"]).arg(&file).output().unwrap();
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "{line}");
    assert!(line.matches('\n').count() == 1 && line.contains(file.to_str().unwrap()), "{line}");
}
