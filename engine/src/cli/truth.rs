//! What commands need that ask a table for the truth.

use crate::game::Rules;
use crate::game_args::{GameArgs, NumberRange};
use crate::tables::{Table, TableStore};
use anyhow::Context as _;
use std::path::PathBuf;
use std::sync::Arc;

/// A game and where its table lies.
#[derive(Debug, clap::Args)]
pub(super) struct Truth {
    /// Directory with the table of the game (`engine solve` makes it)
    #[arg(long, value_name = "DIR")]
    tables: PathBuf,
    #[command(flatten)]
    pub(super) game: GameArgs,
}

impl Truth {
    /// The rules with each of these numbers of dogs.
    pub(super) fn rules(&self, dogs: &NumberRange) -> anyhow::Result<Vec<Arc<Rules>>> {
        let rules = |&dogs: &u64| -> anyhow::Result<Arc<Rules>> {
            let dogs = u8::try_from(dogs).with_context(|| format!("{dogs} dogs: expected fewer"))?;
            Ok(Arc::new(self.game.rules(Some(dogs))?))
        };
        let rules = dogs.0.iter().map(rules).collect::<anyhow::Result<Vec<_>>>()?;
        anyhow::ensure!(!rules.is_empty(), "--dogs: expected a number");
        Ok(rules)
    }

    /// The table that serves these rules.
    pub(super) fn table(&self, rules: &Rules) -> anyhow::Result<Arc<Table>> {
        let store = TableStore::open(std::slice::from_ref(&self.tables))?;
        store.find(rules).with_context(|| {
            format!("no table of this game on {} in {}", rules.board().name(), self.tables.display())
        })
    }
}
