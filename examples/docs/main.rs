//! Writes the generated pages under `docs/`: `cargo run --example docs`.

#![allow(missing_docs, reason = "a tool for those who work on the rules and the catalog")]

mod book;
mod considered;
mod coverage;
mod options;
mod render;
mod rules;

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let docs = Path::new("docs");
    for directory in render::DIRECTORIES {
        // What no rule or option stands behind any more goes.
        let directory = docs.join(directory);
        if directory.exists() {
            fs::remove_dir_all(&directory)?;
        }
        fs::create_dir_all(directory)?;
    }
    for (path, text) in render::all() {
        fs::write(docs.join(path), text)?;
    }
    Ok(())
}
