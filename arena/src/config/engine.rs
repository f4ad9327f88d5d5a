//! An engine as it is configured.

use super::limit::{Limit, LimitError};
use std::path::PathBuf;

/// The name of the built-in engine, where it is given none.
const BUILT_IN_NAME: &str = "koti";

/// What is started as an engine.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// The engine this program brings along, started as a child like any other.
    BuiltIn,
    /// A program by its path, or by its name where the search path has it.
    Command(PathBuf),
}

/// An engine: what to start, how to set it up, how long it may think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Its name, where one is given.
    pub name: Option<String>,
    /// What is started.
    pub program: Program,
    /// Arguments of the program.
    pub args: Vec<String>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
    /// Its own limit; without one, that of the whole run holds.
    pub limit: Option<Limit>,
}

/// What an engine cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum EngineError {
    #[error("\"{0}\": expected {expected}", expected = SPEC_FORM)]
    NoValue(String),
    #[error("unknown key \"{0}\": expected {keys}", keys = SPEC_KEYS)]
    UnknownKey(String),
    #[error("{0} is given twice")]
    Twice(String),
    #[error("{0} is empty")]
    Empty(String),
    #[error("{0} and {1}: expected one limit")]
    TwoLimits(Limit, Limit),
    #[error("{0} and an option Level: expected one level")]
    TwoLevels(Limit),
    #[error("option {0}: the game is set by the arena's own flags, such as --variant and --dogs")]
    GameOption(String),
    #[error("{0} has a line break or another control character in it")]
    ControlCharacter(String),
    #[error(transparent)]
    Limit(#[from] LimitError),
}

/// The form of an engine description.
const SPEC_FORM: &str = "key=value pairs such as name=a,cmd=./engine,nodes=1000";
/// The keys of an engine description.
const SPEC_KEYS: &str = "name, cmd, args, nodes, depth, level, movetime, tc or option.NAME";

/// The options with which the arena tells an engine the game.
const GAME_OPTIONS: [&str; 10] = [
    "Variant",
    "Board",
    "BoardFile",
    "Dogs",
    "Leopards",
    "Setup",
    "First",
    "Captures",
    "Repetition",
    "QuietLimit",
];

/// The option that a level is set by.
pub const LEVEL_OPTION: &str = "Level";

impl Default for EngineConfig {
    /// The built-in engine.
    fn default() -> Self {
        Self { name: None, program: Program::BuiltIn, args: Vec::new(), options: Vec::new(), limit: None }
    }
}

impl EngineConfig {
    /// The given name, or one made of the program's.
    pub fn base_name(&self) -> String {
        match (&self.name, &self.program) {
            (Some(name), _) => name.clone(),
            (None, Program::BuiltIn) => BUILT_IN_NAME.to_owned(),
            (None, Program::Command(path)) => {
                path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
            }
        }
    }

    /// The value set for an option, whatever the case of its name.
    pub fn option(&self, name: &str) -> Option<&str> {
        let found = self.options.iter().find(|(given, _)| given.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(super) fn set_limit(&mut self, limit: Limit) -> Result<(), EngineError> {
        match self.limit.replace(limit) {
            Some(other) => Err(EngineError::TwoLimits(other, limit)),
            None => Ok(()),
        }
    }

    pub(super) fn set_option(&mut self, name: &str, value: String) -> Result<(), EngineError> {
        if name.is_empty() {
            return Err(EngineError::Empty("the name after \"option.\"".to_owned()));
        }
        if GAME_OPTIONS.iter().any(|option| option.eq_ignore_ascii_case(name)) {
            return Err(EngineError::GameOption(name.to_owned()));
        }
        if self.option(name).is_some() {
            return Err(EngineError::Twice(format!("option {name}")));
        }
        self.options.push((name.to_owned(), value));
        Ok(())
    }

    /// Checks what would break a line of the protocol or a table, and empty texts.
    pub(super) fn check(self) -> Result<Self, EngineError> {
        let name = self.name.iter().map(|name| ("name", name.as_str()));
        let options = self.options.iter().flat_map(|(name, value)| [("option", name), ("option", value)]);
        for (what, text) in name.chain(options.map(|(what, text)| (what, text.as_str()))) {
            if text.contains(char::is_control) {
                return Err(EngineError::ControlCharacter(format!("{what} {text:?}")));
            }
        }
        if self.name.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return Err(EngineError::Empty("name".to_owned()));
        }
        if let Some(limit @ Limit::Level(_)) = self.limit
            && self.option(LEVEL_OPTION).is_some()
        {
            return Err(EngineError::TwoLevels(limit));
        }
        match &self.program {
            Program::Command(path) if path.as_os_str().is_empty() => {
                Err(EngineError::Empty("cmd".to_owned()))
            }
            _ => Ok(self),
        }
    }
}
