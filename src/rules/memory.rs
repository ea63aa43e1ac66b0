//! What a context keeps by name, so that each of some hundred rules finds it in a few instructions.

use super::names::Named;
use crate::catalog;
use crate::effective::Effective;
use crate::expr::NameId;
use crate::model::ModelId;
use crate::value::{Outcome, Value};

/// The answers about settings and models, each worked out once.
#[derive(Default)]
pub(super) struct Memory {
    /// Where the answer about each setting, then about each model, stands among the answers, counted from 1; 0 where there is none.
    places: Vec<u16>,
    answers: Vec<Outcome<Value<'static>>>,
}

impl Memory {
    pub(super) fn get(&self, name: Named) -> Option<&Outcome<Value<'static>>> {
        let place = *self.places.get(index(name)?)?;
        self.answers.get(usize::from(place).checked_sub(1)?)
    }

    pub(super) fn insert(&mut self, name: Named, answer: Outcome<Value<'static>>) {
        if self.places.is_empty() {
            self.places = vec![0; usize::from(catalog::COUNT) + ModelId::ALL.len()];
            self.answers.reserve(128);
        }
        let Some(place) = index(name).and_then(|index| self.places.get_mut(index)) else { return };
        self.answers.push(answer);
        *place = u16::try_from(self.answers.len()).unwrap_or(0);
    }
}

/// Facts lie ready, and nothing else is worked out.
fn index(name: Named) -> Option<usize> {
    match name {
        Named::Setting(index) => Some(usize::from(index)),
        Named::Model(model) => Some(usize::from(catalog::COUNT) + model as usize),
        Named::Fact(_) | Named::Flavor => None,
    }
}

/// Names of settings.
pub(super) struct NameSet {
    bits: Vec<u64>,
}

impl NameSet {
    /// Every name, on whatever server, of the variables that something set.
    pub(super) fn of(effective: &Effective<'_>) -> Self {
        let mut bits = vec![0; usize::from(catalog::COUNT).div_ceil(64)];
        for variable in effective.settings().iter().map(|setting| setting.variable) {
            for id in std::iter::once(variable).chain(catalog::aliases(variable)) {
                bits[usize::from(id.index()) / 64] |= 1 << (id.index() % 64);
            }
        }
        Self { bits }
    }

    /// Whether a name is among them; every name that is no setting's counts as one.
    pub(super) fn contains(&self, name: NameId) -> bool {
        match self.bits.get(name.0 as usize / 64) {
            Some(bits) => bits >> (name.0 % 64) & 1 == 1,
            None => true,
        }
    }
}
