//! The grammar, case by case, as real servers took it: `fixtures/grammar/*.toml`. Runs without a server.
//!
//! In the fixtures each character up to U+00FF is one byte, and `⟨x 4090⟩` is the byte `x` 4090 times. Relative names are
//! below `/srv/cnfcase`. `prints` is what `my_print_defaults` printed, one argument per element, on every server, unless the
//! server has its own line; 5.6, which has no such program, printed all on one line. `stops`: the server did not start;
//! `warns`: it went on but wrote to standard error.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use cnflint::optionfile::{Effect, GroupSet, ReadOptions, arguments, default_files, groups_read, read};
use cnflint::server::{Flavor, Server};
use cnflint::source::{FileKind, Files, SourceFile, Sources};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;
use std::path::{Component, Path, PathBuf};

const HOME: &str = "/srv/cnfcase";

const SERVERS: [(&str, Server); 4] = [
    ("mysql-5.6", Server::new(Flavor::Mysql, 5, 6, 24)),
    ("mysql-9.7", Server::new(Flavor::Mysql, 9, 7, 4)),
    ("mariadb-10.11", Server::new(Flavor::Mariadb, 10, 11, 19)),
    ("mariadb-11.8", Server::new(Flavor::Mariadb, 11, 8, 9)),
];

/// Where cnflint differs from what was measured, and why that is meant.
const KNOWN: &[(&str, &str, &str)] = &[
    ("search-std", "mysql-9.7", DEBIAN),
    ("search-home", "mysql-9.7", DEBIAN),
    ("search-home-dup", "mysql-9.7", DEBIAN),
    ("search-home-dup2", "mysql-9.7", DEBIAN),
];

const DEBIAN: &str = "Debian's build does not look into /usr/local/mysql/etc, the vendor's builds do";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// The content of `my.cnf` in every case that has no files of its own.
    file: Option<String>,
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// The content of `my.cnf`, when it is the only file.
    file: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// The file that is named to the program.
    read: Option<String>,
    /// Or where it searches.
    search: Option<Search>,
    groups: Option<Vec<String>>,
    program: Option<String>,
    cwd: Option<PathBuf>,
    #[serde(default)]
    world_writable: Vec<String>,
    #[serde(default)]
    unreadable: Vec<String>,
    #[serde(default)]
    dangling: Vec<String>,
    #[serde(default)]
    directories: Vec<String>,
    prints: Vec<String>,
    #[serde(default, rename = "mysql-5.6")]
    mysql_56: Option<Vec<String>>,
    #[serde(default, rename = "mysql-9.7")]
    mysql_97: Option<Vec<String>>,
    #[serde(default, rename = "mariadb-10.11")]
    mariadb_1011: Option<Vec<String>>,
    #[serde(default, rename = "mariadb-11.8")]
    mariadb_118: Option<Vec<String>>,
    #[serde(default)]
    not_on: Vec<String>,
    #[serde(default)]
    stops: On,
    #[serde(default)]
    warns: On,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    home: Option<PathBuf>,
    mysql_home: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum On {
    All(bool),
    Some(Vec<String>),
}

impl Default for On {
    fn default() -> Self {
        Self::All(false)
    }
}

impl On {
    fn includes(&self, server: &str) -> bool {
        match self {
            Self::All(all) => *all,
            Self::Some(names) => names.iter().any(|name| name == server),
        }
    }
}

/// The bytes that a text of the fixtures stands for.
fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c == '⟨' {
            let (run, after) = rest[c.len_utf8()..].split_once('⟩').unwrap();
            let (byte, count) = run.rsplit_once(' ').unwrap();
            out.extend(bytes(byte).repeat(count.parse().unwrap()));
            rest = after;
        } else {
            out.push(u8::try_from(u32::from(c)).unwrap());
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// A disk with everything that a case puts on it.
#[derive(Default)]
struct Disk {
    files: BTreeMap<PathBuf, Vec<u8>>,
    world_writable: BTreeSet<PathBuf>,
    unreadable: BTreeSet<PathBuf>,
    dangling: BTreeSet<PathBuf>,
    directories: BTreeSet<PathBuf>,
}

impl Disk {
    fn of(case: &Case, shared: Option<&String>) -> Self {
        let paths = |names: &[String]| names.iter().map(|name| place(name)).collect();
        let mut disk = Self {
            world_writable: paths(&case.world_writable),
            unreadable: paths(&case.unreadable),
            dangling: paths(&case.dangling),
            directories: paths(&case.directories),
            files: case.files.iter().map(|(name, text)| (place(name), bytes(text))).collect(),
        };
        if let Some(text) = case.file.as_ref().or(shared.filter(|_| case.files.is_empty())) {
            disk.files.insert(place("my.cnf"), bytes(text));
        }
        disk
    }

    fn everything(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.keys().chain(&self.dangling).chain(&self.directories)
    }
}

/// Fixtures name files by characters that are bytes, too.
fn place(name: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    plain(&Path::new(HOME).join(OsString::from_vec(bytes(name))))
}

/// A path without `.` and `..`, as no case has links to directories.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let path = plain(path);
        if self.unreadable.contains(&path) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.files.get(&path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let path = plain(path);
        if self.unreadable.contains(&path) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let below = self.everything().filter_map(|file| file.strip_prefix(&path).ok());
        let names: BTreeSet<OsString> = below.filter_map(|rest| rest.iter().next()).map(Into::into).collect();
        if names.is_empty() && !self.directories.contains(&path) {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(names.into_iter().collect())
    }

    fn kind(&self, path: &Path) -> io::Result<FileKind> {
        let path = plain(path);
        if self.files.contains_key(&path) {
            return Ok(FileKind::File { world_writable: self.world_writable.contains(&path) });
        }
        if self.dangling.contains(&path) {
            Err(io::ErrorKind::NotFound.into())
        } else {
            self.list(&path).map(|_| FileKind::Directory)
        }
    }
}

fn disagreements(case: &Case, shared: Option<&String>, name: &str, server: Server) -> Option<String> {
    let own = match name {
        "mysql-5.6" => &case.mysql_56,
        "mysql-9.7" => &case.mysql_97,
        "mariadb-10.11" => &case.mariadb_1011,
        _ => &case.mariadb_118,
    };
    let separator = if name == "mysql-5.6" { " " } else { "\n" };
    let expected: Vec<_> = own.as_ref().unwrap_or(&case.prints).iter().map(|line| bytes(line)).collect();
    // A program's own --print-defaults puts all on one line, whatever the server.
    let separator = if case.program.is_some() { " " } else { separator };
    let expected = expected.join(separator.as_bytes());

    let disk = Disk::of(case, shared);
    let roots = match &case.search {
        Some(search) => default_files(server, search.home.as_deref(), search.mysql_home.as_deref()),
        None => vec![place(case.read.as_deref().unwrap_or("my.cnf"))],
    };
    let mut sources = Sources::default();
    let directory = case.cwd.clone().unwrap_or_else(|| HOME.into());
    let roots: Vec<_> = roots
        .into_iter()
        .map(|root| directory.join(root))
        .filter_map(|root| disk.read(&root).ok().map(|bytes| sources.add(SourceFile::new(root, bytes))))
        .collect();
    let options = ReadOptions { server, working_directory: directory, home: Some("/root".into()), include_root: None };
    let document = read(&mut sources, &disk, &roots, &options);

    let groups = match (&case.groups, &case.program) {
        (Some(groups), _) => groups.clone(),
        (None, Some(program)) => groups_read(program, server).iter().map(str::to_owned).collect(),
        (None, None) => vec!["mysqld".to_owned()],
    };
    let set = GroupSet::named(groups.iter().map(String::as_str));
    let real = arguments(&document, &set).join(separator.as_bytes());

    let mut wrong = String::new();
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string().chars().take(200).collect::<String>();
    if real != expected {
        let _ = write!(wrong, "\n    server:  {}\n    cnflint: {}", shown(&expected), shown(&real));
    }
    let stops = case.stops.includes(name);
    if document.stops != stops {
        let _ = write!(wrong, "\n    stops: the server {stops}, cnflint {}", document.stops);
    }
    let warned = document.problems.iter().any(|problem| matches!(problem.effect, Effect::Warns | Effect::StopsFile));
    if !stops && case.warns.includes(name) != warned {
        let _ = write!(wrong, "\n    warns: the server {}, cnflint {:?}", !warned, document.problems);
    }
    (!wrong.is_empty()).then_some(wrong)
}

#[test]
fn every_case_is_read_as_the_servers_read_it() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/grammar");
    let mut report = String::new();
    let (mut count, mut known) = (0, BTreeSet::new());
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let cases: Cases = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for case in &cases.case {
            for (name, server) in SERVERS.into_iter().filter(|(name, _)| !case.not_on.iter().any(|other| other == name))
            {
                count += 1;
                let expected = KNOWN.iter().find(|(case_name, on, _)| *case_name == case.name && *on == name);
                match (disagreements(case, cases.file.as_ref(), name, server), expected) {
                    (Some(_), Some(reason)) => {
                        known.insert(reason);
                    }
                    (Some(wrong), None) => {
                        let _ = write!(report, "\n{} on {name}:{wrong}", case.name);
                    }
                    (None, Some((_, _, reason))) => {
                        let _ = write!(report, "\n{} on {name} agrees now; take out of KNOWN: {reason}", case.name);
                    }
                    (None, None) => {}
                }
            }
        }
    }
    assert!(count > 800, "only {count} cases were run");
    assert!(report.is_empty(), "{report}");
    assert_eq!(known.len(), KNOWN.len(), "a case of KNOWN is gone");
}
