//! Files that are there whole or not at all.

use anyhow::Context as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file yet to be written: begun beside its place, so that a place that cannot be written to is known before the
/// work is done, and renamed in the end.
pub(super) struct WholeFile {
    /// What it is and where, for messages.
    name: String,
    path: PathBuf,
    beside: NamedTempFile,
}

impl WholeFile {
    /// Begins a file; `what` it holds is said where it cannot be written.
    ///
    /// # Errors
    /// Nothing can be written there.
    pub(super) fn begin(what: &str, path: &Path) -> anyhow::Result<Self> {
        let directory = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As any file: what the umask leaves of these.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let name = format!("{what} {}", path.display());
        let beside = builder.tempfile_in(directory).with_context(|| format!("cannot write {name}"))?;
        Ok(Self { name, path: path.to_owned(), beside })
    }

    /// Writes all of it and puts it in its place.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn finish(mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.beside.write_all(bytes).and_then(|()| Ok(self.beside.persist(&self.path)?));
        written.map(drop).with_context(|| format!("cannot write {}", self.name))
    }
}
