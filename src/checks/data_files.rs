//! Lists of InnoDB's data files that InnoDB cannot read.
//!
//! Measured by starts of MySQL 5.6.24 and 9.7.4 and MariaDB 10.11.19 and 11.8.9: one parser, in every letter.

use super::combinations::Remark;
use super::{Hit, Reaction, Subject, shown};
use crate::catalog::{OptionId, id};
use crate::effective::{Assignment, Effective, Origin};
use crate::finding::{Safety, Severity};

/// What is wrong with the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// No `:` and size behind the name of a file.
    NoSize,
    /// Less than a megabyte, or no figure at all.
    Size,
    /// `:max:` without a size of at least a megabyte.
    Maximum,
    /// Something behind `autoextend`, which only the last file may have.
    BehindAutoextend,
    /// Something else behind a size.
    BehindSize,
}

struct Unreadable<'a> {
    option: OptionId,
    line: &'a Assignment<'a>,
    text: &'a str,
    fault: Fault,
}

fn unreadable<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Unreadable<'a>> {
    [id::INNODB_DATA_FILE_PATH, id::INNODB_TEMP_DATA_FILE_PATH].into_iter().filter_map(|option| {
        let line = effective.decided(option).filter(|line| !matches!(line.origin, Origin::Snapshot { .. }))?;
        let text = std::str::from_utf8(line.value.as_deref()?).ok().filter(|text| !text.is_empty())?;
        let fault = fault_of(text)?;
        Some(Unreadable { option, line, text, fault })
    })
}

fn fault_of(text: &str) -> Option<Fault> {
    let mut rest = text;
    while !rest.is_empty() {
        let Some(at) = end_of_name(rest) else { return Some(Fault::NoSize) };
        let (megabytes, behind) = size(&rest[at + 1..]);
        if megabytes == 0 {
            return Some(Fault::Size);
        }
        rest = behind;
        if let Some(behind) = rest.strip_prefix(":autoextend") {
            rest = behind;
            if let Some(behind) = rest.strip_prefix(":max:") {
                let (most, behind) = size(behind);
                if most == 0 {
                    return Some(Fault::Maximum);
                }
                rest = behind;
            }
            return match rest {
                "" => None,
                _ if rest.starts_with(":max") => Some(Fault::Maximum),
                _ => Some(Fault::BehindAutoextend),
            };
        }
        rest = rest.strip_prefix("new").unwrap_or(rest);
        rest = rest.strip_prefix("raw").unwrap_or(rest);
        rest = match rest.strip_prefix(';') {
            Some(behind) => behind,
            None if rest.is_empty() => "",
            None => return Some(Fault::BehindSize),
        };
    }
    None
}

/// The first colon that is no drive's of Windows.
fn end_of_name(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|at| bytes[*at] == b':' && !matches!(bytes.get(at + 1), Some(b'\\' | b'/' | b':')))
}

/// A size in megabytes, rounded down, and what stands behind it.
fn size(text: &str) -> (u64, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = if end == 0 { 0 } else { text[..end].parse().unwrap_or(u64::MAX) };
    let behind = &text[end..];
    match behind.as_bytes().first() {
        Some(b'G' | b'g') => (number.saturating_mul(1024), &behind[1..]),
        Some(b'M' | b'm') => (number, &behind[1..]),
        Some(b'K' | b'k') => (number / 1024, &behind[1..]),
        _ => (number / (1 << 20), behind),
    }
}

/// What the server says when it starts.
pub(super) fn remarks<'a>(effective: &'a Effective<'a>) -> impl Iterator<Item = Remark> + 'a {
    unreadable(effective).map(|found| Remark { variable: found.option, reaction: Reaction::Refuses })
}

pub(super) fn impossible_data_files(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for Unreadable { option, line, text, fault } in unreadable(subject.effective) {
        let why = match fault {
            Fault::NoSize => "has a file without a size",
            Fault::Size => "has a file without a size of at least 1M",
            Fault::Maximum => "has a maximum that is no size of at least 1M",
            Fault::BehindAutoextend => "goes on behind `autoextend`, which only the last file may have",
            Fault::BehindSize => "has something behind a size that InnoDB does not know",
        };
        let message = format!("`{}` {why}: InnoDB cannot read it, and the server refuses to start", shown(&line.name));
        let hit = Hit::new(Severity::Error, line.value_at.unwrap_or(line.name_at), message);
        let hit = hit.label("InnoDB cannot read it").option(option.name());
        hits.push(match meant(text) {
            Some(value) => hit.set(option, value),
            None => {
                let advice = "write `name:size` for each file with `;` between them, and `:autoextend` or `:autoextend:max:size` behind the last";
                hit.remedy(Safety::Manual, advice, Vec::new())
            }
        });
    }
}

/// The list in InnoDB's own spelling, where only the spelling is wrong.
fn meant(text: &str) -> Option<String> {
    let files: Vec<_> = text.trim_end_matches([';', ' ']).split(';').map(str::trim).collect();
    let (last, others) = files.split_last()?;
    let others = others.iter().map(|file| spelled(file, false));
    let all: Vec<_> = others.chain([spelled(last, true)]).collect();
    let list = all.join(";");
    fault_of(&list).is_none().then_some(list)
}

/// One file; only the last one may grow.
fn spelled(file: &str, last: bool) -> String {
    let Some(at) = end_of_name(file) else { return file.to_owned() };
    let (name, attributes) = file.split_at(at);
    let lower = attributes.replace(' ', "").to_ascii_lowercase().replace("auto_extend", "autoextend");
    let lower = lower.replace("auto-extend", "autoextend").replace(":max=", ":max:");
    let words: Vec<_> = lower.split(':').filter(|word| !word.is_empty()).collect();
    let mut text = name.trim().to_owned();
    for word in words.iter().take(if last { words.len() } else { 1 }) {
        let is_size = word.starts_with(|c: char| c.is_ascii_digit());
        text.push(':');
        text.push_str(&if is_size { word.trim_end_matches('b').to_ascii_uppercase() } else { (*word).to_owned() });
    }
    text.replace("RAW", "raw").replace("NEWraw", "newraw")
}

#[cfg(test)]
mod tests {
    use super::{Fault, fault_of};

    #[test]
    fn sizes_beyond_every_disk_are_read_all_the_same() {
        for size in ["18446744073709551615G", "18446744073709551616"] {
            assert!(fault_of(&format!("ibdata1:{size}")).is_none());
        }
        assert!(matches!(fault_of("ibdata1:G"), Some(Fault::Size)));
    }
}
