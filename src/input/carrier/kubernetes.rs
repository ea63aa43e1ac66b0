//! Kubernetes manifests: ConfigMaps and Secrets, the containers that read them, and what operators' resources hold.

use super::arguments;
use super::command;
use super::embedded::{self, Around};
use super::environment;
use super::option_file::is_option_file;
use super::part::{Encoding, Part};
use super::settings::{self, Setting, SettingText};
use super::yaml::{self, File, Node, Scalar, Sequence};
use super::{CarriedServer, Read, holds, image, is_yaml, secrets};
use crate::server::{Flavor, ServerSpec};
use crate::source::ByteMap;
use std::path::Path;

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && holds(bytes, "kind:") && holds(bytes, "apiVersion:")
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let objects: Vec<_> = file.documents.iter().flat_map(objects).collect();
    let mut read = Read::default();
    let mut maps = Vec::new();
    for object in objects.iter().filter(|object| is_map(object)) {
        maps.extend(entries(object, &file));
        let name = word(object, &["metadata", "name"]);
        let is_it = |cluster: &&&Node| !name.is_empty() && word(cluster, &["spec", "mysqlConfigMapName"]) == name;
        if let Some(cluster) = objects.iter().find(is_it) {
            read.servers.extend(map_of_settings(object, cluster, &file));
        }
        if word(object, &["kind"]) == "Secret" {
            let all = entries_of(object, "data").iter().chain(entries_of(object, "stringData"));
            let kept = |(key, node): &(Scalar, Node)| {
                node.scalar().filter(|scalar| !is_option_file(&scalar.value, &key.value)).map(|scalar| scalar.span)
            };
            read.secrets.extend(all.filter_map(kept));
        }
    }
    for object in &objects {
        read.secrets.extend(secrets::of_yaml(object));
        if !is_map(object) {
            let containers = containers(object, &mut maps, &file);
            let found = if containers.is_empty() { of_operator(object, &file) } else { containers };
            read.servers.extend(found);
        }
    }
    read.servers.extend(maps.into_iter().filter(|entry| !entry.is_read).map(|entry| entry.server));
    Some(read)
}

/// A document, or the objects of a list.
fn objects(document: &Node) -> Vec<&Node> {
    match document.get("items") {
        Some(Node::Sequence(items)) if word(document, &["kind"]).ends_with("List") => items.items.iter().collect(),
        _ => vec![document],
    }
}

fn is_map(object: &Node) -> bool {
    matches!(word(object, &["kind"]), "ConfigMap" | "Secret")
}

fn word<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    node.text(path).map_or("", |text| text.value.as_str())
}

fn entries_of<'n>(object: &'n Node, key: &str) -> &'n [(Scalar, Node)] {
    object.get(key).map(Node::entries).unwrap_or_default()
}

/// An option file in a ConfigMap or a Secret.
struct Entry {
    map: String,
    key: String,
    server: CarriedServer,
    /// Whether a container of the same file reads it.
    is_read: bool,
}

fn entries(object: &Node, file: &File<'_>) -> Vec<Entry> {
    let map = word(object, &["metadata", "name"]).to_owned();
    let kind = word(object, &["kind"]);
    let mut found = Vec::new();
    let mut add = |key: &str, server| {
        found.push(Entry { map: map.clone(), key: key.to_owned(), server, is_read: false });
    };
    let plain = if kind == "Secret" { "stringData" } else { "data" };
    for (key, node) in entries_of(object, plain) {
        let Some(scalar) = node.scalar() else { continue };
        let servers = embedded::text(scalar, &key.value, &Around::default(), file);
        servers.into_iter().for_each(|server| add(&key.value, named(server, kind, &map)));
    }
    for (key, node) in entries_of(object, "data").iter().filter(|_| kind == "Secret") {
        if let Some(part) = node.scalar().and_then(|scalar| encoded(scalar, &key.value)) {
            let server = CarriedServer {
                name: key.value.clone(),
                parts: vec![part],
                is_fragment: true,
                ..CarriedServer::default()
            };
            add(&key.value, named(server, kind, &map));
        }
    }
    found
}

fn named(server: CarriedServer, kind: &str, object: &str) -> CarriedServer {
    CarriedServer { name: format!("{kind} {object}, {}", server.name), ..server }
}

/// An option file that stands as base64.
fn encoded(scalar: &Scalar, key: &str) -> Option<Part> {
    let letters: Vec<u8> = scalar.value.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let bytes = data_encoding::BASE64.decode(&letters).ok()?;
    if !is_option_file(std::str::from_utf8(&bytes).ok()?, key) {
        return None;
    }
    let mut map = ByteMap::default();
    map.push(bytes.len() as u32, scalar.span);
    Some(Part { bytes, map, encoding: Encoding::Base64 { whole: scalar.span } })
}

/// The servers among the containers of an object, each with the ConfigMaps of this file that it mounts.
fn containers(object: &Node, maps: &mut [Entry], file: &File<'_>) -> Vec<CarriedServer> {
    let mut servers = Vec::new();
    for pod in object.mappings() {
        let Some(Node::Sequence(containers)) = pod.get("containers") else { continue };
        for container in &containers.items {
            let Some((spec, image)) =
                container.text(&["image"]).and_then(|text| Some((image::server(&text.value)?, text.value.clone())))
            else {
                continue;
            };
            let (mut parts, all_known) = mounted(pod, container, maps);
            parts.extend(of_arguments(container, file));
            if parts.is_empty() {
                continue;
            }
            servers.push(CarriedServer {
                name: format!(
                    "{} {}, container {}",
                    word(object, &["kind"]),
                    word(object, &["metadata", "name"]),
                    word(container, &["name"])
                ),
                parts,
                facts: embedded::resource_limits(container),
                is_fragment: !(all_known && image::is_plain(&image)),
                server: Some((spec, format!("image {image}"))),
                ..CarriedServer::default()
            });
        }
    }
    servers
}

/// `command` stands in the place of the image's entrypoint and gets what `args` say, then what the image appends.
fn of_arguments(container: &Node, file: &File<'_>) -> Option<Part> {
    let both = match (container.get("command"), container.get("args")) {
        (Some(Node::Sequence(command)), Some(Node::Sequence(arguments))) => {
            let items = command.items.iter().chain(&arguments.items).cloned().collect();
            Some(Node::Sequence(Sequence { items, is_flow: arguments.is_flow }))
        }
        (None, arguments) => arguments.cloned(),
        (command, _) => command.cloned(),
    };
    let (mut words, mut insertion) = both.map(|both| command::words(&both, file)).unwrap_or_default();
    let (appended, behind) = environment::flags(&environment::of_node(container, file));
    insertion = if words.is_empty() { behind } else { insertion };
    words.extend(appended);
    arguments::of_command(&words, insertion).map(|arguments| arguments.part)
}

/// The option files that a container mounts, in the order of their names, and whether these are all.
fn mounted(pod: &Node, container: &Node, maps: &mut [Entry]) -> (Vec<Part>, bool) {
    let list = |node: &Node, key| match node.get(key) {
        Some(Node::Sequence(sequence)) => sequence.items.clone(),
        _ => Vec::new(),
    };
    let volumes = list(pod, "volumes");
    let mut read: Vec<&mut Entry> = Vec::new();
    let mounts = list(container, "volumeMounts");
    let mut known: Vec<String> = Vec::new();
    for entry in maps.iter_mut() {
        let holds = |volume: &&Node| {
            word(volume, &["configMap", "name"]) == entry.map || word(volume, &["secret", "secretName"]) == entry.map
        };
        let of_map: Vec<_> = volumes.iter().filter(holds).map(|volume| word(volume, &["name"])).collect();
        let is_mounted = mounts.iter().any(|mount| {
            let part = word(mount, &["subPath"]);
            let path = word(mount, &["mountPath"]);
            let is_key = part.is_empty() || part == entry.key || path.ends_with(&format!("/{}", entry.key));
            of_map.contains(&word(mount, &["name"])) && is_key && !path.contains("initdb")
        });
        if is_mounted {
            known.extend(of_map.iter().map(|name| (*name).to_owned()));
            read.push(entry);
        }
    }
    read.sort_by(|one, other| one.key.cmp(&other.key));
    let take = |entry: &mut Entry| {
        entry.is_read = true;
        entry.server.parts.clone()
    };
    let parts = read.into_iter().flat_map(take).collect();
    let into_etc = |mount: &Node| word(mount, &["mountPath"]).starts_with("/etc");
    let all_known =
        mounts.iter().all(|mount| !into_etc(mount) || known.iter().any(|name| name == word(mount, &["name"])));
    (parts, all_known)
}

/// Settings that some operators take key by key.
fn keyed_settings(node: &Node, around: &Around, file: &File<'_>) -> Option<CarriedServer> {
    let (key, entries) =
        ["mysqlConf", "mysqlConfig"].into_iter().find_map(|key| Some((key, node.get(key)?.entries())))?;
    of_settings(key.to_owned(), entries, around, file)
}

/// A ConfigMap that an operator takes key by key, for the image that the operator's resource names.
fn map_of_settings(map: &Node, cluster: &Node, file: &File<'_>) -> Option<CarriedServer> {
    let containers = cluster.mappings().into_iter();
    let (server, facts) = containers
        .filter_map(|container| Some((embedded::server(container)?, embedded::resource_limits(container))))
        .next()
        .unzip();
    let around = Around { server, facts: facts.unwrap_or_default() };
    // What begins with `_` is for the operator.
    let entries: Vec<_> =
        entries_of(map, "data").iter().filter(|(key, _)| !key.value.starts_with('_')).cloned().collect();
    of_settings(format!("ConfigMap {}", word(map, &["metadata", "name"])), &entries, &around, file)
}

fn of_settings(name: String, entries: &[(Scalar, Node)], around: &Around, file: &File<'_>) -> Option<CarriedServer> {
    let settings: Vec<_> = entries
        .iter()
        .filter_map(|(name, value)| {
            let text = SettingText::Pair(name, Some(value.scalar()?));
            Some(Setting { group: "mysqld".to_owned(), place: name.span, text })
        })
        .collect();
    (!settings.is_empty()).then(|| CarriedServer {
        name,
        parts: vec![settings::part(&settings, file)],
        facts: around.facts.clone(),
        server: around.server.clone(),
        is_fragment: true,
        ..CarriedServer::default()
    })
}

/// What an operator's resource holds: option files as texts, beside the image and the limits.
fn of_operator(object: &Node, file: &File<'_>) -> Vec<CarriedServer> {
    let kind = word(object, &["kind"]);
    let flavor = match kind {
        "PerconaXtraDBCluster" => Some(Flavor::Pxc),
        "PerconaServerMySQL" => Some(Flavor::Percona),
        "InnoDBCluster" => Some(Flavor::Mysql),
        "MariaDB" => Some(Flavor::Mariadb),
        _ => None,
    };
    let version = word(object, &["spec", "version"]);
    let server = flavor.map(|flavor| {
        let exact = ServerSpec::parse(&format!("{}-{version}", flavor.name())).ok().filter(|_| !version.is_empty());
        match exact {
            Some(spec) => (spec, format!("{kind}, version {version}")),
            None => (ServerSpec::Flavor(flavor), format!("kind {kind}")),
        }
    });
    let around = Around { server, facts: Vec::new() };
    let mut servers = embedded::servers(object, "", &around, file);
    servers.extend(object.mappings().into_iter().flat_map(|node| keyed_settings(node, &around, file)));
    servers.into_iter().map(|server| named(server, kind, word(object, &["metadata", "name"]))).collect()
}
