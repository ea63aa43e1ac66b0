//! The option files that are asked about, as this machine can answer for them.

use std::path::Path;

/// The bytes with what depends on the machine replaced by what exists here: the account, directories that every server looks at before it starts, includes.
///
/// Servers refuse a file whose `user` is no account or whose `tmpdir` is no directory, and what a file includes is not there either; neither
/// says anything about its options.
pub fn at_home(bytes: &[u8], directory: &Path) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        let trimmed = text.trim();
        let name = trimmed.split(['=', ' ', '\t']).next().unwrap_or_default().replace('_', "-");
        let has_value = trimmed.contains('=');
        let line_end = &text[text.trim_end_matches(['\r', '\n']).len()..];
        let replaced = match name.as_str() {
            "user" if has_value => Some("user = root".to_owned()),
            "tmpdir" | "innodb-tmpdir" | "slave-load-tmpdir" if has_value => {
                Some(format!("{name} = {}", directory.display()))
            }
            "secure-file-priv" if has_value => Some(format!("secure_file_priv = {}", directory.display())),
            "!includedir" => Some(format!("!includedir {}", directory.join("empty").display())),
            "!include" => Some(format!("!include {}", directory.join("empty.cnf").display())),
            _ => None,
        };
        match replaced {
            Some(replaced) => out.extend_from_slice(format!("{replaced}{line_end}").as_bytes()),
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Whether this is an option file as it stands: the first line that is no comment is a group or an include, and no template fills it in.
pub fn is_option_file(bytes: &[u8]) -> bool {
    if cnflint::optionfile::has_markup(bytes) || bytes.starts_with(b"#!") {
        return false;
    }
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    let starts = first.is_some_and(|line| line.starts_with('[') && line.contains(']') || line.starts_with("!include"));
    starts
        && text
            .lines()
            .any(|line| ["[mysqld", "[mariadb", "[server", "[client"].iter().any(|group| line.starts_with(group)))
}
