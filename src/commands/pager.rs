//! Long pages on a terminal go through a pager, as git does it.

use super::terminal;
use cnflint::report::human::Mistake;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

/// What is called where nothing else is asked for.
const USUAL: &str = "less";

/// Writes to standard output, by way of a pager where that is a terminal with fewer rows.
///
/// # Errors
/// What to tell the user.
pub fn write(wanted: bool, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Mistake> {
    let rows = terminal_size::terminal_size().map(|(_, rows)| usize::from(rows.0));
    let words = chosen(&|name| std::env::var(name).ok());
    let (Some(rows), Some((program, arguments)), true) =
        (rows, words.split_first(), io::stdout().is_terminal() && wanted)
    else {
        return terminal::write(None, content);
    };
    let mut text = Vec::new();
    content(&mut text).map_err(|error| Mistake { message: error.to_string(), ..Mistake::default() })?;
    let is_long = text.iter().filter(|byte| **byte == b'\n').count() >= rows;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    // Ends by itself when all fits, keeps colours, and leaves the text on the screen.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    match is_long.then(|| command.spawn()) {
        Some(Ok(mut child)) => {
            if let Some(mut pipe) = child.stdin.take() {
                // Who leaves the pager early has read enough.
                let _ = pipe.write_all(&text);
            }
            let ended = child.wait();
            ended.map(|_| ()).map_err(|error| Mistake { message: error.to_string(), ..Mistake::default() })
        }
        // Without the pager the page is still worth reading.
        Some(Err(_)) | None => terminal::write(None, |out| out.write_all(&text)),
    }
}

/// The pager and its arguments; nothing where none is wanted.
fn chosen(variable: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let named = variable("CNFLINT_PAGER").or_else(|| variable("PAGER")).unwrap_or_else(|| USUAL.to_owned());
    let words: Vec<_> = named.split_whitespace().map(str::to_owned).collect();
    if words.first().is_some_and(|program| program == "cat") { Vec::new() } else { words }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_programs_own_variable_counts_first() {
        let chosen = |variables: &[(&str, &str)]| {
            let variable =
                |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
            super::chosen(&variable).join(" ")
        };
        assert_eq!(chosen(&[]), "less");
        assert_eq!(chosen(&[("PAGER", "more -s")]), "more -s");
        assert_eq!(chosen(&[("PAGER", "more"), ("CNFLINT_PAGER", "less -S")]), "less -S");
        assert_eq!(chosen(&[("PAGER", "more"), ("CNFLINT_PAGER", "")]), "");
        assert_eq!(chosen(&[("PAGER", "cat")]), "");
    }
}
