//! Where the commands meet the rooms of the library that know rules, options and this host.

use super::effective::EffectiveView;
use super::explain::OptionPage;
use super::rules::RulePage;
use crate::cli::SelectionArguments;
use cnflint::facts::Facts;
use cnflint::lint::{Report, Subject};
use cnflint::report::human::Mistake;
use cnflint::source::Files;
use std::path::{Path, PathBuf};

fn not_joined(what: &str) -> Mistake {
    Mistake { message: format!("this build was made without {what}"), ..Mistake::default() }
}

/// Every rule, the site's own among them.
///
/// # Errors
/// A mistake in a rule file of the site.
pub fn rules(_site: Option<&Path>) -> Result<Vec<RulePage>, Mistake> {
    Err(not_joined("rules"))
}

/// The runner: takes a server in and adds what it found to the report.
///
/// # Errors
/// A mistake in a rule file of the site.
pub fn runner(_selection: &SelectionArguments) -> Result<Runner, Mistake> {
    Err(not_joined("rules"))
}

/// Lints one server.
pub type Runner = fn(&dyn Files, Subject, &mut Report);

/// What this host tells about a server's surroundings.
pub fn detect(_subject: &Subject) -> Facts {
    Facts::default()
}

/// What this host tells, and for each fact that it does not tell, why.
///
/// # Errors
/// When nothing can be found out here.
pub fn host_facts(_data_directory: &Path) -> Result<(Facts, Vec<String>), Mistake> {
    Err(not_joined("detection; use --no-detect"))
}

/// The settings that a program would end up with.
///
/// # Errors
/// When the server is not known well enough.
pub fn effective(_files: &dyn Files, _subject: Subject, _program: &str) -> Result<EffectiveView, Mistake> {
    Err(not_joined("a catalog"))
}

/// What is known about an option.
pub fn option_page(_name: &str, _rules: &[RulePage]) -> Option<OptionPage> {
    None
}

/// Where a server on this host looks for option files.
pub fn default_files(_home: Option<&Path>) -> Vec<PathBuf> {
    ["/etc/my.cnf", "/etc/mysql/my.cnf"].map(PathBuf::from).to_vec()
}
