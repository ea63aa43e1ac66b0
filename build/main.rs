//! Packs catalog and rules into tables.

fn main() {}
