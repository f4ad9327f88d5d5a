//! An engine described in one argument: `name=…,cmd=…,args=…,nodes=…,option.NAME=VALUE`.

use super::engine::{EngineConfig, EngineError, Program};
use super::limit::Limit;
use std::str::FromStr;

impl FromStr for EngineConfig {
    type Err = EngineError;

    /// Reads a description. An empty one is the built-in engine. A comma always ends a value: what needs a
    /// comma in it is written in an engine file.
    fn from_str(text: &str) -> Result<Self, EngineError> {
        let mut config = Self::default();
        let mut seen = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| EngineError::NoValue(part.to_owned()))?;
            let key = key.trim();
            if seen.contains(&key) {
                return Err(EngineError::Twice(key.to_owned()));
            }
            seen.push(key);
            match key {
                "name" => config.name = Some(value.to_owned()),
                "cmd" => config.program = Program::Command(value.into()),
                "args" => config.args = value.split_whitespace().map(str::to_owned).collect(),
                _ => {
                    if let Some(option) = key.strip_prefix("option.") {
                        config.set_option(option, value.to_owned())?;
                    } else if let Some(limit) = Limit::parse(key, value) {
                        config.set_limit(limit?)?;
                    } else {
                        return Err(EngineError::UnknownKey(key.to_owned()));
                    }
                }
            }
        }
        config.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> EngineConfig {
        text.parse().unwrap()
    }

    #[test]
    fn a_full_description() {
        let config =
            config("name=a b,cmd=./x,args=-v  --two=2,nodes=1000,option.Hash=64,option.Big Table=/a=b");
        assert_eq!(config.base_name(), "a b");
        assert_eq!(config.program, Program::Command("./x".into()));
        assert_eq!(config.args, ["-v", "--two=2"]);
        assert_eq!(config.limit, Some(Limit::Nodes(1000)));
        assert_eq!((config.option("hash"), config.option("Big Table")), (Some("64"), Some("/a=b")));
    }

    #[test]
    fn what_is_left_out_is_the_built_in_engine_without_a_limit() {
        assert_eq!(config(""), EngineConfig::default());
        assert_eq!(config("depth=3").base_name(), "koti");
        assert_eq!(config("cmd=/usr/bin/other.sh").base_name(), "other");
    }

    #[test]
    fn faults_say_what_was_expected() {
        let cases = [
            ("./x", "\"./x\": expected key=value pairs"),
            ("cmd=./x,", "\"\": expected key=value pairs"),
            ("elo=3", "unknown key \"elo\": expected name, cmd,"),
            ("level=3,option.level=4", "level=3 and an option Level: expected one level"),
            ("level=21", "level=21: expected a whole number from 0 to 20"),
            ("nodes=1,depth=1", "nodes=1 and depth=1: expected one limit"),
            ("nodes=1,nodes=2", "nodes is given twice"),
            ("option.Hash=1,option.hash=2", "option hash is given twice"),
            ("option.=2", "the name after \"option.\" is empty"),
            ("nodes=many", "nodes=many: expected a whole number from 1"),
            ("tc=soon", "tc=soon: expected seconds"),
            ("option.dogs=9", "option dogs: the game is set by the arena's own flags"),
            ("name=", "name is empty"),
            ("cmd=", "cmd is empty"),
            ("name=a\nb", "name \"a\\nb\" has a line break"),
            ("option.X=\u{7}", "option \"\\u{7}\" has a line break"),
        ];
        for (text, expected) in cases {
            let message = text.parse::<EngineConfig>().unwrap_err().to_string();
            assert!(message.contains(expected) && !message.contains('\n'), "{message} lacks {expected}");
        }
    }
}
