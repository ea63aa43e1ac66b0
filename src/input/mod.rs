//! What a file is beside an option file: a carrier of several, a running server's snapshot, persisted variables, an init file.

pub mod carrier;
pub mod filled;
pub mod foreign;
pub mod init_file;
mod json;
pub mod persisted;
pub mod snapshot;
pub mod variables;
