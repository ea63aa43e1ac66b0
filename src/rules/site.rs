//! A site's own rules, compiled at run time by the code that the build uses.

use super::document::{FileText, RuleFileError};
use super::file::compile_files;
use super::names::CatalogView;
use super::pack::pack;
use super::packed::RuleSet;
use std::path::PathBuf;

/// A site's own rules.
#[derive(Clone, Debug, Default)]
pub struct SiteRules {
    pool: String,
    words: Vec<u32>,
}

impl SiteRules {
    /// The rules; their ids begin with `site/`.
    pub fn rules(&self) -> RuleSet<'_> {
        RuleSet { pool: &self.pool, words: &self.words }
    }
}

/// Compiles the files of `--rules DIR`, each given by its path and text. `built_in` are the rules that they may point at.
///
/// # Errors
/// Every fault of every file, in the order of the files.
pub fn compile_site(
    files: &[(PathBuf, String)],
    built_in: RuleSet<'_>,
    catalog: &dyn CatalogView,
) -> Result<SiteRules, Vec<RuleFileError>> {
    let known: Vec<_> = built_in.iter().map(|rule| rule.id()).collect();
    let rules = compile_files(files, "site/", &known, catalog)?;
    pack(&rules).map(|(pool, words)| SiteRules { pool, words }).map_err(|error| {
        let path = files.first().map(|(path, _)| path.clone()).unwrap_or_default();
        vec![RuleFileError { path, text: FileText("".into()), span: 0..0, message: error.to_string(), help: None }]
    })
}
