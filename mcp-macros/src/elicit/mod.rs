//! `#[derive(Elicit)]`: a struct is a form, an enum a choice.

mod attribute;
mod choice;
mod expand;
mod form;
mod rename;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Data, DeriveInput, GenericParam, Generics, Ident, Path};

use self::attribute::Place;
use self::choice::Choice;
use self::form::Form;
use self::rename::Rule;
use crate::crate_path::crate_path;
use crate::error::{Errors, error};

/// What the two kinds of item share.
pub(crate) struct Item {
    ident: Ident,
    generics: Generics,
    krate: TokenStream,
    deprecated: bool,
}

/// The expansion, with all mistakes.
pub(crate) fn elicit(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(mistake) => return mistake.to_compile_error(),
    };
    let mut errors = Errors::default();
    let place = match &input.data {
        Data::Enum(_) => Place::Choice,
        Data::Struct(_) | Data::Union(_) => Place::Form,
    };
    let (rule, krate) = container(&input.attrs, place, &mut errors);
    let item = Item {
        krate: krate.as_ref().map_or_else(crate_path, ToTokens::to_token_stream),
        deprecated: is_deprecated(&input),
        ident: input.ident,
        generics: input.generics,
    };
    match &input.data {
        Data::Struct(data) => {
            let form = Form::read(&item, data, rule, &mut errors);
            let mistakes = errors.finish();
            expand::form(&item, &form, mistakes.as_ref())
        }
        Data::Enum(data) => {
            let choice = Choice::read(&item, data, rule, &mut errors);
            let mistakes = errors.finish();
            expand::choice(&item, &choice, mistakes.as_ref())
        }
        Data::Union(data) => {
            errors.push(error(
                data.union_token,
                "nobody can say which field of a `union` was answered: a form is a `struct`, a choice an `enum`",
            ));
            let mistakes = errors.finish();
            expand::form(&item, &Form::default(), mistakes.as_ref())
        }
    }
}

/// The keys on the item itself.
fn container(attributes: &[Attribute], place: Place, errors: &mut Errors) -> (Option<Rule>, Option<Path>) {
    let (mut rule, mut krate) = (None, None);
    for key in attribute::keys(attributes, place, errors) {
        let read = match &*key.name {
            "rename_all" => Rule::parse(&key).map(|read| rule = Some(read)),
            "crate" => key.path("the path of the runtime crate").map(|path| krate = Some(path)),
            _ => Err(place.unknown(&key)),
        };
        errors.keep(read);
    }
    (rule, krate)
}

impl Item {
    /// Whether it is free of parameters; noted as a mistake where it is not.
    fn reject_generics(&self, what: &str, errors: &mut Errors) -> bool {
        let Some(first) = self.generics.params.first() else { return true };
        let message = match first {
            GenericParam::Lifetime(_) => {
                format!("{what} owns what was answered: remove the lifetime, and write `String` for `&str`")
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                format!(
                    "{what} asks always for the same: remove the parameters, and write the types themselves"
                )
            }
        };
        errors.note(&self.generics.params, message);
        false
    }
}

fn is_deprecated(input: &DeriveInput) -> bool {
    let is =
        |attributes: &[Attribute]| attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"));
    let inside = match &input.data {
        Data::Struct(data) => data.fields.iter().any(|field| is(&field.attrs)),
        Data::Enum(data) => data.variants.iter().any(|variant| is(&variant.attrs)),
        Data::Union(_) => false,
    };
    inside || is(&input.attrs)
}
