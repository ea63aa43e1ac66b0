//! `cnflint check`: gathers, lints, selects, reports.

use super::Status;
use super::fix;
use super::gather::Gathered;
use super::project;
use super::run::{Rooms, Run};
use super::terminal::{self, note};
use crate::cli::{CheckArguments, Format};
use cnflint::lint::Subject;
use cnflint::pages::RulePage;
use cnflint::report::human::{Look, Mistake, Shows};
use cnflint::report::{github, gitlab, human, json, junit, markdown, sarif, short};
use std::io::{self, Write};

/// Lints, and writes the report.
///
/// # Errors
/// Bad usage, or an output that cannot be written.
pub fn run(arguments: &CheckArguments, gathered: Gathered, rooms: &mut Rooms) -> Result<Status, Mistake> {
    let (mut run, mut subjects) = Run::prepare(arguments, gathered, rooms)?;
    if run.status != Status::NothingToLint {
        if arguments.fixing.diff {
            fix::show(&mut run, subjects, rooms)?;
        } else {
            let result = arguments.fixing.fix.then(|| fix::make(&mut run, &mut subjects, rooms)).flatten();
            report(&mut run, subjects, rooms, result)?;
        }
        run.conclude()?;
    }
    run.notes.iter().for_each(|text| note(text));
    Ok(run.status)
}

/// Lints and reports. Where standard input was fixed, that is the output, and the report goes to standard error.
fn report(run: &mut Run, subjects: Vec<Subject>, rooms: &mut Rooms, fixed: Option<Vec<u8>>) -> Result<(), Mistake> {
    let output = &run.arguments.output;
    let content = |out: &mut dyn Write, look: &Look| match output.format {
        Format::Human => server_by_server(run, subjects, rooms, look, out),
        format => {
            let report = run.all_servers(subjects, rooms);
            let directory = &*rooms.place.working_directory;
            match format {
                Format::Human => Ok(()),
                Format::Short => short::write(&report, out),
                Format::Json => json::write(&report, out),
                Format::Github => github::write(&report, out),
                Format::Sarif => sarif::write(&report, &|id| about(rooms.rules, id), directory, out),
                Format::Gitlab => gitlab::write(&report, directory, out),
                Format::Junit => junit::write(&report, directory, out),
                Format::Markdown => markdown::write(&report, directory, out),
            }
        }
    };
    match fixed {
        Some(bytes) => {
            terminal::write(output.output.as_deref(), |out| out.write_all(&bytes))?;
            terminal::write_error(output.color, content)
        }
        None => {
            let look = terminal::look(output.color, output.output.is_some());
            terminal::write(output.output.as_deref(), |out| content(out, &look))
        }
    }
}

/// A person reads about one server after the other. Each is forgotten when it is written, so that ten thousand files take no
/// more memory than one.
fn server_by_server(
    run: &mut Run,
    subjects: Vec<Subject>,
    rooms: &mut Rooms,
    look: &Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shows = Shows { verbose: run.arguments.output.verbose, quiet: run.arguments.output.quiet };
    let mut pages = human::Pages::new(look, shows, subjects.len() > 1);
    for batch in project::batches(subjects, rooms.projects) {
        pages.add(&run.all_servers(batch, rooms), out)?;
    }
    pages.finish(out)
}

/// What SARIF tells of a rule.
fn about<'r>(rules: &'r [RulePage], id: &str) -> Option<sarif::RuleText<'r>> {
    let page = rules.iter().find(|page| page.id == id)?;
    let link = page.links.first().map(|link| &**link);
    Some(sarif::RuleText { severity: page.severity, summary: &page.summary, why: &page.why, link })
}

#[cfg(test)]
mod tests {
    use super::super::gather::{Place, gather};
    use super::*;
    use crate::cli::{Command, parse};
    use cnflint::facts::{FactId, FactSource};
    use cnflint::finding::{Finding, Label, Severity};
    use cnflint::fix::Fixed;
    use cnflint::lint::{Choice, InputError, Located, Report, ServerSource, Target, Verdict};
    use cnflint::project::Projects;
    use cnflint::source::{Files, Location, MemoryFiles, SourceFile, Span};
    use cnflint::value::Value;

    /// A runner that finds an error in `bad.cnf` and a warning in `worn.cnf`.
    fn lint(files: &dyn Files, subject: Subject, report: &mut Report) -> Vec<InputError> {
        let target = report.targets.len();
        let mut ids = Vec::new();
        for (path, bytes) in &subject.roots {
            let bytes = bytes.clone().unwrap_or_else(|| files.read(path).unwrap());
            ids.push(report.sources.add(SourceFile::new(path, bytes)));
            let severity = match path.file_name().and_then(|name| name.to_str()) {
                Some("bad.cnf") => Severity::Error,
                Some("worn.cnf") => Severity::Warning,
                _ => continue,
            };
            let location = Location { file: ids[ids.len() - 1], span: Span::new(0, 1) };
            let finding = Finding {
                rule: "unknown-option".into(),
                severity,
                message: String::new(),
                why: "".into(),
                primary: Label { location, text: String::new() },
                related: Vec::new(),
                evidence: Vec::new(),
                fix: None,
                option: None,
                value: None,
                side: Default::default(),
            };
            report.findings.push(Located { target, finding });
        }
        report.targets.push(Target {
            files: ids,
            fragment: subject.fragment,
            servers: Vec::new(),
            server_title: "mysql-9.7".to_owned(),
            server_source: subject.server.map_or(ServerSource::Assumed, |(_, source)| source),
            choice: Choice::Exact,
            facts: subject.facts,
            verdict: Verdict::Starts,
            verdicts: vec![Verdict::Starts],
            upgrade: None,
            carried: None,
            member: None,
        });
        Vec::new()
    }

    /// What a run came to.
    #[derive(Debug)]
    struct Checked {
        report: Report,
        status: Status,
    }

    fn checked(line: &str, build_machine: bool) -> Result<Checked, Mistake> {
        let mut disk = MemoryFiles::default();
        for name in ["good.cnf", "bad.cnf", "worn.cnf", "/etc/my.cnf"] {
            disk.insert(name, "[mysqld]\n");
        }
        disk.insert("facts.toml", "[host]\nram = \"32G\"\ncpus = 8\n");
        disk.insert("wrong.toml", "[host]\nrma = \"32G\"\n");
        let Command::Check(arguments) = parse(line.split(' ').map(Into::into).collect()).unwrap() else {
            panic!("{line}")
        };
        let rules = [RulePage { id: "unknown-option".to_owned(), area: "syntax".to_owned(), ..RulePage::default() }];
        let look_at_host = |_: &dyn Files, subject: &mut Subject| {
            let source = FactSource::Detected("/proc/meminfo".to_owned());
            subject.facts.set_if_unknown(FactId::HostRam, Value::Integer(8 << 30), source);
        };
        let place = Place { default_files: vec!["/etc/my.cnf".into()], ..Place::default() };
        let mut projects = Projects::upward(&place.working_directory);
        let gathered = gather(&arguments.target, &disk, &mut io::empty(), &place, &mut projects)?;
        let mut rooms = Rooms {
            files: &disk,
            place,
            build_machine,
            rules: &rules,
            sets: &[],
            projects: &projects,
            look_at_host: &look_at_host,
            lint: &mut lint,
            suppress: &|_| {},
            fix: &|_, _, _| Fixed::default(),
            replace: |_, _, _| Ok(()),
        };
        let (mut run, subjects) = Run::prepare(&arguments, gathered, &mut rooms)?;
        let report = run.all_servers(subjects, &mut rooms);
        run.conclude()?;
        Ok(Checked { report, status: run.status })
    }

    fn code(line: &str) -> u8 {
        checked(line, true).map_or(2, |checked| checked.status.code())
    }

    #[test]
    fn the_exit_status_is_what_a_gate_needs() {
        assert_eq!(code("cnflint good.cnf"), 0);
        assert_eq!(code("cnflint bad.cnf"), 1);
        assert_eq!(code("cnflint worn.cnf"), 0);
        assert_eq!(code("cnflint worn.cnf --fail-on warning"), 1);
        assert_eq!(code("cnflint bad.cnf --fail-on never"), 0);
        assert_eq!(code("cnflint bad.cnf --ignore syntax"), 0);
        assert_eq!(code("cnflint bad.cnf --ignore no-such-rule"), 2);
        assert_eq!(code("cnflint gone.cnf bad.cnf"), 4);
        assert_eq!(code("cnflint bad.cnf gone.cnf --require ram"), 2);
        assert_eq!(code("cnflint good.cnf --require ram"), 2);
        assert_eq!(code("cnflint good.cnf --require ram --ram 16G"), 0);
        assert_eq!(code("cnflint good.cnf --require server"), 2);
        assert_eq!(code("cnflint good.cnf --require server --server mysql-9.7"), 0);
    }

    #[test]
    fn nothing_to_lint_is_said() {
        let mut disk = MemoryFiles::default();
        disk.insert("empty/readme.txt", "");
        let Command::Check(arguments) = parse(vec!["cnflint".into(), "empty".into()]).unwrap() else { panic!() };
        let mut projects = Projects::default();
        let gathered = gather(&arguments.target, &disk, &mut io::empty(), &Place::default(), &mut projects).unwrap();
        let mut rooms = Rooms {
            files: &disk,
            place: Place::default(),
            build_machine: false,
            rules: &[],
            sets: &[],
            projects: &projects,
            look_at_host: &|_, _| {},
            lint: &mut lint,
            suppress: &|_| {},
            fix: &|_, _, _| Fixed::default(),
            replace: |_, _, _| Ok(()),
        };
        assert_eq!(Run::prepare(&arguments, gathered, &mut rooms).unwrap().0.status, Status::NothingToLint);
    }

    #[test]
    fn flags_outrank_files_and_files_outrank_detection() {
        let ram = |line: &str, build_machine: bool| {
            let checked = checked(line, build_machine).unwrap();
            checked.report.targets[0].facts.get(FactId::HostRam).map(|known| known.value.clone())
        };
        let size = |gibibytes: i128| Some(Value::Integer(gibibytes << 30));
        assert_eq!(ram("cnflint /etc/my.cnf --facts facts.toml --ram 64G", false), size(64));
        assert_eq!(ram("cnflint /etc/my.cnf --facts facts.toml", false), size(32));
        assert_eq!(ram("cnflint /etc/my.cnf", false), size(8));
        assert_eq!(ram("cnflint /etc/my.cnf", true), None, "a build machine is not the database host");
        assert_eq!(ram("cnflint /etc/my.cnf --no-detect", false), None);
        assert_eq!(ram("cnflint good.cnf", false), None, "not a file of this host");
        assert_eq!(ram("cnflint good.cnf --detect", true), size(8));
        assert_eq!(ram("cnflint good.cnf --as /etc/my.cnf --detect", true), size(8));
        assert_eq!(ram("cnflint good.cnf --as /etc/my.cnf", true), None);
    }

    #[test]
    fn a_wrong_facts_file_is_shown_with_its_place() {
        let mistake = checked("cnflint good.cnf --facts wrong.toml", false).unwrap_err();
        let (name, text, range) = mistake.place.unwrap();
        assert_eq!(name, "wrong.toml");
        assert!(text[range].contains("rma"));
    }

    #[test]
    fn the_worst_comes_first() {
        let report = checked("cnflint worn.cnf bad.cnf", false).unwrap().report;
        assert_eq!(report.findings[0].finding.severity, Severity::Error);
        assert_eq!(report.findings[0].target, 1);
    }
}
