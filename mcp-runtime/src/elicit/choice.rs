//! A choice among fixed options.

use serde_json::{Value, json};

/// An enum whose variants a person can choose between: derived on an enum by `#[derive(Elicit)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a choice",
    label = "not an enum without data that has `#[derive(Elicit)]`"
)]
pub trait ElicitChoice: Sized {
    /// The options, in the order in which a form shows them.
    const OPTIONS: &'static [ElicitOption];

    /// The option of this value on the wire.
    fn from_value(value: &str) -> Option<Self>;

    /// The value on the wire.
    fn value(&self) -> &'static str;
}

/// One option of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElicitOption {
    /// The value on the wire.
    pub value: &'static str,
    /// What the person sees.
    pub title: Option<&'static str>,
}

impl ElicitOption {
    fn titled(&self) -> Value {
        json!({ "const": self.value, "title": self.title.unwrap_or(self.value) })
    }
}

/// `enum`, or `oneOf` where an option has a title.
pub(super) fn single(options: &[ElicitOption]) -> Value {
    match values(options) {
        Some(values) => json!({ "type": "string", "enum": values }),
        None => {
            json!({ "type": "string", "oneOf": options.iter().map(ElicitOption::titled).collect::<Vec<_>>() })
        }
    }
}

/// `items.enum`, or `items.anyOf` where an option has a title.
pub(super) fn multiple(options: &[ElicitOption]) -> Value {
    let items = match values(options) {
        Some(values) => json!({ "type": "string", "enum": values }),
        None => json!({ "anyOf": options.iter().map(ElicitOption::titled).collect::<Vec<_>>() }),
    };
    json!({ "type": "array", "items": items })
}

/// The values alone, where no option has a title.
fn values(options: &[ElicitOption]) -> Option<Vec<&'static str>> {
    options.iter().map(|option| option.title.is_none().then_some(option.value)).collect()
}
