//! Packs catalog and rules into tables.

use std::env;
use std::path::Path;
use std::process::ExitCode;

mod clients;
#[allow(dead_code)]
#[path = "../src/server.rs"]
mod server;

fn main() -> ExitCode {
    let (Some(root), Some(out_dir)) = (env::var_os("CARGO_MANIFEST_DIR"), env::var_os("OUT_DIR")) else {
        return ExitCode::FAILURE;
    };
    match clients::write(&Path::new(&root).join("catalog/clients"), Path::new(&out_dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(faults) => {
            for fault in faults {
                eprintln!("{fault}");
            }
            ExitCode::FAILURE
        }
    }
}
