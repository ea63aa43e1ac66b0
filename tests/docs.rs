//! The generated pages under `docs/` say what rules and catalog say now.

#[path = "../examples/docs/book.rs"]
mod book;
#[path = "../examples/docs/considered.rs"]
mod considered;
#[path = "../examples/docs/coverage.rs"]
mod coverage;
#[path = "../examples/docs/options.rs"]
mod options;
#[path = "../examples/docs/render.rs"]
mod render;
#[path = "../examples/docs/rules.rs"]
mod rules;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn generated_pages_are_up_to_date() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let pages = render::all();
    let is_stale = |(path, text): &(&String, &String)| fs::read_to_string(docs.join(path)).ok().as_ref() != Some(*text);
    let mut stale: BTreeSet<_> = pages.iter().filter(is_stale).map(|(path, _)| path.clone()).collect();
    for directory in render::DIRECTORIES {
        let files = fs::read_dir(docs.join(directory)).unwrap();
        let paths = files.map(|file| format!("{directory}/{}", file.unwrap().file_name().to_string_lossy()));
        stale.extend(paths.filter(|path| !pages.contains_key(path)));
    }
    assert!(stale.is_empty(), "run `cargo run --example docs` and commit; these are stale: {stale:?}");
}

#[test]
fn every_check_that_was_weighed_has_a_fate() {
    let known: BTreeSet<_> = cnflint::rules::built_in().iter().map(|rule| rule.id().to_owned()).collect();
    let mut seen = BTreeSet::new();
    for check in considered::all() {
        let (area, name) = (check.area, &check.check);
        assert!(seen.insert(name.clone()), "{area}: {name} is listed twice");
        assert!(!check.rules.is_empty() || check.words.len() > 10, "{area}: {name} is not taken and does not say why");
        for rule in &check.rules {
            assert!(known.contains(rule), "{area}: {name} is answered by {rule}, which is no rule");
        }
    }
}
