//! Tools that are made at run time.

use std::borrow::Cow;
use std::panic::Location;

use serde_json::{Map, Value};

use super::glue::{whole, whole_by_hand, work};
use super::{DynamicArguments, DynamicHandler, about_methods, meta_text};
use crate::ToolOutput;
use crate::registry::{
    Faults, Hints, Label, ParamPlan, Plan, Timing, Tool, Work, check_by_hand, listing, output_schema,
    reject_bad_name,
};
use crate::schema::normalize::Generated;

/// A tool that is made at run time, for [`ServerHandle::add_tool`](crate::ServerHandle::add_tool).
///
/// The schema of the arguments and that of the result come from their types, as those of a `#[tool]` do, and wrong
/// arguments are answered in the same way.
///
/// ```standalone_crate
/// use mcp_runtime::testing::Client;
/// use mcp_runtime::{Context, DynamicTool, Server};
/// use serde_json::json;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Greet {
///     /// Whom to greet.
///     name: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> mcp_runtime::Result<()> {
/// let server = Server::new();
/// let greet = |greet: Greet, _: Context| async move { format!("Hello, {}!", greet.name) };
/// server.handle().add_tool(DynamicTool::new("greet", greet).description("Greet someone."))?;
///
/// let client = Client::new(server)?;
/// assert_eq!(client.call("greet", json!({"name": "Ada"})).await?.text(), "Hello, Ada!");
/// # Ok(())
/// # }
/// ```
#[must_use = "a tool is there when it is added to a server"]
pub struct DynamicTool {
    about: Label,
    meta: Map<String, Value>,
    timing: Timing,
    hints: Hints,
    strict: bool,
    input_schema: Option<Value>,
    whole: Result<Option<ParamPlan>, String>,
    output: Option<Generated>,
    work: Work,
}

impl DynamicTool {
    /// A tool of this name: 1 to 128 of `A-Z`, `a-z`, `0-9`, `_`, `-` and `.`.
    ///
    /// The handler takes its arguments and a [`Context`](crate::Context), or the context alone; see [`DynamicHandler`].
    #[track_caller]
    pub fn new<A, H>(name: impl Into<Cow<'static, str>>, handler: H) -> Self
    where
        A: DynamicArguments,
        H: DynamicHandler<A>,
        H::Output: ToolOutput + 'static,
    {
        Self {
            about: Label::added(name, Location::caller()),
            meta: Map::new(),
            timing: Timing::default(),
            hints: Hints::UNSET,
            strict: false,
            input_schema: None,
            whole: whole::<A>(),
            output: output_schema(H::Output::output_schema),
            work: work::<A, H>(handler, ToolOutput::respond),
        }
    }

    about_methods!();

    /// The schema of the arguments, written by hand. It is published as it is, and enforced.
    ///
    /// ```
    /// use mcp_runtime::{Context, DynamicTool, Error};
    /// use serde_json::{Map, Value, json};
    ///
    /// let sum = |arguments: Map<String, Value>, _: Context| async move {
    ///     let numbers = arguments["numbers"].as_array().into_iter().flatten();
    ///     Ok::<f64, Error>(numbers.filter_map(Value::as_f64).sum())
    /// };
    /// DynamicTool::new("sum", sum).input_schema(json!({
    ///     "type": "object",
    ///     "properties": { "numbers": { "type": "array", "items": { "type": "number" } } },
    ///     "required": ["numbers"],
    /// }));
    /// ```
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input_schema = Some(schema);
        self
    }

    /// Refuses arguments that the schema does not name.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// "The tool does not modify its environment."
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.hints.read_only = Some(read_only);
        self
    }

    /// "The tool may perform destructive updates to its environment."
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.hints.destructive = Some(destructive);
        self
    }

    /// "Calling the tool repeatedly with the same arguments will have no additional effect."
    pub fn idempotent(mut self, idempotent: bool) -> Self {
        self.hints.idempotent = Some(idempotent);
        self
    }

    /// "This tool may interact with an 'open world' of external entities."
    pub fn open_world(mut self, open_world: bool) -> Self {
        self.hints.open_world = Some(open_world);
        self
    }

    pub(crate) fn into_entry(mut self, faults: &mut Faults) -> Tool {
        self.about.meta = meta_text(self.meta);
        reject_bad_name("tool", &self.about, faults);
        let whole = self.whole.unwrap_or_else(|fault| {
            faults.at(&self.about, format!("cannot take its arguments: {fault}"));
            None
        });
        let mut plan = Plan::added(self.about, self.work, self.timing, faults);
        plan.output = self.output;
        let mut check = None;
        let schema = if let Some(schema) = self.input_schema {
            let by_hand = check_by_hand(&plan.about, &schema, faults);
            match whole {
                Some(_) => plan.whole = Some(whole_by_hand(schema.clone(), by_hand)),
                // Nobody decodes the arguments, so they are checked beforehand.
                None => check = by_hand.map(|check| (check, schema.clone())),
            }
            schema
        } else {
            plan.whole = whole;
            listing::input_schema(&plan.about, &plan.whole, self.strict, faults)
        };
        Tool::new(plan, &self.hints, self.strict, check, &schema, faults)
    }
}
