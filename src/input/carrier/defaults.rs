//! What a compose file puts in place of its variables where nobody sets them: `${NAME:-default}`.

/// The text with the defaults of its variables. A variable without one is nothing.
pub fn with_defaults(text: &str) -> String {
    filled_in(text, |_| Some("")).unwrap_or_default()
}

/// The same where every variable has a default; `None` where one has none, or there is none.
pub fn only_defaults(text: &str) -> Option<String> {
    if text.contains('$') { filled_in(text, |_| None) } else { None }
}

/// `$$` is a `$`. What stands for a variable without a default is asked for by its name.
fn filled_in<'t>(text: &'t str, without: impl Fn(&str) -> Option<&'t str>) -> Option<String> {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        written.push_str(before);
        if let Some(behind) = behind.strip_prefix('$') {
            written.push('$');
            rest = behind;
            continue;
        }
        let Some(behind) = behind.strip_prefix('{') else {
            let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(behind.len());
            written.push_str(without(&behind[..end])?);
            rest = &behind[end..];
            continue;
        };
        let (variable, behind) = behind.split_once('}').unwrap_or((behind, ""));
        let default = variable.split_once(":-").or_else(|| variable.split_once('-')).map(|(_, default)| default);
        match default {
            // One within another is told by the outer one alone.
            Some(default) if !default.contains('$') => written.push_str(default),
            _ => written.push_str(without(variable)?),
        }
        rest = behind;
    }
    Some(written + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_have_defaults() {
        assert_eq!(with_defaults("mysql:${V:-8.4}${X}"), "mysql:8.4");
        assert_eq!(only_defaults("--a=${A:-1}M$$"), Some("--a=1M$".to_owned()));
        assert_eq!(
            [only_defaults("--a=$A"), only_defaults("--a=${A:?no}"), only_defaults("--a=1")],
            [None, None, None]
        );
    }
}
