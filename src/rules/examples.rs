//! The examples of a rule file, which are its tests and its documentation.

use super::applies::{Range as Servers, bit};
use super::document::{Document, Table, Value, get, nearest};
use super::file::Compiler;
use super::names::TOPOLOGIES;
use super::pack::{CompiledRule, Example};
use crate::facts::FactId;
use crate::server::ServerSpec;
use std::ops::Range;

const EXAMPLE_KEYS: [&str; 11] =
    ["server", "facts", "file", "path", "files", "cluster", "missing", "finds", "fixed", "persisted", "snapshot"];
const WHOLE_PATH: &str = "expected a whole path, from `/` on";

impl<'t> Compiler<'t> {
    pub(super) fn examples(&mut self, table: &Table<'t>, rule: &CompiledRule) -> Vec<Example<String>> {
        let tables = self.document.tables(table, "example");
        let mut examples = Vec::with_capacity(tables.len());
        for (example, span) in tables {
            let faults = self.document.errors.len();
            examples.extend(self.example(example, span, rule));
            // The count below must not complain about an example that is there but wrong.
            if self.document.errors.len() > faults {
                return examples;
            }
        }
        for (finds, message) in [
            (true, "an `[[example]]` with `finds = true` is missing: a rule shows what it finds"),
            (false, "an `[[example]]` with `finds = false` is missing: a rule shows a near miss"),
        ] {
            if !examples.iter().any(|example| example.finds == finds) {
                self.document.fault(0..0, message, None);
            }
        }
        examples
    }

    fn example(&mut self, table: &Table<'t>, span: Range<usize>, rule: &CompiledRule) -> Option<Example<String>> {
        self.document.only(table, &EXAMPLE_KEYS);
        let text = |document: &mut Document<'t>, key| {
            let value = get(table, key)?;
            let text = value.get_ref().as_str().map(str::to_owned);
            text.or_else(|| document.refuse(value, "expected a string"))
        };
        let server = self.document.required(table, "server", span.clone())?;
        let server_text = self.document.line(server)?;
        let finds = self.document.required(table, "finds", span.clone())?;
        let Some(finds) = finds.get_ref().as_bool() else {
            return self.document.refuse(finds, "expected `true` or `false`");
        };
        match ServerSpec::parse(server_text) {
            Err(error) => self.document.fault(server.span(), error.to_string(), None),
            Ok(spec) if finds && !reaches(&rule.applies, spec) => {
                self.document.fault(
                    server.span(),
                    format!("`applies` does not reach {spec}, so nothing is found"),
                    None,
                );
            }
            Ok(_) => {}
        }
        self.document.required(table, "file", span)?;
        let fixed = text(&mut self.document, "fixed");
        if !finds && let Some(fixed) = get(table, "fixed") {
            self.document.fault(fixed.span(), "nothing is found, so nothing is fixed", None);
        }
        Some(Example {
            server: server_text.to_owned(),
            facts: get(table, "facts").map(|facts| self.facts(facts)).unwrap_or_default(),
            file: text(&mut self.document, "file")?,
            path: get(table, "path").and_then(|path| self.whole_path(path)),
            files: get(table, "files").map(|files| self.files(files)).unwrap_or_default(),
            cluster: get(table, "cluster")
                .and_then(|kind| self.document.word(kind, TOPOLOGIES, "kind of cluster"))
                .map(|kind| TOPOLOGIES[kind].to_owned()),
            missing: get(table, "missing").and_then(|path| self.whole_path(path)),
            finds,
            fixed,
            persisted: text(&mut self.document, "persisted"),
            snapshot: text(&mut self.document, "snapshot"),
        })
    }

    fn whole_path(&mut self, value: &Value<'t>) -> Option<String> {
        match self.document.line(value)? {
            path if path.starts_with('/') => Some(path.to_owned()),
            _ => self.document.refuse(value, WHOLE_PATH),
        }
    }

    /// `{ "/etc/mysql/conf.d/a.cnf" = "…" }`: what lies beside the file.
    fn files(&mut self, value: &Value<'t>) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let Some(table) = self.document.table(value) else { return files };
        for (path, value) in table {
            if !path.get_ref().starts_with('/') {
                self.document.fault(path.span(), WHOLE_PATH, None);
            }
            let text = self.document.string(value).unwrap_or_default();
            files.push((path.get_ref().to_string(), text.to_owned()));
        }
        files
    }

    /// `{ host = { ram = "16G" } }` as names and the values as they are written.
    fn facts(&mut self, value: &Value<'t>) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let Some(table) = self.document.table(value) else { return facts };
        for (group, value) in table {
            let Some(table) = self.document.table(value) else { continue };
            for (key, value) in table {
                let name = format!("{}.{}", group.get_ref(), key.get_ref());
                if FactId::from_name(&name).is_some() {
                    facts.push((name, self.document.raw(value).to_owned()));
                    continue;
                }
                let known: Vec<_> = FactId::ALL.iter().map(|fact| fact.name()).collect();
                let help = nearest(&name, &known).map(|near| format!("did you mean `{near}`?"));
                self.document.fault(key.span(), format!("unknown fact `{name}`"), help);
            }
        }
        facts
    }
}

/// Whether a rule is about some release of what an example names.
fn reaches(ranges: &[Servers], spec: ServerSpec) -> bool {
    ranges.iter().any(|range| match spec {
        ServerSpec::Exact(server) => range.contains(server),
        ServerSpec::Series(series) => {
            range.flavors & bit(series.flavor) != 0 && range.from <= series.last && series.first < range.before
        }
        ServerSpec::Flavor(flavor) => range.flavors & bit(flavor) != 0,
    })
}
