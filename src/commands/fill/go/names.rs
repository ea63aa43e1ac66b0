//! Names of functions that stand in templates once they are made ready, beside those that a template may call itself.

/// `cnflint_field base "a" "b"`: what `base.a.b` is.
pub const FIELD: &str = "cnflint_field";
/// What a tag leaves behind.
pub const OUTPUT: &str = "cnflint_output";
/// What a tag decides by.
pub const CONDITION: &str = "cnflint_condition";
/// What a tag goes through.
pub const ITEMS: &str = "cnflint_items";
/// A tag itself.
pub const TAG: &str = "cnflint_tag";
/// Something that is not known.
pub const ABSENT: &str = "cnflint_absent";
/// The function that gives something that is not known, whatever it is given.
pub const UNKNOWN: &str = "cnflint_unknown";
/// One item that is not known.
pub const ONCE: &str = "cnflint_once";
/// `and` of what may not be known.
pub const AND: &str = "cnflint_and";
/// `or` of what may not be known.
pub const OR: &str = "cnflint_or";
/// `default .Env.X "text"`, as dockerize has it.
pub const DEFAULT_OF_ENVIRONMENT: &str = "cnflint_default";
/// The text of another template.
pub const INCLUDE: &str = "include";
