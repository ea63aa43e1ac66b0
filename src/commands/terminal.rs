//! What the terminal can show, and writing to it.

use crate::cli::ColorChoice;
use cnflint::report::human::{Look, Mistake, mistake};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Columns where nobody says how many there are.
const USUAL_WIDTH: usize = 100;
/// Bytes that are written at once.
const PIECE: usize = 1 << 16;
/// Longer lines are hard to read, however wide the terminal.
const WIDEST: usize = 120;

/// What the report looks like where it goes: a terminal, a pipe, or a file (`to_file`).
pub fn look(choice: ColorChoice, to_file: bool) -> Look {
    let terminal = !to_file && io::stdout().is_terminal();
    let width = terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
    let links = terminal && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout);
    Look { links, ..decide(choice, terminal, width, &|name| std::env::var(name).ok()) }
}

/// What mistakes look like on standard error.
fn error_look() -> Look {
    decide(ColorChoice::Auto, io::stderr().is_terminal(), None, &|name| std::env::var(name).ok())
}

/// The decision from what is known. See <https://no-color.org> and <https://bixense.com/clicolors>.
fn decide(
    choice: ColorChoice,
    terminal: bool,
    width: Option<usize>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Look {
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let wanted =
        forced || terminal && set("TERM").is_none_or(|term| term != "dumb") && set("CLICOLOR").is_none_or(|v| v != "0");
    let color = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => set("NO_COLOR").is_none() && wanted,
    };
    // The first of these that is set decides; none set is the C locale, which is ASCII.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let is_utf8 = |locale: &String| {
        let lower = locale.to_ascii_lowercase();
        lower.ends_with("utf-8") || lower.ends_with("utf8") || lower.contains("utf-8@") || lower.contains("utf8@")
    };
    let unicode = cfg!(windows) || locale.as_ref().is_some_and(is_utf8);
    let columns = || set("COLUMNS").and_then(|columns| columns.parse().ok());
    Look { color, unicode, width: width.or_else(columns).unwrap_or(USUAL_WIDTH).min(WIDEST), links: false }
}

/// Writes to standard output or a file, piece by piece: of a long report only a piece is kept. A reader that has gone away is no
/// mistake.
///
/// # Errors
/// What to tell the user.
pub fn write(output: Option<&Path>, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Mistake> {
    let to = |target: &mut dyn Write| {
        let mut out = io::BufWriter::with_capacity(PIECE, target);
        content(&mut out).and_then(|()| out.flush())
    };
    let written = match output {
        Some(path) => File::create(path).and_then(|mut file| to(&mut file)),
        None => to(&mut io::stdout().lock()),
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            let place = output.map_or("standard output".into(), |path| path.to_string_lossy());
            Err(Mistake { message: format!("cannot write {place}: {error}"), ..Mistake::default() })
        }
        _ => Ok(()),
    }
}

/// Writes to standard error, where standard output holds something else.
///
/// # Errors
/// What to tell the user.
pub fn write_error(
    choice: ColorChoice,
    content: impl FnOnce(&mut dyn Write, &Look) -> io::Result<()>,
) -> Result<(), Mistake> {
    let look = if choice == ColorChoice::Auto { error_look() } else { look(choice, true) };
    let mut text = Vec::new();
    let written = content(&mut text, &look).and_then(|()| io::stderr().write_all(&text));
    written.map_err(|error| Mistake { message: error.to_string(), ..Mistake::default() })
}

/// Tells the user of a mistake on standard error.
pub fn complain(what: &Mistake) {
    // Nobody is left to tell when standard error is closed.
    let _ = io::stderr().write_all(mistake(what, &error_look()).as_bytes());
}

/// One line for the user on standard error.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "cnflint: {}", cnflint::report::text::clean(text));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(choice: ColorChoice, terminal: bool, variables: &[(&str, &str)]) -> Look {
        let variables: std::collections::HashMap<_, _> = variables.iter().copied().collect();
        decide(choice, terminal, None, &|name| variables.get(name).map(|value| (*value).to_owned()))
    }

    #[test]
    fn colour_follows_flag_then_environment_then_terminal() {
        assert!(decided(ColorChoice::Auto, true, &[]).color);
        assert!(!decided(ColorChoice::Auto, false, &[]).color);
        assert!(!decided(ColorChoice::Auto, true, &[("NO_COLOR", "1")]).color);
        assert!(decided(ColorChoice::Auto, true, &[("NO_COLOR", "")]).color);
        assert!(decided(ColorChoice::Auto, false, &[("CLICOLOR_FORCE", "1")]).color);
        assert!(!decided(ColorChoice::Auto, true, &[("TERM", "dumb")]).color);
        assert!(decided(ColorChoice::Always, false, &[("NO_COLOR", "1")]).color);
        assert!(!decided(ColorChoice::Never, true, &[("CLICOLOR_FORCE", "1")]).color);
    }

    #[cfg(not(windows))]
    #[test]
    fn frames_are_ascii_unless_the_locale_is_utf8() {
        let unicode = |variables| decided(ColorChoice::Auto, true, variables).unicode;
        assert!(unicode(&[("LANG", "de_DE.UTF-8")]));
        assert!(unicode(&[("LANG", "C.utf8")]));
        assert!(!unicode(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!unicode(&[]));
    }
}
