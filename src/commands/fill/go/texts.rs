//! Functions of texts: `quote`, `trim`, `indent`, `join`.

use super::numbers::rounded;
use super::values::{Known, text};
use gotmpl::Value;

/// By name.
pub const FUNCTIONS: [(&str, Known); 25] = [
    ("quote", |values| quoted(values, '"')),
    ("squote", |values| quoted(values, '\'')),
    ("toString", |values| of_one(values, str::to_owned)),
    ("upper", |values| of_one(values, str::to_uppercase)),
    ("toUpper", |values| of_one(values, str::to_uppercase)),
    ("lower", |values| of_one(values, str::to_lowercase)),
    ("toLower", |values| of_one(values, str::to_lowercase)),
    ("trim", |values| of_one(values, |text| text.trim().to_owned())),
    ("trimSpace", |values| of_one(values, |text| text.trim().to_owned())),
    ("nospace", |values| of_one(values, |text| text.split_whitespace().collect())),
    // A text without markup is its own template.
    ("tpl", |values| match values {
        [Value::String(source), _] if !source.contains("{{") => Some(values[0].clone()),
        _ => None,
    }),
    ("trimSuffix", |values| of_two(values, |end, text| text.strip_suffix(end).unwrap_or(text).to_owned())),
    ("trimPrefix", |values| of_two(values, |start, text| text.strip_prefix(start).unwrap_or(text).to_owned())),
    ("trimAll", |values| of_two(values, |set, text| text.trim_matches(|letter| set.contains(letter)).to_owned())),
    ("hasPrefix", |values| whether(values, |start, text| text.starts_with(start))),
    ("hasSuffix", |values| whether(values, |end, text| text.ends_with(end))),
    ("replace", |values| match values {
        [from, to, whole] => Some(text(whole.as_str()?.replace(from.as_str()?, to.as_str()?))),
        _ => None,
    }),
    ("indent", |values| indented(values, "")),
    ("nindent", |values| indented(values, "\n")),
    ("join", joined),
    ("splitList", |values| match values {
        [separator, whole] => {
            Some(Value::List(whole.as_str()?.split(separator.as_str()?).map(|part| text(part.to_owned())).collect()))
        }
        _ => None,
    }),
    ("base", |values| of_one(values, |path| path.rsplit('/').next().unwrap_or_default().to_owned())),
    ("dir", |values| of_one(values, |path| path.rsplit_once('/').map_or(".", |(before, _)| before).to_owned())),
    ("round", rounded),
    ("kindIs", |values| match values {
        [kind, value] => Some(Value::Bool(kind.as_str()? == kind_of(value))),
        _ => None,
    }),
];

/// A value as it is printed; `None` for what is no single one.
fn printed(value: &Value) -> Option<String> {
    match value {
        Value::Nil | Value::List(_) | Value::Map(_) | Value::Function(_) => None,
        value => Some(value.to_string()),
    }
}

fn of_one(values: &[Value], change: fn(&str) -> String) -> Option<Value> {
    match values {
        [value] => Some(text(change(&printed(value)?))),
        _ => None,
    }
}

fn of_two(values: &[Value], change: fn(&str, &str) -> String) -> Option<Value> {
    match values {
        [first, second] => Some(text(change(first.as_str()?, &printed(second)?))),
        _ => None,
    }
}

fn whether(values: &[Value], asks: fn(&str, &str) -> bool) -> Option<Value> {
    match values {
        [first, second] => Some(Value::Bool(asks(first.as_str()?, second.as_str()?))),
        _ => None,
    }
}

fn quoted(values: &[Value], mark: char) -> Option<Value> {
    let each: Option<Vec<_>> = values.iter().map(|value| Some(format!("{mark}{}{mark}", printed(value)?))).collect();
    let all = each?.join(" ");
    // Escapes are not the same everywhere.
    let is_plain = !all.contains('\\') && all.matches(mark).count() == 2 * values.len();
    is_plain.then(|| text(all))
}

fn indented(values: &[Value], before: &str) -> Option<Value> {
    let [Value::Int(blanks), Value::String(whole)] = values else { return None };
    let blanks = " ".repeat(usize::try_from(*blanks).ok().filter(|blanks| *blanks < 100)?);
    let lines: Vec<_> = whole.split('\n').map(|line| format!("{blanks}{line}")).collect();
    Some(text(format!("{before}{}", lines.join("\n"))))
}

/// Helm gives what stands between the parts first, confd last.
fn joined(values: &[Value]) -> Option<Value> {
    let (between, parts) = match values {
        [Value::String(between), Value::List(parts)] | [Value::List(parts), Value::String(between)] => (between, parts),
        _ => return None,
    };
    let parts: Option<Vec<_>> = parts.iter().map(printed).collect();
    Some(text(parts?.join(between)))
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::List(_) => "slice",
        Value::Int(_) | Value::Uint(_) => "int",
        value => value.type_name(),
    }
}
