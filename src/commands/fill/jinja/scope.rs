//! The variables of a template, which notice what is asked for and not there.

use super::Log;
use minijinja::value::{Enumerator, Object, ObjectRepr, Value};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names that the engine itself has.
const BUILT_IN: [&str; 8] = ["range", "dict", "debug", "namespace", "loop", "caller", "super", "self"];

/// Variables by name.
#[derive(Debug)]
pub struct Scope {
    /// What they are called in messages: `mysql.`.
    prefix: String,
    values: BTreeMap<String, Value>,
    log: Arc<Log>,
}

impl Scope {
    /// The outermost variables.
    pub fn new(values: &serde_json::Map<String, serde_json::Value>, log: Arc<Log>) -> Self {
        let known = values.iter().filter(|(name, _)| !log.hides(name));
        Self::below(String::new(), known.map(|(name, value)| (name.clone(), value.clone())).collect(), log)
    }

    fn below(prefix: String, values: serde_json::Map<String, serde_json::Value>, log: Arc<Log>) -> Self {
        let value = |(name, value)| {
            let value = value_of(&format!("{prefix}{name}"), value, &log);
            (name, value)
        };
        let values = values.into_iter().map(value).collect();
        Self { prefix, values, log }
    }
}

fn value_of(name: &str, value: serde_json::Value, log: &Arc<Log>) -> Value {
    match value {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(value) => Value::from(value),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::from(whole),
            (None, Some(real)) => Value::from(real),
            (None, None) => Value::from(number.to_string()),
        },
        serde_json::Value::String(text) => Value::from(text),
        serde_json::Value::Array(items) => {
            items.into_iter().map(|item| value_of(&format!("{name}[]"), item, log)).collect::<Vec<_>>().into()
        }
        serde_json::Value::Object(map) => Value::from_object(Scope::below(format!("{name}."), map, Arc::clone(log))),
    }
}

impl Object for Scope {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        let found = self.values.get(name).cloned();
        let is_built_in = self.prefix.is_empty() && BUILT_IN.contains(&name) && !self.log.hides(name);
        if found.is_none() && !is_built_in {
            self.log.misses(format!("{}{name}", self.prefix));
        }
        found
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.values.keys().map(|name| Value::from(name.as_str())).collect())
    }
}
