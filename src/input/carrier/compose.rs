//! Compose files: services with an image, a command and limits.

use super::arguments::Word;
use super::defaults::{only_defaults, with_defaults};
use super::embedded::{self, Around};
use super::environment::{self, Variable};
use super::limits::{self, Suffixes};
use super::part::Insertion;
use super::yaml::{self, File, Node, Scalar};
use super::{CarriedFact, CarriedServer, Read, arguments, command, holds, image, is_yaml, mounts, secrets};
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && (holds(bytes, "services:") || (holds(bytes, "image:") && holds(bytes, "command:")))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let mut read = Read::default();
    for document in &file.documents {
        let services = match document.get("services") {
            Some(services) => services,
            // The first version of the format had no key above the services.
            None if document.get("kind").is_none() && document.get("apiVersion").is_none() => document,
            None => continue,
        };
        read.secrets.extend(secrets::of_yaml(document));
        read.servers.extend(services.entries().iter().filter_map(|service| server(service, document, &file)));
        for (name, config) in document.get("configs").map(Node::entries).unwrap_or_default() {
            let is_used = read.servers.iter().any(|server| server.configs.contains(&name.value));
            if !is_used {
                read.servers.extend(embedded::servers(config, &name.value, &Around::default(), &file));
            }
        }
    }
    Some(read)
}

/// The server of a service; `None` where it is none, or nothing is said of it.
pub fn server((name, service): &(Scalar, Node), document: &Node, file: &File<'_>) -> Option<CarriedServer> {
    let service = &with_base(service, document);
    let image = service.text(&["image"]);
    let variables = environment::of_node(service, file);
    let of_image = image.and_then(|image| Some((image::server(&image.value)?, format!("image {}", image.value))));
    let (mut words, insertion) = flags(service, &variables, file);
    // Options alone are those of whatever the image starts.
    let is_server = words.first().is_some_and(|first| !arguments::begins_like_option(first));
    let has_options = words.first().is_some_and(|first| first.value.starts_with(b"--"));
    let of_variables =
        || environment::server(&variables).filter(|_| has_options).map(|spec| (spec, "its variables".to_owned()));
    let server = of_image.or_else(of_variables);
    if server.is_none() && !is_server {
        return None;
    }
    for word in &mut words {
        word.default = std::str::from_utf8(&word.value).ok().and_then(only_defaults).map(String::into_bytes);
    }
    let arguments = arguments::of_command(&words, insertion);
    let mut configs = Vec::new();
    let mut parts = Vec::new();
    for config in service.get("configs").map(items).unwrap_or_default() {
        let Some(source) = config.scalar().or_else(|| config.text(&["source"])) else { continue };
        let Some(content) = document.text(&["configs", &source.value, "content"]) else { continue };
        let part = embedded::text(content, &source.value, &Around::default(), file);
        parts.extend(part.into_iter().flat_map(|server| server.parts));
        configs.push(source.value.clone());
    }
    let (mut mounts, all_known) = mounts::of_service(service, document);
    if let Some(arguments) = &arguments {
        let is_read = |target: &str| arguments.only.as_ref().is_none_or(|only| only == target.as_bytes());
        mounts.retain(|mount| !arguments.no_files && is_read(&mount.target));
        if arguments.no_files || arguments.only.is_some() {
            parts.clear();
        }
    }
    parts.extend(arguments.map(|arguments| arguments.part));
    let is_fragment = !(image.is_some_and(|image| image::is_plain(&image.value)) && all_known);
    let files: Vec<_> = mounts.into_iter().map(|mount| mount.source).collect();
    (!parts.is_empty() || !files.is_empty()).then(|| CarriedServer {
        name: format!("service {}", name.value),
        parts,
        files,
        configs,
        facts: facts(service),
        server,
        is_fragment,
    })
}

/// The service with what it takes over from another one of the file.
fn with_base(service: &Node, document: &Node) -> Node {
    let named = service.get("extends").and_then(|extends| match extends {
        Node::Mapping(_) if extends.get("file").is_some() => None,
        extends => extends.scalar().or_else(|| extends.text(&["service"])),
    });
    let base = named.and_then(|name| document.get("services").unwrap_or(document).get(&name.value));
    let mut entries = service.entries().to_vec();
    let of_base = base.map(Node::entries).unwrap_or_default().iter();
    entries.extend(of_base.filter(|(key, _)| service.get(&key.value).is_none()).cloned());
    Node::Mapping(entries)
}

/// The words that start the server: those of `entrypoint` before those of `command`, and what the image appends.
fn flags(service: &Node, variables: &[Variable], file: &File<'_>) -> (Vec<Word>, Option<Insertion>) {
    let read = |key| service.get(key).map(|node| command::words(node, file)).unwrap_or_default();
    let (mut words, mut insertion) = read("command");
    let (entrypoint, behind) = read("entrypoint");
    if entrypoint.iter().any(arguments::is_server) {
        insertion = if words.is_empty() { behind } else { insertion };
        words.splice(0..0, entrypoint);
    }
    let (appended, behind) = environment::flags(variables);
    insertion = if words.is_empty() { behind } else { insertion };
    words.extend(appended);
    (words, insertion)
}

fn items(node: &Node) -> &[Node] {
    match node {
        Node::Sequence(sequence) => &sequence.items,
        _ => &[],
    }
}

/// Memory and processors that the service may use, in either of the two ways to say so, and its open files.
fn facts(service: &Node) -> Vec<CarriedFact> {
    let limit = |short: &'static str, long: &'static str| {
        let deploy = || Some((long, service.text(&["deploy", "resources", "limits", long])?));
        service.text(&[short]).map(|text| (short, text)).or_else(deploy)
    };
    let memory = limit("mem_limit", "memory")
        .map(|(name, text)| limits::memory(&with_defaults(&text.value), Suffixes::Binary, name, text.span))
        .unwrap_or_default();
    let cpus =
        limit("cpus", "cpus").and_then(|(name, text)| limits::cpus(&with_defaults(&text.value), name, text.span));
    let files =
        [&["ulimits", "nofile", "hard"][..], &["ulimits", "nofile"]].into_iter().find_map(|path| service.text(path));
    let files = files.and_then(|text| limits::open_files(&with_defaults(&text.value), "ulimits.nofile", text.span));
    memory.into_iter().chain(cpus).chain(files).collect()
}
