//! `--baseline` and `--write-baseline`: reads and writes the file of known findings.

use super::replace::replace;
use cnflint::report::human::Mistake;
use cnflint::source::{FileKind, Files};
use cnflint::suppress::Baseline;
use std::fs;
use std::io;
use std::path::Path;

/// The baseline that is asked for; an empty one where it is to be written and is not there yet.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read(path: Option<&Path>, write: bool, files: &dyn Files, start: &Path) -> Result<Option<Baseline>, Mistake> {
    let Some(path) = path else {
        let message = "--write-baseline writes the file that --baseline names, or cnflint.toml: name one".to_owned();
        return if write { Err(Mistake { message, ..Mistake::default() }) } else { Ok(None) };
    };
    let place = start.join(path);
    let directory = place.parent().unwrap_or(start).to_owned();
    let wrong = |what: String| Mistake { message: format!("{}: {what}", path.display()), ..Mistake::default() };
    match files.read(path) {
        Ok(bytes) => match Baseline::parse(directory, start.to_owned(), &bytes) {
            Ok(baseline) => Ok(Some(baseline)),
            Err(error) => Err(wrong(format!("this is no baseline: {error}"))),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound && write => {
            Ok(Some(Baseline::first(directory, start.to_owned())))
        }
        Err(error) => {
            let help = (error.kind() == io::ErrorKind::NotFound).then(|| "--write-baseline writes it".to_owned());
            Err(Mistake { message: format!("cannot read {}: {error}", path.display()), help, place: None })
        }
    }
}

/// Writes what is still known.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: &Path, baseline: &Baseline, files: &dyn Files) -> Result<(), Mistake> {
    let wrong =
        |error: String| Mistake { message: format!("cannot write {}: {error}", path.display()), ..Mistake::default() };
    let exists = |path: &Path| matches!(files.kind(path), Ok(FileKind::File { .. }));
    let text = baseline.to_json(exists).map_err(|error| wrong(error.to_string()))?;
    let written = match fs::read(path) {
        Ok(old) if old == text.as_bytes() => Ok(()),
        Ok(old) => replace(path, &old, text.as_bytes()),
        Err(_) => fs::write(path, &text),
    };
    written.map_err(|error| wrong(error.to_string()))
}
