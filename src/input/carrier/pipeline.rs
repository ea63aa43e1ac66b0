//! Pipelines of GitLab, Drone, Woodpecker and GitHub: the servers that run beside a job.

use super::embedded::{self, Around};
use super::yaml::{self, Node, Scalar};
use super::{Read, compose, holds, is_yaml, secrets};
use saphyr_parser::ScalarStyle;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && holds(bytes, "services:") && (holds(bytes, "command:") || holds(bytes, "EXTRA_FLAGS"))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let mut read = Read::default();
    for document in &file.documents {
        for around in document.mappings() {
            let named: Vec<_> = match around.get("services") {
                Some(Node::Sequence(services)) => services.items.iter().filter_map(named).collect(),
                Some(services) => services.entries().to_vec(),
                None => Vec::new(),
            };
            read.servers.extend(named.iter().filter_map(|service| compose::server(service, document, &file)));
        }
        read.servers.extend(embedded::servers(document, "", &Around::default(), &file));
        read.secrets.extend(secrets::of_yaml(document));
    }
    Some(read)
}

/// A service of a list as one of a compose file: what GitLab calls its name is the image.
fn named(service: &Node) -> Option<(Scalar, Node)> {
    let name = service.text(&["alias"]).or_else(|| service.text(&["name"]))?.clone();
    let mut entries = service.entries().to_vec();
    if service.get("image").is_none() {
        let key = Scalar { value: "image".to_owned(), span: name.span, style: ScalarStyle::Plain };
        entries.push((key, service.get("name")?.clone()));
    }
    Some((name, Node::Mapping(entries)))
}
