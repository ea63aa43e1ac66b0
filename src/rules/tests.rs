//! Rule files as people write them, and what comes of them.

use super::*;
use crate::effective::Effective;
use crate::expr::{Environment, NameId};
use crate::facts::{FactId, file};
use crate::finding::{Safety, Severity};
use crate::optionfile::{self, ReadOptions, groups_read};
use crate::server::{Flavor, Server, ServerSpec};
use crate::source::{MemoryFiles, SourceFile, Sources};
use crate::value::{Outcome, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

const GOOD: &str = r#"
summary  = "too many connections for the memory"
severity = "warning"
applies  = { mysql = ">=8.0", mariadb = ">=10.5" }
when     = "set(max_connections) and max_connections > 1000 and not surely(workload.phase == 'import')"
at       = "max_connections"
message  = "{max_connections} connections may be open at once"
fix      = { set = { max_connections = "min(max_connections, 500)" }, remove = ["skip_name_resolve"], safety = "unsafe" }
why      = "Each takes memory."
links    = ["https://example.org/"]

[[severity_when]]
severity = "error"
applies  = { mysql = ">=9.0" }
when     = "max_connections > 5000"

[[example]]
server = "mysql-8.0.36"
facts  = { host = { ram = "1G" } }
file   = "[mysqld]\nmax_connections = 2000\n"
finds  = true
fixed  = "[mysqld]\nmax_connections = 500\n"

[[example]]
server = "mariadb-10.11"
file   = "[mysqld]\nmax_connections = 1000\n"
finds  = false
"#;

fn compile(path: &str, text: &str) -> Result<SiteRules, Vec<RuleFileError>> {
    compile_site(&[(PathBuf::from(path), text.to_owned())], built_in(), &StaticCatalog)
}

/// The faults of the good file with one part replaced, one a line.
fn faults(part: &str, replacement: &str) -> String {
    assert!(GOOD.contains(part), "{part}");
    let errors = compile("rules/connections/many.toml", &GOOD.replacen(part, replacement, 1));
    let errors = errors.expect_err("this must be refused");
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Settings by name; what is not among them is unset and has no value.
struct Settings(BTreeMap<&'static str, Value<'static>>);

impl Settings {
    fn get(&self, id: NameId) -> Option<Value<'static>> {
        match Named::of(id)? {
            Named::Setting(index) => self.0.get(crate::catalog::OptionId::from_index(index)?.name()).cloned(),
            _ => None,
        }
    }
}

impl Environment for Settings {
    fn value(&mut self, id: NameId) -> Outcome<Value<'static>> {
        self.get(id).map_or(Outcome::Unknown, Outcome::Known)
    }

    fn is_set(&mut self, id: NameId) -> Outcome<bool> {
        Outcome::Known(self.get(id).is_some())
    }

    fn exists(&mut self, _: NameId) -> Outcome<bool> {
        Outcome::Known(true)
    }
}

fn setting(name: &str) -> NameId {
    Named::Setting(crate::catalog::OptionId::from_name(name).unwrap().index()).id()
}

#[test]
fn every_fault_of_a_file_has_its_place() {
    let cases = [
        ("severity = \"warning\"\n", "severity = \"fatal\"\n"),
        ("summary  =", "sumary   ="),
        ("max_connections > 1000", "max_conections > 1000"),
        ("max_connections > 1000", "max_connections == ON"),
        ("not surely(workload.phase == 'import')", "not workload.phase == 'import'"),
        ("{max_connections} connections", "{max_connections:size3} connections"),
        ("min(max_connections, 500)", "'many'"),
        ("safety = \"unsafe\"", "safety = \"manual\""),
        ("remove = [\"skip_name_resolve\"]", "remove = [\"skip_name_resolv\"]"),
        ("at       = \"max_connections\"", "at       = \"max_connection\""),
        ("mysql = \">=8.0\", mariadb", "mysq = \">=8.0\", mariadb"),
        ("mariadb = \">=10.5\"", "mariadb = \"newest\""),
        ("https://example.org/", "example.org"),
        ("finds  = false", "finds  = true"),
        ("finds  = true\n", "finds  = false\n"),
        ("server = \"mysql-8.0.36\"", "server = \"mysql-5.7.44\""),
        ("{ ram = \"1G\" }", "{ rma = \"1G\" }"),
        ("why      = ", "when2    = "),
        ("when     = \"set(max_connections)", "when     = \"\\u0073et(max_connections)"),
        ("when     = \"set(max_connections)", "check    = \"nothing\"\nwhen     = \"set(max_connections)"),
        ("why      = \"Each", "points_at = \"nobody\"\nwhy      = \"Each"),
        ("set(max_connections) and", "innodb_redo_log_capacity > 1G and"),
        ("set(max_connections) and", "table_cache > 1 and set(max_connections) and"),
        ("links    =", "links    ==="),
    ];
    let shown: Vec<_> = cases.iter().map(|(part, replacement)| faults(part, replacement)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn files_lie_in_their_area_under_their_id() {
    let shown = |path: &str| compile(path, GOOD).expect_err("this must be refused")[0].to_string();
    assert_eq!(
        shown("rules/memmory/many.toml"),
        "rules/memmory/many.toml:1:1: unknown area `memmory` (did you mean `memory`?)"
    );
    assert_eq!(
        shown("rules/memory/Many_x.toml"),
        "rules/memory/Many_x.toml:1:1: `Many_x` is no id: lower-case letters, digits and dashes only"
    );
    let files = ["memory", "io"].map(|area| (PathBuf::from(format!("{area}/many.toml")), GOOD.to_owned()));
    let errors = compile_site(&files, built_in(), &StaticCatalog).expect_err("this must be refused");
    assert_eq!(
        errors[0].to_string(),
        "memory/many.toml:1:1: there is another rule `many`: ids are unique across areas"
    );
}

#[test]
fn an_option_that_a_server_lacks_needs_a_guard() {
    let guarded = GOOD.replacen(
        "set(max_connections) and",
        "exists(innodb_redo_log_capacity) and innodb_redo_log_capacity > 1G and",
        1,
    );
    assert!(compile("connections/many.toml", &guarded).is_ok());
    let narrow = guarded.replacen("exists(innodb_redo_log_capacity) and ", "", 1);
    let narrow = narrow.replacen("mysql = \">=8.0\", mariadb = \">=10.5\"", "mysql = \">=8.0.34\"", 1);
    let narrow = narrow.replacen("mariadb-10.11", "mysql-8.4", 1);
    assert!(compile("connections/many.toml", &narrow).is_ok(), "{:?}", compile("connections/many.toml", &narrow));
}

#[test]
fn a_packed_rule_gives_back_what_its_file_says() {
    let site = compile("connections/many.toml", GOOD).unwrap();
    let rule = site.rules().find("site/many").unwrap();
    assert_eq!((rule.area(), rule.severity()), ("connections", Severity::Warning));
    assert_eq!(rule.severities().collect::<Vec<_>>(), [Severity::Error]);
    assert_eq!(rule.at().collect::<Vec<_>>(), [setting("max_connections")]);
    assert_eq!(rule.set_one_of().collect::<Vec<_>>(), [setting("max_connections")]);
    assert_eq!(rule.names().collect::<Vec<_>>(), [setting("max_connections"), Named::Fact(FactId::WorkloadPhase).id()]);
    assert_eq!(rule.links().collect::<Vec<_>>(), ["https://example.org/"]);
    assert_eq!(rule.why(), "Each takes memory.");
    let examples: Vec<_> = rule.examples().collect();
    assert_eq!(examples[0].facts, [("host.ram", "\"1G\"")]);
    assert_eq!(examples[0].fixed, Some("[mysqld]\nmax_connections = 500\n"));
    assert_eq!((examples[1].finds, examples[1].fixed, examples[1].server), (false, None, "mariadb-10.11"));
    let ranges: Vec<_> = rule.applies_to().map(|range| range.to_string()).collect();
    assert_eq!(ranges, ["MySQL, Percona Server, Percona XtraDB Cluster from 8.0", "MariaDB from 10.5"]);
    assert!(rule.applies(Server::new(Flavor::Pxc, 8, 0, 30)));
    assert!(!rule.applies(Server::new(Flavor::Mariadb, 10, 4, 9)));
}

#[test]
fn a_rule_fires_with_its_figures_and_its_fix() {
    let site = compile("connections/many.toml", GOOD).unwrap();
    let rule = site.rules().find("site/many").unwrap();
    let run = |server, value: Option<i128>| {
        let settings = value.map(|value| ("max_connections", Value::Integer(value)));
        evaluate(rule, server, &mut Settings(settings.into_iter().collect()))
    };
    let mysql = |major, minor| Server::new(Flavor::Mysql, major, minor, 0);
    let Evaluation::Hit(hit) = run(mysql(8, 4), Some(6000)) else { panic!("it fires") };
    assert_eq!(hit.message, "6000 connections may be open at once");
    assert_eq!(hit.severity, Severity::Warning);
    let fix = hit.fix.unwrap();
    assert_eq!(fix.safety, Safety::Unsafe);
    assert_eq!(
        fix.changes,
        [
            PlannedChange::SetSetting(setting("max_connections"), Some(Value::Integer(500))),
            PlannedChange::Remove(setting("skip_name_resolve")),
        ]
    );
    let severity = |evaluation| match evaluation {
        Evaluation::Hit(hit) => Some(hit.severity),
        _ => None,
    };
    assert_eq!(severity(run(mysql(9, 7), Some(6000))), Some(Severity::Error));
    assert_eq!(severity(run(mysql(9, 7), Some(5000))), Some(Severity::Warning));
    assert_eq!(run(mysql(8, 4), Some(1000)), Evaluation::Quiet);
    assert_eq!(run(mysql(8, 4), None), Evaluation::Quiet, "nothing is set");
    assert_eq!(run(mysql(5, 7), Some(6000)), Evaluation::Absent);
}

/// The build script numbers the names; the program reads the numbers.
#[test]
fn built_in_rules_mean_what_their_files_say() {
    let rule = built_in().find("key-buffer-oversized").unwrap();
    assert_eq!(rule.at().collect::<Vec<_>>(), [setting("key_buffer_size")]);
    for rule in built_in().iter() {
        assert!(rule.names().chain(rule.at()).all(|name| Named::of(name).is_some()), "{}", rule.id());
        let kinds = [rule.has_condition(), rule.check_position().is_some(), rule.said_by().is_some()];
        assert_eq!(kinds.iter().filter(|kind| **kind).count(), 1, "{}", rule.id());
    }
    let mut ids: Vec<_> = built_in().iter().map(|rule| rule.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), built_in().len());
}

#[test]
fn a_rule_says_the_same_whether_what_it_reads_is_traced_or_remembered() {
    for example in built_in().iter().flat_map(Rule::examples) {
        let server = match ServerSpec::parse(example.server).unwrap() {
            ServerSpec::Exact(server) => server,
            ServerSpec::Series(series) => Server { flavor: series.flavor, version: series.last },
            ServerSpec::Flavor(flavor) => Server { flavor, version: crate::catalog::horizon(flavor) },
        };
        let facts: String = example.facts.iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        let facts = file::parse("facts.toml", &facts).unwrap();
        let mut sources = Sources::default();
        let root = sources.add(SourceFile::new("my.cnf", example.file.as_bytes().to_vec()));
        let options = ReadOptions { server, working_directory: PathBuf::new(), home: None, include_root: None };
        let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[root], &options);
        let effective = Effective::new(&document, &groups_read("mysqld", server), server, &[]);
        let mut context = Context::new(&effective, &facts, false);
        for rule in built_in().iter() {
            let spoke = context.silently(|context| speaks(rule, server, context));
            assert!(context.take_trace().is_empty());
            let traced = evaluate(rule, server, &mut context);
            context.take_trace();
            let expected = matches!(traced, Evaluation::Hit(_) | Evaluation::Unknown);
            assert_eq!(spoke, expected, "{} on {server}: {}", rule.id(), example.file);
        }
    }
}

/// Rules are passed over by the names of what is set: none may be missing there.
#[test]
fn every_name_stands_among_those_of_the_variable_that_it_sets() {
    let servers = ["mysql-5.6.24", "mysql-8.0.36", "mysql-9.7.4", "mariadb-10.5.23", "mariadb-11.8.9", "pxc-8.0.36"];
    for server in servers {
        let ServerSpec::Exact(server) = ServerSpec::parse(server).unwrap() else { panic!("{server} is one release") };
        for option in crate::catalog::OptionId::all() {
            let (_, variable) = crate::catalog::standing(option, server);
            let known = variable == option || crate::catalog::aliases(variable).any(|alias| alias == option);
            assert!(known, "{option} sets {variable} on {server}");
        }
    }
}
