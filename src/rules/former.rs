//! What rules were called before: whoever wrote an older name goes on being understood.

/// Older names, each with the rule that says today what it said.
const FORMER: [(&str, &str); 4] = [
    ("join-buffer-oversized", "statement-buffers-oversized"),
    ("read-buffer-oversized", "statement-buffers-oversized"),
    ("read-rnd-buffer-oversized", "statement-buffers-oversized"),
    ("sort-buffer-oversized", "statement-buffers-oversized"),
];

/// The name that a rule has today; any other text as it is.
pub fn current(name: &str) -> &str {
    FORMER.iter().find(|(former, _)| *former == name).map_or(name, |(_, today)| today)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::built_in;

    #[test]
    fn former_names_lead_to_rules_that_are_there() {
        for (former, today) in FORMER {
            assert!(built_in().find(former).is_none() && built_in().find(today).is_some(), "{former}");
        }
    }
}
