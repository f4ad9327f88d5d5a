//! Running the engine's commands.
#![allow(missing_docs, unreachable_pub, dead_code)] // shared by tests that each use a part

use std::process::{Command, Output};

pub fn engine(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine")).args(arguments).output().expect("the engine starts")
}

pub fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The one line on standard error of a command that fails.
pub fn failure(arguments: &[&str]) -> String {
    let output = engine(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    let message = String::from_utf8(output.stderr).expect("text");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    message
}

/// The lines of a CSV as columns by name.
pub fn rows(text: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), names.len(), "{line}");
        names.iter().zip(fields).map(|(name, field)| ((*name).to_owned(), field.to_owned())).collect()
    };
    lines.map(row).collect()
}
