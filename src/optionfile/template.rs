//! Template markup in a file that something else fills in before a server reads it.

/// Whether the bytes hold markup that will be replaced: `{{ x }}`, `{% x %}`, `<%= x %>`, `${x}`, `@X@`.
pub fn has_markup(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().any(|(at, byte)| {
        let rest = &bytes[at + 1..];
        match byte {
            b'{' => (rest.starts_with(b"{") && holds(rest, b"}}")) || (rest.starts_with(b"%") && holds(rest, b"%}")),
            b'<' => rest.starts_with(b"%") && holds(rest, b"%>"),
            b'$' => rest.starts_with(b"{") && rest.contains(&b'}'),
            b'@' => is_at_variable(rest),
            _ => false,
        }
    })
}

/// Whether a whole line steers a template and leaves nothing behind: `{% if x %}`, `<% x %>`, `{{- end }}`.
pub fn is_control_line(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let wrapped = |open: &[u8], close: &[u8]| line.starts_with(open) && line.ends_with(close);
    wrapped(b"{%", b"%}") || wrapped(b"{#", b"#}") || wrapped(b"<%", b"%>") || wrapped(b"{{", b"}}")
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
    fn control_lines_stand_alone() {
        for line in ["{% if x %}", "  {{- end }}\r\n", "<% if y -%>", "{# note #}"] {
            assert!(is_control_line(line.as_bytes()), "{line}");
        }
        for line in ["a = {{ x }}", "{{ name }} = 1", "[mysqld]"] {
            assert!(!is_control_line(line.as_bytes()), "{line}");
        }
    }
}
