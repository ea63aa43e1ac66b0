//! From the files of one server to its part of the report.

use super::candidate::{self, Evaluated, Input};
use super::carried::{Carried, Counts};
use super::init_file;
use super::merge::Merged;
use super::{Located, Report, Subject, Target, Upgrade, Verdict, unsure, upgrade};
use crate::catalog;
use crate::checks::cluster::Member;
use crate::effective::{Foreign, Origin};
use crate::facts::{FactId, FactSource, Facts, Known};
use crate::finding::{Finding, Label};
use crate::input::filled::FillError;
use crate::input::{persisted, snapshot};
use crate::model;
use crate::optionfile::{self, Document, Entry, PragmaKind, ReadOptions};
use crate::rules::RuleSet;
use crate::server::{Flavor, Server, ServerSpec};
use crate::source::{FileId, Files, Location, MemoryFiles, SourceFile, Sources, Span};
use crate::target::{self, Choice, ServerSource};
use crate::value::{Outcome, Value};
use std::io;
use std::path::PathBuf;

/// Why something that was given could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The disk does not give a file out.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the disk says.
        error: io::Error,
    },
    /// A template cannot be filled in.
    #[error(transparent)]
    Template(#[from] FillError),
    /// A snapshot is not what a client prints.
    #[error(transparent)]
    Snapshot(#[from] snapshot::SnapshotError),
    /// A file of persisted variables is broken.
    #[error(transparent)]
    Persisted(#[from] persisted::PersistedError),
}

/// Looks at one server and adds what is found to the report. What could not be read is returned; the rest is looked at all the same.
pub fn lint(files: &dyn Files, subject: Subject, rules: &[RuleSet<'_>], report: &mut Report) -> Vec<InputError> {
    let mut errors = Vec::new();
    let before = Counts::of(report);
    let (carried, roots) = read_start(files, &subject, &mut report.sources, &mut errors);
    let mut given = Given::read(&subject, &mut report.sources, &mut errors);
    if roots.is_empty() && given.files.is_empty() {
        return errors;
    }
    let mut facts = subject.facts.clone();
    facts.fill_from(std::mem::take(&mut given.facts));
    if let Some(carried) = &carried {
        facts.fill_from(carried.facts.clone());
        given.fact_places.extend(carried.fact_places.iter().cloned());
    }

    // What a carrier's server includes lies in its container, or on a machine that is not this one.
    let elsewhere = MemoryFiles::default();
    let files: &dyn Files = if carried.as_ref().is_some_and(Carried::is_elsewhere) && subject.include_root.is_none() {
        &elsewhere
    } else {
        files
    };
    let options = |server| ReadOptions {
        server,
        working_directory: subject.working_directory.clone(),
        home: subject.home.clone(),
        include_root: subject.include_root.clone(),
    };
    let of_carrier = carried.as_ref().and_then(|carried| carried.server.clone());
    let told = nearest(subject.server.clone(), of_carrier)
        .or_else(|| given.server.map(|server| (ServerSpec::Exact(server), ServerSource::Snapshot)));
    let first_look = match &told {
        Some((ServerSpec::Exact(server), _)) => *server,
        Some((ServerSpec::Series(series), _)) => Server { flavor: series.flavor, version: series.last },
        Some((ServerSpec::Flavor(flavor), _)) => Server { flavor: *flavor, version: catalog::horizon(*flavor) },
        None => Server { flavor: Flavor::Mariadb, version: catalog::horizon(Flavor::Mariadb) },
    };
    let document = optionfile::read(&mut report.sources, files, &roots, &options(first_look));
    for (id, known) in facts_in_comments(&document).iter() {
        // A comment is nearer than the project's configuration, and both are more than what this machine looks like.
        let is_nearer = |known: &Known| {
            !matches!(known.source, FactSource::Configuration(_) | FactSource::Detected(_) | FactSource::Assumed(_))
        };
        if !facts.get(id).is_some_and(is_nearer) {
            facts.set(id, known.value.clone(), known.source.clone());
        }
    }
    model::assume(&mut facts);
    let candidates = subject.candidates.clone().unwrap_or_else(|| target::decide(told, &document));
    // Read again only for those who would read something else.
    let mut documents = vec![document];
    let upgrade = target::upgrade(subject.upgrade_to.clone(), &documents[0]);
    let all_servers = || candidates.servers.iter().copied().chain(upgrade.iter().map(|(server, _)| *server));
    for server in all_servers() {
        if !documents.iter().any(|document| document.holds_for(server)) {
            documents.push(optionfile::read(&mut report.sources, files, &roots, &options(server)));
        }
    }
    let document_for =
        |server: Server| documents.iter().find(|document| document.holds_for(server)).unwrap_or(&documents[0]);

    let alone = roots.is_empty();
    // Counters alone say nothing about the settings.
    let only_counters = alone && given.snapshot_variables.is_empty() && given.persisted.is_empty();
    // What a file says that is not about a server, or only names others, is nothing to measure defaults by.
    let speaks =
        || subject.own_files || alone || candidates.servers.iter().any(|server| unsure::speaks_of(*server, &documents));
    let fragment = subject.fragment || only_counters || !speaks();
    let paths_known = subject.own_files || subject.own_host || subject.include_root.is_some();
    for server in candidates.servers.iter().filter(|_| paths_known) {
        let foreign = given.foreign(*server, alone);
        let root = subject.include_root.as_deref();
        let document = document_for(*server);
        if let Some(found) = init_file::look(files, root, *server, document, &foreign, &mut report.sources) {
            facts.set(FactId::RunningRedoLogEnabled, Value::boolean(false), FactSource::File(found.path));
            given.fact_places.retain(|(fact, _)| *fact != FactId::RunningRedoLogEnabled);
            given.fact_places.extend(found.labels.map(|label| (FactId::RunningRedoLogEnabled, label)));
            report.secrets.extend(found.not_shown);
            break;
        }
    }

    let sources = &report.sources;
    let settings = |server: Server| candidate::effective(server, document_for(server), &given.foreign(server, alone));
    let from: Vec<_> =
        if upgrade.is_some() { candidates.servers.iter().copied().map(settings).collect() } else { Vec::new() };
    let to: Vec<_> = upgrade.iter().map(|(server, _)| settings(*server)).collect();
    let common = Input {
        sources,
        document: &documents[0],
        foreign: &[],
        facts: &facts,
        fact_places: &given.fact_places,
        fragment,
        paths_known,
        host_reads: &subject.host_reads,
        faulty_paths: &subject.faulty_paths,
        own_files: subject.own_files,
        upgraded_from: &[],
        others: &to,
        skipped_entries: &given.skipped_entries,
        running: if alone { &[] } else { &given.snapshot_variables },
    };
    let evaluate = |server: Server| -> Evaluated {
        let foreign = given.foreign(server, alone);
        let input = Input { document: document_for(server), foreign: &foreign, ..common };
        candidate::evaluate(server, input, rules)
    };
    let mut all: Vec<Evaluated> = candidates.servers.iter().copied().map(evaluate).collect();
    let merged = match (candidates.choice, all.len()) {
        (Choice::Ends, 2) => {
            let (Some(last), Some(first)) = (all.pop(), all.pop()) else { return errors };
            Merged::ends(first, last, evaluate)
        }
        (Choice::Exact | Choice::Ends, _) => match all.pop() {
            Some(only) => Merged::exact(only),
            None => return errors,
        },
        (Choice::Alternatives, _) => Merged::alternatives(all),
    };

    let (merged, upgrade) = match upgrade {
        None => (merged, None),
        Some((server, source)) => {
            let foreign = given.foreign(server, alone);
            let input = Input {
                document: document_for(server),
                foreign: &foreign,
                upgraded_from: &from,
                others: &from,
                ..common
            };
            let new = candidate::evaluate(server, input, rules);
            let upgrade = Upgrade { server, source, verdict: new.verdict };
            (upgrade::joined(merged, new), Some(upgrade))
        }
    };

    let shown = candidates.servers.first().map_or(&documents[0], |server| document_for(*server));
    let mut read: Vec<FileId> = if alone { given.files.clone() } else { shown.files.clone() };
    read.dedup();
    let member = candidates.servers.first().filter(|_| subject.compared).and_then(|server| {
        let file = *read.first()?;
        let source = report.sources.get(file);
        let name = source.path().display().to_string();
        let start = Location { file, span: source.line_span(1) };
        Some(Member::new(name, start, &settings(*server), &facts, fragment))
    });
    report.pragmas.extend(shown.pragmas.iter().cloned());
    let found = secrets(shown, &report.sources);
    report.secrets.extend(found);
    let findings = unsure::only_if_the_template_says_so(merged.findings, &report.sources);
    let index = report.targets.len();
    report.targets.push(Target {
        files: read,
        carried: carried.as_ref().filter(|carried| carried.is_elsewhere()).map(|carried| carried.name.clone()),
        fragment,
        servers: candidates.servers,
        server_title: candidates.title,
        server_source: candidates.source,
        choice: candidates.choice,
        facts,
        verdict: merged.verdicts.iter().copied().min().unwrap_or(Verdict::Starts),
        verdicts: merged.verdicts,
        upgrade,
        member,
    });
    let not_evaluated = merged.not_evaluated.into_iter().map(|mut item| {
        item.target = index;
        item
    });
    report.not_evaluated.extend(not_evaluated);
    add_findings(report, index, findings);
    if let Some(carried) = carried {
        carried.lead_back(report, index, before);
    }
    errors
}

type Told = Option<(ServerSpec, ServerSource)>;

/// A flag comes before what the carrier says of this very server, and that before what a project says of all; a tag such as `latest`
/// tells the flavor only.
fn nearest(told: Told, of_carrier: Told) -> Told {
    let is_nearer = match (&told, &of_carrier) {
        (Some((of_project, ServerSource::Configuration(_))), Some((ServerSpec::Flavor(flavor), _))) => {
            of_project.flavor() != *flavor
        }
        (Some((_, ServerSource::Configuration(_))), Some(_)) => true,
        _ => false,
    };
    if is_nearer { of_carrier } else { told.or(of_carrier) }
}

/// The files that a server starts from.
#[derive(Debug)]
pub struct Start {
    /// Option files, and arguments written as one, in the order in which they are read.
    pub roots: Vec<FileId>,
    /// The server, where its carrier says it.
    pub server: Option<(ServerSpec, ServerSource)>,
}

/// Reads the files that a server starts from.
pub fn start(files: &dyn Files, subject: &Subject, sources: &mut Sources, errors: &mut Vec<InputError>) -> Start {
    let (carried, roots) = read_start(files, subject, sources, errors);
    Start { roots, server: carried.and_then(|carried| carried.server) }
}

fn read_start(
    files: &dyn Files,
    subject: &Subject,
    sources: &mut Sources,
    errors: &mut Vec<InputError>,
) -> (Option<Carried>, Vec<FileId>) {
    let Some(index) = subject.carried else {
        return match Carried::filled(files, subject, sources, errors) {
            Some(filled) => {
                let roots = filled.roots();
                (Some(filled), roots)
            }
            None => (None, read_roots(files, subject, sources, errors)),
        };
    };
    let carried = Carried::read(files, subject, index, sources, errors);
    let roots = carried.as_ref().map_or_else(Vec::new, Carried::roots);
    (carried, roots)
}

fn add_findings(report: &mut Report, target: usize, mut findings: Vec<Finding>) {
    findings.sort_by(candidate::order);
    report.findings.extend(findings.into_iter().map(|finding| Located { target, finding }));
}

fn read_roots(
    files: &dyn Files,
    subject: &Subject,
    sources: &mut Sources,
    errors: &mut Vec<InputError>,
) -> Vec<FileId> {
    let mut roots = Vec::new();
    for (path, bytes) in &subject.roots {
        let bytes = match bytes {
            Some(bytes) => Ok(bytes.clone()),
            None => files.read(path),
        };
        match bytes {
            Ok(bytes) => roots.push(sources.add(SourceFile::new(path, bytes))),
            Err(error) => errors.push(InputError::Unreadable { path: path.clone(), error }),
        }
    }
    roots
}

/// Everything that does not come from option files.
#[derive(Default)]
struct Given {
    files: Vec<FileId>,
    persisted: Vec<(FileId, persisted::PersistedVariable)>,
    skipped_entries: Vec<(FileId, persisted::SkippedEntry)>,
    snapshot_variables: Vec<(FileId, snapshot::SnapshotVariable)>,
    server: Option<Server>,
    facts: Facts,
    fact_places: Vec<(FactId, Label)>,
}

impl Given {
    fn read(subject: &Subject, sources: &mut Sources, errors: &mut Vec<InputError>) -> Self {
        let mut given = Self::default();
        if let Some((path, bytes)) = &subject.persisted {
            let file = sources.add(SourceFile::new(path, bytes.clone()));
            match persisted::parse(&path.to_string_lossy(), bytes) {
                Ok(read) => {
                    given.persisted = read.variables.into_iter().map(|variable| (file, variable)).collect();
                    given.skipped_entries = read.skipped.into_iter().map(|entry| (file, entry)).collect();
                }
                Err(error) => errors.push(error.into()),
            }
            given.files.push(file);
        }
        for (path, bytes) in &subject.snapshots {
            let name = path.to_string_lossy();
            match snapshot::parse(&name, bytes) {
                Ok(read) => {
                    let file = sources.add(SourceFile::new(path, bytes.clone()));
                    given.files.push(file);
                    given.facts.fill_from(snapshot::facts_of(&read, &name));
                    given.server = given.server.or(read.server);
                    let label = |span| Label { location: Location { file, span }, text: String::new() };
                    given.fact_places.extend(snapshot::places_of(&read).map(|(fact, span)| (fact, label(span))));
                    given.snapshot_variables.extend(read.variables.into_iter().map(|variable| (file, variable)));
                }
                Err(error) => errors.push(error.into()),
            }
        }
        given
    }

    /// The variables that outrank option files on this server. Those of a snapshot count only when no option file is given:
    /// beside one they say what was, not what the next start makes of it.
    fn foreign<'a>(&'a self, server: Server, alone: bool) -> Vec<Foreign<'a>> {
        let mut foreign = Vec::new();
        if alone {
            foreign.extend(self.snapshot_variables.iter().filter_map(|(file, variable)| {
                let at = Location { file: *file, span: variable.span };
                Some(Foreign {
                    origin: Origin::Snapshot { set: was_set(variable) },
                    file: *file,
                    name_at: at,
                    value_at: at,
                    name: variable.name.as_bytes(),
                    value: variable.value.as_deref()?,
                })
            }));
        }
        if server.reads_persisted_variables() {
            foreign.extend(self.persisted.iter().map(|(file, variable)| Foreign::persisted(*file, variable)));
        }
        foreign
    }
}

fn was_set(variable: &snapshot::SnapshotVariable) -> Outcome<bool> {
    match &variable.origin {
        None => Outcome::Unknown,
        Some(snapshot::Origin::Compiled | snapshot::Origin::Computed) => Outcome::Known(false),
        Some(_) => Outcome::Known(true),
    }
}

/// Facts that the option file itself gives: `# cnflint: ram=64G`.
fn facts_in_comments(document: &Document) -> Facts {
    let mut facts = Facts::default();
    for pragma in &document.pragmas {
        let PragmaKind::Fact { name, value } = &pragma.kind else { continue };
        let flag = format!("--{name}");
        // What a running server counted is read from what it printed, not written by hand.
        let given = |id: &FactId| id.flag() == Some(flag.as_str()) && flag != "--snapshot";
        let id = FactId::ALL.iter().copied().find(given);
        if let Some((id, value)) = id.and_then(|id| Some((id, id.parse(value).ok()?))) {
            facts.set(id, value, FactSource::Comment);
        }
    }
    facts
}

/// Where secrets stand: the values of passwords and keys, and what SQL or a list of options says of one.
fn secrets(document: &Document, sources: &Sources) -> Vec<Location> {
    let secret = |entry: &Entry| {
        let name = std::str::from_utf8(&entry.name).ok()?;
        let span = entry.value_span?;
        if catalog::is_secret(name) {
            return Some(Location { file: entry.file, span });
        }
        let from = catalog::secret_within(sources.text(Location { file: entry.file, span }))? as u32;
        Some(Location { file: entry.file, span: Span::new(span.start + from, span.end) })
    };
    document.entries.iter().filter_map(secret).collect()
}
