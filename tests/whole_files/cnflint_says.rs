//! What cnflint expects a server to say.

use crate::servers::Disk;
use cnflint::catalog::Resolved;
use cnflint::checks::{Reaction, reaction_to, remarks};
use cnflint::effective::{Assignment, Effective};
use cnflint::finding::Severity;
use cnflint::lint::{Report, ServerSource, Subject, Verdict, lint};
use cnflint::optionfile::{ReadOptions, groups_read, read};
use cnflint::rules::{Rule, built_in};
use cnflint::server::{Server, ServerSpec};
use cnflint::source::{SourceFile, Sources};
use std::collections::BTreeSet;
use std::path::Path;

/// The verdict on these lines below `[mysqld]`.
pub fn verdict(server: &str, lines: &str) -> Verdict {
    let text = format!("[mysqld]\n{lines}\n");
    let subject = Subject {
        roots: vec![("/etc/my.cnf".into(), Some(text.into_bytes()))],
        server: Some((ServerSpec::parse(server).unwrap(), ServerSource::Flag)),
        ..Subject::default()
    };
    let mut report = Report::default();
    lint(&Disk, subject, &[built_in()], &mut report);
    report.targets[0].verdict
}

/// What cnflint expects of one server and one file.
pub struct Expected {
    /// The report's verdict.
    pub refused: bool,
    /// How the verdict and the findings of errors differ.
    pub contradiction: Option<String>,
    /// The options for which the server refuses, with underscores, in the order of the file.
    pub errors: Vec<String>,
    /// The options about which it warns.
    pub warnings: BTreeSet<String>,
    /// The options of plugins that are not built in.
    pub plugins: BTreeSet<String>,
    /// The options whose values a template fills in.
    pub templates: BTreeSet<String>,
    /// Every option and the names by which a message may call it, in the order of the file.
    pub names: Vec<(String, Vec<String>)>,
}

/// Rules without a check of their own with which a server refuses to start.
const AT_START: &[&str] = &[
    "cluster-without-row-log",
    "gtid-without-binlog",
    "gtid-without-consistency",
    "innodb-disabled",
    "malformed-filter",
    "own-events-applied-again",
    "thread-handling-without-plugin",
    "tls-without-certificate",
];

impl Expected {
    /// Lints the file for that server.
    pub fn of(server: Server, file: &Path) -> Self {
        let mut report = Report::default();
        let subject = Subject {
            roots: vec![(file.to_owned(), None)],
            server: Some((ServerSpec::Exact(server), ServerSource::Flag)),
            working_directory: file.parent().unwrap().to_owned(),
            own_host: true,
            candidates: None,
            ..Subject::default()
        };
        let errors = lint(&Disk, subject, &[built_in()], &mut report);
        assert!(errors.is_empty(), "{errors:?}");
        let refused = report.targets[0].verdict == Verdict::Refuses;
        // What an error of these areas costs shows when servers meet, unless the server looks at it itself.
        let meeting = ["replication", "galera", "group-replication"];
        let of_checks = |rule: &str| {
            // Two servers of one host meet as well: the first one starts. What lies in memory is lost later.
            let later = ["shared-datadir-port-socket", "files-in-memory"];
            let is_check = |rule: Rule<'_>| {
                !rule.has_condition() && !meeting.contains(&rule.area()) && !later.contains(&rule.id())
            };
            AT_START.contains(&rule) || built_in().find(rule).is_some_and(is_check)
        };
        let says_so = report
            .findings
            .iter()
            .any(|located| located.finding.severity == Severity::Error && of_checks(&located.finding.rule));
        let agrees = refused == says_so || has_control_lines(file);
        let contradiction = (!agrees).then(|| {
            let messages: Vec<_> = report.findings.iter().map(|located| &located.finding.message).collect();
            format!("the verdict is {:?}, the findings are {messages:?}", report.targets[0].verdict)
        });
        let mut expected = Self::by_option(server, file);
        // Only the whole file tells that its server runs on Windows.
        let is_refused = |rule: &str| {
            report
                .findings
                .iter()
                .any(|located| located.finding.rule == rule && located.finding.severity == Severity::Error)
        };
        if is_refused("impossible-name-case") {
            expected.errors.push("lower_case_table_names".to_owned());
        }
        Self { refused, contradiction, ..expected }
    }

    fn by_option(server: Server, file: &Path) -> Self {
        let mut sources = Sources::default();
        let root = sources.add(SourceFile::new(file, std::fs::read(file).unwrap()));
        let options = ReadOptions {
            server,
            working_directory: file.parent().unwrap().to_owned(),
            home: None,
            include_root: None,
        };
        let document = read(&mut sources, &Disk, &[root], &options);
        let effective = Effective::new(&document, &groups_read("mysqld", server), server, &[]);
        let with = |reaction| {
            let found = move |assignment: &&Assignment<'_>| reaction_to(assignment, server) == reaction;
            effective.assignments.iter().filter(found).map(|assignment| spelled(&assignment.name))
        };
        let remarked = |reaction| {
            let remarks = remarks(&effective).into_iter().filter(move |remark| remark.reaction == reaction);
            let effective = &effective;
            remarks.filter_map(|remark| Some(spelled(&effective.winner(remark.variable)?.name)))
        };
        Self {
            refused: document.stops,
            contradiction: None,
            errors: with(Reaction::Refuses).chain(remarked(Reaction::Refuses)).collect(),
            warnings: with(Reaction::Warns).chain(remarked(Reaction::Warns)).collect(),
            plugins: effective
                .assignments
                .iter()
                .filter(|assignment| of_plugin(assignment))
                .map(|assignment| spelled(&assignment.name))
                .collect(),
            templates: effective
                .assignments
                .iter()
                .filter(|assignment| assignment.template)
                .map(|assignment| spelled(&assignment.name))
                .collect(),
            names: effective.assignments.iter().map(names).collect(),
        }
    }
}

fn of_plugin(assignment: &Assignment<'_>) -> bool {
    assignment.entry.as_ref().is_some_and(|entry| entry.plugin)
}

/// A template's `{% if %}` stops a server; cnflint says nothing about it.
fn has_control_lines(file: &Path) -> bool {
    cnflint::optionfile::has_markup(&std::fs::read(file).unwrap())
}

/// As messages are compared: lower case, underscores.
pub fn spelled(name: &[u8]) -> String {
    String::from_utf8_lossy(name).to_lowercase().replace('-', "_")
}

fn names(assignment: &Assignment<'_>) -> (String, Vec<String>) {
    let written = spelled(&assignment.name);
    let mut names = vec![written.clone()];
    let mut rest = written.as_str();
    while let Some(shorter) =
        ["loose_", "skip_", "disable_", "enable_", "maximum_"].iter().find_map(|prefix| rest.strip_prefix(prefix))
    {
        names.push(shorter.to_owned());
        rest = shorter;
    }
    if let Resolved::Option { id, .. } = &assignment.resolved {
        names.push(id.name().to_owned());
        names.extend(assignment.entry.as_ref().map(|entry| entry.variable.name().to_owned()));
    }
    if let Some((word, _)) = written.split_once(|c: char| c != '_' && c != '.' && !c.is_alphanumeric()) {
        names.push(word.to_owned());
    }
    (written, names)
}
