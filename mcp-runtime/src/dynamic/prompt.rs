//! Prompts that are made at run time.

use std::borrow::Cow;
use std::panic::Location;

use serde_json::{Map, Value, json};

use super::glue::{completer, text_argument, whole, whole_by_hand, work};
use super::{DynamicArguments, DynamicHandler, about_methods, meta_text};
use crate::PromptOutput;
use crate::completion::IntoCompletions;
use crate::registry::{Completer, Faults, Label, ParamPlan, Plan, Prompt, Timing, Work};
use crate::schema::check::{Check, Trust};

/// A prompt that is made at run time, for [`ServerHandle::add_prompt`](crate::ServerHandle::add_prompt).
///
/// Its arguments are the fields of the struct that the handler takes; or it takes [`Variables`](crate::Variables), and
/// says here which there are:
///
/// ```standalone_crate
/// use mcp_runtime::testing::Client;
/// use mcp_runtime::{Context, DynamicPrompt, Server, Variables};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> mcp_runtime::Result<()> {
/// let brief = |given: Variables, _: Context| async move {
///     let style = given.get("style").unwrap_or("plain");
///     format!("Explain {} in a {style} style.", given.get("topic").unwrap_or_default())
/// };
/// let prompt = DynamicPrompt::new("brief", brief)
///     .description("Explain a topic.")
///     .argument("topic", "What about.")
///     .optional_argument("style", "How it sounds.")
///     .values("style", ["plain", "formal"]);
///
/// let server = Server::new();
/// server.handle().add_prompt(prompt)?;
/// let client = Client::new(server)?;
/// let result = client.prompt("brief", json!({"topic": "monads"})).await?;
/// assert_eq!(result.messages[0].content.as_text(), Some("Explain monads in a plain style."));
/// # Ok(())
/// # }
/// ```
#[must_use = "a prompt is there when it is added to a server"]
pub struct DynamicPrompt {
    about: Label,
    meta: Map<String, Value>,
    timing: Timing,
    arguments: Vec<Argument>,
    values: Vec<(String, Vec<String>)>,
    completers: Vec<(String, Completer)>,
    whole: Result<Option<ParamPlan>, String>,
    work: Work,
}

/// An argument that is said beside the type.
struct Argument {
    name: String,
    description: String,
    required: bool,
}

impl DynamicPrompt {
    /// A prompt of this name.
    #[track_caller]
    pub fn new<A, H>(name: impl Into<Cow<'static, str>>, handler: H) -> Self
    where
        A: DynamicArguments,
        H: DynamicHandler<A>,
        H::Output: PromptOutput + 'static,
    {
        Self {
            about: Label::added(name, Location::caller()),
            meta: Map::new(),
            timing: Timing::default(),
            arguments: Vec::new(),
            values: Vec::new(),
            completers: Vec::new(),
            whole: whole::<A>(),
            work: work::<A, H>(handler, PromptOutput::respond),
        }
    }

    about_methods!();

    /// An argument that has to be given, for a handler that takes [`Variables`](crate::Variables).
    pub fn argument(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.with_argument(name.into(), description.into(), true)
    }

    /// An argument that may be left out.
    pub fn optional_argument(self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.with_argument(name.into(), description.into(), false)
    }

    /// The only values that an argument may have; clients complete them.
    pub fn values(
        mut self,
        argument: impl Into<String>,
        values: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        self.values.push((argument.into(), values.into_iter().map(Into::into).collect()));
        self
    }

    /// Completes the values of an argument.
    ///
    /// ```
    /// # use mcp_runtime::{Completions, Context, DynamicPrompt, Variables};
    /// DynamicPrompt::new("brief", |given: Variables, _: Context| async move { format!("{given:?}") })
    ///     .argument("topic", "What about.")
    ///     .complete("topic", |typed: String, _: Context| async move {
    ///         Completions::matching(&typed, ["monads", "lifetimes"])
    ///     });
    /// ```
    pub fn complete<H>(mut self, argument: impl Into<String>, complete: H) -> Self
    where
        H: DynamicHandler<String, Output: IntoCompletions>,
    {
        self.completers.push((argument.into(), completer(complete)));
        self
    }

    fn with_argument(mut self, name: String, description: String, required: bool) -> Self {
        self.arguments.push(Argument { name, description, required });
        self
    }

    pub(crate) fn into_entry(mut self, faults: &mut Faults) -> Prompt {
        self.about.meta = meta_text(self.meta);
        if self.about.name.is_empty() {
            faults.at(&self.about, "is no name for a prompt: give it one");
        }
        let whole = self.whole.unwrap_or_else(|fault| {
            faults.at(&self.about, format!("cannot take its arguments: {fault}"));
            None
        });
        let mut plan = Plan::added(self.about, self.work, self.timing, faults);
        plan.whole = whole;
        if !self.arguments.is_empty() || !self.values.is_empty() {
            say_by_hand(&mut plan, self.arguments, self.values, faults);
        }
        if let Some(whole) = &plan.whole {
            let names = whole.schema["properties"].as_object().into_iter().flat_map(Map::keys);
            plan.params = names.map(|name| text_argument(name.clone(), &whole.schema)).collect();
        }
        for (name, completer) in self.completers {
            match plan.params.iter_mut().find(|param| param.name == name) {
                Some(param) => param.complete = Some(completer),
                None => {
                    faults.at(&plan.about, format!("completes `{name}`, which is no argument of it"));
                }
            }
        }
        Prompt::new(plan)
    }
}

/// Adds to the schema what the author says of single arguments.
fn say_by_hand(
    plan: &mut Plan,
    arguments: Vec<Argument>,
    values: Vec<(String, Vec<String>)>,
    faults: &mut Faults,
) {
    let Some(whole) = &mut plan.whole else {
        return faults.at(
            &plan.about,
            "says arguments, and its handler takes none: take `Variables` before the context",
        );
    };
    let mut schema = whole.schema.clone();
    let Some(root) = schema.as_object_mut() else { return };
    for Argument { name, description, required } in arguments {
        let properties = root.entry("properties").or_insert_with(|| json!({}));
        let property = &mut properties[&name];
        if property.is_null() {
            *property = json!({ "type": "string" });
        }
        property["description"] = description.into();
        let names = root.entry("required").or_insert_with(|| json!([]));
        if let Some(names) =
            names.as_array_mut().filter(|names| required && !names.contains(&name.as_str().into()))
        {
            names.push(name.into());
        }
    }
    for (name, values) in values {
        match root.get_mut("properties").and_then(|properties| properties.get_mut(&name)) {
            Some(property) => property["enum"] = values.into(),
            None => faults.at(&plan.about, format!("says values of `{name}`, which is no argument of it")),
        }
    }
    match Check::compile(&schema, Trust::Whole) {
        Ok(check) => *whole = whole_by_hand(schema, check),
        Err(fault) => faults.at(&plan.about, format!("has a fault in the schema of its arguments: {fault}")),
    }
}
