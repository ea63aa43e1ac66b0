//! Functions of numbers: `int`, `mul`, `div`, `max`.

use super::values::{Known, text};
use gotmpl::Value;

/// By name.
pub const FUNCTIONS: [(&str, Known); 20] = [
    ("int", whole),
    ("int64", whole),
    ("atoi", whole),
    ("parseInt", whole),
    ("toInt", whole),
    ("float64", |values| Some(Value::Float(float(only(values)?)?))),
    ("add", |values| fold(values, i64::checked_add)),
    ("add1", |values| int(only(values)?)?.checked_add(1).map(Value::Int)),
    ("sub", |values| two(values, i64::checked_sub)),
    ("mul", |values| fold(values, i64::checked_mul)),
    ("div", |values| two(values, i64::checked_div)),
    ("mod", |values| two(values, i64::checked_rem)),
    ("max", |values| fold(values, |one, other| Some(one.max(other)))),
    ("min", |values| fold(values, |one, other| Some(one.min(other)))),
    ("mulf", |values| floats(values, |one, other| one * other)),
    ("divf", |values| floats(values, |one, other| one / other)),
    ("addf", |values| floats(values, |one, other| one + other)),
    ("subf", |values| floats(values, |one, other| one - other)),
    ("floor", |values| Some(Value::Float(float(only(values)?)?.floor()))),
    ("ceil", |values| Some(Value::Float(float(only(values)?)?.ceil()))),
];

fn only(values: &[Value]) -> Option<&Value> {
    match values {
        [value] => Some(value),
        _ => None,
    }
}

fn whole(values: &[Value]) -> Option<Value> {
    int(only(values)?).map(Value::Int)
}

/// The whole number of a value. What is no number would be 0, which nobody means: it counts as not known.
fn int(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Uint(number) => i64::try_from(*number).ok(),
        Value::Float(number) if number.abs() < 9e15 => format!("{:.0}", number.trunc()).parse().ok(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::String(text) => text.trim().parse().ok(),
        value => text_of(value)?.parse().ok(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    int(value).map(|number| number.to_string())
}

fn fold(values: &[Value], calculate: fn(i64, i64) -> Option<i64>) -> Option<Value> {
    let (first, rest) = values.split_first()?;
    rest.iter().try_fold(int(first)?, |sum, value| calculate(sum, int(value)?)).map(Value::Int)
}

fn two(values: &[Value], calculate: fn(i64, i64) -> Option<i64>) -> Option<Value> {
    if values.len() == 2 { fold(values, calculate) } else { None }
}

fn floats(values: &[Value], calculate: fn(f64, f64) -> f64) -> Option<Value> {
    let (first, rest) = values.split_first()?;
    let result = rest.iter().try_fold(float(first)?, |sum, value| Some(calculate(sum, float(value)?)))?;
    result.is_finite().then_some(Value::Float(result))
}

/// How `round` of a number to so many places is written.
pub fn rounded(values: &[Value]) -> Option<Value> {
    match values {
        [number, Value::Int(places)] => {
            let places = usize::try_from(*places).ok().filter(|places| *places < 10)?;
            format!("{:.places$}", float(number)?).parse().ok().map(Value::Float)
        }
        [number] => Some(text(text_of(number)?)),
        _ => None,
    }
}
