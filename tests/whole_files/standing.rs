//! The page that says how far cnflint and the servers agree.

use super::Difference;
use super::explained::{EXPLAINED, explanation};
use crate::servers::RealServer;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// One set of files, asked of every server.
pub struct Asked<'a> {
    /// What they are.
    pub title: &'a str,
    /// How many.
    pub files: usize,
    /// Where cnflint and a server differ.
    pub differences: Vec<Difference>,
}

const HEAD: &str = "\
# How far cnflint and the servers agree

Written by `tests/verdicts.rs` (`CNFLINT_WRITE_AGREEMENT=1 cargo test --test verdicts`); not to be edited by hand.
Single lines: [agreement-values.md](agreement-values.md).

Every file was given to a real server and to cnflint, and three things were compared: whether the server would start; when not, whether the
options that it names are among those that cnflint calls errors; and about which options it warns. The servers were asked without being
started (`--validate-config` on MySQL 9.7, `--help --verbose` on the others). What only a start shows is not in these figures; that the
servers warn about deprecated names as recorded is tested by starts. Accounts, temporary directories and includes were replaced by ones that
exist where the test runs.

| server | files asked | same verdict, same options | differ for a known reason | differ |
|---|---|---|---|---|
";

const TAIL: &str = "
## Servers that could not be asked

MySQL 5.7, 8.0 and 8.4, Percona Server and Percona XtraDB Cluster, and MariaDB 10.6, 11.4 and 12 could not be had as servers. What stands in
for them: recorded help output, variable tables and manuals of these versions in the catalog, and the behaviour of the nearest servers that
could be asked, MySQL 5.6.24 and 9.7.4 for MySQL, 10.5.23 to 11.8.9 for MariaDB. How values are read was compared with the published option
parser of MySQL 8.4.
";

/// The page.
pub fn page(servers: &[RealServer], asked: &[Asked<'_>]) -> String {
    let mut page = HEAD.to_owned();
    for server in servers {
        for set in asked {
            let mut by_file: BTreeMap<&str, bool> = BTreeMap::new();
            for difference in set.differences.iter().filter(|difference| difference.server == server.name) {
                *by_file.entry(&difference.file).or_insert(true) &= explanation(difference).is_some();
            }
            let known = by_file.values().filter(|known| **known).count();
            let (agreed, open) = (set.files - by_file.len(), by_file.len() - known);
            let _ = writeln!(page, "| {} | {} {} | {agreed} | {known} | {open} |", server.server, set.files, set.title);
        }
    }
    page.push_str("\n## Known reasons\n\n| servers | files | reason |\n|---|---|---|\n");
    for known in EXPLAINED {
        let all = asked.iter().flat_map(|set| &set.differences);
        let hits: Vec<_> =
            all.filter(|difference| explanation(difference).is_some_and(|one| one.reason == known.reason)).collect();
        let files: BTreeSet<_> = hits.iter().map(|difference| &difference.file).collect();
        let of: BTreeSet<_> = hits.iter().map(|difference| difference.server).collect();
        if !hits.is_empty() {
            let of: Vec<_> = of.into_iter().collect();
            let _ = writeln!(page, "| {} | {} | {} |", of.join(", "), files.len(), known.reason);
        }
    }
    page.push_str(TAIL);
    page
}
