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
    let name: String = name.trim().chars().map(|c| if c == '-' { '_' } else { c.to_ascii_lowercase() }).collect();
    let word = name.split(|c: char| c.is_whitespace() || matches!(c, ':' | '=')).next().unwrap_or_default();
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    // Clients take `passw=…`.
    let abbreviated = word.len() >= 4 && "password".starts_with(word.strip_prefix("loose_").unwrap_or(word));
    let headers = word.contains("otlp") && word.ends_with("headers");
    let misspelt = || word.rsplit('_').next().is_some_and(is_nearly_password);
    ((ends(&ENDINGS) || misspelt()) && !ends(&HARMLESS)) || abbreviated || headers
}

/// `pasword`, `passwrod`, `pasphrase`: no server takes them, and what stands behind them is no less a secret.
fn is_nearly_password(word: &str) -> bool {
    let is_near = |name: &str| word.len().abs_diff(name.len()) <= 2 && strsim::osa_distance(word, name) <= 2;
    word.starts_with('p') && ["password", "passphrase"].into_iter().any(is_near)
}
