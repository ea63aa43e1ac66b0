//! Where a program looks for option files on Unix.

use crate::server::Server;
use std::path::{Path, PathBuf};

/// The option files that a server reads by itself, in the order in which it does, whether they exist or not.
///
/// Measured on 5.6.24, 9.7.4 and MariaDB 10.11 and 11.8. `/usr/local/mysql/etc` is compiled into MySQL as its vendor builds
/// it, and into none of Debian's. An empty `home` is `/` for the old reader and nothing for the new one; a directory that is
/// named again by `mysql_home` moves to the later place. The file of `--defaults-extra-file` would come before the one in
/// the home directory.
pub fn default_files(server: Server, home: Option<&Path>, mysql_home: Option<&Path>) -> Vec<PathBuf> {
    let mysql = server.flavor.is_mysql_family();
    let mut directories = vec![PathBuf::from("/etc"), PathBuf::from("/etc/mysql")];
    if mysql {
        directories.push(PathBuf::from("/usr/local/mysql/etc"));
    }
    if let Some(extra) = mysql_home.filter(|path| !path.as_os_str().is_empty()) {
        let extra: PathBuf = extra.components().collect();
        directories.retain(|directory| *directory != extra);
        directories.push(extra);
    }
    let mut files: Vec<_> = directories.into_iter().map(|directory| directory.join("my.cnf")).collect();
    match home {
        Some(home) if !home.as_os_str().is_empty() => files.push(home.join(".my.cnf")),
        Some(_) if !(mysql && server.at_least(8, 0, 24)) => files.push(PathBuf::from("/.my.cnf")),
        _ => {}
    }
    files
}

/// Whether a file goes by a name that servers read: `*.cnf` and `my.ini`.
pub fn is_option_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cnf")
        || path.file_name().is_some_and(|name| name == "my.ini")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::Flavor;

    #[test]
    fn directories_move_to_the_later_place() {
        let mariadb = Server::new(Flavor::Mariadb, 10, 11, 19);
        let paths = |home: Option<&str>, mysql_home: Option<&str>| -> Vec<String> {
            let found = default_files(mariadb, home.map(Path::new), mysql_home.map(Path::new));
            found.into_iter().map(|path| path.display().to_string()).collect()
        };
        assert_eq!(paths(Some("/root"), None), ["/etc/my.cnf", "/etc/mysql/my.cnf", "/root/.my.cnf"]);
        assert_eq!(paths(None, Some("/etc/")), ["/etc/mysql/my.cnf", "/etc/my.cnf"]);
        assert_eq!(paths(Some(""), Some("")), ["/etc/my.cnf", "/etc/mysql/my.cnf", "/.my.cnf"]);
    }
}
