//! Build a [Model Context Protocol](https://modelcontextprotocol.io) server from plain functions.
//!
//! ```no_run
//! use mcp_runtime::prelude::*;
//!
//! /// Add two numbers.
//! #[tool]
//! fn add(
//!     /// First addend.
//!     a: i64,
//!     /// Second addend.
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! mcp_runtime::main!();
//! # mod hidden { }
//! ```
//!
//! `cargo run -- call add a=1 b=2` calls it, `cargo run -- --http` serves it over HTTP, and a client that starts the
//! binary is served over stdio.
//!
//! # What is where
//!
//! | to | see |
//! | --- | --- |
//! | offer a function | [`#[tool]`](macro@tool), [`#[resource]`](macro@resource), [`#[prompt]`](macro@prompt): every key, and `#[arg(..)]` |
//! | take arguments | any `Deserialize + JsonSchema`, `&str`, `&[T]`, `Option<T>`; [`SafePath`] for a path that a client names |
//! | share a connection, a cache | [`Server::state`] and a parameter [`State<T>`](State); [`FromContext`] for what is made anew for each call |
//! | report progress, log, notice that the client gave up | a parameter `&`[`Context`]; [`LogLayer`] for the events of `tracing` |
//! | return typed results | [`Json`]; [`ToolResult`] for full control; [`Image`], [`Audio`], [`ResourceLink`], [`EmbeddedResource`] |
//! | fail | `?` on any error in a function that returns [`Result`]; [`Error`] for a JSON-RPC error of your choice |
//! | complete values, list a template's resources | [`Completions`], [`CompletionSource`], [`ListSource`] |
//! | tell clients that a resource changed by itself | [`#[resource(.., watch = path)]`](macro@resource), [`WatchSource`] |
//! | ask the user | [`Context::elicit`] with a form that is [`Elicit`](trait@Elicit) |
//! | ask the client's model, or for its folders | [`Context::sample`], [`Context::roots`] |
//! | run one thing once in a call that asks | [`Context::once`] |
//! | change while it runs | [`Server::handle`], [`Context::server`]: a [`ServerHandle`] adds and removes a [`DynamicTool`], [`DynamicResource`] or [`DynamicPrompt`], hides and shows entries, tells of updated resources |
//! | tell instances behind a load balancer of each other's changes | [`Server::bus`], [`Bus`] |
//! | serve clients of older revisions, or not | [`Server::eras`], [`Server::max_sessions`], [`Server::session_idle`], [`Server::sse_endpoint`] |
//! | configure, serve | [`Server`]: [`main`](Server::main), [`run`](Server::run), [`serve_stdio`](Server::serve_stdio), [`serve_http`](Server::serve_http) |
//! | have options of your own | [`Server::cli`] |
//! | mount in an axum router | [`Server::into_service`] |
//! | test | [`testing::Client`]; [`listen`](testing::Client::listen) for what it is told |
//!
//! # A server with state
//!
//! ```no_run
//! use std::sync::Mutex;
//!
//! use mcp_runtime::prelude::*;
//!
//! #[derive(Default)]
//! struct Notes(Mutex<Vec<String>>);
//!
//! /// Write a note down.
//! #[tool]
//! fn note(
//!     /// The text.
//!     #[arg(length(1..=500))]
//!     text: String,
//!     notes: State<Notes>,
//! ) -> String {
//!     let mut notes = notes.0.lock().unwrap();
//!     notes.push(text);
//!     format!("note {}", notes.len())
//! }
//!
//! /// A note by its number.
//! #[resource("notes://{number}")]
//! fn read(number: usize, notes: State<Notes>) -> Result<String, mcp_runtime::Error> {
//!     let notes = notes.0.lock().unwrap();
//!     let missing = || mcp_runtime::Error::resource_not_found(format!("notes://{number}"));
//!     number.checked_sub(1).and_then(|index| notes.get(index)).cloned().ok_or_else(missing)
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     mcp_runtime::server!().state(Notes::default()).main()
//! }
//! ```
//!
//! Whatever is wrong with the functions together (two of one name, a state that is not registered) keeps the server
//! from starting, and is reported all at once as a [`StartError`].
//!
//! # Features
//!
//! | feature | default | gives |
//! | --- | :-: | --- |
//! | `stdio` | yes | [`Server::serve_stdio`], [`Server::serve_io`] |
//! | `http` | yes | [`Server::serve_http`], [`Server::serve_listener`], [`Server::into_service`] |
//! | `cli` | yes | [`main!`], [`Server::main`], [`Server::run`], [`Server::cli`]: serve, `list`, `call` |
//!
//! [`testing`] is always there.
#![cfg_attr(
    not(any(feature = "http", feature = "stdio")),
    allow(dead_code, unused_imports, reason = "what serves older revisions is there for transports")
)]

// What the derives expand to in this crate's own tests finds the runtime where users have it.
#[cfg(test)]
extern crate self as mcp_runtime;

mod arena;
mod arguments;
mod changes;
#[cfg(feature = "cli")]
mod cli;
mod completion;
mod constrain;
mod context;
mod default_value;
mod dispatch;
mod dynamic;
mod elicit;
mod input;
mod legacy;
mod log;
mod message;
mod output;
mod parameter;
mod protocol;
mod registry;
mod safe_path;
mod schema;
mod schema_source;
mod seal;
mod server;
mod template;
pub mod testing;
mod text;
mod text_parameter;
mod transport;
mod watch;

pub use changes::{Bus, Change, Inbox};
pub use completion::{
    CompletionRequest, CompletionSource, Completions, IntoCompletions, IntoResourceList, ListSource,
};
pub use constrain::{
    ClientArgument, HeaderArgument, InjectedParameter, Measured, OptionalArgument, Ranged, SliceElement,
    Textual,
};
pub use context::{Client, ClientInfo, Context};
pub use default_value::DefaultFor;
pub use dynamic::{
    DynamicArguments, DynamicHandler, DynamicPrompt, DynamicResource, DynamicTool, NoArguments, Variables,
};
pub use elicit::{
    Elicit, ElicitChoice, ElicitDefault, ElicitFault, ElicitField, ElicitNumber, ElicitOption,
    ElicitSelection, ElicitText,
};
pub use futures_core::Stream;
pub use input::{
    Answer, Ask, InputRequired, MemorySealStore, ModelPreferences, Root, Sample, SampleContent,
    SampleMessage, SampleResult, SampleTool, SealStore, ToolChoice,
};
pub use log::LogLayer;
pub use mcp_macros::Elicit;
#[doc = include_str!("docs/prompt.md")]
pub use mcp_macros::prompt;
#[doc = include_str!("docs/resource.md")]
pub use mcp_macros::resource;
#[doc = include_str!("docs/tool.md")]
pub use mcp_macros::tool;
pub use output::{
    HandlerError, Json, PromptOutput, PromptWriter, ResourceOutput, ResourceWriter, Structured, ToolOutput,
    ToolResult, ToolWriter,
};
pub use parameter::{Argument, FromContext, Injected, Parameter, Requirements, State};
pub use protocol::{
    Annotations, Audio, Cache, Content, EmbeddedResource, Error, Icon, Image, LogLevel, Message,
    PromptResult, ResourceBody, ResourceContents, ResourceLink, Result, Role,
};
pub use registry::StartError;
pub use safe_path::{SafePath, UnsafePath};
pub use schema_source::SchemaSource;
pub use server::{AddError, Eras, Server, ServerHandle};
pub use text_parameter::{TextArgument, TextParameter};
#[cfg(feature = "http")]
pub use transport::http::{HttpBody, HttpService};
pub use watch::{ManyAddresses, OneAddress, Updated, WatchSource};

/// What a server's source needs: `use mcp_runtime::prelude::*;`.
pub mod prelude {
    pub use crate::{
        Annotations, Answer, Audio, CompletionRequest, Completions, Content, Context, Elicit,
        EmbeddedResource, FromContext, Image, Json, LogLevel, Message, PromptResult, ResourceContents,
        ResourceLink, Result, Role, SafePath, Server, ServerHandle, State, ToolResult, prompt, resource,
        tool,
    };
}

/// What the macros' expansions refer to. Not for users: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use std::option::Option::{None, Some};
    pub use std::vec::Vec;

    pub use inventory;
    pub use serde_json::Value;

    pub use crate::arguments::Arguments;
    pub use crate::constrain::HeaderProbe;
    pub use crate::default_value::Shown;
    pub use crate::dispatch::{Call, Outcome};
    pub use crate::elicit::{Answers, Content, FieldType, FormField, Limit, requested_schema};
    pub use crate::registry::{
        About, BoxFuture, CompleteFn, Constraint, Entry, Handler, Hints, ListFn, Number, Param, PromptEntry,
        ResourceEntry, Run, Schedule, Signature, ToolEntry, WatchFn,
    };
    pub use crate::text_parameter::Text;
    pub use crate::watch::{States, Watching};

    /// The traits that method resolution chooses between; without names, so that none of the user's is hidden.
    pub mod probe {
        pub use crate::constrain::PermittedUnlessRefused as _;
        pub use crate::default_value::{ShowNothing as _, ShowSerialized as _};
        pub use crate::text_parameter::{
            ProbeArgument as _, ProbeDirect as _, ProbeParsed as _, ProbeParsedIfGiven as _,
        };
    }
}

/// `Server::new()` with the name of the binary and the version of its package.
#[macro_export]
macro_rules! server {
    () => {
        $crate::Server::new()
            .name(match ::core::option_env!("CARGO_BIN_NAME") {
                ::core::option::Option::Some(name) => name,
                ::core::option::Option::None => ::core::env!("CARGO_PKG_NAME"),
            })
            .version(::core::env!("CARGO_PKG_VERSION"))
    };
}

/// The whole `fn main` of a server: [`server!`](crate::server!), run by its command line.
#[macro_export]
macro_rules! main {
    () => {
        fn main() -> ::std::process::ExitCode {
            $crate::server!().main()
        }
    };
}

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}
