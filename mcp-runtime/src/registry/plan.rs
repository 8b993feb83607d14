//! How one entry is called: its parameters with their schemas and checks, made once at start-up.

use std::any::TypeId;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::signature::Parameter;
use super::{About, Constraint, Faults, Number, Param, Run, Schedule, Signature};
use crate::schema::check::{Check, Trust};
use crate::schema::normalize::{Contract, Generate, Generated, generate};

/// A synchronous function that holds its thread for longer runs on the blocking pool from then on.
const HELD_UP: Duration = Duration::from_millis(1);

/// No call has ended yet: the first may never end, and runs on the blocking pool.
const UNKNOWN: u8 = 0;
/// No call has held up its thread.
const FAST: u8 = 1;
/// One has.
const SLOW: u8 = 2;

/// Everything that a call of one entry needs to know.
pub(crate) struct Plan {
    pub(crate) about: &'static About,
    pub(crate) run: &'static Run,
    pub(crate) params: Vec<ParamPlan>,
    pub(crate) output: Option<Generated>,
    /// Whether it has the means to ask the client in the middle of a call.
    pub(crate) may_ask: bool,
    /// What is known of how long its calls take.
    pace: AtomicU8,
}

/// One parameter.
pub(crate) struct ParamPlan {
    pub(crate) param: &'static Param,
    /// Whether it comes from the client.
    pub(crate) is_argument: bool,
    /// Whether a call without it fails.
    pub(crate) required: bool,
    /// What is published of it.
    pub(crate) schema: Value,
    /// What the schema demands beyond what the type does by itself.
    pub(crate) check: Option<Check>,
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
        self.is_argument && (self.param.complete.is_some() || self.allowed().is_some())
    }
}

impl Plan {
    /// Prepares an entry; what is wrong with it is noted.
    pub(super) fn new(
        about: &'static About,
        run: &'static Run,
        states: &HashSet<TypeId>,
        faults: &mut Faults,
    ) -> Self {
        let mut signature = Signature::default();
        (run.describe)(&mut signature);
        for (id, name) in &signature.requirements.states {
            if !states.contains(id) {
                faults.at(
                    about,
                    format!(
                        "takes `State<{name}>`, which is not registered: give one to `Server::state`, as in \
                         `mcp_runtime::server!().state(..).main()`"
                    ),
                );
            }
        }
        let params = run.params.iter().zip(&signature.parameters);
        let params = params.map(|(param, shape)| ParamPlan::new(about, param, shape, faults)).collect();
        let output = signature.output_schema.and_then(output_schema);
        let may_ask = signature.may_ask;
        Self { about, run, params, output, may_ask, pace: AtomicU8::new(UNKNOWN) }
    }

    /// Whether a synchronous function runs on the blocking pool (DESIGN, decision 1).
    pub(crate) fn blocks(&self) -> bool {
        match self.run.schedule {
            Schedule::Inline => false,
            Schedule::Blocking => true,
            Schedule::Learned => self.pace.load(Ordering::Relaxed) != FAST,
        }
    }

    /// Notes how long a call took. The first one decides whether the next ones run where they would hold up other
    /// requests; after one that did, none does any more.
    pub(crate) fn took(&self, time: Duration) {
        if time > HELD_UP {
            self.pace.store(SLOW, Ordering::Relaxed);
        } else if self.pace.load(Ordering::Relaxed) == UNKNOWN {
            // Looked at first: most calls find it known, and write nothing that all of them share.
            let _ = self.pace.compare_exchange(UNKNOWN, FAST, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

/// The schema of structured content; `None` for a result that has none.
fn output_schema(schema: fn(&mut SchemaGenerator) -> Option<Schema>) -> Option<Generated> {
    let mut has_schema = true;
    let generated = generate(
        |generator| {
            schema(generator).unwrap_or_else(|| {
                has_schema = false;
                Schema::default()
            })
        },
        Contract::Output,
    );
    has_schema.then_some(generated)
}

impl ParamPlan {
    fn new(about: &About, param: &'static Param, shape: &Parameter, faults: &mut Faults) -> Self {
        let Parameter::Argument { schema, optional } = shape else {
            return Self { param, is_argument: false, required: false, schema: Value::Null, check: None };
        };
        let mut fault =
            |what: String| faults.at(about, format!("has a fault in its argument `{}`: {what}", param.name));
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
        Self { param, is_argument: true, required, schema, check }
    }

    /// Takes the argument for what the tool's schema, written by hand, says of it, so that a value in a slightly
    /// wrong form is put right by the schema that the client saw.
    pub(super) fn follow_by_hand(&mut self, root: &Value) {
        let property = root["properties"].get(self.param.name).filter(|property| property.is_object());
        let Some(property) =
            property.filter(|_| self.is_argument && !self.param.flatten && self.param.schema.is_none())
        else {
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
