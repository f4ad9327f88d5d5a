//! Reports: tables and pictures of the games of runs.

#![allow(clippy::unwrap_used)] // helpers of tests fail as tests do

mod common;

use common::{run_badly, run_well};
use std::path::Path;

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_report_shows_all_games_in_tables_and_pictures() {
    let home = tempfile::tempdir().unwrap();
    run_well(home.path(), &["engine", "solve", "--variant", "hat", "--out", "tables"]);
    let mut arguments =
        vec!["balance", "--variant", "hat", "--dogs", "4,6,7", "--depth", "1..2", "--games", "4"];
    arguments.extend(["--tables", "tables", "--out", "one"]);
    run_well(home.path(), &arguments);
    let mut arguments =
        vec!["match", "--variant", "len-choa", "--captures", "2", "--games", "2", "--out", "two"];
    arguments.extend(["--engine", "name=<a>,depth=1", "--engine", "name=b|c,depth=2"]);
    run_well(home.path(), &arguments);
    let out = run_well(home.path(), &["report", "one", "two/games.csv", "--out", "report"]);
    assert!(out.contains("report.md, report.html"), "{out}");

    let report = home.path().join("report");
    let markdown = read(report.join("report.md"));
    assert!(markdown.contains("26 games of one, two/games.csv."), "{markdown}");
    assert!(markdown.contains("| dogs | koti, depth=1 | koti, depth=2 | exact value |"), "{markdown}");
    assert!(markdown.contains("dogs in 13 |") && markdown.contains("## len-choa on hat10"), "{markdown}");
    let html = read(report.join("report.html"));
    assert_eq!(html.matches("<svg").count(), 10);
    assert!(html.contains("&lt;a&gt; vs b|c") && !html.contains("<a>"), "a name is taken for markup");
    // One file that needs nothing else.
    assert!(!html.contains("http:") || !html.replace("http://www.w3.org/2000/svg", "").contains("http"));
    let pictures: Vec<_> = markdown.lines().filter_map(|line| line.split_once("](")).collect();
    assert_eq!(pictures.len(), 10);
    for (_, file) in pictures {
        let svg = read(report.join(file.trim_end_matches(')')));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{file}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{file}");
        assert!(html.contains(&svg), "{file} is another in the page");
    }
    // Without an own directory it lies beside the first run, and bitmaps come only if they are asked for.
    run_well(home.path(), &["report", "two"]);
    assert!(home.path().join("two/report.html").exists());
    assert!(!home.path().join("two/len-choa-on-hat10-score.png").exists());
    let out = run_well(home.path(), &["report", "two", "--png"]);
    assert_eq!(out.matches(".png").count(), 5, "{out}");
    let png = std::fs::read(home.path().join("two/len-choa-on-hat10-score.png")).unwrap();
    // Its header: the signature, and width and height of twice the SVG's 960 × 540.
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(png[16..24], [0, 0, 7, 128, 0, 0, 4, 56]);
}

#[test]
fn several_numbers_of_captures_are_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let mut arguments =
        vec!["balance", "--variant", "hat", "--dogs", "6..7", "--captures", "2..3", "--depth", "1"];
    arguments.extend(["--games", "1", "--out", "run"]);
    run_well(home.path(), &arguments);
    run_well(home.path(), &["report", "run"]);
    let markdown = read(home.path().join("run/report.md"));
    assert!(
        markdown.contains("## hat on hat10, 2 captures") && markdown.contains("## hat on hat10, 3 captures")
    );
}

#[test]
fn what_holds_no_games_is_named() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("empty.csv"), "").unwrap();
    std::fs::write(home.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    for (run, expected) in [
        ("none", "cannot read none: No such file"),
        ("empty.csv", "empty.csv: no game in it"),
        ("other.csv", "cannot read other.csv: "),
    ] {
        let error = run_badly(home.path(), &["report", run]);
        assert!(error.contains(expected) && error.lines().count() == 1, "{error} lacks {expected}");
    }
}
