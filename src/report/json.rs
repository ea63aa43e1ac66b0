//! The report as JSON, `"schema": 1`. Fields are added, never renamed.
//!
//! Spans count bytes, columns count code points from 1. Whole numbers beyond 2^53 are decimal strings, since most
//! readers hold numbers as doubles. Bytes that are not UTF-8 come as base64.

use super::figures::unit_name;
use super::secrets::Secrets;
use super::summary::{Counts, fact_source, server_source, upgrade_source};
use crate::facts::FactType;
use crate::finding::{Change, Edit, Evidence, Finding, Fix, Label, Safety, Side};
use crate::lint::{Missing, MissingKind, NotEvaluated, Report, Target, Verdict};
use crate::source::{Location, Sources};
use crate::value::{Unit, Value};
use data_encoding::BASE64;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::borrow::Cow;
use std::io;

/// The number of the layout; a reader that knows 1 can read every later report that says 1.
const SCHEMA: u32 = 1;

/// Writes the whole report and a line break.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    let secrets = Secrets::of(report);
    let view = Shown { sources: &report.sources, secrets: &secrets };
    let counts = Counts::of(&report.findings);
    let document = Document {
        schema: SCHEMA,
        cnflint: env!("CARGO_PKG_VERSION"),
        targets: report.targets.iter().map(|target| view.target(target)).collect(),
        findings: report.findings.iter().map(|located| view.finding(located.target, &located.finding)).collect(),
        not_evaluated: report.not_evaluated.iter().map(unevaluated).collect(),
        suppressed: report.suppressed,
        summary: Summary { error: counts.errors, warning: counts.warnings, advice: counts.advice },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    cnflint: &'static str,
    targets: Vec<JsonTarget<'a>>,
    findings: Vec<JsonFinding<'a>>,
    not_evaluated: Vec<JsonNotEvaluated<'a>>,
    suppressed: u32,
    summary: Summary,
}

#[derive(Serialize)]
struct JsonTarget<'a> {
    files: Vec<Cow<'a, str>>,
    /// What the first file, a carrier of several, calls the server; only there for a carrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    carried: Option<&'a str>,
    server: JsonServer<'a>,
    facts: Pairs<'a>,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    upgrade: Option<JsonUpgrade>,
}

/// The server that is to take the other's place; only there when one is.
#[derive(Serialize)]
struct JsonUpgrade {
    flavor: &'static str,
    version: String,
    source: String,
    verdict: &'static str,
}

/// `flavor` and `version` are null where several are possible; `releases` lists what was evaluated.
#[derive(Serialize)]
struct JsonServer<'a> {
    flavor: Option<&'static str>,
    version: Option<String>,
    source: String,
    title: &'a str,
    releases: Vec<String>,
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    rule: &'a str,
    severity: &'static str,
    target: usize,
    file: Cow<'a, str>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    span: [u32; 2],
    option: Option<&'a str>,
    value: Option<JsonValue<'a>>,
    message: Cow<'a, str>,
    /// `old` or `new` where only one side of an upgrade says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    why: &'a str,
    labels: Vec<JsonLabel<'a>>,
    evidence: Pairs<'a>,
    fix: Option<JsonFix<'a>>,
    url: Option<&'static str>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    file: Cow<'a, str>,
    span: [u32; 2],
    line: u32,
    column: u32,
    text: Cow<'a, str>,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    safety: &'static str,
    title: Cow<'a, str>,
    changes: Vec<JsonChange<'a>>,
    dynamic: Option<bool>,
    statements: Vec<Cow<'a, str>>,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum JsonChange<'a> {
    Set { option: &'a str, value: Option<Cow<'a, str>> },
    Remove { option: &'a str },
    Rename { from: &'a str, to: &'a str },
    Respell { file: Cow<'a, str>, span: [u32; 2], text: Cow<'a, str> },
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    file: Cow<'a, str>,
    span: [u32; 2],
    #[serde(flatten)]
    bytes: JsonBytes,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonBytes {
    Text(String),
    TextBase64(String),
}

#[derive(Serialize)]
struct JsonNotEvaluated<'a> {
    rule: &'a str,
    target: usize,
    missing: Vec<JsonMissing<'a>>,
}

#[derive(Serialize)]
struct JsonMissing<'a> {
    name: &'a str,
    kind: &'static str,
    flag: Option<&'static str>,
}

#[derive(Serialize)]
struct Summary {
    error: usize,
    warning: usize,
    advice: usize,
}

/// `{name: {value, unit, source}}` in the order in which the figures came.
struct Pairs<'a>(Vec<(&'static str, JsonFigure<'a>)>);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, figure) in &self.0 {
            map.serialize_entry(name, figure)?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct JsonFigure<'a> {
    value: JsonValue<'a>,
    unit: Option<&'static str>,
    source: Cow<'a, str>,
}

/// A value; null where it is, or quotes, a secret.
struct JsonValue<'a> {
    value: &'a Value<'static>,
    secrets: &'a Secrets<'a>,
}

impl Serialize for JsonValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT_IN_A_DOUBLE: u128 = 1 << 53;
        match self.value {
            Value::Integer(number) if number.unsigned_abs() > EXACT_IN_A_DOUBLE => serializer.collect_str(number),
            Value::Integer(number) => serializer.serialize_i64(*number as i64),
            Value::Real(number) => serializer.serialize_f64(*number),
            Value::Word(text) | Value::Set(text) => serializer.serialize_str(text),
            Value::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) if self.secrets.mask(text) != text => serializer.serialize_none(),
                Ok(text) => serializer.serialize_str(text),
                Err(_) => JsonBytes::TextBase64(BASE64.encode(bytes)).serialize(serializer),
            },
            Value::None => serializer.serialize_none(),
        }
    }
}

#[derive(Clone, Copy)]
struct Shown<'a> {
    sources: &'a Sources,
    secrets: &'a Secrets<'a>,
}

impl<'a> Shown<'a> {
    fn path(self, location: Location) -> Cow<'a, str> {
        self.sources.get(location.file).path().to_string_lossy()
    }

    fn figure(self, value: &'a Value<'static>, unit: Unit, source: Cow<'a, str>) -> JsonFigure<'a> {
        JsonFigure { value: JsonValue { value, secrets: self.secrets }, unit: unit_name(unit), source }
    }

    fn target(self, target: &'a Target) -> JsonTarget<'a> {
        let facts = target.facts.iter().map(|(id, known)| {
            let unit = match id.fact_type() {
                FactType::Number(unit) => unit,
                FactType::Word(_) | FactType::AnyWord | FactType::Boolean => Unit::Count,
            };
            (id.name(), self.figure(&known.value, unit, fact_source(&known.source).into()))
        });
        JsonTarget {
            files: target.files.iter().map(|id| self.sources.get(*id).path().to_string_lossy()).collect(),
            carried: target.carried.as_deref(),
            server: server(target),
            facts: Pairs(facts.collect()),
            verdict: verdict_name(target.verdict),
            upgrade: target.upgrade.as_ref().map(|upgrade| JsonUpgrade {
                flavor: upgrade.server.flavor.name(),
                version: upgrade.server.version.to_string(),
                source: upgrade_source(&upgrade.source),
                verdict: verdict_name(upgrade.verdict),
            }),
        }
    }

    fn finding(self, target: usize, finding: &'a Finding) -> JsonFinding<'a> {
        let location = finding.primary.location;
        let file = self.sources.get(location.file);
        let (start, end) = (file.line_column(location.span.start), file.line_column(location.span.end));
        JsonFinding {
            rule: &finding.rule,
            severity: finding.severity.name(),
            target,
            file: self.path(location),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            span: [location.span.start, location.span.end],
            option: finding.option.as_deref(),
            value: finding.value.as_ref().map(|value| JsonValue { value, secrets: self.secrets }),
            message: self.secrets.mask(&finding.message),
            side: match finding.side {
                Side::Both => None,
                Side::Old => Some("old"),
                Side::New => Some("new"),
            },
            why: &finding.why,
            labels: std::iter::once(&finding.primary).chain(&finding.related).map(|label| self.label(label)).collect(),
            evidence: Pairs(finding.evidence.iter().map(|evidence| self.evidence(evidence)).collect()),
            fix: finding.fix.as_ref().map(|fix| self.fix(fix)),
            url: None,
        }
    }

    fn evidence(self, evidence: &'a Evidence) -> (&'static str, JsonFigure<'a>) {
        (evidence.name, self.figure(&evidence.value, evidence.unit, self.secrets.mask(&evidence.source)))
    }

    fn label(self, label: &'a Label) -> JsonLabel<'a> {
        let span = label.location.span;
        let place = self.sources.get(label.location.file).line_column(span.start);
        JsonLabel {
            file: self.path(label.location),
            span: [span.start, span.end],
            line: place.line,
            column: place.column,
            text: self.secrets.mask(&label.text),
        }
    }

    fn fix(self, fix: &'a Fix) -> JsonFix<'a> {
        JsonFix {
            safety: match fix.safety {
                Safety::Safe => "safe",
                Safety::Unsafe => "unsafe",
                Safety::Manual => "manual",
            },
            title: self.secrets.mask(&fix.title),
            changes: fix.changes.iter().map(|change| self.change(change)).collect(),
            dynamic: fix.dynamic,
            statements: fix.statements.iter().map(|statement| self.secrets.mask(statement)).collect(),
            edits: self.secrets.edits(fix).into_iter().map(|edit| self.edit(edit)).collect(),
        }
    }

    fn change(self, change: &'a Change) -> JsonChange<'a> {
        match change {
            Change::Set { option, value } => {
                JsonChange::Set { option, value: value.as_ref().map(|value| self.secrets.mask(value)) }
            }
            Change::Remove { option } => JsonChange::Remove { option },
            Change::Rename { from, to } => JsonChange::Rename { from, to },
            Change::Respell { at, text } => JsonChange::Respell {
                file: self.path(*at),
                span: [at.span.start, at.span.end],
                text: self.secrets.mask_line(*at, text),
            },
        }
    }

    fn edit(self, edit: Edit) -> JsonEdit<'a> {
        JsonEdit {
            file: self.path(edit.at),
            span: [edit.at.span.start, edit.at.span.end],
            bytes: match String::from_utf8(edit.bytes) {
                Ok(text) => JsonBytes::Text(text),
                Err(error) => JsonBytes::TextBase64(BASE64.encode(error.as_bytes())),
            },
        }
    }
}

const fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Starts => "starts",
        Verdict::StartsWithWarnings => "starts-with-warnings",
        Verdict::Refuses => "refuses",
    }
}

fn server(target: &Target) -> JsonServer<'_> {
    let first = target.servers.first();
    let flavor = first.map(|server| server.flavor).filter(|flavor| target.servers.iter().all(|s| s.flavor == *flavor));
    let version = match target.servers.as_slice() {
        [only] => Some(only.version.to_string()),
        [first, rest @ ..] if flavor.is_some() && rest.iter().all(|s| s.version.same_series(first.version)) => {
            Some(format!("{}.{}", first.version.major, first.version.minor))
        }
        _ => None,
    };
    JsonServer {
        flavor: flavor.map(|flavor| flavor.name()),
        version,
        source: server_source(&target.server_source),
        title: &target.server_title,
        releases: target.servers.iter().map(ToString::to_string).collect(),
    }
}

fn unevaluated(entry: &NotEvaluated) -> JsonNotEvaluated<'_> {
    let missing = |missing: &'_ Missing| match missing.kind {
        MissingKind::Fact => "fact",
        MissingKind::Template => "template",
        MissingKind::Catalog => "catalog",
    };
    JsonNotEvaluated {
        rule: &entry.rule,
        target: entry.target,
        missing: entry
            .missing
            .iter()
            .map(|entry| JsonMissing { name: &entry.name, kind: missing(entry), flag: entry.flag })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn the_contract_holds() {
        insta::assert_snapshot!(samples::written(write, &samples::redo_log()));
    }

    #[test]
    fn large_numbers_and_strange_bytes_survive() {
        let report = Report::default();
        let secrets = Secrets::of(&report);
        let shown =
            |value: Value<'static>| serde_json::to_string(&JsonValue { value: &value, secrets: &secrets }).unwrap();
        assert_eq!(shown(Value::Integer(18_446_744_073_709_551_615)), r#""18446744073709551615""#);
        assert_eq!(shown(Value::Integer(-9_007_199_254_740_992)), "-9007199254740992");
        assert_eq!(shown(Value::Text(b"\xff".as_slice().into())), r#"{"text_base64":"/w=="}"#);
        assert_eq!(shown(Value::None), "null");
    }
}
