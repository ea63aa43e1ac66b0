//! Which server is meant: flavor, version, the release series, and what `--server` accepts.

use std::fmt;

/// A family of servers that share one set of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flavor {
    /// MySQL.
    Mysql,
    /// MariaDB.
    Mariadb,
    /// Percona Server for MySQL.
    Percona,
    /// Percona XtraDB Cluster.
    Pxc,
}

impl Flavor {
    /// Every flavor.
    pub const ALL: [Self; 4] = [Self::Mysql, Self::Mariadb, Self::Percona, Self::Pxc];

    /// The name in `--server`, rule files and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mysql => "mysql",
            Self::Mariadb => "mariadb",
            Self::Percona => "percona",
            Self::Pxc => "pxc",
        }
    }

    /// The name people write.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Mysql => "MySQL",
            Self::Mariadb => "MariaDB",
            Self::Percona => "Percona Server",
            Self::Pxc => "Percona XtraDB Cluster",
        }
    }

    /// The flavor of that [`Flavor::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flavor| flavor.name() == name)
    }

    /// The server that this one is built on: what that one knows, this one knows too.
    pub const fn upstream(self) -> Option<Self> {
        match self {
            Self::Pxc => Some(Self::Percona),
            Self::Percona => Some(Self::Mysql),
            Self::Mysql | Self::Mariadb => None,
        }
    }

    /// This flavor, then what it is built on, to the root.
    pub fn lineage(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |flavor| flavor.upstream())
    }

    /// Whether this is MySQL or built on it.
    pub const fn is_mysql_family(self) -> bool {
        !matches!(self, Self::Mariadb)
    }
}

/// A release number: `8.0.36`. What a vendor appends (`-28`, `-MariaDB`, `-log`) does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 8 in 8.0.36.
    pub major: u16,
    /// 0 in 8.0.36.
    pub minor: u16,
    /// 36 in 8.0.36.
    pub patch: u16,
}

impl Version {
    /// The version of these three numbers.
    pub const fn new(major: u16, minor: u16, patch: u16) -> Self {
        Self { major, minor, patch }
    }

    /// Reads `8.0.36` or `8.0` (patch 0).
    pub fn parse(text: &str) -> Option<Self> {
        let (version, has_patch, rest) = read_version(text)?;
        let _ = has_patch;
        rest.is_empty().then_some(version)
    }

    /// Packs the version into one ordered number.
    pub const fn packed(self) -> u32 {
        let minor = if self.minor > 255 { 255 } else { self.minor };
        let patch = if self.patch > 4095 { 4095 } else { self.patch };
        (self.major as u32) << 20 | (minor as u32) << 12 | patch as u32
    }

    /// The inverse of [`Version::packed`].
    pub const fn unpacked(packed: u32) -> Self {
        Self::new((packed >> 20) as u16, (packed >> 12 & 0xff) as u16, (packed & 0xfff) as u16)
    }

    /// Whether both belong to one release series (`8.0`).
    pub fn same_series(self, other: Self) -> bool {
        (self.major, self.minor) == (other.major, other.minor)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// One exact server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Server {
    /// The flavor.
    pub flavor: Flavor,
    /// The exact release.
    pub version: Version,
}

impl Server {
    /// The server of that flavor and release.
    pub const fn new(flavor: Flavor, major: u16, minor: u16, patch: u16) -> Self {
        Self { flavor, version: Version::new(major, minor, patch) }
    }

    /// Whether the version is at least this one.
    pub fn at_least(self, major: u16, minor: u16, patch: u16) -> bool {
        self.version >= Version::new(major, minor, patch)
    }

    /// How this server reads the lines of an option file.
    ///
    /// Measured on 5.6.24, 9.7.4 and MariaDB 10.5, 10.11, 11.8. The sources of MySQL 8.0.32 read whole lines
    /// (<https://github.com/mysql/mysql-server/blob/mysql-8.0.32/mysys/my_default.cc>, `mysql_file_getline`); FreeBSD's port
    /// patches the old reader in June 2020 (8.0.20) and the new one in the week of 8.0.24 (April 2021).
    pub fn dialect(self) -> Dialect {
        if self.flavor.is_mysql_family() && self.at_least(8, 0, 24) { Dialect::WholeLines } else { Dialect::Pieces }
    }

    /// Whether a unique beginning of an option name stands for it.
    ///
    /// Measured: 5.6 and every MariaDB take it, 9.7 does not. 5.7 took it away (<https://dev.mysql.com/worklog/task/?id=6978>).
    pub fn takes_abbreviations(self) -> bool {
        self.flavor == Flavor::Mariadb || self.version < Version::new(5, 7, 0)
    }

    /// Whether `mysqld-auto.cnf` in the data directory outranks option files and command line: MySQL 8.0 and later.
    pub fn reads_persisted_variables(self) -> bool {
        self.flavor.is_mysql_family() && self.at_least(8, 0, 0)
    }

    /// Whether option names are compared without regard to case (measured: MariaDB 10.11 and 11.8 do, 10.5 and MySQL do not).
    pub fn ignores_case_of_names(self) -> bool {
        self.flavor == Flavor::Mariadb && self.at_least(10, 6, 0)
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.flavor.name(), self.version)
    }
}

/// The two ways in which servers cut an option file into lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Pieces of at most 4094 bytes: MySQL before 8.0.24, every MariaDB.
    Pieces,
    /// Whole lines of any length: MySQL from 8.0.24 on.
    WholeLines,
}

/// A release series: every version from the first general release to the last one known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The flavor.
    pub flavor: Flavor,
    /// The first release meant for production.
    pub first: Version,
    /// The last release; for a maintained series the newest that this build knows.
    pub last: Version,
    /// Whether the vendor still mends it.
    pub maintained: bool,
}

const fn series(flavor: Flavor, major: u16, minor: u16, first: u16, last: u16, maintained: bool) -> Series {
    Series { flavor, first: Version::new(major, minor, first), last: Version::new(major, minor, last), maintained }
}

/// The known series, oldest first within a flavor.
///
/// Support dates: <https://www.oracle.com/us/assets/lifetime-support-technology-069183.pdf> (8.0 until April 2026),
/// <https://mariadb.org/about/#maintenance-policy> (10.6 until July 2026), <https://www.percona.com/services/policies/percona-software-support-lifecycle>.
pub const SERIES: &[Series] = &[
    series(Flavor::Mysql, 5, 5, 8, 62, false),
    series(Flavor::Mysql, 5, 6, 10, 51, false),
    series(Flavor::Mysql, 5, 7, 9, 44, false),
    series(Flavor::Mysql, 8, 0, 11, 46, false),
    series(Flavor::Mysql, 8, 1, 0, 0, false),
    series(Flavor::Mysql, 8, 2, 0, 0, false),
    series(Flavor::Mysql, 8, 3, 0, 0, false),
    series(Flavor::Mysql, 8, 4, 0, 8, true),
    series(Flavor::Mysql, 9, 0, 0, 1, false),
    series(Flavor::Mysql, 9, 1, 0, 0, false),
    series(Flavor::Mysql, 9, 2, 0, 0, false),
    series(Flavor::Mysql, 9, 3, 0, 0, false),
    series(Flavor::Mysql, 9, 4, 0, 0, false),
    series(Flavor::Mysql, 9, 5, 0, 0, false),
    series(Flavor::Mysql, 9, 6, 0, 0, false),
    series(Flavor::Mysql, 9, 7, 0, 4, true),
    series(Flavor::Mariadb, 5, 5, 23, 68, false),
    series(Flavor::Mariadb, 10, 0, 10, 38, false),
    series(Flavor::Mariadb, 10, 1, 8, 48, false),
    series(Flavor::Mariadb, 10, 2, 6, 44, false),
    series(Flavor::Mariadb, 10, 3, 7, 39, false),
    series(Flavor::Mariadb, 10, 4, 6, 34, false),
    series(Flavor::Mariadb, 10, 5, 4, 29, false),
    series(Flavor::Mariadb, 10, 6, 3, 25, false),
    series(Flavor::Mariadb, 10, 7, 2, 8, false),
    series(Flavor::Mariadb, 10, 8, 3, 8, false),
    series(Flavor::Mariadb, 10, 9, 2, 8, false),
    series(Flavor::Mariadb, 10, 10, 2, 7, false),
    series(Flavor::Mariadb, 10, 11, 2, 19, true),
    series(Flavor::Mariadb, 11, 0, 2, 6, false),
    series(Flavor::Mariadb, 11, 1, 2, 6, false),
    series(Flavor::Mariadb, 11, 2, 2, 6, false),
    series(Flavor::Mariadb, 11, 3, 2, 2, false),
    series(Flavor::Mariadb, 11, 4, 2, 9, true),
    series(Flavor::Mariadb, 11, 5, 2, 2, false),
    series(Flavor::Mariadb, 11, 6, 2, 2, false),
    series(Flavor::Mariadb, 11, 7, 2, 2, false),
    series(Flavor::Mariadb, 11, 8, 2, 9, true),
    series(Flavor::Mariadb, 12, 0, 2, 2, false),
    series(Flavor::Mariadb, 12, 1, 2, 2, false),
    series(Flavor::Mariadb, 12, 2, 2, 2, false),
    series(Flavor::Mariadb, 12, 3, 2, 2, true),
    series(Flavor::Percona, 5, 5, 20, 62, false),
    series(Flavor::Percona, 5, 6, 13, 51, false),
    series(Flavor::Percona, 5, 7, 10, 44, false),
    series(Flavor::Percona, 8, 0, 13, 46, false),
    series(Flavor::Percona, 8, 4, 0, 8, true),
    series(Flavor::Pxc, 5, 6, 14, 51, false),
    series(Flavor::Pxc, 5, 7, 11, 44, false),
    series(Flavor::Pxc, 8, 0, 18, 46, false),
    series(Flavor::Pxc, 8, 4, 0, 8, true),
];

/// What `--server` was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerSpec {
    /// An exact release.
    Exact(Server),
    /// A whole series: both of its ends are looked at.
    Series(Series),
    /// A flavor without a version.
    Flavor(Flavor),
}

/// Why a text names no server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ServerError {
    /// Neither a flavor nor a number stands in the text.
    #[error("`{0}` names no server; write for example mysql-8.4, mariadb-10.11.6 or percona-8.0")]
    NotAServer(String),
    /// A bare number that several flavors have.
    #[error("{0} is a release of both MySQL and MariaDB; write mysql-{0} or mariadb-{0}")]
    SeveralFlavors(String),
    /// A number that no release has.
    #[error("{flavor} has no release series {number}; the known ones are {known}")]
    UnknownSeries {
        /// The flavor asked for, or "no flavor".
        flavor: &'static str,
        /// The number that was given.
        number: String,
        /// The series that exist.
        known: String,
    },
}

impl ServerSpec {
    /// Reads what people have at hand: `mysql-8.0.36`, `8.4`, `10.11.6-MariaDB-0+deb12u1`, `mariadb`,
    /// `percona-8.0`, or the first line of `mysqld --version`.
    ///
    /// # Errors
    /// When no flavor and no release can be made of the text.
    pub fn parse(text: &str) -> Result<Self, ServerError> {
        let lower = text.trim().to_ascii_lowercase();
        let flavor = flavor_in(&lower);
        let digits = lower.find(" ver ").map_or(lower.as_str(), |at| &lower[at + 5..]);
        // A MariaDB server shows old clients its version behind this prefix.
        let digits = digits.find("5.5.5-").map_or(digits, |at| &digits[at + 6..]);
        let number = digits.find(|c: char| c.is_ascii_digit()).and_then(|at| read_version(&digits[at..]));
        match (flavor, number) {
            (Some(flavor), None) if lower == flavor.name() || lower == flavor.title().to_ascii_lowercase() => {
                Ok(Self::Flavor(flavor))
            }
            (_, None) => Err(ServerError::NotAServer(text.trim().to_owned())),
            (Some(flavor), Some((version, has_patch, _))) => Self::of(flavor, version, has_patch),
            (None, Some((version, has_patch, _))) => {
                let has = |flavor| series_of(flavor, version).is_some();
                match (has(Flavor::Mysql), has(Flavor::Mariadb)) {
                    (true, true) => Err(ServerError::SeveralFlavors(format!("{}.{}", version.major, version.minor))),
                    (false, true) => Self::of(Flavor::Mariadb, version, has_patch),
                    (true, false) => Self::of(Flavor::Mysql, version, has_patch),
                    (false, false) if is_future(Flavor::Mysql, version) => Self::of(Flavor::Mysql, version, has_patch),
                    (false, false) => Err(unknown_series("no flavor", version, &[Flavor::Mysql, Flavor::Mariadb])),
                }
            }
        }
    }

    fn of(flavor: Flavor, version: Version, has_patch: bool) -> Result<Self, ServerError> {
        match series_of(flavor, version) {
            Some(_) if has_patch => Ok(Self::Exact(Server { flavor, version })),
            Some(series) => Ok(Self::Series(series)),
            None if is_future(flavor, version) => Ok(Self::Exact(Server { flavor, version })),
            None => Err(unknown_series(flavor.title(), version, &[flavor])),
        }
    }

    /// The flavor that is meant.
    pub fn flavor(self) -> Flavor {
        match self {
            Self::Exact(server) => server.flavor,
            Self::Series(series) => series.flavor,
            Self::Flavor(flavor) => flavor,
        }
    }
}

impl fmt::Display for ServerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(server) => server.fmt(f),
            Self::Series(series) => write!(f, "{}-{}.{}", series.flavor.name(), series.first.major, series.first.minor),
            Self::Flavor(flavor) => f.write_str(flavor.name()),
        }
    }
}

/// The series that a version belongs to.
pub fn series_of(flavor: Flavor, version: Version) -> Option<Series> {
    SERIES.iter().find(|series| series.flavor == flavor && series.first.same_series(version)).copied()
}

/// The series that the vendor of a flavor still mends, oldest first.
pub fn maintained(flavor: Flavor) -> impl Iterator<Item = Series> {
    SERIES.iter().filter(move |series| series.flavor == flavor && series.maintained).copied()
}

/// Whether a version may exist although this build does not know its series. MySQL counts by year and month after 9.7.
fn is_future(flavor: Flavor, version: Version) -> bool {
    let newest = SERIES.iter().filter(|series| series.flavor == flavor).map(|series| series.last).max();
    newest.is_some_and(|newest| version > newest) && (flavor == Flavor::Mariadb || version.major >= 26)
}

fn flavor_in(lower: &str) -> Option<Flavor> {
    let has = |word| lower.contains(word);
    if has("mariadb") || has("maria-") {
        Some(Flavor::Mariadb)
    } else if has("pxc") || has("xtradb cluster") {
        Some(Flavor::Pxc)
    } else if has("percona") {
        Some(Flavor::Percona)
    } else if has("mysql") {
        Some(Flavor::Mysql)
    } else {
        None
    }
}

/// The version at the beginning of a text, whether it had a patch number, and what follows.
fn read_version(text: &str) -> Option<(Version, bool, &str)> {
    let (major, rest) = read_number(text)?;
    let (minor, rest) = read_number(rest.strip_prefix('.')?)?;
    match rest.strip_prefix('.').and_then(read_number) {
        Some((patch, rest)) => Some((Version::new(major, minor, patch), true, rest)),
        None => Some((Version::new(major, minor, 0), false, rest)),
    }
}

fn read_number(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn unknown_series(flavor: &'static str, version: Version, flavors: &[Flavor]) -> ServerError {
    let known: Vec<_> = SERIES
        .iter()
        .filter(|series| flavors.contains(&series.flavor))
        .map(|series| format!("{}.{}", series.first.major, series.first.minor))
        .collect();
    ServerError::UnknownSeries {
        flavor,
        number: format!("{}.{}", version.major, version.minor),
        known: known.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        ServerSpec::parse(text).map_or_else(|error| error.to_string(), |spec| spec.to_string())
    }

    #[test]
    fn reads_what_people_have() {
        assert_eq!(shown("mysql-8.0.36"), "mysql-8.0.36");
        assert_eq!(shown("8.4"), "mysql-8.4");
        assert_eq!(shown("10.11.6-MariaDB-0+deb12u1"), "mariadb-10.11.6");
        assert_eq!(shown("mariadb"), "mariadb");
        assert_eq!(shown("percona-8.0"), "percona-8.0");
        assert_eq!(
            shown("/usr/sbin/mysqld  Ver 8.0.36-0ubuntu0.22.04.1 for Linux on x86_64 ((Ubuntu))"),
            "mysql-8.0.36"
        );
        assert_eq!(
            shown("mariadbd  Ver 11.8.9-MariaDB-0+deb13u1 for debian-linux-gnu on x86_64 (Debian)"),
            "mariadb-11.8.9"
        );
        assert_eq!(shown("5.5.5-10.6.12-MariaDB"), "mariadb-10.6.12");
        assert_eq!(shown("mysql-26.7"), "mysql-26.7.0");
        assert_eq!(shown("26.7"), "mysql-26.7.0");
    }

    #[test]
    fn refuses_what_it_cannot_tell() {
        assert!(shown("5.5").contains("both MySQL and MariaDB"));
        assert!(shown("7.1").contains("no release series 7.1"));
        assert!(shown("mysql-10.11").contains("MySQL has no release series 10.11"));
        assert!(shown("postgres").contains("names no server"));
    }

    #[test]
    fn packed_versions_keep_their_order() {
        let mut versions: Vec<_> = SERIES.iter().flat_map(|series| [series.first, series.last]).collect();
        versions.sort();
        assert!(versions.is_sorted_by_key(|version| version.packed()));
        assert!(versions.iter().all(|version| Version::unpacked(version.packed()) == *version));
    }
}
