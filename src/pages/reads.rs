//! Which models read an option: a rule that names only `redo.usable` is about `innodb_log_file_size` all the same.

use super::RulePage;
use crate::catalog::{self, OptionId};
use crate::effective::Effective;
use crate::facts::{FactId, FactSource, Facts};
use crate::model::ModelId;
use crate::optionfile::{self, ReadOptions, groups_read};
use crate::rules::Context;
use crate::server::{self, Flavor, Server, ServerSpec};
use crate::source::{MemoryFiles, Sources};

/// Series that were the last to read some option; the maintained ones are asked anyway.
const EARLIER: [&str; 4] = ["mysql-5.7", "mysql-8.0", "mariadb-10.3", "mariadb-10.5"];
/// A machine about which everything is known, so that no model stops half way.
const KNOWN: [(FactId, &str); 9] = [
    (FactId::HostRam, "16G"),
    (FactId::HostCpus, "4"),
    (FactId::DiskKind, "ssd"),
    (FactId::DiskCapacity, "1T"),
    (FactId::DiskEndurance, "1P"),
    (FactId::DiskFill, "50%"),
    (FactId::DiskLifetime, "5y"),
    (FactId::WorkloadLoadSize, "1G"),
    (FactId::WorkloadRedoFactor, "1.2"),
];

/// Which variables each model reads, server by server.
pub struct Readers {
    servers: Vec<(Server, Vec<(ModelId, OptionId)>)>,
}

impl Readers {
    /// Asks every model on every server in question.
    pub fn new() -> Self {
        let facts = known();
        let reads = |server: Server| {
            let variable = |id| catalog::setting(id, server).variable;
            let options = |context: &Context<'_>, model| context.settings_of(model).into_iter().map(variable).collect();
            (server, on(server, &facts, options))
        };
        Self { servers: servers().into_iter().map(reads).collect() }
    }

    /// The models that read an option on some server.
    pub fn of(&self, option: OptionId) -> Vec<&'static str> {
        let mut models = Vec::new();
        for (server, reads) in &self.servers {
            let variable = catalog::setting(option, *server).variable;
            for (model, _) in reads.iter().filter(|(_, read)| *read == variable) {
                if !models.contains(&model.name()) {
                    models.push(model.name());
                }
            }
        }
        models
    }
}

/// The facts that each model reads on some server.
pub struct FactReaders {
    models: Vec<(ModelId, FactId)>,
}

impl FactReaders {
    /// Asks every model on every server in question.
    pub fn ask() -> Self {
        let facts = known();
        let reads = |server: Server| on(server, &facts, |context, model| context.facts_of(model));
        let mut models: Vec<_> = servers().into_iter().flat_map(reads).collect();
        models.sort_by_key(|(model, fact)| (model.name(), *fact));
        models.dedup();
        Self { models }
    }

    /// The facts that decide a rule, itself or through its models, in the order in which reports show them.
    pub fn of(&self, rule: &RulePage) -> Vec<&'static str> {
        let is_needed = |name: &str| rule.needs.iter().any(|needed| needed == name);
        let reads = |fact: &FactId| self.models.iter().any(|(model, read)| read == fact && is_needed(model.name()));
        FactId::ALL.iter().filter(|fact| is_needed(fact.name()) || reads(fact)).map(|fact| fact.name()).collect()
    }
}

/// What every model reads on one server.
fn on<T>(server: Server, facts: &Facts, read: impl Fn(&Context<'_>, ModelId) -> Vec<T>) -> Vec<(ModelId, T)> {
    let mut sources = Sources::default();
    let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
    let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[], &options);
    let program = if server.flavor == Flavor::Mariadb { "mariadbd" } else { "mysqld" };
    let effective = Effective::new(&document, &groups_read(program, server), server, &[]);
    let context = Context::new(&effective, facts, false);
    let of = |model| read(&context, model).into_iter().map(move |read| (model, read));
    ModelId::ALL.iter().copied().flat_map(of).collect()
}

fn known() -> Facts {
    let mut facts = Facts::default();
    for (id, text) in KNOWN {
        if let Ok(value) = id.parse(text) {
            facts.set(id, value, FactSource::Assumed("to see what is read"));
        }
    }
    facts
}

fn servers() -> Vec<Server> {
    let newest = |flavor| server::maintained(flavor).map(move |series| Server { flavor, version: series.last });
    let mut servers: Vec<_> = [Flavor::Mysql, Flavor::Mariadb].into_iter().flat_map(newest).collect();
    for text in EARLIER {
        if let Ok(ServerSpec::Series(series)) = ServerSpec::parse(text) {
            let end = |version| Server { flavor: series.flavor, version };
            servers.extend([end(series.first), end(series.last)]);
        }
    }
    servers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_read_the_options_of_each_version() {
        let readers = Readers::new();
        let models = |name| readers.of(OptionId::from_name(name).unwrap());
        assert!(models("innodb_log_file_size").contains(&"redo.usable"));
        assert!(models("innodb_redo_log_capacity").contains(&"redo.usable"));
        assert!(models("sort_buffer_size").contains(&"memory.expected_peak"));
        assert!(models("port").is_empty());
    }

    #[test]
    fn a_rule_needs_the_facts_of_its_models() {
        let rule =
            RulePage { needs: vec!["memory.expected_peak".to_owned(), "disk.kind".to_owned()], ..RulePage::default() };
        let needed = FactReaders::ask().of(&rule);
        assert!(needed.contains(&"host.cpus") && needed.contains(&"disk.kind"), "{needed:?}");
        assert!(FactReaders::ask().of(&RulePage::default()).is_empty());
    }
}
