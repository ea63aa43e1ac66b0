//! Template markup in a file that something else fills in before a server reads it.

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
}
