//! The attributes of `mcp-runtime`. Use them through that crate.
//!
//! Each goes the same four steps: the attribute and the function are parsed (`keys`, `signature`, `arg`) into a
//! model, which is validated, all mistakes together (`error`), and expanded (`expand`).

mod about;
mod arg;
mod bounds;
mod crate_path;
mod docs;
mod elicit;
mod error;
mod expand;
mod keys;
mod prompt;
mod resource;
mod signature;
mod template;
#[cfg(test)]
mod tests;
mod tool;

use proc_macro::TokenStream;

/// Serves a function as a tool: its name, its doc comment, its parameters and its result say what there is to say.
///
/// # Keys
///
/// | key | says | else |
/// | --- | --- | --- |
/// | `name = ".."` | the name on the wire: 1 to 128 of `A-Z a-z 0-9 _ - .` | the function's |
/// | `title = ".."` | the name for people | none |
/// | `description = ".."` | what the model is told | the doc comment |
/// | `read_only` | it does not modify its environment | not said |
/// | `destructive` | it may destroy something | not said, and then taken as so |
/// | `idempotent` | a second call with the same arguments does nothing more | not said |
/// | `open_world` | it deals with a world outside, as a web search does | not said, and then taken as so |
/// | `icon("https://..", mime = "..", sizes("48x48"), theme = "dark")` | an icon; may be repeated | none |
/// | `meta("com.example/key" = 1)` | its `_meta`: strings, numbers, `true`, `false`, arrays of these | none |
/// | `group = ".."` | the group that `Server::only` selects by and `ServerHandle::disable` hides | none |
/// | `timeout = "1m30s"` | the longest that a call may take (`ms`, `s`, `m`, `h`) | the server's |
/// | `heartbeat = "15s"` | the silence after which a call shows that it goes on, to a client that asked for progress; shorter than `timeout` | none |
/// | `inline` | a `fn` always runs on the thread of the request | decided by how long its calls take |
/// | `blocking` | a `fn` always runs on the blocking pool; `timeout` and `heartbeat` imply it | as above |
/// | `strict` | arguments that it does not know are refused | they are ignored |
/// | `input_schema = path` | a function that gives the schema of all arguments | made from the parameters |
/// | `crate = path` | where the runtime is, if a macro of yours writes the attribute | found by Cargo.toml |
///
/// The four hints are flags: `read_only`, or `read_only = false`.
///
/// # Parameters
///
/// An argument is any type that is `Deserialize + JsonSchema`; also `&str` and `&[T]`, and `Option<T>` for one that may
/// be left out. `&Context`, `Context`, `State<T>` and every type that is `FromContext` is given by the server. The doc
/// comment of an argument is its description, and `#[arg(..)]` in front of it says more:
///
/// | key | says |
/// | --- | --- |
/// | `name = ".."` | the name on the wire |
/// | `description = ".."` | what the model is told, in the place of the doc comment |
/// | `default = ..` | the value of an argument that is not given: anything that converts into the type; `default` alone is that of its `Default` |
/// | `range(1..=14)`, `range(0.0..1.0)`, `range(..=5)`, `range(3..)` | the bounds of a number |
/// | `length(1..=10)` | the bounds of a string's, list's or map's length |
/// | `pattern = ".."` | a regular expression for a string |
/// | `format = ".."` | a JSON Schema `format`, for example `"date"` |
/// | `examples("..", "..")` | values to show, as literals |
/// | `header = "Region"` | mirrored into the HTTP header `Mcp-Param-Region`: integers, strings and bools |
/// | `flatten` | the fields of this struct are arguments themselves |
/// | `complete = path` | a function that completes values (prompts and templates) |
/// | `schema = path` | a function that gives the schema |
///
/// What `range`, `length` and `pattern` say is in the schema, and enforced.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), item.into()).into()
}

/// Serves a function as a resource, `#[resource("db://schema")]`, or as a resource template,
/// `#[resource("db://{table}/rows/{id}")]`.
///
/// A parameter named like a variable of the template is given the variable's value. Every variable needs one, and every
/// other parameter is one that the server gives. Variables are text on the wire and typed in Rust: any type that is
/// `Deserialize + JsonSchema`, or `FromStr`. Templates are RFC 6570: `{x}`, `{+x}` (also `/` and other reserved
/// characters), `{/x}`, `{/x*}` (several path segments), `{?x,y}` and `{&x}` (which a URI may leave out, so their
/// parameters are `Option` or have a default), `{.x}`, `{;x}`, `{#x}`.
///
/// # Keys
///
/// | key | says | else |
/// | --- | --- | --- |
/// | `"uri or template"` | the address; comes first, without a key | |
/// | `name = ".."` | its name | the function's |
/// | `title = ".."` | the name for people | none |
/// | `description = ".."` | what it is | the doc comment |
/// | `mime = ".."` | the MIME type of its contents | by the result's type |
/// | `size = 1024` | its size in bytes | none |
/// | `audience(user, assistant)` | who it is for | none |
/// | `priority = 0.8` | from 0.0 (optional) to 1.0 (required) | none |
/// | `list = path` | a function that lists what a template stands for | nothing is listed |
/// | `watch = path` | a function that gives a stream of its changes, while a client is subscribed | nothing is watched |
///
/// `icon`, `meta`, `group`, `timeout`, `heartbeat`, `inline`, `blocking` and `crate`, and `#[arg(..)]` on parameters
/// without `header` and `flatten`, are as for `#[tool]`.
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    resource::resource(attribute.into(), item.into()).into()
}

/// Serves a function as a prompt: it returns text, a `Message` or several.
///
/// Arguments are text on the wire and typed in Rust: any type that is `Deserialize + JsonSchema`, or `FromStr`.
///
/// The keys are `name`, `title`, `description`, `icon`, `meta`, `group`, `timeout`, `heartbeat`, `inline`, `blocking`
/// and `crate`; they, and `#[arg(..)]` on parameters without `header` and `flatten`, are as for `#[tool]`.
#[proc_macro_attribute]
pub fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    prompt::prompt(attribute.into(), item.into()).into()
}

/// Makes a struct a form that a handler can ask a person to fill in, and an enum without data a choice in one.
#[proc_macro_derive(Elicit, attributes(elicit))]
pub fn elicit(item: TokenStream) -> TokenStream {
    elicit::elicit(item.into()).into()
}
