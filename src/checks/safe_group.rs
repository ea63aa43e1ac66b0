//! Settings for `mysqld_safe` where something else starts the server: nobody reads them then.

use super::{Hit, Subject, shown};
use crate::catalog::{self, OptionId, Resolved, id};
use crate::facts::{FactId, Known};
use crate::finding::{Evidence, Safety, Severity};
use crate::optionfile;
use crate::server::{Flavor, Server};
use crate::source::Location;
use crate::value::{Outcome, Unit, Value};

pub(super) fn mysqld_safe_not_run(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    let told = subject.facts.get(FactId::HostMysqldSafe);
    let starts_it = told.map(|known| known.value == Value::boolean(true));
    if starts_it.unwrap_or_else(|| !packages_start_the_server_itself(subject.server)) {
        return;
    }
    for entry in subject.document.entries.iter().filter(|entry| entry.reached && !entry.template_name) {
        let Some(group) = subject.document.groups.get(entry.group) else { continue };
        if subject.groups.contains(&group.name) || !optionfile::only_mysqld_safe_reads(&group.name, subject.server) {
            continue;
        }
        let Some(lost) = lost(entry, subject).filter(|lost| told.is_some() || lost.matters) else { continue };
        let group_name = shown(&group.name);
        let when = match told {
            Some(_) => ": mysqld_safe does not start this server",
            None => " where systemd or a container starts the server itself",
        };
        let name = shown(&entry.name);
        let message = format!("`{name}` in `[{group_name}]` does nothing{when}");
        let severity = if told.is_some() { Severity::Warning } else { Severity::Advice };
        let mut hit = Hit::new(severity, Location { file: entry.file, span: entry.name_span }, message);
        hit.evidence.extend(told.map(evidence));
        hit.option = lost.option.map(|id| id.name().into());
        let hit = hit.label("without effect").also(Location { file: group.file, span: group.header }, "this group");
        hits.push(hit.remedy(Safety::Manual, lost.instead, Vec::new()));
    }
}

/// Whether the vendor's packages have systemd start the server without `mysqld_safe`: MySQL since 5.7.6, MariaDB since 10.1.8.
///
/// <https://dev.mysql.com/doc/refman/8.4/en/using-systemd.html>,
/// <https://mariadb.com/docs/server/server-management/starting-and-stopping-mariadb/systemd>
fn packages_start_the_server_itself(server: Server) -> bool {
    if server.flavor == Flavor::Mariadb { server.at_least(10, 1, 8) } else { server.at_least(5, 7, 6) }
}

fn evidence(known: &Known) -> Evidence {
    let source = known.source.to_string();
    Evidence { name: FactId::HostMysqldSafe.name(), value: known.value.clone(), unit: Unit::Count, source }
}

/// A setting that nobody reads, and where it would have an effect.
struct Lost {
    /// Worth saying before it is known how the server is started.
    matters: bool,
    option: Option<OptionId>,
    instead: String,
}

/// What the line would have done; `None` where nothing is missed.
fn lost(entry: &optionfile::Entry, subject: Subject<'_>) -> Option<Lost> {
    let name = shown(&entry.name).replace('_', "-");
    let value = entry.value.as_deref().map(shown).unwrap_or_default();
    let in_unit = |line: String| format!("write `{line}` into the server's unit (`systemctl edit`)");
    let unit_line = match name.as_str() {
        "open-files-limit" if server_asks_for(&value, subject) => return None,
        "open-files-limit" if unit_allows(&value, subject) => return None,
        "open-files-limit" => format!("LimitNOFILE={value}"),
        "core-file-size" => format!("LimitCORE={}", if value == "unlimited" { "infinity" } else { &value }),
        // As the script starts the server anyway.
        "nice" if value == "0" => return None,
        "nice" => format!("Nice={value}"),
        "malloc-lib" => format!("Environment=LD_PRELOAD={}", library(&value)),
        "timezone" => format!("Environment=TZ={value}"),
        "numa-interleave" => "NUMAPolicy=interleave".to_owned(),
        // systemd keeps the process number, and its journal what the server prints.
        "pid-file" | "syslog" | "syslog-tag" | "skip-syslog" | "skip-log-error" | "skip-kill-mysqld" => return None,
        _ => return lost_server_option(entry, subject),
    };
    let matters = name != "nice";
    Some(Lost { matters, option: None, instead: in_unit(unit_line) })
}

/// An option that the script hands on to the server; the server reads it from its own groups.
fn lost_server_option(entry: &optionfile::Entry, subject: Subject<'_>) -> Option<Lost> {
    let name = std::str::from_utf8(&entry.name).ok()?;
    let handed_on = catalog::clients::known_in_group("mysqld_safe", &entry.name, subject.server) == Some(true);
    let Resolved::Option { id, .. } = catalog::resolve(&entry.name, subject.server) else { return None };
    let known = catalog::entry(id, subject.server);
    if !handed_on || subject.effective.get(known.variable).is_some() || is_default(entry, &known) {
        return None;
    }
    let instead = format!("write `{name}` into `[mysqld]`");
    Some(Lost { matters: id == id::LOG_ERROR, option: Some(id), instead })
}

fn is_default(entry: &optionfile::Entry, known: &catalog::Entry) -> bool {
    let written = entry.value.as_deref().map(String::from_utf8_lossy);
    let text = match known.effective_default.value() {
        Some(Value::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        Some(Value::Integer(number)) => number.to_string(),
        _ => return false,
    };
    written.is_some_and(|written| written == text)
}

/// Whether a line that the server itself reads asks for as many.
fn server_asks_for(value: &str, subject: Subject<'_>) -> bool {
    let Some(setting) = subject.effective.get(id::OPEN_FILES_LIMIT) else { return false };
    match (&setting.value, value.parse::<i128>()) {
        (Outcome::Known(Value::Integer(asked)), Ok(wanted)) => *asked >= wanted,
        _ => true,
    }
}

/// Whether the server's unit allows that many open files already.
fn unit_allows(value: &str, subject: Subject<'_>) -> bool {
    match (subject.facts.value(FactId::HostOpenFiles), value.parse::<i128>()) {
        (Outcome::Known(Value::Integer(allowed)), Ok(wanted)) => *allowed >= wanted,
        _ => false,
    }
}

/// The script takes a short name for a library that it looks for itself; the loader needs a path.
fn library(value: &str) -> String {
    if value.starts_with('/') { value.to_owned() } else { format!("/path/to/lib{value}.so") }
}
