//! Promise 3 as laws: what has to hold for any configuration once its fixes are made, and any server and host to try it on.

use super::{Case, fact, lines_of, newly_set, said, servers, topic};
use cnflint::facts::{FactId, FactType, Facts};
use cnflint::finding::{Change, Safety};
use cnflint::fix::{self, Fixed, Wanted};
use cnflint::lint::Report;
use cnflint::rules;
use cnflint::server::{SERIES, Server, ServerSpec, Version};
use cnflint::source::{Files as _, Span};
use cnflint::suppress::suppress;
use cnflint::value::Unit;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

/// A law that does not hold: which, in words that are the same for every case, and the case.
#[derive(Debug)]
pub struct Broken {
    /// Which law, of which rule.
    pub law: String,
    /// The case, what was fixed in it, and what is left.
    pub story: String,
}

/// What a law says of a case.
pub type Held = Result<(), Broken>;

/// The same cases in every run, since .cargo/config.toml gives the seed; others, and as many as wanted, with
/// `PROPTEST_RNG_SEED=7 PROPTEST_CASES=5000`.
pub fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Tries a law on cases, and tells of every law that is broken once, with the smallest case that was found.
pub fn hold<S: Strategy>(cases: u32, strategy: &S, law: impl Fn(&S::Value) -> Held)
where
    S::Value: Debug,
{
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { config().cases } else { cases };
    let mut runner = TestRunner::new(config());
    let mut broken: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..cases {
        let mut tree = strategy.new_tree(&mut runner).expect("a case");
        let Err(mut worst) = law(&tree.current()) else { continue };
        if broken.contains_key(&worst.law) {
            continue;
        }
        let mut smaller = tree.simplify();
        for _ in 0..200 {
            if !smaller {
                break;
            }
            smaller = match law(&tree.current()) {
                Err(other) if other.law == worst.law => {
                    worst = other;
                    tree.simplify()
                }
                _ => tree.complicate(),
            };
        }
        broken.insert(worst.law, worst.story);
    }
    let told: Vec<_> = broken.iter().map(|(law, story)| format!("=== {law}\n{story}\n")).collect();
    assert!(told.is_empty(), "{} laws are broken in {cases} cases\n{}", told.len(), told.concat());
}

/// A series, a release in it, or nobody says which server.
pub fn any_server() -> impl Strategy<Value = Option<ServerSpec>> {
    let series = select(SERIES.iter().map(|series| Some(ServerSpec::Series(*series))).collect::<Vec<_>>());
    let exact = (select(SERIES), any::<u16>()).prop_map(|(series, patch)| {
        let patch = series.first.patch + patch % (series.last.patch - series.first.patch + 1);
        let version = Version { patch, ..series.first };
        Some(ServerSpec::Exact(Server { flavor: series.flavor, version }))
    });
    prop_oneof![4 => series, 4 => exact, 1 => Just(None)]
}

/// A host and a workload; every fact may be missing.
pub fn any_host() -> impl Strategy<Value = Facts> {
    let sizes = ["1M", "512M", "1G", "3G", "16G", "64G", "1T"];
    let texts = |id: FactId| -> Vec<&'static str> {
        match id {
            FactId::HostRam => vec!["512M", "1G", "2G", "4G", "8G", "16G", "64G", "256G", "1T"],
            FactId::HostOpenFiles | FactId::HostMaxTasks => vec!["1024", "10000", "65536", "1048576"],
            FactId::HostCpus => vec!["1", "2", "4", "16", "96", "128"],
            FactId::DiskCapacity => vec!["50G", "1.6T", "7.68T"],
            FactId::DiskEndurance => vec!["100T", "1P", "12.25P"],
            FactId::DiskFill => vec!["5%", "75%", "98%"],
            FactId::DiskLifetime => vec!["1y", "5y"],
            FactId::WorkloadRedoFactor => vec!["1", "1.2", "3"],
            FactId::WorkloadRedoRate | FactId::WorkloadWriteRate => vec!["100K", "5M", "200M"],
            _ => match id.fact_type() {
                FactType::Number(Unit::Count | Unit::Seconds) => vec!["1", "3000", "5000000"],
                FactType::Number(_) => sizes.to_vec(),
                FactType::Word(words) => words.to_vec(),
                FactType::AnyWord => vec!["ext4", "xfs", "zfs", "nfs4"],
                FactType::Boolean => vec!["ON", "OFF"],
            },
        }
    };
    let some = move |id: FactId| {
        let texts = texts(id);
        (0..texts.len() * 2).prop_map(move |at| texts.get(at).map(|text| (id, *text)))
    };
    FactId::ALL.iter().copied().map(some).collect::<Vec<_>>().prop_map(|known| {
        let mut facts = Facts::default();
        known.into_iter().flatten().for_each(|(id, text)| fact(&mut facts, id, text));
        facts
    })
}

/// Makes every fix up to `allowed`.
pub fn make(case: &Case, allowed: Safety) -> (Fixed, Case) {
    let leave_out = |report: &mut Report| suppress(report, &[rules::built_in()]);
    let wanted = Wanted { leave_out: &leave_out, ..Wanted::all(allowed) };
    let fixed = fix::fix(&case.disk, &case.subject(), &[rules::built_in()], wanted);
    let mut after = case.clone();
    for (path, bytes) in &fixed.files {
        after = after.with_file(path, bytes.clone());
    }
    (fixed, after)
}

/// What failures show.
pub fn story(case: &Case, fixed: &Fixed, after: &Case) -> String {
    let text = |case: &Case| {
        let files = case.roots.iter().filter_map(|path| case.disk.read(path).ok());
        files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect::<String>()
    };
    let made: Vec<_> = fixed
        .made
        .iter()
        .map(|made| {
            format!("{} {}: {:?}", made.round, made.finding.rule, made.finding.fix.as_ref().map(|fix| &fix.changes))
        })
        .collect();
    let server = case.server.map_or("assumed".to_owned(), |server| server.to_string());
    let says = |located: &cnflint::lint::Located| {
        let fix = located.finding.fix.as_ref().map(|fix| (fix.safety, fix.edits.len(), fix.title.clone()));
        format!("{}: {} {fix:?}", located.finding.rule, located.finding.message)
    };
    let left: Vec<_> = fixed.report.findings.iter().map(says).collect();
    let (before, now) = (text(case), text(after));
    let facts: Vec<_> = case.facts.iter().map(|(id, known)| format!("{} {:?}", id.name(), known.value)).collect();
    format!(
        "{} on {server}; {}\n{before}\n--- made\n{}\n--- after\n{now}\n--- left\n{}",
        case.name,
        facts.join(", "),
        made.join("\n"),
        left.join("\n")
    )
}

/// Fixes that let the server read lines which it did not read before; what these say is no fault of the fix.
const REVEALING: [&str; 6] = [
    "byte-order-mark",
    "include-not-found",
    "malformed-group",
    "option-outside-group",
    "unknown-option",
    "unread-group",
];

/// What a rule says once the fix of another one has been made, and why that is no fault of the fix: memory that is no longer promised to
/// connections is there for the pool; a certificate called `1` was none, and now it is one that is missing; beside a size that has to be
/// written because the server chooses too large a one, `innodb_dedicated_server` is of no use any more.
const REVEALED_BY: [(&str, &str); 5] = [
    ("buffer-pool-too-small", "memory-overcommit"),
    ("half-a-certificate", "misread-value"),
    ("tls-without-certificate", "misread-value"),
    ("dedicated-server-overridden", "buffer-pool-too-large"),
    ("dedicated-server-overridden", "memory-overcommit"),
];

/// Settings without which the lines about the same thing say nothing. Once a fix turns one on, what these lines say is no fault of the fix.
const SWITCHES: [&str; 2] = ["log_bin", "slow_query_log"];

fn turns_on(fixed: &Fixed, switch: &str) -> bool {
    let fixes = fixed.made.iter().filter_map(|made| made.finding.fix.as_ref());
    fixes.flat_map(|fix| &fix.changes).any(|change| match change {
        Change::Set { option, .. } => option.replace('-', "_") == switch,
        _ => false,
    })
}

/// Checks that tell of one line what holds for several: `plugin-option-without-plugin` speaks once of each plugin, and of deprecated
/// names one may take the place of another, as `query_cache_size = 0` does that of `query_cache_type`.
const OF_THE_WHOLE: [&str; 2] = ["deprecated-option", "plugin-option-without-plugin"];

/// Promise 3 for one configuration.
pub fn fixed_for_good(case: &Case) -> Held {
    let before = case.lint();
    let (fixed, after) = make(case, Safety::Unsafe);
    let broken = |law: String| Err(Broken { law, story: story(case, &fixed, &after) });
    if !fixed.stable {
        return broken("not stable".to_owned());
    }
    let again = after.lint();
    if !outside_of_edits_stays(case, &fixed, &after) {
        return broken("bytes that no fix is about have changed".to_owned());
    }

    // An option that told which server is meant may be what had to go.
    if servers(&before) != servers(&again) {
        return Ok(());
    }
    if said(&again) != said(&fixed.report) {
        return broken("the last look is no look at the result".to_owned());
    }
    let still = said(&again);
    for made in &fixed.made {
        let topic = topic(&made.finding, &servers(&again));
        // Another line of the same setting may be one for a person.
        let same = |located: &&cnflint::lint::Located| super::topic(&located.finding, &servers(&before)) == topic;
        let only = !topic.1.is_empty() && before.findings.iter().filter(same).count() == 1;
        if only && still.contains(&topic) {
            return broken(format!("{} {} is still said", topic.0, topic.1));
        }
    }
    let known = said(&before);
    let reveals = fixed.made.iter().any(|made| REVEALING.contains(&&*made.finding.rule));
    let fixes = fixed.made.iter().filter_map(|made| made.finding.fix.as_ref());
    let mut revealed = newly_set(case, &after, &servers(&before), fixes);
    // What a misread value was meant to say is said for the first time.
    let meant = fixed.made.iter().map(|made| &made.finding).filter(|finding| finding.rule == "misread-value");
    revealed.extend(meant.map(|finding| topic(finding, &servers(&before)).1));
    let (stood, stands) = (lines_of(case, &servers(&before)), lines_of(&after, &servers(&before)));
    let switched_on: BTreeSet<&str> = SWITCHES.iter().copied().filter(|switch| turns_on(&fixed, switch)).collect();
    let is_known = |rule: &str| known.iter().any(|(other, _)| other == rule);
    for (rule, option) in still.difference(&known) {
        let read = again.findings.iter().filter(|located| located.finding.rule == *rule);
        let mut read = read.flat_map(|located| &located.finding.evidence).map(|evidence| evidence.name);
        // A rule with a condition is about the whole; where it points may change.
        let is_check = rules::built_in().find(rule).is_none_or(|rule| !rule.has_condition());
        if (!is_check || OF_THE_WHOLE.contains(&&**rule)) && is_known(rule) {
            continue;
        }
        let because = |(rules, by): &(&str, &str)| *rules == *rule && (known.iter().any(|(other, _)| other == by));
        let is_revealed = REVEALED_BY.iter().any(because)
            || revealed.contains(option)
            || read.any(|name| revealed.contains(name) || switched_on.contains(name) && stood.contains(option))
            // A file without a group of the server says nothing of what it leaves out, either; the line of another fix may show it.
            || reveals && (option.is_empty() || is_check || !stands.contains(option) || !stood.contains(option));
        if !is_revealed {
            return broken(format!("{rule} {option} is new"));
        }
    }

    let (second, _) = make(&after, Safety::Unsafe);
    if second.files.is_empty() { Ok(()) } else { broken("a second fix changes something".to_owned()) }
}

/// Whether what stands between the places of the fixes is still there, in order.
fn outside_of_edits_stays(case: &Case, fixed: &Fixed, after: &Case) -> bool {
    fixed.files.keys().all(|path| {
        let (old, new) = (case.disk.read(path).unwrap(), after.disk.read(path).unwrap());
        let mut places: Vec<_> = fixed
            .made
            .iter()
            .flat_map(|made| &made.places)
            .filter(|(place, _)| place == path)
            .map(|(_, at)| *at)
            .collect();
        places.sort();
        let (mut done, mut kept) = (0, Vec::new());
        for at in places {
            kept.push(Span::new(done.min(at.start), at.start).of(&old));
            done = done.max(at.end);
        }
        let tail = Span::new(done, old.len() as u32).of(&old);
        let Some(mut rest) = new.strip_prefix(kept[0]).and_then(|rest| rest.strip_suffix(tail)) else { return false };
        kept[1..].iter().filter(|piece| !piece.is_empty()).all(|piece| {
            let found = rest.windows(piece.len()).position(|window| window == *piece);
            found.is_some_and(|at| {
                rest = &rest[at + piece.len()..];
                true
            })
        })
    })
}
