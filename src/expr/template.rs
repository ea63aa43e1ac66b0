//! Messages: text with `{expression}` or `{expression:format}` in it.

use super::check::{Checked, Expected, check};
use super::code::{CodeError, Pool, compile};
use super::error::{ExprError, ExprErrorKind};
use super::evaluate::evaluate;
use super::format::{Format, write_value};
use super::parser::parse;
use super::{Environment, Names, Type};
use crate::value::{Outcome, Unit};

/// A message that is ready to be packed.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its parts in order.
    pub segments: Vec<Segment>,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Words as they are.
    Text(String),
    /// A figure.
    Value {
        /// How it is computed.
        expression: Checked,
        /// How it is shown.
        format: Format,
        /// What it counts.
        unit: Unit,
    },
}

impl Template {
    /// Reads a message.
    ///
    /// # Errors
    /// Everything that is wrong with its expressions, with bytes of the whole message.
    pub fn parse(text: &str, names: &dyn Names) -> Result<Self, Vec<ExprError>> {
        let (mut segments, mut errors) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(brace) = text[at..].find(['{', '}']).map(|found| at + found) {
            if brace > at {
                segments.push(Segment::Text(text[at..brace].to_owned()));
            }
            let end = text[brace..].find('}').map(|found| brace + found).filter(|end| *end > brace);
            let Some(end) = end else {
                errors.push(ExprError::new(brace..brace + 1, ExprErrorKind::OpenBrace));
                return Err(errors);
            };
            match value(&text[brace + 1..end], names) {
                Ok(segment) => segments.push(segment),
                Err(found) => errors.extend(found.into_iter().map(|error| error.shifted(brace + 1))),
            }
            at = end + 1;
        }
        if at < text.len() {
            segments.push(Segment::Text(text[at..].to_owned()));
        }
        if errors.is_empty() { Ok(Self { segments }) } else { Err(errors) }
    }

    /// The expressions in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Checked> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Text(_) => None,
            Segment::Value { expression, .. } => Some(expression),
        })
    }

    /// Appends the packed form: the number of segments, then each one.
    ///
    /// # Errors
    /// When texts or code have outgrown their offsets.
    pub fn compile(&self, pool: &mut Pool, words: &mut Vec<u32>) -> Result<(), CodeError> {
        words.push(self.segments.len() as u32);
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => {
                    let (offset, length) = pool.store(text)?;
                    words.extend([TEXT, offset, length]);
                }
                Segment::Value { expression, format, unit } => {
                    let head = words.len();
                    words.extend([VALUE | (*format as u32) << 8 | (*unit as u32) << 16, 0]);
                    compile(expression, pool, words)?;
                    words[head + 1] = (words.len() - head - 2) as u32;
                }
            }
        }
        Ok(())
    }
}

const TEXT: u32 = 0;
const VALUE: u32 = 1;

fn value(inside: &str, names: &dyn Names) -> Result<Segment, Vec<ExprError>> {
    let (text, format) = match inside.rsplit_once(':') {
        Some((text, format)) if !format.contains('\'') => (text, Some(format)),
        _ => (inside, None),
    };
    let tree = parse(text).map_err(|error| vec![error])?;
    let expression = check(&tree, Expected::AnyValue, names)?;
    let unit = match expression.value_type {
        Type::Number(unit) => unit,
        _ => Unit::Count,
    };
    let format = match format {
        None => Format::of(expression.value_type),
        Some(name) => {
            let span = text.len() + 1..inside.len();
            let Some(format) = Format::from_name(name) else {
                let error = ExprError::new(span, ExprErrorKind::UnknownFormat(name.to_owned()));
                return Err(vec![error.suggesting(name, Format::ALL.map(Format::name))]);
            };
            if !format.shows(expression.value_type) {
                let kind = ExprErrorKind::UnfitFormat { format: format.name(), found: expression.value_type };
                return Err(vec![ExprError::new(span, kind)]);
            }
            format
        }
    };
    Ok(Segment::Value { expression, format, unit })
}

/// The sentence that a packed message makes here. A figure that is not known stands as the word "unknown".
pub fn render(words: &[u32], pool: &str, environment: &mut dyn Environment) -> String {
    let mut out = String::new();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let mut at = 1;
    for _ in 0..word(0) {
        let head = word(at);
        if head == TEXT {
            let offset = word(at + 1) as usize;
            out.push_str(pool.get(offset..offset + word(at + 2) as usize).unwrap_or_default());
            at += 3;
            continue;
        }
        let length = word(at + 1) as usize;
        let code = words.get(at + 2..at + 2 + length).unwrap_or_default();
        let format = Format::ALL.get((head >> 8 & 0xff) as usize).copied().unwrap_or(Format::Word);
        let unit = UNITS.get((head >> 16) as usize).copied().unwrap_or_default();
        match evaluate(code, pool, environment) {
            Outcome::Known(value) => write_value(&value, format, unit, &mut out),
            Outcome::Unknown | Outcome::Absent => out.push_str("unknown"),
        }
        at += 2 + length;
    }
    out
}

/// Units in the order of their numbers.
const UNITS: [Unit; 12] = [
    Unit::Count,
    Unit::Bytes,
    Unit::DecimalBytes,
    Unit::BytesPerSecond,
    Unit::PagesPerSecond,
    Unit::Mebibytes,
    Unit::Seconds,
    Unit::Milliseconds,
    Unit::Microseconds,
    Unit::Minutes,
    Unit::Years,
    Unit::Share,
];

/// The table above is the enumeration itself.
const _: () = {
    let mut at = 0;
    while at < UNITS.len() {
        assert!(UNITS[at] as usize == at);
        at += 1;
    }
};
