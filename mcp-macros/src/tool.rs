//! `#[tool]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Path;

use crate::about::{About, read_keys, reject_bad_tool_name};
use crate::error::{Errors, Result};
use crate::expand::{Kind, expand, option, schema};
use crate::keys::{self, Key, TOOL};
use crate::signature::Function;

/// The keys that only tools have.
#[derive(Default)]
struct Tool {
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
    strict: bool,
    input_schema: Option<Path>,
}

impl Tool {
    fn read(&mut self, key: &Key) -> Result<()> {
        match &*key.name {
            "read_only" => self.read_only = Some(key.flag()?),
            "destructive" => self.destructive = Some(key.flag()?),
            "idempotent" => self.idempotent = Some(key.flag()?),
            "open_world" => self.open_world = Some(key.flag()?),
            "strict" => self.strict = key.flag()?,
            "input_schema" => {
                self.input_schema = Some(key.path("the path of a `fn() -> serde_json::Value`")?);
            }
            _ => return Err(TOOL.unknown(key)),
        }
        Ok(())
    }

    fn fields(&self, krate: &TokenStream) -> TokenStream {
        let hints = [
            ("read_only", self.read_only),
            ("destructive", self.destructive),
            ("idempotent", self.idempotent),
            ("open_world", self.open_world),
        ];
        let hints = hints.map(|(name, hint)| {
            let name = Ident::new(name, Span::call_site());
            hint.map(|hint| quote!(#name: __mcp::Some(#hint),))
        });
        let rest = hints.iter().any(Option::is_none).then(|| quote!(..__mcp::Hints::UNSET));
        let hints = if hints.iter().all(Option::is_none) {
            quote!(__mcp::Hints::UNSET)
        } else {
            quote!(__mcp::Hints { #(#hints)* #rest })
        };
        let strict = self.strict;
        let input_schema = option(self.input_schema.as_ref().map(|path| schema(path, krate)).as_ref());
        quote!(hints: #hints, strict: #strict, input_schema: #input_schema)
    }
}

/// The expansion, with all mistakes.
pub(crate) fn tool(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (literals, keys) = keys::parse(attribute, TOOL, &mut errors);
    for literal in literals {
        errors.note(
            &literal,
            "`#[tool]` takes keys: write `name = \"..\"`, `title = \"..\"` or `description = \"..\"`",
        );
    }
    let (mut about, mut tool) = (About::default(), Tool::default());
    read_keys(&mut about, &keys, &mut errors, |key| tool.read(key));
    if let (Some(true), Some(true)) = (tool.read_only, tool.destructive)
        && let Some(key) = keys.iter().find(|key| key.name == "destructive")
    {
        errors.note(&key.path, "what is `read_only` destroys nothing: remove one");
    }
    let parsed = Function::parse(item.clone(), "tool", &mut errors);
    let Some(function) = errors.keep(parsed) else {
        return errors.finish().into_iter().chain([item]).collect();
    };
    about.reject_contradictions(&function, &mut errors);
    for parameter in &function.parameters {
        parameter.reject_keys_of_texts(&mut errors);
    }
    let (name, tokens) = about.name(&function);
    reject_bad_tool_name(&name, &tokens, &mut errors);
    if let Some(mistakes) = errors.finish() {
        quote!(#function #mistakes)
    } else {
        let kind = Kind {
            output: "ToolOutput",
            entry: "Tool",
            json: true,
            strict: tool.strict,
            fields: tool.fields(&about.krate()),
        };
        expand(&function, &about, &kind)
    }
}
