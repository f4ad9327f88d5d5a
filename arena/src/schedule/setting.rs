//! The game that is played, and how an engine is told.

use engine::game::{CatalogError, Rules, Start, VariantSpec};
use std::path::Path;
use std::sync::Arc;

/// An option of the protocol and its value.
pub type OptionValue = (&'static str, String);

/// A game in the sense of rules.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Name of the preset.
    pub variant: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// All of the game but what `numbers` says.
    board: Vec<OptionValue>,
    /// What may change while the board and the leopards stay.
    numbers: Vec<OptionValue>,
}

impl Setting {
    /// The setting of a game a person asked for; `board_file` is the absolute path of their own boards.
    ///
    /// # Errors
    /// There is no such game.
    pub fn new(spec: &VariantSpec, board_file: Option<&Path>) -> Result<Self, CatalogError> {
        let (variant, rules) = (spec.preset()?.name.clone(), spec.rules()?);
        let config = *rules.config();
        let setup = if config.start == Start::Entered { "entered" } else { "placed" };
        let mut board = vec![("Variant", variant.clone())];
        // An engine checks each option against those before it. With so few pieces every board has room.
        board.extend([("Captures", "auto"), ("Dogs", "1"), ("Leopards", "1")].map(owned));
        board.extend(board_file.map(|path| ("BoardFile", path.display().to_string())));
        board.extend([
            ("Board", rules.board().name().to_owned()),
            ("Leopards", config.leopards.to_string()),
            ("Setup", setup.to_owned()),
            ("First", config.first.to_string()),
            ("Repetition", config.repetition.to_string()),
            ("QuietLimit", config.quiet_limit.to_string()),
        ]);
        let numbers = vec![
            // Of the game before: it might be more than the dogs of this one.
            ("Captures", "auto".to_owned()),
            ("Dogs", config.dogs.to_string()),
            ("Captures", config.captures.to_string()),
        ];
        Ok(Self { variant, rules: Arc::new(rules), board, numbers })
    }

    /// The options that tell an engine this game, in the order in which they make sense, after it has been
    /// told `previous` or nothing.
    pub fn options(&self, previous: Option<&Self>) -> impl Iterator<Item = &OptionValue> {
        let same_board = previous.is_some_and(|previous| previous.board == self.board);
        let same_numbers = same_board && previous.is_some_and(|previous| previous.numbers == self.numbers);
        let board = self.board.iter().filter(move |_| !same_board);
        board.chain(self.numbers.iter().filter(move |_| !same_numbers))
    }
}

fn owned((name, value): (&'static str, &str)) -> OptionValue {
    (name, value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(setting: &Setting, previous: Option<&Setting>) -> String {
        setting.options(previous).map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_engine_is_told_what_it_does_not_know() {
        let setting = |dogs| {
            let spec =
                VariantSpec { variant: Some("aadu-puli".into()), dogs: Some(dogs), ..VariantSpec::default() };
            Setting::new(&spec, None).unwrap()
        };
        let (nine, ten) = (setting(9), setting(10));
        assert_eq!(
            told(&nine, None),
            "Variant=demala-23 Captures=auto Dogs=1 Leopards=1 Board=rect23 Leopards=3 Setup=placed \
             First=dogs Repetition=3 QuietLimit=400 Captures=auto Dogs=9 Captures=auto"
        );
        assert_eq!(told(&ten, Some(&nine)), "Captures=auto Dogs=10 Captures=auto");
        assert_eq!(told(&ten, Some(&ten)), "");
        let hat = Setting::new(&VariantSpec { variant: Some("hat".into()), ..VariantSpec::default() }, None)
            .unwrap();
        assert!(told(&hat, Some(&nine)).starts_with("Variant=hat"));
    }
}
