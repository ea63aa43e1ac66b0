//! One file laid over a disk: `--as` lints a candidate as if it stood at its place.

use cnflint::source::{FileKind, Files};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// A disk on which one more file stands, or stands with other bytes.
pub struct Overlay<'a> {
    /// The disk below.
    pub below: &'a dyn Files,
    /// Where the file stands, and its bytes; `None` leaves the disk as it is.
    pub file: Option<(PathBuf, Vec<u8>)>,
}

impl Overlay<'_> {
    fn bytes_at(&self, path: &Path) -> Option<&[u8]> {
        self.file.as_ref().filter(|(place, _)| place == path).map(|(_, bytes)| bytes.as_slice())
    }
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.bytes_at(path).map_or_else(|| self.below.read(path), |bytes| Ok(bytes.to_vec()))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let Some((place, _)) = self.file.as_ref().filter(|(place, _)| place.parent() == Some(path)) else {
            return self.below.list(path);
        };
        // A candidate may bring its directory with it.
        let mut names = match self.below.list(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            listed => listed?,
        };
        let name = place.file_name().unwrap_or_default();
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        Ok(names)
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        if self.bytes_at(path).is_some() {
            return Ok(FileKind::File { world_writable: false });
        }
        match self.below.kind(path) {
            Err(_) if self.file.as_ref().is_some_and(|(place, _)| place.starts_with(path)) => Ok(FileKind::Directory),
            kind => kind,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnflint::source::MemoryFiles;

    #[test]
    fn a_candidate_stands_among_the_installed_files() {
        let mut disk = MemoryFiles::default();
        disk.insert("/etc/mysql/conf.d/a.cnf", "old");
        let with = |place: &str| Overlay { below: &disk, file: Some((place.into(), b"new".to_vec())) };
        let replaced = with("/etc/mysql/conf.d/a.cnf");
        assert_eq!(replaced.read(Path::new("/etc/mysql/conf.d/a.cnf")).unwrap(), b"new");
        assert_eq!(replaced.list(Path::new("/etc/mysql/conf.d")).unwrap(), ["a.cnf"]);
        let added = with("/etc/mysql/conf.d/b.cnf");
        assert_eq!(added.list(Path::new("/etc/mysql/conf.d")).unwrap(), ["a.cnf", "b.cnf"]);
        let alone = with("/srv/new.d/x.cnf");
        assert_eq!(alone.list(Path::new("/srv/new.d")).unwrap(), ["x.cnf"]);
        assert_eq!(alone.kind(Path::new("/srv/new.d")).unwrap(), FileKind::Directory);
    }
}
