//! Packs catalog and rules into tables that the library includes.
//!
//! The modules taken from `src/` stand here under the same names, so that `crate::…` resolves in both.

#![allow(dead_code, unused_imports, reason = "the modules shared with the library hold more than the build needs")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "../src/server.rs"]
mod server;
#[path = "../src/value/mod.rs"]
mod value;
#[path = "../src/expr/mod.rs"]
mod expr;
#[path = "../src/facts/mod.rs"]
mod facts;
#[path = "../src/model/names.rs"]
mod model;

mod catalog;
mod clients;
mod rules;

fn main() -> ExitCode {
    match pack() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn pack() -> Result<(), String> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: run this through cargo")?);
    println!("cargo::rerun-if-changed=build");
    for input in
        ["src/server.rs", "src/value", "src/expr", "src/facts", "src/model/names.rs", "src/rules", "catalog", "rules"]
    {
        println!("cargo::rerun-if-changed={input}");
    }
    let catalog = catalog::compile(Path::new("catalog")).map_err(|errors| errors.join("\n"))?;
    catalog.write(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    clients::write(Path::new("catalog/clients"), &out).map_err(|errors| errors.join("\n"))?;
    // Without any rule the program is what `benches/rules.sh` compares with.
    println!("cargo::rerun-if-env-changed=CNFLINT_WITHOUT_RULES");
    let rules = std::env::var_os("CNFLINT_WITHOUT_RULES").is_none().then_some(Path::new("rules"));
    rules::write(rules, &catalog, &out).map_err(|errors| errors.join("\n"))
}
