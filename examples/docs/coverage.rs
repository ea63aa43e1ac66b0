//! How much the catalog holds of each release series, as a table.

use cnflint::catalog::{self, Default, Entry, OptionId, State};
use cnflint::server::{Flavor, SERIES, Series, Server, Version};
use cnflint::value::Kind;

const HEAD: [&str; 7] = ["series", "seen", "options", "with type", "with range", "with default", "not recorded"];

/// The page `docs/coverage.md`.
pub fn page() -> String {
    let mut text = String::from(
        "# What the catalog holds\n\n\
         Written by `cargo run --example docs`; `cargo run --example coverage` prints it.\n\n\
         - *seen*: the newest release of the series of which something was observed; a dash where nobody looked, and the figures are those \
         of its last release.\n\
         - *options*: options and system variables that are there, those of loadable plugins and those taken without effect included.\n\
         - *with range*: of those that hold a number, a word or words of a list: how many have a bound or the words recorded.\n\
         - *with default*: the default is known, or known to be computed by the server.\n\
         - *not recorded*: names of which nobody can say whether that release has them. A finding never rests on them.\n",
    );
    for flavor in Flavor::ALL {
        text.push_str(&format!("\n## {}\n\n", flavor.title()));
        let rows: Vec<_> = SERIES.iter().filter(|series| series.flavor == flavor).map(row).collect();
        let width =
            |column: usize| rows.iter().map(|row| row[column].len()).chain([HEAD[column].len()]).max().unwrap_or(0);
        let line = |cells: [&str; 7]| {
            let cells = cells.iter().enumerate().map(|(column, cell)| match column {
                0 | 1 => format!("{cell:width$}", width = width(column)),
                _ => format!("{cell:>width$}", width = width(column)),
            });
            format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
        };
        text.push_str(&line(HEAD));
        let rules = (0..7).map(|column| match column {
            0 | 1 => "-".repeat(width(column)),
            _ => format!("{}:", "-".repeat(width(column) - 1)),
        });
        text.push_str(&format!("| {} |\n", rules.collect::<Vec<_>>().join(" | ")));
        rows.iter().for_each(|row| text.push_str(&line(row.each_ref().map(String::as_str))));
    }
    text
}

fn row(series: &Series) -> [String; 7] {
    let seen = catalog::releases(series.flavor).iter().rev().copied().find(|version| version.same_series(series.first));
    let entries: Vec<_> = entries(series.flavor, seen.unwrap_or(series.last)).collect();
    let there: Vec<_> = entries.iter().filter(|entry| matches!(entry.state, State::Present | State::Ignored)).collect();
    let bounded = |entry: &&&Entry| {
        matches!(
            entry.shape.kind,
            Kind::Signed | Kind::Unsigned | Kind::Real | Kind::Enumeration | Kind::Set | Kind::FlagSet
        )
    };
    let has_bounds =
        |entry: &&&Entry| entry.shape.min.is_some() || entry.shape.max.is_some() || !entry.shape.words.is_empty();
    let count = |holds: &dyn Fn(&Entry) -> bool| there.iter().filter(|entry| holds(entry)).count();
    let ranges = there.iter().filter(bounded);
    [
        format!("{}.{}", series.first.major, series.first.minor),
        seen.map_or_else(|| "-".to_owned(), |version| version.to_string()),
        there.len().to_string(),
        count(&|entry| entry.shape.kind != Kind::NotRecorded).to_string(),
        format!("{} of {}", ranges.clone().filter(has_bounds).count(), ranges.count()),
        count(&|entry| entry.effective_default != Default::NotRecorded).to_string(),
        entries.iter().filter(|entry| entry.state == State::Unknown).count().to_string(),
    ]
}

fn entries(flavor: Flavor, version: Version) -> impl Iterator<Item = Entry> {
    OptionId::all().map(move |id| catalog::entry(id, Server { flavor, version }))
}
