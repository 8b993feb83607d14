//! A struct as a form.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{DataStruct, Expr, ExprLit, Fields, Ident, Lit, LitStr, Type};

use super::Item;
use super::attribute::{self, Place};
use super::rename::Rule;
use crate::bounds::{Bounds, Number};
use crate::docs;
use crate::error::{Error, Errors, Result, error};
use crate::keys::{Key, nearest};
use crate::signature::bare;

/// The formats that the protocol has.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// A form.
#[derive(Default)]
pub(crate) struct Form {
    pub(crate) fields: Vec<Field>,
}

/// One question.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The name on the wire.
    pub(crate) name: String,
    rename: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    pub(crate) description: Option<TokenStream>,
    pub(crate) default: Option<Expr>,
    pub(crate) range: Option<Bounds<Number>>,
    pub(crate) length: Option<Bounds<u64>>,
    pub(crate) items: Option<Bounds<u64>>,
    /// With the span of the key.
    pub(crate) format: Option<(LitStr, Span)>,
}

impl Form {
    pub(crate) fn read(item: &Item, data: &DataStruct, rule: Option<Rule>, errors: &mut Errors) -> Self {
        let fields = match &data.fields {
            Fields::Named(fields) => &fields.named,
            Fields::Unit => return Self::default(),
            Fields::Unnamed(fields) => {
                let message = format!("a question has a name: write `struct {} {{ name: .. }}`", item.ident);
                errors.note(fields, message);
                return Self::default();
            }
        };
        // A lifetime that a field's reference needs is not a mistake of its own.
        let borrows = fields.iter().any(|field| matches!(bare(&field.ty), Type::Reference(_)));
        let is_free =
            if borrows { item.generics.params.is_empty() } else { item.reject_generics("a form", errors) };
        let fields: Vec<_> = fields.iter().filter_map(|field| Field::read(field, rule, errors)).collect();
        reject_equal_names(&fields, errors);
        // What depends on a parameter cannot be checked any further.
        Self { fields: if is_free { fields } else { Vec::new() } }
    }
}

fn reject_equal_names(fields: &[Field], errors: &mut Errors) {
    for (i, field) in fields.iter().enumerate() {
        if let Some(other) = fields[..i].iter().find(|other| other.name == field.name) {
            let tokens = match &field.rename {
                Some(rename) => rename.to_token_stream(),
                None => field.ident.to_token_stream(),
            };
            let (name, other) = (&field.name, &other.ident);
            let message =
                format!("`{name}` is already the name of the field `{other}`: give one of them another");
            errors.note(tokens, message);
        }
    }
}

impl Field {
    fn read(field: &syn::Field, rule: Option<Rule>, errors: &mut Errors) -> Option<Self> {
        let ident = field.ident.clone()?;
        let own = ident.unraw().to_string();
        let mut read = Self {
            name: rule.map_or_else(|| own.clone(), |rule| rule.field(&own)),
            ident,
            ty: field.ty.clone(),
            rename: None,
            title: None,
            description: docs::description(&field.attrs),
            default: None,
            range: None,
            length: None,
            items: None,
            format: None,
        };
        for key in attribute::keys(&field.attrs, Place::Field, errors) {
            let result = read.take(&key);
            errors.keep(result);
        }
        read.reject_default(errors);
        if let Some(mistake) = wrong_type(&field.ty) {
            errors.push(mistake);
            return None;
        }
        Some(read)
    }

    fn take(&mut self, key: &Key) -> Result<()> {
        match &*key.name {
            "title" => self.title = Some(key.filled_text()?),
            "description" => self.description = Some(key.filled_text().map(|text| quote!(#text))?),
            "default" => self.default = Some(key.expr()?),
            "range" => self.range = Some(range(key)?),
            "length" => self.length = Some(Bounds::count(key)?),
            "items" => self.items = Some(Bounds::count(key)?),
            "format" => self.format = Some((format(key)?, key.path.span())),
            "rename" => {
                let rename = key.filled_text()?;
                self.name = rename.value();
                self.rename = Some(rename);
            }
            _ => return Err(Place::Field.unknown(key)),
        }
        Ok(())
    }

    /// Notes a default that its own form would refuse, as far as it is written out.
    fn reject_default(&self, errors: &mut Errors) {
        let Some(default) = &self.default else { return };
        if let Some(range) = &self.range {
            range.reject_default(default, errors);
        }
        match (default, &self.length, &self.items) {
            (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), Some(length), _) => {
                let count = text.value().chars().count();
                if length.refuse(count) {
                    errors.note(
                        default,
                        format!("the default's length is {count}, which `length(..)` excludes"),
                    );
                }
            }
            (Expr::Array(array), _, Some(items)) => {
                let count = array.elems.len();
                if items.refuse(count) {
                    errors.note(default, format!("the default selects {count}, which `items(..)` excludes"));
                }
            }
            _ => {}
        }
    }
}

fn range(key: &Key) -> Result<Bounds<Number>> {
    let range = Bounds::range(key)?;
    let (Some(dots), Some(end)) = (range.half_open, range.most) else { return Ok(range) };
    let better = match end {
        Number::Int(end) => format!("write `..={}` if these are whole numbers", end - 1),
        Number::Float(_) => "write `..=`".to_owned(),
    };
    Err(error(dots, format!("the protocol has only inclusive bounds: {better}")))
}

fn format(key: &Key) -> Result<LitStr> {
    let text = key.filled_text()?;
    let name = text.value();
    if FORMATS.contains(&&*name) {
        return Ok(text);
    }
    Err(match nearest(&name.replace('-', "_"), &FORMATS) {
        Some(near) => error(&text, format!("a form has no format `{name}`; did you mean `{near}`?")),
        None => {
            error(&text, format!("a form has no format `{name}`; the formats are {}", FORMATS.join(", ")))
        }
    })
}

/// What no alias can hide behind: types that have a form of their own in the language.
fn wrong_type(ty: &Type) -> Option<Error> {
    let message = match bare(ty) {
        Type::Reference(reference) => match bare(&reference.elem) {
            Type::Path(path) if path.path.is_ident("str") => "a form owns what was answered: write `String`",
            _ => "a form owns what was answered: write the type without `&`",
        },
        Type::Tuple(tuple) if tuple.elems.is_empty() => "nothing can be answered here: remove the field",
        Type::Tuple(_) => "a form is flat: write one field for each part of the tuple",
        Type::Array(_) | Type::Slice(_) => {
            "a list in a form is a selection: write `Vec` of a choice, or one field for each element"
        }
        _ => return None,
    };
    Some(error(ty, message))
}
