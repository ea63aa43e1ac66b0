//! Facts as TOML: what `--facts` reads and `cnflint facts` prints, so that a host's facts can be committed beside its configuration.

use super::value::FactValueError;
use super::{FactId, FactSource, FactType, Facts, similar};
use crate::value::{Unit, Value};
use std::fmt::Write as _;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong in a facts file, and at which bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactsError {
    /// Not TOML.
    #[error("{message}")]
    Syntax {
        /// What the TOML reader says.
        message: String,
        /// Where.
        span: Range<usize>,
    },
    /// No fact has this name.
    #[error("there is no fact `{name}`{}", similar.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default())]
    UnknownFact {
        /// What was written, with the table's name before it.
        name: String,
        /// The fact that was probably meant.
        similar: Option<&'static str>,
        /// Where the name stands.
        span: Range<usize>,
    },
    /// The value does not fit the fact.
    #[error("`{}`: {error}", fact.name())]
    BadValue {
        /// The fact.
        fact: FactId,
        /// Why not.
        error: FactValueError,
        /// Where the value stands.
        span: Range<usize>,
    },
    /// A list or a date where a single value is needed.
    #[error("`{}` takes one value, not a list, table or date", .0.name())]
    NotOneValue(FactId, Range<usize>),
}

impl FactsError {
    /// The bytes that the error is about.
    pub fn span(&self) -> Range<usize> {
        match self {
            Self::Syntax { span, .. } | Self::UnknownFact { span, .. } | Self::BadValue { span, .. } => span.clone(),
            Self::NotOneValue(_, span) => span.clone(),
        }
    }
}

/// Reads a facts file. Values are written as the flags take them (`ram = "16G"`); plain numbers and booleans are taken too.
///
/// # Errors
/// The first thing that is wrong, from the top of the file.
pub fn parse(path: &str, text: &str) -> Result<Facts, FactsError> {
    let table = DeTable::parse(text).map_err(|error| FactsError::Syntax {
        message: error.message().to_owned(),
        span: error.span().unwrap_or(0..0),
    })?;
    let source = |_| FactSource::File(path.to_owned());
    let (facts, errors) = from_table(table.get_ref(), &source);
    match errors.into_iter().min_by_key(|error| error.span().start) {
        Some(error) => Err(error),
        None => Ok(facts),
    }
}

/// The facts of a table that holds what a facts file holds, and all that is wrong in it. `source` names the source of the fact
/// whose name stands at that byte.
pub fn from_table(table: &DeTable<'_>, source: &dyn Fn(usize) -> FactSource) -> (Facts, Vec<FactsError>) {
    let mut facts = Facts::default();
    let mut errors = Vec::new();
    for (prefix, value) in table {
        match value.get_ref() {
            DeValue::Table(entries) => {
                from_subject(prefix.get_ref(), entries, source, &mut facts, &mut errors);
                if entries.is_empty() && !FactId::ALL.iter().any(|id| prefix_of(*id) == prefix.get_ref().as_ref()) {
                    errors.push(unknown(prefix.get_ref(), prefix.span()));
                }
            }
            _ => errors.push(unknown(prefix.get_ref(), prefix.span())),
        }
    }
    (facts, errors)
}

/// Reads the facts about one subject: those below `[host]` in a facts file.
pub fn from_subject(
    subject: &str,
    entries: &DeTable<'_>,
    source: &dyn Fn(usize) -> FactSource,
    facts: &mut Facts,
    errors: &mut Vec<FactsError>,
) {
    for (key, value) in entries {
        let name = format!("{subject}.{}", key.get_ref());
        match read_fact(&name, key.span(), value) {
            Ok((fact, value)) => facts.set(fact, value, source(key.span().start)),
            Err(error) => errors.push(error),
        }
    }
}

/// Reads one fact by its name.
///
/// # Errors
/// When there is no such fact, or the value does not fit it.
pub fn read_fact(
    name: &str,
    name_span: Range<usize>,
    value: &Spanned<DeValue<'_>>,
) -> Result<(FactId, Value<'static>), FactsError> {
    let Some(fact) = FactId::from_name(name) else { return Err(unknown(name, name_span)) };
    let written = match value.get_ref() {
        DeValue::String(text) => text.as_ref(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        DeValue::Boolean(true) => "ON",
        DeValue::Boolean(false) => "OFF",
        _ => return Err(FactsError::NotOneValue(fact, value.span())),
    };
    let parsed = fact.parse(written).map_err(|error| FactsError::BadValue { fact, error, span: value.span() })?;
    Ok((fact, parsed))
}

fn unknown(name: &str, span: Range<usize>) -> FactsError {
    // A bare `ram` outside its table is more likely than a slip in the table's name.
    let bare =
        FactId::ALL.iter().map(|id| id.name()).find(|fact| fact.split_once('.').is_some_and(|(_, key)| key == name));
    let similar = bare.or_else(|| similar(name, FactId::ALL.iter().map(|id| id.name())));
    FactsError::UnknownFact { name: name.to_owned(), similar, span }
}

fn prefix_of(id: FactId) -> &'static str {
    id.name().split_once('.').map_or("", |(prefix, _)| prefix)
}

/// Writes facts as TOML, one table for each subject, with the source of each fact beside it.
pub fn to_toml(facts: &Facts) -> String {
    let mut text = String::new();
    let mut current = "";
    for (id, known) in facts.iter() {
        let (prefix, key) = id.name().split_once('.').unwrap_or(("", id.name()));
        if prefix != current {
            let blank = if current.is_empty() { "" } else { "\n" };
            let _ = writeln!(text, "{blank}[{prefix}]");
            current = prefix;
        }
        let shown = id.show(&known.value);
        // Bare where TOML has the type; a number beyond 64 bits has to be a string.
        let value = match (&known.value, id.fact_type()) {
            (Value::Word(word), FactType::Boolean) => (word == "ON").to_string(),
            (Value::Real(_), FactType::Number(Unit::Count)) if shown.contains('.') => shown,
            _ if shown.parse::<i64>().is_ok_and(|_| shown == "0" || !shown.starts_with('0')) => shown,
            _ => toml::Value::String(shown).to_string(),
        };
        let source: String = known.source.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let _ = writeln!(text, "{key} = {value}  # {source}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> (String, String) {
        let error = parse("facts.toml", text).expect_err("must be refused");
        (error.to_string(), text[error.span()].to_owned())
    }

    #[test]
    fn reads_what_a_person_writes() {
        let text = "[host]\nram = \"16G\"\ncpus = 4\n[disk]\nkind = \"nvme\"\ncapacity = \"1.6T\"\nendurance = \"12.25P\"\n\
                    fill = 0.75\nlifetime = \"5y\"\n[workload]\nload_size = \"10G\"\nshared = true\nredo_factor = 1.2\n";
        let facts = parse("facts.toml", text).expect("a good file");
        let value = |id| facts.value(id).known().cloned();
        assert_eq!(value(FactId::HostRam), Some(Value::Integer(17_179_869_184)));
        assert_eq!(value(FactId::DiskEndurance), Some(Value::Integer(12_250_000_000_000_000)));
        assert_eq!(value(FactId::DiskFill), Some(Value::Real(0.75)));
        assert_eq!(value(FactId::WorkloadShared), Some(Value::boolean(true)));
        assert_eq!(value(FactId::WorkloadRedoFactor), Some(Value::Real(1.2)));
        assert_eq!(facts.get(FactId::HostRam).map(|k| &k.source), Some(&FactSource::File("facts.toml".to_owned())));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        assert_eq!(
            error("[host]\nrma = \"16G\"\n"),
            ("there is no fact `host.rma`; did you mean `host.ram`?".to_owned(), "rma".to_owned())
        );
        assert_eq!(
            error("ram = \"16G\"\n"),
            ("there is no fact `ram`; did you mean `host.ram`?".to_owned(), "ram".to_owned())
        );
        assert_eq!(
            error("[disk]\nkind = \"sdd\"\n"),
            (
                "`disk.kind`: `sdd` is not one of hdd, ssd, nvme, network; did you mean `hdd`?".to_owned(),
                "\"sdd\"".to_owned()
            )
        );
        assert_eq!(error("[host]\nram = [1]\n").1, "[1]");
        assert!(error("[host\nram = 1\n").0.contains("unclosed table"));
        assert_eq!(error("[wurst]\n").1, "wurst");
    }

    fn any_fact() -> impl Strategy<Value = (FactId, Value<'static>)> {
        let id = (0..FactId::COUNT).prop_map(|index| FactId::ALL[index]);
        let inputs = (id, 0..u64::MAX, 0.0..1.0_f64, "[ -~]{0,8}x", any::<bool>());
        inputs.prop_map(|(id, whole, fraction, word, on)| {
            let value = match id.fact_type() {
                FactType::Number(Unit::Share) => Value::Real(fraction),
                FactType::Number(Unit::Years) => Value::Real(fraction * 100.0),
                FactType::Number(Unit::Count) if on => Value::Real(fraction + 0.5),
                FactType::Number(_) => Value::Integer(whole.into()),
                FactType::Word(words) => Value::Word(words[whole as usize % words.len()].into()),
                FactType::AnyWord => Value::Word(word.trim().to_owned().into()),
                FactType::Boolean => Value::boolean(on),
            };
            (id, value)
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back_the_same(known in proptest::collection::vec(any_fact(), 0..12), source in "\\PC*|.*\n.*") {
            let mut facts = Facts::default();
            for (id, value) in known {
                facts.set(id, value, FactSource::Detected(source.clone()));
            }
            let text = to_toml(&facts);
            let back = parse("x", &text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
            for id in FactId::ALL {
                prop_assert_eq!(facts.value(*id), back.value(*id), "{}", text);
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC*|(\\[?(host|disk|ram|fill)\\]?[ =.\"\n5%G]*){0,9}") {
            if let Err(error) = parse("x", &text) {
                prop_assert!(text.get(error.span()).is_some());
            }
        }
    }
}
