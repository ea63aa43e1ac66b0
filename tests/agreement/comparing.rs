//! What cnflint says beside what the server says.

use std::collections::{BTreeMap, HashMap, HashSet};

use cnflint::catalog::{Entry, OptionId};
use cnflint::checks::Reaction;
use cnflint::server::Server;
use cnflint::value::{Judgement, Kind, Outcome, Shape, Value, apply_flags};

use super::asking::{Answer, ask};
use super::choosing::{Manner, manner, options};
use super::expecting::Expected;
use super::explained::explanation;
use super::spellings::{Dice, lines};
use crate::servers::RealServer;

/// How much is asked.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The same seed asks the same questions.
    pub seed: u64,
    /// At most so many lines that the server should take; they are cheap.
    pub taken: usize,
    /// At most so many that it should refuse, each of which costs a call.
    pub refused: usize,
}

/// How many questions were asked, and every answer that cnflint had not foretold.
#[derive(Debug, Default)]
pub struct Agreement {
    /// Lines that were asked.
    pub asked: usize,
    /// Lines of which cnflint says that it does not know.
    pub unjudged: usize,
    /// Options that were asked about.
    pub options: usize,
    /// Every difference that nobody can explain, with its line.
    pub disagreements: Vec<String>,
    /// How many differences have each known reason.
    pub explained: BTreeMap<&'static str, usize>,
}

impl Agreement {
    /// Lines about which both say the same.
    pub fn agreed(&self) -> usize {
        self.asked - self.explained() - self.disagreements.len()
    }

    /// Lines about which they differ for a known reason.
    pub fn explained(&self) -> usize {
        self.explained.values().sum()
    }

    fn differ(&mut self, server: &RealServer, difference: Difference) {
        match explanation(server.name, &difference.option, &difference.what) {
            Some(reason) => *self.explained.entry(reason).or_default() += 1,
            None => self.disagreements.push(difference.text),
        }
    }
}

/// One line of which the server made something else.
#[derive(Debug)]
pub struct Difference {
    option: String,
    /// What the server did instead.
    pub what: String,
    text: String,
}

/// One line, and what cnflint makes of it.
#[derive(Clone, Debug)]
pub struct Question {
    /// The line of the option file.
    pub line: String,
    /// What cnflint makes of it.
    pub expected: Expected,
}

impl Question {
    /// The line, asked of cnflint.
    pub fn new(server: Server, line: String) -> Self {
        Self { expected: Expected::of(server, &line), line }
    }

    fn is_refused(&self) -> bool {
        let error = self
            .expected
            .reading
            .as_ref()
            .is_some_and(|reading| matches!(reading.judgement, Judgement::Refused { .. }));
        error || self.expected.reaction == Reaction::Refuses
    }

    /// The names by which the server may call it.
    fn names(&self) -> Vec<String> {
        let mut names = vec![self.expected.name.to_lowercase()];
        let mut rest = names[0].clone();
        while let Some(shorter) = ["loose_", "skip_", "disable_", "enable_", "maximum_", "autoset_"]
            .iter()
            .find_map(|prefix| rest.strip_prefix(prefix))
        {
            names.push(shorter.to_owned());
            rest = shorter.to_owned();
        }
        if let Some(entry) = &self.expected.entry {
            names.push(entry.id.name().to_owned());
            names.push(entry.variable.name().to_owned());
        }
        names
    }
}

/// Asks about every option of the catalog that this server is said to have.
pub fn compare(server: &RealServer, extent: Extent) -> Agreement {
    let mut dice = Dice::new(extent.seed);
    let mut agreement = Agreement::default();
    let options = options(server.server);
    agreement.options = options.len();
    let mut taken: Vec<Vec<Question>> = Vec::new();
    let mut refused = Vec::new();
    for entry in &options {
        let mut of_option = Vec::new();
        for line in lines(entry, server.server, &mut dice) {
            let question = Question::new(server.server, line);
            if !question.expected.is_judged() {
                agreement.unjudged += 1;
            } else if is_expensive(&question) {
                continue;
            } else if question.is_refused() {
                refused.push(question);
            } else {
                of_option.push(question);
            }
        }
        dice.shuffle(&mut of_option);
        taken.push(of_option);
    }
    let baseline = ask(server, &[]);
    let asking =
        Asking { server, defaults: baseline.values, noise: messages(&baseline.log).map(without_numbers).collect() };
    for question in varied(refused, &mut dice, extent.refused) {
        agreement.asked += 1;
        if let Some(difference) = asking.alone(&question) {
            agreement.differ(server, difference);
        }
    }
    for round in rounds(taken, extent.taken, &mut dice) {
        agreement.asked += round.len();
        let mut differences = Vec::new();
        asking.together(&round, &mut differences);
        for difference in differences {
            agreement.differ(server, difference);
        }
    }
    agreement
}

/// The servers allocate the key cache even when they are only asked for help: a terabyte takes half a minute.
fn is_expensive(question: &Question) -> bool {
    let bytes =
        question.expected.reading.as_ref().and_then(|reading| reading.value.as_ref()).and_then(Value::as_integer);
    question.expected.option() == Some(cnflint::catalog::id::KEY_BUFFER_SIZE) && bytes > Some(64 << 20)
}

/// At most so many questions: first one of every way to be refused, then at random.
fn varied(mut questions: Vec<Question>, dice: &mut Dice, most: usize) -> Vec<Question> {
    dice.shuffle(&mut questions);
    let mut seen = HashSet::new();
    questions.sort_by_cached_key(|question| {
        let value = question.line.split_once('=').map(|(_, value)| value.to_owned());
        let kind = question.expected.entry.as_ref().map(|entry| entry.shape.kind);
        !seen.insert((kind, value))
    });
    questions.truncate(most);
    questions
}

/// Files in which every variable stands once, together at most so many lines.
fn rounds(mut of_options: Vec<Vec<Question>>, most: usize, dice: &mut Dice) -> Vec<Vec<Question>> {
    let mut rounds: Vec<Vec<Question>> = Vec::new();
    let mut variables: Vec<HashSet<OptionId>> = Vec::new();
    let mut left = most;
    // Each of these costs a call.
    let mut left_alone = most / 50;
    while left > 0 && of_options.iter().any(|questions| !questions.is_empty()) {
        dice.shuffle(&mut of_options);
        for question in of_options.iter_mut().filter_map(Vec::pop) {
            if left == 0 {
                break;
            }
            let keys: Vec<_> = question.expected.entry.iter().flat_map(|entry| [entry.id, entry.variable]).collect();
            let alone = keys.iter().any(|key| manner(*key).0 != Manner::Together) || keys.is_empty();
            if alone && left_alone == 0 {
                continue;
            }
            left -= 1;
            left_alone -= usize::from(alone);
            let room = if alone {
                None
            } else {
                variables.iter().position(|taken| !taken.is_empty() && keys.iter().all(|key| !taken.contains(key)))
            };
            let at = room.unwrap_or_else(|| {
                rounds.push(Vec::new());
                variables.push(HashSet::new());
                rounds.len() - 1
            });
            rounds[at].push(question);
            if !alone {
                variables[at].extend(keys);
            }
        }
    }
    rounds
}

/// A server that is asked line by line.
pub struct Asking<'a> {
    server: &'a RealServer,
    defaults: HashMap<String, String>,
    /// What it says about an empty file.
    noise: HashSet<String>,
}

impl<'a> Asking<'a> {
    /// Hears first what the server says of an empty file.
    pub fn new(server: &'a RealServer) -> Self {
        let baseline = ask(server, &[]);
        Self { server, defaults: baseline.values, noise: messages(&baseline.log).map(without_numbers).collect() }
    }

    /// Asks about one line in a file of its own.
    pub fn alone(&self, question: &Question) -> Option<Difference> {
        let answer = ask(self.server, &[&question.line]);
        self.check(question, &answer, self.warnings(&answer).next().is_some())
    }

    /// Asks about many lines in one file. What differs is asked again alone: options depend on each other.
    fn together(&self, questions: &[Question], disagreements: &mut Vec<Difference>) {
        if let [question] = questions {
            disagreements.extend(self.alone(question));
            return;
        }
        let lines: Vec<_> = questions.iter().map(|question| question.line.as_str()).collect();
        let answer = ask(self.server, &lines);
        if answer.refused {
            let culprit = self.culprit(&answer, questions);
            let (left, right) = match culprit {
                Some(at) => {
                    disagreements.extend(self.alone(&questions[at]));
                    (questions[..at].iter().chain(&questions[at + 1..]).cloned().collect(), Vec::new())
                }
                None => {
                    let (left, right) = questions.split_at(questions.len() / 2);
                    (left.to_vec(), right.to_vec())
                }
            };
            self.together(&left, disagreements);
            if !right.is_empty() {
                self.together(&right, disagreements);
            }
            return;
        }
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (at, question) in questions.iter().enumerate() {
            names.extend(question.names().into_iter().map(|name| (name, at)));
        }
        let warned: HashSet<usize> = self.warnings(&answer).filter_map(|line| named(line, &names)).collect();
        for (at, question) in questions.iter().enumerate() {
            if self.check(question, &answer, warned.contains(&at)).is_some() {
                disagreements.extend(self.alone(question));
            }
        }
    }

    /// The question for which the server refuses, where it says so.
    fn culprit(&self, answer: &Answer, questions: &[Question]) -> Option<usize> {
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        for (at, question) in questions.iter().enumerate() {
            names.extend(question.names().into_iter().map(|name| (name, at)));
        }
        answer.log.lines().filter(|line| line.contains("[ERROR]")).find_map(|line| named(line, &names))
    }

    fn warnings<'b>(&'b self, answer: &'b Answer) -> impl Iterator<Item = &'b str> {
        messages(&answer.log)
            .filter(|line| line.contains("[Warning]") && !self.noise.contains(&without_numbers(line)))
            .filter(|line| !is_about_the_test(line))
    }

    fn check(&self, question: &Question, answer: &Answer, warned: bool) -> Option<Difference> {
        let differs = |what: String| Some(differs(question, answer, what));
        let expected = &question.expected;
        if question.is_refused() {
            let fatal = expected.reaction == Reaction::Refuses;
            return match (answer.refused, answer.stops) {
                (true, stops) if stops == fatal => None,
                // A bad value of an engine's option only disables the engine while the server is asked for help (MariaDB since 10.6).
                (true, false) if server_disables_plugin(answer) => None,
                (true, stops) => differs(format!("stops: {stops}")),
                (false, _) => differs(format!("not refused, {:?}", self.shown(question, answer))),
            };
        }
        if answer.refused {
            let by_prefix = expected.reading.is_none() && question.line.starts_with("autoset-");
            return differs(if by_prefix { "autoset- before a name that does nothing" } else { "refused" }.to_owned());
        }
        if let Some(wrong) = self.value_differs(question, answer).filter(|_| !stands_for_several(question)) {
            return differs(wrong);
        }
        let foretold = expected.reaction == Reaction::Warns;
        if warned != foretold { differs(if warned { "warned" } else { "did not warn" }.to_owned()) } else { None }
    }

    /// The value that the server shows for the option, and the default that it shows.
    fn shown<'b>(&'b self, question: &Question, answer: &'b Answer) -> Option<(&'b str, &'b str)> {
        let entry = question.expected.entry.as_ref()?;
        let name = shown_name(entry, answer)?;
        Some((&answer.values[name], self.defaults.get(name).map_or("", String::as_str)))
    }

    fn value_differs(&self, question: &Question, answer: &Answer) -> Option<String> {
        let entry = question.expected.entry.as_ref()?;
        let (actual, default) = self.shown(question, answer)?;
        let reading = question.expected.reading.as_ref()?;
        let setting = match &question.expected.setting {
            // It is about another instance than the one that is shown.
            Outcome::Absent if reading.value.is_some() => return None,
            Outcome::Known(value) if shown_name(entry, answer) != Some(entry.id.name()) => Some(value),
            _ => reading.value.as_ref(),
        };
        let agrees = match setting {
            None => actual == default,
            Some(Value::Set(changes)) if entry.shape.kind == Kind::FlagSet => {
                actual == apply_flags(default, default, changes) || default.is_empty() && actual == changes
            }
            Some(value) => same(value, actual, &entry.shape),
        };
        if !agrees && actual == default && matches!(setting, Some(Value::Text(text)) if text.is_empty()) {
            return Some("an empty text gave the default".to_owned());
        }
        (!agrees).then(|| format!("became {actual}"))
    }
}

/// A mode that stands for others is shown with them.
fn stands_for_several(question: &Question) -> bool {
    let combined = |modes: &str| modes.split(',').any(|mode| COMBINED_MODES.contains(&mode));
    let is_mode = question.expected.option() == Some(cnflint::catalog::id::SQL_MODE);
    is_mode && matches!(&question.expected.setting, Outcome::Known(Value::Set(modes)) if combined(modes))
}

const COMBINED_MODES: [&str; 9] =
    ["MYSQL323", "ANSI", "TRADITIONAL", "POSTGRESQL", "ORACLE", "MSSQL", "DB2", "MAXDB", "MYSQL40"];

/// Under which name the server shows the option: its own, or that of its variable.
fn shown_name(entry: &Entry, answer: &Answer) -> Option<&'static str> {
    [entry.id.name(), entry.variable.name()].into_iter().find(|name| answer.values.contains_key(*name))
}

/// What the server says about the machine and the way it is called here.
fn is_about_the_test(line: &str) -> bool {
    ["max_open_files", "Changed limits", "--secure-file-priv", "mysql.plugin", "Running mysqld as root"]
        .iter()
        .any(|noise| line.contains(noise))
}

fn server_disables_plugin(answer: &Answer) -> bool {
    answer.log.contains("Parsing options for plugin") && !answer.log.contains("'ndbcluster'")
}

fn messages(log: &str) -> impl Iterator<Item = &str> {
    log.lines().map(|line| line.find('[').map_or(line, |at| &line[at..]))
}

fn without_numbers(line: &str) -> String {
    line.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The first name in a message that is one of these.
fn named(line: &str, names: &BTreeMap<String, usize>) -> Option<usize> {
    let line = line.split_once(']').map_or(line, |(_, rest)| rest);
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.'));
    words
        .map(|word| word.trim_matches(['-', '.']).replace('-', "_").to_lowercase())
        .find_map(|word| names.get(&word).copied())
}

fn same(value: &Value<'_>, actual: &str, shape: &Shape<'_>) -> bool {
    match value {
        // MySQL 5.6 prints some 32-bit numbers as if they had a sign.
        Value::Integer(number) => actual.parse() == Ok(*number) || actual.parse() == Ok(*number - (1 << 32)),
        Value::Real(number) => actual.parse::<f64>().is_ok_and(|actual| (actual - number).abs() <= number.abs() * 1e-5),
        Value::Word(word) if word == "ON" => actual == "TRUE" || actual == "ON",
        Value::Word(word) if word == "OFF" => actual == "FALSE" || actual == "OFF",
        Value::Word(text) | Value::Set(text) => {
            text == actual || actual.parse().is_ok_and(|index| shape.words().nth(index) == Some(text))
        }
        // Paths are shown as the server completes them.
        Value::Text(_) if shape.kind == Kind::Path => true,
        Value::Text(bytes) if bytes.is_empty() => actual.is_empty() || actual == "(No default value)",
        Value::Text(bytes) => bytes.trim_ascii() == actual.as_bytes(),
        Value::None => actual.is_empty(),
    }
}

fn differs(question: &Question, answer: &Answer, what: String) -> Difference {
    let expected = &question.expected;
    let is_telling = |line: &&str| line.contains("[ERROR]") || line.contains("[Warning]") && !is_about_the_test(line);
    let log: Vec<_> = messages(&answer.log).filter(is_telling).take(2).collect();
    let text = format!(
        "{}: {what}; expected {:?} {:?} = {:?}; shape {:?}; log: {}",
        question.line,
        expected.reaction,
        expected.reading.as_ref().map(|reading| reading.judgement),
        expected.setting,
        expected.entry.as_ref().map(|entry| (entry.id, entry.shape)),
        log.join(" | ")
    );
    Difference { option: expected.option().map_or(String::new(), |id| id.name().to_owned()), what, text }
}
