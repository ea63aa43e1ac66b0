//! Ansible: tasks that set one option of an option file each, and those that write whole files.

use super::embedded::{self, Around};
use super::option_file::is_option_file;
use super::settings::{self, Setting, SettingText};
use super::yaml::{self, Node};
use super::{CarriedServer, Read, holds, is_yaml, secrets};
use std::collections::BTreeMap;
use std::path::Path;

/// What tells a file of tasks: the modules that write option files.
const MODULES: [&str; 4] = ["ini_file:", "blockinfile:", "lineinfile:", "copy:"];

pub fn may_be(path: &Path, bytes: &[u8]) -> bool {
    is_yaml(path) && MODULES.iter().any(|module| holds(bytes, module))
}

pub fn read(bytes: &[u8]) -> Option<Read> {
    let file = yaml::parse(bytes)?;
    let mut read = Read::default();
    for document in &file.documents {
        let mut files: BTreeMap<String, Vec<Setting<'_>>> = BTreeMap::new();
        for task in document.mappings() {
            if let Some((path, setting)) = setting(task) {
                files.entry(path).or_default().push(setting);
            }
        }
        for (path, settings) in files {
            let part = settings::part(&settings, &file);
            if is_option_file(&String::from_utf8_lossy(&part.bytes), &path) {
                let (parts, is_fragment) = (vec![part], true);
                read.servers.push(CarriedServer { name: path, parts, is_fragment, ..CarriedServer::default() });
            }
        }
        read.servers.extend(embedded::servers(document, "", &Around::default(), &file));
        read.secrets.extend(secrets::of_yaml(document));
    }
    Some(read)
}

/// The option that a task sets, and the file; `None` for a task that does something else.
fn setting(task: &Node) -> Option<(String, Setting<'_>)> {
    let module = |name: &str| {
        let is_it = |key: &str| key == name || key.rsplit('.').next() == Some(name);
        task.entries().iter().find(|(key, _)| is_it(&key.value)).map(|(_, arguments)| arguments)
    };
    let path_of = |arguments: &Node| {
        let path = arguments.text(&["path"]).or_else(|| arguments.text(&["dest"]))?;
        Some(path.value.clone())
    };
    let is_absent = |arguments: &Node| arguments.text(&["state"]).is_some_and(|state| state.value == "absent");
    if let Some(arguments) = module("ini_file").filter(|arguments| !is_absent(arguments)) {
        let group = arguments.text(&["section"])?;
        let text = SettingText::Pair(arguments.text(&["option"])?, arguments.text(&["value"]));
        return Some((path_of(arguments)?, Setting { group: group.value.clone(), place: group.span, text }));
    }
    let arguments = module("lineinfile").filter(|arguments| !is_absent(arguments))?;
    let after = arguments.text(&["insertafter"])?;
    let group = after.value.trim_start_matches('^').trim_start_matches('\\').strip_prefix('[')?;
    let group = group.split(['\\', ']']).next()?.to_owned();
    let text = SettingText::Line(arguments.text(&["line"])?);
    Some((path_of(arguments)?, Setting { group, place: after.span, text }))
}
