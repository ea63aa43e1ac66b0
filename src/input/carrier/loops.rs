//! Loops of Ansible: what a task says for each of its items, as far as the file itself holds them.

use super::yaml::{File, Node, Scalar};

/// The keys of a task that say what it goes over.
pub const KEYS: [&str; 4] = ["loop", "with_items", "with_list", "with_dict"];

/// One item of a loop.
#[derive(Clone, Copy)]
pub struct Item<'n> {
    /// What the task calls it.
    name: &'n str,
    value: ItemValue<'n>,
}

#[derive(Clone, Copy)]
enum ItemValue<'n> {
    /// There is no loop, or nobody knows what it goes over.
    Unknown,
    Node(&'n Node),
    /// `item.key` and `item.value`.
    Entry(&'n Scalar, &'n Node),
}

/// The items that a task is carried out for: a single unknown one without a loop.
pub fn items<'n>(task: &'n Node, document: &'n Node, file: &File<'_>) -> Vec<Item<'n>> {
    let name = task.text(&["loop_control", "loop_var"]).map_or("item", |name| name.value.as_str());
    let unknown = || vec![Item { name, value: ItemValue::Unknown }];
    let given = KEYS.into_iter().find_map(|key| Some((key, task.get(key)?)));
    let Some((key, given)) = given else { return unknown() };
    let (over, is_dictionary) = match given.scalar() {
        Some(scalar) => {
            let written = file.written(scalar);
            let Some(expression) = expression(&written) else { return unknown() };
            let mut filters = expression.split('|').map(str::trim);
            let variable = filters.next().unwrap_or_default();
            (defined(variable, document), key == "with_dict" || filters.next() == Some("dict2items"))
        }
        None => (Some(given), key == "with_dict"),
    };
    let item = |value| Item { name, value };
    match over {
        Some(Node::Sequence(sequence)) => sequence.items.iter().map(|node| item(ItemValue::Node(node))).collect(),
        Some(Node::Mapping(entries)) if is_dictionary => {
            entries.iter().map(|(key, node)| item(ItemValue::Entry(key, node))).collect()
        }
        _ => unknown(),
    }
}

/// What a variable of the same file is.
fn defined<'n>(variable: &str, document: &'n Node) -> Option<&'n Node> {
    document.mappings().into_iter().find_map(|mapping| mapping.get(variable))
}

/// What stands between `{{` and `}}`, where nothing else does.
fn expression(text: &str) -> Option<&str> {
    let expression = text.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    (!expression.contains("{{")).then(|| expression.trim())
}

impl<'n> Item<'n> {
    /// The text itself, or what the item puts in its place.
    pub fn said(&self, scalar: &'n Scalar, file: &File<'_>) -> &'n Scalar {
        let written = file.written(scalar);
        expression(&written).and_then(|expression| self.part(expression)).unwrap_or(scalar)
    }

    /// `item`, `item.value`, `item['value']`.
    fn part(&self, expression: &str) -> Option<&'n Scalar> {
        let rest = expression.strip_prefix(self.name)?;
        if !(rest.is_empty() || rest.starts_with(['.', '['])) {
            return None;
        }
        let keys: Vec<_> = rest
            .split(['.', '['])
            .map(|key| key.trim_matches([']', '\'', '"']))
            .filter(|key| !key.is_empty())
            .collect();
        match (self.value, keys.as_slice()) {
            (ItemValue::Node(node), keys) => node.text(keys),
            (ItemValue::Entry(key, _), ["key"]) => Some(key),
            (ItemValue::Entry(_, node), ["value", keys @ ..]) => node.text(keys),
            _ => None,
        }
    }
}
