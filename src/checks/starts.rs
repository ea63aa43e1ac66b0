//! What no question but a start reveals: `--help` and `--validate-config` take these settings, and the server then stops.
//!
//! Measured by starts of MySQL 5.6.24 and 9.7.4 and MariaDB 10.5.23, 10.11.19 and 11.8.9 (`tests/starts.rs`).

use super::addresses::takes_lists;
use super::combinations::{Remark, is_on, text};
use super::{Hit, Reaction, Subject, galera, shown};
use crate::catalog::{self, OptionId, id};
use crate::effective::{Effective, Origin};
use crate::finding::{Safety, Severity};
use crate::server::{Flavor, Server};
use crate::value::{Outcome, Value, as_written};

/// A setting with which the server does not start as it should.
pub(super) struct Fault {
    variable: OptionId,
    reaction: Reaction,
    kind: Kind,
}

enum Kind {
    /// Settings that do not go together; rules have the words.
    InCompany,
    Engine(String),
    PageSize(u64),
    /// Several addresses, where one is looked up as a name.
    Addresses,
    /// A word for no directory, where every word is a directory.
    NoDirectory,
    /// InnoDB is switched off, which a rule has the words for.
    EngineOff,
    /// What the policy says.
    Plugin(String),
    /// The least pool for pages of this size.
    Pool {
        least: u64,
        page_size: u64,
    },
}

impl Fault {
    /// What the server says about it.
    pub(super) fn remark(self) -> Remark {
        Remark { variable: self.variable, reaction: self.reaction }
    }
}

/// Everything in these settings that a start would find.
pub(super) fn faults<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Fault> + 'a {
    let alone = engines(effective).chain(page_size(effective)).chain(pool(effective));
    let cluster = [gtids(effective), missing_id(effective), own_events(effective), galera_node(effective)];
    let others = [tls(effective), addresses(effective), no_directory(effective), without_default_engine(effective)];
    alone.chain(plugin(effective)).chain(cluster.into_iter().chain(others).flatten())
}

/// What a file says, in lower case. What a running server reports, it has started with.
fn written(effective: &Effective<'_>, variable: OptionId) -> Option<String> {
    let line = effective.decided(variable)?;
    if matches!(line.origin, Origin::Snapshot { .. }) {
        return None;
    }
    Some(String::from_utf8_lossy(line.value.as_deref()?).to_lowercase())
}

/// Engines that some server has built in, loads as a plugin, or calls by another name. Which plugins are installed stands in a
/// table, so that none of these is called unknown.
const ENGINES: &[&str] = &[
    "archive",
    "aria",
    "bdb",
    "berkeleydb",
    "blackhole",
    "cassandra",
    "columnstore",
    "connect",
    "csv",
    "example",
    "federated",
    "heap",
    "infinidb",
    "innobase",
    "innodb",
    "maria",
    "memory",
    "merge",
    "mroonga",
    "mrg_myisam",
    "myisam",
    "ndb",
    "ndbcluster",
    "ndbinfo",
    "oqgraph",
    "pbxt",
    "performance_schema",
    "rocksdb",
    "s3",
    "sequence",
    "sphinx",
    "spider",
    "tokudb",
    "xtradb",
];

fn engines<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Fault> + 'a {
    let variables = [id::DEFAULT_STORAGE_ENGINE, id::DEFAULT_TMP_STORAGE_ENGINE];
    variables.into_iter().filter_map(|variable| engine(effective, variable))
}

/// A whole name, whatever its case, and of no engine.
fn engine(effective: &Effective<'_>, variable: OptionId) -> Option<Fault> {
    let name = written(effective, variable)?;
    // MariaDB takes the empty name for "like permanent tables".
    let may_be_empty = variable == id::DEFAULT_TMP_STORAGE_ENGINE && effective.server.flavor == Flavor::Mariadb;
    let loads_others = [id::PLUGIN_LOAD, id::PLUGIN_LOAD_ADD].iter().any(|option| effective.get(*option).is_some());
    let is_known = if name.is_empty() { may_be_empty } else { loads_others || ENGINES.contains(&&*name) };
    (!is_known).then_some(Fault { variable, reaction: Reaction::Refuses, kind: Kind::Engine(name) })
}

/// MySQL 9.0 took mysql_native_password out (<https://dev.mysql.com/doc/relnotes/mysql/9.0/en/news-9-0-0.html>).
fn plugin(effective: &Effective<'_>) -> Option<Fault> {
    let variable = id::AUTHENTICATION_POLICY;
    let policy = written(effective, variable)?;
    let asks = policy.split([',', ':', ' ']).any(|word| word == "mysql_native_password");
    let is_gone = effective.server.flavor.is_mysql_family() && effective.server.at_least(9, 0, 0);
    (asks && is_gone).then_some(Fault { variable, reaction: Reaction::Refuses, kind: Kind::Plugin(policy) })
}

/// What is written like an offset must be one. Names are looked up in tables that files do not tell.
/// Page sizes are powers of two. What lies beyond the bounds was already brought back to them.
fn page_size(effective: &Effective<'_>) -> Option<Fault> {
    let variable = id::INNODB_PAGE_SIZE;
    written(effective, variable)?;
    let size = bytes(effective, variable)?;
    let fault = || Fault { variable, reaction: without_innodb(effective), kind: Kind::PageSize(size) };
    (!size.is_power_of_two()).then(fault)
}

/// MariaDB wants 320 pages (10.5.23: 5M at 16K), and 384 of them (6M) since `innodb_buffer_pool_size_max` came, in 10.11.12. The series
/// between 10.11 and 11.8 could not be asked and are held to the smaller figure.
fn pool(effective: &Effective<'_>) -> Option<Fault> {
    let (variable, server) = (id::INNODB_BUFFER_POOL_SIZE, effective.server);
    if server.flavor != Flavor::Mariadb || !server.at_least(10, 5, 0) {
        return None;
    }
    written(effective, variable)?;
    let (size, page_size) = (bytes(effective, variable)?, bytes(effective, id::INNODB_PAGE_SIZE)?);
    let wants_more = server.at_least(11, 8, 2) || server.at_least(10, 11, 12) && !server.at_least(11, 0, 0);
    let pages = if wants_more { 384 } else { 320 };
    let least = page_size.checked_mul(pages)?;
    let kind = Kind::Pool { least, page_size };
    // Other sizes of pages could not be measured to the byte.
    let is_short = page_size == 16 << 10 && size < least;
    is_short.then(|| Fault { variable, reaction: without_innodb(effective), kind })
}

/// A server that does not listen does not look.
fn addresses(effective: &Effective<'_>) -> Option<Fault> {
    let (variable, server) = (id::BIND_ADDRESS, effective.server);
    let is_list = !takes_lists(server) && written(effective, variable)?.contains(',');
    let reaction = if is_on(effective, id::SKIP_NETWORKING) { Reaction::Silent } else { Reaction::Refuses };
    is_list.then_some(Fault { variable, reaction, kind: Kind::Addresses })
}

/// `NULL` forbids files in MySQL since 5.5.53, 5.6.34 and 5.7.6; MariaDB and older ones look for a directory of that name (measured on
/// 5.6.24).
fn no_directory(effective: &Effective<'_>) -> Option<Fault> {
    let (variable, server) = (id::SECURE_FILE_PRIV, effective.server);
    let knows_word = match (server.version.major, server.version.minor) {
        _ if !server.flavor.is_mysql_family() => false,
        (5, 5) => server.at_least(5, 5, 53),
        (5, 6) => server.at_least(5, 6, 34),
        _ => server.at_least(5, 7, 6),
    };
    let is_word = !knows_word && written(effective, variable)? == "null";
    is_word.then_some(Fault { variable, reaction: Reaction::Refuses, kind: Kind::NoDirectory })
}

/// MySQL since 5.7 does not let anybody switch InnoDB off.
fn without_default_engine(effective: &Effective<'_>) -> Option<Fault> {
    let (variable, server) = (id::INNODB, effective.server);
    let listens = server.flavor == Flavor::Mariadb || !server.at_least(5, 7, 0);
    let off = effective.get(variable)?.value == Outcome::Known(Value::boolean(false));
    (listens && off).then(|| Fault { variable, reaction: without_innodb(effective), kind: Kind::EngineOff })
}

/// What the server does when InnoDB does not start: where another engine is the default, MariaDB and MySQL 5.6 go on without it.
fn without_innodb(effective: &Effective<'_>) -> Reaction {
    let server = effective.server;
    if server.flavor.is_mysql_family() && server.at_least(5, 7, 0) {
        return Reaction::Refuses;
    }
    let is_default = |variable| {
        let name = written(effective, variable).or_else(|| text(effective, variable));
        name.is_some_and(|name| ["innodb", "innobase"].contains(&&*name))
    };
    if is_default(id::DEFAULT_STORAGE_ENGINE) || is_default(id::DEFAULT_TMP_STORAGE_ENGINE) {
        Reaction::Refuses
    } else {
        Reaction::Warns
    }
}

/// The setting, or the default where nothing set it.
fn bytes(effective: &Effective<'_>, variable: OptionId) -> Option<u64> {
    let number = |value: &Value<'_>| match value {
        Value::Integer(number) => u64::try_from(*number).ok(),
        _ => None,
    };
    match effective.get(variable).map(|setting| &setting.value) {
        Some(Outcome::Known(value)) => number(value),
        Some(_) => None,
        None => number(catalog::effective_default(variable, effective.server).value()?),
    }
}

/// MariaDB turns TLS on with any of its options, and makes a certificate for itself since 11.4 (asked: 10.5.23, 10.11.19 and 11.8.9).
fn tls(effective: &Effective<'_>) -> Option<Fault> {
    let server = effective.server;
    let asks = server.flavor == Flavor::Mariadb && server.at_least(10, 5, 0) && !server.at_least(11, 4, 0);
    let is_written = |variable: &OptionId| written(effective, *variable).is_some();
    let is_off = effective.get(id::SSL).is_some() && !is_on(effective, id::SSL);
    if !asks || is_off || is_written(&id::SSL_CERT) || is_written(&id::SSL_KEY) {
        return None;
    }
    let options = [id::SSL_CIPHER, id::SSL_CA, id::SSL_CAPATH, id::SSL_CRL, id::SSL_CRLPATH];
    let said = options.into_iter().find(is_written).or_else(|| is_on(effective, id::SSL).then_some(id::SSL))?;
    in_company(said)
}

fn in_company(variable: OptionId) -> Option<Fault> {
    Some(Fault { variable, reaction: Reaction::Refuses, kind: Kind::InCompany })
}

/// GTIDs want their consistency enforced; MySQL 5.6 wants them in its log as well.
fn gtids(effective: &Effective<'_>) -> Option<Fault> {
    let server = effective.server;
    if !server.flavor.is_mysql_family() || !server.at_least(5, 6, 10) {
        return None;
    }
    let said =
        [id::GTID_MODE, id::ENFORCE_GTID_CONSISTENCY].into_iter().find(|id| written(effective, *id).is_some())?;
    let mode = text(effective, id::GTID_MODE)?;
    let unlogged = !server.at_least(5, 7, 0)
        && mode != "off"
        && !(is_on(effective, id::LOG_BIN) && is_on(effective, id::LOG_REPLICA_UPDATES));
    let enforced = text(effective, id::ENFORCE_GTID_CONSISTENCY)?;
    if unlogged || mode == "on" && enforced != "on" { in_company(said) } else { None }
}

/// MySQL 5.7 alone asks for an id that is written down
/// (<https://dev.mysql.com/doc/refman/5.7/en/replication-options.html#sysvar_server_id>).
fn missing_id(effective: &Effective<'_>) -> Option<Fault> {
    let server = effective.server;
    let asks = server.flavor.is_mysql_family() && server.at_least(5, 7, 3) && !server.at_least(8, 0, 0);
    let logs = asks && effective.winner(id::LOG_BIN).is_some() && is_on(effective, id::LOG_BIN);
    if logs && effective.get(id::SERVER_ID).is_none() { in_company(id::LOG_BIN) } else { None }
}

/// A server that applies its own events and logs them would do so for ever. With GTIDs MySQL goes on and warns.
fn own_events(effective: &Effective<'_>) -> Option<Fault> {
    let variable = id::REPLICATE_SAME_SERVER_ID;
    let logs = || is_on(effective, id::LOG_REPLICA_UPDATES) || is_on(effective, id::LOG_SLAVE_UPDATES);
    if !(is_on(effective, variable) && is_on(effective, id::LOG_BIN) && logs()) {
        return None;
    }
    let has_gtids =
        effective.server.flavor.is_mysql_family() && text(effective, id::GTID_MODE).is_some_and(|mode| mode == "on");
    let ends = has_gtids && effective.server.at_least(8, 0, 0);
    let reaction = if ends { Reaction::Warns } else { Reaction::Refuses };
    Some(Fault { variable, reaction, kind: Kind::InCompany })
}

/// Asked of MariaDB 10.5, 10.11 and 11.8 with Galera 26.4.23.
fn galera_node(effective: &Effective<'_>) -> Option<Fault> {
    let provider = written(effective, id::WSREP_PROVIDER).filter(|provider| !matches!(provider.as_str(), "" | "none"));
    let in_cluster = effective.server.flavor == Flavor::Mariadb && provider.is_some() && is_on(effective, id::WSREP_ON);
    let address = || effective.decided(id::WSREP_CLUSTER_ADDRESS)?.value.as_deref().map(shown);
    if in_cluster && address().is_some_and(|address| galera::stops_at_blank(&address)) {
        return in_company(id::WSREP_CLUSTER_ADDRESS);
    }
    let is_of_rows = || text(effective, id::BINLOG_FORMAT).is_none_or(|format| format == "row");
    if in_cluster && !is_of_rows() { in_company(id::WSREP_PROVIDER) } else { None }
}

pub(super) fn unknown_storage_engine(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for fault in engines(subject.effective) {
        let Kind::Engine(name) = &fault.kind else { continue };
        let message = format!(
            "`{}` names the engine `{name}`, which {} does not have: the server refuses to start",
            fault.variable,
            subject.server.flavor.title()
        );
        let meant = match &**name {
            "myrocks" => Some("ROCKSDB"),
            "inno" | "inno_db" | "inno-db" | "innodb_engine" | "ibdb" => Some("InnoDB"),
            _ => None,
        };
        let hit = at_value(subject, &fault, message, "no engine is called that");
        hits.extend(hit.map(|hit| match meant {
            Some(engine) => hit.set(fault.variable, engine.to_owned()),
            None => hit.remedy(Safety::Manual, "write an engine that `SHOW ENGINES` lists, such as InnoDB", Vec::new()),
        }));
    }
}

pub(super) fn authentication_plugin_gone(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some(fault) = plugin(subject.effective) else { return };
    let Kind::Plugin(policy) = &fault.kind else { return };
    let message = format!("`{policy}` asks for a plugin that MySQL 9.0 took out: the server refuses to start");
    let hit = at_value(subject, &fault, message, "mysql_native_password is gone");
    hits.extend(hit.map(|hit| hit.set(fault.variable, "*:caching_sha2_password,,".to_owned())));
}

pub(super) fn address_list_not_taken(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some(fault) = addresses(subject.effective) else { return };
    let outcome = match fault.reaction {
        Reaction::Refuses => "the server cannot resolve it and does not start",
        _ => "the server does not start once skip_networking is gone",
    };
    let message =
        format!("`bind_address` takes one address in this release, and a list is taken for a name: {outcome}");
    let advice = "write one address; several are taken since MySQL 8.0.13 and MariaDB 10.11";
    let hit = at_value(subject, &fault, message, "more than one address");
    hits.extend(hit.map(|hit| hit.remedy(Safety::Manual, advice, Vec::new())));
}

pub(super) fn null_is_no_directory(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some(fault) = no_directory(subject.effective) else { return };
    let title = subject.server.flavor.title();
    let message = format!(
        "this {title} takes `NULL` for the name of a directory, which is not there: the server refuses to start"
    );
    let advice = "name a directory of its own; this release has no word that forbids files";
    let hit = at_value(subject, &fault, message, "a directory called NULL");
    hits.extend(hit.map(|hit| hit.remedy(Safety::Manual, advice, Vec::new())));
}

pub(super) fn impossible_page_size(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some(fault) = page_size(subject.effective) else { return };
    let Kind::PageSize(size) = fault.kind else { return };
    let sizes = if has_large_pages(subject.server) { "4K, 8K, 16K, 32K or 64K" } else { "4K, 8K or 16K" };
    let size = as_written(size);
    let message = format!("InnoDB has no pages of {size}, only of {sizes}: {}", outcome(&fault));
    let hit = at_value(subject, &fault, message, "no size of a page");
    let advice = format!("write the size that the data directory was made with: {sizes}; 16K is the default");
    hits.extend(hit.map(|hit| hit.remedy(Safety::Manual, advice, Vec::new())));
}

fn has_large_pages(server: Server) -> bool {
    catalog::setting(id::INNODB_PAGE_SIZE, server).shape.max == Some(64 << 10)
}

pub(super) fn buffer_pool_under_minimum(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let Some(fault) = pool(subject.effective) else { return };
    let Kind::Pool { least, page_size } = fault.kind else { return };
    let (least, page_size) = (as_written(least), as_written(page_size));
    let message =
        format!("InnoDB needs a buffer pool of at least {least} with pages of {page_size}: {}", outcome(&fault));
    let hit = at_value(subject, &fault, message, format!("less than {least}"));
    let line = subject.effective.winner(fault.variable);
    let meant = line.and_then(|line| super::values::unit_forgotten(line, line.entry.as_ref()?));
    hits.extend(hit.map(|hit| match meant {
        Some(meant) => {
            let advice = format!("without a letter behind it the number is bytes: write {meant}");
            hit.remedy(Safety::Manual, advice, Vec::new())
        }
        None => hit.set(fault.variable, least.clone()),
    }));
}

fn outcome(fault: &Fault) -> &'static str {
    match fault.reaction {
        Reaction::Refuses => "the server refuses to start",
        _ => "the server starts without InnoDB, and its tables cannot be opened",
    }
}

fn at_value(subject: Subject<'_>, fault: &Fault, message: String, label: impl Into<String>) -> Option<Hit> {
    let line = subject.effective.winner(fault.variable)?;
    let severity = if fault.reaction == Reaction::Refuses { Severity::Error } else { Severity::Warning };
    let at = line.value_at.map_or(line.name_at, |_| line.whole());
    Some(Hit::new(severity, at, message).label(label).option(fault.variable.name()))
}
