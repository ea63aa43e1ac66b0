//! Lints MySQL and MariaDB option files the way the server reads them.
//!
//! The library is pure: bytes and facts in, a report out. Every read of a disk goes through [`source::Files`].
//! Data flows down the list of modules below and never back up.

pub mod source;
pub mod server;
pub mod value;
pub mod expr;
pub mod facts;
pub mod optionfile;
pub mod catalog;
pub mod input;
pub mod target;
pub mod effective;
pub mod model;
pub mod finding;
pub mod rules;
pub mod edits;
pub mod checks;
pub mod lint;
pub mod project;
pub mod suppress;
pub mod fix;
pub mod report;
pub mod pages;
#[cfg(feature = "cli")]
pub mod disk;
#[cfg(feature = "cli")]
pub mod detect;
