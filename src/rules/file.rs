//! One TOML file to one compiled rule. The format is described in `docs/writing-rules.md`.

use super::applies::{self, Range as Servers, bit};
use super::document::{Document, RuleFileError, Table, Value, get, nearest};
use super::names::{AREAS, CHECKS, CatalogView, Named, SAID_BY, Vocabulary};
use super::pack::{CompiledChange, CompiledFix, CompiledRule, SAFETIES, SEVERITIES, SeverityCase};
use super::presence::{guarded, set_one_of, unguarded};
use crate::expr::{Checked, Expected, ExprError, NameId, Names, Template, Type, check, parse};
use crate::model::Target;
use crate::server::{Flavor, Version};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::de::DeValue;

const KEYS: [&str; 14] = [
    "summary",
    "severity",
    "severity_when",
    "applies",
    "when",
    "check",
    "said_by",
    "at",
    "message",
    "fix",
    "points_at",
    "why",
    "links",
    "example",
];
const FIX_KEYS: [&str; 5] = ["set", "remove", "rename", "text", "safety"];
const CASE_KEYS: [&str; 3] = ["severity", "applies", "when"];
/// What a rule with a condition says for itself, and Rust for all others.
const SAID_IN_RUST: [&str; 5] = ["severity_when", "at", "message", "fix", "points_at"];

/// Compiles rule files, each given by its path (`…/<area>/<id>.toml`) and text. Ids get `prefix` in front.
///
/// `known` are the ids of other rules that these may point at.
///
/// # Errors
/// Every fault of every file, in the order of the files.
pub fn compile_files(
    files: &[(PathBuf, String)],
    prefix: &str,
    known: &[&str],
    catalog: &dyn CatalogView,
) -> Result<Vec<CompiledRule>, Vec<RuleFileError>> {
    let (mut rules, mut errors) = (Vec::new(), Vec::new());
    let names = Vocabulary::new(catalog);
    let ids: Vec<_> = files.iter().map(|(path, _)| format!("{prefix}{}", stem(path))).collect();
    for ((path, text), id) in files.iter().zip(&ids) {
        let is_known = |other: &str| known.contains(&other) || ids.iter().any(|id| id == other);
        let is_twice = ids.iter().filter(|other| *other == id).count() > 1;
        match Compiler::new(path, text, &names).rule(id, is_twice, &is_known) {
            Ok(rule) => rules.push(rule),
            Err(found) => errors.extend(found),
        }
    }
    rules.sort_by(|a, b| (&a.area, &a.id).cmp(&(&b.area, &b.id)));
    if errors.is_empty() { Ok(rules) } else { Err(errors) }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

pub(super) struct Compiler<'t> {
    pub(super) document: Document<'t>,
    path: &'t Path,
    names: &'t Vocabulary<'t>,
}

impl<'t> Compiler<'t> {
    fn new(path: &'t Path, text: &'t str, names: &'t Vocabulary<'t>) -> Self {
        Self { document: Document::new(path, text), path, names }
    }

    fn rule(
        mut self,
        id: &str,
        is_twice: bool,
        is_known: &dyn Fn(&str) -> bool,
    ) -> Result<CompiledRule, Vec<RuleFileError>> {
        let Some(table) = self.document.parse() else { return Err(self.document.errors) };
        self.document.only(&table, &KEYS);
        let area = self.place(is_twice);
        let applies = match get(&table, "applies") {
            Some(applies) => self.applies(applies),
            None => vec![Servers::ALL],
        };
        let summary = self.document.required(&table, "summary", 0..0).and_then(|value| self.document.line(value));
        let severity = self.document.required(&table, "severity", 0..0).and_then(|value| self.severity(value));
        let why = self.document.required(&table, "why", 0..0).and_then(|value| self.document.string(value));
        let links = get(&table, "links").map(|links| self.links(links)).unwrap_or_default();
        let check = get(&table, "check").and_then(|value| self.document.word(value, CHECKS, "check"));
        let said_by = get(&table, "said_by").and_then(|value| self.document.word(value, SAID_BY, "speaker"));
        if let Some(value) = get(&table, "said_by").filter(|_| id.contains('/')) {
            self.document.fault(value.span(), "only the program's own rules are said by another part of it", None);
        }
        let mut rule = CompiledRule {
            id: id.to_owned(),
            area: area.unwrap_or_default(),
            summary: summary.unwrap_or_default().to_owned(),
            severity: severity.unwrap_or_default(),
            severities: Vec::new(),
            applies,
            condition: None,
            set_one_of: Vec::new(),
            at: Vec::new(),
            message: None,
            fix: None,
            points_at: None,
            check: check.map(|check| CHECKS[check].to_owned()),
            said_by: said_by.map(|speaker| SAID_BY[speaker].to_owned()),
            why: why.unwrap_or_default().trim().to_owned(),
            links,
            examples: Vec::new(),
        };
        match ["when", "check", "said_by"].map(|key| get(&table, key)) {
            [Some(when), None, None] => self.condition(&table, when, &mut rule, is_known),
            [None, Some(_), None] | [None, None, Some(_)] => {
                for (key, _) in table.iter().filter(|(key, _)| SAID_IN_RUST.contains(&key.get_ref().as_ref())) {
                    let message = format!("without a condition `{}` is written in Rust", key.get_ref());
                    self.document.fault(key.span(), message, None);
                }
            }
            [None, None, None] => self.document.fault(0..0, "`when` is missing", None),
            [_, Some(other), _] | [_, _, Some(other)] => {
                self.document.fault(other.span(), "a rule has one of `when`, `check` and `said_by`", None);
            }
        }
        rule.examples = self.examples(&table, &rule);
        if self.document.errors.is_empty() {
            Ok(rule)
        } else {
            self.document.errors.sort_by_key(|error| error.span.start);
            Err(self.document.errors)
        }
    }

    /// The area, from the directory; the id must look like one.
    fn place(&mut self, is_twice: bool) -> Option<String> {
        let id = stem(self.path);
        if id.is_empty() || id.contains(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')) {
            self.document.fault(0..0, format!("`{id}` is no id: lower-case letters, digits and dashes only"), None);
        }
        if is_twice {
            self.document.fault(0..0, format!("there is another rule `{id}`: ids are unique across areas"), None);
        }
        let directory = self.path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        if AREAS.contains(&directory.as_ref()) {
            return Some(directory.into_owned());
        }
        let help = nearest(&directory, AREAS).map_or_else(
            || format!("a rule lies in a directory named after its area: {}", AREAS.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        self.document.fault(0..0, format!("unknown area `{directory}`"), Some(help));
        None
    }

    /// Everything that only a rule with a condition has.
    fn condition(
        &mut self,
        table: &Table<'t>,
        when: &Value<'t>,
        rule: &mut CompiledRule,
        is_known: &dyn Fn(&str) -> bool,
    ) {
        let ranges = rule.applies.clone();
        let condition = self.expression(when, Expected::Condition, &ranges, &[]);
        let guards = condition.as_ref().map(|(_, condition)| guarded(condition, true)).unwrap_or_default();
        rule.set_one_of = condition.as_ref().and_then(|(_, condition)| set_one_of(condition)).unwrap_or_default();
        rule.condition = condition;
        rule.severities = self.severities(table, &ranges, &guards);
        if let Some(at) = self.document.required(table, "at", 0..0) {
            rule.at = self.document.strings(at).into_iter().filter_map(|value| self.name(value)).collect();
        }
        if let Some(message) = self.document.required(table, "message", 0..0)
            && self.document.line(message).is_some()
        {
            rule.message = self.template(message, &ranges, &guards);
        }
        if let Some(fix) = get(table, "fix") {
            rule.fix = self.fix(fix, &ranges, &guards);
        }
        if let Some(other) = get(table, "points_at")
            && let Some(text) = self.document.string(other)
        {
            if !is_known(text) {
                self.document.fault(other.span(), format!("there is no rule `{text}`"), None);
            } else if text == rule.id {
                self.document.fault(other.span(), "a rule cannot point at itself", None);
            }
            rule.points_at = Some(text.to_owned());
        }
    }

    fn severity(&mut self, value: &Value<'t>) -> Option<u32> {
        self.document.word(value, &SEVERITIES, "severity").map(|position| position as u32)
    }

    fn severities(&mut self, table: &Table<'t>, ranges: &[Servers], guards: &[NameId]) -> Vec<SeverityCase> {
        let mut cases = Vec::new();
        for (case, span) in self.document.tables(table, "severity_when") {
            self.document.only(case, &CASE_KEYS);
            if get(case, "applies").is_none() && get(case, "when").is_none() {
                self.document.fault(span.clone(), "`when` or `applies` is missing: this would always hold", None);
            }
            let applies = get(case, "applies").map(|applies| self.applies(applies)).unwrap_or_default();
            let own = if applies.is_empty() { ranges } else { &applies };
            let when = get(case, "when").and_then(|when| self.expression(when, Expected::Condition, own, guards));
            let severity = self.document.required(case, "severity", span).and_then(|value| self.severity(value));
            cases.push(SeverityCase {
                severity: severity.unwrap_or_default(),
                applies,
                when: when.map(|(_, when)| when),
            });
        }
        cases
    }

    /// An expression with its text.
    fn expression(
        &mut self,
        value: &Value<'t>,
        expected: Expected,
        ranges: &[Servers],
        guards: &[NameId],
    ) -> Option<(String, Checked)> {
        let (text, start) = self.document.verbatim(value)?;
        let checked = parse(text).map_err(|error| vec![error]).and_then(|tree| check(&tree, expected, self.names));
        match checked {
            Ok(checked) => {
                self.presence(&checked, text, start, ranges, guards);
                Some((text.trim().to_owned(), checked))
            }
            Err(errors) => self.faults(errors, start),
        }
    }

    fn template(&mut self, value: &Value<'t>, ranges: &[Servers], guards: &[NameId]) -> Option<(String, Template)> {
        let (text, start) = self.document.verbatim(value)?;
        match Template::parse(text, self.names) {
            Ok(template) => {
                for (expression, at) in template.expressions() {
                    self.presence(expression, &text[at..], start + at, ranges, guards);
                }
                Some((text.to_owned(), template))
            }
            Err(errors) => self.faults(errors, start),
        }
    }

    fn faults<T>(&mut self, errors: Vec<ExprError>, start: usize) -> Option<T> {
        for error in errors {
            let span = error.span.start + start..error.span.end + start;
            self.document.fault(span, error.kind.to_string(), error.help);
        }
        None
    }

    /// Refuses options that some server of the ranges is known not to have, unless `exists(…)` stands guard.
    fn presence(&mut self, part: &Checked, text: &str, start: usize, ranges: &[Servers], guards: &[NameId]) {
        let mut used: Vec<(NameId, Range<usize>)> = Vec::new();
        unguarded(part, guards, &mut |name, span| {
            if used.iter().all(|(known, _)| *known != name) {
                used.push((name, span.clone()));
            }
        });
        for (name, span) in used {
            let shown = text.get(span.clone()).unwrap_or_default();
            // `set(x)` is one part; the option is its argument.
            let shown = shown.strip_prefix("set(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(shown).trim();
            self.present(name, shown, span.start + start..span.end + start, ranges);
        }
    }

    fn present(&mut self, name: NameId, shown: &str, span: Range<usize>, ranges: &[Servers]) {
        let Some(Named::Setting(index)) = Named::of(name) else { return };
        let absent = |range: &Servers| {
            let version = |flavor| self.names.absent(index, flavor, range.from, range.before);
            range.flavors().find_map(|flavor| Some((flavor, version(flavor)?)))
        };
        if let Some((flavor, version)) = ranges.iter().find_map(absent) {
            let message = format!("{} {version} has no `{shown}`, and `applies` reaches it", flavor.title());
            self.document.fault(span, message, Some(format!("narrow `applies`, or write `exists({shown}) and …`")));
        }
    }

    fn name(&mut self, value: &Value<'t>) -> Option<NameId> {
        let text = self.document.string(value)?;
        if let Some(name) = self.names.lookup(text) {
            return Some(name.id);
        }
        let help = self.names.similar(text).map(|similar| format!("did you mean `{similar}`?"));
        self.document.fault(value.span(), format!("unknown name `{text}`"), help);
        None
    }

    fn setting(&mut self, text: &str, span: Range<usize>) -> Option<(NameId, Type)> {
        match self.names.lookup(text) {
            Some(name) if name.is_setting => return Some((name.id, name.value_type)),
            Some(_) => self.document.fault(span, format!("`{text}` is no setting"), None),
            None => {
                let help = self.names.similar(text).map(|similar| format!("did you mean `{similar}`?"));
                self.document.fault(span, format!("unknown setting `{text}`"), help);
            }
        }
        None
    }

    fn fix(&mut self, value: &Value<'t>, ranges: &[Servers], guards: &[NameId]) -> Option<CompiledFix> {
        let table = self.document.table(value)?;
        self.document.only(table, &FIX_KEYS);
        let safety = self.document.required(table, "safety", value.span());
        let safety = safety.and_then(|safety| self.document.word(safety, &SAFETIES, "safety"));
        let text = get(table, "text").and_then(|text| self.template(text, ranges, guards));
        let mut changes = Vec::new();
        if let Some(set) = get(table, "set").and_then(|set| self.document.table(set)) {
            for (key, value) in set {
                changes.extend(self.set(key.get_ref(), key.span(), value, ranges, guards));
            }
        }
        if let Some(remove) = get(table, "remove") {
            for value in self.document.strings(remove) {
                let Some(text) = self.document.string(value) else { continue };
                changes.extend(self.setting(text, value.span()).map(|(name, _)| CompiledChange::Remove(name)));
            }
        }
        if let Some(rename) = get(table, "rename").and_then(|rename| self.document.table(rename)) {
            for (from, to) in rename {
                let Some(text) = self.document.string(to) else { continue };
                if self.setting(text, to.span()).is_some() {
                    changes.push(CompiledChange::Rename { from: from.get_ref().to_string(), to: text.to_owned() });
                }
            }
        }
        match (safety?, changes.is_empty()) {
            (2, false) => {
                self.document.fault(value.span(), "a manual fix changes nothing itself: give only `text`", None)
            }
            (2, true) if get(table, "text").is_none() => {
                self.document.fault(value.span(), "`text` is missing: a manual fix is words", None);
            }
            (0 | 1, true) => {
                self.document.fault(value.span(), "the fix changes nothing: give `set`, `remove` or `rename`", None)
            }
            _ => {}
        }
        Some(CompiledFix { safety: safety? as u32, text: text.map(|(_, text)| text), changes })
    }

    /// `option = "expression"`; `true` stands for an option without a value, or a target that knows its own.
    fn set(
        &mut self,
        key: &str,
        span: Range<usize>,
        value: &Value<'t>,
        ranges: &[Servers],
        guards: &[NameId],
    ) -> Option<CompiledChange> {
        let target = Target::from_name(key);
        let setting = if target.is_some() { None } else { Some(self.setting(key, span.clone())?) };
        if let Some((name, _)) = setting
            && !guards.contains(&name)
        {
            self.present(name, key, span, ranges);
        }
        let expected = match (setting, target) {
            (Some((_, value_type)), _) => Some(value_type),
            (None, Some(target)) => target.unit().map(Type::Number),
            (None, None) => None,
        };
        let value = match value.get_ref() {
            DeValue::Boolean(true) if setting.is_some() || expected.is_none() => None,
            DeValue::String(_) if expected.is_some() => {
                Some(self.expression(value, Expected::Value(expected?), ranges, guards)?.1)
            }
            _ if expected.is_none() => return self.document.refuse(value, "this target takes no value: write `true`"),
            _ => {
                return self.document.refuse(value, "expected an expression in quotes, or `true` for a bare option");
            }
        };
        Some(match setting {
            Some((name, _)) => CompiledChange::SetSetting(name, value),
            None => CompiledChange::SetTarget(key.to_owned(), value),
        })
    }

    /// The ranges of each flavor; what is built on a flavor inherits its range.
    fn applies(&mut self, value: &Value<'t>) -> Vec<Servers> {
        let Some(table) = self.document.table(value) else { return Vec::new() };
        self.document.only(table, &Flavor::ALL.map(Flavor::name));
        let mut ranges: Vec<Servers> = Vec::new();
        let mut given: [Option<Vec<(Version, Version)>>; Flavor::ALL.len()] = Default::default();
        for (slot, flavor) in given.iter_mut().zip(Flavor::ALL) {
            let Some(value) = get(table, flavor.name()) else { continue };
            if value.get_ref().as_bool() == Some(false) {
                *slot = Some(Vec::new());
                continue;
            }
            let texts = self.document.strings(value);
            *slot = Some(texts.into_iter().filter_map(|value| self.versions(value)).collect());
        }
        for flavor in Flavor::ALL {
            let inherited = flavor.lineage().find_map(|ancestor| given[ancestor as usize].as_ref());
            for (from, before) in inherited.into_iter().flatten().copied() {
                match ranges.iter_mut().find(|range| (range.from, range.before) == (from, before)) {
                    Some(range) => range.flavors |= bit(flavor),
                    None => ranges.push(Servers { flavors: bit(flavor), from, before }),
                }
            }
        }
        if ranges.is_empty() && self.document.errors.is_empty() {
            self.document.fault(value.span(), "this rule would apply to no server", None);
        }
        ranges
    }

    fn versions(&mut self, value: &Value<'t>) -> Option<(Version, Version)> {
        let text = self.document.string(value)?;
        applies::parse(text).map_err(|error| self.document.fault(value.span(), error.to_string(), None)).ok()
    }

    fn links(&mut self, value: &Value<'t>) -> Vec<String> {
        let mut links = Vec::new();
        for value in self.document.strings(value) {
            match self.document.line(value) {
                Some(link) if link.starts_with("https://") => links.push(link.to_owned()),
                Some(link) => self.document.fault(value.span(), format!("`{link}` is no https link"), None),
                None => {}
            }
        }
        links
    }
}
