//! The directory of a run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The file that makes a directory that of a run.
pub const GAMES: &str = "games.csv";
/// The most runs whose directories are told apart by number.
const MAX_NUMBER: u32 = 10_000;

/// A directory that belongs to this run, and its games file.
#[derive(Debug)]
pub struct OutputDirectory {
    path: PathBuf,
    /// Locked, so that no other run writes to it, until it is closed.
    games: File,
}

/// What is done where a directory holds games already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// They are left alone: it is an error.
    New,
    /// They are deleted.
    Overwrite,
    /// The run they are of is gone on with.
    Resume,
}

/// Why a directory cannot be written to.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum DirectoryError {
    #[error("{} holds the games of a run already: name another directory with --out, go on with --resume, or overwrite with --force", .0.display())]
    Taken(PathBuf),
    #[error("cannot make directory {}: {error}", path.display())]
    Make { path: PathBuf, error: io::Error },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{} is being written by another run", .0.display())]
    Locked(PathBuf),
    #[error("{} is no file: expected the games of a run", .0.display())]
    NoFile(PathBuf),
}

impl OutputDirectory {
    /// Makes the directory and claims it.
    ///
    /// # Errors
    /// It cannot be made or written to, or holds the games of another run, or one that is being played.
    pub fn claim(path: &Path, claim: Claim) -> Result<Self, DirectoryError> {
        std::fs::create_dir_all(path)
            .map_err(|error| DirectoryError::Make { path: path.to_owned(), error })?;
        let file = path.join(GAMES);
        let mut options = OpenOptions::new();
        options.write(true).read(true).create(claim != Claim::New).create_new(claim == Claim::New);
        match options.open(&file) {
            Ok(games) => Self::lock(path, file, games, claim),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(DirectoryError::Taken(file)),
            Err(error) => Err(DirectoryError::Write { path: file, error }),
        }
    }

    /// The directory to go on in, if it holds games; nothing is made.
    ///
    /// # Errors
    /// The games cannot be opened, or are being written.
    pub fn existing(path: &Path) -> Result<Option<Self>, DirectoryError> {
        if path.join(GAMES).exists() { Self::claim(path, Claim::Resume).map(Some) } else { Ok(None) }
    }

    fn lock(path: &Path, file: PathBuf, games: File, claim: Claim) -> Result<Self, DirectoryError> {
        if !games.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(DirectoryError::NoFile(file));
        }
        // Where a file system has no locks there is none, and two runs must not be given one directory.
        if matches!(games.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(DirectoryError::Locked(file));
        }
        if claim == Claim::Overwrite {
            games.set_len(0).map_err(|error| DirectoryError::Write { path: file, error })?;
        }
        Ok(Self { path: path.to_owned(), games })
    }

    /// Claims the directory, or, where it holds the games of an earlier run, the first of `path-2`,
    /// `path-3` and so on that does not.
    ///
    /// # Errors
    /// None can be made or written to.
    pub fn claim_fresh(path: &Path) -> Result<Self, DirectoryError> {
        let numbered = (2..MAX_NUMBER).map(|number| PathBuf::from(format!("{}-{number}", path.display())));
        for path in std::iter::once(path.to_owned()).chain(numbered) {
            match Self::claim(&path, Claim::New) {
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

    /// The games file.
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
        let first = OutputDirectory::claim(&path, Claim::New).unwrap();
        let message = OutputDirectory::claim(&path, Claim::New).unwrap_err().to_string();
        assert!(message.contains("run/games.csv holds the games of a run already"), "{message}");
        assert_eq!(first.path(), path);
        for claim in [Claim::Overwrite, Claim::Resume] {
            let message = OutputDirectory::claim(&path, claim).unwrap_err().to_string();
            assert!(message.ends_with("run/games.csv is being written by another run"), "{message}");
        }
        drop(first);
        std::fs::write(path.join(GAMES), "x").unwrap();
        drop(OutputDirectory::existing(&path).unwrap().unwrap());
        assert_eq!(std::fs::read(path.join(GAMES)).unwrap(), b"x");
        OutputDirectory::claim(&path, Claim::Overwrite).unwrap();
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
        let message = OutputDirectory::claim(&file.path().join("run"), Claim::New).unwrap_err().to_string();
        assert!(message.starts_with("cannot make directory /"), "{message}");
    }
}
