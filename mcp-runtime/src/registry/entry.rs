//! What the macros register: static data and `fn` pointers, nothing else.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use serde_json::Value;

use super::Signature;
use crate::Icon;
use crate::completion::{CompletionRequest, Completions};
use crate::context::Context;
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Error, ResourceLink, Role};
use crate::watch::{States, Watching};

/// A future that a handler runs as, borrowing from its call.
pub type BoxFuture<'call, T> = Pin<Box<dyn Future<Output = T> + Send + 'call>>;

/// One entry of the inventory.
#[derive(Clone, Copy)]
pub enum Entry {
    /// From `#[tool]`.
    Tool(&'static ToolEntry),
    /// From `#[resource]`.
    Resource(&'static ResourceEntry),
    /// From `#[prompt]`.
    Prompt(&'static PromptEntry),
}

inventory::collect!(Entry);

impl Entry {
    /// What every kind of entry says about itself.
    pub(crate) fn about(&self) -> &'static About {
        match self {
            Self::Tool(entry) => &entry.about,
            Self::Resource(entry) => &entry.about,
            Self::Prompt(entry) => &entry.about,
        }
    }
}

/// What every kind of entry says about itself.
pub struct About {
    /// The name on the wire.
    pub name: &'static str,
    /// The name for people, where the author gave one.
    pub title: Option<&'static str>,
    /// From the doc comment, or from the attribute.
    pub description: Option<&'static str>,
    /// Icons for user interfaces.
    pub icons: &'static [Icon],
    /// The author's `_meta`, as the text of a JSON object.
    pub meta: Option<&'static str>,
    /// The group that `Server::only` selects by.
    pub group: Option<&'static str>,
    /// `module_path!()` of the function.
    pub module: &'static str,
    /// `file!()` of the function.
    pub file: &'static str,
    /// `line!()` of the function.
    pub line: u32,
}

impl About {
    /// The values that an attribute does not set.
    pub const UNSET: Self = Self {
        name: "",
        title: None,
        description: None,
        icons: &[],
        meta: None,
        group: None,
        module: "",
        file: "",
        line: 0,
    };
}

/// The glue between a call and the user's function.
#[derive(Clone, Copy)]
pub enum Handler {
    /// For `fn`.
    Sync(for<'call> fn(&'call Call) -> Outcome),
    /// For `async fn`.
    Async(for<'call> fn(&'call Call) -> BoxFuture<'call, Outcome>),
}

/// Where a synchronous function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// The first call on the blocking pool; then inline until one took longer than a millisecond, and from then on
    /// on the blocking pool.
    Learned,
    /// Always inline.
    Inline,
    /// Always on the blocking pool.
    Blocking,
}

/// How a call is run.
pub struct Run {
    /// The glue.
    pub handler: Handler,
    /// Where a synchronous function runs.
    pub schedule: Schedule,
    /// The longest that one call may take.
    pub timeout: Option<Duration>,
    /// The silence after which a call shows that it goes on.
    pub heartbeat: Option<Duration>,
    /// The function's parameters, in order; injected ones too.
    pub params: &'static [Param],
    /// Tells the types of the parameters and of the result.
    pub describe: fn(&mut Signature),
}

/// From `#[tool]`.
pub struct ToolEntry {
    /// What it says about itself.
    pub about: About,
    /// How it is run.
    pub run: Run,
    /// `readOnlyHint` and its like.
    pub hints: Hints,
    /// Whether unknown arguments are refused.
    pub strict: bool,
    /// The schema written by hand, which replaces the derived one.
    pub input_schema: Option<fn() -> Value>,
}

/// Hints on a tool's behaviour; `None` leaves the specification's default.
pub struct Hints {
    /// "The tool does not modify its environment."
    pub read_only: Option<bool>,
    /// "The tool may perform destructive updates to its environment."
    pub destructive: Option<bool>,
    /// "Calling the tool repeatedly with the same arguments will have no additional effect."
    pub idempotent: Option<bool>,
    /// "This tool may interact with an 'open world' of external entities."
    pub open_world: Option<bool>,
}

impl Hints {
    /// No hint at all.
    pub const UNSET: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };
}

/// From `#[resource]`.
pub struct ResourceEntry {
    /// What it says about itself.
    pub about: About,
    /// How it is run.
    pub run: Run,
    /// The URI, or the URI template where it has variables.
    pub uri: &'static str,
    /// The MIME type of its contents.
    pub mime: Option<&'static str>,
    /// The size of the raw content in bytes.
    pub size: Option<u64>,
    /// Who it is for.
    pub audience: &'static [Role],
    /// From 0.0 to 1.0.
    pub priority: Option<f64>,
    /// Lists the resources that a template stands for.
    pub list: Option<ListFn>,
    /// The function that tells when it changes.
    pub watch: Option<WatchFn>,
}

/// The glue between `resources/list` and the author's function.
pub type ListFn = for<'call> fn(&'call Context) -> BoxFuture<'call, Result<Vec<ResourceLink>, Error>>;

/// From `#[prompt]`.
pub struct PromptEntry {
    /// What it says about itself.
    pub about: About,
    /// How it is run.
    pub run: Run,
}

/// One parameter of the function.
pub struct Param {
    /// The name on the wire.
    pub name: &'static str,
    /// What the model is told of it.
    pub description: Option<&'static str>,
    /// The JSON of the default, for the schema; `None` inside where it has no JSON form.
    pub default: Option<fn() -> Option<Value>>,
    /// What `range`, `length`, `pattern`, `examples` and `format` say.
    pub constraints: &'static [Constraint],
    /// The `x-mcp-header` name.
    pub header: Option<&'static str>,
    /// Whether this struct's fields are the arguments.
    pub flatten: bool,
    /// The schema written by hand, which replaces the derived one.
    pub schema: Option<fn() -> Value>,
    /// Completes values of this argument.
    pub complete: Option<CompleteFn>,
}

/// The glue between a subscription and the author's watching function.
pub type WatchFn = fn(&States<'_>) -> Watching;

/// The glue between a completion request and the author's function.
pub type CompleteFn =
    for<'call> fn(&'call CompletionRequest<'call>) -> BoxFuture<'call, Result<Completions, Error>>;

impl Param {
    /// The values that an attribute does not set.
    pub const UNSET: Self = Self {
        name: "",
        description: None,
        default: None,
        constraints: &[],
        header: None,
        flatten: false,
        schema: None,
        complete: None,
    };
}

/// What `#[arg(..)]` adds to a parameter's schema, each a keyword or two of JSON Schema.
pub enum Constraint {
    /// `minimum`.
    Minimum(Number),
    /// `maximum`.
    Maximum(Number),
    /// `exclusiveMaximum`, from a half-open range.
    ExclusiveMaximum(Number),
    /// `minLength` of a string, `minItems` of a list, `minProperties` of a map.
    MinLength(u64),
    /// `maxLength` of a string, `maxItems` of a list, `maxProperties` of a map.
    MaxLength(u64),
    /// `pattern`: a regular expression, not anchored.
    Pattern(&'static str),
    /// `format`.
    Format(&'static str),
    /// `examples`, as the text of a JSON array.
    Examples(&'static str),
}

/// A bound, exact for integers.
#[derive(Clone, Copy)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// Any other number.
    Float(f64),
}
