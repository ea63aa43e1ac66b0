//! The arguments of a server, written as an option file that is read after all others: flags outrank files.

use super::part::{ArgumentPlace, ArgumentText, Encoding, Insertion, Part};
use crate::catalog::{self, Resolved};
use crate::optionfile::TYPOGRAPHIC_DASHES;
use crate::server::{Flavor, Server};
use crate::source::{ByteMap, Span};
use crate::value::{Argument, Effect};

/// One word of a command line.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// What the program gets.
    pub value: Vec<u8>,
    /// The bytes that say it.
    pub span: Span,
    /// The bytes of the value, where they are the value itself.
    pub content: Option<Span>,
    /// What it says where no variable in it is set: `256M` for `${SIZE:-256M}`.
    pub default: Option<Vec<u8>>,
    /// What goes when the word goes.
    pub removal: Option<Span>,
    /// A comment on the line above that is meant for cnflint.
    pub above: Option<(Span, Vec<u8>)>,
    /// One behind the word.
    pub behind: Option<(Span, Vec<u8>)>,
}

/// Programs that are a server, or start one with the options that they get.
const SERVERS: [&[u8]; 5] = [b"mysqld", b"mariadbd", b"mysqld_safe", b"mariadbd-safe", b"mysqld-debug"];

/// The options of a server, and what its arguments say about option files.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The options, as an option file.
    pub part: Part,
    /// `--defaults-file`: only this one is read.
    pub only: Option<Vec<u8>>,
    /// `--no-defaults`: none is read.
    pub no_files: bool,
}

/// The arguments of a command that starts a server; `None` where it has no options, starts something else, or only prepares the
/// server's directory. An image's own program is what it starts when the command begins with an option.
pub fn of_command(words: &[Word], insertion: Option<Insertion>) -> Option<Arguments> {
    let words = match words.first() {
        Some(first) if begins_like_option(first) => words,
        _ => &words[words.iter().take_while(|word| !begins_like_option(word)).position(is_server)? + 1..],
    };
    const PREPARING: [&[u8]; 5] = [b"--initialize", b"--initialize-insecure", b"--bootstrap", b"--help", b"--verbose"];
    if words.iter().any(|word| PREPARING.contains(&&*word.value)) {
        return None;
    }
    let mut builder = Builder::default();
    let start = words.first().map_or(0, |word| word.span.start);
    builder.write(b"[mysqld]\n", Span::new(start, start));
    let (mut only, mut no_files) = (None, false);
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        // Behind another dash the server finds no option but a word too many, and does not start.
        let option = if has_typographic_dash(word) { Some(&*word.value) } else { word.value.strip_prefix(b"--") };
        let Some(option) = option.filter(|option| !option.is_empty()) else { continue };
        let (name, value) = match option.iter().position(|byte| *byte == b'=') {
            Some(at) => (&option[..at], Some(&option[at + 1..])),
            None => (option, None),
        };
        match name {
            b"defaults-file" => only = value.map(<[u8]>::to_vec),
            b"no-defaults" => no_files = true,
            b"defaults-extra-file" | b"defaults-group-suffix" | b"login-path" | b"print-defaults" => {}
            _ if value.is_some() => builder.option(word, name, value, None),
            _ => {
                let is_value = |next: &&Word| !begins_like_option(next) && takes_next(name);
                builder.option(word, name, None, words.next_if(is_value));
            }
        }
    }
    if builder.places.is_empty() && only.is_none() && !no_files {
        return None;
    }
    let encoding = Encoding::Arguments(builder.places, insertion);
    Some(Arguments { part: Part { bytes: builder.bytes, map: builder.map, encoding }, only, no_files })
}

/// Whether a word is an option, or was meant to be one.
pub fn begins_like_option(word: &Word) -> bool {
    word.value.starts_with(b"-") || has_typographic_dash(word)
}

/// Asked by starts of MySQL 5.6.24 and 9.7.4, MariaDB 10.11.19 and 11.8.9: "Too many arguments (first extra is '–max-connections=5')".
fn has_typographic_dash(word: &Word) -> bool {
    let begins = |dash: &char| word.value.starts_with(dash.encode_utf8(&mut [0; 4]).as_bytes());
    TYPOGRAPHIC_DASHES.iter().any(begins)
}

/// Whether a word is the name of a server's program.
pub fn is_server(word: &Word) -> bool {
    word.value.rsplit(|byte| *byte == b'/').next().is_some_and(|name| SERVERS.contains(&name))
}

/// The words of the last command of a script that starts a server; the script lies in the carrier from `start`, byte for byte.
/// Where lines are folded, a newline is a blank.
pub fn of_script(script: &[u8], start: u32, is_folded: bool) -> Vec<Word> {
    let is_end = |word: &Word| {
        let bytes = word.value.as_slice();
        matches!(bytes, b"&&" | b"||" | b"|" | b"&") || bytes.ends_with(b";")
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < script.len() {
        let goes_on = |end: usize| is_folded || script[at..end].ends_with(b"\\\n");
        let newlines = memchr::memchr_iter(b'\n', &script[at..]).map(|newline| at + newline + 1);
        let end = newlines.into_iter().find(|end| !goes_on(*end)).unwrap_or(script.len());
        let words = split(&script[at..end], start + at as u32);
        at = end;
        let Some(server) = words.iter().rposition(is_server) else { continue };
        let first = words[..server].iter().rposition(is_end).map_or(0, |end| end + 1);
        let length = words[server..].iter().position(is_end).unwrap_or(words.len() - server);
        found = words[first..server + length].to_vec();
    }
    found
}

/// Whether `--port 3306` is one option: where a value may be left out, the next word is none. Measured on 9.7.4 and 11.8.9.
fn takes_next(name: &[u8]) -> bool {
    let argument = |flavor| {
        let server = Server { flavor, version: catalog::horizon(flavor) };
        match catalog::resolve(name, server) {
            Resolved::Option { id, prefixes, .. } if prefixes.effect == Effect::None => {
                Some(catalog::entry(id, server).shape.argument)
            }
            Resolved::Option { .. } => Some(Argument::None),
            _ => None,
        }
    };
    let known = argument(Flavor::Mysql).or_else(|| argument(Flavor::Mariadb));
    !matches!(known, Some(Argument::Optional | Argument::None))
}

#[derive(Default)]
struct Builder {
    bytes: Vec<u8>,
    map: ByteMap,
    places: Vec<ArgumentPlace>,
}

impl Builder {
    fn write(&mut self, bytes: &[u8], outer: Span) {
        self.bytes.extend_from_slice(bytes);
        self.map.push(bytes.len() as u32, outer);
    }

    fn option(&mut self, word: &Word, name: &[u8], value: Option<&[u8]>, next: Option<&Word>) {
        if let Some((at, comment)) = &word.above {
            self.write(comment, *at);
            self.write(b"\n", Span::new(at.end, at.end));
        }
        let start = self.bytes.len() as u32;
        let dashes: &[u8] = if has_typographic_dash(word) { b"" } else { b"--" };
        let content = word.content.map(|content| Span::new(content.start + dashes.len() as u32, content.end));
        let part = |from: usize, length: usize| {
            content.map(|content| {
                let from = content.start + from as u32;
                Span::new(from, from + length as u32)
            })
        };
        self.copy(name, part(0, name.len()), word.span);
        let mut end = content.unwrap_or(word.span).end;
        if let Some(value) = value {
            self.copy(b"=", part(name.len(), 1), word.span);
            let outer = part(name.len() + 1, value.len());
            match word.default.as_deref().and_then(|default| default.get(dashes.len() + name.len() + 1..)) {
                Some(default) => self.value(default, None, outer.unwrap_or(word.span)),
                None => self.value(value, outer, word.span),
            }
        } else if let Some(next) = next {
            self.write(b"=", Span::new(end, end));
            self.value(&next.value, next.content, next.span);
            end = next.span.end;
        }
        let named = Span::new(start, self.bytes.len() as u32);
        if let Some((at, comment)) = &next.unwrap_or(word).behind {
            self.write(b" ", Span::new(end, at.start));
            self.write(comment, *at);
            end = at.end;
        }
        self.write(b"\n", Span::new(end, end));
        let removal = match next {
            Some(next) => word.removal.zip(next.removal).map(|(first, second)| first.to(second)),
            None => word.removal,
        };
        let line = Span::new(start, self.bytes.len() as u32);
        let text = match content {
            Some(content) if dashes.is_empty() => Some(ArgumentText::Undashed(content)),
            Some(content) => Some(ArgumentText::Behind(content)),
            None => word.removal.map(|_| ArgumentText::Whole(word.span)),
        };
        let text = text.filter(|_| next.is_none_or(|next| next.removal.is_some()));
        let next = next.and_then(|next| next.removal);
        self.places.push(ArgumentPlace { line, named, text, next, removal });
    }

    /// What stands in the carrier as it is, or is said there by other bytes.
    fn copy(&mut self, bytes: &[u8], content: Option<Span>, span: Span) {
        match content {
            Some(content) => self.write(bytes, content),
            None => self.spell(bytes, span),
        }
    }

    fn spell(&mut self, bytes: &[u8], outer: Span) {
        self.bytes.extend_from_slice(bytes);
        self.map.push_spelled(bytes.len() as u32, outer);
    }

    /// Quoted where an option file would take a byte for something else; also 0xA0 is a blank there.
    fn value(&mut self, value: &[u8], content: Option<Span>, span: Span) {
        let outer = content.unwrap_or(span);
        if let Some(markup) = super::shell_words::unknown(value) {
            return self.spell(markup, outer);
        }
        let is_plain = |byte: &u8| byte.is_ascii_graphic() && !b"\"'\\#".contains(byte);
        if value.iter().all(is_plain) {
            return self.copy(value, content, span);
        }
        let mut quoted = vec![b'"'];
        for byte in value {
            match byte {
                b'\n' => quoted.extend_from_slice(b"\\n"),
                b'\r' => quoted.extend_from_slice(b"\\r"),
                b'\\' | b'"' => quoted.extend_from_slice(&[b'\\', *byte]),
                byte => quoted.push(*byte),
            }
        }
        quoted.push(b'"');
        self.spell(&quoted, outer);
    }
}

/// Where the gap before a word begins that goes with it: its blanks, and the whole line of a word that stands alone on one.
fn gap(text: &[u8], begin: usize, end: usize) -> usize {
    let before = text[..begin].trim_ascii_end();
    let lines = text[before.len()..begin].iter().filter(|byte| **byte == b'\n').count();
    let is_last = text.get(end).is_none_or(|byte| *byte == b'\n');
    if lines == 1 && is_last && !before.is_empty() && !before.ends_with(b"\\") {
        return before.len();
    }
    begin - text[..begin].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The words of a command in one text, as a shell splits them; the text lies in the carrier from `start`, byte for byte. There are none
/// where a quote is left open: nothing runs such a command.
pub fn split(text: &[u8], start: u32) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at].is_ascii_whitespace() || text[at..].starts_with(b"\\\n") {
            at += 1 + usize::from(text[at] == b'\\');
            continue;
        }
        let begin = at;
        let (mut value, mut quote) = (Vec::new(), None);
        let (mut quotes, mut has_escape) = (0, false);
        while let Some(&byte) = text.get(at) {
            match (quote, byte) {
                (None, b'\'' | b'"') => {
                    quote = Some(byte);
                    quotes += 1;
                }
                (Some(open), byte) if open == byte => quote = None,
                (None | Some(b'"'), b'\\') => {
                    at += 1;
                    has_escape = true;
                    value.extend(text.get(at).filter(|byte| **byte != b'\n'));
                }
                (None, byte) if byte.is_ascii_whitespace() => break,
                (_, byte) => value.push(byte),
            }
            at += 1;
        }
        if quote.is_some() {
            return Vec::new();
        }
        let end = at.min(text.len());
        let span = Span::new(start + begin as u32, start + end as u32);
        let removal = (begin > 0).then(|| Span::new(start + gap(text, begin, end) as u32, span.end));
        let is_quoted = quotes == 1 && matches!(text[begin], b'\'' | b'"') && value.len() + 2 == end - begin;
        let content = match quotes {
            _ if has_escape => None,
            0 => Some(span),
            _ => is_quoted.then(|| Span::new(span.start + 1, span.end - 1)),
        };
        words.push(Word { value, span, content, removal, ..Word::default() });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::optionfile::{self, ReadOptions, groups_read};
    use crate::source::{MemoryFiles, SourceFile, Sources};
    use proptest::prelude::*;

    /// What a server makes of the options of a command.
    fn read_back(text: &[u8], server: Server) -> Vec<Vec<u8>> {
        let arguments = of_command(&split(text, 0), None).unwrap();
        let mut sources = Sources::default();
        let root = sources.add(SourceFile::new("flags", arguments.part.bytes));
        let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
        let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[root], &options);
        optionfile::arguments(&document, &groups_read("mysqld", server))
    }

    const SERVERS: [Server; 3] = [
        Server::new(Flavor::Mysql, 9, 7, 4),
        Server::new(Flavor::Mysql, 5, 6, 24),
        Server::new(Flavor::Mariadb, 11, 8, 9),
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Written as an option file, flags are what they were, whatever their bytes.
        #[test]
        fn flags_survive(value in prop::collection::vec(any::<u8>().prop_filter("a variable", |byte| !b"\0$".contains(byte)), 0..12)) {
            let flag = [b"--init-connect=".as_slice(), &value].concat();
            let word = Word { value: flag.clone(), ..Word::default() };
            let arguments = of_command(&[word], None).unwrap();
            for server in SERVERS {
                let mut sources = Sources::default();
                let root = sources.add(SourceFile::new("flags", arguments.part.bytes.clone()));
                let options = ReadOptions { server, working_directory: "/".into(), home: None, include_root: None };
                let document = optionfile::read(&mut sources, &MemoryFiles::default(), &[root], &options);
                prop_assert_eq!(optionfile::arguments(&document, &groups_read("mysqld", server)), [flag.clone()]);
            }
        }
    }

    #[test]
    fn commands_are_split_as_a_shell_does() {
        for server in SERVERS {
            assert_eq!(
                read_back(
                    b"exec mysqld --port 3307 --sql-mode=\"\" --init-connect='a \"b\"' \\\n --skip-log-bin",
                    server
                ),
                [&b"--port=3307"[..], b"--sql-mode=", b"--init-connect=a \"b\"", b"--skip-log-bin"]
            );
        }
        assert_eq!(
            read_back(b"--innodb-flush-log-at-trx-commit 2 --skip-name-resolve x --port 1", SERVERS[0]),
            [&b"--innodb-flush-log-at-trx-commit"[..], b"--skip-name-resolve", b"--port=1"]
        );
        for other in [&b"mysqladmin --port 1"[..], b"mysqld --initialize --port=1", b"mysqld", b""] {
            assert!(of_command(&split(other, 0), None).is_none());
        }
        let none = of_command(&split(b"--no-defaults --port=1", 0), None).unwrap();
        assert!(none.no_files);
        let only = of_command(&split(b"mysqld --defaults-file=/x.cnf", 0), None).unwrap();
        assert_eq!(only.only.as_deref(), Some(&b"/x.cnf"[..]));
    }
}
