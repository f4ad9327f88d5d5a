//! The engine's command line: what scripts rely on, and what a person is told who typed something wrong.

use assert_cmd::cargo::cargo_bin_cmd;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;
use tests::{Oracle, own_boards, perfts};

/// What a run of the engine came to.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

fn run(arguments: &[&str]) -> Run {
    let output = cargo_bin_cmd!("koti-engine").args(arguments).timeout(Duration::from_secs(120)).output();
    let output = output.expect("the engine can be started");
    Run {
        code: output.status.code().expect("the engine ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("text on stdout"),
        stderr: String::from_utf8(output.stderr).expect("text on stderr"),
    }
}

/// What a run says that must succeed and complain of nothing.
fn said(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}");
    run.stdout
}

/// The one line with which a run is refused.
fn refusal(arguments: &[&str]) -> String {
    let run = run(arguments);
    assert_ne!(run.code, 0, "{arguments:?} was to be refused");
    assert_eq!(run.stdout, "", "{arguments:?}");
    assert_eq!(run.stderr.matches('\n').count(), 1, "{arguments:?}: one line, not\n{}", run.stderr);
    let line = run.stderr.strip_suffix('\n').expect("a whole line");
    line.strip_prefix("error: ").unwrap_or_else(|| panic!("{arguments:?}: {line}")).to_owned()
}

fn assert_refused(arguments: &[&str], names: &[&str]) {
    let line = refusal(arguments);
    for name in names {
        assert!(line.contains(name), "{arguments:?}: \"{line}\" lacks \"{name}\"");
    }
}

/// A file of this text, and the directory that must outlive it.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory for a file");
    let path = directory.path().join("boards.toml");
    std::fs::write(&path, text).expect("a file can be written");
    let path = path.to_str().expect("a path in UTF-8").to_owned();
    (directory, path)
}

#[test]
fn perft_prints_a_line_for_each_depth() {
    let mut variants: Vec<String> = perfts().into_iter().map(|row| row.variant).collect();
    variants.dedup();
    for variant in variants {
        let mut expected = String::new();
        for row in perfts().iter().filter(|row| row.variant == variant && row.depth <= 4) {
            writeln!(expected, "{} {}", row.depth, row.leaves).expect("a String takes it");
        }
        assert_eq!(said(&["perft", "--variant", &variant, "--depth", "4"]), expected, "{variant}");
    }
}

#[test]
fn perft_takes_every_flag_of_the_game_and_a_position() {
    assert_eq!(said(&["perft", "--depth", "1"]), "1 18\n"); // demala
    assert_eq!(said(&["perft", "--depth", "1", "--variant", "aadu-puli"]), "1 20\n");
    assert_eq!(said(&["perft", "--depth", "1", "--board", "hat13", "--dogs", "8"]), "1 10\n");
    assert_eq!(said(&["perft", "--depth", "1", "--first", "leopards"]), "1 6\n");
    // Too few dogs to trap anything: won before the first move.
    assert_eq!(said(&["perft", "--depth", "1", "--dogs", "5"]), "1 0\n");
    assert_eq!(said(&["perft", "--depth", "2", "--setup", "entered", "--leopards", "1"]), "1 21\n2 420\n");
    // One capture wins, and a won game has no sequel.
    let position = ["--position", "L/ddd/3/3 l 0 0 0", "--variant", "hat"];
    let depth = |captures| [&["perft", "--depth", "2", "--captures", captures], &position[..]].concat();
    assert_eq!(said(&depth("1")), "1 3\n2 0\n");
    let sequel = Oracle::new("hat10", 3).perft("L/ddd/3/3 l 0 0 0", 2);
    assert_eq!(said(&depth("3")), format!("1 3\n2 {sequel}\n"));
    // The number of dogs is the position's.
    assert_eq!(said(&["perft", "--depth", "1", "--position", "L/2LL2/4/6/4 d 9 0 0"]), "1 18\n");
}

#[test]
fn bench_has_a_signature_that_stays_the_same() {
    let signature = || {
        let text = said(&["bench", "--depth", "5"]);
        let last = text.lines().last().expect("bench prints something");
        let [nodes, "nodes", speed, "nps"] = last.split(' ').collect::<Vec<_>>()[..] else {
            panic!("expected \"N nodes M nps\", found \"{last}\"")
        };
        speed.parse::<u64>().expect("a number of nodes per second");
        let nodes: u64 = nodes.parse().expect("a number of nodes");
        let counts: Vec<u64> =
            text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
        // A line for each position, then the sum.
        let (sum, each) = counts.split_last().expect("counts");
        assert_eq!((*sum, each.iter().sum::<u64>()), (nodes, nodes), "{text}");
        assert!(each.len() >= 4 && nodes > 1_000, "{text}");
        counts
    };
    assert_eq!(signature(), signature());
}

#[test]
fn boards_are_drawn() {
    insta::assert_snapshot!("boards", said(&["boards"]));
    assert!(said(&["boards"]).contains(&said(&["boards", "hat13"])));
}

#[test]
fn a_board_is_written_as_a_picture() {
    let picture = said(&["boards", "rect21", "--svg"]);
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"), "{picture}");
    assert!(picture.matches("<circle").count() >= 21, "{picture}");
}

#[test]
fn variants_are_listed() {
    insta::assert_snapshot!("variants", said(&["variants"]));
}

#[test]
fn help_and_version_are_given_where_asked_for() {
    assert_eq!(said(&["--version"]), format!("engine {}\n", env!("CARGO_PKG_VERSION")));
    let help = said(&["--help"]);
    for word in ["perft", "bench", "boards", "variants", "protocol"] {
        assert!(help.contains(word), "--help does not speak of {word}");
    }
    for command in ["perft", "bench", "boards", "variants"] {
        assert!(said(&[command, "--help"]).contains("Usage: engine"), "{command}");
    }
}

#[test]
fn boards_of_a_file_are_drawn_and_played() {
    let (_directory, path) = file(own_boards());
    let drawn = said(&["boards", "--board-file", &path]);
    for line in [
        "lopsided: 6 points, 8 edges, 3 jump lines, not symmetric",
        "street: 9 points, 8 edges, 7 jump lines, mirror symmetric",
        "widest: 32 points,",
    ] {
        assert!(drawn.contains(line), "{drawn} lacks {line}");
    }
    for (board, dogs, start) in [
        ("lopsided", "3", "L/2/3 d 3 0 0"),
        ("street", "4", "4L4 d 4 0 0"),
        ("widest", "20", "4L4/9/9/5 d 20 0 0"),
    ] {
        let game = ["--board-file", &path, "--board", board, "--dogs", dogs, "--leopards", "1"];
        let counts = said(&[&["perft", "--depth", "3", "--captures", "1"], &game[..]].concat());
        let oracle = Oracle::new(board, 1);
        let mut expected = String::new();
        for depth in 1..=3 {
            writeln!(expected, "{depth} {}", oracle.perft(start, depth)).expect("a String takes it");
        }
        assert_eq!(counts, expected, "{board}");
    }
    // A single board need not be named, and a name of the catalogue still finds the catalogue's.
    let (_directory, path) = file("[mine]\nrows = [1, 2]\nlines = [\"a1 b1\", \"a1 b2\"]\n");
    let one = ["perft", "--depth", "1", "--board-file", &path, "--leopards", "1", "--dogs", "2"];
    assert_eq!(said(&one), "1 2\n");
    assert_eq!(said(&[&one[..5], &["--leopards", "1", "--dogs", "7", "--board", "hat10"]].concat()), "1 9\n");
}

#[test]
fn a_bad_board_file_is_refused_with_the_line_at_fault() {
    let lines = |rows: &str, lines: &str| format!("[mine]\nrows = {rows}\nlines = {lines}\n");
    let cases: [(String, &[&str]); 15] = [
        (String::new(), &["no board in it"]),
        ("[mine]\nrows = [1, 2]\nlines = [\"a1 b1\"\n".to_owned(), &["line "]),
        ("[mine]\nrows = [1, 2]\n\nlines = oops\n".to_owned(), &["line 4"]),
        ("[mine]\nrows = [1, 2]\n".to_owned(), &["mine", "lines"]),
        ("[mine]\nrows = [1]\nlines = []\ncolor = 3\n".to_owned(), &["mine", "color"]),
        ("mine = 3\n".to_owned(), &["mine"]),
        (lines("[]", "[]"), &["mine", "rows"]),
        (lines("[1, 10]", "[]"), &["mine", "rows"]),
        (lines("[9, 9, 9, 9]", "[]"), &["mine", "36 points"]),
        (lines("[1, 2]", r#"["a1 b1", "a1 b3"]"#), &["mine", "line 2 \"a1 b3\"", "no point \"b3\""]),
        (lines("[1, 2]", r#"["a1 b1", "b2"]"#), &["mine", "line 2 \"b2\"", "two points"]),
        (lines("[1, 2]", r#"["a1 b1 b2", "b2 b1"]"#), &["mine", "line 2 \"b2 b1\"", "neighbours"]),
        (
            lines("[1, 2]", r#"["b2 a1", "a1 b1 b2"]"#),
            &["mine", "line 2", "from a1 to b2", "step and a leap"],
        ),
        (lines("[1, 2, 1]", r#"["a1 b1 c1", "a1 b2 c1"]"#), &["mine", "line 2", "from a1 to c1", "leaps"]),
        (lines("[1, 3]", r#"["a1 b1", "b2 b3"]"#), &["mine", "no lines lead from a1 to b2"]),
    ];
    for (text, names) in &cases {
        let (_directory, path) = file(text);
        for command in [&["boards"][..], &["perft", "--depth", "1"]] {
            let arguments = [command, &["--board-file", &path]].concat();
            assert_refused(&arguments, names);
            assert_refused(&arguments, &[&path]);
        }
    }
    let (_directory, path) = file(own_boards());
    let arguments = ["perft", "--depth", "1", "--board-file", &path];
    assert_refused(&arguments, &["lopsided, street, widest"]);
    assert_refused(&[&arguments[..], &["--board", "mine"]].concat(), &["\"mine\"", "lopsided", "rect21"]);
}

#[test]
fn bad_input_gets_one_line_that_names_it() {
    let cases: [(&[&str], &[&str]); 37] = [
        (&["--variant", "tablut"], &["\"tablut\"", "demala", "meurimueng"]),
        (&["--variant", ""], &["variant \"\""]),
        (&["--board", "chess"], &["\"chess\"", "rect21"]),
        (&["--dogs", "0"], &["0 dogs", "1 to 18"]),
        (&["--dogs", "19"], &["19 dogs", "1 to 18"]),
        (&["--dogs", "99"], &["99 dogs", "1 to 18"]),
        (&["--dogs", "300"], &["300", "--dogs"]),
        (&["--dogs", "-1"], &["-1"]),
        (&["--dogs", "many"], &["many", "--dogs"]),
        (&["--leopards", "0"], &["0 leopards", "1 to 5"]),
        (&["--leopards", "6"], &["6 leopards", "1 to 5"]),
        (&["--captures", "0"], &["\"0\"", "--captures"]),
        (&["--captures", "16"], &["16 captures", "15"]),
        (&["--captures", "some"], &["some", "--captures", "auto"]),
        (&["--setup", "thrown"], &["thrown", "placed or entered"]),
        (&["--first", "cats"], &["cats", "dogs or leopards"]),
        (&["--repetition", "1"], &["repetition 1"]),
        (&["--quiet-limit", "10001"], &["quiet limit 10001"]),
        (&["--board-file", "no/such/file.toml"], &["no/such/file.toml"]),
        (&["--board-file", "."], &["board file ."]),
        (&["--position", ""], &["position"]),
        (&["--position", "L/2LL2/4/6/4"], &["1 field,", "5"]),
        (&["--position", "L/2LL2/4/6/4 d 15 0 0 0"], &["6 fields", "5"]),
        (&["--position", "L/3/3/3 d 7 0 0"], &["rows", "rect21"]),
        (&["--position", "L/2LL2/4/6/5 d 15 0 0"], &["rows", "row e"]),
        (&["--position", "L/2LL2/4/6/3 d 15 0 0"], &["rows", "row e"]),
        (&["--position", "L/2LL2/4/6/22 d 15 0 0"], &["rows", "row e"]),
        (&["--position", "L/2Lx2/4/6/4 d 15 0 0"], &["rows", "\"x\""]),
        (&["--position", "L/2L3/4/6/4 d 15 0 0"], &["rows", "2 leopards", "3 leopards"]),
        (&["--position", "L/2LL2/4/6/4 w 15 0 0"], &["side", "\"w\""]),
        (&["--position", "L/2LL2/4/6/4 d 19 0 0"], &["hand", "19 dogs"]),
        (&["--position", "L/2LL2/4/6/4 d +1 0 0"], &["hand"]),
        (&["--position", "L/2LL2/4/6/4 d 15 x 0"], &["captured", "\"x\""]),
        (&["--position", "L/2LL2/4/6/4 d 15 0 -1"], &["quiet", "\"-1\""]),
        (&["--depth", "-2"], &["-2"]),
        (&["--tempo", "3"], &["--tempo"]),
        (&["--variant"], &["--variant"]),
    ];
    for (flags, names) in cases {
        let depth: &[&str] = if flags.contains(&"--depth") { &[] } else { &["--depth", "1"] };
        assert_refused(&[&["perft"], depth, flags].concat(), names);
    }
    let others: [(&[&str], &[&str]); 9] = [
        (&["sing"], &["'sing'"]),
        (&["--sing"], &["'--sing'"]),
        (&["perft"], &["--depth"]),
        (&["perft", "--depth", "deep"], &["deep", "--depth"]),
        (&["bench", "--depth", "0"], &["'0'", "--depth"]),
        (&["bench", "--hash", "0"], &["'0'", "--hash"]),
        (&["boards", "chess"], &["\"chess\"", "rect21"]),
        (&["boards", "--svg"], &["--svg"]),
        (&["variants", "hat"], &["'hat'"]),
    ];
    for (arguments, names) in others {
        assert_refused(arguments, names);
    }
}

/// `engine boards | head -1` is no failure.
#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let mut command = std::process::Command::new(Path::new(env!("CARGO_BIN_EXE_koti-engine")));
    command.args(["perft", "--depth", "2"]).stderr(std::process::Stdio::piped());
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.stdout(writer).spawn().and_then(std::process::Child::wait_with_output);
    let output = output.expect("the engine can be started");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

/// The board of 23 points is to be one that the evaluation was not fitted to.
#[test]
fn the_boards_to_fit_to_have_no_more_points_than_demala() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/data/boards.toml");
    let drawn = said(&["boards", "--board-file", path]);
    let points = |line: &str| line.split_once(" points, ")?.0.rsplit(' ').next()?.parse().ok();
    let points: Vec<u32> = drawn.lines().filter_map(points).collect();
    assert_eq!(points.len(), 16, "{drawn}");
    assert!(points.iter().all(|&points| points <= 21), "{points:?}");
}

#[test]
fn weights_are_fitted_to_boards_of_ones_own_and_searched_by() {
    let (directory, boards) = file(
        "[kite]\nrows = [1, 3, 3, 1]\n\
         lines = [\"a1 b1 c1 d1\", \"a1 b2 c2 d1\", \"a1 b3 c3 d1\", \"b1 b2 b3\", \"c1 c2 c3\"]\n",
    );
    let in_directory = |name: &str| directory.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let game = ["--board-file", &boards, "--board", "kite", "--leopards", "1"];
    let tables = in_directory(".");
    assert_eq!(run(&[&["solve", "--dogs", "4", "--out", &tables], &game[..]].concat()).code, 0);
    let samples = ["samples", "--dogs", "2..6", "--count", "500", "--tables", &tables];
    let samples = [&samples[..], &game].concat();
    let positions = in_directory("positions.csv");
    std::fs::write(&positions, said(&samples)).unwrap();

    let weights = in_directory("weights.bin");
    let fit = ["fit", &positions, "--epochs", "1", "--out", &weights];
    let run = run(&fit);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("positions.csv: line 1: unknown board \"kite\""), "{}", run.stderr);
    assert!(!Path::new(&weights).exists());
    said(&[&fit[..], &["--board-file", &boards]].concat());

    let leaves = |flags: &[&str]| said(&[&samples[..], &["--leaves", "300"], flags].concat());
    let by_own = leaves(&["--weights", &weights]);
    assert!(by_own.starts_with("kite,1,"), "{by_own}");
    assert_ne!(by_own, leaves(&[]), "other weights search for other leaves");
}
