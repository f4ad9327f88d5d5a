//! What `protocol.md` shows is what happens: its session and its client are taken from the file and run.

use engine::game::{Game, Side, VariantSpec};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tests::{Session, root_path};

/// Stands for words within a line, or for lines.
const ELISION: &str = "…";

fn document() -> String {
    std::fs::read_to_string(root_path().join("protocol.md")).expect("protocol.md can be read")
}

/// The one block fenced with this word after the fence.
fn block(kind: &str) -> String {
    let document = document();
    let fence = format!("\n```{kind}\n");
    let mut parts = document.split(&fence);
    let (Some(_), Some(after), None) = (parts.next(), parts.next(), parts.next()) else {
        panic!("protocol.md: expected one block of {kind}");
    };
    let (block, _) = after.split_once("\n```\n").expect("a block has an end");
    format!("{block}\n")
}

fn engine() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_koti-engine"))
}

/// Whether a line is as shown, an elision standing for one word or more.
fn is_as_shown(shown: &[&str], words: &[&str]) -> bool {
    match shown {
        [] => words.is_empty(),
        [ELISION, rest @ ..] => (1..=words.len()).any(|n| is_as_shown(rest, &words[n..])),
        [word, rest @ ..] => words.first() == Some(word) && is_as_shown(rest, &words[1..]),
    }
}

fn line_is_as_shown(shown: &str, line: &str) -> bool {
    // Drawings keep their blanks.
    shown == line
        || shown.contains(ELISION)
            && is_as_shown(&shown.split(' ').collect::<Vec<_>>(), &line.split(' ').collect::<Vec<_>>())
}

#[test]
fn elisions_stand_for_words() {
    assert!(line_is_as_shown("time … nodes 5 pv …", "time 3 nodes 5 pv a b"));
    assert!(!line_is_as_shown("time … nodes 5", "time 3 nodes 6"));
    assert!(!line_is_as_shown("time … nodes", "time nodes"));
    assert!(!line_is_as_shown("a b", "a  b"));
}

#[test]
fn the_worked_session_is_what_happens() {
    let shown = block("session");
    let mut session = Session::start(engine(), &[]);
    let mut lines = shown.lines().peekable();
    let mut exchanged = 0;
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("> ") {
            session.send(command);
        } else if line == ELISION {
            let next = lines.next().expect("an elision is followed by a line");
            session.until(|line| line_is_as_shown(next, line));
        } else {
            let said = session.line();
            assert!(
                line_is_as_shown(line, &said),
                "shown \"{line}\", said \"{said}\":\n{}",
                session.transcript()
            );
        }
        exchanged += 1;
    }
    assert!(exchanged > 40 && shown.trim_end().ends_with("\n> quit"), "{shown}");
    assert_eq!(session.end_input(), [""; 0], "the session ends where the block ends");
}

#[test]
fn every_option_and_command_and_question_is_explained() {
    let document = document();
    let mut session = Session::start(engine(), &[]);
    session.send("ugi");
    let declared: BTreeSet<String> = session
        .until(|line| line == "ugiok")
        .iter()
        .filter_map(|line| line.strip_prefix("option name ")?.split(' ').next().map(str::to_owned))
        .collect();
    let table = document.split("\n## Options\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let explained: BTreeSet<String> = table
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next().map(str::to_owned))
        .collect();
    assert_eq!(explained, declared);
    // The messages of the engine list what it knows.
    let questions = session.refused("query");
    let questions = questions.split("expected ").nth(1).unwrap();
    for question in questions.split([',', ' ']).filter(|word| !["", "or", "<move>"].contains(word)) {
        let row = document.lines().any(|line| {
            line.starts_with(&format!("| `{question}`")) || line.starts_with(&format!("| `{question} "))
        });
        assert!(row, "query {question} is not explained");
    }
    let limits = session.refused("go quickly");
    for limit in limits.split("expected ").nth(1).unwrap().split([',', ' ']) {
        assert!(["", "or"].contains(&limit) || document.contains(&format!("`{limit}")), "go {limit}");
    }
    session.send("help");
    let help = session.sync();
    let commands: BTreeSet<&str> = help
        .iter()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|word| !word.is_empty())
        .collect();
    assert!(commands.len() >= 12, "{commands:?}");
    for command in commands {
        let row = document.lines().any(|line| {
            line.starts_with(&format!("| `{command}`")) || line.starts_with(&format!("| `{command} "))
        });
        assert!(row, "{command} is not explained");
    }
    session.quit();
}

#[test]
fn the_client_plays_a_game_to_its_end() {
    let python =
        Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        println!("SKIPPED: python3 is not installed, the client of protocol.md was not run");
        return;
    }
    let source = block("python");
    assert!(source.lines().count() <= 42, "the client is to be short");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("client.py");
    std::fs::write(&path, source).unwrap();
    let output = Command::new("python3").arg(&path).arg(engine()).stdin(Stdio::null()).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    let [moves, end] = text.lines().collect::<Vec<_>>()[..] else { panic!("two lines, not\n{text}") };
    let spec = VariantSpec { variant: Some("hat".to_owned()), ..VariantSpec::default() };
    let mut game = Game::new(Arc::new(spec.rules().unwrap()));
    for mv in moves.split(' ') {
        game.play_text(mv).unwrap_or_else(|error| panic!("{error}: {moves}"));
    }
    let reason = game.outcome().expect("the game is over");
    let result = match reason.winner() {
        Some(Side::Dogs) => "p1win",
        Some(Side::Leopards) => "p2win",
        None => "draw",
    };
    assert_eq!(end, format!("{result} {reason}"));
}
