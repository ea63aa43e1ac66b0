//! The real disk behind [`Files`].

use crate::source::{FileKind, Files};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Ok(FileKind::Directory);
        }
        // The servers look at the permission bits of regular files only.
        Ok(FileKind::File { world_writable: metadata.is_file() && is_world_writable(&metadata) })
    }
}

#[cfg(unix)]
fn is_world_writable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o002 != 0
}

/// Elsewhere the servers do not look at permissions.
#[cfg(not(unix))]
fn is_world_writable(_: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn world_writable_files_are_recognised_and_links_followed() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        fs::write(&file, "[mysqld]\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        let link = directory.path().join("link.cnf");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!(Disk.kind(&link).unwrap(), FileKind::File { world_writable: true });
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(Disk.kind(&link).unwrap(), FileKind::File { world_writable: false });
        assert_eq!(Disk.kind(directory.path()).unwrap(), FileKind::Directory);
        assert_eq!(Disk.list(directory.path()).unwrap().len(), 2);
        assert!(Disk.kind(&directory.path().join("none")).is_err());
    }
}
