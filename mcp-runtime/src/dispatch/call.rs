//! One request on its way to one entry.

use serde_json::Value;

use super::Outcome;
use crate::arena::Arena;
use crate::arguments::Arguments;
use crate::context::Context;
use crate::output::ToolWriter;
use crate::protocol::Error;
use crate::registry::{ParamPlan, Plan, Target};
use crate::schema::explain::{self, Fault, render, unknown};
use crate::schema::repair::repair;

/// One request on its way to one entry: what the macros' glue works on.
pub struct Call {
    ctx: Context,
    target: Target,
    source: Source,
    arena: Arena,
}

/// Where the arguments come from.
pub(crate) enum Source {
    /// The `arguments` object, values of any kind.
    Json,
    /// The `arguments` object of a prompt, whose values are strings.
    Strings,
    /// The variables of a URI template, in the template's order.
    Variables(Vec<(String, Option<String>)>),
}

/// One argument as it came.
pub(crate) enum Given<'call> {
    /// The client did not send it.
    Absent,
    /// Raw JSON.
    Json(&'call str),
    /// A string that stands for a typed value: a prompt's argument, a template's variable.
    Text(&'call str),
}

impl Call {
    pub(super) fn new(ctx: Context, target: Target, source: Source) -> Self {
        Self { ctx, target, source, arena: Arena::new() }
    }

    /// Starts decoding the arguments.
    pub fn arguments(&self) -> Arguments<'_> {
        Arguments::new(self)
    }

    /// The call's context.
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    pub(crate) fn plan(&self) -> &Plan {
        self.ctx.registry().plan(self.target)
    }

    pub(crate) fn param(&self, index: usize) -> &ParamPlan {
        &self.plan().params[index]
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.arena
    }

    pub(super) fn target(&self) -> Target {
        self.target
    }

    /// The URI of a `resources/read`.
    pub(crate) fn uri(&self) -> &str {
        let request = self.ctx.request();
        request.params.uri.as_ref().map_or("", |uri| uri.get(&request.text))
    }

    /// The MIME type that the resource declares.
    pub(crate) fn mime(&self) -> Option<&str> {
        let registry = self.ctx.registry();
        match self.target {
            Target::Resource(index) => registry.resources[index].facts.mime.as_deref(),
            Target::Template(index) => registry.templates[index].facts.mime.as_deref(),
            Target::Tool(_) | Target::Prompt(_) => None,
        }
    }

    /// The entry's description.
    pub(crate) fn description(&self) -> Option<&str> {
        self.plan().about.description.as_deref()
    }

    /// The raw pairs of a tool's arguments.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let request = self.ctx.request();
        request
            .params
            .arguments
            .0
            .iter()
            .map(|(name, value)| (name.get(&request.text), request.text.get(*value)))
    }

    /// The pairs that no parameter takes by name: the fields of a flattened one.
    pub(crate) fn pairs_besides_parameters(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let params = &self.plan().params;
        let is_taken = move |name: &str| {
            params.iter().any(|plan| plan.is_argument && !plan.flatten && plan.name == name)
        };
        self.pairs().filter(move |(name, _)| !is_taken(name))
    }

    /// Everything that was given, as raw JSON: what comes as text is a JSON string.
    pub(crate) fn pairs_as_json(&self) -> Vec<(&str, &str)> {
        let quoted = |text: &str| self.arena.store(Value::from(text).to_string());
        match &self.source {
            Source::Json => self.pairs().collect(),
            Source::Strings => self
                .pairs()
                .filter(|(_, json)| *json != "null")
                .map(|(name, json)| (name, if json.starts_with('"') { json } else { quoted(json) }))
                .collect(),
            Source::Variables(variables) => variables
                .iter()
                .filter_map(|(name, value)| Some((name.as_str(), quoted(value.as_deref()?))))
                .collect(),
        }
    }

    /// The argument called `name`, or the fault of giving it twice.
    pub(crate) fn argument(&self, name: &str) -> Result<Given<'_>, Fault> {
        if let Source::Variables(variables) = &self.source {
            let value = variables.iter().find(|(variable, _)| variable == name);
            return Ok(match value.and_then(|(_, value)| value.as_deref()) {
                Some(value) => Given::Text(value),
                None => Given::Absent,
            });
        }
        let mut found = self.pairs().filter(|(key, _)| *key == name).map(|(_, json)| json);
        let Some(json) = found.next() else { return Ok(Given::Absent) };
        if found.next().is_some() {
            return Err(Fault {
                argument: name.to_owned(),
                got: "two values".to_owned(),
                expected: "one".to_owned(),
                hint: None,
            });
        }
        Ok(match self.source {
            Source::Json => Given::Json(json),
            _ if json == "null" => Given::Absent,
            _ => Given::Text(self.text_of(json)),
        })
    }

    /// The text that a prompt's argument is; clients also send the bare number or boolean.
    fn text_of<'call>(&'call self, json: &'call str) -> &'call str {
        match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(plain) if !plain.contains('\\') => plain,
            Some(_) => match serde_json::from_str::<String>(json) {
                Ok(text) => self.arena.store(text),
                Err(_) => json,
            },
            None => json,
        }
    }

    /// The arguments that a strict tool does not know, each a fault.
    pub(crate) fn unknown_arguments(&self) -> Vec<Fault> {
        let Target::Tool(index) = self.target else { return Vec::new() };
        let tool = &self.ctx.registry().tools[index];
        if !tool.strict {
            return Vec::new();
        }
        let known: Vec<&str> = tool.known.iter().map(String::as_str).collect();
        let foreign = self.pairs().map(|(name, _)| name).filter(|name| !known.contains(name));
        foreign.map(|name| unknown(name, &known)).collect()
    }

    /// The names among the arguments that no parameter has, where one may be a slip of the pen.
    pub(crate) fn foreign_names(&self) -> Vec<&str> {
        let plan = self.plan();
        if plan.params.iter().any(|plan| plan.flatten) {
            return Vec::new();
        }
        let is_known = |name: &str| plan.params.iter().any(|plan| plan.is_argument && plan.name == name);
        self.pairs().map(|(name, _)| name).filter(|name| !is_known(name)).collect()
    }

    /// What a tool's hand-written schema finds wrong with the arguments as a whole.
    pub(crate) fn faults_of_the_whole(&self) -> Vec<Fault> {
        let Target::Tool(index) = self.target else { return Vec::new() };
        let Some((check, schema)) = &self.ctx.registry().tools[index].check else { return Vec::new() };
        let parse = |json| serde_json::from_str(json).unwrap_or(Value::Null);
        let whole = Value::Object(self.pairs().map(|(name, json)| (name.to_owned(), parse(json))).collect());
        let whole = repair(&whole, schema).unwrap_or(whole);
        explain::from_violations("", &whole, schema, check.run(&whole))
    }

    /// The answer to a call whose arguments do not fit.
    ///
    /// "Input validation errors" are "Tool Execution Errors": they "contain actionable feedback that language
    /// models can use to self-correct" (server/tools, Error Handling). Prompts and resources have no such
    /// result; there it is `-32602`.
    pub(crate) fn reject(&self, faults: &[Fault]) -> Outcome {
        let text = render(&self.plan().about.name, faults);
        match self.target {
            Target::Tool(_) => {
                let mut out = ToolWriter::new(self);
                out.error(&text);
                Ok(out.finish())
            }
            Target::Prompt(_) => Err(Error::invalid_params(text)),
            Target::Resource(_) | Target::Template(_) => {
                Err(Error::invalid_params(format!("Resource not found: {text}"))
                    .with_data(serde_json::json!({ "uri": self.uri() })))
            }
        }
    }
}
