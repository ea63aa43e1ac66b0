//! Files that hold option files and servers' arguments among other things: manifests, compose files, units, scripts.
//!
//! A carrier gives parts, each with a map of its bytes, facts, and the server that is meant. Nothing beyond this room and the runner
//! knows that carriers exist. A new one is one file here and one line in [`KINDS`].

mod arguments;
mod compose;
mod image;
mod kubernetes;
mod part;
mod yaml;

pub use part::{Edited, Part};

use crate::facts::FactId;
use crate::server::ServerSpec;
use crate::source::Span;
use crate::value::Value;
use std::path::Path;

/// What a carrier holds of one server.
#[derive(Clone, Debug, Default)]
pub struct CarriedServer {
    /// What the carrier calls it: `service db`.
    pub name: String,
    /// Option files and arguments, in the order in which the server reads them.
    pub parts: Vec<Part>,
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

/// One kind of carrier.
struct Kind {
    /// What people call such a file.
    name: &'static str,
    /// Whether the file may be one, by its name and without a close look at its bytes.
    may_be: fn(&Path, &[u8]) -> bool,
    /// What it holds; `None` where it is not one after all.
    read: fn(&[u8]) -> Option<Read>,
}

/// Servers and secrets of a file.
type Read = (Vec<CarriedServer>, Vec<Span>);

const KINDS: &[Kind] = &[
    Kind { name: "compose file", may_be: compose::may_be, read: compose::read },
    Kind { name: "Kubernetes manifest", may_be: kubernetes::may_be, read: kubernetes::read },
];

/// What a file carries; `None` where it is no carrier, or carries nothing of a server.
pub fn read(path: &Path, bytes: &[u8]) -> Option<Carrier> {
    KINDS.iter().filter(|kind| (kind.may_be)(path, bytes)).find_map(|kind| {
        let (servers, secrets) = (kind.read)(bytes)?;
        (!servers.is_empty()).then_some(Carrier { kind: kind.name, servers, secrets })
    })
}

/// Whether a name ends as YAML files do.
fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Whether the bytes hold a word.
fn holds(bytes: &[u8], word: &str) -> bool {
    memchr::memmem::find(bytes, word.as_bytes()).is_some()
}
