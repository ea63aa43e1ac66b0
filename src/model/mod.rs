//! Pure arithmetic: memory, redo, endurance, descriptors, and the defaults that depend on settings or facts.
//!
//! A model asks for what it needs through [`Reader`], so that whoever evaluates a rule knows what the figure rests on.

mod names;

pub use names::ModelId;

use crate::catalog::OptionId;
use crate::facts::FactId;
use crate::server::Server;
use crate::value::{Outcome, Value};

/// Where models and rules get settings and facts from. Every question may be recorded as evidence.
pub trait Reader {
    /// The server that is meant.
    fn server(&self) -> Server;

    /// The effective value of a setting: what is written, or else the default of that server.
    fn setting(&mut self, id: OptionId) -> Outcome<Value<'static>>;

    /// Whether a setting is written somewhere: a file, the command line, or persisted.
    fn is_set(&mut self, id: OptionId) -> Outcome<bool>;

    /// A fact about machine, workload or running server.
    fn fact(&mut self, id: FactId) -> Outcome<Value<'static>>;
}
