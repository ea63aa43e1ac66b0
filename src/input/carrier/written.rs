//! What `echo` and `printf` write into option files.

use super::option_file::is_option_file;
use super::part::{Encoding, Part};
use super::pieces::{Branch, Piece, pieces};
use super::printed::Echo;
use super::script::WrittenFile;
use super::shell_words::Text;
use crate::source::{ByteMap, Span};

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
    ["echo", "printf", "crudini"].iter().any(|word| memchr::memmem::find(script, word.as_bytes()).is_some())
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

fn shared<'b>(one: &'b [Branch], other: &'b [Branch]) -> &'b [Branch] {
    &one[..one.iter().zip(other).take_while(|(one, other)| one == other).count()]
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
        assert_eq!(written("(echo [mysqld]; echo a | tr a b; echo b) | cat > a"), "a: [mysqld]\nb\n");
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
        assert_eq!(
            written(
                "echo > a\ncrudini --set a mysqld port 1\nsudo crudini --existing --set a mysqld b \"'x y'\" && crudini --del a mysqld c\n"
            ),
            "a: \n[mysqld]\nport = 1\nb = 'x y'\n"
        );
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
