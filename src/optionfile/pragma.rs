//! Comments that are meant for cnflint: `# cnflint: server=mariadb-10.11`, `# cnflint: ignore[rule] reason`.

use crate::source::{FileId, Span};

/// One thing that a comment tells cnflint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// The file.
    pub file: FileId,
    /// The words themselves, without `# cnflint:`.
    pub span: Span,
    /// The line that holds the comment, without its newline.
    pub line: Span,
    /// Whether an option or a group header stands before the comment on the same line.
    pub trailing: bool,
    /// The bytes of the file that it can be about, where these are not all: a carrier holds several option files.
    pub within: Option<Span>,
    /// What it says.
    pub kind: PragmaKind,
}

/// What a comment tells cnflint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PragmaKind {
    /// `server=mariadb-10.11`: the server that the file is for, as `--server` takes it.
    Server(String),
    /// `upgrade-to=mysql-9.7`: the server that is to take its place, as `--upgrade-to` takes it.
    UpgradeTo(String),
    /// `ram=64G`: a fact, under the name of its flag.
    Fact {
        /// `ram`.
        name: String,
        /// `64G`.
        value: String,
    },
    /// `ignore[rule, rule] reason`.
    Ignore {
        /// The rules, each with its place.
        rules: Vec<(String, Span)>,
        /// Why; may be empty.
        reason: String,
    },
    /// Nothing that cnflint knows: a misspelt word after `cnflint:`.
    Unknown(String),
}

/// Reads a comment, from its `#` or `;` on. `offset` gives the place in the file of a position in the comment.
pub(super) fn parse(comment: &[u8], offset: impl Fn(usize) -> u32) -> Vec<(Span, PragmaKind)> {
    let Some(body) = body_start(comment) else { return Vec::new() };
    let text = String::from_utf8_lossy(&comment[body..]);
    if matches!(text, std::borrow::Cow::Owned(_)) {
        return Vec::new(); // positions would not map; nobody writes a pragma in another encoding
    }
    let at = |position: usize| offset(body + position);
    let words = words(&text);
    let Some(&(first, _)) = words.first() else { return Vec::new() };
    if let Some(rest) = text[first..].strip_prefix("ignore[") {
        let end = first + text[first..].trim_end().len();
        return vec![(Span::new(at(first), at(end)), ignore(rest, |position| at(first + "ignore[".len() + position)))];
    }
    words
        .into_iter()
        .map(|(start, word)| {
            let kind = match word.split_once('=') {
                Some(("server", value)) => PragmaKind::Server(value.to_owned()),
                Some(("upgrade-to", value)) => PragmaKind::UpgradeTo(value.to_owned()),
                Some((name, value)) if !name.is_empty() => {
                    PragmaKind::Fact { name: name.to_owned(), value: value.to_owned() }
                }
                _ => PragmaKind::Unknown(word.to_owned()),
            };
            (Span::new(at(start), at(start + word.len())), kind)
        })
        .collect()
}

/// Where the words begin in `# cnflint: words`.
fn body_start(comment: &[u8]) -> Option<usize> {
    let marks = comment.iter().take_while(|byte| matches!(byte, b'#' | b';' | b' ' | b'\t')).count();
    comment[marks..].starts_with(b"cnflint:").then_some(marks + "cnflint:".len())
}

fn words(text: &str) -> Vec<(usize, &str)> {
    text.split_ascii_whitespace().map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word)).collect()
}

fn ignore(rest: &str, at: impl Fn(usize) -> u32) -> PragmaKind {
    let Some((list, reason)) = rest.split_once(']') else {
        return PragmaKind::Unknown(format!("ignore[{}", rest.trim_end()));
    };
    let mut rules = Vec::new();
    let mut start = 0;
    for part in list.split(',') {
        let name = part.trim();
        let begin = start + (part.len() - part.trim_start().len());
        if !name.is_empty() {
            rules.push((name.to_owned(), Span::new(at(begin), at(begin + name.len()))));
        }
        start += part.len() + 1;
    }
    PragmaKind::Ignore { rules, reason: reason.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(comment: &str) -> Vec<PragmaKind> {
        parse(comment.as_bytes(), |at| at as u32).into_iter().map(|(_, kind)| kind).collect()
    }

    #[test]
    fn reads_what_people_write() {
        let fact = |name: &str, value: &str| PragmaKind::Fact { name: name.into(), value: value.into() };
        assert_eq!(
            kinds("# cnflint: server=mariadb-10.11 ram=64G\r\n"),
            [PragmaKind::Server("mariadb-10.11".into()), fact("ram", "64G")]
        );
        assert_eq!(
            kinds(";cnflint: ignore[ binlog-off,doublewrite-off] a throwaway copy\n"),
            [PragmaKind::Ignore {
                rules: vec![("binlog-off".into(), Span::new(18, 28)), ("doublewrite-off".into(), Span::new(29, 44))],
                reason: "a throwaway copy".into()
            }]
        );
        assert_eq!(kinds("# cnflint: ignor"), [PragmaKind::Unknown("ignor".into())]);
        assert_eq!(kinds("# cnflint: ignore[a"), [PragmaKind::Unknown("ignore[a".into())]);
        assert_eq!(kinds("# checked with cnflint: fine"), []);
    }
}
