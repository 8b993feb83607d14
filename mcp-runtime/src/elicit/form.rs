//! What a derived form is made of, and the two things that are done with it.

use serde_json::{Map, Value, json};

use super::problem::problems;
use super::{Content, ElicitFault, ElicitField};
use crate::registry::Number;
use crate::schema::number::compare;

/// A field of a form, as the derive writes it down.
pub struct FormField {
    name: &'static str,
    ty: fn() -> FieldType,
    title: Option<&'static str>,
    description: Option<&'static str>,
    default: Option<fn() -> Value>,
    limits: &'static [Limit],
}

/// What the type of a field says.
pub struct FieldType {
    pub(super) schema: Value,
    pub(super) optional: bool,
}

/// A keyword of the subset, beyond what the type says.
#[derive(Clone, Copy)]
pub enum Limit {
    /// `minimum`
    Minimum(Number),
    /// `maximum`
    Maximum(Number),
    /// `minLength`
    MinLength(u64),
    /// `maxLength`
    MaxLength(u64),
    /// `minItems`
    MinItems(u64),
    /// `maxItems`
    MaxItems(u64),
    /// `format`
    Format(&'static str),
}

impl FormField {
    /// A field of this name on the wire.
    pub const fn new(name: &'static str, ty: fn() -> FieldType) -> Self {
        Self { name, ty, title: None, description: None, default: None, limits: &[] }
    }

    /// What the form shows in the place of the name.
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// What the form says about it.
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// What the form begins with.
    pub const fn default(mut self, default: fn() -> Value) -> Self {
        self.default = Some(default);
        self
    }

    /// What an answer has to keep to.
    pub const fn limits(mut self, limits: &'static [Limit]) -> Self {
        self.limits = limits;
        self
    }

    /// The default, where it has an answer that would give it.
    fn default_answer(&self) -> Option<Value> {
        self.default.map(|default| default()).filter(|answer| !answer.is_null())
    }

    /// The schema without its default, and whether an answer can leave the field out.
    fn describe(&self) -> (Map<String, Value>, bool) {
        let FieldType { schema, optional } = (self.ty)();
        let mut said = match schema {
            Value::Object(said) => said,
            _ => Map::new(),
        };
        let mut schema = Map::new();
        if let Some(name) = said.shift_remove("type") {
            schema.insert("type".to_owned(), name);
        }
        for (keyword, text) in [("title", self.title), ("description", self.description)] {
            schema.extend(text.map(|text| (keyword.to_owned(), text.into())));
        }
        for (keyword, value) in said {
            schema.entry(keyword).or_insert(value);
        }
        for limit in self.limits {
            limit.add_to(&mut schema);
        }
        (schema, optional)
    }
}

impl Limit {
    fn add_to(self, schema: &mut Map<String, Value>) {
        let (keyword, value) = match self {
            Self::Minimum(number) => ("minimum", bound(number)),
            Self::Maximum(number) => ("maximum", bound(number)),
            Self::MinLength(count) => ("minLength", json!(count)),
            Self::MaxLength(count) => ("maxLength", json!(count)),
            Self::MinItems(count) => ("minItems", json!(count)),
            Self::MaxItems(count) => ("maxItems", json!(count)),
            Self::Format(format) => ("format", json!(format)),
        };
        // The type may be narrower than what is written on the field.
        if let (Some(Value::Number(own)), Value::Number(written)) = (schema.get(keyword), &value) {
            let narrower = compare(own, written);
            if keyword.starts_with("min") && narrower.is_gt()
                || keyword.starts_with("max") && narrower.is_lt()
            {
                return;
            }
        }
        schema.insert(keyword.to_owned(), value);
    }
}

fn bound(number: Number) -> Value {
    match number {
        Number::Float(float) => float.to_answer(),
        Number::Int(int) => i64::try_from(int)
            .map_or_else(|_| json!(u64::try_from(int).unwrap_or(u64::MAX)), |int| json!(int)),
    }
}

/// The `requestedSchema` of these fields.
pub fn requested_schema(fields: &[FormField]) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        let (mut schema, optional) = field.describe();
        match field.default_answer() {
            Some(default) => {
                schema.insert("default".to_owned(), default);
            }
            None if !optional => required.push(field.name),
            None => {}
        }
        properties.insert(field.name.to_owned(), schema.into());
    }
    let mut form = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        form["required"] = json!(required);
    }
    form
}

/// An answer to a form while its fields are read.
pub struct Answers<'a> {
    fields: &'static [FormField],
    content: &'a Content,
    faults: Vec<ElicitFault>,
}

impl<'a> Answers<'a> {
    /// The answers to these fields.
    pub fn new(fields: &'static [FormField], content: &'a Content) -> Self {
        Self { fields, content, faults: Vec::new() }
    }

    /// Everything that was wrong.
    pub fn reject<T>(self) -> Result<T, Vec<ElicitFault>> {
        Err(self.faults)
    }

    pub(super) fn read<T: ElicitField>(&mut self, index: usize) -> Option<T> {
        let field = &self.fields[index];
        // Some clients send `null` for what a person left empty.
        let Some(answer) = self.content.get(field.name).filter(|answer| !answer.is_null()) else {
            let default = || T::from_answer(&field.default_answer()?).ok();
            let value = T::left_out().or_else(default);
            if value.is_none() {
                self.fault(field, "needs an answer".to_owned());
            }
            return value;
        };
        let problems = problems(&field.describe().0, answer);
        if !problems.is_empty() {
            for problem in problems {
                self.fault(field, problem);
            }
            return None;
        }
        T::from_answer(answer).map_err(|problem| self.fault(field, problem)).ok()
    }

    fn fault(&mut self, field: &FormField, problem: String) {
        self.faults.push(ElicitFault::new(field.name, problem).titled(field.title));
    }
}
