//! What a rule reads while it is evaluated: settings, defaults, facts and models of one server, with a trace of everything read.

use super::memory::{Memory, NameSet};
use super::names::Named;
use crate::catalog::{self, Default, OptionId, State};
use crate::effective::{Effective, Origin};
use crate::expr::{Environment, NameId};
use crate::facts::{FactId, Facts};
use crate::model::{self, ModelId, Reader};
use crate::server::Server;
use crate::value::{Outcome, Value};
use std::borrow::Cow;

impl Named {
    /// The option, when it is a setting.
    pub fn option(self) -> Option<OptionId> {
        match self {
            Self::Setting(index) => OptionId::from_index(index),
            Self::Fact(_) | Self::Model(_) | Self::Flavor => None,
        }
    }

    /// The name as rules write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Setting(index) => OptionId::from_index(index).map_or("", OptionId::name),
            Self::Fact(id) => id.name(),
            Self::Model(id) => id.name(),
            Self::Flavor => "server.flavor",
        }
    }
}

/// Something that was read, and what came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// What was asked for.
    pub name: Named,
    /// The answer.
    pub value: Outcome<Value<'static>>,
    /// How deep below the rule it was asked: 0 by the rule itself, more by its models.
    pub depth: u8,
}

/// The settings, facts and models of one server.
pub struct Context<'a> {
    server: Server,
    effective: &'a Effective<'a>,
    facts: &'a Facts,
    /// Only a part of the configuration was given: what it does not set is not known.
    fragment: bool,
    trace: Vec<Read>,
    depth: u8,
    /// How many `surely(…)` are being evaluated: what is missing there may only excuse.
    surely: u8,
    /// Nothing is traced: most rules have nothing to say, and then nobody asks what they read.
    silent: bool,
    /// What was read in silence, for all rules.
    remembered: Memory,
    /// The names of every setting that something set, a bit each.
    set: NameSet,
}

impl<'a> Context<'a> {
    /// A context with an empty trace.
    pub fn new(effective: &'a Effective<'a>, facts: &'a Facts, fragment: bool) -> Self {
        Self {
            server: effective.server,
            effective,
            facts,
            fragment,
            trace: Vec::new(),
            depth: 0,
            surely: 0,
            silent: false,
            remembered: Memory::default(),
            set: NameSet::of(effective),
        }
    }

    /// Asks something without a trace of what it reads. Each setting and model is worked out once for all that is asked so.
    pub fn silently<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        self.silent = true;
        let answer = ask(self);
        self.silent = false;
        answer
    }

    fn remember(
        &mut self,
        name: Named,
        work_out: impl FnOnce(&mut Self) -> Outcome<Value<'static>>,
    ) -> Outcome<Value<'static>> {
        if let Some(value) = self.remembered.get(name) {
            return value.clone();
        }
        let value = work_out(self);
        self.remembered.insert(name, value.clone());
        value
    }

    /// Everything that was read since the last call, in order, each name once.
    pub fn take_trace(&mut self) -> Vec<Read> {
        std::mem::take(&mut self.trace)
    }

    /// The settings that are looked at.
    pub fn effective(&self) -> &'a Effective<'a> {
        self.effective
    }

    /// The facts that are looked at.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// Whether only a part of the configuration was given.
    pub fn is_fragment(&self) -> bool {
        self.fragment
    }

    /// The settings that a model reads, in its order.
    pub fn settings_of(&self, id: ModelId) -> Vec<OptionId> {
        let mut fresh = Self::new(self.effective, self.facts, self.fragment);
        fresh.model(id);
        fresh.trace.iter().filter_map(|read| read.name.option()).collect()
    }

    /// The facts that a model reads, in its order.
    pub fn facts_of(&self, id: ModelId) -> Vec<FactId> {
        let mut fresh = Self::new(self.effective, self.facts, self.fragment);
        fresh.model(id);
        let fact = |read: &Read| match read.name {
            Named::Fact(fact) => Some(fact),
            _ => None,
        };
        fresh.trace.iter().filter_map(fact).collect()
    }

    fn record(&mut self, name: Named, value: &Outcome<Value<'static>>) {
        let excuses = self.surely > 0 && *value == Outcome::Unknown;
        if !self.silent && !excuses && !self.trace.iter().any(|read| read.name == name) {
            self.trace.push(Read { name, value: value.clone(), depth: self.depth });
        }
    }

    fn recorded(&self, name: Named) -> Option<Outcome<Value<'static>>> {
        self.trace.iter().find(|read| read.name == name).map(|read| read.value.clone())
    }

    fn model(&mut self, id: ModelId) -> Outcome<Value<'static>> {
        if self.silent {
            return self.remember(Named::Model(id), |context| model::evaluate(id, context));
        }
        if let Some(value) = self.recorded(Named::Model(id)) {
            return value;
        }
        let position = self.trace.len();
        self.depth += 1;
        let value = model::evaluate(id, self);
        self.depth -= 1;
        // A sum stands before its parts.
        if self.recorded(Named::Model(id)).is_none() {
            let read = Read { name: Named::Model(id), value: value.clone(), depth: self.depth };
            self.trace.insert(position.min(self.trace.len()), read);
        }
        value
    }

    fn look_up(&mut self, id: OptionId) -> Outcome<Value<'static>> {
        let (state, variable) = catalog::standing(id, self.server);
        if let Some(setting) = self.effective.get(variable) {
            return setting.value.clone();
        }
        match state {
            State::Absent | State::Ignored => return Outcome::Absent,
            State::Unknown => return Outcome::Unknown,
            State::Present if self.fragment => return Outcome::Unknown,
            State::Present => {}
        }
        // What depends on other settings or on the host comes before the plain default.
        model::defaults::derived(id, self).unwrap_or_else(|| match catalog::effective_default(id, self.server) {
            Default::Value(value) => Outcome::Known(value),
            Default::None => Outcome::Known(Value::None),
            Default::Derived | Default::NotRecorded => Outcome::Unknown,
        })
    }
}

impl Reader for Context<'_> {
    fn server(&self) -> Server {
        self.server
    }

    fn setting(&mut self, id: OptionId) -> Outcome<Value<'static>> {
        if self.silent {
            return self.remember(Named::Setting(id.index()), |context| context.look_up(id));
        }
        if let Some(value) = self.recorded(Named::Setting(id.index())) {
            return value;
        }
        let value = self.look_up(id);
        self.record(Named::Setting(id.index()), &value);
        value
    }

    fn is_set(&mut self, id: OptionId) -> Outcome<bool> {
        let (state, variable) = catalog::standing(id, self.server);
        if matches!(state, State::Absent | State::Ignored) {
            return Outcome::Absent;
        }
        let winner = self.effective.winner(variable);
        match winner.map(|assignment| assignment.origin) {
            None if self.fragment => Outcome::Unknown,
            None => Outcome::Known(false),
            Some(Origin::Line(_)) if self.effective.get(variable).is_some_and(|setting| setting.may_be_unset) => {
                Outcome::Unknown
            }
            Some(Origin::Line(_) | Origin::Persisted) => Outcome::Known(true),
            Some(Origin::Snapshot { set }) => set,
        }
    }

    fn fact(&mut self, id: FactId) -> Outcome<Value<'static>> {
        let value = self.facts.value(id).map(Clone::clone);
        self.record(Named::Fact(id), &value);
        value
    }
}

impl Environment for Context<'_> {
    fn value(&mut self, id: NameId) -> Outcome<Value<'static>> {
        match Named::of(id) {
            Some(Named::Setting(index)) => OptionId::from_index(index).map_or(Outcome::Absent, |id| self.setting(id)),
            Some(Named::Fact(id)) => self.fact(id),
            Some(Named::Model(id)) => self.model(id),
            Some(Named::Flavor) => Outcome::Known(Value::Word(Cow::Borrowed(self.server.flavor.name()))),
            None => Outcome::Absent,
        }
    }

    fn is_set(&mut self, id: NameId) -> Outcome<bool> {
        match Named::of(id).and_then(Named::option) {
            Some(id) => Reader::is_set(self, id),
            None => Outcome::Absent,
        }
    }

    fn may_be_set(&mut self, id: NameId) -> bool {
        self.fragment || self.set.contains(id)
    }

    fn enter_surely(&mut self) {
        self.surely += 1;
    }

    fn leave_surely(&mut self) {
        self.surely -= 1;
    }

    fn exists(&mut self, id: NameId) -> Outcome<bool> {
        match Named::of(id).and_then(Named::option).map(|id| catalog::standing(id, self.server).0) {
            Some(State::Present) | None => Outcome::Known(true),
            Some(State::Unknown) => Outcome::Unknown,
            Some(State::Absent | State::Ignored) => Outcome::Known(false),
        }
    }
}
