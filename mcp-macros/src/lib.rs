//! The attributes of `mcp-runtime`. Use them through that crate.

mod about;
mod arg;
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
mod tool;

use proc_macro::TokenStream;

/// Serves a function as a tool.
#[proc_macro_attribute]
pub fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    tool::tool(attribute.into(), item.into()).into()
}

/// Serves a function as a resource, or as a resource template.
#[proc_macro_attribute]
pub fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    resource::resource(attribute.into(), item.into()).into()
}

/// Serves a function as a prompt.
#[proc_macro_attribute]
pub fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    prompt::prompt(attribute.into(), item.into()).into()
}

/// Makes a struct a form that a handler can ask a person to fill in, and an enum without data a choice in one.
#[proc_macro_derive(Elicit, attributes(elicit))]
pub fn elicit(item: TokenStream) -> TokenStream {
    elicit::elicit(item.into()).into()
}
