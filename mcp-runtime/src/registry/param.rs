//! How one parameter is taken: its schema and its check, made once.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::signature::Parameter;
use super::{About, Completer, Constraint, Faults, Number, Param};
use crate::schema::check::{Check, Trust};
use crate::schema::normalize::{Contract, Generate, Generated, generate};

/// One parameter.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub(crate) struct ParamPlan {
    /// The name on the wire.
    pub(crate) name: Cow<'static, str>,
    /// Whether the fields of this struct are the arguments.
    pub(crate) flatten: bool,
    /// Completes its values.
    pub(crate) complete: Option<Completer>,
    /// Whether it comes from the client.
    pub(crate) is_argument: bool,
    /// Whether a call without it fails.
    pub(crate) required: bool,
    /// What is published of it.
    pub(crate) schema: Value,
    /// What the schema demands beyond what the type does by itself.
    pub(crate) check: Option<Check>,
    /// Whether the author wrote the schema.
    pub(crate) by_hand: bool,
}

impl ParamPlan {
    /// The values that its type allows, where these are a few.
    pub(crate) fn allowed(&self) -> Option<Vec<&str>> {
        if self.schema["type"] == "boolean" {
            return Some(vec!["true", "false"]);
        }
        self.schema.get("enum")?.as_array()?.iter().map(Value::as_str).collect()
    }

    pub(crate) fn completes(&self) -> bool {
        self.is_argument && (self.complete.is_some() || self.allowed().is_some())
    }

    pub(super) fn new(
        about: &'static About,
        param: &'static Param,
        shape: &Parameter,
        faults: &mut Faults,
    ) -> Self {
        let plan = Self {
            flatten: param.flatten,
            complete: param.complete.map(Completer::Linked),
            by_hand: param.schema.is_some(),
            ..Self::added(param.name)
        };
        let Parameter::Argument { schema, optional } = shape else {
            return Self { is_argument: false, ..plan };
        };
        let mut fault = |what: String| {
            faults.at(&about.into(), format!("has a fault in its argument `{}`: {what}", param.name));
        };
        let (schema, check) = match param.schema {
            Some(by_hand) => {
                let schema = by_hand();
                let check = Check::compile(&schema, Trust::Whole);
                (schema, check)
            }
            None => derived(param, *schema),
        };
        let check = check.unwrap_or_else(|error| {
            fault(error);
            None
        });
        let required = !optional && param.default.is_none() && !param.flatten;
        Self { required, schema, check, ..plan }
    }

    /// An optional argument of which nothing but its name is known.
    pub(crate) fn added(name: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            flatten: false,
            complete: None,
            is_argument: true,
            required: false,
            schema: Value::Null,
            check: None,
            by_hand: false,
        }
    }

    /// Takes the argument for what the tool's schema, written by hand, says of it, so that a value in a slightly
    /// wrong form is put right by the schema that the client saw.
    pub(super) fn follow_by_hand(&mut self, root: &Value) {
        let property = root["properties"].get(&*self.name).filter(|property| property.is_object());
        let Some(property) = property.filter(|_| self.is_argument && !self.flatten && !self.by_hand) else {
            return;
        };
        self.schema = property.clone();
        if let Some(definitions) = root.get("$defs") {
            self.schema["$defs"] = definitions.clone();
        }
        // What does not compile was noted as a fault of the whole.
        self.check = Check::compile(&self.schema, Trust::Whole).ok().flatten();
    }
}

type Compiled = Result<Option<Check>, String>;

/// The schema of a parameter's type, with what its attribute adds.
fn derived(param: &Param, schema: Generate) -> (Value, Compiled) {
    let Generated { mut schema, mut stated } = generate(schema, Contract::Input);
    if let (Value::Object(schema), Value::Object(stated)) = (&mut schema, &mut stated) {
        for constraint in param.constraints {
            constrain(schema, constraint);
            constrain(stated, constraint);
        }
        describe(schema, param);
    }
    let check = Check::compile(&stated, Trust::Decoded);
    (schema, check)
}

fn describe(schema: &mut Map<String, Value>, param: &Param) {
    if let Some(description) = param.description {
        // What the type says of itself, the meaning of an enum's variants above all, is kept behind it.
        let own = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = if own.is_empty() || own == description {
            description.to_owned()
        } else {
            format!("{description}\n\n{own}")
        };
        schema.insert("description".to_owned(), text.into());
    }
    if let Some(default) = param.default.and_then(|default| default()) {
        schema.insert("default".to_owned(), default);
    }
    if let Some(header) = param.header {
        schema.insert("x-mcp-header".to_owned(), header.into());
    }
}

fn constrain(schema: &mut Map<String, Value>, constraint: &Constraint) {
    let length = |schema: &Map<String, Value>, string: &str, array: &str, object: &str| {
        match schema.get("type").and_then(Value::as_str) {
            Some("array") => array,
            Some("object") => object,
            _ => string,
        }
        .to_owned()
    };
    let (keyword, value) = match constraint {
        Constraint::Minimum(number) => ("minimum".to_owned(), bound(*number)),
        Constraint::Maximum(number) => ("maximum".to_owned(), bound(*number)),
        Constraint::ExclusiveMaximum(number) => ("exclusiveMaximum".to_owned(), bound(*number)),
        Constraint::MinLength(count) => {
            (length(schema, "minLength", "minItems", "minProperties"), json!(count))
        }
        Constraint::MaxLength(count) => {
            (length(schema, "maxLength", "maxItems", "maxProperties"), json!(count))
        }
        Constraint::Pattern(pattern) => ("pattern".to_owned(), json!(pattern)),
        Constraint::Format(format) => ("format".to_owned(), json!(format)),
        Constraint::Examples(examples) => {
            ("examples".to_owned(), serde_json::from_str(examples).unwrap_or_default())
        }
    };
    schema.insert(keyword, value);
}

fn bound(number: Number) -> Value {
    match number {
        Number::Float(float) => json!(float),
        Number::Int(int) => i64::try_from(int)
            .map_or_else(|_| json!(u64::try_from(int).unwrap_or(u64::MAX)), |int| json!(int)),
    }
}
