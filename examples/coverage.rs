//! Prints how much the catalog holds of each release series: `cargo run --example coverage`.

#![allow(missing_docs, reason = "a tool for those who work on the catalog")]

#[path = "docs/coverage.rs"]
mod table;

fn main() {
    print!("{}", table::page());
}
