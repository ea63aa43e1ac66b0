//! `mysqld-auto.cnf`: the variables that `SET PERSIST` wrote, in JSON, of MySQL 8.0 and later.
//!
//! The server applies them after option files and command line, so they outrank both. Measured on MySQL 9.7.4:
//! - what is no JSON (an empty file, a byte order mark, anything after the document) stops the start, even with
//!   `--no-defaults` (MY-010214); so does a missing or unknown `Version` (MY-011268);
//! - `--no-defaults` and `persisted_globals_load = OFF` leave the variables out;
//! - an entry whose `Value` is no text, or without `Metadata` of `Host`, `User` and a `Timestamp` beyond 32 bits, is skipped
//!   without a word, as are unknown sections; of a name that stands twice in one section the last counts;
//! - an unknown name is a warning, never more;
//! - read-only and early variables are read like options ([`ReadAs::Option`]): suffixes count and a bad value stops the start;
//! - the others are set as `SET` would ([`ReadAs::Assignment`]): a suffix or a word is cut off (`64K` is 64, `abc` is 0) and
//!   the rest is adjusted to the range with a warning; a read-only variable among them is an error that is logged and skipped.
//!
//! Version 1 (8.0 before 8.0.29) keeps everything in `mysql_server`; 9.7 still reads it.

use super::json::{Entry, Json, Kind};
use crate::source::Span;

/// How the server reads a persisted value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadAs {
    /// Like an option on the command line.
    Option,
    /// Like the right side of `SET GLOBAL`: no suffixes, and a bad value never stops the start.
    Assignment,
}

/// One persisted variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersistedVariable {
    /// The system variable, as written.
    pub name: String,
    /// The value without escapes, byte for byte.
    pub value: Vec<u8>,
    /// The name, without its quotes.
    pub name_span: Span,
    /// The value, without its quotes.
    pub value_span: Span,
    /// How the server reads it.
    pub read_as: ReadAs,
    /// Microseconds since 1970 when it was set.
    pub timestamp: Option<u64>,
}

/// An entry that the server skips without a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedEntry {
    /// The name, as written.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
}

/// What a `mysqld-auto.cnf` holds. Who set a variable from which host is left out on purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Persisted {
    /// The variables, in the order of the file.
    pub variables: Vec<PersistedVariable>,
    /// Entries that the server skips because they are not complete.
    pub skipped: Vec<SkippedEntry>,
    /// Whether there are encrypted variables, which nobody can read without the server's keyring.
    pub encrypted: bool,
}

/// Why a server refuses to start with this `mysqld-auto.cnf`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PersistedError {
    /// No JSON.
    #[error("{path} is not valid JSON, and the server refuses to start with it: {reason}")]
    NotJson {
        /// The file.
        path: String,
        /// What should stand there.
        reason: &'static str,
        /// Where.
        span: Span,
    },
    /// JSON, but not what the server writes.
    #[error("{path} does not hold persisted variables, and the server refuses to start with it: {reason}")]
    NotPersisted {
        /// The file.
        path: String,
        /// What is missing.
        reason: &'static str,
        /// Where it should stand.
        span: Span,
    },
}

impl PersistedError {
    /// The bytes that the error is about.
    pub fn span(&self) -> Span {
        match self {
            Self::NotJson { span, .. } | Self::NotPersisted { span, .. } => *span,
        }
    }
}

/// The sections of version 2 and how their values are read.
const SECTIONS: &[(&str, ReadAs)] = &[
    ("mysql_static_variables", ReadAs::Option),
    ("mysql_static_parse_early_variables", ReadAs::Option),
    ("mysql_dynamic_parse_early_variables", ReadAs::Option),
    ("mysql_static_sensitive_variables", ReadAs::Option),
    ("mysql_dynamic_variables", ReadAs::Assignment),
    ("mysql_dynamic_sensitive_variables", ReadAs::Assignment),
];

/// Reads a `mysqld-auto.cnf`.
///
/// # Errors
/// When the server would refuse to start with it.
pub fn parse(path: &str, bytes: &[u8]) -> Result<Persisted, PersistedError> {
    let json = Json::parse(bytes).map_err(|error| PersistedError::NotJson {
        path: path.to_owned(),
        reason: error.reason,
        span: Span::new(error.at, (error.at + 1).min(bytes.len() as u32).max(error.at)),
    })?;
    let refuse = |reason, span| PersistedError::NotPersisted { path: path.to_owned(), reason, span };
    let entries = json.entries().ok_or_else(|| refuse("it is no object", json.span))?;
    let version = json.get("Version").ok_or_else(|| refuse("`Version` is missing", json.span))?;
    let mut persisted = Persisted::default();
    match version.kind {
        Kind::Number("1") => {
            for entry in entries.iter().filter(|entry| entry.key.as_ref() == b"mysql_server") {
                persisted.read_section(&entry.value, ReadAs::Assignment);
            }
        }
        Kind::Number("2") => {
            for entry in entries {
                let known = SECTIONS.iter().find(|(name, _)| name.as_bytes() == entry.key.as_ref());
                if let Some((_, read_as)) = known {
                    persisted.read_section(&entry.value, *read_as);
                }
                persisted.encrypted |= entry.key.as_ref() == b"mysql_sensitive_variables";
            }
        }
        _ => return Err(refuse("only versions 1 and 2 are known", version.span)),
    }
    Ok(persisted)
}

impl Persisted {
    fn read_section(&mut self, section: &Json<'_>, read_as: ReadAs) {
        for entry in section.entries().unwrap_or_default() {
            if entry.key.as_ref() == b"mysql_server_static_options" {
                self.read_section(&entry.value, ReadAs::Option);
            } else {
                self.read_entry(entry, read_as);
            }
        }
    }

    fn read_entry(&mut self, entry: &Entry<'_>, read_as: ReadAs) {
        let name = String::from_utf8_lossy(&entry.key).into_owned();
        let name_span = entry.key_span;
        let value = entry.value.get("Value").and_then(|value| match &value.kind {
            Kind::String(text) => Some((text.as_ref().to_vec(), value.span)),
            _ => None,
        });
        let timestamp = entry.value.get("Metadata").and_then(|metadata| timestamp(metadata));
        match (value, timestamp) {
            (Some((value, value_span)), Some(timestamp)) => {
                let timestamp = Some(timestamp);
                self.variables.push(PersistedVariable { name, value, name_span, value_span, read_as, timestamp });
            }
            _ => self.skipped.push(SkippedEntry { name, name_span }),
        }
    }
}

/// The time of a complete `Metadata`: host, user and a time that needs more than 32 bits.
fn timestamp(metadata: &Json<'_>) -> Option<u64> {
    let is_text = |key| matches!(metadata.get(key).map(|value| &value.kind), Some(Kind::String(_)));
    match metadata.get("Timestamp").map(|value| &value.kind) {
        Some(Kind::Number(digits)) if is_text("Host") && is_text("User") => {
            digits.parse().ok().filter(|time| *time > u64::from(u32::MAX))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const REAL_9_7: &[u8] = include_bytes!("../../fixtures/persisted/mysql-9.7.json");
    const VERSION_1: &[u8] = include_bytes!("../../fixtures/persisted/mysql-8.0-version-1.json");

    fn listed(bytes: &[u8]) -> Vec<(String, String, ReadAs)> {
        let persisted = parse("mysqld-auto.cnf", bytes).expect("a good file");
        for variable in &persisted.variables {
            assert_eq!(variable.name_span.of(bytes), variable.name.as_bytes());
        }
        let text = |value: Vec<u8>| String::from_utf8(value).expect("UTF-8");
        persisted.variables.into_iter().map(|v| (v.name, text(v.value), v.read_as)).collect()
    }

    #[test]
    fn reads_what_mysql_9_7_wrote() {
        let of = |name: &str, value: &str, read_as| (name.to_owned(), value.to_owned(), read_as);
        assert_eq!(
            listed(REAL_9_7),
            [
                of("back_log", "99", ReadAs::Option),
                of("innodb_doublewrite_pages", "64", ReadAs::Option),
                of("init_connect", "set names \"utf8mb4\" /* ünï */", ReadAs::Assignment),
                of("sort_buffer_size", "262144", ReadAs::Assignment),
                of("innodb_io_capacity", "3000", ReadAs::Assignment),
                of("innodb_log_writer_threads", "off", ReadAs::Assignment),
                of("max_connections", "250", ReadAs::Option),
            ]
        );
        let persisted = parse("x", REAL_9_7).expect("a good file");
        let escaped = persisted.variables.iter().find(|v| v.name == "init_connect").expect("recorded");
        assert_eq!(escaped.value_span.of(REAL_9_7), r#"set names \"utf8mb4\" /* ünï */"#.as_bytes());
        assert_eq!(persisted.variables[0].timestamp, Some(1_796_050_920_961_343));
        assert!(!persisted.encrypted && persisted.skipped.is_empty());
    }

    #[test]
    fn reads_the_first_format() {
        let of = |name: &str, value: &str, read_as| (name.to_owned(), value.to_owned(), read_as);
        assert_eq!(
            listed(VERSION_1),
            [of("max_connections", "152", ReadAs::Assignment), of("back_log", "77", ReadAs::Option)]
        );
    }

    #[test]
    fn refuses_what_the_server_refuses() {
        let error = |text: &str| parse("auto", text.as_bytes()).expect_err("must be refused").to_string();
        for text in ["", " ", "{\"Version\": 2, ", "\u{feff}{\"Version\": 2}", "{\"Version\": 2} x"] {
            assert!(error(text).contains("is not valid JSON"), "{text}");
        }
        assert!(error("[]").contains("it is no object"));
        assert!(error("{}").contains("`Version` is missing"));
        assert!(error("{\"Version\": 3}").contains("only versions 1 and 2"));
    }

    #[test]
    fn entries_that_the_server_skips_are_told_apart() {
        let text =
            br#"{"Version": 2, "hello": {"a": 1}, "mysql_sensitive_variables": "00", "mysql_dynamic_variables": {
            "a": {"Value": 1, "Metadata": {"Host": "", "User": "", "Timestamp": 1796050920961343}},
            "b": {"Value": "1"},
            "c": {"Value": "1", "Metadata": {"Host": "", "User": "", "Timestamp": 1}},
            "d": {"Value": "1", "Metadata": {"Host": "", "User": "", "Timestamp": 1796050920961343}}}}"#;
        let persisted = parse("x", text).expect("a good file");
        assert_eq!(persisted.variables.iter().map(|v| v.name.as_str()).collect::<Vec<_>>(), ["d"]);
        assert_eq!(persisted.skipped.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert!(persisted.encrypted);
    }

    proptest! {
        #[test]
        fn no_damage_makes_it_panic(at in 0..REAL_9_7.len(), byte in any::<u8>(), cut in any::<bool>()) {
            let mut bytes = REAL_9_7.to_vec();
            bytes[at] = byte;
            if cut {
                bytes.truncate(at);
            }
            if let Err(error) = parse("x", &bytes) {
                prop_assert!(error.span().end as usize <= bytes.len());
            }
        }
    }
}
