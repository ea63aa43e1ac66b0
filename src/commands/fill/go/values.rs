//! What functions take and give.

use gotmpl::Value;
use std::sync::Arc;

/// A function of values that are known; `None` where it has none for them.
pub type Known = fn(&[Value]) -> Option<Value>;

/// A text as a value.
pub fn text(text: String) -> Value {
    Value::String(Arc::from(text))
}
