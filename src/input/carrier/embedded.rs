//! Option files that stand as texts in YAML, whatever the keys: custom resources, chart values, playbooks, compose files.

use super::limits::{self, Suffixes};
use super::option_file::is_option_file;
use super::printed::Echo;
use super::written;
use super::yaml::{File, Node, Scalar};
use super::{CarriedFact, CarriedServer, arguments, command, holds, image, script, shell};
use crate::server::ServerSpec;
use crate::source::Span;

/// Keys whose text goes behind what an operator writes into `[mysqld]`.
const GROUPLESS: [&str; 1] = ["mysqld.configOverrides"];

/// What is known of the server around a place.
#[derive(Clone, Debug, Default)]
pub struct Around {
    /// The server and the words that tell it.
    pub server: Option<(ServerSpec, String)>,
    /// Its limits.
    pub facts: Vec<CarriedFact>,
}

/// Every option file below a node. What stands beside it or further out says which server it is for: the nearest counts.
pub fn servers(node: &Node, name: &str, around: &Around, file: &File<'_>) -> Vec<CarriedServer> {
    match node {
        Node::Scalar(scalar) => text(scalar, name, around, file),
        Node::Sequence(sequence) => sequence.items.iter().flat_map(|item| servers(item, name, around, file)).collect(),
        Node::Mapping(entries) => {
            let around = around_here(node, around);
            // A task that writes a file says where.
            let path = node.text(&["dest"]).or_else(|| node.text(&["path"])).map(|path| path.value.clone());
            let below = |(key, node): &(Scalar, Node)| {
                if let (Some(path), "content" | "block") = (&path, key.value.as_str()) {
                    return servers(node, path, &around, file);
                }
                let name = if name.is_empty() { key.value.clone() } else { format!("{name}.{}", key.value) };
                if key.value == "extraFlags" && is_of_server(&name) {
                    return flags(node, &name, &around, file).into_iter().collect();
                }
                servers(node, &name, &around, file)
            };
            entries.iter().flat_map(below).collect()
        }
    }
}

/// The option file that a text is, or those that it writes as a script.
pub fn text(scalar: &Scalar, name: &str, around: &Around, file: &File<'_>) -> Vec<CarriedServer> {
    let alone = |name: String, part| CarriedServer {
        parts: vec![part],
        facts: around.facts.clone(),
        server: around.server.clone().or_else(|| image::of_path(&name)),
        name,
        is_fragment: true,
        ..CarriedServer::default()
    };
    if !scalar.value.contains('\n') {
        return Vec::new();
    }
    if is_option_file(&scalar.value, name) {
        return file.part(scalar).map(|part| alone(name.to_owned(), part)).into_iter().collect();
    }
    if GROUPLESS.iter().any(|key| name.ends_with(key)) {
        return file.part(scalar).map(|part| alone(name.to_owned(), part.in_group("mysqld"))).into_iter().collect();
    }
    let script = scalar.value.as_bytes();
    let runs = shell::RUNS.iter().any(|run| holds(script, run));
    if !script::may_hold(script) && !written::may_hold(script) && !runs {
        return Vec::new();
    }
    let Some(outer) = file.part(scalar) else { return Vec::new() };
    let whole = Span::new(0, outer.bytes.len() as u32);
    let line_by_line = written::option_files(&outer.bytes, whole, Echo::Unescapes);
    let files = script::option_files(&outer.bytes).into_iter().chain(line_by_line);
    let mut servers: Vec<_> = files.map(|written| alone(written.path, written.part.within(&outer))).collect();
    for mut server in shell::containers(&outer.bytes) {
        server.parts = server.parts.into_iter().map(|part| part.within(&outer)).collect();
        server.facts.iter_mut().for_each(|fact| fact.at = outer.map.outer(fact.at));
        servers.push(server);
    }
    servers
}

/// Whether a key of a chart's values is one of the server itself, not of what runs beside it.
fn is_of_server(name: &str) -> bool {
    const SERVERS: [&str; 8] =
        ["primary", "secondary", "master", "slave", "mysql", "mysqld", "mariadb", "mariadb-galera"];
    name.rsplit('.').nth(1).is_none_or(|around| SERVERS.contains(&around))
}

/// The flags that a chart appends to the server's.
fn flags(node: &Node, name: &str, around: &Around, file: &File<'_>) -> Option<CarriedServer> {
    let is_meant = around.server.is_some() || name.contains("mysql") || name.contains("mariadb");
    let (words, insertion) = command::words(node, file);
    let arguments = arguments::of_command(&words, insertion).filter(|_| is_meant)?;
    Some(CarriedServer {
        name: name.to_owned(),
        parts: vec![arguments.part],
        facts: around.facts.clone(),
        server: around.server.clone(),
        is_fragment: true,
        ..CarriedServer::default()
    })
}

fn around_here(node: &Node, around: &Around) -> Around {
    let facts = resource_limits(node);
    Around {
        server: server(node).or_else(|| around.server.clone()),
        facts: if facts.is_empty() { around.facts.clone() } else { facts },
    }
}

/// The limits that a mapping with `resources` gives.
pub fn resource_limits(node: &Node) -> Vec<CarriedFact> {
    let limit = |name| node.text(&["resources", "limits", name]);
    let memory = limit("memory")
        .map(|text| limits::memory(&text.value, Suffixes::Kubernetes, "resources.limits.memory", text.span));
    let cpus = limit("cpu").and_then(|text| limits::cpus(&text.value, "resources.limits.cpu", text.span));
    memory.into_iter().flatten().chain(cpus).collect()
}

/// The server of an image, written in one text or as repository and tag.
pub fn server(node: &Node) -> Option<(ServerSpec, String)> {
    let text = |path: &[&str]| node.text(path).map(|text| text.value.as_str()).filter(|text| !text.is_empty());
    let tagged = |name: &str, tag: Option<&str>| match tag {
        Some(tag) if !name.contains(':') => format!("{name}:{tag}"),
        _ => name.to_owned(),
    };
    let image = match text(&["image"]) {
        Some(image) => tagged(image, text(&["imageTag"]).or_else(|| text(&["tag"]))),
        None => tagged(text(&["image", "repository"])?, text(&["image", "tag"])),
    };
    Some((image::server(&image)?, format!("image {image}")))
}
