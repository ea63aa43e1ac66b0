//! Kubernetes manifests: option files in ConfigMaps and Secrets.

use super::part::{Encoding, Part};
use super::yaml::{self, Node, Scalar};
use super::{CarriedServer, Read, holds, is_yaml};
use crate::source::ByteMap;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && holds(bytes, "kind:") && holds(bytes, "apiVersion:")
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let documents = yaml::parse(bytes)?;
    let mut servers = Vec::new();
    let mut secrets = Vec::new();
    for document in &documents {
        let kind = document.text(&["kind"]).map_or("", |kind| kind.value.as_str());
        let entries = |key: &str| document.get(key).map(Node::entries).unwrap_or_default();
        match kind {
            "ConfigMap" => servers.extend(entries("data").iter().filter_map(|entry| option_file(entry, bytes))),
            "Secret" => {
                servers.extend(entries("stringData").iter().filter_map(|entry| option_file(entry, bytes)));
                servers.extend(entries("data").iter().filter_map(encoded_option_file));
                let all = entries("data").iter().chain(entries("stringData")).filter_map(|(_, node)| node.scalar());
                secrets.extend(all.filter(|scalar| !is_option_file(&scalar.value)).map(|scalar| scalar.span));
            }
            _ => {}
        }
    }
    Some((servers, secrets))
}

fn option_file((key, node): &(Scalar, Node), bytes: &[u8]) -> Option<CarriedServer> {
    let scalar = node.scalar().filter(|scalar| is_option_file(&scalar.value))?;
    Some(alone(&key.value, scalar.part(bytes)))
}

fn encoded_option_file((key, node): &(Scalar, Node)) -> Option<CarriedServer> {
    let scalar = node.scalar()?;
    let letters: Vec<u8> = scalar.value.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = data_encoding::BASE64.decode(&letters).ok()?;
    if !is_option_file(std::str::from_utf8(&bytes).ok()?) {
        return None;
    }
    let mut map = ByteMap::default();
    map.push(bytes.len() as u32, scalar.span);
    Some(alone(&key.value, Part { bytes, map, encoding: Encoding::Base64 { whole: scalar.span } }))
}

fn alone(name: &str, part: Part) -> CarriedServer {
    CarriedServer { name: name.to_owned(), parts: vec![part], is_fragment: true, ..CarriedServer::default() }
}

/// Whether a text holds a group that a server or its clients read.
fn is_option_file(text: &str) -> bool {
    const GROUPS: [&str; 8] = ["mysqld", "mariadb", "server", "client", "mysql", "galera", "mariadbd", "mysqld_safe"];
    text.lines().any(|line| {
        let group = line.trim().strip_prefix('[').and_then(|line| line.split(']').next());
        group.is_some_and(|group| GROUPS.contains(&group))
    })
}
