//! The catalog lies in the binary ready for use: no look into it decodes anything or asks for memory. What a whole run spends on it,
//! `benches/catalog.sh` counts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use allocation_counter::measure;
use cnflint::catalog::{self, OptionId, Resolved, State};
use cnflint::server::{Server, ServerSpec};
use std::hint::black_box;

fn servers() -> Vec<Server> {
    let exact = |text: &str| match ServerSpec::parse(text).unwrap() {
        ServerSpec::Exact(server) => server,
        other => panic!("{text} is {other:?}"),
    };
    ["mysql-5.6.24", "mysql-8.0.36", "mysql-9.7.4", "mariadb-10.5.23", "mariadb-11.8.9", "percona-8.0.23"]
        .map(exact)
        .into()
}

#[test]
fn everything_about_every_option_is_told_without_memory() {
    let servers = servers();
    let mut asked = 0;
    let counted = measure(|| {
        for server in &servers {
            for option in OptionId::all() {
                black_box(catalog::entry(option, *server));
                black_box(catalog::setting(option, *server));
                black_box(catalog::standing(option, *server));
                black_box(catalog::history(option, server.flavor));
                black_box(OptionId::from_name(option.name()));
                black_box(catalog::spellings(option, *server).count());
                asked += 1;
            }
        }
    });
    println!("{asked} options asked, {} allocations, {} bytes", counted.count_total, counted.bytes_total);
    assert!(asked > 10_000, "{asked}");
    assert_eq!((counted.count_total, counted.bytes_total), (0, 0));
}

#[test]
fn a_name_as_the_catalog_spells_it_is_found_without_memory() {
    for server in servers() {
        let names: Vec<_> = OptionId::all()
            .filter(|option| {
                let entry = catalog::entry(*option, server);
                // The few that the server spells with capitals are put into lower case first.
                let capitals = option.name().starts_with("wsrep_") && !server.ignores_case_of_names();
                // A server with instances takes `component.name` apart.
                entry.state == State::Present && entry.is_option && !capitals && !option.name().contains('.')
            })
            .collect();
        let mut found = 0;
        let counted = measure(|| {
            for option in &names {
                let resolved = black_box(catalog::resolve(option.name().as_bytes(), server));
                found += usize::from(matches!(resolved, Resolved::Option { id, .. } if id == *option));
            }
        });
        println!("{server}: {found} of {} names found, {} allocations", names.len(), counted.count_total);
        assert_eq!((found, counted.count_total), (names.len(), 0), "{server}");
    }
}

#[test]
fn a_name_with_dashes_is_respelled_once() {
    for server in servers() {
        let counted = measure(|| {
            black_box(catalog::resolve(b"max-connections", server));
        });
        assert_eq!((counted.count_total, counted.bytes_total), (1, 15), "{server}");
    }
}
