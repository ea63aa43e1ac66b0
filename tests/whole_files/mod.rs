//! Whole option files, asked of cnflint and of the real server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

pub mod cnflint_says;
pub mod explained;
pub mod files;
pub mod server_says;
pub mod standing;

use crate::servers::RealServer;
use cnflint_says::Expected;
use server_says::Said;
use std::fmt;
use std::path::Path;

/// One thing on which cnflint and a server differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The server's name.
    pub server: &'static str,
    /// The file.
    pub file: String,
    /// The option with underscores; empty where it is about the whole file.
    pub option: String,
    /// What each of them says.
    pub what: String,
    /// Whether it is an option of a plugin that is not built in.
    pub of_plugin: bool,
    /// Whether a template fills in the value.
    pub of_template: bool,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}\t{}", self.server, self.file, self.option, self.what)
    }
}

/// Where cnflint and a server differ over one file. Both read the same copy of it.
pub fn differences(server: &RealServer, file: &str, copy: &Path) -> Vec<Difference> {
    let expected = Expected::of(server.server, copy);
    let said = Said::by(server, copy, &expected);
    let mut found = Vec::new();
    let mut differs = |option: &str, what: String| {
        found.push(Difference {
            server: server.name,
            file: file.to_owned(),
            option: option.to_owned(),
            what,
            of_plugin: expected.plugins.contains(option),
            of_template: expected.templates.contains(option),
        });
    };
    if let Some(contradiction) = &expected.contradiction {
        differs("", format!("cnflint contradicts itself: {contradiction}"));
    }
    if expected.refused != said.refused() {
        let option = said
            .errors
            .first()
            .map_or_else(|| expected.errors.first().cloned().unwrap_or_default(), |complaint| complaint.option.clone());
        let reason = if said.refused() { said.first_error() } else { expected.errors.join(", ") };
        let who = if said.refused() { "only the server refuses" } else { "only cnflint refuses" };
        differs(&option, format!("{who}: {reason}"));
    } else if said.refused() {
        for complaint in &said.errors {
            if !complaint.option.is_empty() && !expected.errors.contains(&complaint.option) {
                differs(&complaint.option, format!("the server finds another fault: {}", complaint.text));
            }
        }
    }
    for complaint in &said.warnings {
        if !expected.warnings.contains(&complaint.option) && !expected.errors.contains(&complaint.option) {
            differs(&complaint.option, format!("only the server warns: {}", complaint.text));
        }
    }
    // A server that refuses may stop before it comes to its warnings.
    if !said.refused() {
        for option in &expected.warnings {
            if !said.warnings.iter().any(|complaint| complaint.option == *option) {
                differs(option, "only cnflint expects a warning".to_owned());
            }
        }
    }
    found
}
