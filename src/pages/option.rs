//! What is told about an option.

use super::history::{self, OptionStep};
use super::reads::Readers;
use super::rule::RulePage;
use crate::catalog::{self, OptionId, Resolved, State};
use crate::server::{Flavor, Server, ServerSpec, Version};

/// What is told about an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionPage {
    /// The name that was asked for, with underscores.
    pub name: String,
    /// What it is, in a sentence or two; may be empty.
    pub about: String,
    /// The system variable that it sets, where that is none of the other spellings; may be empty.
    pub sets: String,
    /// Other spellings that some server takes.
    pub aliases: Vec<String>,
    /// What each flavor makes of it.
    pub flavors: Vec<FlavorPage>,
    /// The rules that read it, by id.
    pub rules: Vec<String>,
    /// The vendors' own pages.
    pub links: Vec<String>,
}

/// What one flavor makes of an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlavorPage {
    /// `MySQL`, `MariaDB 10.11` …
    pub title: String,
    /// What it is, oldest version first; later steps say what changed.
    pub steps: Vec<OptionStep>,
    /// What builds on it and makes the same of the option.
    pub same: Vec<&'static str>,
}

/// Of which servers a page tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Of all.
    Everything,
    /// Of these.
    Of(ServerSpec),
}

impl Scope {
    fn flavors(self) -> impl Iterator<Item = Flavor> {
        Flavor::ALL.into_iter().filter(move |flavor| match self {
            Self::Everything => true,
            Self::Of(spec) => spec.flavor() == *flavor,
        })
    }

    /// The versions of a flavor that are told of, both ends included; `None`: all of them.
    fn range(self) -> Option<(Version, Version)> {
        match self {
            Self::Everything | Self::Of(ServerSpec::Flavor(_)) => None,
            Self::Of(ServerSpec::Exact(server)) => Some((server.version, server.version)),
            Self::Of(ServerSpec::Series(series)) => Some((series.first, series.last)),
        }
    }

    fn title(self, flavor: Flavor) -> String {
        match self {
            Self::Of(ServerSpec::Exact(server)) => format!("{} {}", flavor.title(), server.version),
            Self::Of(ServerSpec::Series(series)) => {
                format!("{} {}.{}", flavor.title(), series.first.major, series.first.minor)
            }
            _ => flavor.title().to_owned(),
        }
    }
}

/// The pages of options.
pub struct OptionPages<'a> {
    rules: &'a [RulePage],
    readers: Readers,
}

impl<'a> OptionPages<'a> {
    /// Pages that name these rules.
    pub fn new(rules: &'a [RulePage]) -> Self {
        Self { rules, readers: Readers::new() }
    }

    /// The page of an option, by any of its spellings; `None` when no known server has it.
    pub fn option(&self, name: &str, scope: Scope) -> Option<OptionPage> {
        let id = option_id(name, scope)?;
        let mut flavors: Vec<(Flavor, FlavorPage)> = Vec::new();
        for flavor in scope.flavors() {
            let same = |(other, _): &&mut (Flavor, FlavorPage)| {
                let added = flavor.lineage().take_while(|upstream| upstream != other);
                flavor.lineage().any(|upstream| upstream == *other)
                    && !added.into_iter().any(|own| catalog::has_record(id, own))
            };
            if let Some((_, page)) = flavors.iter_mut().find(same) {
                page.same.push(flavor.title());
                continue;
            }
            let steps = history::steps(id, flavor, scope.range());
            if !steps.is_empty() {
                flavors.push((flavor, FlavorPage { title: scope.title(flavor), steps, same: Vec::new() }));
            }
        }
        let models = self.readers.of(id);
        let reads = |rule: &&RulePage| {
            let by_model = rule.needs.iter().any(|need| models.contains(&need.as_str()));
            by_model || rule.condition.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == id.name())
        };
        let aliases = aliases(id, scope);
        let sets = sets(id, scope).map_or("", OptionId::name);
        Some(OptionPage {
            name: id.name().to_owned(),
            about: catalog::about(id).to_owned(),
            sets: if aliases.iter().any(|alias| alias == sets) { String::new() } else { sets.to_owned() },
            aliases,
            flavors: flavors.into_iter().map(|(_, page)| page).collect(),
            rules: self.rules.iter().filter(reads).map(|rule| rule.id.clone()).collect(),
            links: scope.flavors().filter_map(|flavor| manual(id, flavor, scope)).collect(),
        })
    }
}

/// The option that was probably meant, first of those that the servers of the scope have.
pub fn similar_option(name: &str, scope: Scope) -> Option<&'static str> {
    let near = |server: Server| catalog::similar(name, server);
    newest(scope).chain(newest(Scope::Everything)).find_map(near).map(OptionId::name)
}

/// The first names that begin with the word, for one that is only the beginning of several.
pub fn beginning_so(name: &str) -> Vec<&'static str> {
    catalog::beginning_with(plain(name).as_bytes()).map(OptionId::name).collect()
}

fn plain(name: &str) -> String {
    name.trim_start_matches("--").replace('-', "_").to_ascii_lowercase()
}

/// The newest server of each flavor that is told of.
fn newest(scope: Scope) -> impl Iterator<Item = Server> {
    scope.flavors().map(move |flavor| {
        let version = scope.range().map_or_else(|| catalog::horizon(flavor), |(_, last)| last);
        Server { flavor, version }
    })
}

fn option_id(name: &str, scope: Scope) -> Option<OptionId> {
    let plain = plain(name);
    OptionId::from_name(&plain).or_else(|| {
        newest(scope).chain(newest(Scope::Everything)).find_map(|server| {
            match catalog::resolve(plain.as_bytes(), server) {
                Resolved::Option { id, abbreviated: false, .. } => Some(id),
                Resolved::Unknown { elsewhere, .. } => elsewhere,
                _ => None,
            }
        })
    })
}

/// Every release that is told of, of the flavors that others build on.
fn servers(scope: Scope) -> impl Iterator<Item = Server> {
    let within =
        move |version: &Version| scope.range().is_none_or(|(first, last)| first <= *version && *version <= last);
    let of = move |flavor| {
        let ends = scope.range().map(|(first, last)| [first, last]).into_iter().flatten();
        let looked_at = catalog::releases(flavor).iter().copied().filter(within);
        looked_at.chain(ends).map(move |version| Server { flavor, version })
    };
    scope.flavors().flat_map(of)
}

fn aliases(id: OptionId, scope: Scope) -> Vec<String> {
    let mut names: Vec<_> = servers(scope)
        .flat_map(|server| catalog::spellings(catalog::entry(id, server).variable, server))
        .filter(|other| *other != id)
        .map(|other| other.name().to_owned())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn sets(id: OptionId, scope: Scope) -> Option<OptionId> {
    let variable = |server| match catalog::entry(id, server) {
        entry if entry.state == State::Present && entry.variable != id => Some(entry.variable),
        _ => None,
    };
    servers(scope).filter_map(variable).last()
}

/// The vendor's page about an option, of the newest series that has it.
fn manual(id: OptionId, flavor: Flavor, scope: Scope) -> Option<String> {
    const MYSQL: &str = "https://dev.mysql.com/doc/refman";
    const MARIADB: &str = "https://mariadb.com/docs/server";
    let has = |version: &Version| {
        let entry = catalog::entry(id, Server { flavor, version: *version });
        entry.state == State::Present && entry.is_variable && !entry.plugin
    };
    let within = |version: &Version| scope.range().is_none_or(|(_, last)| *version <= last);
    let version = catalog::releases(flavor).iter().rev().copied().filter(within).find(has)?;
    let name = id.name();
    match flavor {
        Flavor::Mysql => {
            // The manual of 8.0 stands for the short-lived series after it.
            let minor = if (1..=3).contains(&version.minor) && version.major == 8 { 0 } else { version.minor };
            let series = format!("{MYSQL}/{}.{minor}/en", version.major);
            Some(if name.starts_with("innodb_") {
                format!("{series}/innodb-parameters.html#sysvar_{name}")
            } else if name.starts_with("performance_schema_") {
                format!("{series}/performance-schema-system-variables.html#sysvar_{name}")
            } else {
                format!("{series}/server-option-variable-reference.html")
            })
        }
        Flavor::Mariadb if name.starts_with("innodb_") => {
            Some(format!("{MARIADB}/server-usage/storage-engines/innodb/innodb-system-variables#{name}"))
        }
        Flavor::Mariadb => Some(format!("{MARIADB}/server-management/variables-and-modes/server-system-variables")),
        Flavor::Percona | Flavor::Pxc => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str, server: &str) -> OptionPage {
        let scope = if server.is_empty() { Scope::Everything } else { Scope::Of(ServerSpec::parse(server).unwrap()) };
        OptionPages::new(&[]).option(name, scope).unwrap()
    }

    fn told(name: &str, server: &str) -> String {
        let page = page(name, server);
        let steps = page.flavors.iter().flat_map(|flavor| &flavor.steps);
        steps.map(|step| format!("{}: {}", step.from, step.text)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_history_says_each_change_once() {
        let page = page("innodb_log_file_size", "");
        let mysql = &page.flavors[0];
        assert_eq!((mysql.title.as_str(), mysql.same.len()), ("MySQL", 2));
        let steps: Vec<_> = mysql.steps.iter().map(|step| (step.from.as_str(), step.text.as_str())).collect();
        assert_eq!(
            steps,
            [
                ("5.5", "1M and more; default 5M; needs a restart"),
                ("5.6.8", "default 48M"),
                ("5.7.12", "4M and more"),
                ("8.0.30", "deprecated; in its place: innodb_redo_log_capacity"),
                ("by 9.7.0", "gone; last seen in 8.4.8"),
            ]
        );
        assert!(page.about.starts_with("Size of one file"));
    }

    #[test]
    fn a_server_narrows_the_page() {
        assert_eq!(
            told("innodb_log_file_size", "mysql-8.4"),
            "8.4.0: deprecated; in its place: innodb_redo_log_capacity; 4M and more; default 48M; needs a restart"
        );
        assert_eq!(told("innodb_redo_log_capacity", "mysql-8.0.29"), "8.0.29: not there; there from 8.0.30 on");
        assert_eq!(told("innodb_redo_log_capacity", "mariadb-11.8"), "11.8.2: not there");
        assert_eq!(
            told("innodb_log_file_size", "mysql-9.7"),
            "9.7.0: not there; last seen in 8.4.8; in its place: innodb_redo_log_capacity"
        );
    }

    #[test]
    fn every_option_has_a_page_of_each_flavor_that_has_it() {
        let pages = OptionPages::new(&[]);
        for id in OptionId::all() {
            let page = pages.option(id.name(), Scope::Everything).unwrap();
            let steps = page.flavors.iter().flat_map(|flavor| &flavor.steps);
            assert!(steps.clone().all(|step| !step.text.is_empty()), "{id}");
            let shown = Flavor::ALL.into_iter().filter(|flavor| {
                catalog::releases(*flavor).iter().any(|version| {
                    *version >= Version::new(5, 5, 0)
                        && catalog::entry(id, Server { flavor: *flavor, version: *version }).state == State::Present
                })
            });
            let missing: Vec<_> = shown
                .filter(|flavor| {
                    let title = flavor.title();
                    !page.flavors.iter().any(|page| page.title == title || page.same.contains(&title))
                })
                .collect();
            assert!(missing.is_empty(), "{id}: {missing:?}");
        }
    }

    #[test]
    fn misspelt_names_and_beginnings_are_helped() {
        assert_eq!(similar_option("max_conections", Scope::Everything), Some("max_connections"));
        assert_eq!(beginning_so("--max-con"), ["max_connect_errors", "max_connections"]);
        assert_eq!(OptionPages::new(&[]).option("max_conections", Scope::Everything), None);
    }
}
