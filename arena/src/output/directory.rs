//! The directory of a run.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The file that makes a directory that of a run.
pub(super) const GAMES: &str = "games.csv";
/// The most runs whose directories are told apart by number.
const MAX_NUMBER: u32 = 10_000;

/// A directory that belongs to this run, with an empty games file in it.
#[derive(Debug)]
pub struct OutputDirectory {
    path: PathBuf,
    games: File,
}

/// Why a directory cannot be written to.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum DirectoryError {
    #[error("{} holds the games of a run already: name another directory with --out, or --force", .0.display())]
    Taken(PathBuf),
    #[error("cannot make directory {}: {error}", path.display())]
    Make { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

impl OutputDirectory {
    /// Makes the directory and claims it. Games of an earlier run in it are only overwritten with `force`.
    ///
    /// # Errors
    /// It cannot be made or written to, or holds the games of another run.
    pub fn claim(path: &Path, force: bool) -> Result<Self, DirectoryError> {
        std::fs::create_dir_all(path)
            .map_err(|error| DirectoryError::Make { path: path.to_owned(), error })?;
        let file = path.join(GAMES);
        let mut options = OpenOptions::new();
        options.write(true).truncate(force).create(force).create_new(!force);
        match options.open(&file) {
            Ok(games) => Ok(Self { path: path.to_owned(), games }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(DirectoryError::Taken(file)),
            Err(error) => Err(DirectoryError::Write { path: file, error }),
        }
    }

    /// Claims the directory, or, where it holds the games of an earlier run, the first of `path-2`,
    /// `path-3` and so on that does not.
    ///
    /// # Errors
    /// None can be made or written to.
    pub fn claim_fresh(path: &Path) -> Result<Self, DirectoryError> {
        let numbered = (2..MAX_NUMBER).map(|number| PathBuf::from(format!("{}-{number}", path.display())));
        for path in std::iter::once(path.to_owned()).chain(numbered) {
            match Self::claim(&path, false) {
                Err(DirectoryError::Taken(_)) => {}
                other => return other,
            }
        }
        Err(DirectoryError::Taken(path.to_owned()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The games file, empty.
    pub(super) fn into_games(self) -> (PathBuf, File) {
        (self.path.join(GAMES), self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_run_is_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deep/run");
        let first = OutputDirectory::claim(&path, false).unwrap();
        let message = OutputDirectory::claim(&path, false).unwrap_err().to_string();
        assert!(message.contains("run/games.csv holds the games of a run already"), "{message}");
        assert_eq!(first.path(), path);
        std::fs::write(path.join(GAMES), "x").unwrap();
        OutputDirectory::claim(&path, true).unwrap();
        assert_eq!(std::fs::read(path.join(GAMES)).unwrap(), b"");
    }

    #[test]
    fn fresh_directories_are_numbered() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let names: Vec<_> = (0..3)
            .map(|_| OutputDirectory::claim_fresh(&path).unwrap().path().file_name().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["run", "run-2", "run-3"]);
    }

    #[test]
    fn what_is_no_directory_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let message = OutputDirectory::claim(&file.path().join("run"), false).unwrap_err().to_string();
        assert!(message.starts_with("cannot make directory /"), "{message}");
    }
}
