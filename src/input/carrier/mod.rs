//! Files that hold option files and servers' arguments among other things: manifests, compose files, units, scripts.
//!
//! A carrier gives parts, each with a map of its bytes, facts, and the server that is meant. Nothing beyond this room and the runner
//! knows that carriers exist. A new one is one file here and one line in [`KINDS`].

mod ansible;
mod arguments;
mod command;
mod compose;
mod defaults;
mod dockerfile;
mod embedded;
mod environment;
mod image;
mod kubernetes;
mod limits;
mod loops;
mod mounts;
mod option_file;
mod part;
mod pieces;
mod pipeline;
mod printed;
mod script;
mod secrets;
mod settings;
mod shell;
mod shell_lexer;
mod shell_words;
mod systemd;
mod values;
mod written;
pub(super) mod yaml;

pub use part::{Edited, Encoding, Part};

use crate::facts::FactId;
use crate::server::ServerSpec;
use crate::source::{ByteMap, FileKind, Files, Span};
use crate::value::Value;
use std::path::{Path, PathBuf};

/// What a carrier holds of one server.
#[derive(Clone, Debug, Default)]
pub struct CarriedServer {
    /// What the carrier calls it: `service db`.
    pub name: String,
    /// Option files and arguments, in the order in which the server reads them.
    pub parts: Vec<Part>,
    /// Option files beside the carrier that the server reads before its arguments, relative to the carrier's directory.
    pub files: Vec<String>,
    /// What the carrier's other places call the option files among the parts.
    pub configs: Vec<String>,
    /// What is known around the server, and where the carrier says it.
    pub facts: Vec<CarriedFact>,
    /// The server and the words that tell it, such as an image's tag.
    pub server: Option<(ServerSpec, String)>,
    /// Whether the server may read more than the carrier holds.
    pub is_fragment: bool,
}

/// A fact that a carrier gives.
#[derive(Clone, Debug)]
pub struct CarriedFact {
    /// The fact.
    pub fact: FactId,
    /// Its value.
    pub value: Value<'static>,
    /// The words that give it: `mem_limit`.
    pub name: String,
    /// Where they stand.
    pub at: Span,
}

/// What a file is taken for.
#[derive(Clone, Debug, Default)]
pub struct Carrier {
    /// What the file is: `compose file`.
    pub kind: &'static str,
    /// The servers that it holds something of.
    pub servers: Vec<CarriedServer>,
    /// Where the carrier holds secrets that no report shows.
    pub secrets: Vec<Span>,
}

impl Carrier {
    /// The carrier as it stands in the template that it was filled in from. No fix is made there: it is told in words.
    pub fn led_through(mut self, map: &ByteMap) -> Self {
        for server in &mut self.servers {
            for part in &mut server.parts {
                (part.map, part.encoding) = (part.map.through(map), Encoding::Opaque);
            }
            server.facts.iter_mut().for_each(|fact| fact.at = map.outer(fact.at));
        }
        self.secrets.iter_mut().for_each(|secret| *secret = map.outer(*secret));
        self
    }
}

/// One kind of carrier.
struct Kind {
    /// What people call such a file.
    name: &'static str,
    /// Whether the file may be one, by its name and without a close look at its bytes.
    may_be: fn(&Path, &[u8]) -> bool,
    /// What it holds; `None` where it is not one after all.
    read: fn(&[u8]) -> Option<Read>,
}

/// What one kind of reader found in a file.
#[derive(Default)]
struct Read {
    servers: Vec<CarriedServer>,
    secrets: Vec<Span>,
}

/// The first that finds something counts.
const KINDS: &[Kind] = &[
    Kind { name: "compose file", may_be: compose::may_be, read: compose::read },
    Kind { name: "Kubernetes manifest", may_be: kubernetes::may_be, read: kubernetes::read },
    Kind { name: "pipeline", may_be: pipeline::may_be, read: pipeline::read },
    Kind { name: "Ansible tasks", may_be: ansible::may_be, read: ansible::read },
    Kind { name: "YAML file", may_be: values::may_be, read: values::read },
    Kind { name: "systemd unit", may_be: systemd::may_be, read: systemd::read },
    Kind { name: "Dockerfile", may_be: dockerfile::may_be, read: dockerfile::read },
    Kind { name: "shell script", may_be: shell::may_be, read: shell::read },
];

/// Longer files are data.
const LONGEST: usize = 4 << 20;

/// What a file carries; `None` where it is no carrier, or carries nothing of a server.
pub fn read(path: &Path, bytes: &[u8]) -> Option<Carrier> {
    if bytes.len() > LONGEST {
        return None;
    }
    KINDS.iter().filter(|kind| (kind.may_be)(path, bytes)).find_map(|kind| {
        let Read { servers, secrets } = (kind.read)(bytes)?;
        (!servers.is_empty()).then_some(Carrier { kind: kind.name, servers, secrets })
    })
}

/// The option files at a place that a carrier names: the file, or those of a directory in the order of their names.
pub fn files_at(files: &dyn Files, path: &Path) -> Vec<PathBuf> {
    if !matches!(files.kind(path), Ok(FileKind::Directory)) {
        return vec![path.to_owned()];
    }
    let mut names = files.list(path).unwrap_or_default();
    names.sort();
    names
        .into_iter()
        .map(|name| path.join(name))
        .filter(|path| path.extension().is_some_and(|end| end == "cnf"))
        .collect()
}

/// Whether a file of that name may be a carrier, and can be nothing else that holds options.
pub fn has_name(path: &Path) -> bool {
    let drop_in = || path.parent().is_some_and(|parent| parent.extension().is_some_and(|extension| extension == "d"));
    is_yaml(path)
        || dockerfile::may_be(path, b"")
        || match path.extension().and_then(|extension| extension.to_str()) {
            Some("service" | "sh" | "bash" | "ksh") => true,
            Some("conf") => drop_in(),
            _ => false,
        }
}

/// Whether a file of another name than `my.cnf` or `*.cnf` is an option file or the template of one: its name may be one of these, and its groups are
/// those of an option file.
pub fn is_template(path: &Path, bytes: &[u8]) -> bool {
    const ENDINGS: [&str; 18] = [
        "j2", "jinja", "jinja2", "erb", "epp", "tmpl", "tpl", "template", "gotmpl", "gotxt", "ctmpl", "mustache",
        "hbs", "in", "dist", "sh", "sample", "example",
    ];
    let ending = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    // Many programs have such files, some with a group for their connection to a server.
    let is_of_server = || ending == "ini" && ["[mysqld", "[mariadbd"].iter().any(|group| holds(bytes, group));
    (ENDINGS.contains(&ending) || is_of_server()) && option_file::is_option_file(&String::from_utf8_lossy(bytes), stem)
}

/// Whether the name of a file says that it may be a template.
pub fn has_template_name(path: &Path) -> bool {
    is_template(path, b"[mysqld]")
}

/// Whether a name ends as YAML files do.
fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Whether the bytes hold a word.
fn holds(bytes: &[u8], word: &str) -> bool {
    memchr::memmem::find(bytes, word.as_bytes()).is_some()
}
