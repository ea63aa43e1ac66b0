//! What Ansible adds to Jinja, as far as option files use it.

use minijinja::value::{Rest, Value};
use minijinja::{Environment, Error, ErrorKind};

/// The filters and tests of Ansible that option files use.
pub fn add_to(environment: &mut Environment<'_>) {
    let is_on = |value: &Value| match value.as_str() {
        Some(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "1" | "y" | "t"),
        None => value.is_true(),
    };
    environment
        .add_filter("bool", move |value: Value| if value.is_undefined() { value } else { Value::from(is_on(&value)) });
    environment.add_filter("ternary", |value: Value, yes: Value, no: Value| if value.is_true() { yes } else { no });
    environment.add_filter("mandatory", |value: Value, _: Rest<Value>| value);
    environment.add_filter("comment", |value: Value, _: Rest<Value>| {
        value.to_string().lines().map(|line| format!("# {line}")).collect::<Vec<_>>().join("\n")
    });
    environment.add_filter("quote", |value: Value| format!("'{value}'"));
    environment.add_filter("basename", |value: String| value.rsplit('/').next().unwrap_or_default().to_owned());
    environment
        .add_filter("dirname", |value: String| value.rsplit_once('/').map_or("", |(before, _)| before).to_owned());
    environment.add_filter("b64encode", |value: String| data_encoding::BASE64.encode(value.as_bytes()));
    environment.add_filter("pow", |value: f64, power: f64| value.powf(power));
    environment.add_filter("human_to_bytes", |value: Value| human_to_bytes(&value.to_string()));
    environment.add_filter("dict2items", dict2items);
    environment.add_filter("combine", combine);
    environment.add_filter("union", |one: Vec<Value>, other: Vec<Value>| unique(one.into_iter().chain(other)));
    environment.add_filter("difference", |one: Vec<Value>, other: Vec<Value>| {
        unique(one.into_iter().filter(|value| !other.contains(value)))
    });
    environment.add_filter("intersect", |one: Vec<Value>, other: Vec<Value>| {
        unique(one.into_iter().filter(|value| other.contains(value)))
    });
    let version = |value: Value, other: Value, operator: Option<String>| {
        let ordering = parts(&value.to_string()).cmp(&parts(&other.to_string()));
        match operator.as_deref().unwrap_or("==") {
            "<" | "lt" => ordering.is_lt(),
            "<=" | "le" => ordering.is_le(),
            ">" | "gt" => ordering.is_gt(),
            ">=" | "ge" => ordering.is_ge(),
            "!=" | "ne" | "<>" => ordering.is_ne(),
            _ => ordering.is_eq(),
        }
    };
    environment.add_test("version", version);
    environment.add_test("version_compare", version);
    environment.add_filter("version", version);
}

/// The numbers of a version.
fn parts(version: &str) -> Vec<u64> {
    let mut parts: Vec<u64> =
        version.split(|byte: char| !byte.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    while parts.last() == Some(&0) {
        parts.pop();
    }
    parts
}

/// `4G` and `512 MB` in bytes; powers of 1024, as Ansible has them.
fn human_to_bytes(text: &str) -> Result<u64, Error> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = (text[..digits].parse::<u64>().ok(), text[digits..].trim().to_ascii_uppercase());
    let unit = unit.strip_suffix('B').unwrap_or(&unit);
    let power = ["", "K", "M", "G", "T", "P", "E"].iter().position(|known| *known == unit);
    let bytes = number.zip(power).and_then(|(number, power)| 1024_u64.checked_pow(power as u32)?.checked_mul(number));
    bytes.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, format!("`{text}` is no size")))
}

fn pairs(map: &Value) -> Result<Vec<(Value, Value)>, Error> {
    map.try_iter()?.map(|key| Ok((key.clone(), map.get_item(&key)?))).collect()
}

fn dict2items(map: Value) -> Result<Vec<Value>, Error> {
    let item = |(key, value): (Value, Value)| Value::from_pairs([("key", key), ("value", value)]);
    Ok(pairs(&map)?.into_iter().map(item).collect())
}

fn combine(map: Value, others: Rest<Value>) -> Result<Value, Error> {
    let mut all = pairs(&map)?;
    for other in others.iter() {
        for (key, value) in pairs(other)? {
            all.retain(|(known, _)| *known != key);
            all.push((key, value));
        }
    }
    Ok(Value::from_pairs(all))
}

fn unique(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}
