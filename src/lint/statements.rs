//! What of a fix the running server can take at once, as statements for it.

use crate::catalog::{self, Default, Entry, OptionId, Resolved, State, id};
use crate::edits::Place;
use crate::effective::{Assignment, Origin, read_as};
use crate::finding::Change;
use crate::server::Server;
use crate::value::{Kind, Outcome, Value, Written};

/// What a fix means for the server that runs.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Running {
    /// Whether all of it can be set now; `None` where nothing is to be set, or nobody recorded it.
    pub dynamic: Option<bool>,
    /// The statements for what can.
    pub statements: Vec<String>,
}

/// What the changes mean for the running server. Where they are made in a file, the file keeps them and `SET GLOBAL` is for
/// now; where there is no file, `SET PERSIST` is for both.
pub(super) fn running(changes: &[Change], place: Place<'_>) -> Running {
    let in_file = !place.document.files.is_empty();
    let server = place.effective.server;
    let verb = if in_file || !server.reads_persisted_variables() { "GLOBAL" } else { "PERSIST" };
    let mut wanted: Vec<Wanted> = Vec::new();
    for change in changes {
        let Some(new) = wanted_by(change, changes, place) else { continue };
        wanted.retain(|earlier| earlier.variable != new.variable);
        wanted.push(new);
    }
    if changes.iter().any(loads_plugin) {
        // What the plugin brings is there after the restart only.
        wanted.retain(|wanted| wanted.dynamic != Some(true));
    }
    keep_collation(&mut wanted, changes, place);
    let lowers_io = wanted.iter().any(|wanted| wanted.variable == id::INNODB_IO_CAPACITY && wanted.lowers);
    wanted.sort_by_key(|wanted| !goes_first(wanted.variable, lowers_io));
    let mut running = Running::default();
    let persisted = wanted.iter().filter(|wanted| in_file && is_persisted(wanted.variable, place));
    running.statements.extend(persisted.map(|wanted| format!("RESET PERSIST {};", wanted.name)));
    let possible = |wanted: &Wanted| wanted.dynamic.map(|dynamic| dynamic && wanted.literal.is_some());
    running.statements.extend(wanted.iter().filter(|wanted| possible(wanted) == Some(true)).filter_map(|wanted| {
        let literal = wanted.literal.as_ref()?;
        Some(format!("SET {verb} {} = {literal};", wanted.name))
    }));
    if wanted.iter().all(|wanted| possible(wanted).is_some()) && !wanted.is_empty() {
        running.dynamic = Some(wanted.iter().all(|wanted| possible(wanted) == Some(true)));
    } else if wanted.iter().any(|wanted| possible(wanted) == Some(false)) {
        running.dynamic = Some(false);
    }
    running
}

fn loads_plugin(change: &Change) -> bool {
    matches!(change, Change::Set { option, .. } if option.starts_with("plugin_load") || option.starts_with("plugin-load"))
}

/// `SET GLOBAL character_set_server` brings that character set's own collation (measured on 5.6.24, 9.7.4, MariaDB 10.5.23 to
/// 11.8.9): the one that stays in the files comes behind it, and one that goes needs no statement.
fn keep_collation(wanted: &mut Vec<Wanted>, changes: &[Change], place: Place<'_>) {
    let sets_charset = wanted.iter().any(|wanted| wanted.variable == id::CHARACTER_SET_SERVER);
    let is_set = |change: &Change| matches!(change, Change::Set { option, .. } if is_collation(option));
    let goes = |change: &Change| matches!(change, Change::Remove { option } if is_collation(option));
    if !sets_charset || changes.iter().any(is_set) {
        return;
    }
    wanted.retain(|wanted| wanted.variable != id::COLLATION_SERVER);
    let entry = catalog::entry(id::COLLATION_SERVER, place.effective.server);
    let stays = place.effective.get(id::COLLATION_SERVER).filter(|_| !changes.iter().any(goes));
    if let Some(Outcome::Known(value)) = stays.map(|setting| &setting.value) {
        wanted.push(self::wanted(&entry, Some(value), place));
    }
}

fn is_collation(option: &str) -> bool {
    option.replace('-', "_").eq_ignore_ascii_case(id::COLLATION_SERVER.name())
}

/// A system variable that is to get another value.
struct Wanted {
    variable: OptionId,
    /// The name that `SET` takes.
    name: &'static str,
    dynamic: Option<bool>,
    /// The value as SQL writes it, where it can.
    literal: Option<String>,
    /// It is less than what the files say now, or than the default.
    lowers: bool,
}

fn wanted_by(change: &Change, all: &[Change], place: Place<'_>) -> Option<Wanted> {
    match change {
        Change::Set { option, value } => set_to(option.as_bytes(), value.as_deref().map(str::as_bytes), place),
        Change::Remove { option } => {
            let (entry, _) = option_named(option.as_bytes(), place.effective.server)?;
            let is_set_anew = |other: &Change| {
                let Change::Set { option, .. } = other else { return false };
                option_named(option.as_bytes(), place.effective.server)
                    .is_some_and(|(other, _)| other.variable == entry.variable)
            };
            if all.iter().any(is_set_anew) { None } else { unset(&entry, option, place) }
        }
        Change::Respell { at, text } => {
            let line =
                place.effective.assignments.iter().find(|line| line.whole() == *at || line.value_at == Some(*at))?;
            if line.value_at == Some(*at) && line.whole() != *at {
                return set_to(&line.name, Some(unquoted(text).as_bytes()), place);
            }
            match text.split_once('=') {
                Some((name, value)) => set_to(name.trim().as_bytes(), Some(unquoted(value.trim()).as_bytes()), place),
                None => set_to(text.trim().as_bytes(), None, place),
            }
        }
        // The value stays.
        Change::Rename { .. } => None,
    }
}

fn unquoted(text: &str) -> &str {
    let inside = |quote| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

fn option_named(name: &[u8], server: Server) -> Option<(Entry, Written<'static>)> {
    let Resolved::Option { id, prefixes, .. } = catalog::resolve(name, server) else { return None };
    let entry = catalog::entry(id, server);
    let written = Written { effect: prefixes.effect, loose: prefixes.loose, value: None };
    (entry.state == State::Present && !prefixes.instance).then_some((entry, written))
}

/// An option gets a value: unless it has it already, the running server can have it too.
fn set_to(option: &[u8], value: Option<&[u8]>, place: Place<'_>) -> Option<Wanted> {
    let server = place.effective.server;
    let (entry, written) = option_named(option, server)?;
    let value = read_as(&entry, server, Written { value, ..written }).value.map(|value| match value {
        Value::Word(word) if entry.inverted => Value::boolean(word == "OFF"),
        other => other,
    });
    let now = place.effective.get(entry.variable).map(|setting| &setting.value);
    if let (Some(value), Some(Outcome::Known(now))) = (&value, now)
        && value == now
    {
        return None;
    }
    Some(wanted(&entry, value.as_ref(), place))
}

/// The winning line goes, and with the next start the default comes.
fn unset(entry: &Entry, written: &str, place: Place<'_>) -> Option<Wanted> {
    let setting = place.effective.get(entry.variable)?;
    let plain = |name: &[u8]| String::from_utf8_lossy(name).replace('-', "_").to_ascii_lowercase();
    let goes = |line: &Assignment<'_>| plain(&line.name) == plain(written.as_bytes());
    if !setting.origins.iter().all(|index| place.effective.assignments.get(*index).is_some_and(goes)) {
        return None;
    }
    let default = match &catalog::setting(entry.variable, place.effective.server).effective_default {
        Default::Value(value) if setting.value == Outcome::Known(value.clone()) => return None,
        Default::Value(value) => Some(value.clone()),
        Default::None | Default::Derived | Default::NotRecorded => None,
    };
    Some(wanted(entry, default.as_ref(), place))
}

fn wanted(entry: &Entry, value: Option<&Value<'_>>, place: Place<'_>) -> Wanted {
    let server = place.effective.server;
    let spellings = || catalog::spellings(entry.variable, server).map(|id| catalog::entry(id, server));
    let shown = if entry.is_variable && !entry.inverted { Some(entry.clone()) } else { None };
    let shown = shown.or_else(|| spellings().find(|entry| entry.is_variable && !entry.inverted));
    let dynamic = match &shown {
        // What no variable shows can be said at the start only.
        None => Some(false),
        Some(variable) if !variable.global || variable.read_only => Some(false),
        Some(variable) if goes_by_steps(variable.id) => Some(false),
        Some(variable) => variable.dynamic,
    };
    let name = shown.as_ref().map_or(entry.variable, |shown| shown.id).name();
    let now = || place.effective.get(entry.variable).and_then(|setting| setting.value.clone().known());
    let default = || catalog::setting(entry.variable, server).effective_default.value().cloned();
    let now = now().or_else(default);
    let dynamic = dynamic.map(|dynamic| dynamic && !is_switched_at_start(entry.variable, server, now.as_ref(), value));
    let shape = shown.as_ref().unwrap_or(entry).shape;
    let literal = value.filter(|_| !catalog::is_secret(name)).and_then(|value| literal(value, shape.kind));
    let lowers = matches!((value, &now), (Some(Value::Integer(new)), Some(Value::Integer(now))) if new < now);
    Wanted { variable: entry.variable, name, dynamic, literal, lowers }
}

/// `gtid_mode` goes from OFF to ON in three steps, with a wait on every server of the replication between them:
/// <https://dev.mysql.com/doc/refman/8.4/en/replication-mode-change-online-enable-gtids.html>.
fn goes_by_steps(variable: OptionId) -> bool {
    variable == id::GTID_MODE
}

/// MySQL changes among the ways of writing twice while it runs, but refuses to begin or to end it (measured on 9.7.4; MariaDB
/// 11.8.9 takes both).
fn is_switched_at_start(
    variable: OptionId,
    server: Server,
    now: Option<&Value<'_>>,
    value: Option<&Value<'_>>,
) -> bool {
    let is_off = |value: Option<&Value<'_>>| value == Some(&Value::boolean(false));
    variable == id::INNODB_DOUBLEWRITE && server.flavor.is_mysql_family() && is_off(now) != is_off(value)
}

/// A server takes no `innodb_io_capacity` above its maximum, and no maximum below it (measured on 9.7.4); a character set brings
/// its own collation.
fn goes_first(variable: OptionId, lowers_io: bool) -> bool {
    match variable {
        id::INNODB_IO_CAPACITY_MAX => !lowers_io,
        id::INNODB_IO_CAPACITY => lowers_io,
        _ => [id::CHARACTER_SET_SERVER, id::ENFORCE_GTID_CONSISTENCY].contains(&variable),
    }
}

fn is_persisted(variable: OptionId, place: Place<'_>) -> bool {
    place.effective.winner(variable).is_some_and(|winner| winner.origin == Origin::Persisted)
}

/// A value as `SET` takes it: SQL knows no suffixes.
fn literal(value: &Value<'_>, kind: Kind) -> Option<String> {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"));
    Some(match value {
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(word) if matches!(&**word, "ON" | "OFF") => word.clone().into_owned(),
        Value::Word(word) | Value::Set(word) => quoted(word),
        Value::Text(text) => quoted(std::str::from_utf8(text).ok()?),
        Value::None if matches!(kind, Kind::Text | Kind::Path | Kind::Set) => quoted(""),
        Value::None => return None,
    })
}
