//! Values that the server refuses, changes, or takes with another meaning.

use super::remarks::{self, NoComment};
use super::{Hit, Subject, shown, windows};
use crate::catalog::{self, Entry, OptionId, Resolved, State, id};
use crate::effective::{Assignment, Origin, alike};
use crate::finding::{Change, Safety, Severity};
use crate::model::successors;
use crate::server::Server;
use crate::source::{Location, Span};
use crate::value::{Adjustment, Effect, Judgement, Kind, Misreading, Refusal, Shape, Unit, Value, as_written};

/// Everything that was written with a value that this server judged.
fn judged<'a>(subject: Subject<'a>) -> impl Iterator<Item = (&'a Assignment<'a>, &'a Entry, Judgement)> {
    subject.effective.assignments.iter().filter_map(move |assignment| {
        let entry = assignment.entry.as_ref()?;
        let written_in_file = !matches!(assignment.origin, Origin::Snapshot { .. });
        let reading = assignment.reading.as_ref().filter(|_| written_in_file)?;
        (!windows::takes(assignment, subject)).then_some((assignment, entry, reading.judgement))
    })
}

/// What does nothing needs no better value.
fn has_effect((_, entry, _): &(&Assignment<'_>, &Entry, Judgement)) -> bool {
    entry.state != State::Ignored
}

fn whole_line(assignment: &Assignment<'_>, text: String) -> Vec<Change> {
    vec![Change::Respell { at: assignment.whole(), text }]
}

/// The line with another value, its name and the way to the `=` as they were. A prefix that turns the value round goes.
fn with_value(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry, value: &str) -> Vec<Change> {
    let Resolved::Option { prefixes, .. } = &assignment.resolved else { return Vec::new() };
    match assignment.value_at {
        _ if prefixes.effect != Effect::None => {
            let name = format!("{}{}", if prefixes.loose { "loose_" } else { "" }, entry.id.name());
            let name = if assignment.name.contains(&b'-') { name.replace('_', "-") } else { name };
            whole_line(assignment, format!("{name} = {value}"))
        }
        Some(at) => vec![Change::Respell { at, text: value.to_owned() }],
        None => whole_line(assignment, format!("{} = {value}", shown(subject.sources.text(assignment.name_at)))),
    }
}

/// The value as reports show it.
fn quoted(assignment: &Assignment<'_>, entry: &Entry) -> String {
    match &assignment.value {
        _ if crate::catalog::is_secret(entry.id.name()) => "the value".to_owned(),
        Some(value) => format!("`{}`", shown(value)),
        None => "no value".to_owned(),
    }
}

pub(super) fn invalid_value(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, entry, judgement) in judged(subject) {
        let Judgement::Refused { reason, fatal } = judgement else { continue };
        let remark = NoComment::behind(subject, assignment, entry);
        let members = || unknown_members(subject, assignment, entry, reason);
        if let Some(hit) = if fatal && remark.is_none() { members() } else { None } {
            hits.push(hit);
            continue;
        }
        let name = shown(&assignment.name);
        let value = quoted(assignment, entry);
        let because = match &remark {
            Some(remark) => remark.reason(),
            None => refusal(reason, &entry.shape, subject.server),
        };
        let (severity, outcome) = if fatal {
            (Severity::Error, "the server refuses to start")
        } else {
            (Severity::Warning, "the server logs an error and starts with a value that nobody wrote")
        };
        let hit = Hit::new(
            severity,
            assignment.value_at.unwrap_or(assignment.name_at),
            format!("`{name}` cannot be {value}: {because}; {outcome}"),
        );
        let hit = hit.label(because).option(entry.id.name());
        if let Some(remark) = remark {
            hits.push(remark.mended(hit, Safety::Unsafe));
            continue;
        }
        hits.push(match meant(assignment, entry, reason, subject.server) {
            Some(value) => {
                let title = format!("write `{value}`");
                hit.remedy(Safety::Unsafe, title, with_value(subject, assignment, entry, &value))
            }
            None => hit.remedy(Safety::Manual, accepted(&entry.shape), Vec::new()),
        });
    }
}

fn refusal(reason: Refusal, shape: &Shape<'_>, server: Server) -> String {
    match reason {
        Refusal::UnknownSuffix(found) => {
            let suffixes = if server.flavor.is_mysql_family() && !server.at_least(8, 0, 14) {
                "K, M or G"
            } else {
                "K, M, G, T, P or E"
            };
            format!("behind whole digits only {suffixes} may stand, not `{}`", found.escape_default())
        }
        Refusal::EmptyValue => "the value is empty".to_owned(),
        Refusal::MissingValue => "it needs a value".to_owned(),
        Refusal::NotAMember if shape.words().next().is_none() => {
            format!("{} knows no such word", server.flavor.title())
        }
        Refusal::NotAMember => format!("the words are {}", few_words(shape)),
        Refusal::AliasGone => "`utf8` is no longer taken for utf8mb3".to_owned(),
        Refusal::NotUnique => format!("several of its words begin like that: {}", few_words(shape)),
        Refusal::Repeated => "a flag stands there twice".to_owned(),
        Refusal::Overflow => "the number does not fit in 64 bits".to_owned(),
        Refusal::NotADecimal => "it is not a plain number".to_owned(),
        Refusal::NoValueAllowed => "it stands alone and takes no value".to_owned(),
        Refusal::NegativeNotAllowed => "it may not be negative".to_owned(),
        Refusal::NoMaximum => "`maximum-` does not fit this option".to_owned(),
    }
}

fn few_words(shape: &Shape<'_>) -> String {
    let words: Vec<_> = shape.words().take(8).collect();
    let more = if shape.words().count() > words.len() { ", …" } else { "" };
    format!("{}{more}", words.join(", "))
}

fn accepted(shape: &Shape<'_>) -> String {
    match shape.kind {
        Kind::Boolean | Kind::PluginBoolean => "write ON or OFF".to_owned(),
        Kind::Enumeration | Kind::Set | Kind::FlagSet if shape.words().next().is_none() => {
            "write a word that the server knows".to_owned()
        }
        Kind::Enumeration | Kind::Set | Kind::FlagSet => format!("write one of {}", few_words(shape)),
        Kind::Flag => "write the name alone".to_owned(),
        Kind::Signed | Kind::Unsigned | Kind::Real => match (shape.min, shape.max) {
            (Some(min), Some(max)) => format!("write a number from {min} to {max}"),
            _ => "write a number".to_owned(),
        },
        Kind::Text | Kind::Path | Kind::NotRecorded => "write another value".to_owned(),
    }
}

/// The words in a list that this server does not know, and the list without them.
fn unknown_members(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry, reason: Refusal) -> Option<Hit> {
    if reason != Refusal::NotAMember || entry.shape.kind != Kind::Set {
        return None;
    }
    let value_at = assignment.value_at?;
    let value = shown(assignment.value.as_deref()?);
    let members = value.split(',').map(str::trim).filter(|member| !member.is_empty());
    let is_known = |member: &&str| entry.shape.words().any(|word| word.eq_ignore_ascii_case(member));
    let (kept, unknown): (Vec<_>, Vec<_>) = members.partition(is_known);
    let first = unknown.first()?;
    let written = subject.sources.text(value_at);
    let start = written.windows(first.len()).position(|window| window == first.as_bytes());
    let at = start.map_or(value_at, |start| {
        let start = value_at.span.start + start as u32;
        Location { span: Span::new(start, start + first.len() as u32), ..value_at }
    });
    let listed: Vec<_> = unknown.iter().map(|member| format!("`{member}`")).collect();
    let message = format!(
        "{} does not know {} in `{}`: the server refuses to start",
        subject.server.flavor.title(),
        listed.join(", "),
        shown(&assignment.name)
    );
    let hit = Hit::new(Severity::Error, at, message).label("unknown word").option(entry.id.name());
    let meant: Option<Vec<_>> = unknown.iter().map(|member| word_meant(&entry.shape, member)).collect();
    if let Some(meant) = meant {
        let mut whole = kept.clone();
        whole.extend(meant.iter().filter(|word| !kept.contains(word)));
        let title = format!("write `{}` instead", meant.join(","));
        return Some(hit.remedy(Safety::Unsafe, title, with_value(subject, assignment, entry, &whole.join(","))));
    }
    Some(if kept.is_empty() && entry.id == id::SQL_MODE {
        // No mode is a mode of its own, which the default is not.
        let changes = with_value(subject, assignment, entry, "\"\"");
        hit.remedy(Safety::Unsafe, format!("take {} out", listed.join(", ")), changes)
    } else if kept.is_empty() {
        hit.remedy(Safety::Manual, accepted(&entry.shape), Vec::new())
    } else {
        let changes = with_value(subject, assignment, entry, &kept.join(","));
        hit.remedy(Safety::Unsafe, format!("take {} out", listed.join(", ")), changes)
    })
}

/// The word that a misspelt one was meant to be: blanks and dashes apart, or a letter or two in a long one.
fn word_meant<'a>(shape: &'a Shape<'_>, written: &str) -> Option<&'a str> {
    let plain = |text: &str| text.replace([' ', '_', '-'], "").to_ascii_lowercase();
    let written = plain(written);
    let distance = |word: &'a str| (strsim::osa_distance(&plain(word), &written), word);
    let nearest = shape.words().map(distance).min();
    nearest.filter(|(distance, _)| distance * 6 <= written.len()).map(|(_, word)| word)
}

/// The value that the writer had in mind, where that is plain.
fn meant(assignment: &Assignment<'_>, entry: &Entry, reason: Refusal, server: Server) -> Option<String> {
    let value = shown(assignment.value.as_deref()?);
    let trimmed = value.trim();
    match (reason, entry.shape.kind) {
        (Refusal::NoValueAllowed, _) => None,
        // `1.5G`, `16 M`, `512 MB`, `1,048,576`, `50;`
        (Refusal::UnknownSuffix(_), _) if entry.shape.unit == Unit::Bytes => size_meant(trimmed),
        // `0.5s`
        (Refusal::NotADecimal, Kind::Real) => {
            let number = trimmed.trim_end_matches(';').trim_end_matches("sec").trim_end_matches('s').trim_end();
            let digits = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            (digits && number.parse::<f64>().is_ok()).then(|| number.to_owned())
        }
        (Refusal::UnknownSuffix(_), _) => {
            let digits = trimmed.trim_end_matches([';', ',']);
            digits.parse::<u64>().ok().map(|number| number.to_string())
        }
        (Refusal::AliasGone, _) => Some(trimmed.to_ascii_lowercase().replacen("utf8", "utf8mb3", 1)),
        // The newest tables of Unicode that every server knows.
        (Refusal::NotAMember, _) if entry.id == id::COLLATION_SERVER => {
            let lower = trimmed.to_ascii_lowercase();
            let newer = ["_0900_", "uca1400"].iter().any(|weights| lower.contains(weights));
            let misspelt = alike(&lower, true, server).filter(|_| !newer);
            let unicode = lower.starts_with("utf8mb4_") || lower.starts_with("uca1400");
            misspelt.or_else(|| unicode.then(|| "utf8mb4_unicode_520_ci".to_owned()))
        }
        // `utf-8`, `utf8-mb4`
        (Refusal::NotAMember, _) if [id::CHARACTER_SET_SERVER, id::CHARACTER_SET_FILESYSTEM].contains(&entry.id) => {
            let lower = trimmed.to_ascii_lowercase();
            let unicode = ["utf-8", "utf8", "utf_8"].iter().any(|begin| lower.starts_with(begin));
            unicode.then(|| "utf8mb4".to_owned()).or_else(|| alike(&lower, false, server))
        }
        (Refusal::NotAMember, _) if [id::TLS_VERSION, id::ADMIN_TLS_VERSION].contains(&entry.id) => {
            let has = |word: &&str| value.split(',').any(|written| written.trim().eq_ignore_ascii_case(word));
            let kept: Vec<_> = ["TLSv1.2", "TLSv1.3"].into_iter().filter(has).collect();
            Some(if kept.is_empty() { "TLSv1.2".to_owned() } else { kept.join(",") })
        }
        (Refusal::NotAMember, Kind::Enumeration) => {
            let plain = |text: &str| text.replace([' ', '_'], "-").to_ascii_lowercase();
            let spelled = entry.shape.words().find(|word| plain(word) == plain(trimmed));
            spelled.or_else(|| successors::word(entry.id, trimmed, &entry.shape)).map(str::to_owned)
        }
        (Refusal::NotAMember, Kind::Set) => {
            let members: Vec<_> =
                value.split([',', ';', ' ']).map(str::trim).filter(|member| !member.is_empty()).collect();
            let known = |member: &&str| entry.shape.words().any(|word| word.eq_ignore_ascii_case(member));
            let kept = members.join(",");
            (members.iter().all(known) && kept != value).then_some(kept)
        }
        _ => None,
    }
}

fn size_meant(text: &str) -> Option<String> {
    let text = text.trim_end_matches(';');
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ',')).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let factor: u64 = match suffix.trim().to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return None,
    };
    let number: f64 = number.replace(',', "").parse().ok()?;
    let bytes = number * factor as f64;
    (bytes.fract() == 0.0 && bytes < 2f64.powi(53)).then(|| as_written(bytes as u64))
}

pub(super) fn adjusted_value(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, entry, judgement) in judged(subject).filter(has_effect) {
        let Judgement::Adjusted { reason, warns } = judgement else { continue };
        let Some(Value::Integer(result)) = assignment.reading.as_ref().and_then(|reading| reading.value.as_ref())
        else {
            continue;
        };
        let bytes = entry.shape.unit == Unit::Bytes;
        let result = if bytes { size(*result) } else { result.to_string() };
        let because = match reason {
            Adjustment::AboveMaximum => format!("above the largest value {result}"),
            Adjustment::BelowMinimum => format!("below the smallest value {result}"),
            Adjustment::Block => format!("no multiple of {}", as_written(entry.shape.block_size)),
            Adjustment::NegativeToMinimum => "negative".to_owned(),
            Adjustment::NegativeWrapped => "negative, which this server takes for a huge number".to_owned(),
        };
        let severity = if warns { Severity::Warning } else { Severity::Advice };
        let says = if warns { "with a warning" } else { "without a word" };
        let name = shown(&assignment.name);
        let message = format!(
            "the server changes `{name}` from {} to `{result}` {says}: it is {because}",
            quoted(assignment, entry)
        );
        let hit = Hit::new(severity, assignment.value_at.unwrap_or(assignment.name_at), message);
        let hit = hit.label(format!("becomes {result}")).option(entry.id.name());
        let is_too_small = reason == Adjustment::BelowMinimum || reason == Adjustment::Block && result == "0";
        if let Some(meant) = unit_forgotten(assignment, entry).filter(|_| is_too_small) {
            let message = format!("{}; without a letter behind it the number is bytes", hit.message);
            let advice = format!("write {meant}, or `{result}`, which is what the server uses");
            hits.push(Hit { message, ..hit }.remedy(Safety::Manual, advice, Vec::new()));
            continue;
        }
        let title = format!("write `{result}`, which is what the server uses anyway");
        hits.push(hit.remedy(Safety::Safe, title, with_value(subject, assignment, entry, &result)));
    }
}

/// What takes gigabytes on most machines, and the largest number that tells them: more are megabytes. InnoDB's redo log files have 48M
/// or more by default, its pool 128M.
const OFTEN_GIGABYTES: [(OptionId, i128); 3] =
    [(id::INNODB_BUFFER_POOL_SIZE, 64), (id::INNODB_LOG_FILE_SIZE, 16), (id::INNODB_REDO_LOG_CAPACITY, 32)];

/// `innodb_buffer_pool_size = 512`: so few bytes that a letter is missing. What to write, as advice says it.
pub(super) fn unit_forgotten(assignment: &Assignment<'_>, entry: &Entry) -> Option<String> {
    let digits = std::str::from_utf8(assignment.value.as_deref()?).ok()?.trim();
    let number = digits.parse::<i128>().ok().filter(|number| *number > 0)?;
    let fits = |shift: u32| {
        let bytes = number << shift;
        entry.shape.max.is_none_or(|max| bytes <= max) && entry.shape.min.is_none_or(|min| min <= bytes)
    };
    let megabytes = fits(20).then(|| format!("`{digits}M` if megabytes were meant"));
    let most = OFTEN_GIGABYTES.iter().find_map(|(id, most)| (*id == entry.variable).then_some(*most));
    // A pool of 65536M is one; a buffer of 16384 bytes was meant to be small.
    if number > if most.is_some() { 65536 } else { 4096 } {
        return None;
    }
    let gigabytes = most.filter(|most| number <= *most && fits(30));
    let gigabytes = gigabytes.map(|_| format!("`{digits}G` if gigabytes were meant"));
    let meant = gigabytes.into_iter().chain(megabytes).collect::<Vec<_>>().join(", ");
    (entry.shape.unit == Unit::Bytes && !meant.is_empty()).then_some(meant)
}

pub(super) fn misread_value(subject: Subject<'_>, hits: &mut Vec<Hit>) {
    for (assignment, entry, judgement) in judged(subject).filter(has_effect) {
        let hit = match judgement {
            Judgement::Misread { how, warns } => misreading(subject, assignment, entry, how, warns),
            Judgement::DefaultKept { warns } => default_kept(subject, assignment, entry, warns),
            Judgement::Accepted | Judgement::NotJudged => {
                file_name(subject, assignment, entry).or_else(|| remarks::in_path(subject, assignment, entry))
            }
            Judgement::Adjusted { .. } | Judgement::Refused { .. } => None,
        };
        hits.extend(hit);
    }
}

fn misreading(
    subject: Subject<'_>,
    assignment: &Assignment<'_>,
    entry: &Entry,
    how: Misreading,
    warns: bool,
) -> Option<Hit> {
    let name = shown(&assignment.name);
    let value = quoted(assignment, entry);
    let becomes = assignment
        .reading
        .as_ref()
        .and_then(|reading| reading.value.as_ref())
        .map_or(String::new(), |value| plain(value, &entry.shape));
    let remark = NoComment::behind(subject, assignment, entry);
    let message = match how {
        Misreading::TextIgnored if remark.is_some() => format!(
            "{value} is no value with a comment: it works as `{becomes}` because the server ignores what follows the letter"
        ),
        _ if let Some(remark) = &remark => format!("{value} means {becomes}: {}", remark.reason()),
        Misreading::UnitIgnored => format!(
            "{value} works as `{becomes}`: the server looks at one letter behind the digits and ignores the rest"
        ),
        Misreading::TextIgnored => {
            format!("{value} means `{becomes}`: the server ignores what follows the first letter behind the digits")
        }
        Misreading::ExponentIsExa => {
            format!("{value} is not a power of ten: `E` is the suffix for 2^60, so `{name}` becomes {becomes}")
        }
        Misreading::NoDigits => format!("{value} has no digits and means 0: `{name}` becomes {becomes}"),
        Misreading::EmptyIsZero => format!("the empty value of `{name}` means 0 and becomes {becomes}"),
        Misreading::EmptyIsFirstWord => format!("the empty value of `{name}` means its first word, {becomes}"),
        Misreading::SuffixWrapped => format!("{value} does not fit in 64 bits and wraps: `{name}` becomes {becomes}"),
        Misreading::UnknownBooleanIsOff => format!("{value} is neither ON nor OFF, so `{name}` is OFF"),
        Misreading::FirstDigitDecides => format!("only the first digit of {value} counts: `{name}` is {becomes}"),
        Misreading::ValueDropped => {
            format!("behind this prefix only `0` is looked at; {value} is dropped and the setting is {becomes}")
        }
        Misreading::AlwaysOn => {
            format!("the server does not look at {value}: `{name}` is {becomes} once it is written")
        }
        Misreading::SwitchGivesText => format!("`{name}` sets the text `{becomes}`"),
        Misreading::EqualsPartsMembers => format!("in {value} the `=` parts two members like a comma"),
        Misreading::AfterEqualsIgnored => format!("in {value} everything behind `=` is ignored"),
        Misreading::AmbiguousIsDefault => format!("{value} is neither on nor off; the default is used"),
    };
    let is_as_meant = how == Misreading::TextIgnored
        && (remark.is_some() || assignment.value.as_deref().is_some_and(|value| value.trim_ascii().ends_with(b";")));
    let changes_meaning = how.changes_meaning() && !is_as_meant;
    let severity = if changes_meaning { Severity::Warning } else { Severity::Advice };
    let suffix = if changes_meaning && !warns { "; the server says nothing" } else { "" };
    let hit = Hit::new(severity, assignment.value_at.unwrap_or(assignment.name_at), format!("{message}{suffix}"));
    let hit = hit.label(format!("read as {becomes}")).option(entry.id.name());
    if let Some(remark) = remark {
        let safety = if how == Misreading::TextIgnored { Safety::Safe } else { Safety::Unsafe };
        return Some(remark.mended(hit, safety));
    }
    Some(match how {
        Misreading::UnitIgnored | Misreading::TextIgnored => {
            hit.remedy(Safety::Safe, format!("write `{becomes}`"), with_value(subject, assignment, entry, &becomes))
        }
        Misreading::UnknownBooleanIsOff => boolean_meant(subject, assignment, entry, hit),
        Misreading::ExponentIsExa => {
            let number =
                assignment.value.as_deref().and_then(|value| std::str::from_utf8(value).ok()?.parse::<f64>().ok());
            match number.filter(|number| number.fract() == 0.0 && *number < 2f64.powi(53)) {
                Some(number) => {
                    let digits = (number as i128).to_string();
                    hit.remedy(
                        Safety::Unsafe,
                        format!("write `{digits}`"),
                        with_value(subject, assignment, entry, &digits),
                    )
                }
                None => hit.remedy(Safety::Manual, accepted(&entry.shape), Vec::new()),
            }
        }
        _ => hit.remedy(Safety::Manual, accepted(&entry.shape), Vec::new()),
    })
}

/// `yes` was meant to be ON, whatever the server makes of it; `no` is OFF either way.
fn boolean_meant(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry, hit: Hit) -> Hit {
    // Where the default stays, it may be ON.
    let is_off = assignment.reading.as_ref().is_some_and(|reading| reading.value == Some(Value::boolean(false)));
    let value = assignment.value.as_deref().map(|value| value.trim_ascii().to_ascii_lowercase()).unwrap_or_default();
    match value.as_slice() {
        b"yes" | b"y" | b"enabled" | b"enable" | b"t" | b"2" | b"on" | b"true" | b"1" => {
            hit.remedy(Safety::Unsafe, "write ON if it is to be on", with_value(subject, assignment, entry, "ON"))
        }
        b"no" | b"n" | b"disabled" | b"disable" | b"f" | b"none" | b"off" | b"false" | b"0" | b"" => {
            let safety = if is_off { Safety::Safe } else { Safety::Unsafe };
            hit.remedy(safety, "write OFF", with_value(subject, assignment, entry, "OFF"))
        }
        _ => match file_switched_on(assignment, entry, subject) {
            Some((file, path)) => {
                let mut changes = with_value(subject, assignment, entry, "ON");
                let title = format!("write ON, and `{} = {path}` beside it", file.name());
                changes.push(Change::Set { option: file.name().to_owned(), value: Some(path) });
                hit.remedy(Safety::Unsafe, title, changes)
            }
            None => hit.remedy(Safety::Manual, "write ON or OFF", Vec::new()),
        },
    }
}

/// The option that takes the file, where a switch was given one: `slow_query_log = /var/log/slow.log`.
fn file_switched_on(assignment: &Assignment<'_>, entry: &Entry, subject: Subject<'_>) -> Option<(OptionId, String)> {
    let path = std::str::from_utf8(assignment.value.as_deref()?).ok()?.trim();
    let file = OptionId::from_name(&format!("{}_file", entry.id.name()))?;
    let file = catalog::entry(file, subject.server);
    let is_path = path.contains(['/', '\\']) || path.ends_with(".log");
    let is_free = file.state == State::Present && subject.effective.get(file.variable).is_none();
    (is_path && is_free).then(|| (file.id, path.to_owned()))
}

fn default_kept(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry, warns: bool) -> Option<Hit> {
    let name = shown(&assignment.name);
    let says = if warns { "a warning" } else { "no word" };
    let message =
        format!("the server ignores {} for `{name}` with {says}: its default stays", quoted(assignment, entry));
    let severity = if warns { Severity::Warning } else { Severity::Advice };
    let hit = Hit::new(severity, assignment.value_at.unwrap_or(assignment.name_at), message);
    let hit = hit.label("ignored").option(entry.id.name());
    if let Some(remark) = NoComment::behind(subject, assignment, entry) {
        return Some(remark.mended(hit, Safety::Unsafe));
    }
    Some(if matches!(entry.shape.kind, Kind::Boolean | Kind::PluginBoolean) {
        boolean_meant(subject, assignment, entry, hit)
    } else {
        hit.remedy(Safety::Manual, accepted(&entry.shape), Vec::new())
    })
}

/// `log_bin = OFF` names a file: the log is on.
fn file_name(subject: Subject<'_>, assignment: &Assignment<'_>, entry: &Entry) -> Option<Hit> {
    let plain = matches!(&assignment.resolved, Resolved::Option { prefixes, .. } if prefixes.effect == Effect::None);
    // The variable of `log_bin` is ON or OFF, but the option takes a name.
    let is_name = entry.shape.kind == Kind::Path || matches!(entry.id, id::LOG_BIN | id::LOG_ERROR);
    let value = assignment.value.as_deref().filter(|_| plain && is_name)?;
    let off = [b"OFF".as_slice(), b"0", b"FALSE", b"NO", b"NONE"];
    let is_off = off.iter().any(|word| word.eq_ignore_ascii_case(value));
    let is_on = [b"ON".as_slice(), b"1", b"TRUE", b"YES"].iter().any(|word| word.eq_ignore_ascii_case(value));
    if !is_off && !is_on {
        return None;
    }
    let name = shown(&assignment.name);
    let shown_value = shown(value);
    if entry.id == id::LOG_BIN {
        let state = if is_off { "the binary log is on all the same, and " } else { "" };
        let message =
            format!("`{name}` takes a file name: {state}its files are called `{shown_value}.000001` and so on");
        let hit =
            Hit::new(Severity::Warning, assignment.value_at?, message).label("a file name").option(entry.id.name());
        return Some(if is_off {
            // Off is what was meant, and on is what the server has been doing.
            let title = "write `skip_log_bin` to turn it off, or `log_bin` alone to keep it on";
            hit.remedy(Safety::Manual, title, Vec::new())
        } else {
            hit.remedy(Safety::Unsafe, "write `log_bin` alone", whole_line(assignment, "log_bin".to_owned()))
        });
    }
    // The server takes these for a name too, but which file was meant nobody can tell.
    let message =
        format!("`{name}` takes a file name: `{shown_value}` becomes the name of a file in the data directory");
    let hit = Hit::new(Severity::Warning, assignment.value_at?, message).label("a file name").option(entry.id.name());
    let remove = Change::Remove { option: shown(subject.sources.text(assignment.name_at)) };
    Some(hit.remedy(Safety::Unsafe, "remove the line: the default applies", vec![remove]))
}

/// A size as it would be written.
fn size(bytes: i128) -> String {
    u64::try_from(bytes).map_or_else(|_| bytes.to_string(), as_written)
}

/// A value as it would be written.
fn plain(value: &Value<'_>, shape: &Shape<'_>) -> String {
    match value {
        Value::Integer(number) if shape.unit == Unit::Bytes => size(*number),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Word(text) | Value::Set(text) => text.clone().into_owned(),
        Value::Text(text) => shown(text),
        Value::None => "no value".to_owned(),
    }
}
