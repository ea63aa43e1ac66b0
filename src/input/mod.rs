//! What a file is beside an option file: a running server's snapshot, persisted variables, an init file.

pub mod init_file;
pub mod carrier;
mod json;
pub mod persisted;
pub mod snapshot;
