//! The function under the attribute: what of its signature the glue needs, and what cannot be served.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, FnArg, GenericArgument, GenericParam, Pat, PathArguments, ReturnType, Safety, Signature, Type,
    Visibility,
};

use crate::arg::{Arg, is_arg};
use crate::docs;
use crate::error::{Errors, Result, error};
use crate::keys::nearest;

/// The attributes of this crate that make an entry of a function.
const ENTRY_ATTRIBUTES: [&str; 3] = ["tool", "resource", "prompt"];

/// The function, its body unread.
pub(crate) struct Function {
    pub(crate) attributes: Vec<Attribute>,
    visibility: Visibility,
    pub(crate) sig: Signature,
    body: TokenStream,
    /// From the doc comment.
    pub(crate) description: Option<TokenStream>,
    pub(crate) parameters: Vec<Parameter>,
    /// The result's type, without the function's own lifetimes.
    pub(crate) output: Output,
}

/// The result's type.
pub(crate) enum Output {
    /// Nothing is written: `()`.
    Unit,
    Type(TokenStream),
}

/// One parameter.
pub(crate) struct Parameter {
    pub(crate) ident: Ident,
    /// The name on the wire, if it is an argument.
    pub(crate) name: String,
    /// As the user wrote it.
    written: Type,
    /// The type without the function's own lifetimes; of a slice, the element's.
    pub(crate) ty: TokenStream,
    pub(crate) shape: Shape,
    pub(crate) description: Option<TokenStream>,
    pub(crate) arg: Option<Arg>,
    pub(crate) origin: Origin,
    /// Whether the client can leave it out whatever its default.
    pub(crate) optional: bool,
}

/// How the value is handed to the function.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shape {
    Value,
    /// `&[T]`.
    Slice,
}

/// Where the value comes from, as far as the attribute tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin {
    /// The type decides.
    Either,
    /// The client: the parameter has `#[arg]`, or the template has a variable for it.
    Client,
    /// The server: the template has no variable for it.
    Server,
}

/// An item's parts, before anything is checked.
struct Parts {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    sig: Signature,
    body: TokenStream,
}

impl Parse for Parts {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Ok(Self {
            attributes: input.call(Attribute::parse_outer)?,
            visibility: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl Function {
    /// Reads the function under `attribute`; an item of another kind is a mistake.
    pub(crate) fn parse(item: TokenStream, attribute: &str, errors: &mut Errors) -> Result<Self> {
        reject_other_items(&item, attribute)?;
        let Parts { mut attributes, visibility, mut sig, body } = syn::parse2(item)?;
        if body.to_string().starts_with(';') {
            return Err(error(
                &sig.ident,
                format!("`#[{attribute}]` needs the function's body behind its signature"),
            ));
        }
        reject_misplaced_attributes(&mut attributes, attribute, errors);
        reject_unservable(&sig, attribute, errors);
        let lifetimes: Vec<String> =
            sig.generics.lifetimes().map(|lifetime| lifetime.lifetime.ident.to_string()).collect();
        let parameters = sig
            .inputs
            .iter_mut()
            .filter_map(|input| match input {
                FnArg::Typed(input) => Parameter::read(input, &lifetimes, errors),
                FnArg::Receiver(_) => None,
            })
            .collect();
        let output = match &sig.output {
            ReturnType::Default => Output::Unit,
            ReturnType::Type(_, ty) => Output::Type(without_lifetimes(ty.to_token_stream(), &lifetimes)),
        };
        let description = docs::description(&attributes);
        let function = Self { attributes, visibility, sig, body, description, parameters, output };
        function.reject_equal_names(errors);
        Ok(function)
    }

    fn reject_equal_names(&self, errors: &mut Errors) {
        for (i, parameter) in self.parameters.iter().enumerate() {
            let earlier = &self.parameters[..i];
            if let Some(other) = earlier.iter().find(|other| other.name == parameter.name) {
                let name = &other.name;
                let message = format!("two arguments are named `{name}`: give this one another name");
                errors.note(parameter.name_tokens(), message);
            }
            let Some(header) = parameter.header() else { continue };
            let same = |other: &&Parameter| {
                other.header().is_some_and(|other| other.value().eq_ignore_ascii_case(&header.value()))
            };
            if let Some(other) = earlier.iter().find(same) {
                let other = &other.ident;
                let message = format!(
                    "this header is already that of `{other}` (case does not matter): write another name"
                );
                errors.note(header, message);
            }
        }
    }
}

/// The user's function, without what belongs to us on its parameters.
impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attributes);
        self.visibility.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

/// Names what the attribute was put on.
fn reject_other_items(item: &TokenStream, attribute: &str) -> Result<()> {
    const OTHERS: [&str; 10] =
        ["struct", "enum", "union", "trait", "impl", "mod", "static", "type", "use", "macro_rules"];
    let words: Vec<TokenTree> =
        item.clone().into_iter().filter(|token| matches!(token, TokenTree::Ident(_))).take(6).collect();
    let texts: Vec<String> = words.iter().map(ToString::to_string).collect();
    if texts.iter().any(|text| text == "fn") {
        return Ok(());
    }
    let Some(at) = texts.iter().position(|text| OTHERS.contains(&&**text) || text == "const") else {
        return Ok(());
    };
    let message =
        format!("`#[{attribute}]` goes on a function, and this is `{}`: move it to a `fn`", texts[at]);
    Err(error(&words[at], message))
}

fn reject_misplaced_attributes(attributes: &mut Vec<Attribute>, attribute: &str, errors: &mut Errors) {
    attributes.retain(|other| {
        let last = other.path().segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if is_arg(other) {
            errors.note(other, "`#[arg(..)]` goes on a parameter: move it in front of the one it describes");
            return false;
        }
        if ENTRY_ATTRIBUTES.contains(&&*last) && other.path().segments.len() <= 2 {
            let message = if last == attribute {
                format!("`#[{attribute}]` is here twice; remove one")
            } else {
                format!("a function is one entry: write a second function for `#[{last}]`")
            };
            errors.note(other, message);
            return false;
        }
        true
    });
}

/// What of a signature no client could call.
fn reject_unservable(sig: &Signature, attribute: &str, errors: &mut Errors) {
    if let Some(receiver) = sig.receiver() {
        let message = format!(
            "`#[{attribute}]` goes on a free function: move it out of the `impl` block, and take what `self` holds as `State<..>`"
        );
        errors.note(receiver, message);
    }
    for parameter in &sig.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(ty) => {
                let message =
                    format!("nothing says which `{}` a client means: write the type itself", ty.ident);
                errors.note(&ty.ident, message);
            }
            GenericParam::Const(value) => {
                let message =
                    format!("nothing says which `{}` a client means: write the value itself", value.ident);
                errors.note(&value.ident, message);
            }
        }
    }
    if let Safety::Unsafe(token) = &sig.safety {
        errors.note(token, "a client cannot keep the promises of an `unsafe fn`: wrap it in a safe function");
    }
    if let Some(abi) = &sig.abi {
        errors.note(abi, "a served function is an ordinary Rust function: remove `extern`, or wrap this one");
    }
    if let Some(variadic) = &sig.variadic {
        errors
            .note(variadic, "a client sends named arguments: write each as a parameter, or take a `Vec<..>`");
    }
    if let ReturnType::Type(_, ty) = &sig.output
        && let Some(token) = impl_trait(ty)
    {
        errors.note(
            token,
            "the result needs a type with a name: write it, for example `String`, `Vec<..>` or `Json<..>`",
        );
    }
}

/// `impl Trait` anywhere in a type.
fn impl_trait(ty: &Type) -> Option<TokenStream> {
    fn contains(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == "impl",
            TokenTree::Group(group) => contains(group.stream()),
            _ => false,
        })
    }
    contains(ty.to_token_stream()).then(|| ty.to_token_stream())
}

impl Parameter {
    fn read(input: &mut syn::PatType, lifetimes: &[String], errors: &mut Errors) -> Option<Self> {
        let arg = Arg::parse(&input.attrs, errors);
        let description = docs::description(&input.attrs);
        for attribute in &input.attrs {
            let path = attribute.path();
            if path.is_ident("cfg") || path.is_ident("cfg_attr") {
                let message =
                    "a parameter is there always or never: put `#[cfg]` on the function, and write it twice";
                errors.note(attribute, message);
            }
        }
        input.attrs.retain(|attribute| !is_arg(attribute) && !attribute.path().is_ident("doc"));
        let ident = match name(&input.pat) {
            Ok(ident) => ident,
            Err(mistake) => {
                errors.push(mistake);
                return None;
            }
        };
        if let Some(mistake) = wrong_type(&input.ty) {
            errors.push(mistake);
            return None;
        }
        let (shape, ty) = match slice_element(&input.ty) {
            Some(element) => (Shape::Slice, element),
            None => (Shape::Value, &*input.ty),
        };
        if let Some(flatten) = arg.as_ref().and_then(|arg| arg.flatten.as_ref())
            && (shape == Shape::Slice || is_plain(&input.ty))
        {
            errors.note(
                flatten,
                "only a struct has fields to flatten: remove `flatten`, or write the struct's type",
            );
        }
        let ty = without_lifetimes(ty.to_token_stream(), lifetimes);
        let renamed = arg.as_ref().and_then(|arg| arg.name.as_ref());
        let name = renamed.map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
        let origin = if arg.is_some() { Origin::Client } else { Origin::Either };
        let written = (*input.ty).clone();
        let description = arg.as_ref().and_then(|arg| arg.description.clone()).or(description);
        Some(Self { ident, name, written, ty, shape, description, arg, origin, optional: false })
    }

    /// The tokens that say its name.
    pub(crate) fn name_tokens(&self) -> TokenStream {
        match self.arg.as_ref().and_then(|arg| arg.name.as_ref()) {
            Some(name) => name.to_token_stream(),
            None => self.ident.to_token_stream(),
        }
    }

    fn header(&self) -> Option<&syn::LitStr> {
        self.arg.as_ref()?.header.as_ref()
    }

    /// Whether a type of this spelling cannot be injected: nobody may implement `FromContext` for it.
    pub(crate) fn is_certainly_argument(&self) -> bool {
        self.arg.is_some() || self.is_plain()
    }

    fn is_plain(&self) -> bool {
        self.shape == Shape::Slice || is_plain(&self.written)
    }

    /// Refuses keys of `#[arg]` that a tool's arguments cannot have.
    pub(crate) fn reject_keys_of_texts(&self, errors: &mut Errors) {
        for (name, path) in self.arg.iter().flat_map(|arg| &arg.keys) {
            if name == "complete" {
                let message = "only the arguments of prompts and the variables of templates are completed: remove \
                               `complete`, or take an enum";
                errors.note(path, message);
            }
        }
    }

    /// Refuses keys of `#[arg]` that only a tool's arguments can have.
    pub(crate) fn reject_keys_of_tools(&self, attribute: &str, errors: &mut Errors) {
        let Some(arg) = &self.arg else { return };
        for (name, path) in &arg.keys {
            let reason = match &**name {
                "header" => "only a tool's arguments are mirrored into headers",
                "flatten" => "only a tool's arguments are the fields of a struct",
                _ => continue,
            };
            errors.note(path, format!("{reason}: remove `{name}` from this `#[{attribute}]`"));
        }
    }
}

/// The parameter's name.
fn name(pat: &Pat) -> Result<Ident> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Ok(pat.ident.clone()),
        Pat::Wild(_) => Err(error(pat, "an argument needs a name: write `_name` for one that is not used")),
        Pat::Ident(pat) => {
            Err(error(pat, format!("a parameter is a name and a type: write `{}: ..` alone", pat.ident)))
        }
        _ => Err(error(
            pat,
            "an argument needs one name: write `name: ..` here, and take it apart with `let` in the function",
        )),
    }
}

/// References that no client can send, and `impl Trait`.
fn wrong_type(ty: &Type) -> Option<crate::error::Error> {
    if let Some(tokens) = impl_trait(ty) {
        return Some(error(
            tokens,
            "nothing says which type a client means: write the type itself, for example `String`",
        ));
    }
    let Type::Reference(reference) = bare(ty) else { return None };
    let element = bare(&reference.elem);
    if let Some(token) = &reference.mutability {
        let element = element.to_token_stream().to_string().replace(' ', "");
        return Some(error(
            token,
            format!(
                "an argument is the function's own: write `mut` in front of its name, and `{element}` for its type"
            ),
        ));
    }
    if let Some(lifetime) = &reference.lifetime
        && lifetime.ident == "static"
        && (is_plain(element) || matches!(element, Type::Slice(_)) || is_path_to(element, "str"))
    {
        return Some(error(
            lifetime,
            "an argument lives as long as its call: remove `'static`, or take an owned type",
        ));
    }
    let better = match element {
        Type::Path(_) if is_path_to(element, "String") => "&str".to_owned(),
        Type::Path(path) if is_path_to(element, "Vec") => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                PathArguments::AngleBracketed(arguments) => {
                    let inner = arguments.args.to_token_stream().to_string().replace(' ', "");
                    format!("&[{inner}]")
                }
                _ => "&[..]".to_owned(),
            }
        }
        Type::Path(_) if is_path_to(element, "str") => return None,
        _ if is_plain(element) => element.to_token_stream().to_string().replace(' ', ""),
        _ => return None,
    };
    Some(error(ty, format!("there is no such value to refer to: write `{better}`")))
}

/// A type without the parentheses and groups around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => bare(&inner.elem),
        Type::Group(inner) => bare(&inner.elem),
        _ => ty,
    }
}

fn slice_element(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::Reference(reference) => match bare(&reference.elem) {
            Type::Slice(slice) => Some(&slice.elem),
            _ => None,
        },
        _ => None,
    }
}

fn is_path_to(ty: &Type, name: &str) -> bool {
    matches!(ty, Type::Path(path) if path.qself.is_none()
        && path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// Whether the type is one of the language's own, spelled out.
fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 17] = [
        "String", "bool", "char", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "f32", "f64",
    ];
    match bare(ty) {
        Type::Path(path) => {
            let [last] = &path.path.segments.iter().collect::<Vec<_>>()[..] else { return false };
            match &last.arguments {
                PathArguments::None => PLAIN.iter().any(|plain| last.ident == plain),
                PathArguments::AngleBracketed(arguments) if last.ident == "Option" || last.ident == "Vec" => {
                    arguments
                        .args
                        .iter()
                        .all(|inner| matches!(inner, GenericArgument::Type(inner) if is_plain(inner)))
                }
                _ => false,
            }
        }
        Type::Reference(reference) => is_path_to(bare(&reference.elem), "str") || slice_element(ty).is_some(),
        _ => false,
    }
}

/// Replaces the function's own lifetimes, which the glue does not have, by `'_`.
fn without_lifetimes(tokens: TokenStream, lifetimes: &[String]) -> TokenStream {
    if lifetimes.is_empty() {
        return tokens;
    }
    let mut after_quote = false;
    let replace = |token| match token {
        TokenTree::Ident(name) if after_quote && lifetimes.iter().any(|lifetime| name == lifetime) => {
            after_quote = false;
            TokenTree::Ident(Ident::new("_", name.span()))
        }
        TokenTree::Group(group) => {
            after_quote = false;
            let mut inner =
                proc_macro2::Group::new(group.delimiter(), without_lifetimes(group.stream(), lifetimes));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        token => {
            after_quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
            token
        }
    };
    tokens.into_iter().map(replace).collect()
}

/// Matches the parameters of a resource with the variables of its URI, both ways.
pub(crate) fn match_variables(
    function: &mut Function,
    uri: &syn::LitStr,
    variables: &[crate::template::Variable],
    errors: &mut Errors,
) {
    let mut lone: Vec<&crate::template::Variable> = variables.iter().collect();
    for parameter in &mut function.parameters {
        if let Some(at) = lone.iter().position(|variable| variable.name == parameter.name) {
            parameter.origin = Origin::Client;
            parameter.optional = lone.remove(at).optional;
        } else if !parameter.is_certainly_argument() {
            parameter.origin = Origin::Server;
        }
    }
    for parameter in &function.parameters {
        let matched = variables.iter().any(|variable| variable.name == parameter.name);
        if matched || !parameter.is_certainly_argument() {
            continue;
        }
        let name = &parameter.name;
        let names: Vec<&str> = lone.iter().map(|variable| &*variable.name).collect();
        let message = if !parameter.is_plain() {
            format!(
                "the URI has no variable `{{{name}}}`: add it, or remove `#[arg(..)]` if the server gives the value"
            )
        } else if let Some(near) = nearest(name, &names) {
            lone.retain(|variable| variable.name != near);
            format!("the template has `{{{near}}}` and no `{{{name}}}`: give both the same name")
        } else if variables.is_empty() {
            format!(
                "this URI has no variables: write `{{{name}}}` where its value stands, or remove the parameter"
            )
        } else {
            let all: Vec<String> =
                variables.iter().map(|variable| format!("`{{{}}}`", variable.name)).collect();
            format!(
                "the template has no `{{{name}}}`, only {}: add it, or remove the parameter",
                all.join(", ")
            )
        };
        errors.note(parameter.name_tokens(), message);
    }
    for variable in lone {
        let (name, position) = (&variable.name, variable.position);
        let message = format!(
            "`{name}` at character {position} has no parameter: write `{name}: String` among the function's parameters"
        );
        errors.note(uri, message);
    }
}
