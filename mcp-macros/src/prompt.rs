//! `#[prompt]`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::about::{About, read_keys};
use crate::error::Errors;
use crate::expand::{Kind, expand};
use crate::keys::{self, PROMPT};
use crate::signature::Function;

/// The expansion, with all mistakes.
pub(crate) fn prompt(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (literals, keys) = keys::parse(attribute, PROMPT, &mut errors);
    for literal in literals {
        errors.note(
            &literal,
            "`#[prompt]` takes keys: write `name = \"..\"`, `title = \"..\"` or `description = \"..\"`",
        );
    }
    let mut about = About::default();
    read_keys(&mut about, &keys, &mut errors, |key| Err(PROMPT.unknown(key)));
    let parsed = Function::parse(item.clone(), "prompt", &mut errors);
    let Some(function) = errors.keep(parsed) else {
        return errors.finish().into_iter().chain([item]).collect();
    };
    about.reject_contradictions(&function, &mut errors);
    for parameter in &function.parameters {
        parameter.reject_keys_of_tools("prompt", &mut errors);
    }
    if let Some(mistakes) = errors.finish() {
        quote!(#function #mistakes)
    } else {
        let kind = Kind {
            output: "PromptOutput",
            entry: "Prompt",
            json: false,
            strict: false,
            fields: TokenStream::new(),
        };
        expand(&function, &about, &kind)
    }
}
