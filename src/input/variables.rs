//! Variables that fill templates in, as people keep them: YAML, JSON, TOML.

use super::carrier::yaml::{self, Node, Scalar};
use crate::source::Span;
use saphyr_parser::ScalarStyle;
use serde_json::{Map, Value};
use std::path::Path;

/// The variables of a file, by its name or what it looks like.
///
/// A value that is itself a template is left out: what it will be, nobody knows yet.
///
/// # Errors
/// In words, when the file holds none.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let value = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => serde_json::from_str(text).map_err(|error| error.to_string())?,
        Some("toml") => toml::from_str(text).map_err(|error| error.to_string())?,
        _ => of_yaml(bytes)?,
    };
    match value {
        Value::Object(map) => Ok(map),
        _ => Err("it holds no variables with names".to_owned()),
    }
}

/// The value of `--define`, typed as YAML types it: `true`, `12`, `1.5`, or a text.
pub fn typed(text: &str) -> Value {
    match text {
        "true" | "True" | "yes" => Value::Bool(true),
        "false" | "False" | "no" => Value::Bool(false),
        "null" | "~" => Value::Null,
        _ => {
            let number = text.parse::<i64>().map(Value::from);
            let decimal =
                |text: &str| text.starts_with(|first: char| first.is_ascii_digit()).then(|| text.parse::<f64>().ok());
            number
                .ok()
                .or_else(|| decimal(text).flatten().map(Value::from))
                .unwrap_or_else(|| Value::String(text.to_owned()))
        }
    }
}

/// Sets a value below dotted keys.
pub fn set(map: &mut Map<String, Value>, name: &str, value: Value) {
    match name.split_once('.') {
        None => {
            map.insert(name.to_owned(), value);
        }
        Some((outer, rest)) => {
            let inner = map.entry(outer).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Value::Object(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

fn of_yaml(bytes: &[u8]) -> Result<Value, String> {
    let file = yaml::parse(bytes).ok_or("it is no YAML")?;
    let mut all = Map::new();
    for document in &file.documents {
        if let Some(Value::Object(map)) = value_of(document, bytes) {
            all.extend(map);
        }
    }
    if all.is_empty() { Err("it holds no variables with names".to_owned()) } else { Ok(Value::Object(all)) }
}

fn value_of(node: &Node, bytes: &[u8]) -> Option<Value> {
    match node {
        Node::Scalar(scalar) => scalar_of(scalar, bytes),
        Node::Sequence(list) => {
            Some(list.items.iter().map(|item| value_of(item, bytes)).collect::<Option<Vec<_>>>()?.into())
        }
        Node::Mapping(entries) => {
            let pair = |(key, node): &(Scalar, Node)| Some((key.value.clone(), value_of(node, bytes)?));
            Some(Value::Object(entries.iter().filter_map(pair).collect()))
        }
    }
}

fn scalar_of(scalar: &Scalar, bytes: &[u8]) -> Option<Value> {
    let Span { start, end } = scalar.span;
    let written = bytes.get(start as usize..end as usize).unwrap_or_default();
    if written.windows(2).any(|pair| pair == b"{{" || pair == b"{%") {
        return None;
    }
    Some(match scalar.style {
        ScalarStyle::Plain if scalar.value.is_empty() => Value::Null,
        ScalarStyle::Plain => typed(&scalar.value),
        _ => Value::String(scalar.value.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_types_and_templates_are_none() {
        let read = |name: &str, text: &str| Value::Object(read(Path::new(name), text.as_bytes()).unwrap());
        let yaml = "a: 1G\nb:\n  c: [1, 'x', true]\nd: \"{{ a }}\"\ne: '7'\n";
        let wanted = serde_json::json!({"a": "1G", "b": {"c": [1, "x", true]}, "e": "7"});
        assert_eq!(read("all.yml", yaml), wanted);
        assert_eq!(read("a.toml", "a = 1\n[b]\nc = 'x'\n"), serde_json::json!({"a": 1, "b": {"c": "x"}}));
        assert_eq!(read("a.json", "{\"a\": 1}"), serde_json::json!({"a": 1}));
        let mut map = Map::new();
        set(&mut map, "a.b", typed("2"));
        set(&mut map, "a.c", typed("x"));
        assert_eq!(Value::Object(map), serde_json::json!({"a": {"b": 2, "c": "x"}}));
    }
}
