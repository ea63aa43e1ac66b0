//! What `echo` and `printf` write into option files.

use super::option_file::is_option_file;
use super::part::{Encoding, Part};
use super::printed::{Echo, echoed, printed};
use super::script::WrittenFile;
use super::shell_lexer::{self, Token, Word};
use super::shell_words::Text;
use crate::source::{ByteMap, Span};

/// How deep scripts within the arguments of a `sh -c` are followed.
const DEEPEST: usize = 2;

/// The option files that a stretch of a script writes line by line.
pub fn option_files(bytes: &[u8], stretch: Span, echo: Echo) -> Vec<WrittenFile> {
    let script = stretch.of(bytes);
    if !may_hold(script) {
        return Vec::new();
    }
    let mut place = ByteMap::default();
    place.push(script.len() as u32, stretch);
    let mut found = Vec::new();
    for Document { path, texts } in documents(pieces(script, echo, 0)) {
        let Text { bytes, map } = joined(&texts);
        if is_option_file(&String::from_utf8_lossy(&bytes), &path) {
            let encoding = Encoding::Escaped { takes_newlines: true };
            found.push(WrittenFile { path, part: Part { bytes, map: map.through(&place), encoding } });
        }
    }
    found
}

/// Whether a script may write a file in this way.
pub fn may_hold(script: &[u8]) -> bool {
    ["echo", "printf"].iter().any(|word| memchr::memmem::find(script, word.as_bytes()).is_some())
}

/// What one command prints.
#[derive(Clone, Debug)]
struct Piece {
    text: Text,
    /// The file that it goes to, as the script calls it, and whether what was there stays.
    to: Option<(String, bool)>,
    /// The conditions and loops around it, outermost first.
    inside: Vec<Branch>,
}

/// One branch of a condition, or the body of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Branch {
    /// The number of the construct in its script.
    construct: usize,
    /// The number of the branch in the construct.
    arm: usize,
    is_loop: bool,
}

/// The pieces that go to one file, one after the other.
struct Document {
    path: String,
    texts: Vec<Piece>,
}

fn documents(pieces: Vec<Piece>) -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    for piece in pieces {
        let Some((path, appends)) = piece.to.clone() else { continue };
        match documents.iter_mut().rfind(|document| document.path == path) {
            Some(document) if appends => document.texts.push(piece),
            _ => documents.push(Document { path, texts: vec![piece] }),
        }
    }
    documents
}

/// The texts of one file with the conditions between them as a template would write them.
fn joined(pieces: &[Piece]) -> Text {
    let around = pieces.iter().map(|piece| &*piece.inside).reduce(shared).map_or(0, <[Branch]>::len);
    let mut text = Text::default();
    let mut open: &[Branch] = &[];
    for piece in pieces {
        let inside = &piece.inside[around..];
        let same = shared(open, inside).len();
        let at = piece.text.map.outer(Span::default()).start;
        let mut write = |markup: &str| text.replace(markup.as_bytes(), at as usize, 0);
        let continues = match (open.get(same), inside.get(same)) {
            (Some(old), Some(new)) => old.construct == new.construct && !new.is_loop,
            _ => false,
        };
        let kept = same + usize::from(continues);
        open[kept.min(open.len())..].iter().rev().for_each(|branch| write(branch.close()));
        if continues {
            write("{% elif x %}\n");
        }
        inside[kept..].iter().for_each(|branch| write(branch.open()));
        open = inside;
        text.append(&piece.text);
    }
    let end = text.map.end(text.bytes.len() as u32) as usize;
    open.iter().rev().for_each(|branch| text.replace(branch.close().as_bytes(), end, 0));
    text
}

impl Branch {
    const fn open(self) -> &'static str {
        if self.is_loop { "{% for x in y %}\n" } else { "{% if x %}\n" }
    }

    const fn close(self) -> &'static str {
        if self.is_loop { "{% endfor %}\n" } else { "{% endif %}\n" }
    }
}

fn shared<'b>(one: &'b [Branch], other: &'b [Branch]) -> &'b [Branch] {
    &one[..one.iter().zip(other).take_while(|(one, other)| one == other).count()]
}

/// What every `echo` and `printf` of a script prints, and where to.
fn pieces(script: &[u8], echo: Echo, depth: usize) -> Vec<Piece> {
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
        let output = self.output.take();
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
        let printed = match command.get(sudo) {
            Some(name) if name.is("echo") => Some(echoed(&command[sudo + 1..], self.echo)),
            Some(name) if name.is("printf") => printed(&command[sudo + 1..]),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn files(script: &str, echo: Echo) -> Vec<(String, String)> {
        let written = option_files(script.as_bytes(), Span::new(0, script.len() as u32), echo);
        written.into_iter().map(|file| (file.path, String::from_utf8(file.part.bytes).unwrap())).collect()
    }

    fn written(script: &str) -> String {
        files(script, Echo::Keeps).into_iter().map(|(path, text)| format!("{path}: {text}")).collect()
    }

    #[test]
    fn lines_are_gathered_by_their_files() {
        assert_eq!(
            written(
                "echo '[mysqld]' > /a.cnf\necho [client] >/b.cnf; echo \"port = $PORT\" | sudo tee -a /a.cnf >/dev/null\n"
            ),
            "/a.cnf: [mysqld]\nport = ${xx}\n/b.cnf: [client]\n".replace("${xx}", "${x}")
        );
        assert_eq!(
            written("true && { echo '[mysqld]'; \\\n echo a=1; \\\n} > a.cnf && (echo '[mysql]'; echo b) >> b.cnf\n"),
            "a.cnf: [mysqld]\na=1\nb.cnf: [mysql]\nb\n"
        );
        assert_eq!(written("f() { echo '[mysqld]\na = 1'; }\nf\n"), "");
        assert_eq!(
            written("echo '[mysqld]' > a; echo '[mysqld]' > a; echo 'x=1' >> a"),
            "a: [mysqld]\na: [mysqld]\nx=1\n"
        );
        assert_eq!(written("sudo bash -c \"echo '[mysqld]' > a; echo x=\\\"1\\\" >> a\""), "a: [mysqld]\nx=1\n");
        assert_eq!(written("cat > a <<X\nx\necho [mysqld] > b\nX\necho x=1 >> b # echo [mysqld] > c"), "");
    }

    #[test]
    fn escapes_and_formats_are_carried_out() {
        assert_eq!(written("echo -e '[mysqld]\\na=1\\t2' > a"), "a: [mysqld]\na=1\t2\n");
        assert_eq!(written("echo -n '[mysqld]' > a; echo >> a; echo a  b >> a"), "a: [mysqld]\na b\n");
        assert_eq!(files("echo '[mysqld]\\na=1' > a", Echo::Unescapes)[0].1, "[mysqld]\na=1\n");
        assert_eq!(written("printf '[mysqld]\\n%s=%s\\n' a 1 b 2 > a"), "a: [mysqld]\na=1\n[mysqld]\nb=2\n");
        assert_eq!(written("printf '%s\\n' '[mysqld]' 'a=100%' > a"), "a: [mysqld]\na=100%\n");
        assert_eq!(written("printf '[mysqld]\\na=50%%\\nb=%5d' 3 > a"), "a: [mysqld]\na=50%\nb=${x}");
        assert_eq!(written("printf -v X '[mysqld]' > a"), "");
    }

    #[test]
    fn conditions_are_written_as_a_template_would() {
        assert_eq!(
            written(
                "echo [mysqld] > a\nif x; then\n echo a=1 >> a\nelif y; then :\nelse echo a=2 >> a\nfi\n\
                 for i in 1 2; do echo b=$i >> a; done\ncase $x in 1|2) echo c=1 >> a;; (*) echo c=2 >> a;; esac\necho d=1 >> a\n"
            ),
            "a: [mysqld]\n{% if x %}\na=1\n{% elif x %}\na=2\n{% endif %}\n{% for x in y %}\nb=${x}\n{% endfor %}\n\
             {% if x %}\nc=1\n{% elif x %}\nc=2\n{% endif %}\nd=1\n"
        );
        assert_eq!(written("if x; then echo [mysqld] > a; echo b=1 >> a; fi"), "a: [mysqld]\nb=1\n");
    }
}
