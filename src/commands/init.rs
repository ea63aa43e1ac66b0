//! `cnflint init`: a first `cnflint.toml` from what is seen.

use cnflint::facts::{Facts, file::to_toml};
use cnflint::project::Globs;
use cnflint::report::server_source;
use cnflint::report::text::one_line;
use cnflint::target::{Candidates, Choice, ServerSource};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One server whose files were found.
pub struct Seen {
    /// Its first file.
    pub path: PathBuf,
    /// Which server it is, and from what that is known.
    pub server: Candidates,
}

/// The text of a `cnflint.toml` in `directory`. Facts are those of this host, where its own files were found.
pub fn text(directory: &Path, seen: &[Seen], facts: &Facts) -> String {
    let mut text = String::from(
        "# How cnflint looks at the option files below this directory. Flags, and comments in an option file, outrank it.\n\n",
    );
    found(directory, seen, &mut text);
    let servers = servers(directory, seen);
    text.push_str("# The server, as --server takes it: mysql-8.4, mariadb-10.11, percona-8.0, or one exact release.\n");
    // One server for all files, unless some of them say otherwise.
    match servers.iter().next() {
        Some((server, _)) if servers.len() == 1 && is_all(seen, server) => {
            let _ = writeln!(text, "server = {}", quoted(server));
        }
        _ => text.push_str("# server = \"mysql-8.4\"\n"),
    }
    text.push_str(
        "# The server that is to take its place.\n# upgrade_to = \"mysql-9.7\"\n\n\
         # What the server is doing: \"production\" or \"import\". Its part in replication: \"primary\", \"replica\", \"standalone\".\n\
         # phase = \"production\"\n# role = \"primary\"\n\n\
         # From this severity on a run exits with 1: \"error\", \"warning\", \"advice\" or \"never\".\n# fail_on = \"warning\"\n\
         # Rules or areas that do not count; `cnflint rules` lists them.\n# ignore = [\"charset\"]\n\
         # Files that are not linted.\n# exclude = [\"vendor\"]\n\
         # The directory where absolute paths of !include and !includedir start.\n# root = \"rootfs\"\n\
         # A file of facts, as `cnflint facts` prints it on the server's host.\n# facts_file = \"host.toml\"\n\
         # Known findings, as `cnflint --write-baseline` writes them.\n# baseline = \"cnflint-baseline.json\"\n\n\
         # Other severities than the rules' own: \"error\", \"warning\", \"advice\" or \"off\".\n# [severity]\n# binlog-off = \"error\"\n\n",
    );
    machine(facts, &mut text);
    text.push_str("\n# What holds for some files only; of several entries the last one that matches counts.\n");
    if servers.len() > 1 || servers.keys().any(|server| !is_all(seen, server)) {
        for (server, files) in &servers {
            let _ = writeln!(text, "[[path]]\nfiles = [{}]\nserver = {}\n", files.join(", "), quoted(server));
        }
    }
    text.push_str(
        "# [[path]]\n# files = [\"staging/**\"]\n# facts = { host = { ram = \"4G\" } }\n# ignore = [\"binlog-off\"]\n\
         # reason = \"filled from production every night\"\n\n\
         # Servers that work together: \"replication\", \"galera\", \"group-replication\" or \"host\".\n\
         # [[cluster]]\n# name = \"main\"\n# kind = \"galera\"\n# files = [\"db*/my.cnf\"]\n",
    );
    text
}

fn found(directory: &Path, seen: &[Seen], text: &mut String) {
    text.push_str(if seen.is_empty() { "# No option files were found here.\n" } else { "# Found here:\n" });
    for seen in seen {
        let path = seen.path.strip_prefix(directory).unwrap_or(&seen.path).display().to_string();
        let server = match &seen.server.source {
            ServerSource::Assumed => "nothing says which server it is for".to_owned(),
            source => format!("{}, {}", seen.server.title, server_source(source)),
        };
        let _ = writeln!(text, "#   {}: {}", one_line(&path), one_line(&server));
    }
    text.push('\n');
}

/// The servers that are known and that the files do not name themselves, each with the patterns of its files.
fn servers(directory: &Path, seen: &[Seen]) -> BTreeMap<String, Vec<String>> {
    let mut servers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for seen in seen {
        let Some(server) = name(&seen.server) else { continue };
        let pattern = match seen.path.strip_prefix(directory) {
            Ok(below) => Globs::exactly(Path::new(".").join(below).to_string_lossy().as_ref()),
            Err(_) => Globs::exactly(seen.path.to_string_lossy().as_ref()),
        };
        servers.entry(server).or_default().push(quoted(&pattern));
    }
    servers
}

fn is_all(seen: &[Seen], server: &str) -> bool {
    let by_comment = |seen: &&Seen| seen.server.source == ServerSource::Comment;
    seen.iter().filter(|seen| !by_comment(seen)).all(|seen| name(&seen.server).is_some_and(|name| name == server))
}

/// What --server takes for it; `None` where nobody knows, and where a comment in the file says it.
fn name(candidates: &Candidates) -> Option<String> {
    if matches!(candidates.source, ServerSource::Assumed | ServerSource::Comment) {
        return None;
    }
    let first = candidates.servers.first()?;
    match candidates.choice {
        Choice::Exact => Some(first.to_string()),
        Choice::Ends => Some(format!("{}-{}.{}", first.flavor.name(), first.version.major, first.version.minor)),
        Choice::Alternatives => {
            let one_flavor = candidates.servers.iter().all(|server| server.flavor == first.flavor);
            one_flavor.then(|| first.flavor.name().to_owned())
        }
    }
}

/// The machine's tables.
fn machine(facts: &Facts, text: &mut String) {
    let known = to_toml(facts);
    if known.is_empty() {
        text.push_str(
            "# The machine that the server runs on.\n# [facts.host]\n# ram = \"64G\"\n# cpus = 16\n\n# [facts.disk]\n# kind = \"nvme\"\n",
        );
        return;
    }
    text.push_str("# This host, which reads files that were found here.\n");
    for line in known.lines() {
        match line.strip_prefix('[') {
            Some(rest) => {
                let _ = writeln!(text, "[facts.{rest}");
            }
            None => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
