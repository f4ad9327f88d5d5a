//! The tables of one or several directories.

use super::format::EXTENSION;
use super::table::{Table, TableError};
use crate::game::Rules;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The tables found in some directories, their headers read.
#[derive(Debug, Default)]
pub struct TableStore {
    tables: Vec<Arc<Table>>,
}

impl TableStore {
    /// Opens every table in these directories: the files whose names end in `.koti`.
    ///
    /// # Errors
    /// A directory cannot be read, or a table in it is damaged or of another format.
    pub fn open(dirs: &[PathBuf]) -> Result<Self, TableError> {
        let mut tables = Vec::new();
        for dir in dirs {
            for path in table_files(dir)? {
                tables.push(Arc::new(Table::open(&path)?));
            }
        }
        Ok(Self { tables })
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

/// The table files of a directory, by name.
fn table_files(dir: &Path) -> Result<Vec<PathBuf>, TableError> {
    let fault = |error: std::io::Error| TableError::new(dir, error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
