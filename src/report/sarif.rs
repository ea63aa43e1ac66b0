//! SARIF 2.1.0, for code scanning.
//!
//! Form: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use super::places::{Fingerprints, Named, named};
use super::secrets::Secrets;
use crate::finding::{Edit, Fix, Label, Severity};
use crate::lint::{Located, Report};
use crate::source::{FileId, Location};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The name under which code scanning knows the working directory.
const ROOT: &str = "%SRCROOT%";
/// Our fingerprints; the number changes when what goes into them does.
const FINGERPRINT: &str = "cnflint/v1";

/// What is told about a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleText<'a> {
    /// `error`, `warning` or `advice`.
    pub severity: &'static str,
    /// The class of fault, in one line.
    pub summary: &'a str,
    /// Why it matters.
    pub why: &'a str,
    /// The first source, as a URL.
    pub link: Option<&'a str>,
}

/// Tells of the rule with an id.
pub type About<'r> = &'r dyn Fn(&str) -> Option<RuleText<'r>>;

/// Writes the log and a line break. `rules` tells of each rule; paths below the working directory start there.
///
/// # Errors
/// What the writer says.
pub fn write<'a>(
    report: &'a Report,
    rules: About<'a>,
    working_directory: &'a Path,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut view = Shown {
        report,
        secrets: Secrets::of(report),
        working_directory,
        rules: Vec::new(),
        positions: BTreeMap::new(),
        fingerprints: Fingerprints::default(),
    };
    let results = report.findings.iter().map(|located| view.result(located, rules)).collect();
    let root = format!("file://{}/", uri(working_directory.to_string_lossy().trim_end_matches('/')));
    let driver = Driver {
        name: "cnflint",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        rules: view.rules,
    };
    let run = Run {
        tool: Tool { driver },
        column_kind: "unicodeCodePoints",
        original_uri_base_ids: BTreeMap::from([(ROOT, Base { uri: root })]),
        results,
    };
    let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    let log = Log { schema, version: "2.1.0", runs: [run] };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    original_uri_base_ids: BTreeMap<&'static str, Base>,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct Base {
    uri: String,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<SarifRule<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule<'a> {
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    short_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<&'a str>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [SarifLocation; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<SarifLocation>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<SarifFix>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifFix {
    description: Text,
    artifact_changes: Vec<ArtifactChange>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

struct Shown<'a> {
    report: &'a Report,
    secrets: Secrets<'a>,
    working_directory: &'a Path,
    rules: Vec<SarifRule<'a>>,
    positions: BTreeMap<&'a str, usize>,
    fingerprints: Fingerprints,
}

impl<'a> Shown<'a> {
    fn result(&mut self, located: &'a Located, rules: About<'a>) -> SarifResult<'a> {
        let finding = &located.finding;
        let rule_index = match self.positions.get(&*finding.rule) {
            Some(position) => *position,
            None => {
                let page = rules(&finding.rule);
                let why = page.as_ref().map(|page| page.why).filter(|why| !why.is_empty()).unwrap_or(&*finding.why);
                let some = |text: &str| (!text.is_empty()).then(|| Text { text: text.to_owned() });
                self.rules.push(SarifRule {
                    id: &finding.rule,
                    short_description: page.as_ref().and_then(|page| some(page.summary)),
                    help: some(why),
                    help_uri: page.as_ref().and_then(|page| page.link),
                    default_configuration: Configuration {
                        level: match page.as_ref().map_or(finding.severity.name(), |page| page.severity) {
                            "error" => level(Severity::Error),
                            "warning" => level(Severity::Warning),
                            _ => level(Severity::Advice),
                        },
                    },
                });
                let position = self.rules.len() - 1;
                self.positions.insert(&finding.rule, position);
                position
            }
        };
        let path = named(self.report, finding.primary.location.file, self.working_directory).text();
        let related = finding.related.iter().enumerate();
        SarifResult {
            rule_id: &finding.rule,
            rule_index,
            level: level(finding.severity),
            message: Text { text: self.secrets.mask(&finding.message).into_owned() },
            locations: [self.location(&finding.primary, None)],
            related_locations: related.map(|(index, label)| self.location(label, Some(index + 1))).collect(),
            partial_fingerprints: BTreeMap::from([(FINGERPRINT, self.fingerprints.of(finding, &path))]),
            fixes: finding.fix.iter().filter_map(|fix| self.fix(fix)).collect(),
        }
    }

    fn location(&self, label: &Label, id: Option<usize>) -> SarifLocation {
        SarifLocation {
            id,
            physical_location: Physical {
                artifact_location: self.artifact(label.location.file),
                region: self.region(label.location),
            },
            message: (!label.text.is_empty()).then(|| Text { text: self.secrets.mask(&label.text).into_owned() }),
        }
    }

    fn artifact(&self, file: FileId) -> Artifact {
        match named(self.report, file, self.working_directory) {
            Named::Below(path) => Artifact { uri: uri(&path), uri_base_id: Some(ROOT) },
            Named::Elsewhere(path) if path.starts_with('/') => {
                Artifact { uri: format!("file://{}", uri(&path)), uri_base_id: None }
            }
            Named::Elsewhere(path) => Artifact { uri: uri(&path), uri_base_id: None },
        }
    }

    fn region(&self, location: Location) -> Region {
        let file = self.report.sources.get(location.file);
        let (start, end) = (file.line_column(location.span.start), file.line_column(location.span.end));
        Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
    }

    /// The fix as replacements of text; none where a file or what comes into it is no UTF-8.
    fn fix(&self, fix: &Fix) -> Option<SarifFix> {
        let mut files: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
        for edit in self.secrets.edits(fix) {
            files.entry(edit.at.file).or_default().push(edit);
        }
        let changes: Option<Vec<_>> = files.into_iter().map(|(file, edits)| self.change(file, edits)).collect();
        let artifact_changes = changes.filter(|changes| !changes.is_empty())?;
        let description = Text { text: self.secrets.mask(&fix.title).into_owned() };
        Some(SarifFix { description, artifact_changes })
    }

    fn change(&self, file: FileId, edits: Vec<Edit>) -> Option<ArtifactChange> {
        std::str::from_utf8(self.report.sources.get(file).bytes()).ok()?;
        let replacement = |edit: Edit| {
            let inserted_content = Text { text: String::from_utf8(edit.bytes).ok()? };
            Some(Replacement { deleted_region: self.region(edit.at), inserted_content })
        };
        let replacements = edits.into_iter().map(replacement).collect::<Option<_>>()?;
        Some(ArtifactChange { artifact_location: self.artifact(file), replacements })
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Advice => "note",
    }
}

/// The path with every byte encoded that a URI's path cannot hold (RFC 3986, section 3.3).
fn uri(path: &str) -> String {
    let mut result = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            result.push(char::from(byte));
        } else {
            result.push_str(&format!("%{byte:02X}"));
        }
    }
    result
}
