//! `#[elicit(..)]`: which keys there are, and where.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Meta};

use crate::error::{Error, Errors, error};
use crate::keys::{self, Key, Table};

/// What the attribute is on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Form,
    Field,
    Choice,
    Variant,
}

impl Place {
    fn table(self) -> Table {
        const ITEM: &[&str] = &["rename_all", "crate"];
        const FIELD: &[&str] =
            &["title", "description", "default", "range", "length", "items", "format", "rename"];
        let (attribute, keys) = match self {
            Self::Form => ("`#[elicit]` on a struct", ITEM),
            Self::Field => ("`#[elicit]` on a field", FIELD),
            Self::Choice => ("`#[elicit]` on an enum", ITEM),
            Self::Variant => ("`#[elicit]` on a variant", &["title", "rename"] as &[_]),
        };
        Table { attribute, keys }
    }

    /// The mistake of a key that has no place here, with the reason where there is one.
    pub(crate) fn unknown(self, key: &Key) -> Error {
        let name = &*key.name;
        let has = |place: Self| place.table().keys.contains(&name);
        let reason = match (self, name) {
            (Self::Variant, "description") => {
                "the protocol has no description of a single choice: write it as `title`".to_owned()
            }
            (Self::Variant, "default") => {
                "each field has its own default: write `default = ..` on the field that asks for this choice".to_owned()
            }
            (Self::Field, "pattern") => {
                "the protocol has no patterns in forms: say in the description what is meant, and check it in the function"
                    .to_owned()
            }
            (Self::Field, "examples") => {
                "the protocol has no examples in forms: write one into the description".to_owned()
            }
            (Self::Field, "flatten" | "skip") => {
                format!("every field of a form is asked by itself: there is no `{name}`")
            }
            (Self::Form, _) if has(Self::Field) => {
                format!("`{name}` says something about one field: move it there")
            }
            (Self::Choice, _) if has(Self::Variant) => {
                format!("`{name}` says something about one variant: move it there, or to the field that asks")
            }
            (Self::Choice | Self::Variant, _) if has(Self::Field) => {
                format!("`{name}` says something about a question: move it to the field that asks for this choice")
            }
            (Self::Field, _) if has(Self::Form) => format!("`{name}` is for all fields: move it to the struct"),
            (Self::Variant, _) if has(Self::Choice) => {
                format!("`{name}` is for all variants: move it to the enum")
            }
            _ => return self.table().unknown(key),
        };
        error(&key.path, reason)
    }
}

/// The keys of all `#[elicit(..)]` among `attributes`.
pub(crate) fn keys(attributes: &[Attribute], place: Place, errors: &mut Errors) -> Vec<Key> {
    let mut all = TokenStream::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("elicit")) {
        let tokens = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => &list.tokens,
            _ => {
                let example = place.table().keys[0];
                let message =
                    format!("`#[elicit]` says nothing: write keys, as in `#[elicit({example} = \"..\")]`");
                errors.note(attribute, message);
                continue;
            }
        };
        let ends_with_comma = |tokens: &TokenStream| {
            let last = tokens.clone().into_iter().last();
            last.is_none_or(|last| matches!(last, TokenTree::Punct(punct) if punct.as_char() == ','))
        };
        let comma = (!ends_with_comma(&all)).then(|| quote!(,));
        all.extend(quote!(#comma #tokens));
    }
    let (literals, keys) = keys::parse(all, place.table(), errors);
    for literal in literals {
        errors.note(literal, "`#[elicit(..)]` takes keys: write `title = \"..\"`");
    }
    keys
}
