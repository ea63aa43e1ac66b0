//! Values read without a server at hand, against what real servers made of the same lines when they were started.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a fixture that cannot be read has failed")]

use cnflint::catalog::{self, OptionId, State};
use cnflint::server::{Flavor, Server};
use cnflint::value::{Effect, Judgement, Kind, Value, Written, read};

const SERVERS: [(&str, Server); 4] = [
    ("mysql-5.6", Server::new(Flavor::Mysql, 5, 6, 24)),
    ("mysql-9.7", Server::new(Flavor::Mysql, 9, 7, 4)),
    ("mariadb-10.11", Server::new(Flavor::Mariadb, 10, 11, 19)),
    ("mariadb-11.8", Server::new(Flavor::Mariadb, 11, 8, 9)),
];

#[test]
fn values_become_what_the_started_servers_ran_with() {
    let fixture: toml::Table = include_str!("../fixtures/values/cases.toml").parse().expect("the fixture is TOML");
    let cases = fixture["case"].as_array().expect("cases");
    let mut compared = 0;
    let mut wrong = Vec::new();
    for (name, server) in SERVERS {
        for case in cases {
            let text = |key: &str| case.get(key).and_then(toml::Value::as_str);
            let Some(expected) = text(name).or_else(|| text("all")) else { continue };
            let option = text("option").and_then(OptionId::from_name).expect("an option that the catalog holds");
            let known = catalog::entry(option, server);
            if known.state != State::Present {
                continue;
            }
            let effect = match text("effect") {
                None => Effect::None,
                Some("skip") => Effect::Skip,
                Some("enable") => Effect::Enable,
                Some(other) => panic!("no such effect: {other}"),
            };
            let value = text("value").map(str::as_bytes);
            let reading = read(&known.shape, server, Written { effect, loose: case.get("loose").is_some(), value });
            compared += 1;
            let agrees = match (&reading.judgement, &reading.value) {
                (Judgement::Refused { fatal, .. }, _) => *fatal == (expected == "refused"),
                (Judgement::NotJudged, _) => true,
                // The default stays; which one is not in the fixture.
                (_, None) => expected != "refused",
                (_, Some(value)) => shown_by(value, known.shape.kind, expected),
            };
            if !agrees {
                wrong.push(format!("{name}: {case:?}: {reading:?}"));
            }
        }
    }
    assert!(compared > 400, "only {compared} values were compared");
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whether `SHOW GLOBAL VARIABLES` shows the value like this. Of a flag set it shows more than was written.
fn shown_by(value: &Value<'_>, kind: Kind, expected: &str) -> bool {
    match value {
        Value::Integer(number) => expected.parse() == Ok(*number),
        Value::Real(number) => expected.parse::<f64>().is_ok_and(|shown| (shown - number).abs() < 1e-6),
        Value::Set(changes) if kind == Kind::FlagSet => {
            let shown: Vec<_> = expected.split(',').collect();
            changes.split(',').all(|change| change.is_empty() || change.ends_with("default") || shown.contains(&change))
        }
        Value::Word(text) | Value::Set(text) => text == expected,
        Value::Text(bytes) => &**bytes == expected.as_bytes(),
        Value::None => false,
    }
}
