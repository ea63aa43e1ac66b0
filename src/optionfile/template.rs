//! Template markup in a file that something else fills in before a server reads it.

use crate::source::Span;

/// Whether the bytes hold markup that will be replaced: `{{ x }}`, `{% x %}`, `<%= x %>`, `${x}`, `@X@`.
pub fn has_markup(bytes: &[u8]) -> bool {
    // Looked for once, from the end: a long run of `{` must not cost the square of its length.
    let last = |close: &[u8]| bytes.windows(close.len()).rposition(|window| window == close).unwrap_or(0);
    let mut closes: Option<[usize; 4]> = None;
    bytes.iter().enumerate().any(|(at, byte)| {
        let next = bytes.get(at + 1);
        if let (b'{' | b'<' | b'$', Some(b'{' | b'%')) = (byte, next) {
            let [braces, block, angle, brace] =
                *closes.get_or_insert_with(|| [last(b"}}"), last(b"%}"), last(b"%>"), last(b"}")]);
            return match (byte, next) {
                (b'{', Some(b'{')) => braces > at,
                (b'{', _) => block > at,
                (b'<', Some(b'%')) => angle > at,
                (b'$', Some(b'{')) => brace > at,
                _ => false,
            };
        }
        *byte == b'@' && is_at_variable(&bytes[at + 1..])
    })
}

/// Whether a whole line steers a template and leaves nothing behind: `{% if x %}`, `<% x %>`, `{{- end }}`.
pub fn is_control_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let wrapped = |open: &[u8], close: &[u8]| line.starts_with(open) && line.ends_with(close);
    wrapped(b"{%", b"%}") || wrapped(b"{#", b"#}") || wrapped(b"<%", b"%>") || wrapped(b"{{", b"}}")
}

/// The tags and comments that begin a line and go over several, to the end of their last line: `{% if a or\n b %}`, `{# … #}`.
pub(super) fn spread_out(bytes: &[u8]) -> Vec<Span> {
    const TAGS: [(&[u8], &[u8]); 3] = [(b"{%", b"%}"), (b"{#", b"#}"), (b"<%", b"%>")];
    let mut tags = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let line_end =
            |from: usize| bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| from + at + 1);
        let mut end = line_end(start);
        let line = bytes[start..end].trim_ascii();
        let opened = TAGS.iter().find(|(open, close)| line.starts_with(open) && !holds(line, close));
        let closed =
            opened.and_then(|(_, close)| Some(end + bytes[end..].windows(2).position(|window| window == *close)?));
        if let Some(closed) = closed {
            end = line_end(closed);
            tags.push(Span::new(start as u32, end as u32));
        } else if opened.is_some() {
            // Nobody closes it, nor any other: each is looked for once.
            break;
        }
        start = end;
    }
    tags
}

/// The parts of a template from a line that opens a block (`{% if x %}`) to the one that closes it, both included: what
/// stands there may come once, often or not at all. A block that nobody closes goes to the end.
pub fn steered(bytes: &[u8]) -> Vec<Span> {
    let mut blocks = Vec::new();
    let (mut depth, mut opened) = (0_u32, 0);
    let spread = spread_out(bytes);
    let mut next = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let start = next;
        next += line.len() as u32;
        let (mut line, mut end) = (line, next);
        if let Some(tag) = spread.iter().find(|tag| tag.start <= start && start < tag.end) {
            // The tag as one line, at its first.
            if tag.start < start {
                continue;
            }
            (line, end) = (tag.of(bytes), tag.end);
        }
        match is_control_line(line).then(|| steers(line)).flatten() {
            Some(Steers::Opens) => {
                if depth == 0 {
                    opened = start;
                }
                depth += 1;
            }
            Some(Steers::Closes) if depth <= 1 => {
                blocks.push(Span::new(if depth == 1 { opened } else { start }, end));
                depth = 0;
            }
            Some(Steers::Closes) => depth -= 1,
            None if depth == 0 && is_control_line(line) => blocks.push(Span::new(start, end)),
            None => {}
        }
    }
    if depth > 0 {
        blocks.push(Span::new(opened, next));
    }
    blocks
}

enum Steers {
    Opens,
    Closes,
}

/// What a control line does to blocks, in Jinja, ERB, Go's templates and Handlebars.
fn steers(line: &[u8]) -> Option<Steers> {
    const OPENING: [&[u8]; 16] = [
        b"if",
        b"unless",
        b"for",
        b"foreach",
        b"while",
        b"range",
        b"with",
        b"block",
        b"define",
        b"macro",
        b"call",
        b"filter",
        b"case",
        b"switch",
        b"raw",
        b"autoescape",
    ];
    let (mark, words) = line.trim_ascii().split_at_checked(2)?;
    let words = words.strip_prefix(b"-").unwrap_or(words).trim_ascii_start();
    let word = &words[..words.iter().take_while(|byte| byte.is_ascii_alphabetic()).count()];
    let erb = mark == b"<%";
    match words.first()? {
        _ if mark == b"{#" => None,
        b'/' => Some(Steers::Closes),
        b'}' if erb => Some(Steers::Closes),
        b'#' | b'^' if mark == b"{{" => Some(Steers::Opens),
        _ if word.starts_with(b"end") => Some(Steers::Closes),
        _ if OPENING.contains(&word) => Some(Steers::Opens),
        // `<% @hosts.each do |host| %>`, `<% foreach (…) { %>`
        _ if erb && (holds(words, b" do ") || holds(words, b"{ ")) => Some(Steers::Opens),
        _ => None,
    }
}

fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

/// `@DATADIR@`: capitals only, since `user@host@` is no markup.
fn is_at_variable(rest: &[u8]) -> bool {
    let length = rest.iter().take_while(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_')).count();
    length > 0 && rest.get(length) == Some(&b'@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_told_from_text() {
        for text in ["{{ ram }}", "<%= @ram %>", "/x/${NAME}/y", "@DATA_DIR@/x", "{% raw %}"] {
            assert!(has_markup(text.as_bytes()), "{text}");
        }
        for text in ["user@host", "root@%@x", "{}", "a{{b", "50%", "<%", "$x", "@localhost@"] {
            assert!(!has_markup(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_long_run_of_braces_is_looked_at_once() {
        let run = vec![b'{'; 4 << 20];
        let started = std::time::Instant::now();
        assert!(!has_markup(&run));
        assert!(started.elapsed() < std::time::Duration::from_secs(5), "{:?}", started.elapsed());
    }

    #[test]
    fn control_lines_stand_alone() {
        for line in ["{% if x %}", "  {{- end }}\r\n", "<% if y -%>", "{# note #}"] {
            assert!(is_control_line(line.as_bytes()), "{line}");
        }
        for line in ["a = {{ x }}", "{{ name }} = 1", "[mysqld]"] {
            assert!(!is_control_line(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn tags_over_several_lines_are_taken_whole() {
        let text = b"a=1\n{% if a or\n      b %}\nc=1\n{# note\n # more\n #}\nd=1\n{% open\ne=1\n";
        let spans = spread_out(text);
        let tags: Vec<_> = spans.iter().map(|span| std::str::from_utf8(span.of(text)).unwrap()).collect();
        assert_eq!(tags, ["{% if a or\n      b %}\n", "{# note\n # more\n #}\n"]);
        assert_eq!(spread_out(b"{% if a %}\nb=1\n{% endif %}\n"), []);
    }

    #[test]
    fn what_a_block_steers_is_known_to_its_end() {
        let parts = |text: &'static str| -> Vec<&'static str> {
            let text_of = |span: &Span| std::str::from_utf8(span.of(text.as_bytes())).unwrap();
            steered(text.as_bytes()).iter().map(text_of).collect()
        };
        assert_eq!(parts("a=1\nb={{ x }}\n"), [""; 0]);
        let nested = "{% if x %}\na=1\n{%- for y in z %}\nb=1\n{% endfor %}\n{% else %}\nc=1\n{% endif %}\n";
        assert_eq!(parts(&*Box::leak(format!("x=1\n{nested}y=2\n").into_boxed_str())), [nested]);
        assert_eq!(parts("<% if @x -%>\na=1\n<% end -%>\nb=2\n"), ["<% if @x -%>\na=1\n<% end -%>\n"]);
        assert_eq!(parts("{{- if .x }}\na=1\n{{ end }}\nb=2\n{{ .extra }}\n").len(), 2);
        assert_eq!(parts("{{#if x}}\na=1\n{{/if}}\nb=2"), ["{{#if x}}\na=1\n{{/if}}\n"]);
        assert_eq!(parts("a=1\n{% if x %}\nb=1"), ["{% if x %}\nb=1"]);
        let spread = "{% if x or\n  y %}\nb=1\n{% endif %}\n";
        assert_eq!(parts("{% if x or\n  y %}\nb=1\n{% endif %}\nc=1\n"), [spread]);
    }
}
