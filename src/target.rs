//! Which server is meant, and from what that is known.

use crate::catalog::{self, OptionId, Resolved, Since};
use crate::optionfile::{Document, PragmaKind, implied_servers};
use crate::server::{self, Flavor, Server, ServerSpec, Version};

/// From what the server is known, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerSource {
    /// `--server`.
    Flag,
    /// A `# cnflint: server=…` comment in the file.
    Comment,
    /// The project's configuration: `cnflint.toml:3`.
    Configuration(String),
    /// The server installed on this host, and what told so.
    Installed(String),
    /// What the carrier says: `image mysql:8.4`.
    Carrier(String),
    /// The running server whose variables were read.
    Snapshot,
    /// What groups and options imply: the group or option.
    Implied(String),
    /// Nobody said so: every maintained series that is still possible.
    Assumed,
}

/// How the candidates belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// One exact release.
    Exact,
    /// The first and the last release of one series.
    Ends,
    /// The newest releases of the series that are possible; what they do not agree on is at most a warning.
    Alternatives,
}

/// The servers to evaluate, and why these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidates {
    /// The releases.
    pub servers: Vec<Server>,
    /// How they belong together.
    pub choice: Choice,
    /// What the report's first line calls them.
    pub title: String,
    /// From what they are known.
    pub source: ServerSource,
}

/// Decides which servers are meant: what was given, a comment in the file, what groups and options imply, or every maintained one.
pub fn decide(given: Option<(ServerSpec, ServerSource)>, document: &Document) -> Candidates {
    match given {
        Some((spec, ServerSource::Flag)) => candidates(spec, ServerSource::Flag),
        given => match from_comment(document).or(given) {
            Some((spec, source)) => candidates(spec, source),
            None => implied(document),
        },
    }
}

/// The server that is to take the other's place: a flag, a comment in the file, or what else was given. Of a series and of a flavor
/// the newest release, since nobody goes to an older one.
pub fn upgrade(given: Option<(ServerSpec, ServerSource)>, document: &Document) -> Option<(Server, ServerSource)> {
    let from_comment = || {
        let written = document.pragmas.iter().find_map(|pragma| match &pragma.kind {
            PragmaKind::UpgradeTo(text) => ServerSpec::parse(text).ok(),
            _ => None,
        });
        written.map(|spec| (spec, ServerSource::Comment))
    };
    let (spec, source) = match given {
        Some((spec, ServerSource::Flag)) => (spec, ServerSource::Flag),
        given => from_comment().or(given)?,
    };
    let newest = match spec {
        ServerSpec::Exact(server) => server,
        ServerSpec::Series(series) => Server { flavor: series.flavor, version: series.last },
        ServerSpec::Flavor(flavor) => {
            Server { flavor, version: server::maintained(flavor).map(|series| series.last).max()? }
        }
    };
    Some((newest, source))
}

fn from_comment(document: &Document) -> Option<(ServerSpec, ServerSource)> {
    document.pragmas.iter().find_map(|pragma| match &pragma.kind {
        PragmaKind::Server(text) => ServerSpec::parse(text).ok().map(|spec| (spec, ServerSource::Comment)),
        _ => None,
    })
}

fn candidates(spec: ServerSpec, source: ServerSource) -> Candidates {
    match spec {
        ServerSpec::Exact(server) => {
            let title = format!("{}{}", title_of(&[server]), as_of(server));
            Candidates { servers: vec![server], choice: Choice::Exact, title, source }
        }
        ServerSpec::Series(series) => {
            let end = |version| Server { flavor: series.flavor, version };
            let mut servers = vec![end(series.first), end(series.last)];
            servers.dedup();
            let title = format!(
                "{} {}.{} ({} to {}){}",
                series.flavor.title(),
                series.first.major,
                series.first.minor,
                series.first,
                series.last,
                as_of(end(series.last))
            );
            Candidates { servers, choice: Choice::Ends, title, source }
        }
        ServerSpec::Flavor(flavor) => alternatives(&[flavor], source),
    }
}

/// What is said of a series beyond everything that the catalog holds of its flavor.
fn as_of(server: Server) -> String {
    let horizon = catalog::horizon(server.flavor);
    let beyond = server.version > horizon && !server.version.same_series(horizon);
    if beyond { format!(", known as of {horizon}") } else { String::new() }
}

fn alternatives(flavors: &[Flavor], source: ServerSource) -> Candidates {
    let newest = |flavor| server::maintained(flavor).map(move |series| Server { flavor, version: series.last });
    let servers: Vec<_> = flavors.iter().copied().flat_map(newest).collect();
    let title = title_of(&servers);
    Candidates { servers, choice: Choice::Alternatives, title, source }
}

/// What groups and options say about the server.
fn implied(document: &Document) -> Candidates {
    if let Some((spec, group)) = implied_by_groups(document) {
        return candidates(spec, ServerSource::Implied(group));
    }
    // The last place stands for Galera, which MariaDB and XtraDB Cluster share.
    let mut only = [(Flavor::Mysql, None), (Flavor::Mariadb, None), (Flavor::Percona, None), (Flavor::Pxc, None)];
    for entry in document.entries.iter().filter(|entry| !entry.template_name && entry.branch.is_none()) {
        let Some(flavor) = only_flavor_of(&entry.name) else { continue };
        for (candidate, told) in &mut only {
            if *candidate == flavor && told.is_none() {
                *told = Some(String::from_utf8_lossy(&entry.name).into_owned());
            }
        }
    }
    match only {
        [(_, Some(option)), (_, None), _, (_, Some(_))] => alternatives(&[Flavor::Pxc], ServerSource::Implied(option)),
        [(_, None), (_, None), _, (_, Some(option))] => {
            alternatives(&[Flavor::Mariadb, Flavor::Pxc], ServerSource::Implied(option))
        }
        [_, (_, None), (_, Some(option)), _] => alternatives(&[Flavor::Percona], ServerSource::Implied(option)),
        [(_, Some(option)), (_, None), ..] => alternatives(&[Flavor::Mysql], ServerSource::Implied(option)),
        [(_, None), (_, Some(option)), (_, None), _] => alternatives(&[Flavor::Mariadb], ServerSource::Implied(option)),
        _ => alternatives(&[Flavor::Mysql, Flavor::Mariadb], ServerSource::Assumed),
    }
}

/// The server that version groups agree on: a series when all name the same one, a flavor when only that is common.
fn implied_by_groups(document: &Document) -> Option<(ServerSpec, String)> {
    let mut agreed: Option<(ServerSpec, String)> = None;
    for group in &document.groups {
        let Some(spec) = implied_servers(&group.name) else { continue };
        agreed = match agreed {
            None => Some((spec, format!("[{}]", String::from_utf8_lossy(&group.name)))),
            Some((known, name))
                if known == spec || matches!(spec, ServerSpec::Flavor(flavor) if flavor == known.flavor()) =>
            {
                Some((known, name))
            }
            Some((known, name)) if known.flavor() == spec.flavor() => match known {
                ServerSpec::Flavor(_) => Some((spec, format!("[{}]", String::from_utf8_lossy(&group.name)))),
                _ => Some((ServerSpec::Flavor(spec.flavor()), name)),
            },
            Some(_) => return None,
        };
    }
    agreed
}

/// The one flavor whose servers know an option, when only that one's do in any version.
fn only_flavor_of(name: &[u8]) -> Option<Flavor> {
    let newest = Server { flavor: Flavor::Mysql, version: catalog::horizon(Flavor::Mysql) };
    let id = match catalog::resolve(name, newest) {
        Resolved::Option { id, .. } => id,
        Resolved::Unknown { elsewhere, .. } => elsewhere?,
        Resolved::Ambiguous(_) => return None,
    };
    let ever = |flavor| catalog::history(id, flavor).is_some();
    match (ever(Flavor::Mysql), ever(Flavor::Mariadb), ever(Flavor::Percona)) {
        (true, false, _) => Some(Flavor::Mysql),
        (false, true, false) if ever(Flavor::Pxc) => return Some(Flavor::Pxc),
        (false, true, false) => Some(Flavor::Mariadb),
        (false, false, true) => Some(Flavor::Percona),
        _ => None,
    }
    .filter(|flavor| outlived_the_split(id, *flavor) && !is_taken_by_mariadb(name, *flavor))
}

/// Whether MariaDB takes a name that only another flavor has, as the beginning of one of its own: `ignore-db-dir`.
fn is_taken_by_mariadb(name: &[u8], flavor: Flavor) -> bool {
    let newest = Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) };
    flavor != Flavor::Mariadb && matches!(catalog::resolve(name, newest), Resolved::Option { .. })
}

/// What MySQL dropped before 5.6 says nothing: MariaDB's records begin with 5.5, after it had dropped it too. Nor does what MariaDB
/// had from the beginning and has given up since: such names (`skip-bdb`) come from the MySQL that both grew from.
fn outlived_the_split(id: OptionId, flavor: Flavor) -> bool {
    let split = Version::new(5, 6, 0);
    let gone = |history: catalog::History| matches!(history.removed, Some(since) if last_before(since) < split);
    let inherited = |history: catalog::History| {
        let is_old = history.introduced.is_none_or(|since| last_before(since) < split);
        flavor == Flavor::Mariadb && is_old && history.removed.is_some()
    };
    catalog::history(id, flavor).is_some_and(|history| !gone(history) && !inherited(history))
}

/// The earliest version that may lack what was removed then.
fn last_before(since: Since) -> Version {
    match since {
        Since::Exact(version) => version,
        Since::Between { after, by } => after.unwrap_or(by),
    }
}

/// `MySQL 8.4 or 9.7, MariaDB 10.11, 11.4 or 11.8`.
fn title_of(servers: &[Server]) -> String {
    let mut title = String::new();
    for chunk in servers.chunk_by(|left, right| left.flavor == right.flavor) {
        let versions: Vec<_> = chunk.iter().map(|server| server.version.to_string()).collect();
        let listed = match versions.as_slice() {
            [] => continue,
            [one] => one.clone(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        };
        if !title.is_empty() {
            title.push_str(", ");
        }
        title.push_str(&format!("{} {listed}", chunk[0].flavor.title()));
    }
    title
}
