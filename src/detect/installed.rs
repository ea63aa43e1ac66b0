//! The server that is installed on a host, and the host's distribution.

use super::{ServerUnit, System};
use crate::server::ServerSpec;
use ini::{Ini, ParseOption};
use std::path::{Path, PathBuf};

/// The distribution, from `/etc/os-release` (os-release(5)).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OsRelease {
    /// `debian`.
    pub id: String,
    /// `Debian GNU/Linux 12 (bookworm)`.
    pub pretty_name: String,
}

/// Reads `/etc/os-release`, or the vendor's copy.
pub fn os_release(system: &dyn System) -> Option<OsRelease> {
    let text = ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| system.read(Path::new(path)))?;
    let options = ParseOption { enabled_quote: false, enabled_escape: false, ..ParseOption::default() };
    let ini = Ini::load_from_str_opt(&text, options).ok()?;
    let value = |key: &str| {
        let value = ini.general_section().get(key).unwrap_or_default().trim();
        let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
        quoted.unwrap_or(value).to_owned()
    };
    Some(OsRelease { id: value("ID"), pretty_name: value("PRETTY_NAME") })
}

/// Beginnings of the names of Debian packages that hold a server's binary, and whose server it is.
const PACKAGES: &[(&str, &str)] = &[
    ("mariadb-server", "mariadb"),
    ("mysql-server", "mysql"),
    ("mysql-community-server", "mysql"),
    ("percona-xtradb-cluster-server", "pxc"),
    ("percona-server-server", "percona"),
];

/// Where packages put the server's binary.
const BINARIES: [&str; 5] = [
    "/usr/sbin/mariadbd",
    "/usr/sbin/mysqld",
    "/usr/libexec/mariadbd",
    "/usr/libexec/mysqld",
    "/usr/local/mysql/bin/mysqld",
];

/// The installed server and from what it is known: the package database, else what the binary says of itself.
pub fn installed_server(system: &dyn System, unit: Option<&ServerUnit>) -> Option<(ServerSpec, String)> {
    installed_package(system).or_else(|| {
        let from_unit = unit.and_then(|unit| unit.exec_start.first()).map(PathBuf::from);
        let from_unit = from_unit.filter(|path| {
            // A unit may start a script; only a server answers `--version` with its version.
            path.file_name().is_some_and(|name| name == "mysqld" || name == "mariadbd")
        });
        let binaries = from_unit.into_iter().chain(BINARIES.iter().map(PathBuf::from));
        binaries.into_iter().find_map(|binary| {
            let version = system.version_of(&binary)?;
            Some((ServerSpec::parse(version.lines().next()?).ok()?, format!("{} --version", binary.display())))
        })
    })
}

fn installed_package(system: &dyn System) -> Option<(ServerSpec, String)> {
    let path = "/var/lib/dpkg/status";
    let status = system.read(Path::new(path))?;
    // The file is long; only paragraphs whose package could be a server are looked at.
    let candidates = status.split("\n\n").filter(|paragraph| {
        PACKAGES.iter().any(|(prefix, _)| {
            paragraph.trim_start().strip_prefix("Package: ").is_some_and(|package| package.starts_with(prefix))
        })
    });
    let found = candidates.filter_map(server_in).next();
    let (server, package) = found?;
    Some((server, format!("package {package} in {path}")))
}

fn server_in(paragraph: &str) -> Option<(ServerSpec, &str)> {
    let field = |name: &str| paragraph.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let package = field("Package")?;
    let (prefix, flavor) = PACKAGES.iter().find(|(prefix, _)| package.starts_with(prefix))?;
    // `mariadb-server-10.11`, `mysql-server-core-8.0`, not `mariadb-server-plugin-…`.
    let rest = package[prefix.len()..].trim_start_matches("-core");
    let is_server =
        rest.is_empty() || rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if !is_server || !field("Status").is_some_and(|status| status.ends_with(" installed")) {
        return None;
    }
    let version = field("Version")?;
    let version = version.split_once(':').map_or(version, |(_, version)| version);
    let end = version.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(version.len());
    ServerSpec::parse(&format!("{flavor}-{}", version[..end].trim_end_matches('.')))
        .ok()
        .map(|server| (server, package))
}
