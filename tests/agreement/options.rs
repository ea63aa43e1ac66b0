//! The options that are asked about: name and shape on one server.

use cnflint::value::{Argument, Kind, Shape, Unit};

/// One option as one server knows it.
pub struct KnownOption {
    pub name: &'static str,
    pub shape: Shape<'static>,
}

/// The hand-picked options of a server, at least one of every kind.
pub fn of_server(server: &str) -> Vec<KnownOption> {
    let table = include_str!("../../fixtures/values/options.tsv");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| read(server, line)).collect()
}

fn read(server: &str, line: &'static str) -> Option<KnownOption> {
    let fields: Vec<_> = line.split('\t').collect();
    let &[of, name, kind, argument, min, max, block_size, words] = fields.as_slice() else {
        panic!("eight fields are needed: {line}");
    };
    let kind = match kind {
        "boolean" => Kind::Boolean,
        "plugin boolean" => Kind::PluginBoolean,
        "signed" => Kind::Signed,
        "unsigned" => Kind::Unsigned,
        "real" => Kind::Real,
        "enumeration" => Kind::Enumeration,
        "set" => Kind::Set,
        "flag set" => Kind::FlagSet,
        "text" => Kind::Text,
        _ => panic!("no such kind: {line}"),
    };
    let argument = match argument {
        "none" => Argument::None,
        "optional" => Argument::Optional,
        "required" => Argument::Required,
        _ => panic!("no such argument: {line}"),
    };
    let block_size = block_size.parse().expect(line);
    let shape =
        Shape { kind, argument, min: min.parse().ok(), max: max.parse().ok(), block_size, words, unit: Unit::Count };
    (of == server).then_some(KnownOption { name, shape })
}
