//! The figures that the models are held to.

mod defaults;
mod descriptors;
mod endurance;
mod import;
mod io;
mod memory;
mod redo;

use super::{ModelId, Reader, defaults::derived, evaluate};
use crate::catalog::{self, Default, OptionId, State, id};
use crate::facts::{FactId, FactSource, Facts};
use crate::server::{Server, ServerSpec};
use crate::value::{Outcome, Value};
use std::borrow::Cow;

const MIB: i128 = 1 << 20;
const GIB: i128 = 1 << 30;

/// Settings as written, and facts; the defaults are those of the servers named in the tests.
struct Fake {
    server: Server,
    written: Vec<(OptionId, Value<'static>)>,
    facts: Facts,
}

fn server(text: &str) -> Server {
    match ServerSpec::parse(text) {
        Ok(ServerSpec::Exact(server)) => server,
        other => panic!("{text}: {other:?}"),
    }
}

fn on(text: &str) -> Fake {
    Fake { server: server(text), written: Vec::new(), facts: Facts::default() }
}

fn word(text: &'static str) -> Value<'static> {
    Value::Word(Cow::Borrowed(text))
}

impl Fake {
    fn with(mut self, option: OptionId, value: impl Into<Given>) -> Self {
        self.written.push((option, value.into().0));
        self
    }

    fn fact(mut self, fact: FactId, value: impl Into<Given>) -> Self {
        self.facts.set(fact, value.into().0, FactSource::Flag("test"));
        self
    }

    fn of(&mut self, model: ModelId) -> Outcome<Value<'static>> {
        evaluate(model, self)
    }

    fn number(&mut self, model: ModelId) -> i128 {
        match self.of(model) {
            Outcome::Known(Value::Integer(number)) => number,
            other => panic!("{}: {other:?}", model.name()),
        }
    }

    fn real(&mut self, model: ModelId) -> f64 {
        match self.of(model) {
            Outcome::Known(Value::Real(number)) => number,
            other => panic!("{}: {other:?}", model.name()),
        }
    }
}

/// A value in a test.
struct Given(Value<'static>);

impl From<i128> for Given {
    fn from(number: i128) -> Self {
        Self(Value::Integer(number))
    }
}

impl From<f64> for Given {
    fn from(number: f64) -> Self {
        Self(Value::Real(number))
    }
}

impl From<&'static str> for Given {
    fn from(text: &'static str) -> Self {
        Self(word(text))
    }
}

impl From<Value<'static>> for Given {
    fn from(value: Value<'static>) -> Self {
        Self(value)
    }
}

impl Reader for Fake {
    fn server(&self) -> Server {
        self.server
    }

    fn setting(&mut self, option: OptionId) -> Outcome<Value<'static>> {
        if let Some((_, value)) = self.written.iter().rev().find(|(written, _)| *written == option) {
            return Outcome::Known(value.clone());
        }
        match default_of(option, self.server) {
            Outcome::Absent => Outcome::Absent,
            default => derived(option, self).unwrap_or(default),
        }
    }

    fn is_set(&mut self, option: OptionId) -> Outcome<bool> {
        Outcome::Known(self.written.iter().any(|(written, _)| *written == option))
    }

    fn fact(&mut self, fact: FactId) -> Outcome<Value<'static>> {
        self.facts.value(fact).map(Clone::clone)
    }
}

/// The default that the catalog records, as far as the option does something on that server.
fn default_of(option: OptionId, server: Server) -> Outcome<Value<'static>> {
    let entry = catalog::entry(option, server);
    let value = |default| match default {
        Default::Value(value) => Outcome::Known(value),
        Default::None => Outcome::Known(Value::None),
        Default::Derived | Default::NotRecorded => Outcome::Unknown,
    };
    match (entry.state, value(entry.effective_default)) {
        (State::Absent | State::Ignored, _) => Outcome::Absent,
        (_, Outcome::Unknown) => value(entry.default),
        (_, known) => known,
    }
}
