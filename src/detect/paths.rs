//! The paths in a server's files, looked at on this host: there, of the right type, and the server's user may write.

use super::{Entry, EntryKind, ServerUnit, System};
use crate::checks::{FaultyPath, PathFault, Use, Wanted};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

struct User<'a> {
    name: &'a str,
    uid: u32,
}

/// What is wrong with the paths. `user` is what the server will run as. What cannot be looked at is not wrong.
pub fn faulty_paths(
    system: &dyn System,
    unit: Option<&ServerUnit>,
    user: &str,
    wanted: Vec<Wanted>,
) -> Vec<FaultyPath> {
    let user = known_user(system, user);
    let fault = |wanted: &Wanted| hidden(unit, &wanted.path).or_else(|| fault(system, user.as_ref(), wanted));
    wanted
        .into_iter()
        .filter_map(|wanted| fault(&wanted).map(|fault| FaultyPath { option: wanted.option, path: wanted.path, fault }))
        .collect()
}

fn fault(system: &dyn System, user: Option<&User<'_>>, wanted: &Wanted) -> Option<PathFault> {
    let directory = match wanted.purpose {
        Use::FileToRead => {
            return match system.entry(&wanted.path) {
                Err(error) if error.kind() == ErrorKind::NotFound => Some(PathFault::Missing(wanted.path.clone())),
                Ok(Entry { kind: EntryKind::Directory, .. }) => Some(PathFault::NoFile(wanted.path.clone())),
                _ => None,
            };
        }
        Use::FileToWrite => {
            // A log may be a pipe or a device; a directory is none.
            match system.entry(&wanted.path) {
                Ok(Entry { kind: EntryKind::Directory, .. }) => {
                    return Some(PathFault::NoFile(wanted.path.clone()));
                }
                // Who may write to a file that is there is another question than who may make one.
                Ok(_) => return None,
                Err(_) => wanted.path.parent()?.to_owned(),
            }
        }
        Use::Directory | Use::ExistingDirectory => wanted.path.clone(),
    };
    match system.entry(&directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => missing(directory),
        Err(_) => None,
        Ok(Entry { kind: EntryKind::Directory, .. }) if wanted.purpose == Use::ExistingDirectory => None,
        Ok(entry @ Entry { kind: EntryKind::Directory, .. }) => {
            let user = user.filter(|user| may_not_write(user, entry))?;
            let owner = user_name(system, entry.uid).unwrap_or_else(|| format!("user {}", entry.uid));
            Some(PathFault::NotWritable { directory, owner, user: user.name.to_owned() })
        }
        Ok(_) => Some(PathFault::NoDirectory(directory)),
    }
}

/// `/run` is empty after a boot: units and packages make what belongs there just before the server starts.
fn missing(directory: PathBuf) -> Option<PathFault> {
    let volatile = ["/run", "/var/run"].iter().any(|run| directory.starts_with(run));
    (!volatile).then_some(PathFault::Missing(directory))
}

/// Root may write anywhere. Where the group may, the user can be in it, or an access control list stands behind the bit: neither is
/// looked at.
fn may_not_write(user: &User<'_>, entry: Entry) -> bool {
    if user.uid == 0 {
        return false;
    }
    if user.uid == entry.uid {
        return entry.mode & 0o200 == 0;
    }
    entry.mode & 0o022 == 0
}

/// systemd.exec(5): with these values the server sees empty directories there.
fn hidden(unit: Option<&ServerUnit>, path: &Path) -> Option<PathFault> {
    let setting = unit?.setting("ProtectHome")?;
    let hides = ["true", "yes", "1", "on", "tmpfs"].contains(&&*setting.value.to_ascii_lowercase());
    let home = ["/home", "/root", "/run/user"].iter().any(|home| path.starts_with(home));
    (hides && home).then(|| PathFault::Hidden { by: setting.file.clone() })
}

fn known_user<'a>(system: &dyn System, name: &'a str) -> Option<User<'a>> {
    let users = system.read(Path::new("/etc/passwd"))?;
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let uid = line.split(':').nth(2)?.parse().ok()?;
    Some(User { name, uid })
}

fn user_name(system: &dyn System, uid: u32) -> Option<String> {
    let users = system.read(Path::new("/etc/passwd"))?;
    let is_it = |line: &&str| line.split(':').nth(2).and_then(|number| number.parse().ok()) == Some(uid);
    users.lines().find(is_it)?.split(':').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::id;
    use crate::detect::recorded::Recorded;

    fn host() -> Recorded {
        let text = r#"
            [files]
            "/etc/passwd" = "root:x:0:0::/root:/bin/sh\nmysql:x:110:115::/nonexistent:/bin/false\n"
            [entries]
            "/srv" = "directory 0:0 755"
            "/srv/mysql" = "directory 110:115 750"
            "/srv/list" = "directory 0:7 775"
            "/srv/init.sql" = "file 0:0 644"
        "#;
        toml::from_str(text).expect("a recorded host")
    }

    fn said(path: &str, purpose: Use) -> Option<PathFault> {
        let wanted = vec![Wanted { option: id::DATADIR, path: path.into(), purpose }];
        faulty_paths(&host(), None, "mysql", wanted).pop().map(|faulty| faulty.fault)
    }

    #[test]
    fn what_can_be_used_is_silent() {
        assert_eq!(said("/srv/mysql", Use::Directory), None);
        assert_eq!(said("/srv/mysql/binlog", Use::FileToWrite), None);
        assert_eq!(said("/srv/init.sql", Use::FileToRead), None);
        assert_eq!(said("/run/mysqld/mysqld.sock", Use::FileToWrite), None, "made when the server starts");
        assert_eq!(said("/srv/list", Use::Directory), None, "its group, or an access control list, may allow it");
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        let missing = |path: &str| Some(PathFault::Missing(path.into()));
        assert_eq!(said("/srv/other", Use::Directory), missing("/srv/other"));
        assert_eq!(said("/srv/log/error.log", Use::FileToWrite), missing("/srv/log"));
        assert_eq!(said("/srv/init", Use::FileToRead), missing("/srv/init"));
        assert_eq!(said("/srv/init.sql", Use::Directory), Some(PathFault::NoDirectory("/srv/init.sql".into())));
        assert_eq!(said("/srv/mysql", Use::FileToRead), Some(PathFault::NoFile("/srv/mysql".into())));
        let owner = "root".to_owned();
        let unwritable = PathFault::NotWritable { directory: "/srv".into(), owner, user: "mysql".to_owned() };
        assert_eq!(said("/srv", Use::Directory), Some(unwritable));
        assert_eq!(said("/srv", Use::ExistingDirectory), None);
    }
}
