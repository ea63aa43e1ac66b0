//! Which groups of an option file a program reads.
//!
//! Measured by asking the programs of MySQL 5.6.24 (server only) and 9.7.4 and of MariaDB 10.5.23, 10.11.19 and 11.8.9; the
//! server's own list was also seen in recorded `--help` texts of MySQL 5.0 to 8.0.23. What lies between rests on these
//! neighbours: the names are the same on all of them but for the points noted in the code.

use crate::server::{Flavor, Server, ServerSpec, Version, series_of};
use std::borrow::Cow;
use std::cell::LazyCell;

/// The groups that one program reads. In what order they stand in the files decides, not their order here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSet {
    names: Vec<Cow<'static, str>>,
}

impl GroupSet {
    /// The groups of these names, as `my_print_defaults` is told them.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { names: names.into_iter().map(|name| Cow::Owned(name.to_owned())).collect() }
    }

    /// Whether a group of that name is read. Case is ignored, blanks are not.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(name))
    }

    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }

    /// The same groups and those of servers that run as a Windows service of another name than `MySQL`, which read the group of that name,
    /// too (<https://dev.mysql.com/doc/refman/8.4/en/windows-start-service.html>), as far as such names are known: WampServer's.
    #[must_use]
    pub fn with_services(mut self) -> Self {
        self.add(&["wampmysqld", "wampmysqld64", "wampmariadb", "wampmariadb64"]);
        self
    }

    /// The same groups and each of them with a suffix behind it, as `--defaults-group-suffix` asks for.
    #[must_use]
    pub fn with_suffix(mut self, suffix: &str) -> Self {
        if !suffix.is_empty() {
            let suffixed: Vec<_> = self.names.iter().map(|name| Cow::Owned(format!("{name}{suffix}"))).collect();
            self.names.extend(suffixed);
        }
        self
    }
}

/// The groups of every MariaDB client, behind its own (10.5 to 11.8).
const MARIADB_CLIENT: &[&str] = &["client", "client-server", "client-mariadb"];
const MYSQL_CLIENT: &[&str] = &["client"];

/// Client programs by both of their names; MariaDB reads the groups of both.
const CLIENTS: &[(&str, &str)] = &[
    ("mysqldump", "mariadb-dump"),
    ("mysqladmin", "mariadb-admin"),
    ("mysqlbinlog", "mariadb-binlog"),
    ("mysqlcheck", "mariadb-check"),
    ("mysqlimport", "mariadb-import"),
    ("mysqlshow", "mariadb-show"),
    ("mysqlslap", "mariadb-slap"),
    ("mysql_upgrade", "mariadb-upgrade"),
    // In MySQL until 8.0; measured nowhere.
    ("mysqlpump", "mysqlpump"),
];

/// Programs that read one group only: the program, its group.
const ALONE: &[(&str, &str)] = &[
    ("myisamchk", "myisamchk"),
    ("myisampack", "myisampack"),
    ("myisamlog", "myisamlog"),
    ("aria_chk", "aria_chk"),
    ("aria_pack", "ariapack"),
    ("aria_read_log", "aria_read_log"),
    ("aria_dump_log", "aria_dump_log"),
    ("mysql_migrate_keyring", "mysql_migrate_keyring"),
    ("mariadb-tzinfo-to-sql", "mysql_tzinfo_to_sql"),
    ("mysql_tzinfo_to_sql", "mysql_tzinfo_to_sql"),
];

/// Groups that helpers beside the server read: scripts, backup and state transfer of Galera. From their scripts and manuals.
const HELPERS: &[&str] = &[
    "mysqld_multi",
    "mysql.server",
    "mysqlhotcopy",
    "xtrabackup",
    "mysqltest",
    "mysqlrouter",
    "sst",
    "garb",
    "isamchk",
];

/// The groups that a program reads. A program that is not known reads the group of its own name, as `my_print_defaults NAME`
/// would.
pub fn groups_read(program: &str, server: Server) -> GroupSet {
    let mariadb = server.flavor == Flavor::Mariadb;
    let mut set = GroupSet { names: Vec::with_capacity(12) };
    match program {
        "mysqld" | "mariadbd" | "server" => server_groups(&mut set, server),
        "mysqld_safe" | "mariadbd-safe" => {
            server_groups(&mut set, server);
            set.add(mysqld_safe_groups(mariadb));
        }
        "mysqld_multi" | "mariadbd-multi" => {
            server_groups(&mut set, server);
            set.add(&["mysqld_multi"]);
        }
        "mysql_install_db" | "mariadb-install-db" => {
            server_groups(&mut set, server);
            set.add(&["mysql_install_db", "mariadb-install-db"]);
        }
        "mariadb-backup" | "mariabackup" | "xtrabackup" => {
            set.add(&["xtrabackup"]);
            if mariadb {
                set.add(&["mariabackup", "mariadb-backup"]);
            }
            server_groups(&mut set, server);
        }
        "mysql" | "mariadb" => {
            set.add(&["mysql"]);
            if mariadb {
                set.add(&["mariadb-client"]);
            }
            client_groups(&mut set, mariadb);
        }
        "client" => client_groups(&mut set, mariadb),
        "mysql_secure_installation" | "mariadb-secure-installation" => {
            if !mariadb {
                set.add(&["mysql_secure_installation", "mysql"]);
            }
            client_groups(&mut set, mariadb);
        }
        _ => other_program(&mut set, program, mariadb),
    }
    set
}

impl GroupSet {
    fn add(&mut self, names: &[&'static str]) {
        self.names.extend(names.iter().map(|name| Cow::Borrowed(*name)));
    }
}

fn server_groups(set: &mut GroupSet, server: Server) {
    let Version { major, minor, .. } = server.version;
    // MySQL: seen in 9.7.4 and 5.0; a build with NDB Cluster reads it.
    if server.flavor.is_mysql_family() && (server.at_least(9, 0, 0) || !server.at_least(5, 1, 0)) {
        set.add(&["mysql_cluster"]);
    }
    set.add(&["mysqld", "server"]);
    set.names.push(format!("mysqld-{major}.{minor}").into());
    if server.flavor != Flavor::Mariadb {
        return;
    }
    set.add(&["mariadb"]);
    set.names.push(format!("mariadb-{major}.{minor}").into());
    // Major versions: read by 11.8.9, not by 10.11.19; which 11.x began is not known.
    let by_major = server.at_least(11, 8, 0);
    if by_major {
        set.names.push(format!("mariadb-{major}").into());
    }
    // In the headers of 10.4.12 (`MARIADBD_BASE_VERSION`), not read by 10.1.10.
    if server.at_least(10, 4, 12) {
        set.add(&["mariadbd"]);
        set.names.push(format!("mariadbd-{major}.{minor}").into());
        if by_major {
            set.names.push(format!("mariadbd-{major}").into());
        }
    }
    set.add(&["client-server"]);
    // <https://mariadb.com/kb/en/mysqld-configuration-files-and-groups/>: 10.1 and later.
    if server.at_least(10, 1, 0) {
        set.add(&["galera"]);
    }
}

/// The groups that `mysqld_safe` reads besides the server's.
const fn mysqld_safe_groups(mariadb: bool) -> &'static [&'static str] {
    if mariadb {
        &["mysqld_safe", "safe_mysqld", "mariadb_safe", "mariadbd-safe", "mariadbd_safe"]
    } else {
        &["mysqld_safe", "safe_mysqld"]
    }
}

/// Whether `mysqld_safe` reads a group, and no other program does.
pub fn only_mysqld_safe_reads(group: &[u8], server: Server) -> bool {
    let groups = mysqld_safe_groups(server.flavor == Flavor::Mariadb);
    groups.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(group))
}

fn client_groups(set: &mut GroupSet, mariadb: bool) {
    set.add(if mariadb { MARIADB_CLIENT } else { MYSQL_CLIENT });
}

fn other_program(set: &mut GroupSet, program: &str, mariadb: bool) {
    if let Some((mysql_name, mariadb_name)) = CLIENTS.iter().find(|(one, other)| *one == program || *other == program) {
        set.add(&[mysql_name]);
        if mariadb && mysql_name != mariadb_name {
            set.add(&[mariadb_name]);
        }
        client_groups(set, mariadb);
    } else if let Some((_, group)) = ALONE.iter().find(|(one, _)| *one == program) {
        set.add(&[group]);
    } else {
        set.names.push(program.to_owned().into());
    }
}

/// Every program whose groups are known.
fn programs() -> impl Iterator<Item = &'static str> {
    ["mysqld_safe", "mysqld_multi", "mysql_install_db", "mariadb-backup", "mysql", "mysql_secure_installation"]
        .into_iter()
        .chain(CLIENTS.iter().map(|(name, _)| *name))
        .chain(ALONE.iter().map(|(name, _)| *name))
}

fn is_known(group: &[u8], server: Server) -> bool {
    // The clients first: nearly every file has `[client]`, and the names of the server's groups have to be put together.
    let clients = ["mysql", "mysqldump"].into_iter();
    clients.chain(programs()).any(|program| groups_read(program, server).contains(group))
        || HELPERS.iter().any(|helper| helper.as_bytes().eq_ignore_ascii_case(group))
}

/// Whether some program that comes with this server reads the group. A server's group with a number (`mysqld_multi`) or
/// with `@name` behind it (several instances under systemd) is read on request, and so is any group with `.name`, by those that are
/// told `--defaults-group-suffix=.name`.
pub fn any_program_reads(group: &[u8], server: Server) -> bool {
    let is_suffixed = || group.split(|byte| *byte == b'.').next().is_some_and(|base| is_known(base, server));
    is_known(group, server) || instance(group, server).is_some() || group.contains(&b'.') && is_suffixed()
}

/// What tells one of several servers on a host from the others: the `2` of `[mysqld2]`, the `.b` of `[mysqld.b]`.
pub fn instance(group: &[u8], server: Server) -> Option<&[u8]> {
    // Hardly any group looks like one, and only then is it asked for.
    let servers = LazyCell::new(|| groups_read("mysqld", server));
    let end = (1..group.len()).find(|end| {
        let suffix = &group[*end..];
        let marked = matches!(suffix[0], b'@' | b'.') && suffix.len() > 1;
        // `mysqld-9.7.4` is no instance of `mysqld-9.7`.
        let versioned = group[*end - 1].is_ascii_digit();
        !versioned && (marked || suffix.iter().all(u8::is_ascii_digit)) && servers.contains(&group[..*end])
    })?;
    Some(&group[end..])
}

/// Why no program of a server reads a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// It is the group of another release or flavor: `[mysqld-5.7]` for 8.0, `[mariadb]` for MySQL.
    OtherServer(ServerSpec),
    /// It is close to a group that is read: blanks in front, `_` for `-`, a letter too many.
    Misspelt(String),
    /// It names a version in a way that no server reads: `[mysqld-9]`, `[mysqld-8.0.36]`. What this server would read.
    VersionShape(String),
    /// Nothing close is known: another program's group, perhaps.
    Unknown,
}

/// What was probably meant by a group that [`any_program_reads`] denies.
pub fn explain_unread(group: &[u8], server: Server) -> Unread {
    let text = String::from_utf8_lossy(group).trim().to_ascii_lowercase();
    if text.as_bytes() != group.to_ascii_lowercase() && any_program_reads(text.as_bytes(), server) {
        return Unread::Misspelt(text);
    }
    let implied = implied_servers(text.as_bytes());
    if let Some(spec) = implied.filter(|spec| matches!(spec, ServerSpec::Series(_)) || spec.flavor() != server.flavor) {
        return Unread::OtherServer(spec);
    }
    if let Some(base) = version_base(&text) {
        return Unread::VersionShape(format!("{base}-{}.{}", server.version.major, server.version.minor));
    }
    let known: Vec<GroupSet> = programs().map(|program| groups_read(program, server)).collect();
    let plain = text.replace('_', "-");
    let mut best: Option<(usize, &str)> = None;
    for name in known.iter().flat_map(GroupSet::iter) {
        let distance = strsim::damerau_levenshtein(&plain, &name.replace('_', "-"));
        let close = distance <= 2 && distance * 3 <= name.len();
        if close && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    match best {
        Some((_, name)) => Unread::Misspelt(name.to_owned()),
        None if text.starts_with("mysql-server") || text == "mysql_server" => Unread::Misspelt("mysqld".to_owned()),
        None => Unread::Unknown,
    }
}

/// `mysqld` in `mysqld-9` or `mysqld-8.0.36`.
fn version_base(text: &str) -> Option<&'static str> {
    ["mysqld", "mariadbd", "mariadb"].into_iter().find(|base| {
        text.strip_prefix(base).and_then(|rest| rest.strip_prefix(['-', '_'])).is_some_and(|version| {
            !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        })
    })
}

/// Which servers a group is for, by its name alone: a series for `[mariadb-10.11]`, a flavor for `[mariadb]`, nothing for
/// `[mysqld]`, which all of them read. A number that both flavors have says nothing.
pub fn implied_servers(group: &[u8]) -> Option<ServerSpec> {
    let name = std::str::from_utf8(group).ok()?.to_ascii_lowercase();
    // Servers read MAJOR.MINOR and nothing longer.
    let series = |text: &&str| text.matches('.').count() == 1;
    let version = |prefix: &str| name.strip_prefix(prefix).filter(series).and_then(Version::parse);
    if let Some(version) = version("mariadb-").or_else(|| version("mariadbd-")) {
        return Some(
            series_of(Flavor::Mariadb, version).map_or(ServerSpec::Flavor(Flavor::Mariadb), ServerSpec::Series),
        );
    }
    if let Some(version) = version("mysqld-") {
        return match (series_of(Flavor::Mysql, version), series_of(Flavor::Mariadb, version)) {
            (Some(series), None) | (None, Some(series)) => Some(ServerSpec::Series(series)),
            _ => None,
        };
    }
    let is_mariadb = name.starts_with("mariadb")
        || matches!(
            name.as_str(),
            "client-server" | "client-mariadb" | "galera" | "mariabackup" | "aria_chk" | "ariapack"
        );
    match name.as_str() {
        _ if is_mariadb => Some(ServerSpec::Flavor(Flavor::Mariadb)),
        "mysql_cluster" => Some(ServerSpec::Flavor(Flavor::Mysql)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MYSQL97: Server = Server::new(Flavor::Mysql, 9, 7, 4);
    const MYSQL56: Server = Server::new(Flavor::Mysql, 5, 6, 24);
    const MARIADB: Server = Server::new(Flavor::Mariadb, 10, 11, 19);
    const MARIADB118: Server = Server::new(Flavor::Mariadb, 11, 8, 9);

    fn sorted(program: &str, server: Server) -> Vec<String> {
        let mut names: Vec<_> = groups_read(program, server).iter().map(str::to_owned).collect();
        names.sort();
        names
    }

    #[test]
    fn servers_read_what_was_measured() {
        assert_eq!(sorted("mysqld", MYSQL56), ["mysqld", "mysqld-5.6", "server"]);
        assert_eq!(sorted("mysqld", MYSQL97), ["mysql_cluster", "mysqld", "mysqld-9.7", "server"]);
        assert_eq!(
            sorted("mariadbd", MARIADB118),
            [
                "client-server",
                "galera",
                "mariadb",
                "mariadb-11",
                "mariadb-11.8",
                "mariadbd",
                "mariadbd-11",
                "mariadbd-11.8",
                "mysqld",
                "mysqld-11.8",
                "server"
            ]
        );
        let mariadb = groups_read("mysqld", MARIADB);
        assert!(
            mariadb.contains(b"MariaDB-10.11") && !mariadb.contains(b"mariadb-10") && !mariadb.contains(b" mysqld")
        );
        assert!(groups_read("mysqldump", MARIADB).contains(b"mariadb-dump"));
        assert!(!groups_read("mysqldump", MYSQL97).contains(b"client-server"));
    }

    #[test]
    fn instances_are_read_on_request() {
        for group in ["mysqld1", "mysqld@replica", "mariadbd.two", "mysqldump", "client", "client.two", "mysql.server"]
        {
            assert!(any_program_reads(group.as_bytes(), MARIADB), "{group}");
        }
        for group in [" mysqld", "mysqld-5.7", "mysqld-10.11.4", "mysql-server", "mysqld_1x", "nonsense"] {
            assert!(!any_program_reads(group.as_bytes(), MARIADB), "{group}");
        }
    }

    #[test]
    fn what_was_meant() {
        let meant = |group: &str, server| explain_unread(group.as_bytes(), server);
        assert_eq!(meant(" mysqld ", MYSQL97), Unread::Misspelt("mysqld".into()));
        assert_eq!(meant("mysqd", MYSQL97), Unread::Misspelt("mysqld".into()));
        assert_eq!(meant("mysql_server", MYSQL97), Unread::Misspelt("mysqld".into()));
        assert_eq!(meant("client_server", MARIADB), Unread::Misspelt("client-server".into()));
        assert_eq!(meant("mysqld-9", MYSQL97), Unread::VersionShape("mysqld-9.7".into()));
        assert_eq!(meant("mysqld-9.7.4", MYSQL97), Unread::VersionShape("mysqld-9.7".into()));
        assert_eq!(meant("mariadb-10", MARIADB), Unread::VersionShape("mariadb-10.11".into()));
        assert_eq!(meant("mariadb-10", MYSQL97), Unread::OtherServer(ServerSpec::Flavor(Flavor::Mariadb)));
        assert_eq!(meant("mariadbdd", MARIADB), Unread::Misspelt("mariadbd".into()));
        assert!(matches!(meant("mysqld-5.7", MYSQL97), Unread::OtherServer(ServerSpec::Series(_))));
        assert_eq!(meant("mariadb", MYSQL97), Unread::OtherServer(ServerSpec::Flavor(Flavor::Mariadb)));
        assert_eq!(meant("php", MYSQL97), Unread::Unknown);
    }
}
