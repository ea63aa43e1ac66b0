//! `--define` and `--define-file`: templates are filled in before they are linted.

mod go;
mod jinja;
mod lines;

use crate::cli::TargetArguments;
use cnflint::input::filled::{Fill, FillError, Filled};
use cnflint::input::variables;
use cnflint::report::human::Mistake;
use cnflint::source::Files;
use serde_json::Map;
use std::path::Path;
use std::sync::Arc;

/// What templates are filled in with.
#[derive(Debug)]
pub struct Definitions {
    values: Map<String, serde_json::Value>,
}

impl Definitions {
    /// The variables that the arguments give; `None` where they give none.
    ///
    /// # Errors
    /// When a file cannot be read or holds none.
    pub fn of(arguments: &TargetArguments, files: &dyn Files) -> Result<Option<Arc<dyn Fill>>, Mistake> {
        if arguments.define.is_empty() && arguments.define_file.is_empty() {
            return Ok(None);
        }
        let mut values = Map::new();
        for path in &arguments.define_file {
            let wrong = |error: String| Mistake {
                message: format!("--define-file {}: {error}", path.display()),
                ..Mistake::default()
            };
            let bytes = files.read(path).map_err(|error| wrong(error.to_string()))?;
            values.extend(variables::read(path, &bytes).map_err(wrong)?);
        }
        for (name, value) in &arguments.define {
            variables::set(&mut values, name, variables::typed(value));
        }
        Ok(Some(Arc::new(Self { values })))
    }
}

impl Fill for Definitions {
    fn fill(&self, path: &Path, bytes: &[u8]) -> Result<Option<Filled>, FillError> {
        let Ok(text) = std::str::from_utf8(bytes) else { return Ok(None) };
        if go::is_go(text) {
            let filled = go::fill(path, text, &self.values)?;
            // What only defines, for others to include, comes to nothing by itself.
            let only_defines = text.contains("define") && filled.bytes.trim_ascii().is_empty();
            Ok((!only_defines).then_some(filled))
        } else if jinja::is_jinja(path, text) {
            jinja::fill(path, text, &self.values).map(Some)
        } else {
            Ok(None)
        }
    }

    fn fill_carrier(&self, path: &Path, bytes: &[u8]) -> Result<Option<Filled>, FillError> {
        let is_of_chart =
            |text: &&str| go::is_go(text) && [".Values", ".Release"].iter().any(|name| text.contains(name));
        match std::str::from_utf8(bytes).ok().filter(is_of_chart) {
            Some(text) => go::fill(path, text, &self.values).map(Some),
            None => Ok(None),
        }
    }
}
