//! A checked tree to code words.
//!
//! A part is one word, operation in the low byte and operand above it, then its extra words, then its parts in order. Texts are
//! offset and length in a pool.

use super::check::{Checked, Node};
use super::parser::Operator;
use std::collections::HashMap;

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        /// What a code word does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Operation { $($(#[doc = $doc])+ $name),+ }

        impl Operation {
            const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The operation of a code word.
            pub(super) fn of(word: u32) -> Option<Self> {
                Self::ALL.get((word & 0xff) as usize).copied()
            }
        }
    };
}

operations! {
    /// The operand itself.
    Small;
    /// Four words, the lowest first.
    Integer;
    /// Two words, the lowest first.
    Real;
    /// Operand: length; one word: offset in the pool.
    Word;
    /// As [`Operation::Word`], for what stands in quotes.
    Text;
    /// One word: the name.
    Load;
    /// One word: the name.
    IsSet;
    /// One word: the name.
    Exists;
    /// One part.
    Not;
    /// One part.
    Negate;
    /// Two parts. Operand: how many words the right one has, to jump over it.
    And;
    /// As [`Operation::And`].
    Or;
    /// Two numbers.
    Equal;
    /// Two numbers.
    NotEqual;
    /// Two numbers.
    Less;
    /// Two numbers.
    AtMost;
    /// Two numbers.
    More;
    /// Two numbers.
    AtLeast;
    /// Two numbers.
    Add;
    /// Two numbers.
    Subtract;
    /// Two numbers.
    Multiply;
    /// Two numbers.
    Divide;
    /// Two words, compared without regard to case.
    SameWord;
    /// Two texts, compared byte for byte.
    SameText;
    /// Operand: how many tests follow.
    OneOf;
    /// A set and a member.
    Contains;
    /// One part.
    Surely;
    /// Operand: how many numbers follow.
    Min;
    /// Operand: how many numbers follow.
    Max;
    /// A number and a block size.
    RoundDown;
    /// One number.
    Abs;
}

/// The largest operand.
const MOST: usize = 0x00ff_ffff;

/// Texts, each stored once, that code words point into.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    text: String,
    known: HashMap<String, u32>,
}

impl Pool {
    /// Stores a text; gives its offset and length in bytes.
    ///
    /// # Errors
    /// When the pool or the text has outgrown what a code word can point at.
    pub fn store(&mut self, text: &str) -> Result<(u32, u32), CodeError> {
        let length =
            u32::try_from(text.len()).ok().filter(|length| *length as usize <= MOST).ok_or(CodeError::TooLarge)?;
        if let Some(offset) = self.known.get(text) {
            return Ok((*offset, length));
        }
        let offset = u32::try_from(self.text.len()).map_err(|_| CodeError::TooLarge)?;
        self.text.push_str(text);
        self.known.insert(text.to_owned(), offset);
        Ok((offset, length))
    }

    /// All texts, one behind the other.
    pub fn into_text(self) -> String {
        self.text
    }

    /// All texts, one behind the other.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Why a rule cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// More text or code than an offset can address.
    #[error("the rules are too large to be packed")]
    TooLarge,
}

/// Appends the code of an expression.
///
/// # Errors
/// When texts or code have outgrown their offsets.
pub fn compile(checked: &Checked, pool: &mut Pool, words: &mut Vec<u32>) -> Result<(), CodeError> {
    let pair = |operation, left: &Checked, right: &Checked, pool: &mut Pool, words: &mut Vec<u32>| {
        words.push(operation as u32);
        compile(left, pool, words)?;
        compile(right, pool, words)
    };
    match &checked.node {
        Node::Integer(number) => match usize::try_from(*number) {
            Ok(small) if small <= MOST => words.push(word(Operation::Small, small)?),
            _ => {
                words.push(Operation::Integer as u32);
                words.extend((0..4).map(|part| (*number >> (32 * part)) as u32));
            }
        },
        Node::Real(number) => {
            words.push(Operation::Real as u32);
            words.extend([number.to_bits() as u32, (number.to_bits() >> 32) as u32]);
        }
        Node::Word(text) => literal(Operation::Word, text, pool, words)?,
        Node::Text(text) => literal(Operation::Text, text, pool, words)?,
        Node::Load(id) => words.extend([Operation::Load as u32, id.0]),
        Node::IsSet(id) => words.extend([Operation::IsSet as u32, id.0]),
        Node::Exists(id) => words.extend([Operation::Exists as u32, id.0]),
        Node::Not(inner) => single(Operation::Not, inner, pool, words)?,
        Node::Negate(inner) => single(Operation::Negate, inner, pool, words)?,
        Node::Surely(inner) => single(Operation::Surely, inner, pool, words)?,
        Node::Abs(inner) => single(Operation::Abs, inner, pool, words)?,
        Node::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
            let at = words.len();
            words.push(0);
            compile(left, pool, words)?;
            let middle = words.len();
            compile(right, pool, words)?;
            let operation = if *operator == Operator::And { Operation::And } else { Operation::Or };
            words[at] = word(operation, words.len() - middle)?;
        }
        Node::Binary(operator, left, right) => pair(arithmetic(*operator), left, right, pool, words)?,
        Node::Same { exact, left, right } => {
            let operation = if *exact { Operation::SameText } else { Operation::SameWord };
            pair(operation, left, right, pool, words)?;
        }
        Node::Contains(set, member) => pair(Operation::Contains, set, member, pool, words)?,
        Node::RoundDown(number, block) => pair(Operation::RoundDown, number, block, pool, words)?,
        Node::OneOf(items) => many(Operation::OneOf, items, pool, words)?,
        Node::Min(items) => many(Operation::Min, items, pool, words)?,
        Node::Max(items) => many(Operation::Max, items, pool, words)?,
    }
    Ok(())
}

fn word(operation: Operation, operand: usize) -> Result<u32, CodeError> {
    if operand > MOST { Err(CodeError::TooLarge) } else { Ok(operation as u32 | (operand as u32) << 8) }
}

fn literal(operation: Operation, text: &str, pool: &mut Pool, words: &mut Vec<u32>) -> Result<(), CodeError> {
    let (offset, length) = pool.store(text)?;
    words.extend([word(operation, length as usize)?, offset]);
    Ok(())
}

fn single(operation: Operation, inner: &Checked, pool: &mut Pool, words: &mut Vec<u32>) -> Result<(), CodeError> {
    words.push(operation as u32);
    compile(inner, pool, words)
}

fn many(operation: Operation, items: &[Checked], pool: &mut Pool, words: &mut Vec<u32>) -> Result<(), CodeError> {
    words.push(word(operation, items.len())?);
    items.iter().try_for_each(|item| compile(item, pool, words))
}

const fn arithmetic(operator: Operator) -> Operation {
    match operator {
        Operator::And => Operation::And,
        Operator::Or => Operation::Or,
        Operator::Equal => Operation::Equal,
        Operator::NotEqual => Operation::NotEqual,
        Operator::Less => Operation::Less,
        Operator::AtMost => Operation::AtMost,
        Operator::More => Operation::More,
        Operator::AtLeast => Operation::AtLeast,
        Operator::Add => Operation::Add,
        Operator::Subtract => Operation::Subtract,
        Operator::Multiply => Operation::Multiply,
        Operator::Divide => Operation::Divide,
    }
}
