//! What a real server says about an option file, line by line.

use super::cnflint_says::{Expected, spelled};
use crate::servers::RealServer;
use std::path::Path;

/// A line that a server prints.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// The option as the file spells it, with underscores; empty when none is named.
    pub option: String,
    /// The line.
    pub text: String,
}

/// What a server says.
pub struct Said {
    /// Whether it would start.
    pub accepted: bool,
    /// Why it would not.
    pub errors: Vec<Complaint>,
    /// What it warns about.
    pub warnings: Vec<Complaint>,
    messages: String,
}

/// What servers say here whatever the file is: about this machine, the missing data directory, and what the test itself sets.
const ABOUT_THE_TEST: [&str; 9] = [
    "Ignoring user change to",
    "Insecure configuration for --secure-file-priv",
    "Could not open mysql.plugin table",
    "Could not increase number of max_open_files",
    "Changed limits:",
    "TIMESTAMP with implicit DEFAULT value is deprecated",
    "Aborting",
    "Parsing options for plugin",
    "Setting lower_case_table_names",
];

impl Said {
    /// Asks the server.
    pub fn by(server: &RealServer, file: &Path, expected: &Expected) -> Self {
        let verdict = server.check(file);
        let lines = verdict.messages.lines().filter(|line| !ABOUT_THE_TEST.iter().any(|noise| line.contains(noise)));
        let of = |kind: &str| {
            let complaint =
                |line: &str| Complaint { option: option(line, expected).unwrap_or_default(), text: line.to_owned() };
            lines.clone().filter(|line| line.contains(kind)).map(complaint).collect::<Vec<_>>()
        };
        Self {
            accepted: verdict.accepted,
            errors: of("[ERROR]"),
            warnings: of("[Warning]"),
            messages: verdict.messages,
        }
    }

    /// Whether it would not start.
    pub fn refused(&self) -> bool {
        !self.accepted
    }

    /// Why it refuses, in its words.
    pub fn first_error(&self) -> String {
        self.errors.first().map_or_else(|| self.messages.clone(), |complaint| complaint.text.clone())
    }
}

/// The option that a line is about: the file's name that it quotes, else the first word in it that is one of the file's names.
fn option(line: &str, expected: &Expected) -> Option<String> {
    let line = line.split_once(']').map_or(line, |(_, rest)| rest);
    let text = spelled(line.as_bytes());
    // Some lines name words of the value only.
    let line = if text.contains("no_zero_") || text.contains("error_for_division") { "sql_mode" } else { line };
    let line = if text.contains("is not valid for character set") { "collation_server" } else { line };
    let quoted = |(written, _): &&(String, Vec<String>)| {
        [format!("'{written}="), format!("'__{written}'"), format!("'{written}'")]
            .iter()
            .any(|quoted| text.contains(quoted))
    };
    if let Some((written, _)) = expected.names.iter().rev().find(quoted) {
        return Some(written.clone());
    }
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'));
    let words: Vec<_> = words.map(|word| spelled(word.trim_matches(['-', '.']).as_bytes())).collect();
    let named = |word: &String| {
        // The last line that sets it decides.
        let bare = word.strip_prefix("skip_").unwrap_or(word);
        let is_named = |names: &[String]| names.iter().any(|name| name == word || name == bare);
        expected.names.iter().rev().find(|(_, names)| is_named(names)).map(|(written, _)| written.clone())
    };
    words.iter().filter(|word| !word.is_empty()).find_map(named)
}
