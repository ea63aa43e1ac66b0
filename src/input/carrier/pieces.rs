//! What the commands of a script print, and into which files.

use super::printed::{Echo, echoed, printed};
use super::shell_lexer::{self, Token, Word};
use super::shell_words::Text;
use std::collections::BTreeMap;

/// How deep scripts within the arguments of a `sh -c` are followed.
const DEEPEST: usize = 2;

/// What one command prints.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub text: Text,
    /// The file that it goes to, as the script calls it, and whether what was there stays.
    pub to: Option<(String, bool)>,
    /// The conditions and loops around it, outermost first.
    pub inside: Vec<Branch>,
}

/// One branch of a condition, or the body of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The number of the construct in its script.
    pub construct: usize,
    /// The number of the branch in the construct.
    pub arm: usize,
    /// Whether it may come several times.
    pub is_loop: bool,
}

impl Branch {
    /// The line of a template that begins it.
    pub const fn open(self) -> &'static str {
        if self.is_loop { "{% for x in y %}\n" } else { "{% if x %}\n" }
    }

    /// The line that ends it.
    pub const fn close(self) -> &'static str {
        if self.is_loop { "{% endfor %}\n" } else { "{% endif %}\n" }
    }
}

/// What every `echo` and `printf` of a script prints, and where to.
pub fn pieces(script: &[u8], echo: Echo, depth: usize) -> Vec<Piece> {
    let mut reader = Reader { script, echo, depth, ..Reader::default() };
    for token in shell_lexer::tokens(script) {
        reader.take(token);
    }
    reader.end_command();
    reader.pieces
}

/// What is open while a script is read.
#[derive(Clone, Copy, Debug)]
enum Open {
    /// `{` or `(`: what it prints begins with this piece.
    Group(usize),
    /// `if`, `case`, `while` and their like.
    Branch(Branch),
    /// The arguments of a function, or the values of an array.
    Nothing,
}

struct Reader<'s> {
    script: &'s [u8],
    echo: Echo,
    depth: usize,
    pieces: Vec<Piece>,
    open: Vec<Open>,
    constructs: usize,
    words: Vec<Word>,
    output: Option<(String, bool)>,
    /// The first piece of what the command writes: its own, or that of the group that just ended.
    first: Option<usize>,
    /// The first piece of what comes through the pipe.
    piped: Option<usize>,
    /// Whether a pattern of a `case` comes next.
    in_pattern: bool,
    /// The group that an option was set in last, by file.
    groups: BTreeMap<String, Vec<u8>>,
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Self {
            script: b"",
            echo: Echo::Keeps,
            depth: 0,
            pieces: Vec::new(),
            open: Vec::new(),
            constructs: 0,
            words: Vec::new(),
            output: None,
            first: None,
            piped: None,
            in_pattern: false,
            groups: BTreeMap::new(),
        }
    }
}

impl Reader<'_> {
    fn take(&mut self, token: Token) {
        match token {
            Token::Word(word) => self.word(word),
            Token::Output { appends, file } => {
                self.output = Some((self.path(&file), appends));
            }
            Token::Operator("(") if self.in_pattern => {}
            Token::Operator("(") if self.words.is_empty() && self.first.is_none() => {
                self.open.push(Open::Group(self.pieces.len()));
            }
            Token::Operator("(") => self.open.push(Open::Nothing),
            Token::Operator(")") => self.close_bracket(),
            Token::Operator("|" | "|&") => {
                let piped = self.end_command();
                self.piped = piped;
            }
            Token::Operator(operator) => {
                self.end_command();
                self.in_pattern |= operator == ";;";
            }
        }
    }

    fn word(&mut self, word: Word) {
        if matches!(self.open.last(), Some(Open::Nothing)) {
            return;
        }
        if !self.words.is_empty() || word.is_quoted {
            if self.words.first().is_some_and(|first| first.is("case")) && word.is("in") {
                self.words.clear();
                self.in_pattern = true;
            } else {
                self.words.push(word);
            }
            return;
        }
        match word.text.bytes.as_slice() {
            b"{" => self.open.push(Open::Group(self.pieces.len())),
            b"}" => self.close_group(),
            b"if" => self.begin(false),
            b"while" | b"until" => self.begin(true),
            b"for" | b"select" => {
                self.begin(true);
                self.words.push(word);
            }
            b"case" => {
                self.begin(false);
                self.words.push(word);
            }
            b"elif" | b"else" => self.next_arm(),
            b"fi" | b"esac" | b"done" => {
                let is_branch = |open: &Open| matches!(open, Open::Branch(_));
                if let Some(at) = self.open.iter().rposition(is_branch) {
                    self.open.truncate(at);
                }
                self.in_pattern = false;
            }
            b"then" | b"do" | b"!" | b"time" => {}
            _ => self.words.push(word),
        }
    }

    fn begin(&mut self, is_loop: bool) {
        self.constructs += 1;
        self.open.push(Open::Branch(Branch { construct: self.constructs, arm: 0, is_loop }));
    }

    fn next_arm(&mut self) {
        let branch = self.open.iter_mut().rev().find_map(|open| match open {
            Open::Branch(branch) => Some(branch),
            _ => None,
        });
        branch.into_iter().for_each(|branch| branch.arm += 1);
    }

    fn close_bracket(&mut self) {
        match self.open.last() {
            Some(Open::Nothing) => {
                self.open.pop();
                // `name()` begins a function.
                self.words.clear();
            }
            Some(Open::Branch(_)) if self.in_pattern => {
                self.words.clear();
                self.in_pattern = false;
                self.next_arm();
            }
            _ => {
                self.end_command();
                self.close_group();
            }
        }
    }

    fn close_group(&mut self) {
        if let Some(Open::Group(first)) = self.open.last().copied() {
            self.open.pop();
            self.first = Some(first);
        }
    }

    /// Ends a command; the first piece of what it leaves to a pipe.
    fn end_command(&mut self) -> Option<usize> {
        let words = std::mem::take(&mut self.words);
        let mut output = self.output.take();
        let piped = self.piped.take();
        let mut first = self.first.take();
        let text = |word: &Word| String::from_utf8_lossy(&word.text.bytes).into_owned();
        let is_setting = |word: &&Word| !word.is_quoted && is_assignment(&word.text.bytes);
        let command = &words[words.iter().take_while(is_setting).count()..];
        let position = |names: &[&str]| command.iter().position(|word| names.iter().any(|name| word.is(name)));
        let sudo = position(&["sudo"]).filter(|at| *at == 0).map_or(0, |at| at + 1);
        if let Some(at) = position(&["tee"])
            && piped.is_some()
        {
            let file = command[at + 1..].iter().find(|word| !word.text.bytes.starts_with(b"-"));
            let appends = command[at + 1..].iter().any(|word| word.is("-a") || word.is("--append"));
            let to = file.map(|file| (self.path(file), appends));
            self.send(piped, to);
            return None;
        }
        if let Some(piped) = piped {
            if command.len() == 1 && command[0].is("cat") {
                first = Some(piped);
            } else {
                // What another program makes of it is not known.
                let mut index = 0;
                self.pieces.retain(|piece| {
                    index += 1;
                    index <= piped || piece.to.is_some()
                });
            }
        }
        let printed = match command.get(sudo) {
            Some(name) if name.is("echo") => Some(echoed(&command[sudo + 1..], self.echo)),
            Some(name) if name.is("printf") => printed(&command[sudo + 1..]),
            Some(name) if name.is("crudini") => {
                let set = self.set_option(&command[sudo + 1..]);
                set.map(|(text, path)| {
                    output = Some((path, true));
                    text
                })
            }
            _ => None,
        };
        if let Some(text) = printed {
            first = Some(self.pieces.len());
            let branch = |open: &Open| match open {
                Open::Branch(branch) => Some(*branch),
                _ => None,
            };
            let inside = self.open.iter().filter_map(branch).collect();
            self.pieces.push(Piece { text, to: None, inside });
        } else if let Some(shell) = position(&["sh", "bash", "/bin/sh", "/bin/bash"])
            && command.get(shell + 1).is_some_and(|option| option.text.bytes.ends_with(b"c"))
            && let Some(script) = command.get(shell + 2)
            && self.depth < DEEPEST
        {
            let echo = if text(&command[shell]).ends_with("bash") { Echo::Keeps } else { self.echo };
            for mut piece in pieces(&script.text.bytes, echo, self.depth + 1) {
                piece.text.map = piece.text.map.through(&script.text.map);
                self.pieces.push(piece);
            }
        }
        self.send(first, output);
        first
    }

    /// What `crudini --set FILE GROUP OPTION VALUE` sets, and where.
    fn set_option(&mut self, words: &[Word]) -> Option<(Text, String)> {
        let sets = words.iter().any(|word| word.is("--set"));
        let words: Vec<_> = words.iter().filter(|word| !word.text.bytes.starts_with(b"--")).collect();
        let ([file, group, option, rest @ ..], true) = (words.as_slice(), sets) else { return None };
        let path = self.path(file);
        let mut text = Text::default();
        let put = |text: &mut Text, between: &[u8], word: &Word| text.replace(between, word.span.start as usize, 0);
        if self.groups.insert(path.clone(), group.text.bytes.clone()).as_ref() != Some(&group.text.bytes) {
            put(&mut text, b"[", group);
            text.append(&group.text);
            text.replace(b"]\n", group.span.end as usize, 0);
        }
        text.append(&option.text);
        if let Some(value) = rest.first() {
            put(&mut text, b" = ", value);
            text.append(&value.text);
        }
        text.replace(b"\n", rest.first().unwrap_or(option).span.end as usize, 0);
        Some((text, path))
    }

    /// A file as the script calls it, without quotes: two variables are two files.
    fn path(&self, file: &Word) -> String {
        let written = String::from_utf8_lossy(file.span.of(self.script));
        written.replace(['"', '\'', '\\'], "")
    }

    /// Sends what has no place yet to a file, from that piece on: the first of them overwrites what was there.
    fn send(&mut self, first: Option<usize>, to: Option<(String, bool)>) {
        let (Some(first), Some((path, mut appends))) = (first, to) else { return };
        for piece in self.pieces[first..].iter_mut().filter(|piece| piece.to.is_none()) {
            piece.to = Some((path.clone(), appends));
            appends = true;
        }
    }
}

/// `NAME=value` before a command.
fn is_assignment(word: &[u8]) -> bool {
    let name = word.split(|byte| *byte == b'=').next().unwrap_or_default();
    name.len() < word.len() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}
