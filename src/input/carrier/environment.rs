//! Variables of a container: flags that some images append to the server's, and what tells such an image.

use super::arguments::{self, Word};
use super::part::Insertion;
use super::yaml::{File, Node};
use crate::server::{Flavor, ServerSpec};
use crate::source::Span;

/// What Bitnami's images append to the server's flags, split at blanks.
const FLAGS: [&str; 2] = ["MYSQL_EXTRA_FLAGS", "MARIADB_EXTRA_FLAGS"];
/// What the images of servers make accounts from when they start first.
const ROOT: [&str; 6] = [
    "ROOT_PASSWORD",
    "ROOT_PASSWORD_FILE",
    "ALLOW_EMPTY_PASSWORD",
    "ALLOW_EMPTY_ROOT_PASSWORD",
    "RANDOM_ROOT_PASSWORD",
    "ROOT_HOST",
];

/// A variable.
pub struct Variable {
    name: String,
    value: String,
    /// Where the value stands, byte for byte.
    at: Option<Span>,
}

/// The variables of a service or a container, however they are written.
pub fn of_node(node: &Node, file: &File<'_>) -> Vec<Variable> {
    let mut variables = Vec::new();
    for environment in ["environment", "env"].iter().filter_map(|key| node.get(key)) {
        match environment {
            Node::Mapping(entries) => {
                variables.extend(entries.iter().filter_map(|(name, value)| {
                    let value = value.scalar()?;
                    Some(Variable { name: name.value.clone(), value: value.value.clone(), at: file.content(value) })
                }));
            }
            Node::Sequence(sequence) => {
                for item in &sequence.items {
                    let named = item.text(&["name"]).zip(item.text(&["value"]));
                    if let Some((name, value)) = named {
                        let (name, at) = (name.value.clone(), file.content(value));
                        variables.push(Variable { name, value: value.value.clone(), at });
                    } else if let Some(text) = item.scalar()
                        && let Some((name, value)) = text.value.split_once('=')
                    {
                        let behind = |content: Span| Span::new(content.start + name.len() as u32 + 1, content.end);
                        let at = file.content(text).map(behind);
                        variables.push(Variable { name: name.to_owned(), value: value.to_owned(), at });
                    }
                }
            }
            Node::Scalar(_) => {}
        }
    }
    variables
}

/// The flags among the variables, and how one more is written. Without a place there are none: what says them cannot be shown.
pub fn flags(variables: &[Variable]) -> (Vec<Word>, Option<Insertion>) {
    let Some((variable, at)) =
        variables.iter().find_map(|variable| FLAGS.contains(&&*variable.name).then_some((variable, variable.at?)))
    else {
        return (Vec::new(), None);
    };
    let words = arguments::split(variable.value.as_bytes(), at.start);
    let insertion = words.last().map(|last| Insertion::behind(last.span.end));
    (words, insertion)
}

/// The flags in a word of `docker run`: `MARIADB_EXTRA_FLAGS=…` behind `-e`, `-eMARIADB_EXTRA_FLAGS=…`, `--env=MARIADB_EXTRA_FLAGS=…`.
pub fn flags_of_word(word: &Word, bytes: &[u8]) -> Vec<Word> {
    let Some((text, start)) = FLAGS.iter().find_map(|name| {
        let written = word.span.of(bytes);
        let at = memchr::memmem::find(written, format!("{name}=").as_bytes())?;
        let is_whole = written[..at].iter().all(|byte| b"-env='\"".contains(byte));
        let start = at + name.len() + 1;
        is_whole.then(|| (&written[start..], word.span.start + start as u32))
    }) else {
        return Vec::new();
    };
    let quotes: &[u8] = b"'\"";
    let opens = usize::from(text.first().is_some_and(|byte| quotes.contains(byte)));
    let closes = usize::from(text.last().is_some_and(|byte| quotes.contains(byte)));
    let inner = text.get(opens..text.len() - closes).unwrap_or_default();
    if inner.iter().any(|byte| quotes.contains(byte) || *byte == b'\\') {
        return Vec::new();
    }
    arguments::split(inner, start + opens as u32)
}

/// The server that the variables are for, as far as they tell: some images are built beside the file that starts them.
pub fn server(variables: &[Variable]) -> Option<ServerSpec> {
    let flavor = |variable: &Variable| {
        let (start, rest) = variable.name.split_once('_')?;
        let flavor = match start {
            "MYSQL" => Flavor::Mysql,
            "MARIADB" => Flavor::Mariadb,
            _ => return None,
        };
        ROOT.contains(&rest).then_some(flavor)
    };
    let flavors: Vec<_> = variables.iter().filter_map(flavor).collect();
    // Images of MariaDB know both names.
    let mariadb = flavors.contains(&Flavor::Mariadb).then_some(ServerSpec::Flavor(Flavor::Mariadb));
    mariadb.or_else(|| flavors.first().map(|flavor| ServerSpec::Flavor(*flavor)))
}
