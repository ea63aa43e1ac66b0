//! Which names hold secrets.

/// How the names of passwords, keys and tokens end.
const ENDINGS: [&str; 18] = [
    "password",
    "password1",
    "password2",
    "password3",
    "passwd",
    "pwd",
    "pass",
    "passphrase",
    "secret",
    "secret_wr",
    "secret_id",
    "secret_key",
    "access_key",
    "encrypt_key",
    "filekey",
    "token",
    "_auth",
    "secret_headers",
];

/// Names that end so and hold no secret: switches, names of plugins.
const HARMLESS: [&str; 9] = [
    "default_auth",
    "secure_auth",
    "mysql_native_password",
    "validate_password",
    "log_builtin_as_identified_by_password",
    "disconnect_on_expired_password",
    "connect_expired_password",
    "expired_password",
    "old_passwords",
];

/// Whether the value of an option must never be shown: passwords, keys, tokens. `name` as written, with any prefixes; names that no
/// server knows count too, and so does what follows the name where `=` was forgotten.
pub fn is_secret(name: &str) -> bool {
    let word = first_word(name.trim()).as_bytes();
    let last = word.last().map(|byte| spelled(*byte));
    let ends = |endings: &[&str]| {
        endings.iter().any(|ending| ending.as_bytes().last().copied() == last && ends_with(word, ending))
    };
    // Clients take `passw=…`.
    let behind_loose = if starts_with(word, "loose_") { &word["loose_".len()..] } else { word };
    let abbreviated =
        || word.len() >= 4 && "password".get(..behind_loose.len()).is_some_and(|p| starts_with(behind_loose, p));
    let headers = || ends_with(word, "headers") && word.windows(4).any(|four| starts_with(four, "otlp"));
    ((ends(&ENDINGS) || is_misspelt(word)) && !ends(&HARMLESS)) || abbreviated() || headers()
}

/// What stands before a blank, `:` or `=`.
fn first_word(name: &str) -> &str {
    let ends = |c: char| c.is_whitespace() || matches!(c, ':' | '=');
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.as_bytes().iter().all(plain) { name } else { name.split(ends).next().unwrap_or_default() }
}

/// A byte of a name as the lists here spell it.
const fn spelled(byte: u8) -> u8 {
    if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() }
}

fn starts_with(word: &[u8], start: &str) -> bool {
    word.len() >= start.len() && word.iter().zip(start.bytes()).all(|(byte, other)| spelled(*byte) == other)
}

fn ends_with(word: &[u8], end: &str) -> bool {
    let start = word.len().checked_sub(end.len());
    start.is_some_and(|start| starts_with(&word[start..], end))
}

/// The part behind the last underscore is nearly one of the words.
fn is_misspelt(word: &[u8]) -> bool {
    let last = word.rsplit(|byte| spelled(*byte) == b'_').next().unwrap_or_default();
    (6..=12).contains(&last.len())
        && last.first().is_some_and(|first| spelled(*first) == b'p')
        && is_nearly_password(&String::from_utf8_lossy(last).to_ascii_lowercase())
}

/// `pasword`, `passwrod`, `pasphrase`: no server takes them, and what stands behind them is no less a secret.
fn is_nearly_password(word: &str) -> bool {
    let is_near = |name: &str| word.len().abs_diff(name.len()) <= 2 && strsim::osa_distance(word, name) <= 2;
    word.starts_with('p') && ["password", "passphrase"].into_iter().any(is_near)
}

/// Where in the value of an option that is no secret itself one begins: `SET PASSWORD = 'x'`, `IDENTIFIED BY 'x'`,
/// `socket.ssl_password=x`.
pub fn secret_within(value: &[u8]) -> Option<usize> {
    let lower = value.to_ascii_lowercase();
    let ends = |word: &[u8]| {
        let places = lower.windows(word.len()).enumerate().filter(|(_, window)| *window == word);
        places.map(|(at, _)| at + word.len()).collect::<Vec<_>>()
    };
    let given = |end: &usize| {
        let rest = &lower[*end..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        matches!(rest.get(blanks), Some(b'=' | b'('))
    };
    let named = ends(b"password").into_iter().find(given);
    let stated = ends(b"set password for").into_iter().chain(ends(b"identified by")).min();
    named.into_iter().chain(stated).min().filter(|at| *at < value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_and_lists_of_options_can_hold_secrets() {
        let before = |value: &str| secret_within(value.as_bytes()).map(|at| value[..at].to_owned());
        assert_eq!(before("SET PASSWORD = 'x'").as_deref(), Some("SET PASSWORD"));
        assert_eq!(before("set password for u = 'x'").as_deref(), Some("set password for"));
        assert_eq!(before("CREATE USER u IDENTIFIED BY 'x'").as_deref(), Some("CREATE USER u IDENTIFIED BY"));
        assert_eq!(
            before("gcache.size=1G;socket.ssl_password=x").as_deref(),
            Some("gcache.size=1G;socket.ssl_password")
        );
        assert_eq!(before("validate_password.so;auth_socket.so"), None);
    }
}
