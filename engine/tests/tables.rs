//! The commands about tables: solve, verify, values.

mod common;

use common::{engine, failure, rows, text};
use std::path::Path;

#[test]
fn values_are_those_of_the_reference() {
    let reference = rows(include_str!("../../tests/data/solved.csv"));
    for (variant, board) in [("hat", "hat10"), ("demala-19", "rect19")] {
        let found = rows(&text(&engine(&["values", "--variant", variant])));
        let expected: Vec<_> = reference.iter().filter(|row| row["board"] == board).collect();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found["variant"], variant);
            for (name, field) in expected.iter().filter(|(name, _)| name.as_str() != "least_dogs_to_trap") {
                assert!(field.is_empty() || *field == found[name], "{name}: {found:?}");
            }
        }
    }
}

#[test]
fn a_table_is_made_verified_used_and_refused_when_bad() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (out, table) = (path("tables"), path("tables/hat10-1-4.koti"));
    text(&engine(&["solve", "--variant", "hat", "--out", &out]));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
    // Len choa and Hat are one table.
    let again = text(&engine(&["solve", "--variant", "len-choa", "--out", &out]));
    assert!(again.contains("is there already"), "{again}");
    assert!(text(&engine(&["verify", &table])).contains("all 15729 entries are right"));
    assert!(text(&engine(&["verify", &table, "--sample", "500"])).contains("500 random positions are right"));
    let reference = include_str!("../../tests/data/movement_counts.csv");
    let of_board = reference.lines().filter(|line| line.starts_with("board,") || line.starts_with("hat10,"));
    assert!(text(&engine(&["verify", &table, "--counts"])).lines().eq(of_board));
    let in_memory = text(&engine(&["values", "--variant", "hat", "--first", "both"]));
    assert_eq!(text(&engine(&["values", "--variant", "hat", "--tables", &out])), in_memory);
    let dogs_first = text(&engine(&["values", "--variant", "hat", "--first", "dogs", "--dogs", "5,7"]));
    assert_eq!(rows(&dogs_first).iter().map(|row| row["plies"].as_str()).collect::<Vec<_>>(), ["21", "13"]);

    let mut bytes = std::fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&table, bytes).unwrap();
    let message = failure(&["verify", &table]);
    assert!(message.contains("is damaged (checksum)"), "{message}");
    assert_eq!(message.matches("hat10-1-4.koti").count(), 1, "{message}");
    std::fs::write(Path::new(&out).join("other.koti"), "not one").unwrap();
    let message = failure(&["values", "--variant", "hat", "--tables", &out]);
    assert!(message.contains("other.koti: not a table of Koti"), "{message}");
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().to_str().unwrap();
    let message = failure(&["solve", "--variant", "rafaya", "--out", out, "--memory", "1000"]);
    assert!(message.contains("more than the 1000 MB it may use"), "{message}");
    let message = failure(&["values", "--variant", "hat", "--dogs", "12"]);
    assert!(message.contains("12 dogs: expected 1 to 9"), "{message}");
    let message = failure(&["values", "--variant", "hat", "--first", "nobody"]);
    assert!(message.contains("expected dogs, leopards or both"), "{message}");
    let message = failure(&["verify", "/nowhere.koti"]);
    assert!(message.contains("/nowhere.koti"), "{message}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
