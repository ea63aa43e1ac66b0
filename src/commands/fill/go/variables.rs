//! Variables as Go's templates see them, and what is not there.

use gotmpl::Value;
use serde_json::Map;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What every template begins with: the variables themselves, and the same as a chart's values and as the environment.
pub fn root(values: &Map<String, serde_json::Value>) -> Value {
    let all = map(values);
    let mut root = all.clone();
    for name in ["Values", "Env"] {
        root.entry(Arc::from(name)).or_insert_with(|| Value::Map(Arc::new(all.clone())));
    }
    Value::Map(Arc::new(root))
}

fn map(values: &Map<String, serde_json::Value>) -> BTreeMap<Arc<str>, Value> {
    values.iter().map(|(name, value)| (Arc::from(name.as_str()), value_of(value))).collect()
}

fn value_of(value: &serde_json::Value) -> Value {
    match value {
        serde_json::Value::Null => Value::Nil,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(real)) => Value::Float(real),
            (None, None) => Value::String(Arc::from(number.to_string())),
        },
        serde_json::Value::String(text) => Value::String(Arc::from(text.as_str())),
        serde_json::Value::Array(items) => Value::List(items.iter().map(value_of).collect()),
        serde_json::Value::Object(values) => Value::Map(Arc::new(map(values))),
    }
}

/// What is not defined: a default may take its place.
pub fn undefined() -> Value {
    Value::Function(Arc::new(|_| Ok(Value::Bool(true))))
}

/// What nobody knows.
pub fn unknown() -> Value {
    Value::Function(Arc::new(|_| Ok(Value::Bool(false))))
}

/// Whether it is not defined.
pub fn is_undefined(value: &Value) -> bool {
    matches!(value, Value::Function(told) if told(&[]).is_ok_and(|told| told.is_truthy()))
}

/// Whether it, or something in it, is not defined or not known.
pub fn is_absent(value: &Value) -> bool {
    match value {
        Value::Function(_) => true,
        Value::List(items) => items.iter().any(is_absent),
        Value::Map(values) => values.values().any(is_absent),
        _ => false,
    }
}

/// What is called so in a value.
pub fn field(base: &Value, name: &str) -> Value {
    match base {
        Value::Map(values) => values.get(name).cloned().unwrap_or_else(undefined),
        Value::Function(_) if !is_undefined(base) => unknown(),
        _ => undefined(),
    }
}

/// A key of confd or Consul: `/mysql/port` is written so, or is a value in a value.
pub fn key(root: &Value, name: &str) -> Value {
    let path = name.trim_matches('/');
    let spelled = [name, path].into_iter().map(|name| field(root, name)).find(|value| !is_absent(value));
    spelled.unwrap_or_else(|| path.split('/').fold(root.clone(), |value, name| field(&value, name)))
}
