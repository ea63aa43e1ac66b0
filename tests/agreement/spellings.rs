//! Ways to write a value that are worth asking about.

use cnflint::catalog::Entry;
use cnflint::server::Server;
use cnflint::value::{Effect, Kind, Shape};

use super::expecting::meaning;

/// One way to write an option.
#[derive(Clone, Debug)]
struct Spelling {
    effect: Effect,
    loose: bool,
    value: Option<String>,
}

impl Spelling {
    fn plain(value: impl Into<String>) -> Self {
        Self { effect: Effect::None, loose: false, value: Some(value.into()) }
    }

    fn behind(effect: Effect, value: Option<&str>) -> Self {
        Self { effect, loose: false, value: value.map(Into::into) }
    }

    /// The line of an option file. Blanks at the ends survive only in quotes.
    fn line(&self, name: &str) -> String {
        let prefix = match self.effect {
            Effect::None => "",
            Effect::Skip => "skip-",
            Effect::Enable => "enable-",
            Effect::Maximum => "maximum-",
            Effect::Autoset => "autoset-",
        };
        let loose = if self.loose { "loose-" } else { "" };
        match &self.value {
            None => format!("{loose}{prefix}{name}"),
            Some(value) if value.trim() == value => format!("{loose}{prefix}{name}={value}"),
            Some(value) => format!("{loose}{prefix}{name}=\"{value}\""),
        }
    }
}

/// A small generator of numbers: the same seed asks the same questions.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(1))
    }

    pub fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.roll() % bound as u64) as usize
    }

    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

/// Every line worth asking about an option: its values, then its names.
pub fn lines(entry: &Entry, server: Server, dice: &mut Dice) -> Vec<String> {
    let name = entry.id.name();
    let mut lines: Vec<_> = of_shape(&entry.shape, dice).iter().map(|spelling| spelling.line(name)).collect();
    let value = plausible(&entry.shape).map_or(String::new(), |value| format!("={value}"));
    let begin = &name[..1 + dice.below(name.len())];
    let longer = name.len().saturating_sub(1 + dice.below(3)).max(1);
    for spelled in [
        name.replace('_', "-"),
        name.to_uppercase(),
        format!("loose-{name}"),
        format!("LOOSE_{name}"),
        format!("loose-skip_{name}"),
        format!("skip-loose-{name}"),
        format!("disable_{name}"),
        format!("no-{name}"),
        format!("x.{name}"),
        format!("{name}x"),
        format!("loose-{name}x"),
        begin.to_owned(),
        name[..longer].to_owned(),
    ] {
        // What the name means instead has to be safe to ask about.
        let safe =
            meaning(&spelled, server).is_none_or(|id| super::choosing::manner(id).0 != super::choosing::Manner::Never);
        if safe {
            lines.push(format!("{spelled}{value}"));
        }
    }
    lines
}

/// A value that such an option takes.
fn plausible(shape: &Shape<'_>) -> Option<String> {
    match shape.kind {
        Kind::Flag => None,
        Kind::Boolean | Kind::PluginBoolean => Some("1".to_owned()),
        Kind::Signed | Kind::Unsigned | Kind::Real => {
            Some((shape.min.unwrap_or(0).max(0) + i128::from(shape.block_size)).to_string())
        }
        Kind::Enumeration | Kind::Set => shape.words().last().map(str::to_owned),
        Kind::FlagSet => shape.words().next().map(|word| format!("{word}=on")),
        Kind::Text | Kind::Path | Kind::NotRecorded => Some("word".to_owned()),
    }
}

/// Everything worth asking about an option of that shape, with some random values.
fn of_shape(shape: &Shape<'_>, dice: &mut Dice) -> Vec<Spelling> {
    let mut spellings = match shape.kind {
        Kind::Boolean | Kind::PluginBoolean => plain(&[
            "1", "0", "ON", "off", "True", "FALSE", "yes", "no", "2", "10", "01", "1abc", "-1", "", "ON ", " 1",
            "enabled",
        ]),
        Kind::Signed | Kind::Unsigned => numbers(shape, dice),
        Kind::Real => reals(shape, dice),
        Kind::Enumeration => enumeration(shape),
        Kind::Set => set(shape, dice),
        Kind::FlagSet => flag_set(shape, dice),
        Kind::Text => plain(&["", "SET NAMES latin1", "NULL", " x "]),
        Kind::Flag => plain(&["1", "0", "ON", ""]),
        Kind::Path | Kind::NotRecorded => plain(&["/nonexistent/x", "x", ""]),
    };
    spellings.push(Spelling::behind(Effect::None, None));
    for effect in [Effect::Skip, Effect::Enable] {
        spellings.extend(
            [None, Some("0"), Some("1"), Some("OFF"), Some("junk"), Some("")].map(|v| Spelling::behind(effect, v)),
        );
    }
    spellings.push(Spelling::behind(Effect::Maximum, Some("junk")));
    spellings.extend([None, Some("1"), Some("5000000")].map(|value| Spelling::behind(Effect::Maximum, value)));
    spellings.extend([None, Some("1")].map(|value| Spelling::behind(Effect::Autoset, value)));
    spellings.extend(["junk", "", "-1"].map(|value| Spelling { loose: true, ..Spelling::plain(value) }));
    spellings
}

fn plain(values: &[&str]) -> Vec<Spelling> {
    values.iter().map(|value| Spelling::plain(*value)).collect()
}

fn numbers(shape: &Shape<'_>, dice: &mut Dice) -> Vec<Spelling> {
    let mut spellings = plain(&[
        "0",
        "1",
        "-1",
        "-0",
        "-5K",
        " -3",
        " 5",
        "+5",
        "007",
        "",
        "M",
        "K5",
        "+",
        "5K",
        "5k",
        "3M",
        "3m",
        "2G",
        "2g",
        "1T",
        "1t",
        "1P",
        "1E",
        "1e",
        "3MB",
        "3KiB",
        "2Mx",
        "1e3",
        "1E6",
        "1.5",
        "1.5G",
        "0x10",
        "abc",
        "5 M",
        "5B",
        "5,000",
        "50%",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "16E",
        "15E",
        "8E",
        "17179869184G",
        "17179869185G",
        "99999999999999999999999",
        "DEFAULT",
    ]);
    let around = [shape.min, shape.max].into_iter().flatten().flat_map(|limit| [limit - 1, limit, limit + 1]);
    spellings.extend(around.map(|number| Spelling::plain(number.to_string())));
    let block = i128::from(shape.block_size);
    let min = shape.min.unwrap_or(0);
    let blocks = [block - 1, block + 1, min + block - 1, min + block, min + 3 * block + 1];
    spellings.extend(blocks.map(|number| Spelling::plain(number.to_string())));
    for _ in 0..6 {
        let number = dice.roll() >> dice.below(64);
        let suffix = ["", "", "K", "M", "G", "T"][dice.below(6)];
        spellings.push(Spelling::plain(format!("{number}{suffix}")));
    }
    spellings
}

fn reals(shape: &Shape<'_>, dice: &mut Dice) -> Vec<Spelling> {
    let mut spellings = plain(&[
        "2", "0.25", ".5", "5.", "1e1", "1E1", "5.e1", "+2", "-1", "-0", " 2", "2 ", "", ".", "+", "1e", "1e400",
        "1e-400", "1M", "0x10", "1,5", "inf", "nan", "junk", "e5",
    ]);
    spellings.extend([shape.min, shape.max].into_iter().flatten().map(|limit| Spelling::plain(limit.to_string())));
    spellings.extend(shape.max.map(|max| Spelling::plain(format!("{max}.5"))));
    spellings.push(Spelling::plain(format!("{}.{}", dice.below(90), dice.below(1000))));
    spellings
}

fn enumeration(shape: &Shape<'_>) -> Vec<Spelling> {
    let mut spellings = plain(&["", "junk", "-1", "0x1", " 1", "+1", "99", "18446744073709551617", "TRUE", "1.0"]);
    for (index, word) in shape.words().enumerate() {
        if word.is_empty() {
            continue;
        }
        spellings.push(Spelling::plain(word));
        spellings.push(Spelling::plain(word.to_lowercase()));
        spellings.push(Spelling::plain(&word[..word.len() - 1]));
        spellings.push(Spelling::plain(&word[..1]));
        spellings.push(Spelling::plain(format!("{word} ")));
        spellings.push(Spelling::plain(format!(" {word}")));
        spellings.push(Spelling::plain(format!("{word}x")));
        spellings.push(Spelling::plain(index.to_string()));
    }
    spellings.push(Spelling::plain(shape.words().count().to_string()));
    spellings
}

fn set(shape: &Shape<'_>, dice: &mut Dice) -> Vec<Spelling> {
    let words: Vec<_> = shape.words().collect();
    if words.is_empty() {
        return plain(&["", "junk"]);
    }
    let mut spellings = plain(&["", ",", "junk", "-1", "18446744073709551615"]);
    for _ in 0..3 {
        let (a, b) = (words[dice.below(words.len())], words[dice.below(words.len())]);
        let short = &b[..b.len() - 1];
        for text in [
            a.to_owned(),
            a.to_lowercase(),
            short.to_owned(),
            format!("{a},{b}"),
            format!("{a},{short}"),
            format!("{short},{a}"),
            format!("{a} ,{b}"),
            format!("{a}, {b}"),
            format!("{a},{b},"),
            format!(",{a}"),
            format!("{a};{b}"),
            format!("{a}={b}"),
            format!("{a}=junk"),
        ] {
            spellings.push(Spelling::plain(text));
        }
    }
    // Modes that were taken out of a release leave holes in the numbers of `sql_mode`.
    if words.len() < 10 {
        let all = 1_u64 << words.len();
        spellings.extend([0, 1, 2, all - 1, all, all + 1].map(|bits| Spelling::plain(bits.to_string())));
    }
    spellings
}

fn flag_set(shape: &Shape<'_>, dice: &mut Dice) -> Vec<Spelling> {
    let words: Vec<_> = shape.words().filter(|word| *word != "default").collect();
    if words.is_empty() {
        return plain(&["", "default"]);
    }
    let mut spellings = plain(&["", "default", "DEFAULT", "def", "default,default", "junk", "0", ","]);
    for _ in 0..2 {
        let a = words[dice.below(words.len())];
        let b = words[(words.iter().position(|word| *word == a).unwrap_or(0) + 1) % words.len()];
        for text in [
            format!("{a}=on"),
            format!("{a}=off"),
            format!("{a}=OFF,{b}=default"),
            format!("{a}=o"),
            format!("{a}=of"),
            format!("{a}=def"),
            format!("{a}=of,{b}=on"),
            format!("{a}=on,{a}=off"),
            format!("default,{a}=off"),
            format!("{a} =off"),
            format!("{a}= off"),
            format!("{a}=off ,{b}=off"),
            format!("{a}=off, {b}=off"),
            format!("{a}=true"),
            a.to_owned(),
            format!("{a}=on,"),
            format!("{}=on", &a[..a.len() - 1]),
        ] {
            spellings.push(Spelling::plain(text));
        }
    }
    spellings
}
