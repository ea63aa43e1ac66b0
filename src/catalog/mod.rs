//! What each server version knows, as packed static tables; nothing is parsed at start-up.

/// Names one option or system variable, the same in every flavor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionId(u16);

pub mod clients;
