//! Settings that YAML holds one by one, as tasks or keys, written as an option file.

use super::part::{Encoding, Part};
use super::yaml::{File, Scalar};
use crate::source::{ByteMap, Span};

/// One option.
pub struct Setting<'n> {
    /// The group that it is for.
    pub group: String,
    /// Where the group is named.
    pub place: Span,
    /// What is set.
    pub text: SettingText<'n>,
}

/// What is set.
pub enum SettingText<'n> {
    /// Option and value.
    Pair(&'n Scalar, Option<&'n Scalar>),
    /// The whole line.
    Line(&'n Scalar),
}

/// The settings as one option file, with their places.
pub fn part(settings: &[Setting<'_>], file: &File<'_>) -> Part {
    let (mut bytes, mut map) = (Vec::new(), ByteMap::default());
    let mut write = |text: &[u8], place: Span, is_exact: bool| {
        bytes.extend_from_slice(text);
        let push = if is_exact { ByteMap::push } else { ByteMap::push_spelled };
        push(&mut map, text.len() as u32, place);
    };
    let text_of = |scalar: &Scalar| match file.content(scalar) {
        Some(content) => (content.of(file.bytes).to_vec(), content, true),
        None => (scalar.value.clone().into_bytes(), scalar.span, false),
    };
    let mut group = None;
    for setting in settings {
        if group != Some(&setting.group) {
            write(format!("[{}]\n", setting.group).as_bytes(), setting.place, false);
            group = Some(&setting.group);
        }
        let (name, value) = match setting.text {
            SettingText::Pair(name, value) => (name, value),
            SettingText::Line(line) => (line, None),
        };
        let (text, mut place, is_exact) = text_of(name);
        write(&text, place, is_exact);
        if let Some(value) = value {
            write(b" = ", Span::new(place.end, place.end), false);
            let (text, is_exact);
            (text, place, is_exact) = text_of(value);
            write(&text, place, is_exact);
        }
        write(b"\n", Span::new(place.end, place.end), false);
    }
    Part { bytes, map, encoding: Encoding::Words }
}
