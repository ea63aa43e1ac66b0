//! Parts of a carrier as files of their own, and everything said about them led back to the carrier's bytes.

use super::{InputError, Report, Subject};
use crate::facts::{FactId, FactSource, Facts};
use crate::finding::{Change, Edit, Fix, Label, Safety, Severity};
use crate::input::carrier::{self, CarriedServer, Encoding, Part};
use crate::input::filled::Filled;
use crate::optionfile::PragmaKind;
use crate::server::ServerSpec;
use crate::source::{FileId, Files, Location, SourceFile, Sources, Span};
use crate::target::ServerSource;
use std::collections::BTreeMap;
use std::path::Path;

/// Says that an included path is not on this machine, which nobody would expect of a container's.
const INCLUDE_NOT_FOUND: &str = "include-not-found";

/// Right once, for the first node: what starts a container or runs a script may set another value for the others.
const RIGHT_ONCE: &str = "bootstrap-left-on";

/// What was taken out of a carrier for one server.
pub(super) struct Carried {
    carrier: FileId,
    /// What the carrier calls the server.
    pub name: String,
    /// Option files beside the carrier.
    beside: Vec<FileId>,
    parts: BTreeMap<FileId, Part>,
    secrets: Vec<Span>,
    /// Whether the server may read more than the carrier holds.
    is_fragment: bool,
    /// What is known around the server.
    pub facts: Facts,
    /// Where the carrier says so.
    pub fact_places: Vec<(FactId, Label)>,
    /// The server that is meant.
    pub server: Option<(ServerSpec, ServerSource)>,
}

impl Carried {
    /// The parts of one server, added to the sources.
    pub fn read(
        files: &dyn Files,
        subject: &Subject,
        index: usize,
        sources: &mut Sources,
        errors: &mut Vec<InputError>,
    ) -> Option<Self> {
        let (path, bytes) = subject.roots.first()?;
        let bytes = match bytes.clone().map_or_else(|| files.read(path), Ok) {
            Ok(bytes) => bytes,
            Err(error) => {
                errors.push(InputError::Unreadable { path: path.clone(), error });
                return None;
            }
        };
        let filled = subject.fill.as_ref().map(|fill| fill.fill_carrier(path, &bytes)).transpose();
        let filled = filled.unwrap_or_else(|error| {
            errors.push(error.into());
            None
        });
        let filled = filled.flatten();
        let read = carrier::read(path, filled.as_ref().map_or(&bytes, |filled| &filled.bytes))?;
        let read = match &filled {
            Some(filled) => read.led_through(&filled.map),
            None => read,
        };
        let server: CarriedServer = read.servers.into_iter().nth(index)?;
        let (server_name, is_fragment) = (server.name.clone(), server.is_fragment);
        let carrier = sources.find(path).unwrap_or_else(|| sources.add(SourceFile::new(path, bytes)));
        let directory = path.parent().map(Path::to_owned).unwrap_or_default();
        let mut beside = Vec::new();
        for name in &server.files {
            let path = directory.join(name.strip_prefix("./").unwrap_or(name));
            for path in carrier::files_at(files, &path) {
                // One that is not there may be made before the server starts.
                if let Ok(bytes) = files.read(&path) {
                    beside.push(sources.find(&path).unwrap_or_else(|| sources.add(SourceFile::new(&path, bytes))));
                }
            }
        }
        let part = |part: Part| (sources.add_part(part.bytes.clone(), carrier, part.map.clone()), part);
        let parts = server.parts.into_iter().map(part).collect();
        let (mut facts, mut fact_places) = (Facts::default(), Vec::new());
        let source = sources.get(carrier);
        for fact in server.facts {
            let place = format!("{}:{} ({})", path.display(), source.line_of(fact.at.start), fact.name);
            facts.set(fact.fact, fact.value, FactSource::File(place));
            let label = Label { location: Location { file: carrier, span: fact.at }, text: String::new() };
            fact_places.push((fact.fact, label));
        }
        let server = server.server.map(|(spec, words)| (spec, ServerSource::Carrier(words)));
        let name = server_name;
        Some(Self { carrier, name, beside, parts, secrets: read.secrets, is_fragment, facts, fact_places, server })
    }

    /// The only root, filled in where it is a template.
    pub fn filled(
        files: &dyn Files,
        subject: &Subject,
        sources: &mut Sources,
        errors: &mut Vec<InputError>,
    ) -> Option<Self> {
        let [(path, bytes)] = subject.roots.as_slice() else { return None };
        let fill = subject.fill.as_ref()?;
        // What cannot be read is told by those who read it without filling it in.
        let bytes = bytes.clone().map_or_else(|| files.read(path), Ok).ok()?;
        let Filled { bytes: filled, map, missing } = match fill.fill(path, &bytes) {
            Ok(filled) => filled?,
            Err(error) => {
                errors.push(error.into());
                return None;
            }
        };
        errors.extend(missing.map(InputError::from));
        let carrier = sources.find(path).unwrap_or_else(|| sources.add(SourceFile::new(path, bytes)));
        let part = Part { bytes: filled, map, encoding: Encoding::Exact };
        let file = sources.add_part(part.bytes.clone(), carrier, part.map.clone());
        Some(Self {
            carrier,
            name: String::new(),
            beside: Vec::new(),
            parts: BTreeMap::from([(file, part)]),
            secrets: Vec::new(),
            is_fragment: false,
            facts: Facts::default(),
            fact_places: Vec::new(),
            server: None,
        })
    }

    /// Whether the server runs where its carrier says, so that what it includes is not here.
    pub fn is_elsewhere(&self) -> bool {
        !self.parts.values().all(|part| part.encoding == Encoding::Exact) || self.parts.is_empty()
    }

    /// The parts, in the order in which the server reads them.
    pub fn roots(&self) -> Vec<FileId> {
        self.beside.iter().chain(self.parts.keys()).copied().collect()
    }

    /// Leads all that was added to the report since these counts back to the carrier.
    pub fn lead_back(&self, report: &mut Report, target: usize, first: Counts) {
        for file in report.targets.iter_mut().skip(target).flat_map(|target| &mut target.files) {
            *file = self.outer_file(*file);
        }
        for target in report.targets.iter_mut().skip(target) {
            target.files.retain(|file| *file != self.carrier);
            target.files.insert(0, self.carrier);
        }
        if self.is_elsewhere() {
            let kept = report.findings.split_off(first.findings);
            report.findings.extend(kept.into_iter().filter(|located| located.finding.rule != INCLUDE_NOT_FOUND));
        }
        let sources = &report.sources;
        for located in report.findings.iter_mut().skip(first.findings) {
            let finding = &mut located.finding;
            if self.is_fragment && finding.rule == RIGHT_ONCE && finding.severity == Severity::Error {
                finding.severity = Severity::Warning;
                finding.message.push_str(" (unless what starts the node says otherwise)");
            }
            let labels = finding.related.iter_mut().chain([&mut finding.primary]);
            labels.for_each(|label| label.location = sources.on_disk(label.location));
            finding.fix.iter_mut().for_each(|fix| self.lead_fix(fix, sources));
        }
        for pragma in report.pragmas.iter_mut().skip(first.pragmas) {
            let file = pragma.file;
            let on_disk = |span| sources.on_disk(Location { file, span }).span;
            if let Some(part) = self.parts.get(&file) {
                pragma.within = Some(on_disk(Span::new(0, part.bytes.len() as u32)));
            }
            (pragma.span, pragma.line) = (on_disk(pragma.span), on_disk(pragma.line));
            if let PragmaKind::Ignore { rules, .. } = &mut pragma.kind {
                rules.iter_mut().for_each(|(_, span)| *span = on_disk(*span));
            }
            pragma.file = self.outer_file(file);
        }
        // In both places: what stands escaped or encoded in the carrier may be quoted as it is read.
        let on_disk: Vec<_> =
            report.secrets.iter().skip(first.secrets).map(|secret| sources.on_disk(*secret)).collect();
        let in_carrier = self.secrets.iter().copied().chain(self.parts.values().filter_map(Part::encoded));
        report.secrets.extend(on_disk);
        report.secrets.extend(in_carrier.map(|span| Location { file: self.carrier, span }));
    }

    fn outer_file(&self, file: FileId) -> FileId {
        if self.parts.contains_key(&file) { self.carrier } else { file }
    }

    fn lead_fix(&self, fix: &mut Fix, sources: &Sources) {
        let mut edits = Vec::new();
        let mut by_part: BTreeMap<FileId, Vec<carrier::Edited>> = BTreeMap::new();
        for edit in fix.edits.drain(..) {
            if self.parts.contains_key(&edit.at.file) {
                by_part.entry(edit.at.file).or_default().push((edit.at.span, edit.bytes));
            } else {
                edits.push(edit);
            }
        }
        for (file, inner) in by_part {
            let Some(outer) = self.parts.get(&file).and_then(|part| part.outer_edits(&inner)) else {
                // A fix is made whole or not at all: what the carrier cannot take stays words.
                fix.safety = Safety::Manual;
                edits.clear();
                break;
            };
            let edit = |(span, bytes)| Edit { at: Location { file: self.carrier, span }, bytes };
            edits.extend(outer.into_iter().map(edit));
        }
        fix.edits = edits;
        for change in &mut fix.changes {
            if let Change::Respell { at, .. } = change {
                *at = sources.on_disk(*at);
            }
        }
    }
}

/// How much a report held before a server was looked at.
#[derive(Clone, Copy)]
pub(super) struct Counts {
    findings: usize,
    pragmas: usize,
    secrets: usize,
}

impl Counts {
    pub fn of(report: &Report) -> Self {
        Self { findings: report.findings.len(), pragmas: report.pragmas.len(), secrets: report.secrets.len() }
    }
}
