//! A JSON reader that keeps the bytes every key and value stands on. As strict as the servers' own: no comments, no trailing commas.

use crate::source::Span;
use std::borrow::Cow;

/// MySQL's reader refuses documents that are nested deeper (`JSON_DOCUMENT_MAX_DEPTH` in its sources).
const MAX_DEPTH: u32 = 100;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Json<'a> {
    /// The whole value; a string's span leaves its quotes out.
    pub span: Span,
    pub kind: Kind<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'a> {
    Null,
    Boolean(bool),
    /// The digits as they were written.
    Number(&'a str),
    /// Without escapes. Bytes, since the servers do not insist on UTF-8.
    String(Cow<'a, [u8]>),
    Array(Vec<Json<'a>>),
    /// Entries in the order of the file, repeated keys included.
    Object(Vec<Entry<'a>>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry<'a> {
    pub key: Cow<'a, [u8]>,
    /// The key without its quotes.
    pub key_span: Span,
    pub value: Json<'a>,
}

/// Why the bytes are no JSON, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JsonError {
    pub at: u32,
    pub reason: &'static str,
}

impl<'a> Json<'a> {
    /// Reads a whole document.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, JsonError> {
        let mut reader = Reader { bytes, at: 0 };
        let value = reader.value(0)?;
        reader.blank();
        if reader.at < bytes.len() { Err(reader.error("nothing may follow the document")) } else { Ok(value) }
    }

    /// The entries of an object.
    pub fn entries(&self) -> Option<&[Entry<'a>]> {
        match &self.kind {
            Kind::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// The entry of that key; the last one when it is repeated.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.entries()?.iter().rev().find(|entry| entry.key.as_ref() == key.as_bytes()).map(|entry| &entry.value)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, reason: &'static str) -> JsonError {
        JsonError { at: self.at as u32, reason }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8, reason: &'static str) -> Result<(), JsonError> {
        self.blank();
        if self.peek() != Some(byte) {
            return Err(self.error(reason));
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<Json<'a>, JsonError> {
        self.blank();
        let start = self.at;
        let kind = match self.peek() {
            None => return Err(self.error("the document ends where a value should stand")),
            Some(b'"') => {
                let (text, span) = self.string()?;
                return Ok(Json { span, kind: Kind::String(text) });
            }
            Some(b'{' | b'[') if depth >= MAX_DEPTH => return Err(self.error("the document is nested too deeply")),
            Some(b'{') => Kind::Object(self.object(depth + 1)?),
            Some(b'[') => Kind::Array(self.array(depth + 1)?),
            Some(b't') => self.word("true", Kind::Boolean(true))?,
            Some(b'f') => self.word("false", Kind::Boolean(false))?,
            Some(b'n') => self.word("null", Kind::Null)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(_) => return Err(self.error("a value should stand here")),
        };
        Ok(Json { span: Span::new(start as u32, self.at as u32), kind })
    }

    fn word(&mut self, word: &str, kind: Kind<'a>) -> Result<Kind<'a>, JsonError> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.error("a value should stand here"));
        }
        self.at += word.len();
        Ok(kind)
    }

    fn object(&mut self, depth: u32) -> Result<Vec<Entry<'a>>, JsonError> {
        self.at += 1;
        let mut entries = Vec::new();
        self.blank();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(entries);
        }
        loop {
            self.blank();
            if self.peek() != Some(b'"') {
                return Err(self.error("a name in double quotes should stand here"));
            }
            let (key, key_span) = self.string()?;
            self.expect(b':', "a colon should stand here")?;
            let value = self.value(depth)?;
            entries.push(Entry { key, key_span, value });
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.error("a comma or a closing brace should stand here")),
            }
        }
        self.at += 1;
        Ok(entries)
    }

    fn array(&mut self, depth: u32) -> Result<Vec<Json<'a>>, JsonError> {
        self.at += 1;
        let mut values = Vec::new();
        self.blank();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(values);
        }
        loop {
            values.push(self.value(depth)?);
            self.blank();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.error("a comma or a closing bracket should stand here")),
            }
        }
        self.at += 1;
        Ok(values)
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.error("a digit should stand here")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Kind<'a>, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        if text.parse::<f64>().is_ok_and(f64::is_finite) {
            Ok(Kind::Number(text))
        } else {
            Err(JsonError { at: start as u32, reason: "the number is too large" })
        }
    }

    fn string(&mut self) -> Result<(Cow<'a, [u8]>, Span), JsonError> {
        self.at += 1;
        let start = self.at;
        let mut copied: Option<Vec<u8>> = None;
        loop {
            match self.peek() {
                None => return Err(self.error("the text has no closing quote")),
                Some(b'"') => break,
                Some(0..=0x1f) => return Err(self.error("a control character has to be escaped")),
                Some(b'\\') => {
                    let copied = copied.get_or_insert_with(|| self.bytes[start..self.at].to_vec());
                    // The borrow of `self.bytes` above ends before the escape is read.
                    let mut unescaped = std::mem::take(copied);
                    self.escape(&mut unescaped)?;
                    *copied = unescaped;
                }
                Some(byte) => {
                    if let Some(copied) = &mut copied {
                        copied.push(byte);
                    }
                    self.at += 1;
                }
            }
        }
        let span = Span::new(start as u32, self.at as u32);
        self.at += 1;
        Ok((copied.map_or_else(|| Cow::Borrowed(span.of(self.bytes)), Cow::Owned), span))
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), JsonError> {
        self.at += 1;
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let first = self.hexadecimal()?;
                let code = match first {
                    0xd800..0xdc00 if self.bytes[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        match self.hexadecimal()? {
                            second @ 0xdc00..0xe000 => 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00),
                            _ => return Err(self.error("half of a surrogate pair is missing")),
                        }
                    }
                    code => code,
                };
                let Some(letter) = char::from_u32(code) else {
                    return Err(self.error("half of a surrogate pair is missing"));
                };
                text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.error("there is no such escape")),
        };
        text.push(byte);
        self.at += 1;
        Ok(())
    }

    fn hexadecimal(&mut self) -> Result<u32, JsonError> {
        let digits = self.bytes.get(self.at..self.at + 4).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let code =
            digits.and_then(|digits| str::from_utf8(digits).ok()).and_then(|text| u32::from_str_radix(text, 16).ok());
        let Some(code) = code else {
            return Err(self.error("four hexadecimal digits should stand here"));
        };
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The value as serde_json holds it, numbers as text.
    fn plain(json: &Json<'_>) -> serde_json::Value {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the tests write UTF-8");
        match &json.kind {
            Kind::Null => serde_json::Value::Null,
            Kind::Boolean(on) => (*on).into(),
            Kind::Number(digits) => serde_json::from_str(digits).expect("a number"),
            Kind::String(bytes) => text(bytes).into(),
            Kind::Array(values) => values.iter().map(plain).collect(),
            Kind::Object(entries) => entries
                .iter()
                .map(|entry| (text(&entry.key), plain(&entry.value)))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    fn documents() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            (-1e9..1e9_f64).prop_map(Into::into),
            "\\PC*|[\"\\\\\n\u{1}é𝄞]*".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                proptest::collection::hash_map("\\PC{0,4}", inner, 0..4)
                    .prop_map(|entries| serde_json::Value::Object(entries.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_every_document_as_serde_json_does(document in documents(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
            let text = text.expect("a document");
            let read = Json::parse(text.as_bytes()).expect("valid JSON");
            prop_assert_eq!(plain(&read), serde_json::from_str::<serde_json::Value>(&text).expect("valid JSON"));
        }

        #[test]
        fn accepts_exactly_what_serde_json_accepts(text in "([\\[\\]{}:,\"\\\\ulanrtefs 0-9.eE+-]|\"a\"|true|null|\\\\u[dD][8c]00|\n){0,12}") {
            let ours = Json::parse(text.as_bytes());
            prop_assert_eq!(ours.is_ok(), serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{}", text);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = Json::parse(&bytes);
        }
    }

    #[test]
    fn spans_cover_the_text_between_the_quotes() {
        let text = br#"{"a\u00e9": ["x\ny", 12]}"#;
        let json = Json::parse(text).expect("valid JSON");
        let entry = &json.entries().expect("an object")[0];
        assert_eq!(entry.key.as_ref(), "aé".as_bytes());
        assert_eq!(entry.key_span.of(text), br"a\u00e9");
        let Kind::Array(values) = &entry.value.kind else { panic!("an array") };
        assert_eq!(values[0].span.of(text), br"x\ny");
        assert_eq!(values[1].span.of(text), b"12");
    }

    #[test]
    fn deep_nesting_is_refused_and_does_not_overflow_the_stack() {
        let text = "[".repeat(100_000);
        assert_eq!(Json::parse(text.as_bytes()).expect_err("too deep").reason, "the document is nested too deeply");
    }
}
