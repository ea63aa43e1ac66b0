//! One rule, one server, one set of settings and facts: an outcome.

use super::pack::{change, field};
use super::packed::{Rule, safety};
use crate::expr::{Environment, NameId, Truth, evaluate as value_of, evaluate_truth, render};
use crate::finding::{Safety, Severity};
use crate::server::Server;
use crate::value::Value;

/// What came of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation<'a> {
    /// The condition does not hold.
    Quiet,
    /// The rule is not about this server.
    Absent,
    /// Something is missing; the environment knows what it was asked for.
    Unknown,
    /// The condition holds.
    Hit(Hit<'a>),
}

/// What a rule that fires says.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit<'a> {
    /// How bad it is here.
    pub severity: Severity,
    /// What happens here, with the figures.
    pub message: String,
    /// What to do; `None` where the rule has no fix or a value for it is missing.
    pub fix: Option<FixPlan<'a>>,
    /// The rule that owns the fix when it fires too: this finding then carries none and names that rule.
    pub points_at: Option<&'a str>,
}

/// A fix by settings and targets, before anybody looks where they stand.
#[derive(Clone, Debug, PartialEq)]
pub struct FixPlan<'a> {
    /// Whether it may be applied without a second look.
    pub safety: Safety,
    /// What it does, in the rule's words, if the rule has any.
    pub text: Option<String>,
    /// What it changes.
    pub changes: Vec<PlannedChange<'a>>,
}

/// One planned change.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedChange<'a> {
    /// A setting gets a value; `None`: the option stands bare.
    SetSetting(NameId, Option<Value<'static>>),
    /// What a target (`redo`) means on this server gets a value; `None`: the target knows its own.
    SetTarget(&'a str, Option<Value<'static>>),
    /// All lines of a setting go.
    Remove(NameId),
    /// A line keeps its value under another option's name.
    Rename {
        /// The option as it is written.
        from: &'a str,
        /// The option to write.
        to: &'a str,
    },
}

/// Evaluates a rule.
///
/// The environment is asked for what the condition reads; on a hit, also for what severity, message and fix read. A check written
/// in Rust has no condition and is quiet here.
pub fn evaluate<'a>(rule: Rule<'a>, server: Server, environment: &mut dyn Environment) -> Evaluation<'a> {
    let condition = rule.field(field::CONDITION);
    if !rule.applies(server) {
        return Evaluation::Absent;
    }
    if condition == 0 || !may_hold(rule, environment) {
        return Evaluation::Quiet;
    }
    match evaluate_truth(rule.code(condition).unwrap_or_default(), rule.pool(), environment) {
        Truth::False => Evaluation::Quiet,
        Truth::Absent => Evaluation::Absent,
        Truth::Unknown => Evaluation::Unknown,
        Truth::True => Evaluation::Hit(Hit {
            severity: severity(rule, server, environment),
            message: render(rule.words_from(rule.field(field::MESSAGE)), rule.pool(), environment),
            fix: fix(rule, environment),
            points_at: rule.points_at(),
        }),
    }
}

/// Whether [`evaluate`] gives a hit or lacks something, which is all that anybody wants to know of most rules.
pub fn speaks(rule: Rule<'_>, server: Server, environment: &mut dyn Environment) -> bool {
    let condition = rule.field(field::CONDITION);
    condition != 0
        && may_hold(rule, environment)
        && rule.applies(server)
        && matches!(
            evaluate_truth(rule.code(condition).unwrap_or_default(), rule.pool(), environment),
            Truth::True | Truth::Unknown
        )
}

/// The prefilter: most rules are about something that stands in a file, and most files hold little.
fn may_hold(rule: Rule<'_>, environment: &mut dyn Environment) -> bool {
    let mut needed = rule.set_one_of().peekable();
    needed.peek().is_none() || needed.any(|name| environment.may_be_set(name))
}

fn severity(rule: Rule<'_>, server: Server, environment: &mut dyn Environment) -> Severity {
    let holds = |when, environment: &mut dyn Environment| evaluate_truth(when, rule.pool(), environment) == Truth::True;
    rule.severity_cases()
        .find(|case| case.applies(server) && case.when.is_none_or(|when| holds(when, environment)))
        .map_or(rule.severity(), |case| case.severity)
}

fn fix<'a>(rule: Rule<'a>, environment: &mut dyn Environment) -> Option<FixPlan<'a>> {
    let head = Some(rule.field(field::FIX)).filter(|head| *head != 0)?;
    let safety = safety(rule.word(head));
    let text = Some(rule.word(head + 1) as usize).filter(|text| *text != 0);
    let text = text.map(|text| render(rule.words_from(text), rule.pool(), environment));
    let count = rule.word(head + 2);
    let mut changes = Vec::with_capacity(count as usize);
    let mut at = head + 3;
    for _ in 0..count {
        let name = NameId(rule.word(at + 2));
        let mut value = || match rule.code(at + 4) {
            None => Some(None),
            Some(code) => value_of(code, rule.pool(), environment).known().map(|value| Some(whole(value))),
        };
        changes.push(match rule.word(at) {
            change::SET_SETTING => PlannedChange::SetSetting(name, value()?),
            change::SET_TARGET => PlannedChange::SetTarget(rule.text(at + 2), value()?),
            change::REMOVE => PlannedChange::Remove(name),
            _ => PlannedChange::Rename { from: rule.text(at + 2), to: rule.text(at + 4) },
        });
        at = rule.word(at + 1) as usize;
    }
    Some(FixPlan { safety, text, changes })
}

/// A real that is a whole number as one, since a file is to say 512M and not 536870912.0.
fn whole(value: Value<'static>) -> Value<'static> {
    match value {
        Value::Real(real) if real.fract() == 0.0 && real.abs() < 1e15 => Value::Integer(real as i128),
        other => other,
    }
}
