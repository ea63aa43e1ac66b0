//! Compose files: services with an image, a command and limits.

use super::arguments::{self, Word};
use super::part::Insertion;
use super::yaml::{self, Node, Scalar};
use super::{CarriedFact, CarriedServer, Read, holds, image, is_yaml};
use crate::facts::FactId;
use crate::source::Span;
use crate::value::{Value, parse_size};
use saphyr_parser::ScalarStyle;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && holds(bytes, "services:") && holds(bytes, "image:")
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let documents = yaml::parse(bytes)?;
    let mut servers = Vec::new();
    let mut secrets = Vec::new();
    for document in &documents {
        secrets.extend(environment_secrets(document));
        let services = document.get("services").map(Node::entries).unwrap_or_default();
        servers.extend(services.iter().filter_map(|(name, service)| server(&name.value, service, bytes)));
    }
    Some((servers, secrets))
}

fn server(name: &str, service: &Node, bytes: &[u8]) -> Option<CarriedServer> {
    let image = service.text(&["image"])?;
    let server = image::server(&image.value)?;
    let command = service.get("command")?;
    let (words, insertion) = command_words(command, bytes);
    let (part, _) = arguments::part(&words, insertion);
    Some(CarriedServer {
        name: format!("service {name}"),
        parts: vec![part],
        facts: facts(service),
        server: Some((server, format!("image {}", image.value))),
        is_fragment: true,
    })
}

/// Memory and processors that the service may use, in either of the two ways to say so.
fn facts(service: &Node) -> Vec<CarriedFact> {
    let mut facts = Vec::new();
    let limits = ["deploy", "resources", "limits"];
    let first = |paths: [&[&'static str]; 2]| {
        paths
            .into_iter()
            .find_map(|path| service.text(path).map(|text| (path.last().copied().unwrap_or_default(), text)))
    };
    if let Some((name, text)) = first([&["mem_limit"], &[limits[0], limits[1], limits[2], "memory"]])
        && let Ok(bytes) = parse_size(&text.value)
    {
        let fact = |fact, value| CarriedFact { fact, value, name: name.to_owned(), at: text.span };
        facts.push(fact(FactId::HostRam, Value::Integer(bytes.into())));
        facts.push(fact(FactId::HostLimited, Value::boolean(true)));
    }
    if let Some((name, text)) = first([&["cpus"], &[limits[0], limits[1], limits[2], "cpus"]])
        && let Ok(cpus) = text.value.parse::<f64>()
        && cpus > 0.0
    {
        let value = Value::Integer(cpus.ceil() as i128);
        facts.push(CarriedFact { fact: FactId::HostCpus, value, name: name.to_owned(), at: text.span });
    }
    facts
}

/// The words of a command, as a list or in one text, and how one more is written.
pub fn command_words(command: &Node, bytes: &[u8]) -> (Vec<Word>, Option<Insertion>) {
    match command {
        Node::Scalar(scalar) => text_words(scalar, bytes),
        Node::Sequence(sequence) if sequence.is_flow => flow_words(&scalars(&sequence.items), bytes),
        Node::Sequence(sequence) => list_words(&scalars(&sequence.items), bytes),
        Node::Mapping(_) => (Vec::new(), None),
    }
}

fn scalars(items: &[Node]) -> Vec<&Scalar> {
    items.iter().filter_map(Node::scalar).collect()
}

fn text_words(scalar: &Scalar, bytes: &[u8]) -> (Vec<Word>, Option<Insertion>) {
    let Some(content) = scalar.content(bytes) else {
        // Folded over several lines: what the words say is known, their bytes are not.
        let mut words = arguments::split(scalar.value.as_bytes(), 0);
        for word in &mut words {
            *word = Word { span: scalar.span, content: None, removal: None, ..word.clone() };
        }
        return (words, None);
    };
    let words = arguments::split(content.of(bytes), content.start);
    (words, Some(Insertion { at: content.end, before: b" --".to_vec(), after: Vec::new() }))
}

/// One item a line.
fn list_words(items: &[&Scalar], bytes: &[u8]) -> (Vec<Word>, Option<Insertion>) {
    let line = |scalar: &Scalar| {
        let (start, end) = line_around(bytes, scalar.span);
        let before = Span::new(start, scalar.span.start).of(bytes).trim_ascii();
        let after = Span::new(scalar.span.end, end).of(bytes).trim_ascii();
        (before == b"-" && (after.is_empty() || after.starts_with(b"#"))).then_some(Span::new(start, end))
    };
    let words = items.iter().map(|scalar| word(scalar, bytes, line(scalar).filter(|_| items.len() > 1))).collect();
    let insertion = items.last().and_then(|last| {
        let line = line(last).filter(|line| line.of(bytes).ends_with(b"\n"))?;
        let quote = quote_of(last);
        let before = [Span::new(line.start, last.span.start).of(bytes), quote, b"--"].concat();
        Some(Insertion { at: line.end, before, after: [quote, b"\n"].concat() })
    });
    (words, insertion)
}

/// Items in brackets.
fn flow_words(items: &[&Scalar], bytes: &[u8]) -> (Vec<Word>, Option<Insertion>) {
    let removal = |index: usize| match (index.checked_sub(1).and_then(|before| items.get(before)), items.get(index + 1))
    {
        (Some(before), _) => Some(Span::new(before.span.end, items[index].span.end)),
        (None, Some(after)) => Some(Span::new(items[index].span.start, after.span.start)),
        (None, None) => None,
    };
    let words = items.iter().enumerate().map(|(index, scalar)| word(scalar, bytes, removal(index))).collect();
    let insertion = items.last().map(|last| Insertion {
        at: last.span.end,
        before: [b", ", quote_of(last), b"--"].concat(),
        after: quote_of(last).to_vec(),
    });
    (words, insertion)
}

fn word(scalar: &Scalar, bytes: &[u8], removal: Option<Span>) -> Word {
    Word { value: scalar.value.clone().into_bytes(), span: scalar.span, content: scalar.content(bytes), removal }
}

const fn quote_of(scalar: &Scalar) -> &'static [u8] {
    match scalar.style {
        ScalarStyle::SingleQuoted => b"'",
        ScalarStyle::DoubleQuoted => b"\"",
        _ => b"",
    }
}

/// The lines that a span touches, with the last newline.
fn line_around(bytes: &[u8], span: Span) -> (u32, u32) {
    let (start, end) = (span.start as usize, span.end as usize);
    let from = bytes[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let to = bytes[end..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| end + at + 1);
    (from as u32, to as u32)
}

/// What the environment of a service calls a password.
fn environment_secrets(document: &Node) -> Vec<Span> {
    let is_secret = |name: &str| name.to_ascii_uppercase().contains("PASSWORD");
    let mut secrets = Vec::new();
    for mapping in document.mappings() {
        for (name, node) in mapping.entries() {
            match node {
                Node::Scalar(value) if is_secret(&name.value) => secrets.push(value.span),
                Node::Sequence(list) if name.value == "environment" => {
                    let items = list.items.iter().filter_map(Node::scalar);
                    secrets.extend(items.filter(|item| is_secret(&item.value)).map(|item| item.span));
                }
                _ => {}
            }
        }
    }
    secrets
}
