//! The page that says how far cnflint and the servers agree about single lines.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::choosing::never_asked;
use super::comparing::Agreement;
use crate::servers::RealServer;

const HEAD: &str = "\
# How far cnflint and the servers agree about single lines

Written by `tests/values_servers.rs` (`CNFLINT_WRITE_AGREEMENT=1 CNFLINT_VALUES=10000 cargo test --test values_servers`); not to be edited by
hand. Whole files: [agreement.md](agreement.md).

For every option that the catalog says a server has, lines were made up: values at and beyond the bounds, off the block size, with every
suffix, words, beginnings of words, numbers and wrong case, empty, negative, fractional, overflowing and quoted values, and the name with
dashes, in upper case, behind every prefix, shortened and misspelt. Each line was given to cnflint as a file, and to the server among others:
does it refuse, does it warn, and what does the variable become? Where they differed in company, the line was asked again alone. The servers
were not started; what only a start shows is not in these figures.

| server | seed | options | asked | agree | differ for a known reason | differ | made up, but left unjudged by cnflint |
|---|---|---|---|---|---|---|---|
";

/// The page.
pub fn page(found: &[(&RealServer, Agreement)], seed: usize) -> String {
    let mut page = HEAD.to_owned();
    let mut reasons: BTreeMap<&str, (Vec<&str>, usize)> = BTreeMap::new();
    for (server, agreement) in found {
        let _ = writeln!(
            page,
            "| {} | {seed} | {} | {} | {} | {} | {} | {} |",
            server.server,
            agreement.options,
            agreement.asked,
            agreement.agreed(),
            agreement.explained(),
            agreement.disagreements.len(),
            agreement.unjudged
        );
        for (reason, count) in &agreement.explained {
            let (servers, total) = reasons.entry(reason).or_default();
            servers.push(server.name);
            *total += count;
        }
    }
    page.push_str("\n## Known reasons\n\n| servers | lines | reason |\n|---|---|---|\n");
    for (reason, (servers, count)) in reasons {
        let _ = writeln!(page, "| {} | {count} | {reason} |", servers.join(", "));
    }
    page.push_str("\n## Options that are not asked about\n\n| options | reason |\n|---|---|\n");
    for (names, reason) in never_asked() {
        let _ = writeln!(page, "| {} | {reason} |", names.join(", "));
    }
    page.push_str(
        "\nNor are options of plugins that are not built in, options of builds for Windows, and key caches above 64M, which the servers\n\
         allocate even when they are only asked for help.\n",
    );
    page
}
