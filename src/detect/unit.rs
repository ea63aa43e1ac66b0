//! The server's systemd unit with its drop-ins, read as INI: systemd.unit(5), systemd.syntax(7).

use super::System;
use ini::{Ini, ParseOption};
use std::path::{Path, PathBuf};

/// The names that packages of MySQL, MariaDB and Percona Server give their unit.
const NAMES: [&str; 3] = ["mariadb.service", "mysql.service", "mysqld.service"];

/// Where units and drop-ins lie; the earlier outranks the later.
const DIRECTORIES: [&str; 7] = [
    "/etc/systemd/system.control",
    "/run/systemd/system.control",
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
];

/// One setting of the unit's `[Service]`, and the file that decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitSetting {
    /// `MemoryMax`.
    pub name: String,
    /// The last value that was assigned.
    pub value: String,
    /// The unit file or drop-in.
    pub file: String,
}

/// The server's unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerUnit {
    /// `mariadb.service`.
    pub name: String,
    /// What starts the server: the binary, then its arguments; variables are left out.
    pub exec_start: Vec<String>,
    /// The unit's control group, where systemd runs this host.
    pub control_group: Option<String>,
    settings: Vec<UnitSetting>,
}

impl ServerUnit {
    /// A setting that has a value.
    pub fn setting(&self, name: &str) -> Option<&UnitSetting> {
        self.settings.iter().rev().find(|setting| setting.name == name).filter(|setting| !setting.value.is_empty())
    }

    /// The value of an argument of the server: `argument("--defaults-file")`.
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.exec_start.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }
}

/// Finds the unit that starts a server, reads it and its drop-ins.
pub fn server_unit(system: &dyn System) -> Option<ServerUnit> {
    let (alias, file) = NAMES.iter().find_map(|name| {
        DIRECTORIES.iter().find_map(|directory| {
            let path = Path::new(directory).join(name);
            let file = system.resolve(&path)?;
            // A unit linked to /dev/null is masked.
            (file != Path::new("/dev/null") && system.read(&file).is_some()).then_some((*name, file))
        })
    })?;
    // `mysql.service` may be a link to `mariadb.service`; drop-ins of both names count.
    let name =
        file.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".service")).unwrap_or(alias);
    let mut unit = ServerUnit { name: name.to_owned(), ..ServerUnit::default() };
    let mut names = vec!["service", name];
    if alias != name {
        names.push(alias);
    }
    unit.read(system, &file);
    for drop_in in drop_ins(system, &names) {
        unit.read(system, &drop_in);
    }
    let start = unit.setting("ExecStart").map(|setting| words(&setting.value)).unwrap_or_default();
    unit.exec_start = start;
    if system.resolve(Path::new("/run/systemd/system")).is_some() {
        let slice = unit.setting("Slice").map_or("system.slice", |setting| setting.value.as_str());
        unit.control_group = Some(format!("{}/{}", slice_path(slice), unit.name));
    }
    Some(unit)
}

impl ServerUnit {
    fn read(&mut self, system: &dyn System, path: &Path) {
        // systemd has its own rules for quotes and backslashes.
        let options = ParseOption { enabled_quote: false, enabled_escape: false, ..ParseOption::default() };
        let Some(ini) = system.read(path).and_then(|text| Ini::load_from_str_opt(&text, options).ok()) else { return };
        for (name, value) in ini.section_all(Some("Service")).flat_map(|section| section.iter()) {
            let file = path.display().to_string();
            self.settings.push(UnitSetting { name: name.to_owned(), value: value.trim().to_owned(), file });
        }
    }
}

/// The drop-ins in the order in which they are read: by file name, a file hiding its namesakes in directories of lower rank.
fn drop_ins(system: &dyn System, units: &[&str]) -> Vec<PathBuf> {
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    for directory in DIRECTORIES {
        for unit in units {
            let directory = Path::new(directory).join(format!("{unit}.d"));
            for name in system.list(&directory).into_iter().filter(|name| name.ends_with(".conf")) {
                if found.iter().all(|(known, _)| *known != name) {
                    let path = directory.join(&name);
                    found.push((name, path));
                }
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// The words of a command line, quotes taken off; words that start with `$` are only known when the unit runs.
fn words(command: &str) -> Vec<String> {
    // `-`, `@`, `:`, `+` and `!` before the binary say how it is run.
    let mut rest = command.trim_start_matches(['-', '@', ':', '+', '!']).chars();
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    while let Some(letter) = rest.next() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            ('\\', _) => word.get_or_insert_default().extend(rest.next()),
            (letter, None) if letter.is_whitespace() => words.extend(word.take()),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words.retain(|word| !word.starts_with('$'));
    words
}

/// `a-b.slice` lies in `a.slice`: systemd.slice(5).
fn slice_path(slice: &str) -> String {
    let stem = slice.strip_suffix(".slice").unwrap_or(slice);
    let ends = stem.match_indices('-').map(|(at, _)| at).chain([stem.len()]);
    ends.map(|end| format!("/{}.slice", &stem[..end])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_split_as_systemd_splits_them() {
        let line = r#"-/usr/sbin/mysqld "--defaults-file=/etc/my own.cnf" --x=a\ b $MYSQLD_OPTS ${Y}"#;
        assert_eq!(words(line), ["/usr/sbin/mysqld", "--defaults-file=/etc/my own.cnf", "--x=a b"]);
    }

    #[test]
    fn slices_nest_by_their_dashes() {
        assert_eq!(slice_path("system.slice"), "/system.slice");
        assert_eq!(slice_path("db-main.slice"), "/db.slice/db-main.slice");
    }
}
