//! What a container or a unit may use, as facts.

use super::CarriedFact;
use crate::facts::FactId;
use crate::source::Span;
use crate::value::Value;

/// What a suffix such as `M` multiplies by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffixes {
    /// Powers of 1024: compose files, `docker run`, systemd.
    Binary,
    /// Powers of 1000, and of 1024 with an `i` behind: Kubernetes.
    Kubernetes,
}

/// A memory limit; nothing for one that cannot be read, or is none.
pub fn memory(text: &str, suffixes: Suffixes, name: &str, at: Span) -> Vec<CarriedFact> {
    let Some(bytes) = bytes(text, suffixes) else { return Vec::new() };
    let fact = |fact, value| CarriedFact { fact, value, name: name.to_owned(), at };
    vec![fact(FactId::HostRam, Value::Integer(bytes)), fact(FactId::HostLimited, Value::boolean(true))]
}

/// A limit of processors: a part of one is one that is slow.
pub fn cpus(text: &str, name: &str, at: Span) -> Option<CarriedFact> {
    let cpus = match (text.strip_suffix('m'), text.strip_suffix('%')) {
        (Some(thousandths), _) => thousandths.parse::<f64>().ok()? / 1000.0,
        (_, Some(percent)) => percent.parse::<f64>().ok()? / 100.0,
        _ => text.parse::<f64>().ok()?,
    };
    let value = Value::Integer(cpus.ceil() as i128);
    (cpus > 0.0).then(|| CarriedFact { fact: FactId::HostCpus, value, name: name.to_owned(), at })
}

/// A limit of open files; of `soft:hard` the hard one, up to which a server lifts its own.
pub fn open_files(text: &str, name: &str, at: Span) -> Option<CarriedFact> {
    let files = text.rsplit(':').next()?.trim().parse::<u64>().ok()?;
    let value = Value::Integer(files.into());
    Some(CarriedFact { fact: FactId::HostOpenFiles, value, name: name.to_owned(), at })
}

fn bytes(text: &str, suffixes: Suffixes) -> Option<i128> {
    let text = text.trim();
    let digits = text.chars().take_while(|c| c.is_ascii_digit() || *c == '.').count();
    let number: f64 = text[..digits].parse().ok()?;
    let suffix = text[digits..].trim();
    let decimal = suffixes == Suffixes::Kubernetes && !suffix.ends_with('i');
    let letter = match suffixes {
        Suffixes::Kubernetes => suffix.strip_suffix('i').unwrap_or(suffix),
        Suffixes::Binary => suffix.trim_end_matches(['b', 'B']).trim_end_matches('i'),
    };
    let power = match letter {
        "" => 0,
        "k" | "K" => 1,
        "m" if decimal => return None,
        "m" | "M" => 2,
        "g" | "G" => 3,
        "t" | "T" => 4,
        "p" | "P" => 5,
        "e" | "E" => 6,
        _ => return None,
    };
    let bytes = number * f64::powi(if decimal { 1000.0 } else { 1024.0 }, power);
    (bytes >= 1.0 && bytes < u64::MAX as f64).then_some(bytes as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_their_program() {
        let docker = |text| bytes(text, Suffixes::Binary);
        assert_eq!(
            [docker("4g"), docker("512MB"), docker("1.5G"), docker("1024")].map(Option::unwrap),
            [4 << 30, 512 << 20, 3 << 29, 1024]
        );
        let kubernetes = |text| bytes(text, Suffixes::Kubernetes);
        assert_eq!(kubernetes("4Gi"), Some(4 << 30));
        assert_eq!(kubernetes("4G"), Some(4_000_000_000));
        assert_eq!([docker("infinity"), docker("80%"), kubernetes("____"), kubernetes("1000m")], [None; 4]);
    }

    #[test]
    fn the_hard_limit_of_open_files_counts() {
        let value = |text| open_files(text, "nofile", Span::default()).map(|fact| fact.value);
        assert_eq!(value("1024"), Some(Value::Integer(1024)));
        assert_eq!(value("1024:65535"), Some(Value::Integer(65535)));
        assert_eq!([value("-1"), value("unlimited"), value("1024:")], [None, None, None]);
    }

    #[test]
    fn a_part_of_a_processor_counts_as_one() {
        let value = |text| cpus(text, "cpus", Span::default()).map(|fact| fact.value);
        assert_eq!(value("500m"), Some(Value::Integer(1)));
        assert_eq!(value("1.5"), Some(Value::Integer(2)));
        assert_eq!(value("300%"), Some(Value::Integer(3)));
        assert_eq!(value("0"), None);
    }
}
