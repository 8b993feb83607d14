//! `#[arg(..)]`: what a parameter says about itself beyond its type and doc comment.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, LitStr, Meta, Path};

use crate::bounds::{Bounds, Number};
use crate::error::{Errors, Result, error};
use crate::keys::{self, ARG, Key};

/// One `#[arg(..)]`.
#[derive(Default)]
pub(crate) struct Arg {
    /// The name on the wire.
    pub(crate) name: Option<LitStr>,
    /// In the place of the doc comment.
    pub(crate) description: Option<TokenStream>,
    /// The value of an argument that is not given.
    pub(crate) default: Option<Expr>,
    range: Option<Bounds<Number>>,
    /// What it adds to the schema.
    pub(crate) constraints: Vec<Constraint>,
    /// What the type has to be for that.
    pub(crate) fits: Vec<Fit>,
    /// The `x-mcp-header` name.
    pub(crate) header: Option<LitStr>,
    /// The key itself, where the struct's fields are the arguments.
    pub(crate) flatten: Option<Path>,
    /// Completes values.
    pub(crate) complete: Option<Path>,
    /// Gives the schema.
    pub(crate) schema: Option<Path>,
    /// Every key, for mistakes that concern several.
    pub(crate) keys: Vec<(String, Path)>,
}

/// A keyword or two of JSON Schema.
pub(crate) enum Constraint {
    Minimum(Number),
    Maximum(Number),
    ExclusiveMaximum(Number),
    MinLength(u64),
    MaxLength(u64),
    Pattern(LitStr),
    Format(LitStr),
    /// The text of a JSON array.
    Examples(String),
}

/// A trait that the type must have, for the key at this span.
pub(crate) struct Fit {
    pub(crate) requirement: &'static str,
    pub(crate) span: Span,
}

impl Arg {
    /// Reads the `#[arg(..)]` among a parameter's attributes.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let mut attributes = attributes.iter().filter(|attribute| is_arg(attribute));
        let attribute = attributes.next()?;
        for second in attributes {
            errors.note(second, "a parameter has one `#[arg(..)]`: move these keys into the first");
        }
        let tokens = match &attribute.meta {
            Meta::List(list) if !list.tokens.is_empty() => list.tokens.clone(),
            _ => {
                errors.note(
                    attribute,
                    "`#[arg]` says nothing: write keys, as in `#[arg(default = 3)]`, or remove it",
                );
                return None;
            }
        };
        let (literals, keys) = keys::parse(tokens, ARG, errors);
        for literal in literals {
            errors.note(literal, "`#[arg(..)]` takes keys: write `name = \"..\"` or `description = \"..\"`");
        }
        let mut arg = Self::default();
        for key in keys {
            arg.keys.push((key.name.clone(), key.path.clone()));
            let read = arg.read(&key);
            errors.keep(read);
        }
        arg.reject_contradictions(errors);
        Some(arg)
    }

    fn read(&mut self, key: &Key) -> Result<()> {
        match &*key.name {
            "name" => self.name = Some(key.filled_text()?),
            "description" => self.description = Some(key.filled_text().map(|text| quote!(#text))?),
            "default" => self.default = Some(key.expr_or_default()?),
            "range" => {
                let range = Bounds::range(key)?;
                let most = if range.half_open.is_some() {
                    Constraint::ExclusiveMaximum
                } else {
                    Constraint::Maximum
                };
                self.constraints.extend(range.least.map(Constraint::Minimum));
                self.constraints.extend(range.most.map(most));
                self.range = Some(range);
                self.need("Ranged", key);
            }
            "length" => {
                let length = Bounds::count(key)?;
                self.constraints.extend(length.least.map(Constraint::MinLength));
                self.constraints.extend(length.most.map(Constraint::MaxLength));
                self.need("Measured", key);
            }
            "pattern" => {
                let pattern = key.filled_text()?;
                if let Err(mistake) = regex_lite::Regex::new(&pattern.value()) {
                    return Err(error(&pattern, format!("this is no regular expression: {mistake}")));
                }
                self.constraints.push(Constraint::Pattern(pattern));
                self.need("Textual", key);
            }
            "examples" => {
                let examples = key.items::<Expr>("\"first\", \"second\"")?;
                let examples = examples.iter().map(keys::json).collect::<Result<Vec<_>>>()?;
                self.constraints.push(Constraint::Examples(format!("[{}]", examples.join(","))));
            }
            "format" => {
                self.constraints.push(Constraint::Format(key.filled_text()?));
                self.need("Textual", key);
            }
            "header" => self.header = Some(header(key)?),
            "flatten" => self.flatten = key.flag()?.then(|| key.path.clone()),
            "complete" => self.complete = Some(key.path("the path of a function or a list")?),
            "schema" => self.schema = Some(key.path("the path of a `fn() -> serde_json::Value`")?),
            _ => return Err(ARG.unknown(key)),
        }
        Ok(())
    }

    fn need(&mut self, requirement: &'static str, key: &Key) {
        self.fits.push(Fit { requirement, span: key.path.span() });
    }

    fn reject_contradictions(&self, errors: &mut Errors) {
        if self.flatten.is_some()
            && let Some((name, path)) = self.keys.iter().find(|(name, _)| name != "flatten")
        {
            let message =
                format!("a flattened struct has no `{name}` of its own: say it on the struct's fields");
            errors.note(path, message);
        }
        if let (Some(range), Some(default)) = (&self.range, &self.default) {
            range.reject_default(default, errors);
        }
    }
}

/// Whether this attribute is ours.
pub(crate) fn is_arg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("arg")
}

/// RFC 9110, section 5.1: a field name is a token.
fn header(key: &Key) -> Result<LitStr> {
    let header = key.filled_text()?;
    let name = header.value();
    let legal = |char: char| char.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(char);
    if let Some(char) = name.chars().find(|char| !legal(*char)) {
        let better: String = name.chars().map(|char| if legal(char) { char } else { '-' }).collect();
        return Err(error(&header, format!("{char:?} cannot be in a header's name: write `{better}`")));
    }
    if let Some(rest) =
        name.get(..10).filter(|start| start.eq_ignore_ascii_case("mcp-param-")).map(|_| &name[10..])
        && !rest.is_empty()
    {
        return Err(error(&header, format!("the client puts `Mcp-Param-` in front: write `{rest}`")));
    }
    Ok(header)
}
