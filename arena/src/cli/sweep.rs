//! The games of a sweep: several boards, numbers of captures, numbers of dogs.

use crate::schedule::Setting;
use anyhow::{Context as _, anyhow};
use engine::game::{Captures, Rules, VariantSpec};
use engine::game_args::{NumberRange, RuleArgs};
use std::str::FromStr;

/// Numbers of dogs where none are given: so many fewer and more than the preset's.
const DEFAULT_FEWER: u8 = 6;
const DEFAULT_MORE: u8 = 3;

/// The flags of a game, with lists where a sweep goes through several.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Game")]
pub(super) struct SweepArgs {
    /// Presets to play (`engine variants` lists them) [default: demala]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    variant: Vec<String>,
    /// Other boards than the preset's (`engine boards` lists them)
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    board: Vec<String>,
    /// Numbers of dogs, such as 8..18 or 9,12,15 [default: around the preset's, 9..18 for demala]
    #[arg(long, value_name = "RANGE")]
    dogs: Option<NumberRange>,
    /// Captures that win for the leopards: auto, a number, or several: 5..8, or auto,6,7
    #[arg(long, value_name = "RANGE", default_value = "auto")]
    captures: CapturesRange,
    #[command(flatten)]
    rules: RuleArgs,
}

/// Several numbers of captures.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CapturesRange(Vec<Captures>);

impl FromStr for CapturesRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = |_| format!("\"{text}\": expected auto or numbers from 1, such as 7, 5..8 or auto,6");
        let mut all = Vec::new();
        for part in text.split(',') {
            if part == "auto" {
                all.push(Captures::Auto);
            } else {
                let numbers: NumberRange = part.parse().map_err(bad)?;
                let captures = |number: u64| number.to_string().parse::<Captures>().map_err(bad);
                all.extend(numbers.0.into_iter().map(captures).collect::<Result<Vec<_>, _>>()?);
            }
        }
        Ok(Self(all))
    }
}

impl SweepArgs {
    /// One setting for each preset, board, number of captures and number of dogs. Settings that come to the
    /// same are played once.
    pub(super) fn settings(&self) -> anyhow::Result<Vec<Setting>> {
        let specs = self.specs()?;
        let board_file = super::absolute(self.rules.board_file.as_deref())?;
        let mut settings: Vec<Setting> = Vec::new();
        for mut spec in specs {
            let numbers = match &self.dogs {
                Some(range) => range.0.clone(),
                None => default_dogs(&spec)?.into_iter().map(u64::from).collect(),
            };
            for number in numbers {
                let dogs = u8::try_from(number)
                    .map_err(|_| anyhow!("--dogs {number}: no board has room for them"))?;
                spec.dogs = Some(dogs);
                let setting =
                    Setting::new(&spec, board_file.as_deref()).with_context(|| format!("--dogs {dogs}"))?;
                let is_same = |other: &Setting| {
                    let [own, other_rules] = [&setting.rules, &other.rules];
                    other.variant == setting.variant
                        && own.board().name() == other_rules.board().name()
                        && own.dogs() == other_rules.dogs()
                        && own.captures_to_win() == other_rules.captures_to_win()
                };
                if !settings.iter().any(is_same) {
                    settings.push(setting);
                }
            }
        }
        Ok(settings)
    }

    /// Every preset on every board with every number of captures, the dogs left open.
    fn specs(&self) -> anyhow::Result<Vec<VariantSpec>> {
        let or_default = |names: &[String]| -> Vec<Option<String>> {
            if names.is_empty() { vec![None] } else { names.iter().cloned().map(Some).collect() }
        };
        let mut specs = Vec::new();
        for variant in or_default(&self.variant) {
            for board in or_default(&self.board) {
                for &captures in &self.captures.0 {
                    let (variant, board) = (variant.clone(), board.clone());
                    let chosen = VariantSpec { variant, board, captures, ..VariantSpec::default() };
                    specs.push(self.rules.complete(chosen)?);
                }
            }
        }
        Ok(specs)
    }
}

/// Numbers of dogs around the preset's, as far as the board has room and the game is not over from the start.
fn default_dogs(spec: &VariantSpec) -> anyhow::Result<Vec<u8>> {
    let preset = spec.preset()?.dogs;
    let with_one_dog = VariantSpec { dogs: Some(1), captures: Captures::Auto, ..spec.clone() };
    let rules: Rules = with_one_dog.rules()?;
    let room = rules.board().point_count() as u8 - rules.leopards();
    let lowest = preset.saturating_sub(DEFAULT_FEWER).max(rules.least_dogs_to_trap()).min(room);
    Ok((lowest..=(preset + DEFAULT_MORE).clamp(lowest, room)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_are_numbers_ranges_and_auto() {
        let read = |text: &str| text.parse::<CapturesRange>().map(|range| range.0);
        assert_eq!(read("auto").unwrap(), [Captures::Auto]);
        assert_eq!(read("auto,2..3").unwrap(), [Captures::Auto, Captures::Number(2), Captures::Number(3)]);
        for bad in ["", "0", "0..2", "many", "3..1", "300"] {
            assert!(read(bad).unwrap_err().contains("expected auto or numbers from 1"), "{bad}");
        }
    }
}
