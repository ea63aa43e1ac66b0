//! On a build machine, only the repository is looked at: `/etc/mysql/conf.d` there belongs to the runner, not to the database host.

use cnflint::source::{FileKind, Files};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A disk of which only some directories exist.
pub struct Fence<'a> {
    /// The whole disk.
    pub below: &'a dyn Files,
    /// The directories that exist with all that is below them, as absolute paths; `None`: everything does.
    pub within: Option<&'a BTreeSet<PathBuf>>,
}

impl Fence<'_> {
    fn admits(&self, path: &Path) -> io::Result<()> {
        let inside = |within: &BTreeSet<PathBuf>| {
            !path.is_absolute() || path.ancestors().any(|directory| within.contains(directory))
        };
        if self.within.is_none_or(inside) { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

impl Files for Fence<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.admits(path)?;
        self.below.read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.admits(path)?;
        self.below.list(path)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        self.admits(path)?;
        self.below.kind(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnflint::source::MemoryFiles;

    #[test]
    fn a_runner_of_its_own_configuration_is_not_read() {
        let mut disk = MemoryFiles::default();
        disk.insert("/etc/mysql/conf.d/runner.cnf", "[mysqld]\n");
        disk.insert("/repository/db/my.cnf", "[mysqld]\n");
        let within = BTreeSet::from(["/repository".into()]);
        let fence = Fence { below: &disk, within: Some(&within) };
        assert!(fence.list(Path::new("/etc/mysql/conf.d")).is_err());
        assert!(fence.read(Path::new("/repository/db/my.cnf")).is_ok());
        let open = Fence { below: &disk, within: None };
        assert!(open.list(Path::new("/etc/mysql/conf.d")).is_ok());
    }
}
