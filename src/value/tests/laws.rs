use proptest::prelude::*;

use crate::server::{Flavor, Server};
use crate::value::{
    Argument, Effect, Judgement, Kind, Shape, Unit, Value, Written, apply_flags, as_written, parse_size, read,
};

const SERVERS: [Server; 8] = [
    Server::new(Flavor::Mysql, 5, 6, 24),
    Server::new(Flavor::Mysql, 5, 7, 44),
    Server::new(Flavor::Mysql, 8, 0, 13),
    Server::new(Flavor::Percona, 8, 0, 36),
    Server::new(Flavor::Mysql, 9, 7, 4),
    Server::new(Flavor::Mariadb, 10, 5, 23),
    Server::new(Flavor::Mariadb, 10, 11, 19),
    Server::new(Flavor::Mariadb, 11, 8, 9),
];

const KINDS: [Kind; 13] = [
    Kind::Boolean,
    Kind::PluginBoolean,
    Kind::Flag,
    Kind::Signed,
    Kind::Unsigned,
    Kind::Real,
    Kind::Enumeration,
    Kind::Set,
    Kind::FlagSet,
    Kind::Text,
    Kind::Path,
    Kind::NotRecorded,
    Kind::Unsigned,
];

fn shapes() -> impl Strategy<Value = Shape<'static>> {
    let words = prop::sample::select(vec!["", "OFF,ON", "NO_CHAIN,CHAIN,RELEASE", "mrr,mrr_cost_based,default", "A"]);
    let argument =
        prop::sample::select(vec![Argument::None, Argument::Optional, Argument::Required, Argument::NotRecorded]);
    let limits = (any::<Option<i64>>(), any::<Option<u64>>()).prop_filter("an empty range", |(min, max)| {
        min.is_none_or(|min| max.is_none_or(|max| max == 0 || i128::from(min) <= i128::from(max)))
    });
    let block = prop::sample::select(vec![0, 1, 2, 512, 1024, 1_048_576]);
    (prop::sample::select(&KINDS[..]), argument, limits, block, words).prop_map(
        |(kind, argument, (min, max), block_size, words)| Shape {
            kind,
            argument,
            min: min.map(i128::from),
            max: max.map(i128::from),
            block_size,
            words,
            unit: Unit::Count,
        },
    )
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..12),
        "[-+ ]?[0-9]{0,22}[kKmMgGtTpPeExB.]{0,3}".prop_map(String::into_bytes),
        "(mrr|mrr_cost_based|default|A|CHAIN|on|off)?[=, ]?(on|off|o|default|RELEASE|A)?[, ]?"
            .prop_map(String::into_bytes),
    ]
}

fn effects() -> impl Strategy<Value = Effect> {
    prop::sample::select(vec![
        Effect::None,
        Effect::None,
        Effect::Skip,
        Effect::Enable,
        Effect::Maximum,
        Effect::Autoset,
    ])
}

/// The value spelled as a writer would repeat it.
fn spelled(value: &Value<'_>) -> Vec<u8> {
    match value {
        Value::Integer(number) => number.to_string().into_bytes(),
        Value::Real(number) => number.to_string().into_bytes(),
        Value::Word(text) | Value::Set(text) => text.as_bytes().to_vec(),
        Value::Text(bytes) => bytes.to_vec(),
        Value::None => Vec::new(),
    }
}

proptest! {
    #[test]
    fn reading_never_panics_and_loose_never_changes_the_value(
        shape in shapes(), server in prop::sample::select(&SERVERS[..]), effect in effects(), value in prop::option::of(texts()),
    ) {
        let written = Written { effect, loose: false, value: value.as_deref() };
        let reading = read(&shape, server, written);
        let loose = read(&shape, server, Written { loose: true, ..written });
        prop_assert_eq!(&reading.value, &loose.value);
        if let Judgement::Refused { fatal, .. } = reading.judgement {
            prop_assert!(fatal, "without loose- every refusal stops the server");
        }
    }

    #[test]
    fn what_the_server_makes_of_a_value_is_accepted_as_it_is(
        shape in shapes(), server in prop::sample::select(&SERVERS[..]), text in texts(),
    ) {
        let shape = Shape { argument: Argument::Required, ..shape };
        let written = Written { value: Some(&text), ..Written::default() };
        let Some(value) = read(&shape, server, written).value else { return Ok(()) };
        let again = spelled(&value);
        let reading = read(&shape, server, Written { value: Some(&again), ..Written::default() });
        prop_assert_eq!(reading.value.as_ref(), Some(&value));
        prop_assert_eq!(reading.judgement, Judgement::Accepted);
    }

    #[test]
    fn sizes_are_spelled_so_that_every_server_reads_them_back(bytes in any::<u64>(), shift in 0_u32..64) {
        let bytes = bytes >> shift << (shift / 2);
        let text = as_written(bytes);
        prop_assert_eq!(parse_size(&text), Ok(bytes));
        let shape = Shape { kind: Kind::Unsigned, argument: Argument::Required, ..Shape::NOT_RECORDED };
        for server in SERVERS {
            let reading = read(&shape, server, Written { value: Some(text.as_bytes()), ..Written::default() });
            prop_assert_eq!(reading.value, Some(Value::Integer(i128::from(bytes))));
            prop_assert_eq!(reading.judgement, Judgement::Accepted);
        }
    }
}

#[test]
fn flag_sets_add_up() {
    let default = "mrr=on,mrr_cost_based=on,materialization=off";
    let first = apply_flags(default, default, "mrr=off,materialization=on");
    assert_eq!(first, "mrr=off,mrr_cost_based=on,materialization=on");
    assert_eq!(apply_flags(&first, default, "mrr=default"), "mrr=on,mrr_cost_based=on,materialization=on");
    assert_eq!(apply_flags(&first, default, "default,mrr=off"), "mrr=off,mrr_cost_based=on,materialization=off");
    assert_eq!(apply_flags(&first, default, ""), first);
}
