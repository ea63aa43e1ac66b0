//! A tree to a checked tree: every name looked up, every part with its type.

use super::error::{ExprError, ExprErrorKind, nearest};
use super::parser::{Operator, Tree, TreeKind};
use super::{Name, NameId, Names, Type};
use crate::value::Unit;
use std::ops::Range;

/// A part of an expression that has a meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What it does.
    pub node: Node,
    /// What it gives.
    pub value_type: Type,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// What a checked part does.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A whole number.
    Integer(i128),
    /// A number with a fraction.
    Real(f64),
    /// A bare word.
    Word(String),
    /// A word or text in quotes.
    Text(String),
    /// The value of a name.
    Load(NameId),
    /// Whether a setting is written somewhere.
    IsSet(NameId),
    /// Whether the server has the option.
    Exists(NameId),
    /// The other truth.
    Not(Box<Checked>),
    /// The number with the other sign.
    Negate(Box<Checked>),
    /// `and`, `or`, arithmetic, or a comparison of numbers.
    Binary(Operator, Box<Checked>, Box<Checked>),
    /// Whether two words or texts are the same: words whatever their case, texts byte for byte. A bare word is the server's own
    /// (`log_bin == OFF`), never a text that happens to be spelled so (`log_bin = OFF` names a file).
    Same {
        /// Whether upper and lower case differ.
        exact: bool,
        /// One side.
        left: Box<Checked>,
        /// The other side.
        right: Box<Checked>,
    },
    /// Whether the first is one of the others.
    OneOf(Vec<Checked>),
    /// Whether a set holds a member.
    Contains(Box<Checked>, Box<Checked>),
    /// True when the condition is known to be true, else false.
    Surely(Box<Checked>),
    /// The smallest of some numbers.
    Min(Vec<Checked>),
    /// The largest of some numbers.
    Max(Vec<Checked>),
    /// The largest multiple of the second number that is not above the first.
    RoundDown(Box<Checked>, Box<Checked>),
    /// A number without its sign.
    Abs(Box<Checked>),
}

impl Checked {
    /// Every name that the part reads, asks to be set or asks to exist, in order of appearance.
    pub fn names(&self) -> Vec<NameId> {
        let mut names = Vec::new();
        self.visit(&mut |node| {
            if let Node::Load(id) | Node::IsSet(id) | Node::Exists(id) = node
                && !names.contains(id)
            {
                names.push(*id);
            }
        });
        names
    }

    /// Calls a function for this node and every node below it.
    pub fn visit(&self, f: &mut impl FnMut(&Node)) {
        f(&self.node);
        for child in self.node.children() {
            child.visit(f);
        }
    }
}

impl Node {
    /// The parts that this one is made of.
    pub fn children(&self) -> Vec<&Checked> {
        match self {
            Self::Integer(_)
            | Self::Real(_)
            | Self::Word(_)
            | Self::Text(_)
            | Self::Load(_)
            | Self::IsSet(_)
            | Self::Exists(_) => Vec::new(),
            Self::Not(inner) | Self::Negate(inner) | Self::Surely(inner) | Self::Abs(inner) => vec![inner],
            Self::Binary(_, left, right)
            | Self::Same { left, right, .. }
            | Self::Contains(left, right)
            | Self::RoundDown(left, right) => vec![left, right],
            Self::OneOf(items) | Self::Min(items) | Self::Max(items) => items.iter().collect(),
        }
    }
}

/// What an expression is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A rule's condition.
    Condition,
    /// A value of this type: what a fix gives to a setting.
    Value(Type),
    /// A value of any type but a condition: a figure in a message.
    AnyValue,
}

/// Gives every part of a tree its type and looks every name up.
///
/// # Errors
/// Everything that is wrong, in the order of the text.
pub fn check(tree: &Tree<'_>, expected: Expected, names: &dyn Names) -> Result<Checked, Vec<ExprError>> {
    let mut checker = Checker { names, errors: Vec::new(), excusing: 0 };
    let wanted = match expected {
        Expected::Value(wanted) => Some(wanted),
        Expected::Condition | Expected::AnyValue => None,
    };
    let checked = match expected {
        Expected::Condition => checker.truth(tree),
        Expected::AnyValue | Expected::Value(_) => checker.value(tree, wanted),
    };
    match checked {
        Some(checked) if checker.errors.is_empty() => Ok(checked),
        _ => {
            // A list test checks its left side once for each member.
            checker.errors.dedup();
            Err(checker.errors)
        }
    }
}

const FUNCTIONS: [&str; 8] = ["set", "exists", "surely", "contains", "min", "max", "round_down", "abs"];

struct Checker<'n> {
    names: &'n dyn Names,
    errors: Vec<ExprError>,
    /// How many `surely(…)` stand around the part being checked.
    excusing: usize,
}

impl Checker<'_> {
    fn refuse<T>(&mut self, error: ExprError) -> Option<T> {
        self.errors.push(error);
        None
    }

    fn fault<T>(&mut self, span: &Range<usize>, kind: ExprErrorKind) -> Option<T> {
        self.refuse(ExprError::new(span.clone(), kind))
    }

    fn truth(&mut self, tree: &Tree<'_>) -> Option<Checked> {
        let checked = self.part(tree)?;
        if checked.value_type == Type::Truth {
            return Some(checked);
        }
        let error = ExprError::new(
            tree.span.clone(),
            ExprErrorKind::Type { expected: "a condition", found: checked.value_type },
        );
        self.refuse(match (&tree.kind, checked.value_type) {
            (TreeKind::Name(name), Type::Word) => error.with_help(format!("write `{name} == ON`")),
            (TreeKind::Name(name), Type::Number(_)) => error.with_help(format!("write `{name} > 0`")),
            _ => error,
        })
    }

    fn value(&mut self, tree: &Tree<'_>, wanted: Option<Type>) -> Option<Checked> {
        let checked = self.part(tree)?;
        let found = checked.value_type;
        let fits = match (wanted, found) {
            (_, Type::Truth) => false,
            (None, _) => true,
            (Some(Type::Number(wanted)), Type::Number(found)) => common_unit(wanted, found).is_some(),
            // A quoted literal is whatever it has to be.
            (Some(Type::Text | Type::Set), Type::Word) => matches!(tree.kind, TreeKind::Word(_) | TreeKind::Quoted(_)),
            (Some(Type::Word), Type::Text) => true,
            (Some(wanted), found) => wanted == found,
        };
        let expected = match wanted {
            None => "a value",
            Some(Type::Number(_)) => "a number",
            Some(Type::Word) => "a word",
            Some(Type::Text) => "a text",
            Some(Type::Set) => "a set",
            Some(Type::Truth) => "a condition",
        };
        match wanted {
            Some(Type::Word | Type::Set) if fits => Some(match checked.node {
                Node::Text(word) => Checked { node: Node::Word(word), ..checked },
                node => Checked { node, ..checked },
            }),
            _ if fits => Some(checked),
            Some(wanted @ Type::Number(_)) if matches!(found, Type::Number(_)) => {
                self.fault(&tree.span, ExprErrorKind::Units { left: wanted, right: found })
            }
            _ => self.fault(&tree.span, ExprErrorKind::Type { expected, found }),
        }
    }

    fn number(&mut self, tree: &Tree<'_>) -> Option<(Checked, Unit)> {
        let checked = self.part(tree)?;
        match checked.value_type {
            Type::Number(unit) => Some((checked, unit)),
            found => self.fault(&tree.span, ExprErrorKind::Type { expected: "a number", found }),
        }
    }

    fn part(&mut self, tree: &Tree<'_>) -> Option<Checked> {
        let (node, value_type) = match &tree.kind {
            TreeKind::Integer(number, unit) => (Node::Integer(*number), Type::Number(*unit)),
            TreeKind::Real(number, unit) => (Node::Real(*number), Type::Number(*unit)),
            TreeKind::Word(word) => (Node::Word((*word).to_owned()), Type::Word),
            TreeKind::Quoted(text) => (Node::Text((*text).to_owned()), Type::Word),
            TreeKind::Name(name) => {
                let found = self.lookup(name, &tree.span)?;
                if found.only_excuses && self.excusing == 0 {
                    let error = ExprError::new(tree.span.clone(), ExprErrorKind::OnlyExcuses((*name).to_owned()));
                    return self.refuse(error.with_help(format!("write `not surely({name} == …)`")));
                }
                (Node::Load(found.id), found.value_type)
            }
            TreeKind::Not(inner) => (Node::Not(Box::new(self.truth(inner)?)), Type::Truth),
            TreeKind::Negate(inner) => {
                let (inner, unit) = self.number(inner)?;
                (Node::Negate(Box::new(inner)), Type::Number(unit))
            }
            TreeKind::Binary(operator, left, right) => return self.binary(*operator, left, right, &tree.span),
            TreeKind::In(needle, items) => return self.one_of(needle, items, &tree.span),
            TreeKind::Call(function, span, arguments) => return self.call(function, span, arguments, &tree.span),
        };
        Some(Checked { node, value_type, span: tree.span.clone() })
    }

    fn lookup(&mut self, name: &str, span: &Range<usize>) -> Option<Name> {
        if let Some(found) = self.names.lookup(name) {
            return Some(found);
        }
        let error = ExprError::new(span.clone(), ExprErrorKind::UnknownName(name.to_owned()));
        self.refuse(match self.names.similar(name) {
            _ if name == "on" || name == "off" => {
                error.with_help(format!("words are upper case or in quotes: `{}`", name.to_uppercase()))
            }
            Some(similar) => error.with_help(format!("did you mean `{similar}`?")),
            None => error.with_help(format!("words are upper case or in quotes: `'{name}'`")),
        })
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Tree<'_>,
        right: &Tree<'_>,
        span: &Range<usize>,
    ) -> Option<Checked> {
        match operator {
            Operator::And | Operator::Or => {
                let (left, right) = (self.truth(left), self.truth(right));
                Some(binary(operator, left?, right?, Type::Truth))
            }
            Operator::Equal | Operator::NotEqual => self.equality(operator, left, right, span),
            Operator::Less | Operator::AtMost | Operator::More | Operator::AtLeast => {
                let (first, second) = (self.part(left), self.part(right));
                let (first, second) = (first?, second?);
                let pair = (first.value_type, second.value_type);
                match pair {
                    (Type::Number(a), Type::Number(b)) if common_unit(a, b).is_some() => {
                        Some(binary(operator, first, second, Type::Truth))
                    }
                    (Type::Number(_), Type::Number(_)) => {
                        self.fault(span, ExprErrorKind::Units { left: pair.0, right: pair.1 })
                    }
                    (Type::Number(_), other) | (other, _) => self.fault(span, ExprErrorKind::NoOrder(other)),
                }
            }
            Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide => {
                let (first, second) = (self.number(left), self.number(right));
                let ((first, a), (second, b)) = (first?, second?);
                let unit = match operator {
                    Operator::Multiply => product(a, b),
                    Operator::Divide => quotient(a, b),
                    _ => common_unit(a, b),
                };
                let Some(unit) = unit else {
                    let (left, right) = (Type::Number(a), Type::Number(b));
                    return self.fault(span, ExprErrorKind::Units { left, right });
                };
                Some(binary(operator, first, second, Type::Number(unit)))
            }
        }
    }

    fn equality(
        &mut self,
        operator: Operator,
        left: &Tree<'_>,
        right: &Tree<'_>,
        span: &Range<usize>,
    ) -> Option<Checked> {
        let (first, second) = (self.part(left), self.part(right));
        let (first, second) = (first?, second?);
        let pair = (first.value_type, second.value_type);
        if let (Type::Number(a), Type::Number(b)) = pair {
            return match common_unit(a, b) {
                Some(_) => Some(binary(operator, first, second, Type::Truth)),
                None => self.fault(span, ExprErrorKind::Units { left: pair.0, right: pair.1 }),
            };
        }
        let is_text = |found| matches!(found, Type::Word | Type::Text);
        let empties = |tree: &Tree<'_>| tree.kind == TreeKind::Quoted("");
        let comparable = match pair {
            (a, b) if is_text(a) && is_text(b) => true,
            (Type::Set, Type::Word) => empties(right),
            (Type::Word, Type::Set) => empties(left),
            _ => false,
        };
        if !comparable {
            let error = ExprError::new(span.clone(), ExprErrorKind::Incomparable { left: pair.0, right: pair.1 });
            return self.refuse(match pair {
                (Type::Set, _) | (_, Type::Set) => error.with_help("ask a set with `contains(set, MEMBER)`"),
                _ => error,
            });
        }
        self.member(&first.node, left, right);
        self.member(&second.node, right, left);
        let exact = pair.0 == Type::Text || pair.1 == Type::Text;
        let same = Node::Same { exact, left: Box::new(first), right: Box::new(second) };
        let same = Checked { node: same, value_type: Type::Truth, span: span.clone() };
        Some(match operator {
            Operator::NotEqual => {
                Checked { node: Node::Not(Box::new(same)), value_type: Type::Truth, span: span.clone() }
            }
            _ => same,
        })
    }

    /// Refuses a literal that the name beside it can never hold.
    fn member(&mut self, node: &Node, name: &Tree<'_>, literal: &Tree<'_>) {
        let (Node::Load(id), TreeKind::Name(name), TreeKind::Word(word) | TreeKind::Quoted(word)) =
            (node, &name.kind, &literal.kind)
        else {
            return;
        };
        let Some(members) = self.names.members(*id) else { return };
        if word.is_empty() || members.iter().any(|member| member.eq_ignore_ascii_case(word)) {
            return;
        }
        let kind = ExprErrorKind::NotAMember { name: (*name).to_owned(), word: (*word).to_owned() };
        let error = ExprError::new(literal.span.clone(), kind);
        let error = match nearest(word, members.iter().map(String::as_str)) {
            Some(member) => error.with_help(format!("did you mean `{member}`?")),
            None => error.with_help(format!("it is one of {}", members.join(", "))),
        };
        self.errors.push(error);
    }

    fn one_of(&mut self, needle: &Tree<'_>, items: &[Tree<'_>], span: &Range<usize>) -> Option<Checked> {
        if items.is_empty() {
            return self
                .fault(span, ExprErrorKind::Unexpected { expected: "something in the list", found: "`[]`".into() });
        }
        let tests: Vec<_> = items
            .iter()
            .map(|item| self.equality(Operator::Equal, needle, item, &item.span))
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<Option<_>>()?;
        Some(Checked { node: Node::OneOf(tests), value_type: Type::Truth, span: span.clone() })
    }

    fn call(
        &mut self,
        function: &str,
        name: &Range<usize>,
        arguments: &[Tree<'_>],
        span: &Range<usize>,
    ) -> Option<Checked> {
        let (node, value_type) = match (function, arguments) {
            ("set" | "exists", [argument]) => {
                let TreeKind::Name(setting) = argument.kind else {
                    let found = "something else".to_owned();
                    return self
                        .fault(&argument.span, ExprErrorKind::Unexpected { expected: "the name of a setting", found });
                };
                let found = self.lookup(setting, &argument.span)?;
                if !found.is_setting {
                    return self.fault(&argument.span, ExprErrorKind::NotASetting(setting.to_owned()));
                }
                let node = if function == "set" { Node::IsSet(found.id) } else { Node::Exists(found.id) };
                (node, Type::Truth)
            }
            ("surely", [argument]) => {
                self.excusing += 1;
                let inner = self.truth(argument);
                self.excusing -= 1;
                (Node::Surely(Box::new(inner?)), Type::Truth)
            }
            ("contains", [set, member]) => {
                let (checked, literal) = (self.part(set), self.part(member));
                let (checked, literal) = (checked?, literal?);
                // Some servers keep a list as a text with commas.
                if !matches!(checked.value_type, Type::Set | Type::Text) {
                    let found = checked.value_type;
                    return self.fault(&set.span, ExprErrorKind::Type { expected: "a set", found });
                }
                if !matches!(literal.value_type, Type::Word | Type::Text) {
                    let found = literal.value_type;
                    return self.fault(&member.span, ExprErrorKind::Type { expected: "a word", found });
                }
                self.member(&checked.node, set, member);
                (Node::Contains(Box::new(checked), Box::new(literal)), Type::Truth)
            }
            ("min" | "max", [_, _, ..]) => {
                let mut unit = Unit::Count;
                let mut numbers = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    let (number, own) = self.number(argument)?;
                    let Some(common) = common_unit(unit, own) else {
                        let (left, right) = (Type::Number(unit), Type::Number(own));
                        return self.fault(&argument.span, ExprErrorKind::Units { left, right });
                    };
                    unit = common;
                    numbers.push(number);
                }
                let node = if function == "min" { Node::Min(numbers) } else { Node::Max(numbers) };
                (node, Type::Number(unit))
            }
            ("round_down", [number, block]) => {
                let (number, block) = (self.number(number), self.number(block));
                let ((number, a), (block, b)) = (number?, block?);
                let Some(unit) = common_unit(a, b) else {
                    let (left, right) = (Type::Number(a), Type::Number(b));
                    return self.fault(span, ExprErrorKind::Units { left, right });
                };
                (Node::RoundDown(Box::new(number), Box::new(block)), Type::Number(unit))
            }
            ("abs", [number]) => {
                let (number, unit) = self.number(number)?;
                (Node::Abs(Box::new(number)), Type::Number(unit))
            }
            _ => return self.bad_call(function, name),
        };
        Some(Checked { node, value_type, span: span.clone() })
    }

    fn bad_call(&mut self, function: &str, name: &Range<usize>) -> Option<Checked> {
        let Some(known) = FUNCTIONS.into_iter().find(|known| *known == function) else {
            let error = ExprError::new(name.clone(), ExprErrorKind::UnknownFunction(function.to_owned()));
            return self.refuse(error.suggesting(function, FUNCTIONS));
        };
        let takes = match known {
            "set" | "exists" => "one setting",
            "surely" => "one condition",
            "contains" => "a set and a member",
            "round_down" => "a number and a block size",
            "abs" => "one number",
            _ => "two or more numbers",
        };
        self.fault(name, ExprErrorKind::Arguments { function: known, takes })
    }
}

fn binary(operator: Operator, left: Checked, right: Checked, value_type: Type) -> Checked {
    let span = left.span.start..right.span.end;
    Checked { node: Node::Binary(operator, Box::new(left), Box::new(right)), value_type, span }
}

/// What two numbers count that are added or compared; `Count` is nothing in particular and goes with everything.
fn common_unit(a: Unit, b: Unit) -> Option<Unit> {
    match (a, b) {
        (a, b) if a == b => Some(a),
        (Unit::Count, other) | (other, Unit::Count) => Some(other),
        (Unit::Bytes, Unit::DecimalBytes) | (Unit::DecimalBytes, Unit::Bytes) => Some(Unit::Bytes),
        _ => None,
    }
}

fn product(a: Unit, b: Unit) -> Option<Unit> {
    match (a, b) {
        (Unit::Share, Unit::Share) => Some(Unit::Share),
        (Unit::Count | Unit::Share, other) | (other, Unit::Count | Unit::Share) => Some(other),
        (Unit::BytesPerSecond, Unit::Seconds) | (Unit::Seconds, Unit::BytesPerSecond) => Some(Unit::Bytes),
        (Unit::PagesPerSecond, Unit::Bytes) | (Unit::Bytes, Unit::PagesPerSecond) => Some(Unit::BytesPerSecond),
        _ => None,
    }
}

fn quotient(a: Unit, b: Unit) -> Option<Unit> {
    match (a, b) {
        (a, Unit::Count | Unit::Share) => Some(a),
        (Unit::Bytes | Unit::DecimalBytes, Unit::Bytes | Unit::DecimalBytes) => Some(Unit::Count),
        (a, b) if a == b => Some(Unit::Count),
        (Unit::Bytes | Unit::DecimalBytes, Unit::Seconds) => Some(Unit::BytesPerSecond),
        (Unit::Bytes | Unit::DecimalBytes, Unit::BytesPerSecond) => Some(Unit::Seconds),
        (Unit::BytesPerSecond, Unit::Bytes) => Some(Unit::PagesPerSecond),
        _ => None,
    }
}
