//! Tokens to a tree, by binding strength.

use super::error::{ExprError, ExprErrorKind};
use super::lexer::{Token, next};
use crate::value::Unit;
use std::ops::Range;

/// A part of an expression and the bytes it stands on.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<'s> {
    /// What it is.
    pub kind: TreeKind<'s>,
    /// Where it stands in the text.
    pub span: Range<usize>,
}

/// What a part of an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeKind<'s> {
    /// A whole number; a suffix makes it a number of bytes.
    Integer(i128, Unit),
    /// A number with a fraction, or a percentage.
    Real(f64, Unit),
    /// A bare upper-case word.
    Word(&'s str),
    /// Anything in quotes, without them.
    Quoted(&'s str),
    /// A setting, fact or model.
    Name(&'s str),
    /// `not …`
    Not(Box<Tree<'s>>),
    /// `-…`
    Negate(Box<Tree<'s>>),
    /// Two operands.
    Binary(Operator, Box<Tree<'s>>, Box<Tree<'s>>),
    /// `x in [a, b]`
    In(Box<Tree<'s>>, Vec<Tree<'s>>),
    /// `min(a, b)`: the name with its own bytes, and the arguments.
    Call(&'s str, Range<usize>, Vec<Tree<'s>>),
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl Operator {
    /// How strongly it binds; higher binds first.
    const fn strength(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::Equal | Self::NotEqual | Self::Less | Self::AtMost | Self::More | Self::AtLeast => COMPARISON,
            Self::Add | Self::Subtract => 5,
            Self::Multiply | Self::Divide => 6,
        }
    }

    fn of(token: &Token<'_>) -> Option<Self> {
        Some(match token {
            Token::Identifier("or") => Self::Or,
            Token::Identifier("and") => Self::And,
            Token::Symbol("==") => Self::Equal,
            Token::Symbol("!=") => Self::NotEqual,
            Token::Symbol("<") => Self::Less,
            Token::Symbol("<=") => Self::AtMost,
            Token::Symbol(">") => Self::More,
            Token::Symbol(">=") => Self::AtLeast,
            Token::Symbol("+") => Self::Add,
            Token::Symbol("-") => Self::Subtract,
            Token::Symbol("*") => Self::Multiply,
            Token::Symbol("/") => Self::Divide,
            _ => return None,
        })
    }
}

/// `not` binds more loosely than a comparison and more strongly than `and`.
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const NEGATE: u8 = 7;
/// Deeper and longer than anything a person would write; both keep recursion off the end of the stack.
const DEEPEST: usize = 64;
const MOST_OPERATORS: usize = 256;

/// Reads a whole expression.
///
/// # Errors
/// The first place where the text stops being an expression.
pub fn parse(text: &str) -> Result<Tree<'_>, ExprError> {
    let mut parser = Parser { text, token: Token::End, span: 0..0, end: 0, depth: 0, operators: 0 };
    parser.advance()?;
    let tree = parser.expression(0)?;
    match parser.token {
        Token::End => Ok(tree),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'s> {
    text: &'s str,
    token: Token<'s>,
    span: Range<usize>,
    /// Where the token before this one ended.
    end: usize,
    depth: usize,
    operators: usize,
}

impl<'s> Parser<'s> {
    fn advance(&mut self) -> Result<(), ExprError> {
        self.end = self.span.end;
        (self.token, self.span) = next(self.text, self.span.end)?;
        Ok(())
    }

    fn unexpected(&self, expected: &'static str) -> ExprError {
        let found = self.token.shown(self.text, &self.span);
        ExprError::new(self.span.clone(), ExprErrorKind::Unexpected { expected, found })
    }

    fn take(&mut self, symbol: &'static str) -> Result<bool, ExprError> {
        let found = self.token == Token::Symbol(symbol);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn expect(&mut self, symbol: &'static str, expected: &'static str) -> Result<(), ExprError> {
        if self.take(symbol)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn expression(&mut self, weakest: u8) -> Result<Tree<'s>, ExprError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExprError::new(self.span.clone(), ExprErrorKind::TooDeep));
        }
        let mut left = self.prefix()?;
        loop {
            let (is_list, operator) = match Operator::of(&self.token) {
                Some(operator) => (false, operator),
                None if matches!(self.token, Token::Identifier("in" | "not")) => (true, Operator::Equal),
                None => break,
            };
            if operator.strength() <= weakest {
                // A second comparison at the same level can only be a chain.
                if operator.strength() == COMPARISON && weakest == COMPARISON {
                    let error = ExprError::new(self.span.clone(), ExprErrorKind::Chained);
                    return Err(error.with_help("join two comparisons with `and`"));
                }
                break;
            }
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                return Err(ExprError::new(self.span.clone(), ExprErrorKind::TooDeep));
            }
            left = if is_list { self.list_test(left)? } else { self.infix(operator, left)? };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn infix(&mut self, operator: Operator, left: Tree<'s>) -> Result<Tree<'s>, ExprError> {
        self.advance()?;
        let right = self.expression(operator.strength())?;
        let span = left.span.start..right.span.end;
        Ok(Tree { kind: TreeKind::Binary(operator, Box::new(left), Box::new(right)), span })
    }

    fn list_test(&mut self, left: Tree<'s>) -> Result<Tree<'s>, ExprError> {
        let negated = self.token == Token::Identifier("not");
        if negated {
            self.advance()?;
        }
        if self.token != Token::Identifier("in") {
            return Err(self.unexpected("`in`"));
        }
        self.advance()?;
        self.expect("[", "a list in brackets")?;
        let items = self.items("]", "`,` or `]`")?;
        let span = left.span.start..self.end;
        let test = Tree { kind: TreeKind::In(Box::new(left), items), span: span.clone() };
        Ok(if negated { Tree { kind: TreeKind::Not(Box::new(test)), span } } else { test })
    }

    /// Expressions between commas up to a closing symbol.
    fn items(&mut self, close: &'static str, expected: &'static str) -> Result<Vec<Tree<'s>>, ExprError> {
        let mut items = Vec::new();
        if self.take(close)? {
            return Ok(items);
        }
        loop {
            items.push(self.expression(0)?);
            if self.take(close)? {
                return Ok(items);
            }
            self.expect(",", expected)?;
        }
    }

    fn prefix(&mut self) -> Result<Tree<'s>, ExprError> {
        let span = self.span.clone();
        let kind = match self.token {
            Token::Identifier("not") => {
                self.advance()?;
                TreeKind::Not(Box::new(self.expression(NOT)?))
            }
            Token::Symbol("-") => {
                self.advance()?;
                TreeKind::Negate(Box::new(self.expression(NEGATE)?))
            }
            Token::Symbol("(") => {
                self.advance()?;
                let inner = self.expression(0)?;
                self.expect(")", "an operator or `)`")?;
                return Ok(Tree { span: span.start..self.end, ..inner });
            }
            Token::Integer(number, unit) => self.leaf(TreeKind::Integer(number, unit))?,
            Token::Real(number, unit) => self.leaf(TreeKind::Real(number, unit))?,
            Token::Quoted(word) => self.leaf(TreeKind::Quoted(word))?,
            Token::Identifier(word) if !matches!(word, "and" | "or" | "in") => self.identifier(word)?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Tree { kind, span: span.start..self.end })
    }

    fn leaf(&mut self, kind: TreeKind<'s>) -> Result<TreeKind<'s>, ExprError> {
        self.advance()?;
        Ok(kind)
    }

    fn identifier(&mut self, word: &'s str) -> Result<TreeKind<'s>, ExprError> {
        let span = self.span.clone();
        self.advance()?;
        if self.take("(")? {
            return Ok(TreeKind::Call(word, span, self.items(")", "`,` or `)`")?));
        }
        // Settings, facts and models are lower case; what is not must be a word such as OFF or O_DIRECT.
        let is_name = word.contains(|c: char| c.is_ascii_lowercase());
        Ok(if is_name { TreeKind::Name(word) } else { TreeKind::Word(word) })
    }
}
