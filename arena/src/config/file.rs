//! Engines described in a TOML file.

use super::engine::{EngineConfig, EngineError, Program};
use super::limit::Limit;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Why an engine file cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FileError {
    #[error("cannot read engine file {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("engine file {}: {fault}", path.display())]
    Syntax { path: PathBuf, fault: String },
    #[error("engine file {}: no engine in it: expected a table [[engine]]", .0.display())]
    None(PathBuf),
    #[error("engine file {}: engine {number}: {error}", path.display())]
    Engine { path: PathBuf, number: usize, error: EngineError },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineFile {
    #[serde(default)]
    engine: Vec<EngineEntry>,
}

/// The keys are those of a description on the command line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineEntry {
    name: Option<String>,
    cmd: Option<PathBuf>,
    #[serde(default)]
    args: Args,
    nodes: Option<u64>,
    depth: Option<u64>,
    level: Option<u64>,
    movetime: Option<u64>,
    tc: Option<String>,
    #[serde(default)]
    option: toml::Table,
}

/// Arguments as a list, or as one text with blanks between.
#[derive(Deserialize)]
#[serde(untagged)]
enum Args {
    List(Vec<String>),
    Text(String),
}

impl Default for Args {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

/// Reads the engines of a file: a table `[[engine]]` each, with the keys of a description on the command
/// line and the options in `[engine.option]`.
///
/// # Errors
/// The file cannot be read, is no such file, or describes an engine that cannot be; the message names it.
pub fn read_engine_file(path: &Path) -> Result<Vec<EngineConfig>, FileError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| FileError::Read { path: path.to_owned(), error })?;
    let file: EngineFile = toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let message = error.message().split_whitespace().collect::<Vec<_>>().join(" ");
        FileError::Syntax { path: path.to_owned(), fault: format!("line {line}: {message}") }
    })?;
    if file.engine.is_empty() {
        return Err(FileError::None(path.to_owned()));
    }
    let engines = file.engine.into_iter().zip(1..);
    engines
        .map(|(entry, number)| {
            entry.config().map_err(|error| FileError::Engine { path: path.to_owned(), number, error })
        })
        .collect()
}

impl EngineEntry {
    fn config(self) -> Result<EngineConfig, EngineError> {
        let args = match self.args {
            Args::List(list) => list,
            Args::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
        };
        let program = self.cmd.map_or(Program::BuiltIn, Program::Command);
        let mut config = EngineConfig { name: self.name, program, args, ..EngineConfig::default() };
        let numbers = [
            ("nodes", self.nodes),
            ("depth", self.depth),
            ("level", self.level),
            ("movetime", self.movetime),
        ];
        let limits = numbers.map(|(name, number)| (name, number.map(|n| n.to_string())));
        for (name, value) in limits.into_iter().chain([("tc", self.tc)]) {
            if let Some(limit) = value.and_then(|value| Limit::parse(name, &value)) {
                config.set_limit(limit?)?;
            }
        }
        for (name, value) in self.option {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            config.set_option(&name, text)?;
        }
        config.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<EngineConfig>, FileError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        read_engine_file(file.path())
    }

    #[test]
    fn a_file_says_what_descriptions_say() {
        let text = r#"
            [[engine]]
            name = "a"
            cmd = "./x"
            args = ["one", "two, three"]
            tc = "10+0.1"
            [engine.option]
            Hash = 64
            TablePath = "/a,b"

            [[engine]]
            args = "-v -w"
            nodes = 100
        "#;
        let engines = read(text).unwrap();
        assert_eq!(engines[0].args, ["one", "two, three"]);
        assert_eq!((engines[0].option("hash"), engines[0].option("TablePath")), (Some("64"), Some("/a,b")));
        assert_eq!(engines[0].limit.unwrap().to_string(), "tc=10+0.1");
        assert_eq!(engines[1], "args=-v -w,nodes=100".parse().unwrap());
    }

    #[test]
    fn faults_name_file_and_place() {
        let cases = [
            ("", "no engine in it"),
            ("[[engine]]\nnodes = 0", "engine 1: nodes=0: expected"),
            ("[[engine]]\n[[engine]]\nnodes = 1\ndepth = 1", "engine 2: nodes=1 and depth=1"),
            ("[[engine]]\nspeed = 1", "line 2: unknown field `speed`"),
            ("[[engine]]\n[engine.option]\nDogs = 9", "engine 1: option Dogs: the game is set"),
            ("engine", "line 1:"),
        ];
        for (text, expected) in cases {
            let message = read(text).unwrap_err().to_string();
            assert!(message.starts_with("engine file /"), "{message}");
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
        }
        let missing = read_engine_file(Path::new("/no/such.toml")).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read engine file /no/such.toml: No such file"), "{missing}");
    }
}
