//! Compose files: services with an image, a command and limits.

use super::embedded::{self, Around};
use super::limits::{self, Suffixes};
use super::yaml::{self, File, Node, Scalar};
use super::{CarriedFact, CarriedServer, Read, arguments, command, holds, image, is_yaml, secrets};
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

fn server((name, service): &(Scalar, Node), document: &Node, file: &File<'_>) -> Option<CarriedServer> {
    let image = service.text(&["image"]);
    let server = image.and_then(|image| Some((image::server(&image.value)?, format!("image {}", image.value))));
    let (words, insertion) = service.get("command").map(|command| command::words(command, file)).unwrap_or_default();
    // Options alone are those of whatever the image starts.
    if server.is_none() && words.first().is_none_or(|first| first.value.starts_with(b"-")) {
        return None;
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
    let mut files = mounted_files(service);
    if let Some(arguments) = &arguments {
        let is_read = |target: &str| arguments.only.as_ref().is_none_or(|only| only == target.as_bytes());
        files.retain(|(_, target)| !arguments.no_files && is_read(target));
        if arguments.no_files || arguments.only.is_some() {
            parts.clear();
        }
    }
    parts.extend(arguments.map(|arguments| arguments.part));
    let is_fragment = !(image.is_some_and(|image| image::is_plain(&image.value)) && is_whole(service, files.len()));
    (!parts.is_empty()).then(|| CarriedServer {
        name: format!("service {}", name.value),
        parts,
        files: files.into_iter().map(|(source, _)| source).collect(),
        configs,
        facts: facts(service),
        server,
        is_fragment,
    })
}

/// Whether the service finds no other option files than those that are read here.
fn is_whole(service: &Node, files: usize) -> bool {
    let target = |volume: &Node| match volume {
        Node::Scalar(text) => text.value.split(':').nth(1).unwrap_or(&text.value).to_owned(),
        volume => volume.text(&["target"]).map(|target| target.value.clone()).unwrap_or_default(),
    };
    let volumes = service.get("volumes").map(items).unwrap_or_default();
    let into_etc = volumes.iter().map(target).filter(|target| target.starts_with("/etc/my") || target == "/etc");
    service.get("build").is_none() && service.get("configs").is_none() && into_etc.count() == files
}

/// The files beside the compose file that the service finds where it looks for option files, and where it finds them.
fn mounted_files(service: &Node) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for volume in service.get("volumes").map(items).unwrap_or_default() {
        let (source, target) = match volume {
            Node::Scalar(text) => match text.value.split(':').collect::<Vec<_>>().as_slice() {
                [source, target, ..] => ((*source).to_owned(), (*target).to_owned()),
                _ => continue,
            },
            volume => match (volume.text(&["source"]), volume.text(&["target"])) {
                (Some(source), Some(target)) => (source.value.clone(), target.value.clone()),
                _ => continue,
            },
        };
        let is_read = target.ends_with(".cnf") && (target.starts_with("/etc/") || target.starts_with("/opt/"));
        if is_read && source.starts_with('.') && source.ends_with(".cnf") {
            files.push((source, target));
        }
    }
    files
}

fn items(node: &Node) -> &[Node] {
    match node {
        Node::Sequence(sequence) => &sequence.items,
        _ => &[],
    }
}

/// Memory and processors that the service may use, in either of the two ways to say so.
fn facts(service: &Node) -> Vec<CarriedFact> {
    let limit = |short: &'static str, long: &'static str| {
        let deploy = || Some((long, service.text(&["deploy", "resources", "limits", long])?));
        service.text(&[short]).map(|text| (short, text)).or_else(deploy)
    };
    let memory = limit("mem_limit", "memory")
        .map(|(name, text)| limits::memory(&text.value, Suffixes::Binary, name, text.span))
        .unwrap_or_default();
    let cpus = limit("cpus", "cpus").and_then(|(name, text)| limits::cpus(&text.value, name, text.span));
    memory.into_iter().chain(cpus).collect()
}
