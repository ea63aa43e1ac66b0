//! What client and helper programs know: which options each one takes from the groups that it reads.
//!
//! Where the facts come from, and their holes: `catalog/clients/README.md`. The groups of the server itself (`[mysqld]`
//! and its like) are no part of this, although some helpers read them too: there the server's catalog decides.

use std::cmp::Ordering;
use std::ops::Range;

use crate::server::{Flavor, Server, Version};

include!(concat!(env!("OUT_DIR"), "/clients.rs"));

/// Whether a program of that flavor that reads `group` knows the option; `None` when no recorded program reads the
/// group, or when the records around this version do not settle it.
///
/// The option is spelled as in the file: dashes or underscores, with prefixes (`loose-`, `skip-`, `disable-`,
/// `enable-`, `maximum-`, `autoset-`), abbreviated where the version takes that. `loose-` does not make a name known:
/// the answer is about the name behind it. `Some(true)` for `[client]` means that one of its readers knows the option;
/// [`programs_refusing_in_client`] names those that do not. A group that a server reads as well (`[client-server]`)
/// needs the server's catalog too.
pub fn known_in_group(group: &str, option: &[u8], server: Server) -> Option<bool> {
    let spellings = spellings(option, server);
    let mut refused = false;
    let mut unsettled = false;
    for program in programs(server).filter(|program| program.reads(group)) {
        match program.knowledge(&spellings, server, server.takes_abbreviations()) {
            Knowledge::Knows => return Some(true),
            Knowledge::Refuses => refused = true,
            Knowledge::Unsettled => unsettled = true,
            Knowledge::Unrecorded => {}
        }
    }
    (refused && !unsettled).then_some(false)
}

/// The one option that a name is the beginning of in the programs that read `group`: what was meant where a program takes whole names
/// only.
pub fn begun_in_group(group: &str, beginning: &[u8], server: Server) -> Option<&'static str> {
    let mut found = programs(server)
        .filter(|program| program.reads(group))
        .flat_map(|program| program.beginning_with(beginning, server));
    let first = found.next().filter(|_| !beginning.is_empty())?;
    found.all(|other| other == first).then_some(first)
}

/// Whether some program that reads `group` refuses to run when it finds an option there that it does not know.
///
/// The others go on without the option: the scripts that start servers, programs that leave option files to the client
/// library, and since 8.1 MySQL's `mysql` (it lets one such option pass; a second one does stop it).
pub fn stops_on_unknown(group: &str, server: Server) -> bool {
    programs(server).any(|program| program.reads(group) && program.stops_on_unknown(server))
}

/// The groups of programs in which the option would mean something, best first: for an option that stands in the
/// server's group but belongs to a client.
///
/// `client` comes first when every program that reads it knows the option. Abbreviations are not tried.
pub fn groups_for(option: &[u8], server: Server) -> impl Iterator<Item = &'static str> {
    let spellings = spellings(option, server);
    let knows = move |program: &&Program| program.knowledge(&spellings, server, false) == Knowledge::Knows;
    let mut readers =
        programs(server).filter(move |program| program.reads("client") && program.stops_on_unknown(server));
    let everywhere = readers.next().is_some_and(|first| knows(&first) && readers.all(|program| knows(&program)));
    let own = programs(server).filter(knows).map(Program::own_group).filter(|group| *group != "client");
    everywhere.then_some("client").into_iter().chain(own)
}

/// What nearly every `[client]` holds and no program that reads it refuses.
const KNOWN_TO_ALL: [&[u8]; 4] = [b"port", b"socket", b"user", b"host"];

/// The programs that read `[client]` and refuse to run when this option stands there, most used first.
///
/// Empty for an option with `loose-`: those programs then only warn.
pub fn programs_refusing_in_client(option: &[u8], server: Server) -> Vec<&'static str> {
    if KNOWN_TO_ALL.contains(&option) || is_loose(option, server) {
        return Vec::new();
    }
    let spellings = spellings(option, server);
    programs(server)
        .filter(|program| program.stops_on_unknown(server) && program.reads("client"))
        .filter(|program| program.knowledge(&spellings, server, server.takes_abbreviations()) == Knowledge::Refuses)
        .map(|program| program.name(server))
        .collect()
}

/// One program. Texts are indices of words, pairs are ranges of the tables of the same name.
struct Program {
    mariadb: bool,
    name: u16,
    until_10_5: u16,
    /// Its own group first.
    groups: [u16; 2],
    /// The packed versions whose options were recorded, rising.
    seen: [u16; 2],
    /// Name and bits, by name: bit n stands for the n-th version seen.
    options: [u16; 2],
    gone: u32,
    ignores_unknown_from: u32,
    exact_spelling: bool,
    complete: bool,
}

/// What the records say about one program and one option at one version.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knowledge {
    Knows,
    Refuses,
    /// The versions recorded before and after disagree, builds differ, or an abbreviation hangs on such an option.
    Unsettled,
    /// Nothing was recorded for versions like this one.
    Unrecorded,
}

impl Program {
    fn name(&self, server: Server) -> &'static str {
        // MariaDB's own names for the programs became the main ones with 10.5.
        word(if server.at_least(10, 5, 0) { self.name } else { self.until_10_5 })
    }

    fn own_group(&self) -> &'static str {
        self.group_words().next().unwrap_or_default()
    }

    fn group_words(&self) -> impl Iterator<Item = &'static str> {
        GROUPS[range(self.groups)].iter().map(|index| word(*index))
    }

    fn reads(&self, group: &str) -> bool {
        self.group_words().any(|own| own.eq_ignore_ascii_case(group))
    }

    fn stops_on_unknown(&self, server: Server) -> bool {
        server.version.packed() < self.ignores_unknown_from
    }

    fn knowledge(&self, spellings: &[Spelling], server: Server, abbreviations: bool) -> Knowledge {
        if self.exact_spelling {
            return spellings.first().map_or(Knowledge::Refuses, |whole| self.named(whole, server, false));
        }
        let mut best = Knowledge::Refuses;
        for spelling in spellings {
            match (self.named(spelling, server, abbreviations), best) {
                (Knowledge::Knows, _) => return Knowledge::Knows,
                (found, Knowledge::Refuses) => best = found,
                _ => {}
            }
        }
        best
    }

    /// The program's answer to a name without looking at prefixes.
    fn named(&self, name: &Spelling, server: Server, abbreviations: bool) -> Knowledge {
        let options = &OPTIONS[range(self.options)];
        let start = options.partition_point(|[index, _]| *index < name.words.start);
        let mut candidates = options[start..].iter().take_while(|[index, _]| *index < name.words.end);
        let exact = candidates.clone().next().filter(|[index, _]| name.is_whole && *index == name.words.start);
        let exact = exact.map(|[_, seen]| self.recorded(*seen, server));
        match exact {
            Some(Knowledge::Refuses) | None if abbreviations => {}
            Some(knowledge) => return knowledge,
            None => return self.absent(server.version),
        }
        let (mut known, mut unsettled) = (0, 0);
        for [_, seen] in candidates.by_ref() {
            match self.recorded(*seen, server) {
                Knowledge::Knows => known += 1,
                Knowledge::Unsettled => unsettled += 1,
                Knowledge::Refuses | Knowledge::Unrecorded => {}
            }
        }
        match (known, unsettled) {
            (0, 0) => self.absent(server.version),
            (1, 0) => Knowledge::Knows,
            (0 | 1, _) => Knowledge::Unsettled,
            _ => Knowledge::Refuses,
        }
    }

    /// The options that begin so and that the program knows.
    fn beginning_with(&self, name: &[u8], server: Server) -> impl Iterator<Item = &'static str> {
        let fold = server.ignores_case_of_names();
        let begins =
            OPTIONS[range(self.options)].iter().filter(move |[index, _]| begins_with(word(*index), name, fold));
        let known = begins.filter(move |[_, seen]| self.recorded(*seen, server) == Knowledge::Knows);
        known.map(|[index, _]| word(*index))
    }

    fn recorded(&self, seen: u16, server: Server) -> Knowledge {
        if seen & PERCONA != 0 && matches!(server.flavor, Flavor::Percona | Flavor::Pxc) || self.versions().is_empty() {
            Knowledge::Knows
        } else if seen & SOME_BUILDS != 0 {
            Knowledge::Unsettled
        } else {
            self.between_records(seen, server.version)
        }
    }

    fn absent(&self, version: Version) -> Knowledge {
        match self.between_records(0, version) {
            _ if !self.complete => Knowledge::Unrecorded,
            _ if self.versions().is_empty() => Knowledge::Refuses,
            knowledge => knowledge,
        }
    }

    /// A version between two recorded ones is known where both agree; before the first and after the last one, the rest
    /// of its series counts as alike, and an option is taken to stay.
    fn between_records(&self, seen: u16, version: Version) -> Knowledge {
        let versions = self.versions();
        let next = versions.partition_point(|other| *other <= version.packed());
        let knows = |index: usize| seen >> index & 1 == 1;
        let alike = |index: usize| Version::unpacked(versions[index]).same_series(version);
        let known = match (next.checked_sub(1), (next < versions.len()).then_some(next)) {
            (Some(before), _) if versions[before] == version.packed() => knows(before),
            (Some(before), Some(after)) if knows(before) == knows(after) => knows(before),
            (Some(_), Some(_)) => return Knowledge::Unsettled,
            (Some(before), None) if alike(before) || knows(before) => knows(before),
            (None, Some(after)) if alike(after) => knows(after),
            _ => return Knowledge::Unrecorded,
        };
        if known { Knowledge::Knows } else { Knowledge::Refuses }
    }

    fn versions(&self) -> &'static [u32] {
        &SEEN[range(self.seen)]
    }
}

/// A name as the tables have it, for all programs at once: the words are in the order of the alphabet.
struct Spelling {
    /// The words that begin with it.
    words: Range<u16>,
    /// The first of them is the name itself.
    is_whole: bool,
}

impl Spelling {
    fn of(name: &[u8], fold: bool) -> Self {
        let count = STARTS.len() as u16 - 1;
        let (mut start, mut end) = (0, count);
        while start < end {
            let middle = start + (end - start) / 2;
            match compare(word(middle), name, fold) {
                Ordering::Less => start = middle + 1,
                _ => end = middle,
            }
        }
        let behind = (start..count).find(|index| !begins_with(word(*index), name, fold));
        let words = start..behind.unwrap_or(count);
        Self { is_whole: !words.is_empty() && word(start).len() == name.len(), words }
    }
}

/// An option as it is written, then what stands behind each of its prefixes.
fn spellings(option: &[u8], server: Server) -> Vec<Spelling> {
    let fold = server.ignores_case_of_names();
    std::iter::successors(Some(option), |rest| behind_prefix(rest, server).map(|(_, behind)| behind))
        .map(|rest| Spelling::of(rest, fold))
        .collect()
}

/// The programs that belong to the server, most used first.
fn programs(server: Server) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| {
        program.mariadb == (server.flavor == Flavor::Mariadb) && server.version.packed() < program.gone
    })
}

fn word(index: u16) -> &'static str {
    let index = usize::from(index);
    &POOL[usize::from(STARTS[index])..usize::from(STARTS[index + 1])]
}

fn range([start, end]: [u16; 2]) -> Range<usize> {
    usize::from(start)..usize::from(end)
}

/// The prefix that an option begins with, and the option behind it.
fn behind_prefix(option: &[u8], server: Server) -> Option<(&'static str, &[u8])> {
    let fold = server.ignores_case_of_names();
    ["loose", "skip", "disable", "enable", "maximum", "autoset"].into_iter().find_map(|prefix| {
        let (start, rest) = option.split_at_checked(prefix.len())?;
        let (separator, behind) = rest.split_first()?;
        let fits = compare(prefix, start, fold) == Ordering::Equal && matches!(separator, b'-' | b'_');
        (fits && (prefix != "autoset" || server.flavor == Flavor::Mariadb)).then_some((prefix, behind))
    })
}

fn is_loose(option: &[u8], server: Server) -> bool {
    std::iter::successors(behind_prefix(option, server), |(_, behind)| behind_prefix(behind, server))
        .any(|(prefix, _)| prefix == "loose")
}

/// The written byte as the names of the tables spell it.
fn spelled(byte: u8, fold: bool) -> u8 {
    match byte {
        b'_' => b'-',
        _ if fold => byte.to_ascii_lowercase(),
        _ => byte,
    }
}

fn compare(name: &str, written: &[u8], fold: bool) -> Ordering {
    name.bytes().cmp(written.iter().map(|byte| spelled(*byte, fold)))
}

fn begins_with(name: &str, written: &[u8], fold: bool) -> bool {
    name.len() >= written.len() && compare(&name[..written.len()], written, fold) == Ordering::Equal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::SERIES;

    #[test]
    fn no_program_refuses_what_all_know() {
        for series in SERIES {
            let server = Server { flavor: series.flavor, version: series.last };
            let all = programs(server).filter(|program| program.stops_on_unknown(server) && program.reads("client"));
            for (program, option) in all.flat_map(|program| KNOWN_TO_ALL.map(|option| (program, option))) {
                let knowledge = program.knowledge(&spellings(option, server), server, server.takes_abbreviations());
                assert!(knowledge != Knowledge::Refuses, "{} on {server}", program.name(server));
            }
        }
    }
}
