//! Ansible: tasks that set one option of an option file each, lists of such options, and tasks that write whole files.

use super::embedded::{self, Around};
use super::loops::{self, Item};
use super::option_file::is_option_file;
use super::settings::{self, Setting, SettingText};
use super::yaml::{self, File, Node, Scalar};
use super::{CarriedServer, Read, holds, image, is_yaml, secrets};
use std::collections::BTreeMap;
use std::path::Path;

/// What tells a file of tasks: the modules that write option files.
const MODULES: [&str; 4] = ["ini_file:", "blockinfile:", "lineinfile:", "copy:"];
/// Files that hold what a server reads and nothing else, as packages name them.
const SERVER_FILES: [&str; 5] = ["50-server.cnf", "mysqld.cnf", "server.cnf", "mariadb-server.cnf", "mysql-server.cnf"];

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    let lists_options = || holds(bytes, "section:") && (holds(bytes, "option:") || holds(bytes, "options:"));
    is_yaml(path) && (MODULES.iter().any(|module| holds(bytes, module)) || lists_options())
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let mut read = Read::default();
    for document in &file.documents {
        let mut files: BTreeMap<String, Vec<Setting<'_>>> = BTreeMap::new();
        for mapping in document.mappings() {
            for item in loops::items(mapping, document, &file) {
                if let Some((path, setting)) = (Task { node: mapping, item, file: &file }).setting() {
                    files.entry(path).or_default().push(setting);
                }
            }
            // What a task goes over is carried out by it.
            let lists = mapping.entries().iter().filter(|(name, _)| !loops::KEYS.contains(&&*name.value));
            for (name, node) in lists {
                let listed = listed(node);
                if !listed.is_empty() {
                    files.entry(name.value.clone()).or_default().extend(listed);
                }
            }
        }
        for (path, settings) in files {
            let part = settings::part(&settings, &file);
            if is_option_file(&String::from_utf8_lossy(&part.bytes), &path) {
                let (server, parts) = (image::of_path(&path), vec![part]);
                read.servers.push(CarriedServer {
                    name: path,
                    parts,
                    server,
                    is_fragment: true,
                    ..CarriedServer::default()
                });
            }
        }
        read.servers.extend(embedded::servers(document, "", &Around::default(), &file));
        read.secrets.extend(secrets::of_yaml(document));
    }
    Some(read)
}

/// A task as it is carried out for one item of its loop.
struct Task<'n> {
    node: &'n Node,
    item: Item<'n>,
    file: &'n File<'n>,
}

impl<'n> Task<'n> {
    /// The option that the task sets, and the file; `None` for a task that does something else.
    fn setting(&self) -> Option<(String, Setting<'n>)> {
        if let Some(arguments) = self.module("ini_file") {
            let group = self.argument(arguments, "section")?;
            let text = SettingText::Pair(self.argument(arguments, "option")?, self.argument(arguments, "value"));
            return Some((self.path(arguments)?, Setting { group: group.value.clone(), place: group.span, text }));
        }
        let arguments = self.module("lineinfile")?;
        let path = self.path(arguments)?;
        let line = self.argument(arguments, "line")?;
        let after =
            self.argument(arguments, "insertafter").and_then(|after| Some((group_of(&after.value)?, after.span)));
        let named = || {
            let name = path.rsplit('/').next().unwrap_or_default();
            SERVER_FILES.contains(&name).then(|| ("mysqld".to_owned(), line.span))
        };
        let (group, place) = after.or_else(named)?;
        Some((path, Setting { group, place, text: SettingText::Line(line) }))
    }

    /// The arguments of a module, unless they take something away.
    fn module(&self, name: &str) -> Option<&'n Node> {
        let is_it = |key: &str| key == name || key.rsplit('.').next() == Some(name);
        let (_, arguments) = self.node.entries().iter().find(|(key, _)| is_it(&key.value))?;
        let is_absent = self.argument(arguments, "state").is_some_and(|state| state.value == "absent");
        (!is_absent).then_some(arguments)
    }

    fn argument(&self, arguments: &'n Node, name: &str) -> Option<&'n Scalar> {
        Some(self.item.said(arguments.text(&[name])?, self.file))
    }

    fn path(&self, arguments: &'n Node) -> Option<String> {
        let path = self.argument(arguments, "path").or_else(|| self.argument(arguments, "dest"))?;
        Some(self.file.written(path).into_owned())
    }
}

/// The group that a pattern such as `^\[mysqld\]` is for.
fn group_of(pattern: &str) -> Option<String> {
    let group = pattern.trim_start_matches('^').trim_start_matches('\\').strip_prefix('[')?;
    group.split(['\\', ']']).next().map(str::to_owned)
}

/// Options that stand in a list for a role to write: each with its group, or below one.
fn listed(node: &Node) -> Vec<Setting<'_>> {
    let Node::Sequence(sequence) = node else { return Vec::new() };
    let mut settings = Vec::new();
    for item in &sequence.items {
        let Some(section) = item.text(&["section"]) else { return Vec::new() };
        let mut add = |name, value| {
            let text = SettingText::Pair(name, value);
            settings.push(Setting { group: section.value.clone(), place: section.span, text });
        };
        match (item.text(&["option"]), item.get("options")) {
            (Some(option), _) => add(option, item.text(&["value"])),
            (None, Some(Node::Sequence(options))) => {
                let named =
                    options.items.iter().filter_map(|option| Some((option.text(&["name"])?, option.text(&["value"]))));
                named.for_each(|(name, value)| add(name, value));
            }
            _ => return Vec::new(),
        }
    }
    settings
}
