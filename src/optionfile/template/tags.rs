//! The tags of template languages: where each stands, and what it does to the text around it.

use crate::source::Span;

/// One piece of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub span: Span,
    pub kind: TagKind,
    /// Takes the blanks and newlines before it away: `{%- if x %}`.
    pub trims_before: bool,
    /// Takes the blanks and newlines behind it away: `{% if x -%}`.
    pub trims_after: bool,
}

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagKind {
    /// Leaves text behind that nobody knows yet.
    Output,
    /// Leaves nothing behind.
    Silent,
    /// Whole other templates come in.
    Includes,
    /// Begins a block.
    Opens(BlockKind),
    /// Begins another branch of the innermost block.
    Branches {
        /// The branch for everything that the others leave: `else`.
        last: bool,
    },
    /// Ends the innermost block.
    Closes,
}

/// What becomes of the text of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockKind {
    /// One of its branches comes, or none.
    Choice,
    /// It comes as often as something says.
    Repeated,
    /// It comes where something calls it: `{% macro x() %}`, `{{ define "x" }}`.
    Elsewhere,
    /// It comes once: `{% raw %}`, `{% block x %}`.
    Plain,
}

/// Shell expressions are not longer.
const LONGEST_EXPRESSION: usize = 400;

/// Every tag, in order.
pub(super) fn scan(bytes: &[u8]) -> Vec<Tag> {
    let mut scanner = Scanner { bytes, tags: Vec::new(), unclosed: Vec::new(), raw: false };
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|byte| matches!(byte, b'{' | b'<' | b'$' | b'@' | b'%' | b'_'))
    {
        let start = at + found;
        at = match scanner.tag(start) {
            Some(tag) => {
                scanner.tags.push(tag);
                tag.span.end as usize
            }
            None => start + 1,
        };
    }
    // A lone `$name` is the server's own text, unless the file shows otherwise that something fills it in.
    let is_template = scanner.tags.iter().any(|tag| !is_lower_variable(tag.span.of(bytes)));
    if !is_template {
        scanner.tags.clear();
    }
    scanner.tags
}

fn is_lower_variable(text: &[u8]) -> bool {
    text.first() == Some(&b'$') && !matches!(text.get(1), Some(b'{' | b'(')) && text.iter().any(u8::is_ascii_lowercase)
}

struct Scanner<'a> {
    bytes: &'a [u8],
    tags: Vec<Tag>,
    /// The closing marks that do not come any more: a long run of `{#` must not cost the square of its length.
    unclosed: Vec<&'static [u8]>,
    /// Within `{% raw %}`.
    raw: bool,
}

impl Scanner<'_> {
    fn tag(&mut self, start: usize) -> Option<Tag> {
        let rest = &self.bytes[start..];
        match rest {
            [b'{', b'{', b'{', ..] if rest.get(3) != Some(&b'{') => self.wrapped(start, b"{{{", b"}}}"),
            [b'{', b'{', ..] => self.wrapped(start, b"{{", b"}}"),
            [b'{', b'%', ..] => self.wrapped(start, b"{%", b"%}"),
            [b'{', b'#', ..] => self.comment(start),
            [b'<', b'%', b'%', ..] => None,
            [b'<', b'%', ..] => self.wrapped(start, b"<%", b"%>"),
            [b'$', ..] => self.shell(start),
            [b'@', ..] => self.between_marks(start, b"@"),
            [b'_', b'_', ..] => self.between_marks(start, b"__"),
            [b'_', b'A'..=b'Z', ..] => self.between_underscores(start),
            [b'%', b'%', ..] => self.between_marks(start, b"%%"),
            // One letter is a format's: `%H%M`.
            [b'%', b'A'..=b'Z', second, ..] if *second != b'%' => self.between_marks(start, b"%"),
            [b'%', b'{', ..] => self.on_line(start, b'{', b'}').map(|end| directive(self.tag_of(start, end), rest)),
            [b'%', b'(', ..] => {
                let length = word(&rest[2..]).len();
                let closed = length > 0 && rest.get(length + 2) == Some(&b')');
                let kind = rest.get(length + 3).filter(|byte| closed && matches!(byte, b's' | b'd' | b'i' | b'f'));
                kind.map(|_| self.tag_of(start, start + length + 4))
            }
            [b'%', b' ' | b'\t', ..] => self.line_statement(start),
            _ => None,
        }
    }

    /// A tag between two marks, over several lines if need be.
    fn wrapped(&mut self, start: usize, open: &'static [u8], close: &'static [u8]) -> Option<Tag> {
        let erb = open == b"<%";
        let inner_at = start + open.len();
        let mut at = inner_at;
        let mut is_multiline = false;
        if self.unclosed.contains(&close) {
            return None;
        }
        loop {
            let rest = self.bytes.get(at..)?;
            match rest.first() {
                None => {
                    self.unclosed.push(close);
                    return None;
                }
                Some(_) if rest.starts_with(close) => break,
                Some(b'"' | b'\'') if !erb => at += quoted(rest),
                Some(b'\n') if !is_multiline && self.is_in_comment(start) => return None,
                // It was none after all: the next one begins before this one ends.
                Some(_) if rest.starts_with(open) && at > inner_at => return None,
                Some(byte) => {
                    is_multiline |= *byte == b'\n';
                    at += 1;
                }
            }
        }
        let end = at + close.len();
        let inner = &self.bytes[inner_at..at];
        let trims_before = !erb && matches!(inner, [b'-', ..]);
        let trims_after = matches!(inner, [.., b'-']);
        let inner = inner.strip_prefix(b"-").or_else(|| inner.strip_prefix(b"+")).unwrap_or(inner);
        let inner = inner.strip_suffix(b"-").or_else(|| inner.strip_suffix(b"+")).unwrap_or(inner);
        let kind = match open {
            b"{{" => braces(inner),
            b"{%" => self.block(inner),
            b"<%" => ruby(inner),
            _ => TagKind::Output,
        };
        Some(Tag { kind, trims_before, trims_after, ..self.tag_of(start, end) })
    }

    fn comment(&mut self, start: usize) -> Option<Tag> {
        if self.unclosed.contains(&&b"#}"[..]) {
            return None;
        }
        let Some(length) = self.bytes[start + 2..].windows(2).position(|window| window == b"#}") else {
            self.unclosed.push(b"#}");
            return None;
        };
        let inner = &self.bytes[start + 2..start + 2 + length];
        Some(Tag {
            kind: TagKind::Silent,
            trims_before: inner.starts_with(b"-"),
            trims_after: inner.ends_with(b"-"),
            ..self.tag_of(start, start + length + 4)
        })
    }

    /// `{% … %}` of Jinja and its kin.
    fn block(&mut self, inner: &[u8]) -> TagKind {
        let inner = inner.trim_ascii();
        let name = word(inner);
        if self.raw {
            self.raw = name != b"endraw";
            return if self.raw { TagKind::Output } else { TagKind::Closes };
        }
        match name {
            b"if" | b"unless" | b"ifchanged" | b"case" => TagKind::Opens(BlockKind::Choice),
            b"macro" => TagKind::Opens(BlockKind::Elsewhere),
            b"for" | b"call" | b"filter" => TagKind::Opens(BlockKind::Repeated),
            b"set" if !inner.contains(&b'=') => TagKind::Opens(BlockKind::Repeated),
            b"raw" => {
                self.raw = true;
                TagKind::Opens(BlockKind::Plain)
            }
            b"with" | b"block" | b"autoescape" | b"trans" | b"spaceless" => TagKind::Opens(BlockKind::Plain),
            b"elif" | b"elsif" | b"elseif" | b"when" => TagKind::Branches { last: false },
            b"else" => TagKind::Branches { last: inner.len() == 4 || inner == b"else:" },
            b"include" | b"extends" => TagKind::Includes,
            name if name.starts_with(b"end") => TagKind::Closes,
            _ => TagKind::Silent,
        }
    }

    /// `${name}`, `${name:-text}`, `$(command)`, `$NAME`.
    fn shell(&self, start: usize) -> Option<Tag> {
        let rest = &self.bytes[start + 1..];
        let end = match rest.first()? {
            b'{' => self.on_line(start, b'{', b'}')?,
            b'(' => self.on_line(start, b'(', b')')?,
            first if first.is_ascii_digit() => return None,
            _ => {
                let length = word(rest).len();
                let before = start.checked_sub(1).map(|before| self.bytes[before]);
                let stands_free = before.is_none_or(|byte| !is_word(byte) && !matches!(byte, b'$' | b'\\'));
                if length < 2 || !stands_free {
                    return None;
                }
                start + 1 + length
            }
        };
        Some(self.tag_of(start, end))
    }

    /// The end of an expression in brackets that begin behind the mark, on the same line.
    fn on_line(&self, start: usize, open: u8, close: u8) -> Option<usize> {
        let mut depth = 0_u32;
        for (at, byte) in self.bytes.iter().enumerate().skip(start + 1).take(LONGEST_EXPRESSION) {
            match *byte {
                b'\n' => return None,
                byte if byte == open => depth += 1,
                byte if byte == close => {
                    depth -= 1;
                    if depth == 0 {
                        return (at > start + 2).then_some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// `@DATADIR@`, `@prefix@/x`, `__NAME__`, `%NAME%`, `%%NAME%%`: no part of a word, since `user@host@` is no markup.
    fn between_marks(&self, start: usize, mark: &[u8]) -> Option<Tag> {
        let rest = &self.bytes[start + mark.len()..];
        let before = start.checked_sub(1).map(|before| self.bytes[before]);
        let upper = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
        let mut length = rest.iter().take(LONGEST_EXPRESSION).take_while(|byte| upper(byte)).count();
        if mark == b"__" {
            let name = &rest[..length];
            length = name.windows(2).position(|window| window == b"__")?;
            let after = rest.get(length + 2);
            if before.is_some_and(is_word) || after.is_some_and(|byte| is_word(*byte)) {
                return None;
            }
        } else if length == 0 && mark == b"@" && !before.is_some_and(|byte| is_word(byte) || byte == b'@') {
            length = word(rest).len();
        }
        let closed = length > 0 && rest[length..].starts_with(mark) && !rest[0].is_ascii_digit();
        closed.then(|| self.tag_of(start, start + length + 2 * mark.len()))
    }

    /// `_SERVER_ID_`, no part of a word.
    fn between_underscores(&self, start: usize) -> Option<Tag> {
        let upper = |byte: &&u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
        let length = self.bytes[start..].iter().take(LONGEST_EXPRESSION).take_while(upper).count();
        let before = start.checked_sub(1).map(|before| self.bytes[before]);
        let stands_free = ![before, self.bytes.get(start + length).copied()].into_iter().flatten().any(is_word);
        let closed = length > 3 && self.bytes[start + length - 1] == b'_';
        // People stress words so.
        let is_stressed = || {
            let near = &self.bytes[start.saturating_sub(LONGEST_EXPRESSION)..start];
            let line = near.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
            matches!(near[line..].trim_ascii_start().first(), Some(b'#' | b';')) || near[line..].contains(&b'#')
        };
        (stands_free && closed && !is_stressed()).then(|| self.tag_of(start, start + length))
    }

    /// `% if x:` alone on its line, as in Mako.
    fn line_statement(&self, start: usize) -> Option<Tag> {
        let before = self.bytes[..start].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
        if before.is_some_and(|byte| *byte != b'\n') {
            return None;
        }
        let rest = &self.bytes[start..];
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        let kind = match word(rest[1..length].trim_ascii_start()) {
            b"if" | b"unless" => TagKind::Opens(BlockKind::Choice),
            b"for" | b"while" => TagKind::Opens(BlockKind::Repeated),
            b"elif" | b"elsif" => TagKind::Branches { last: false },
            b"else" => TagKind::Branches { last: true },
            b"end" | b"endif" | b"endfor" | b"endwhile" => TagKind::Closes,
            _ => return None,
        };
        Some(Tag { kind, ..self.tag_of(start, start + length) })
    }

    /// Whether the line up to there is a comment of an option file.
    fn is_in_comment(&self, at: usize) -> bool {
        let line = self.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        matches!(self.bytes[line..at].trim_ascii_start().first(), Some(b'#' | b';'))
    }

    fn tag_of(&self, start: usize, end: usize) -> Tag {
        let span = Span::new(start as u32, end as u32);
        Tag { span, kind: TagKind::Output, trims_before: false, trims_after: false }
    }
}

/// `{{ … }}`: an expression of Jinja, an action of Go's templates, a tag of Mustache and Handlebars.
fn braces(inner: &[u8]) -> TagKind {
    let inner = inner.trim_ascii();
    let (first, rest) = inner.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
    let name = word(inner);
    let has_more = name.len() < inner.len();
    match first {
        b'/' if rest.starts_with(b"*") => TagKind::Silent,
        b'!' => TagKind::Silent,
        b'/' => TagKind::Closes,
        b'>' => TagKind::Includes,
        b'^' if rest.is_empty() => TagKind::Branches { last: true },
        b'#' if matches!(word(rest), b"if" | b"unless" | b"with") => TagKind::Opens(BlockKind::Choice),
        b'#' => TagKind::Opens(BlockKind::Repeated),
        b'^' => TagKind::Opens(BlockKind::Choice),
        b'$' if inner.windows(2).any(|window| window == b":=" || window == b" =") => TagKind::Silent,
        _ => match name {
            b"if" | b"with" if has_more => TagKind::Opens(BlockKind::Choice),
            b"define" if has_more => TagKind::Opens(BlockKind::Elsewhere),
            b"range" if has_more => TagKind::Opens(BlockKind::Repeated),
            b"block" if has_more => TagKind::Opens(BlockKind::Plain),
            b"else" => TagKind::Branches { last: !has_more },
            b"end" if !has_more => TagKind::Closes,
            b"template" | b"include" if has_more => TagKind::Includes,
            _ => TagKind::Output,
        },
    }
}

/// `<% … %>` of ERB and Puppet's EPP.
fn ruby(inner: &[u8]) -> TagKind {
    let mark = inner.first();
    let inner = inner.trim_ascii();
    let name = word(inner);
    match (mark, name) {
        (Some(b'='), _) => TagKind::Output,
        (Some(b'#'), _) => TagKind::Silent,
        _ if inner.starts_with(b"}") => match word(inner[1..].trim_ascii_start()) {
            b"else" => TagKind::Branches { last: true },
            b"elsif" => TagKind::Branches { last: false },
            _ => TagKind::Closes,
        },
        _ if inner.starts_with(b"|") => TagKind::Silent,
        (_, b"end") => TagKind::Closes,
        (_, b"elsif" | b"when") => TagKind::Branches { last: false },
        (_, b"else") => TagKind::Branches { last: true },
        // `<% if x then y end %>`
        _ if inner.ends_with(b" end") => TagKind::Silent,
        (_, b"if" | b"unless" | b"case") => TagKind::Opens(BlockKind::Choice),
        (_, b"for" | b"while" | b"until") => TagKind::Opens(BlockKind::Repeated),
        // `<% @hosts.each do |host| %>`, `<% $hosts.each |$host| { %>`
        _ if opens_ruby_block(inner) => TagKind::Opens(BlockKind::Repeated),
        _ => TagKind::Silent,
    }
}

fn opens_ruby_block(inner: &[u8]) -> bool {
    let count = |wanted: u8| inner.iter().filter(|byte| **byte == wanted).count();
    inner.ends_with(b" do") || inner.windows(5).any(|window| window == b" do |") || count(b'{') > count(b'}')
}

/// `%{ if x }` of Terraform; otherwise text to be filled in.
fn directive(tag: Tag, text: &[u8]) -> Tag {
    let inner = text[2..].trim_ascii_start();
    let inner = inner.strip_prefix(b"~").unwrap_or(inner).trim_ascii_start();
    let kind = match word(inner) {
        b"if" => TagKind::Opens(BlockKind::Choice),
        b"for" => TagKind::Opens(BlockKind::Repeated),
        b"else" => TagKind::Branches { last: true },
        b"endif" | b"endfor" => TagKind::Closes,
        _ => TagKind::Output,
    };
    Tag { kind, ..tag }
}

/// How long a quoted text is; 1 where it does not end on its line.
fn quoted(bytes: &[u8]) -> usize {
    let mut escaped = false;
    for (at, byte) in bytes.iter().enumerate().skip(1).take(LONGEST_EXPRESSION) {
        match byte {
            b'\n' => return 1,
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            byte if *byte == bytes[0] => return at + 1,
            _ => {}
        }
    }
    1
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn word(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().take_while(|byte| is_word(**byte)).count()]
}
