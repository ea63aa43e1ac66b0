//! The shape of an option's value: kind, range, block size, words, unit.

/// What an option holds and how a server reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// ON or OFF; an unknown word means OFF, with a warning.
    Boolean,
    /// ON or OFF of a storage engine or plugin: an unknown word leaves the default, with a warning.
    PluginBoolean,
    /// A switch that takes no value.
    Flag,
    /// A whole number that may be negative.
    Signed,
    /// A whole number.
    Unsigned,
    /// A number with a fraction.
    Real,
    /// One word of a list.
    Enumeration,
    /// Some words of a list.
    Set,
    /// `word=on,word=off`, as in `optimizer_switch`.
    FlagSet,
    /// Any text.
    Text,
    /// A file or directory.
    Path,
    /// The catalog does not record it.
    NotRecorded,
}

/// Whether an option stands with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// `--flag`: a value is refused or not looked at.
    None,
    /// The value may be left out.
    Optional,
    /// The value must be there.
    Required,
    /// The catalog does not record it.
    NotRecorded,
}

/// What a number counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Nothing in particular: connections, threads, switches.
    #[default]
    Count,
    /// Bytes; shown as the server writes them: `512M`.
    Bytes,
    /// Bytes of a disk as vendors print them, in powers of 1000: `1.6 TB`.
    DecimalBytes,
    /// Bytes a second.
    BytesPerSecond,
    /// Pages a second.
    PagesPerSecond,
    /// Megabytes of 1048576 bytes, for options that count so.
    Mebibytes,
    /// Seconds.
    Seconds,
    /// Thousandths of a second.
    Milliseconds,
    /// Millionths of a second.
    Microseconds,
    /// Minutes.
    Minutes,
    /// Years of 365 days.
    Years,
    /// A share between 0 and 1, shown in percent.
    Share,
}

/// The shape of one option on one server version.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape<'a> {
    /// What it holds.
    pub kind: Kind,
    /// Whether it stands with a value.
    pub argument: Argument,
    /// The smallest number taken as it is; of a number with a fraction, rounded outward to a whole one.
    pub min: Option<i128>,
    /// The largest number taken as it is; of a number with a fraction, rounded outward to a whole one. 0 is no limit.
    pub max: Option<i128>,
    /// Numbers are rounded down to a multiple of this; 0 and 1 leave them alone.
    pub block_size: u64,
    /// The words of an enumeration (in order of their numbers), set or flag set, joined by commas.
    pub words: &'a str,
    /// What the number counts.
    pub unit: Unit,
}

impl<'a> Shape<'a> {
    /// The shape of an option of which nothing is recorded.
    pub const NOT_RECORDED: Shape<'static> = Shape {
        kind: Kind::NotRecorded,
        argument: Argument::NotRecorded,
        min: None,
        max: None,
        block_size: 1,
        words: "",
        unit: Unit::Count,
    };

    /// The words one by one.
    pub fn words(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.words.split(',').filter(|word| !word.is_empty())
    }
}
