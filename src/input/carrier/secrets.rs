//! Where carriers hold passwords besides those in option files.

use super::yaml::{Node, Scalar};
use crate::source::Span;

/// Values of keys and variables that are called a password, and commands that hold one.
pub fn of_yaml(document: &Node) -> Vec<Span> {
    let mut secrets = Vec::new();
    let mut take = |scalar: &Scalar| secrets.push(scalar.span);
    for mapping in document.mappings() {
        if let (Some(name), Some(value)) = (mapping.text(&["name"]), mapping.text(&["value"]))
            && is_secret(&name.value)
        {
            take(value);
        }
        for (name, node) in mapping.entries() {
            match node {
                Node::Scalar(value) if is_secret(&name.value) || shows_password(&value.value) => take(value),
                Node::Sequence(list) => {
                    let items = list.items.iter().filter_map(Node::scalar);
                    items.filter(|item| is_assignment(&item.value) || shows_password(&item.value)).for_each(&mut take);
                }
                _ => {}
            }
        }
    }
    secrets
}

/// The same in a script, a Dockerfile or a unit: the rest of a line behind the word that tells it.
pub fn of_lines(bytes: &[u8]) -> Vec<Span> {
    let mut secrets = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let lower = line.to_ascii_lowercase();
        let end = line.trim_ascii_end().len();
        let behind = |word: &[u8]| memchr::memmem::find(&lower, word).map(|at| at + word.len());
        let value = ["password", "passwd", "identified by"].iter().filter_map(|word| behind(word.as_bytes())).min();
        let client = holds_client(&lower).then(|| behind(b" -p")).flatten().filter(|at| !is_blank(line.get(*at)));
        if let Some(at) = value.into_iter().chain(client).min()
            && at < end
        {
            secrets.push(Span::new((start + at) as u32, (start + end) as u32));
        }
        start += line.len();
    }
    secrets
}

fn is_blank(byte: Option<&u8>) -> bool {
    byte.is_none_or(u8::is_ascii_whitespace)
}

fn holds_client(line: &[u8]) -> bool {
    ["mysql", "mariadb"].iter().any(|word| memchr::memmem::find(line, word.as_bytes()).is_some())
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd"].iter().any(|word| name.contains(word))
}

/// `MYSQL_ROOT_PASSWORD=…`
fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| is_secret(name))
}

/// `mysqladmin ping -p…`, `-p…` in a list. An option file has other ways to say it, and is read as one.
fn shows_password(text: &str) -> bool {
    let shows =
        |word: &str| word.strip_prefix("-p").is_some_and(|value| !value.is_empty()) || word.starts_with("--password=");
    !text.contains('[') && text.split_whitespace().any(shows)
}
