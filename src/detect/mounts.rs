//! `/proc/self/mountinfo`: which filesystem holds a path (format: proc_pid_mountinfo(5)).

use super::System;
use std::path::{Path, PathBuf};

/// One mounted filesystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// The directory of the filesystem that is mounted.
    pub root: String,
    /// Where it is mounted.
    pub point: PathBuf,
    /// `ext4`, `overlay`, `nfs4`.
    pub filesystem: String,
    /// `/dev/sda1`, `pool/data`, `server:/export`.
    pub source: String,
    /// Options of the filesystem: the controllers of a cgroup hierarchy.
    pub options: String,
}

/// Every mount, in the order in which they were made.
pub(super) fn mounts(system: &dyn System) -> Vec<Mount> {
    let text = system.read(Path::new("/proc/self/mountinfo")).unwrap_or_default();
    text.lines().filter_map(mount).collect()
}

fn mount(line: &str) -> Option<Mount> {
    let (place, filesystem) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (root, point) = (place.next()?, place.next()?);
    let mut filesystem = filesystem.split(' ');
    Some(Mount {
        root: unescaped(root),
        point: unescaped(point).into(),
        filesystem: filesystem.next()?.to_owned(),
        source: unescaped(filesystem.next()?),
        options: filesystem.next().unwrap_or_default().to_owned(),
    })
}

/// The mount that holds a path whose links are followed: the deepest, and of several at one place the last.
pub(super) fn mount_of<'m>(mounts: &'m [Mount], path: &Path) -> Option<&'m Mount> {
    let holding = mounts.iter().filter(|mount| path.starts_with(&mount.point));
    holding.max_by_key(|mount| mount.point.components().count())
}

/// Blanks and backslashes are written as `\040`, three octal digits.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        let code = after.get(..3).filter(|_| *byte == b'\\').and_then(|digits| str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(code) => {
                bytes.push(code);
                rest = &after[3..];
            }
            None => {
                bytes.push(*byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_optional_fields_and_escapes() {
        let line = r"36 35 98:0 /mnt1 /srv/my\040data rw,noatime master:1 shared:2 - ext3 /dev/root rw,errors=continue";
        let mount = mount(line).expect("a mount");
        assert_eq!(mount.point, PathBuf::from("/srv/my data"));
        assert_eq!((mount.filesystem.as_str(), mount.source.as_str()), ("ext3", "/dev/root"));
    }
}
