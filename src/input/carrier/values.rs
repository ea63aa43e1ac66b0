//! Values of charts, and any other YAML in which option files stand as texts.

use super::embedded::{self, Around};
use super::{Read, holds, is_yaml, secrets, shell, yaml};
use std::path::Path;

/// How an option file's groups begin.
const GROUPS: [&str; 5] = ["[mysqld", "[mariadb", "[client", "[galera", "[mysql]"];

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    let others = || holds(bytes, "extraFlags:") || shell::RUNS.iter().any(|run| holds(bytes, run));
    is_yaml(path) && (GROUPS.iter().any(|group| holds(bytes, group)) || others())
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let documents = || file.documents.iter();
    Some(Read {
        servers: documents().flat_map(|node| embedded::servers(node, "", &Around::default(), &file)).collect(),
        secrets: documents().flat_map(secrets::of_yaml).collect(),
    })
}
