//! What the library says beside what the server says.

use std::collections::HashMap;

use cnflint::value::{Effect, Judgement, Kind, Reading, Value, apply_flags, read};

use super::asking::{Answer, RealServer};
use super::options::KnownOption;
use super::spellings::{Dice, Spelling, of_shape};

/// How many questions were asked, and every answer that the library had not foretold.
#[derive(Default)]
pub struct Agreement {
    pub asked: usize,
    pub disagreements: Vec<String>,
}

struct Question<'a> {
    option: &'a KnownOption,
    spelling: Spelling,
    reading: Reading,
}

impl Question<'_> {
    fn line(&self) -> String {
        self.spelling.line(self.option.name)
    }

    fn is_refused(&self) -> bool {
        matches!(self.reading.judgement, Judgement::Refused { .. })
    }
}

/// Asks everything about these options. Values that should be accepted share files, one line an option; those that should be
/// refused stand alone, and of one spelling at most `alike` options of a kind are asked.
pub fn compare(server: &RealServer, options: &[KnownOption], seed: u64, alike: usize) -> Agreement {
    let mut dice = Dice::new(seed);
    let mut rounds: Vec<Vec<Question<'_>>> = Vec::new();
    let mut alone = Vec::new();
    let mut refused_alike: HashMap<(Kind, String), usize> = HashMap::new();
    for option in options {
        let mut round = 0;
        for spelling in of_shape(&option.shape, &mut dice) {
            let reading = read(&option.shape, server.server, spelling.written());
            let question = Question { option, spelling, reading };
            if question.reading.judgement == Judgement::NotJudged || is_expensive(&question) {
                continue;
            }
            if question.is_refused() {
                let like = (option.shape.kind, question.spelling.line("x"));
                let count = refused_alike.entry(like).or_default();
                *count += 1;
                if *count <= alike {
                    alone.push(question);
                }
                continue;
            }
            if rounds.len() == round {
                rounds.push(Vec::new());
            }
            rounds[round].push(question);
            round += 1;
        }
    }
    let defaults = server.ask(&[]).values;
    let mut agreement = Agreement::default();
    for round in &rounds {
        ask_together(server, round, &defaults, &mut agreement);
    }
    for question in &alone {
        agreement.asked += 1;
        let answer = server.ask(&[question.line()]);
        let Judgement::Refused { fatal, .. } = question.reading.judgement else { continue };
        if !answer.refused || answer.stops != fatal && !is_plugin(question.option) {
            agreement.disagreements.push(differs(question, &answer, "not refused so"));
        }
    }
    agreement
}

/// The servers allocate the key cache even when they are only asked for help: a terabyte takes half a minute.
fn is_expensive(question: &Question<'_>) -> bool {
    let bytes = question.reading.value.as_ref().and_then(Value::as_integer);
    question.option.name == "key_buffer_size" && bytes > Some(64 << 20)
}

/// A bad value of an engine's option only disables the engine while the server is asked for help (MariaDB since 10.6).
fn is_plugin(option: &KnownOption) -> bool {
    option.name.starts_with("innodb_")
}

/// Halves a refused file until the culprit stands alone.
fn ask_together(
    server: &RealServer,
    questions: &[Question<'_>],
    defaults: &HashMap<String, String>,
    agreement: &mut Agreement,
) {
    let lines: Vec<_> = questions.iter().map(Question::line).collect();
    let answer = server.ask(&lines);
    if !answer.refused {
        agreement.asked += questions.len();
        for question in questions {
            agreement.disagreements.extend(check(question, &answer, defaults));
        }
    } else if let [question] = questions {
        agreement.asked += 1;
        agreement.disagreements.push(differs(question, &answer, "refused"));
    } else {
        let (left, right) = questions.split_at(questions.len() / 2);
        ask_together(server, left, defaults, agreement);
        ask_together(server, right, defaults, agreement);
    }
}

fn check(question: &Question<'_>, answer: &Answer, defaults: &HashMap<String, String>) -> Option<String> {
    let name = question.option.name;
    let Some(actual) = answer.values.get(name) else {
        return Some(format!("{}: the server shows no value", question.line()));
    };
    let default = defaults.get(name).map_or("", String::as_str);
    let agrees = match &question.reading.value {
        None => actual == default,
        Some(Value::Set(changes)) if question.option.shape.kind == Kind::FlagSet => {
            *actual == apply_flags(default, default, changes)
        }
        Some(value) => same(value, actual),
    };
    if !agrees && !hides_value(question) {
        return Some(differs(question, answer, &format!("became {actual}")));
    }
    let warned = answer.log.lines().any(|line| is_warning_about(line, name));
    let foretold = match question.reading.judgement {
        Judgement::Adjusted { warns, .. } | Judgement::Misread { warns, .. } | Judgement::DefaultKept { warns } => {
            warns
        }
        _ => false,
    };
    (warned != foretold).then(|| differs(question, answer, if warned { "warned" } else { "did not warn" }))
}

/// Options whose value as shown by `--help --verbose` is not the one that was read.
fn hides_value(question: &Question<'_>) -> bool {
    // A mode that stands for others is shown with them.
    let combined = |text: &str| text.split(',').any(|mode| COMBINED_MODES.contains(&mode));
    matches!(&question.reading.value, Some(Value::Set(modes)) if question.option.name == "sql_mode" && combined(modes))
}

const COMBINED_MODES: [&str; 9] =
    ["MYSQL323", "ANSI", "TRADITIONAL", "POSTGRESQL", "ORACLE", "MSSQL", "DB2", "MAXDB", "MYSQL40"];

fn same(value: &Value<'_>, actual: &str) -> bool {
    match value {
        // MySQL 5.6 prints some 32-bit numbers as if they had a sign.
        Value::Integer(number) => actual.parse() == Ok(*number) || actual.parse() == Ok(*number - (1 << 32)),
        Value::Real(number) => actual.parse::<f64>().is_ok_and(|actual| (actual - number).abs() <= number.abs() * 1e-5),
        Value::Word(word) if word == "ON" => actual == "TRUE" || actual == "ON",
        Value::Word(word) if word == "OFF" => actual == "FALSE" || actual == "OFF",
        Value::Word(text) | Value::Set(text) => text == actual,
        Value::Text(bytes) if bytes.is_empty() => actual.is_empty() || actual == "(No default value)",
        Value::Text(bytes) => bytes.trim_ascii() == actual.as_bytes(),
        Value::None => actual.is_empty(),
    }
}

fn is_warning_about(line: &str, name: &str) -> bool {
    let line = line.replace('-', "_");
    let names = [format!("'{name}'"), format!("'__{name}'")].iter().any(|quoted| line.contains(quoted));
    let kinds = ["adjusted to", "Set to OFF", "due to invalid value"];
    names && kinds.iter().any(|kind| line.contains(kind))
}

fn differs(question: &Question<'_>, answer: &Answer, what: &str) -> String {
    let relevant = |line: &&str| line.contains("[ERROR]") || is_warning_about(line, question.option.name);
    let log = answer.log.lines().find(relevant).unwrap_or_default();
    let effect = if question.spelling.effect == Effect::None { "" } else { " (prefix)" };
    format!("{}{effect}: {what}; expected {:?}; log: {log}", question.line(), question.reading)
}
