//! The servers that a rule is about: `{ mysql = ">=5.6", mariadb = ">=10.1, <10.5" }`.

use crate::server::{Flavor, Server, Version};
use std::fmt;

/// Some flavors, from one version up to but not including another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// One bit a flavor, in the order of [`Flavor::ALL`].
    pub flavors: u32,
    /// The first version.
    pub from: Version,
    /// The version that no longer belongs to it.
    pub before: Version,
}

/// Beyond every version that will be released.
pub const NO_END: Version = Version::new(4095, 255, 4095);

impl Range {
    /// Every server.
    pub const ALL: Self = Self { flavors: 0b1111, from: Version::new(0, 0, 0), before: NO_END };

    /// Whether a server belongs to it.
    pub fn contains(&self, server: Server) -> bool {
        self.flavors & bit(server.flavor) != 0 && self.from <= server.version && server.version < self.before
    }

    /// The flavors it is about.
    pub fn flavors(&self) -> impl Iterator<Item = Flavor> + use<> {
        let flavors = self.flavors;
        Flavor::ALL.into_iter().filter(move |flavor| flavors & bit(*flavor) != 0)
    }
}

/// The bit of a flavor in [`Range::flavors`].
pub const fn bit(flavor: Flavor) -> u32 {
    1 << flavor as u32
}

impl fmt::Display for Range {
    /// `MySQL from 5.6 up to, not including, 8.0.30`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, flavor) in self.flavors().enumerate() {
            f.write_str(if position == 0 { "" } else { ", " })?;
            f.write_str(flavor.title())?;
        }
        let short = |version: Version| match version.patch {
            0 => format!("{}.{}", version.major, version.minor),
            _ => version.to_string(),
        };
        match (self.from == Self::ALL.from, self.before == NO_END) {
            (true, true) => Ok(()),
            (false, true) => write!(f, " from {}", short(self.from)),
            (true, false) => write!(f, " before {}", short(self.before)),
            (false, false) => write!(f, " from {} and before {}", short(self.from), short(self.before)),
        }
    }
}

/// Why a text is no range of versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RangeError {
    /// A part that is no comparison with a version.
    #[error("`{0}` is no range of versions; write for example `>=10.1, <10.5` or `*`")]
    NotARange(String),
    /// A range that no version lies in.
    #[error("no version lies in `{0}`")]
    Empty(String),
}

/// Reads `>=10.1, <10.5`, `=8.0` (the whole series), `<8.0.14` or `*`; parts joined by commas all hold.
///
/// # Errors
/// When a part is no comparison, or no version is left.
pub fn parse(text: &str) -> Result<(Version, Version), RangeError> {
    let (mut from, mut before) = (Range::ALL.from, NO_END);
    for part in text.split(',').map(str::trim) {
        if part == "*" {
            continue;
        }
        let digits = part.trim_start_matches(['<', '>', '=']);
        let fault = || RangeError::NotARange(part.to_owned());
        let version = Version::parse(digits.trim()).ok_or_else(fault)?;
        // `<=8.0` includes all of 8.0.
        let after = match digits.matches('.').count() {
            1 => Version::new(version.major, version.minor + 1, 0),
            _ => Version::new(version.major, version.minor, version.patch + 1),
        };
        match &part[..part.len() - digits.len()] {
            ">=" => from = from.max(version),
            ">" => from = from.max(after),
            "<" => before = before.min(version),
            "<=" => before = before.min(after),
            "=" => (from, before) = (from.max(version), before.min(after)),
            _ => return Err(fault()),
        }
    }
    if from < before { Ok((from, before)) } else { Err(RangeError::Empty(text.to_owned())) }
}
