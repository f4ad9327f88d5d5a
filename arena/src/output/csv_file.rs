//! CSV files: rows appended as they come, or a whole file at once.

use serde::Serialize;
use std::fs::{File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// A result could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// A CSV file that grows row by row: each is handed to the system whole, and at once.
pub(super) struct GrowingCsv {
    path: PathBuf,
    file: File,
    has_header: bool,
}

impl GrowingCsv {
    /// A file that is written on from where it stands.
    pub(super) const fn new(path: PathBuf, file: File, has_header: bool) -> Self {
        Self { path, file, has_header }
    }

    /// Whether the header has been written: it comes with the first row.
    pub(super) const fn has_header(&self) -> bool {
        self.has_header
    }

    /// Appends the text of a row.
    pub(super) fn append(&mut self, text: io::Result<Vec<u8>>) -> Result<(), WriteError> {
        let written = text.and_then(|text| self.file.write_all(&text));
        self.has_header = true;
        written.map_err(|error| WriteError { path: self.path.clone(), error })
    }
}

/// Writes a CSV file whole: beside it first and then renamed, so that there is never half a file.
pub(super) fn write_csv<R: Serialize>(path: &Path, rows: &[R]) -> Result<(), WriteError> {
    let write = || {
        let text = csv_text(rows, true)?;
        let directory = path.parent().unwrap_or(Path::new("."));
        // Readable as any other file; the user's mask still holds.
        let permissions = Permissions::from_mode(0o666);
        let mut file = tempfile::Builder::new().permissions(permissions).tempfile_in(directory)?;
        file.write_all(&text)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| WriteError { path: path.to_owned(), error })
}

/// Rows as they stand in a file, with a header before them if asked.
pub(super) fn csv_text<R: Serialize>(rows: &[R], header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// A share as the files give it: four decimals, enough for any number of games a person plays.
pub(super) fn share(value: f64) -> String {
    format!("{value:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        number: Option<u32>,
    }

    #[test]
    fn a_file_grows_and_is_whole_after_each_row() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.csv");
        let mut file = GrowingCsv::new(path.clone(), File::create(&path).unwrap(), false);
        file.append(csv_text(&[Row { name: "a,b", number: Some(1) }], !file.has_header())).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "name,number\n\"a,b\",1\n");
        file.append(csv_text(&[Row { name: "c", number: None }], !file.has_header())).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "name,number\n\"a,b\",1\nc,\n");
    }

    #[test]
    fn a_whole_file_replaces_another() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.csv");
        std::fs::write(&path, "old").unwrap();
        write_csv(&path, &[Row { name: "a", number: None }]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "name,number\na,\n");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
        let error = write_csv(&directory.path().join("no/x.csv"), &[Row { name: "a", number: None }]);
        assert!(error.unwrap_err().to_string().contains("no/x.csv: "));
    }
}
