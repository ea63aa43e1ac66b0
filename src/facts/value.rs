//! Reading one fact from the text of a flag, a comment or a facts file, and writing it so that it reads back the same.

use super::FactId;
use super::table::FactType;
use crate::value::{SizeError, Unit, Value, size};
use std::borrow::Cow;

/// Why a text is no value of a fact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactValueError {
    /// Not the figure that the fact needs.
    #[error(transparent)]
    Figure(#[from] SizeError),
    /// Not one of the words that the fact takes.
    #[error("`{text}` is not one of {}{}", words.join(", "), did_you_mean(*similar))]
    NotAWord {
        /// What was written.
        text: String,
        /// The words.
        words: &'static [&'static str],
        /// The word that was probably meant.
        similar: Option<&'static str>,
    },
    /// Neither ON nor OFF.
    #[error("`{0}` is neither ON nor OFF")]
    NotABoolean(String),
    /// Nothing was written.
    #[error("the value is empty")]
    Empty,
}

fn did_you_mean(similar: Option<&str>) -> String {
    similar.map(|word| format!("; did you mean `{word}`?")).unwrap_or_default()
}

impl FactId {
    /// Reads a value as its flag takes it: `16G` for `host.ram`, `75%` for `disk.fill`, `nvme` for `disk.kind`.
    ///
    /// # Errors
    /// When the text does not fit the fact.
    pub fn parse(self, text: &str) -> Result<Value<'static>, FactValueError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(FactValueError::Empty);
        }
        Ok(match self.fact_type() {
            FactType::Number(Unit::Bytes) => Value::Integer(size::parse_size(text)?.into()),
            FactType::Number(Unit::DecimalBytes) => Value::Integer(size::parse_decimal_size(text)?.into()),
            FactType::Number(Unit::BytesPerSecond) => Value::Integer(size::parse_rate(text)?.into()),
            FactType::Number(Unit::Share) => Value::Real(size::parse_share(text)?),
            FactType::Number(Unit::Years) => Value::Real(size::parse_duration_years(text)?),
            FactType::Number(_) => match text.parse::<u64>() {
                Ok(whole) => Value::Integer(whole.into()),
                Err(_) => Value::Real(size::parse_number(text)?),
            },
            FactType::Word(words) => {
                let word = words.iter().copied().find(|word| word.eq_ignore_ascii_case(text));
                Value::Word(Cow::Borrowed(word.ok_or_else(|| not_a_word(text, words))?))
            }
            FactType::AnyWord => Value::Word(Cow::Owned(text.to_owned())),
            FactType::Boolean => match text.to_ascii_lowercase().as_str() {
                "on" | "true" | "yes" | "1" => Value::boolean(true),
                "off" | "false" | "no" | "0" => Value::boolean(false),
                _ => return Err(FactValueError::NotABoolean(text.to_owned())),
            },
        })
    }

    /// Writes a value so that [`FactId::parse`] reads the same one: `16G`, `1.6T`, `75%`, `5y`.
    pub fn show(self, value: &Value<'_>) -> String {
        match (value, self.fact_type()) {
            (Value::Integer(bytes), FactType::Number(Unit::Bytes | Unit::BytesPerSecond)) => size::spell_size(*bytes),
            (Value::Integer(bytes), FactType::Number(Unit::DecimalBytes)) => size::spell_decimal_size(*bytes),
            (Value::Real(share), FactType::Number(Unit::Share)) => size::spell_share(*share),
            (Value::Real(years), FactType::Number(Unit::Years)) => format!("{years}y"),
            (Value::Integer(number), _) => number.to_string(),
            (Value::Real(number), _) => number.to_string(),
            (Value::Word(word) | Value::Set(word), _) => word.clone().into_owned(),
            (Value::Text(text), _) => String::from_utf8_lossy(text).into_owned(),
            (Value::None, _) => String::new(),
        }
    }
}

fn not_a_word(text: &str, words: &'static [&'static str]) -> FactValueError {
    let lower = text.to_ascii_lowercase();
    FactValueError::NotAWord { text: text.to_owned(), words, similar: super::similar(&lower, words.iter().copied()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_flags_take_them() {
        assert_eq!(FactId::HostRam.parse("16G"), Ok(Value::Integer(17_179_869_184)));
        assert_eq!(FactId::HostCpus.parse("2.5"), Ok(Value::Real(2.5)));
        assert_eq!(FactId::DiskKind.parse("NVMe"), Ok(Value::Word("nvme".into())));
        assert_eq!(FactId::DiskFill.parse("75%"), Ok(Value::Real(0.75)));
        assert_eq!(FactId::WorkloadShared.parse("true"), Ok(Value::boolean(true)));
    }

    #[test]
    fn a_wrong_word_is_answered_with_the_right_ones() {
        let error = FactId::DiskKind.parse("nmve").expect_err("no such kind").to_string();
        assert_eq!(error, "`nmve` is not one of hdd, ssd, nvme, network; did you mean `nvme`?");
        assert!(FactId::HostRam.parse("lots").is_err());
        assert_eq!(FactId::HostRam.parse("  "), Err(FactValueError::Empty));
    }
}
