//! Asks real servers what they make of written values and compares it with what the library says.

pub mod asking;
pub mod comparing;
pub mod options;
pub mod spellings;
