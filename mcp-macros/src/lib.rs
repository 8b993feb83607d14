//! The attributes of `mcp-runtime`. Use them through that crate.

mod about;
mod arg;
mod crate_path;
mod docs;
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
