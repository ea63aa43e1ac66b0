//! Gives a file new bytes, whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the content of a file that still has the bytes `old`. What a link leads to is replaced, not the link. Permissions,
/// owner and extended attributes stay; whoever reads the file meanwhile sees the old bytes or the new ones.
///
/// # Errors
/// When the file has changed, may not be written, has several names, or cannot be replaced with all that belongs to it.
pub fn replace(path: &Path, old: &[u8], new: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path)?;
    // A file that its owner has made read-only is not changed by way of its directory.
    let file = OpenOptions::new().write(true).open(&path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    if names_of(&metadata) > 1 {
        return Err(io::Error::other("the file has other names (hard links), which would keep the old content"));
    }
    let directory = path.parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let mut draft = tempfile::Builder::new().prefix(".cnflint-").tempfile_in(directory)?;
    draft.write_all(new)?;
    keep_attributes(&path, &metadata, draft.as_file())?;
    draft.as_file().sync_all()?;
    if fs::read(&path)? != old {
        return Err(io::Error::other("the file has changed meanwhile"));
    }
    draft.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn names_of(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
fn names_of(_: &Metadata) -> u64 {
    1
}

#[cfg(unix)]
fn keep_attributes(path: &Path, metadata: &Metadata, draft: &File) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let own = draft.metadata()?;
    if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) {
        std::os::unix::fs::fchown(draft, Some(metadata.uid()), Some(metadata.gid()))?;
    }
    // Behind the owner, since a new owner takes special bits away.
    draft.set_permissions(metadata.permissions())?;
    keep_extended_attributes(path, draft)
}

#[cfg(not(unix))]
fn keep_attributes(_: &Path, metadata: &Metadata, draft: &File) -> io::Result<()> {
    draft.set_permissions(metadata.permissions())
}

/// Access control lists and security labels among them.
#[cfg(target_os = "linux")]
fn keep_extended_attributes(path: &Path, draft: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, fsetxattr, getxattr, listxattr};
    /// The kernel allows no longer lists and values.
    const LONGEST: usize = 64 << 10;
    let mut names = vec![0; LONGEST];
    let length = match listxattr(path, &mut names[..]) {
        Err(rustix::io::Errno::NOTSUP) => return Ok(()),
        listed => listed?,
    };
    let (mut value, mut own) = (vec![0; LONGEST], vec![0; LONGEST]);
    for name in names[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let length = getxattr(path, name, &mut value[..])?;
        let wanted = &value[..length];
        // Often the directory has given the draft the same label already, and setting labels may be forbidden.
        if fgetxattr(draft, name, &mut own[..]).is_ok_and(|length| own[..length] == *wanted) {
            continue;
        }
        fsetxattr(draft, name, wanted, XattrFlags::empty())?;
    }
    Ok(())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn keep_extended_attributes(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(directory: &Path) -> usize {
        fs::read_dir(directory).map_or(0, Iterator::count)
    }

    #[test]
    fn permissions_stay_and_a_link_stays_a_link() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("real.cnf"), directory.path().join("my.cnf"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.cnf", &link).unwrap();
        replace(&link, b"old", b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o640);
        assert_eq!(names(directory.path()), 2, "nothing is left behind");
    }

    #[test]
    fn what_has_changed_or_has_other_names_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        fs::write(&file, "theirs").unwrap();
        assert!(replace(&file, b"old", b"new").unwrap_err().to_string().contains("changed meanwhile"));
        fs::hard_link(&file, directory.path().join("other.cnf")).unwrap();
        assert!(replace(&file, b"theirs", b"new").unwrap_err().to_string().contains("hard links"));
        assert_eq!(fs::read(&file).unwrap(), b"theirs");
        assert_eq!(names(directory.path()), 2, "nothing is left behind");
    }

    /// Only root can give files away.
    #[test]
    fn the_owner_stays() {
        use std::os::unix::fs::{MetadataExt, chown};
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        if chown(&file, Some(1234), Some(4321)).is_err() {
            return;
        }
        replace(&file, b"old", b"new").unwrap();
        let metadata = fs::metadata(&file).unwrap();
        assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777), (1234, 4321, 0o600));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn extended_attributes_stay() {
        use rustix::fs::{XattrFlags, getxattr, setxattr};
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("my.cnf");
        fs::write(&file, "old").unwrap();
        if setxattr(&file, "user.cnflint", b"kept", XattrFlags::empty()).is_err() {
            return; // this file system has none
        }
        replace(&file, b"old", b"new").unwrap();
        let mut value = [0; 16];
        let length = getxattr(&file, "user.cnflint", &mut value[..]).unwrap();
        assert_eq!(&value[..length], b"kept");
    }
}
