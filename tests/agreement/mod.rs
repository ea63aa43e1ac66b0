//! The same questions to cnflint and to the real servers: what do they make of this line of an option file?

pub mod asking;
pub mod choosing;
pub mod comparing;
pub mod expecting;
pub mod explained;
pub mod spellings;
pub mod standing;
