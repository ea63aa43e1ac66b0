//! What the formats of build systems share: paths from the working directory, and fingerprints that outlive moved lines.

use crate::finding::Finding;
use crate::lint::Report;
use crate::source::FileId;
use std::collections::HashMap;
use std::path::{Component, Path};

/// How a file is named.
pub enum Named {
    /// From the working directory, with `/`.
    Below(String),
    /// The whole path, or a name that is no path.
    Elsewhere(String),
}

impl Named {
    /// The name, whatever it is.
    pub fn text(self) -> String {
        match self {
            Self::Below(text) | Self::Elsewhere(text) => text,
        }
    }
}

/// How a file of a report is named by one who works in a directory.
pub fn named(report: &Report, file: FileId, working_directory: &Path) -> Named {
    let path = report.sources.get(file).path();
    let relative = path.strip_prefix(working_directory).unwrap_or(path);
    let parts: Option<Vec<_>> = relative
        .components()
        .filter(|part| *part != Component::CurDir)
        .map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        })
        .collect();
    match parts {
        Some(parts) => Named::Below(parts.join("/")),
        None => Named::Elsewhere(path.to_string_lossy().into_owned()),
    }
}

/// Gives each finding of a report a number that stays the same while lines move: of rule, file, option, and the how many-th
/// finding of these it is.
#[derive(Default)]
pub struct Fingerprints {
    seen: HashMap<u64, u64>,
}

impl Fingerprints {
    /// The fingerprint of the next finding, as 16 hexadecimal digits.
    pub fn of(&mut self, finding: &Finding, path: &str) -> String {
        let parts = [&*finding.rule, path, finding.option.as_deref().unwrap_or_default()];
        // No part holds a zero byte, so that it tells them apart.
        let kind = parts.iter().fold(FNV_START, |hash, part| fnv(fnv(hash, part.as_bytes()), &[0]));
        let count = self.seen.entry(kind).or_insert(0);
        *count += 1;
        format!("{:016x}", fnv(kind, count.to_string().as_bytes()))
    }
}

/// Offset basis and prime of FNV-1a with 64 bits: RFC 9923, section 5.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_matches_published_values() {
        assert_eq!(fnv(FNV_START, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(FNV_START, b"foobar"), 0x8594_4171_f739_67e8);
    }
}
