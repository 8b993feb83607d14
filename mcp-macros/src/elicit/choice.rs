//! An enum as a choice.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, DataEnum, Expr, ExprLit, Fields, Ident, Lit, LitStr};

use super::Item;
use super::attribute::{self, Place};
use super::rename::Rule;
use crate::docs;
use crate::error::Errors;

/// A choice.
pub(crate) struct Choice {
    pub(crate) variants: Vec<Variant>,
}

/// One option.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    /// The value on the wire.
    pub(crate) value: String,
    rename: Option<LitStr>,
    /// None of the variants has one, or all have.
    pub(crate) title: Option<TokenStream>,
}

impl Choice {
    pub(crate) fn read(item: &Item, data: &DataEnum, rule: Option<Rule>, errors: &mut Errors) -> Self {
        item.reject_generics("a choice", errors);
        if data.variants.is_empty() {
            errors.note(&item.ident, "there is nothing to choose from: write a variant for each choice");
        }
        let mut variants: Vec<_> =
            data.variants.iter().map(|variant| Variant::read(variant, rule, errors)).collect();
        for (i, variant) in variants.iter().enumerate() {
            if let Some(other) = variants[..i].iter().find(|other| other.value == variant.value) {
                let tokens = match &variant.rename {
                    Some(rename) => rename.to_token_stream(),
                    None => variant.ident.to_token_stream(),
                };
                let (value, other) = (&variant.value, &other.ident);
                errors.note(
                    tokens,
                    format!("`{value}` is already the value of `{other}`: give one of them another"),
                );
            }
        }
        if variants.iter().any(|variant| variant.title.is_some()) {
            for variant in &mut variants {
                let words = words(&variant.ident.unraw().to_string());
                variant.title.get_or_insert_with(|| quote!(#words));
            }
        }
        Self { variants }
    }
}

impl Variant {
    fn read(variant: &syn::Variant, rule: Option<Rule>, errors: &mut Errors) -> Self {
        let ident = variant.ident.clone();
        match &variant.fields {
            Fields::Unit => {}
            fields => errors.note(
                fields,
                "a choice has nothing beside its name: ask for the rest in fields of the form, as `Option` where not every choice needs it",
            ),
        }
        let own = ident.unraw().to_string();
        let mut value = rule.map_or_else(|| own.clone(), |rule| rule.variant(&own));
        let (mut rename, mut title) = (None, title(&variant.attrs));
        for key in attribute::keys(&variant.attrs, Place::Variant, errors) {
            let read = match &*key.name {
                "title" => key.filled_text().map(|text| title = Some(quote!(#text))),
                "rename" => key.filled_text().map(|text| {
                    value = text.value();
                    rename = Some(text);
                }),
                _ => Err(Place::Variant.unknown(&key)),
            };
            errors.keep(read);
        }
        Self { ident, value, rename, title }
    }
}

/// The first paragraph of the doc comment, as one line.
fn title(attributes: &[Attribute]) -> Option<TokenStream> {
    let description = docs::description(attributes)?;
    let Ok(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) = syn::parse2(description.clone()) else {
        return Some(description);
    };
    let text = text.value();
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    let title = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    Some(quote!(#title))
}

/// `MiddleSeat` as `Middle Seat`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for char in name.chars() {
        if char.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.push(char);
    }
    words
}
