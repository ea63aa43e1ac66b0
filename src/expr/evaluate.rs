//! Code words to a value or a truth, without allocating.
//!
//! A condition has four outcomes. *Unknown* follows Kleene: `and` is false when one side is, `or` is true when one side is, whatever
//! the other. *Absent* (the server has no such option) is weaker than that decision and stronger than *unknown*: a condition that
//! cannot be decided without the option does not apply. Arithmetic that overflows or divides by zero is *unknown*.

use super::code::Operation;
use super::{Environment, NameId};
use crate::value::{Outcome, Value};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The outcome of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// Something is missing that decides it.
    Unknown,
    /// It asks for an option that the server does not have.
    Absent,
}

impl Truth {
    /// Both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::Absent, _) | (_, Self::Absent) => Self::Absent,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::True, Self::True) => Self::True,
        }
    }

    /// At least one.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        self.negated().and(other.negated()).negated()
    }

    /// The other one.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown | Self::Absent => self,
        }
    }

    const fn of(truth: bool) -> Self {
        if truth { Self::True } else { Self::False }
    }
}

impl From<Outcome<bool>> for Truth {
    fn from(outcome: Outcome<bool>) -> Self {
        match outcome {
            Outcome::Known(truth) => Self::of(truth),
            Outcome::Unknown => Self::Unknown,
            Outcome::Absent => Self::Absent,
        }
    }
}

/// The outcome of a condition's code.
pub fn evaluate_truth(words: &[u32], pool: &str, environment: &mut dyn Environment) -> Truth {
    Machine { words, pool, at: 0, environment }.truth()
}

/// The value of an expression's code.
pub fn evaluate(words: &[u32], pool: &str, environment: &mut dyn Environment) -> Outcome<Value<'static>> {
    Machine { words, pool, at: 0, environment }.value().map(Value::into_owned)
}

/// A number in either of its forms.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(i128),
    Real(f64),
}

struct Machine<'p, 'e> {
    words: &'p [u32],
    pool: &'p str,
    at: usize,
    environment: &'e mut dyn Environment,
}

impl<'p> Machine<'p, '_> {
    fn next(&mut self) -> u32 {
        let word = self.words.get(self.at).copied();
        self.at += 1;
        // Beyond the end lies nothing; all bits set is no operation, so that a cut table gives unknowns.
        word.unwrap_or(u32::MAX)
    }

    fn name(&mut self) -> NameId {
        NameId(self.next())
    }

    fn truth(&mut self) -> Truth {
        let word = self.next();
        let operand = (word >> 8) as usize;
        let Some(operation) = Operation::of(word) else { return Truth::Unknown };
        match operation {
            Operation::IsSet => {
                let name = self.name();
                self.environment.is_set(name).into()
            }
            Operation::Exists => {
                let name = self.name();
                self.environment.exists(name).into()
            }
            Operation::Not => self.truth().negated(),
            Operation::And => match self.truth() {
                Truth::False => self.jump(operand, Truth::False),
                left => left.and(self.truth()),
            },
            Operation::Or => match self.truth() {
                Truth::True => self.jump(operand, Truth::True),
                left => left.or(self.truth()),
            },
            Operation::Surely => {
                self.environment.enter_surely();
                let truth = self.truth();
                self.environment.leave_surely();
                Truth::of(truth == Truth::True)
            }
            Operation::OneOf => (0..operand).fold(Truth::False, |found, _| found.or(self.truth())),
            Operation::SameWord => self.texts(|a, b| bytes(a).eq_ignore_ascii_case(&bytes(b))),
            Operation::SameText => self.texts(same_text),
            Operation::Contains => self.texts(|set, member| {
                let member = bytes(member);
                bytes(set).split(|byte| *byte == b',').any(|one| one.trim_ascii().eq_ignore_ascii_case(&member))
            }),
            Operation::Equal => self.comparison(|order| order == Ordering::Equal),
            Operation::NotEqual => self.comparison(|order| order != Ordering::Equal),
            Operation::Less => self.comparison(Ordering::is_lt),
            Operation::AtMost => self.comparison(Ordering::is_le),
            Operation::More => self.comparison(Ordering::is_gt),
            Operation::AtLeast => self.comparison(Ordering::is_ge),
            _ => Truth::Unknown,
        }
    }

    fn jump(&mut self, words: usize, truth: Truth) -> Truth {
        self.at += words;
        truth
    }

    fn texts(&mut self, test: impl Fn(&Value<'_>, &Value<'_>) -> bool) -> Truth {
        let (left, right) = (self.value(), self.value());
        both(left, right).map(|(left, right)| test(&left, &right)).into()
    }

    fn comparison(&mut self, test: impl Fn(Ordering) -> bool) -> Truth {
        let (left, right) = (self.number(), self.number());
        both(left, right)
            .and_then(|(left, right)| compare(left, right).map_or(Outcome::Unknown, Outcome::Known))
            .map(test)
            .into()
    }

    fn value(&mut self) -> Outcome<Value<'p>> {
        match self.words.get(self.at).copied().and_then(Operation::of) {
            Some(Operation::Load) => {
                self.at += 1;
                let name = self.name();
                self.environment.value(name)
            }
            Some(operation @ (Operation::Word | Operation::Text)) => {
                let length = (self.next() >> 8) as usize;
                let offset = self.next() as usize;
                match self.pool.get(offset..offset + length) {
                    Some(text) if operation == Operation::Word => Outcome::Known(Value::Word(Cow::Borrowed(text))),
                    Some(text) => Outcome::Known(Value::Text(Cow::Borrowed(text.as_bytes()))),
                    None => Outcome::Unknown,
                }
            }
            _ => self.number().map(|number| match number {
                Number::Integer(number) => Value::Integer(number),
                Number::Real(number) => Value::Real(number),
            }),
        }
    }

    fn number(&mut self) -> Outcome<Number> {
        let word = self.next();
        let operand = (word >> 8) as usize;
        let Some(operation) = Operation::of(word) else { return Outcome::Unknown };
        match operation {
            Operation::Small => Outcome::Known(Number::Integer(operand as i128)),
            Operation::Integer => {
                let bits = (0..4).fold(0u128, |bits, part| bits | u128::from(self.next()) << (32 * part));
                Outcome::Known(Number::Integer(bits as i128))
            }
            Operation::Real => {
                let low = u64::from(self.next());
                Outcome::Known(Number::Real(f64::from_bits(low | u64::from(self.next()) << 32)))
            }
            Operation::Load => {
                let name = self.name();
                self.environment.value(name).and_then(|value| match value {
                    Value::Integer(number) => Outcome::Known(Number::Integer(number)),
                    Value::Real(number) => Outcome::Known(Number::Real(number)),
                    // A number that the server leaves empty limits and sizes nothing.
                    Value::None => Outcome::Absent,
                    Value::Word(_) | Value::Set(_) | Value::Text(_) => Outcome::Unknown,
                })
            }
            Operation::Negate => self.number().and_then(|number| match number {
                Number::Integer(number) => integer(number.checked_neg()),
                Number::Real(number) => real(-number),
            }),
            Operation::Abs => self.number().and_then(|number| match number {
                Number::Integer(number) => integer(number.checked_abs()),
                Number::Real(number) => real(number.abs()),
            }),
            Operation::Add => self.arithmetic(i128::checked_add, |a, b| a + b),
            Operation::Subtract => self.arithmetic(i128::checked_sub, |a, b| a - b),
            Operation::Multiply => self.arithmetic(i128::checked_mul, |a, b| a * b),
            Operation::Divide => {
                let (left, right) = (self.number(), self.number());
                both(left, right).and_then(|(left, right)| divide(left, right))
            }
            Operation::RoundDown => {
                let (number, block) = (self.number(), self.number());
                both(number, block).and_then(|(number, block)| round_down(number, block))
            }
            Operation::Min => self.extreme(operand, Ordering::Less),
            Operation::Max => self.extreme(operand, Ordering::Greater),
            _ => Outcome::Unknown,
        }
    }

    fn arithmetic(
        &mut self,
        whole: impl Fn(i128, i128) -> Option<i128>,
        fraction: impl Fn(f64, f64) -> f64,
    ) -> Outcome<Number> {
        let (left, right) = (self.number(), self.number());
        both(left, right).and_then(|pair| match pair {
            (Number::Integer(left), Number::Integer(right)) => integer(whole(left, right)),
            (left, right) => real(fraction(left.as_real(), right.as_real())),
        })
    }

    fn extreme(&mut self, count: usize, wanted: Ordering) -> Outcome<Number> {
        let mut best = self.number();
        for _ in 1..count {
            let other = self.number();
            best = both(best, other).and_then(|(best, other)| match compare(other, best) {
                Some(order) => Outcome::Known(if order == wanted { other } else { best }),
                None => Outcome::Unknown,
            });
        }
        best
    }
}

impl Number {
    fn as_real(self) -> f64 {
        match self {
            Self::Integer(number) => number as f64,
            Self::Real(number) => number,
        }
    }
}

fn both<A, B>(left: Outcome<A>, right: Outcome<B>) -> Outcome<(A, B)> {
    match (left, right) {
        (Outcome::Absent, _) | (_, Outcome::Absent) => Outcome::Absent,
        (Outcome::Unknown, _) | (_, Outcome::Unknown) => Outcome::Unknown,
        (Outcome::Known(left), Outcome::Known(right)) => Outcome::Known((left, right)),
    }
}

fn integer(number: Option<i128>) -> Outcome<Number> {
    number.map_or(Outcome::Unknown, |number| Outcome::Known(Number::Integer(number)))
}

fn real(number: f64) -> Outcome<Number> {
    if number.is_finite() { Outcome::Known(Number::Real(number)) } else { Outcome::Unknown }
}

/// A whole number where the division leaves nothing over, else a fraction.
fn divide(left: Number, right: Number) -> Outcome<Number> {
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) if left.checked_rem(right) == Some(0) => {
            integer(left.checked_div(right))
        }
        (left, right) => real(left.as_real() / right.as_real()),
    }
}

fn round_down(number: Number, block: Number) -> Outcome<Number> {
    match (number, block) {
        (Number::Integer(number), Number::Integer(block)) if block > 0 => {
            integer(number.checked_sub(number.rem_euclid(block)))
        }
        // Every real of this size is a whole number that fits.
        (Number::Real(number), Number::Integer(_)) if number.abs() < 1e38 => {
            round_down(Number::Integer(number.floor() as i128), block)
        }
        (number, Number::Real(block)) if block > 0.0 => real((number.as_real() / block).floor() * block),
        _ => Outcome::Unknown,
    }
}

/// Compares without rounding a whole number to the precision of a real.
fn compare(left: Number, right: Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => Some(left.cmp(&right)),
        (Number::Real(left), Number::Real(right)) => left.partial_cmp(&right),
        (Number::Integer(_), Number::Real(_)) => compare(right, left).map(Ordering::reverse),
        (Number::Real(left), Number::Integer(right)) => {
            if left.is_nan() {
                return None;
            }
            // The conversion saturates, which keeps the order for everything an integer can be.
            let whole = left.floor();
            Some((whole as i128).cmp(&right).then(if left > whole { Ordering::Greater } else { Ordering::Equal }))
        }
    }
}

/// A text is never a word of the server's own, however it is spelled.
fn same_text(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Word(_), Value::Text(text)) | (Value::Text(text), Value::Word(_)) if !text.is_empty() => false,
        (Value::Word(a), Value::Word(b)) => a.eq_ignore_ascii_case(b),
        (left, right) => bytes(left) == bytes(right),
    }
}

/// The bytes of a value in a comparison of words or texts; no value at all is the empty text.
fn bytes<'v>(value: &'v Value<'_>) -> Cow<'v, [u8]> {
    match value {
        Value::Word(text) | Value::Set(text) => Cow::Borrowed(text.as_bytes()),
        Value::Text(text) => Cow::Borrowed(text),
        Value::None => Cow::Borrowed(b""),
        Value::Integer(number) => Cow::Owned(number.to_string().into_bytes()),
        Value::Real(number) => Cow::Owned(number.to_string().into_bytes()),
    }
}
