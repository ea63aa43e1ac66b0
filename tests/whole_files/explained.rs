//! Differences that are known, and why they stay.

use super::Difference;

/// A reason why cnflint and a server may differ.
pub struct Explained {
    /// The beginnings of the servers' names.
    pub servers: &'static [&'static str],
    /// The options; empty for all.
    pub options: &'static [&'static str],
    /// What the difference says.
    pub what: &'static str,
    /// Why it stays.
    pub reason: &'static str,
}

/// Every known reason.
pub const EXPLAINED: &[Explained] = &[];

/// The reason for a difference.
pub fn explanation(difference: &Difference) -> Option<&'static Explained> {
    EXPLAINED.iter().find(|known| {
        known.servers.iter().any(|server| difference.server.starts_with(server))
            && (known.options.is_empty() || known.options.contains(&difference.option.as_str()))
            && difference.what.contains(known.what)
    })
}
