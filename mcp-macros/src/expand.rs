//! The model into tokens. Nothing is decided here that a user could get wrong.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lifetime, Lit, UnOp};

use crate::about::{About, Icon, Schedule};
use crate::arg::{Arg, Constraint};
use crate::bounds::Number;
use crate::signature::{Function, Origin, Output, Parameter, Shape};

/// What differs between the three kinds of entry.
pub(crate) struct Kind {
    /// The trait of the result.
    pub(crate) output: &'static str,
    /// The variant of `Entry`; its struct is this with `Entry` behind.
    pub(crate) entry: &'static str,
    /// Whether arguments come as JSON; else as text.
    pub(crate) json: bool,
    /// Whether arguments that no parameter takes are faults.
    pub(crate) strict: bool,
    /// The fields of the entry that only this kind has.
    pub(crate) fields: TokenStream,
}

/// The function and its registration.
pub(crate) fn expand(function: &Function, about: &About, kind: &Kind) -> TokenStream {
    let names = Names::new(about.krate());
    let registration = names.registration(function, about, kind);
    quote! {
        #function
        #registration
    }
}

/// The names that the glue uses, so that none of them meets a name of the user's.
struct Names {
    krate: TokenStream,
    call: Ident,
    arguments: Ident,
    signature: Ident,
    lifetime: Lifetime,
}

impl Names {
    fn new(krate: TokenStream) -> Self {
        let local = |name| Ident::new(name, Span::mixed_site());
        Self {
            krate,
            call: local("__call"),
            arguments: local("__arguments"),
            signature: local("__signature"),
            lifetime: Lifetime::new("'call", Span::mixed_site()),
        }
    }

    fn registration(&self, function: &Function, about: &About, kind: &Kind) -> TokenStream {
        let krate = &self.krate;
        let cfg = function.attributes.iter().filter(|attribute| {
            let path = attribute.path();
            path.is_ident("cfg")
                || path.is_ident("cfg_attr") && attribute.to_token_stream().to_string().contains("cfg (")
        });
        let deprecated = function.attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"));
        let allow = deprecated.then(|| quote!(#[allow(deprecated)]));
        let probes = function.parameters.iter().any(|parameter| {
            let arg = parameter.arg.as_ref();
            let given = arg.is_some_and(|arg| arg.default.is_some() || arg.header.is_some() && kind.json);
            given || via(parameter, kind).is_some()
        });
        let probes = probes.then(|| {
            quote!(
                use __mcp::probe::*;
            )
        });
        let describe = self.describe(function, kind);
        let call = self.call(function, kind);
        let about_fields = self.about(function, about);
        let run = run(function, about, &self.params(function));
        let (variant, entry) = (ident(kind.entry), ident(&format!("{}Entry", kind.entry)));
        let fields = &kind.fields;
        quote! {
            #(#cfg)*
            #allow
            const _: () = {
                use #krate::__private as __mcp;
                #probes
                #describe
                #call
                static __ENTRY: __mcp::#entry = __mcp::#entry { about: #about_fields, run: #run, #fields };
                __mcp::inventory::submit! { __mcp::Entry::#variant(&__ENTRY) }
            };
        }
    }

    fn describe(&self, function: &Function, kind: &Kind) -> TokenStream {
        let (krate, signature) = (&self.krate, &self.signature);
        let mut parameters = Vec::new();
        for (i, parameter) in function.parameters.iter().enumerate() {
            let index = Literal::usize_unsuffixed(i);
            let via = via(parameter, kind);
            let path = self.parameter_trait(parameter, kind);
            let span = span_of(&parameter.ty);
            parameters.push(quote_spanned!(span=> #path::describe(#signature, #index #via);));
            parameters.extend(self.fits(parameter, kind));
        }
        let output = (kind.entry == "Tool").then(|| {
            let (ty, span) = output(function);
            quote_spanned!(span=> #signature.tool_output(<#ty as #krate::ToolOutput>::output_schema);)
        });
        let binding =
            if parameters.is_empty() && output.is_none() { quote!(_) } else { signature.to_token_stream() };
        quote! {
            fn __describe(#binding: &mut __mcp::Signature) { #(#parameters)* #output }
        }
    }

    /// Checks that the type is what a key of `#[arg]` needs; a mistake is shown at the key.
    fn fits(&self, parameter: &Parameter, kind: &Kind) -> Vec<TokenStream> {
        let krate = &self.krate;
        let mut checks = Vec::new();
        let whole = match parameter.shape {
            Shape::Value => parameter.ty.clone(),
            Shape::Slice => {
                let element = &parameter.ty;
                quote!(&[#element])
            }
        };
        for fit in parameter.arg.iter().flat_map(|arg| &arg.fits) {
            let ty = located_at(&whole, fit.span);
            let requirement = Ident::new(fit.requirement, fit.span);
            checks.push(quote_spanned!(fit.span=> <#ty as #krate::#requirement>::fits();));
        }
        if let Some(header) = parameter.arg.as_ref().and_then(|arg| arg.header.as_ref()).filter(|_| kind.json)
        {
            let ty = located_at(&whole, header.span());
            checks.push(quote_spanned! {header.span()=>
                <#ty as #krate::HeaderArgument<{ __mcp::HeaderProbe::<#ty>::PERMITTED }>>::fits();
            });
        }
        if parameter.optional && parameter.arg.as_ref().is_none_or(|arg| arg.default.is_none()) {
            let span = span_of(&parameter.ty);
            checks.push(quote_spanned!(span=> <#whole as #krate::OptionalArgument>::fits();));
        }
        checks
    }

    /// `<T as Trait<..>>` for the parameter.
    fn parameter_trait(&self, parameter: &Parameter, kind: &Kind) -> TokenStream {
        let (krate, ty) = (&self.krate, &parameter.ty);
        let name = match (parameter.shape, parameter.origin, kind.json) {
            (Shape::Slice, ..) => quote!(SliceElement<'_>),
            (_, Origin::Server, _) => quote!(InjectedParameter<'_>),
            (_, Origin::Client, false) => quote!(TextArgument<'_, _>),
            (_, Origin::Either, false) => quote!(TextParameter<'_, _>),
            (_, Origin::Client, true) => quote!(ClientArgument<'_>),
            (_, Origin::Either, true) => quote!(Parameter<'_, _>),
        };
        // A parameter that neither the template nor the server has is wrong as a whole, so its name is shown.
        let ty = match parameter.origin {
            Origin::Server => located_at(ty, parameter.ident.span()),
            _ => ty.clone(),
        };
        quote_spanned!(span_of(&ty)=> <#ty as #krate::#name>)
    }

    fn call(&self, function: &Function, kind: &Kind) -> TokenStream {
        let Self { krate, call, arguments, lifetime, .. } = self;
        let (ty, span) = output(function);
        let respond = ident(kind.output);
        let name = &function.sig.ident;
        let values: Vec<Ident> =
            function.parameters.iter().map(|parameter| local(&parameter.ident)).collect();
        let given = function.parameters.iter().zip(&values).map(|(parameter, value)| match parameter.shape {
            Shape::Value => value.to_token_stream(),
            Shape::Slice => quote!(&#value),
        });
        let extract =
            function.parameters.iter().enumerate().map(|(i, parameter)| self.extract(i, parameter, kind));
        let is_async = function.sig.asyncness.is_some();
        let arguments = (!values.is_empty() || kind.strict).then(|| {
            let mutable = (!values.is_empty()).then(|| quote!(mut));
            let known = kind.strict.then(|| quote!(true,));
            let is_known = kind.strict.then(|| quote!(#arguments.is_faultless(),));
            let drop = is_async.then(|| quote!(::core::mem::drop(#arguments);));
            quote! {
                let #mutable #arguments = #call.arguments();
                #(let #values = #extract;)*
                let (#(__mcp::Some(#values),)* #known) = (#(#values,)* #is_known) else {
                    return #arguments.reject()
                };
                #drop
            }
        });
        let result = quote!(#name(#(#given),*));
        let respond = |result| quote_spanned!(span=> <#ty as #krate::#respond>::respond(#result, #call));
        if is_async {
            let respond = respond(quote!(#result.await));
            let body = quote!(async move { #arguments #respond });
            let future = quote_spanned!(name.span()=> ::std::boxed::Box::pin(#body));
            quote! {
                fn __call<#lifetime>(#call: &#lifetime __mcp::Call) -> __mcp::BoxFuture<#lifetime, __mcp::Outcome> { #future }
            }
        } else {
            let respond = respond(result);
            quote! {
                fn __call<#lifetime>(#call: &#lifetime __mcp::Call) -> __mcp::Outcome { #arguments #respond }
            }
        }
    }

    fn extract(&self, i: usize, parameter: &Parameter, kind: &Kind) -> TokenStream {
        let (arguments, index) = (&self.arguments, Literal::usize_unsuffixed(i));
        let via = via(parameter, kind);
        let path = self.parameter_trait(parameter, kind);
        let span = span_of(&parameter.ty);
        let arg = parameter.arg.as_ref();
        if arg.is_some_and(|arg| arg.flatten.is_some()) {
            return quote_spanned!(span=> #path::extract_flat(&mut #arguments, #index));
        }
        if let Some(default) = arg.and_then(|arg| arg.default.as_ref()) {
            let default = self.default_value(parameter, default);
            quote_spanned!(span=> #path::extract_or(&mut #arguments, #index #via, || #default))
        } else {
            quote_spanned!(span=> #path::extract(&mut #arguments, #index #via))
        }
    }

    /// The default as a value of the parameter's type.
    fn default_value(&self, parameter: &Parameter, default: &Expr) -> TokenStream {
        let (krate, element) = (&self.krate, &parameter.ty);
        let ty = match parameter.shape {
            Shape::Value => element.clone(),
            Shape::Slice => quote!(__mcp::Vec<#element>),
        };
        let span = default.span();
        if is_typed_by_place(default) {
            // A number has the type of its place, and `Option` is no number.
            let default = if is_literal(default) && is_option(element) {
                quote!(__mcp::Some(#default))
            } else {
                quote!(#default)
            };
            return quote_spanned!(span=> { let value: #ty = #default; value });
        }
        quote_spanned!(span=> #krate::DefaultFor::<#ty>::default_for(#default))
    }

    fn about(&self, function: &Function, about: &About) -> TokenStream {
        let (name, _) = about.name(function);
        let description = field("description", about.description(function));
        let title = field("title", about.title.as_ref());
        let group = field("group", about.group.as_ref());
        let meta = field("meta", about.meta.as_ref());
        let icons = (!about.icons.is_empty()).then(|| {
            let icons = about.icons.iter().map(|icon| self.icon(icon));
            quote!(icons: &[#(#icons),*],)
        });
        let line = quote_spanned!(function.sig.ident.span()=> ::core::line!());
        let fields = [title, description, icons, meta, group];
        let rest = fields.iter().any(Option::is_none).then(|| quote!(..__mcp::About::UNSET));
        quote! {
            __mcp::About {
                name: #name, #(#fields)*
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                #rest
            }
        }
    }

    fn icon(&self, icon: &Icon) -> TokenStream {
        let Icon { src, mime, sizes, theme } = icon;
        let krate = &self.krate;
        let (mime, theme) = (option(mime.as_ref()), option(theme.as_ref()));
        quote!(#krate::Icon { src: #src, mime_type: #mime, sizes: &[#(#sizes),*], theme: #theme })
    }

    fn params(&self, function: &Function) -> Vec<TokenStream> {
        function.parameters.iter().map(|parameter| self.param(parameter)).collect()
    }

    fn param(&self, parameter: &Parameter) -> TokenStream {
        let name = &parameter.name;
        let description = field("description", parameter.description.as_ref());
        let arg = parameter.arg.as_ref().map(|arg| self.arg(parameter, arg));
        quote!(__mcp::Param { name: #name, #description #arg ..__mcp::Param::UNSET })
    }

    fn arg(&self, parameter: &Parameter, arg: &Arg) -> TokenStream {
        let krate = &self.krate;
        let default = arg.default.as_ref().map(|default| {
            let value = self.default_value(parameter, default);
            quote!(default: __mcp::Some(|| (&&__mcp::Shown(#value)).default_json()),)
        });
        let constraints = (!arg.constraints.is_empty()).then(|| {
            let constraints = arg.constraints.iter().map(constraint);
            quote!(constraints: &[#(#constraints),*],)
        });
        let header = field("header", arg.header.as_ref());
        let flatten = arg.flatten.as_ref().map(|_| quote!(flatten: true,));
        let schema = arg.schema.as_ref().map(|path| schema(path, krate));
        let schema = field("schema", schema.as_ref());
        let complete = arg.complete.as_ref().map(|path| {
            let request = Ident::new("request", Span::mixed_site());
            let glue = quote_spanned!(path.span()=> #krate::CompletionSource::complete(&#path, #request));
            quote!(complete: __mcp::Some(|#request| #glue),)
        });
        quote!(#default #constraints #header #flatten #schema #complete)
    }
}

/// The further argument that tells a text parameter how its type is made from text.
fn via(parameter: &Parameter, kind: &Kind) -> Option<TokenStream> {
    if kind.json || parameter.shape == Shape::Slice || parameter.origin == Origin::Server {
        return None;
    }
    let probe = if parameter.origin == Origin::Client { quote!(via_argument) } else { quote!(via_parameter) };
    let ty = &parameter.ty;
    Some(quote!(, (&&__mcp::Text::<#ty>::NEW).#probe()))
}

fn run(function: &Function, about: &About, params: &[TokenStream]) -> TokenStream {
    let handler = if function.sig.asyncness.is_some() { quote!(Async) } else { quote!(Sync) };
    let schedule = match about.schedule() {
        Schedule::Learned => quote!(Learned),
        Schedule::Inline => quote!(Inline),
        Schedule::Blocking => quote!(Blocking),
    };
    let duration = |milliseconds: Option<u64>| {
        let duration = milliseconds.map(|milliseconds| {
            let milliseconds = Literal::u64_unsuffixed(milliseconds);
            quote!(::core::time::Duration::from_millis(#milliseconds))
        });
        option(duration.as_ref())
    };
    let (timeout, heartbeat) = (duration(about.timeout), duration(about.heartbeat));
    quote! {
        __mcp::Run {
            handler: __mcp::Handler::#handler(__call),
            schedule: __mcp::Schedule::#schedule,
            timeout: #timeout,
            heartbeat: #heartbeat,
            params: &[#(#params),*],
            describe: __describe,
        }
    }
}

fn constraint(constraint: &Constraint) -> TokenStream {
    let (name, value) = match constraint {
        Constraint::Minimum(bound) => ("Minimum", number(*bound)),
        Constraint::Maximum(bound) => ("Maximum", number(*bound)),
        Constraint::ExclusiveMaximum(bound) => ("ExclusiveMaximum", number(*bound)),
        Constraint::MinLength(length) => ("MinLength", Literal::u64_unsuffixed(*length).to_token_stream()),
        Constraint::MaxLength(length) => ("MaxLength", Literal::u64_unsuffixed(*length).to_token_stream()),
        Constraint::Pattern(pattern) => ("Pattern", pattern.to_token_stream()),
        Constraint::Format(format) => ("Format", format.to_token_stream()),
        Constraint::Examples(json) => ("Examples", json.to_token_stream()),
    };
    let name = ident(name);
    quote!(__mcp::Constraint::#name(#value))
}

/// Whether the default is a number, a character, a boolean, or made of these.
fn is_literal(default: &Expr) -> bool {
    !matches!(default, Expr::MethodCall(_) | Expr::Call(_))
}

/// Whether the type is spelled `Option<..>`, so that a literal default can be put into it.
fn is_option(ty: &TokenStream) -> bool {
    syn::parse2::<syn::TypePath>(ty.clone())
        .is_ok_and(|ty| ty.path.segments.last().is_some_and(|last| last.ident == "Option"))
}

/// A bound, as the runtime has it.
pub(crate) fn number(number: Number) -> TokenStream {
    match number {
        Number::Int(int) => {
            let int = Literal::i128_unsuffixed(int);
            quote!(__mcp::Number::Int(#int))
        }
        Number::Float(float) => {
            let float = Literal::f64_unsuffixed(float);
            quote!(__mcp::Number::Float(#float))
        }
    }
}

/// Whether the default's type is that of its place: numbers and what is made of them, and what only the place can
/// tell. Everything else is converted.
fn is_typed_by_place(default: &Expr) -> bool {
    match default {
        Expr::Lit(ExprLit { lit, .. }) => !matches!(lit, Lit::Str(_)),
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) && is_typed_by_place(&unary.expr)
        }
        Expr::Binary(binary) => is_typed_by_place(&binary.left) && is_typed_by_place(&binary.right),
        Expr::Paren(inner) => is_typed_by_place(&inner.expr),
        Expr::Group(inner) => is_typed_by_place(&inner.expr),
        _ => is_inferred(default),
    }
}

/// Whether only the place of the default can tell its type: `.into()`, `Default::default()`.
pub(crate) fn is_inferred(default: &Expr) -> bool {
    match default {
        Expr::MethodCall(call) => call.method == "into",
        Expr::Call(call) => {
            call.func.to_token_stream().to_string().replace(' ', "").ends_with("Default::default")
        }
        _ => false,
    }
}

/// The result's type and where it is written.
fn output(function: &Function) -> (TokenStream, Span) {
    match &function.output {
        Output::Unit => (quote!(()), function.sig.ident.span()),
        Output::Type(ty) => (ty.clone(), span_of(ty)),
    }
}

/// The function that gives a schema; one of another type is a mistake at its path.
pub(crate) fn schema(path: &syn::Path, krate: &TokenStream) -> TokenStream {
    quote_spanned!(path.span()=> || #krate::SchemaSource::schema(&#path))
}

/// `name: Some(value),`
fn field(name: &str, value: Option<impl ToTokens>) -> Option<TokenStream> {
    let name = ident(name);
    value.map(|value| quote!(#name: __mcp::Some(#value),))
}

pub(crate) fn option(value: Option<&impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(__mcp::None), |value| quote!(__mcp::Some(#value)))
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The parameter's name as a name of the glue's.
fn local(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(Span::mixed_site().located_at(name.span()));
    name
}

/// Where a type begins: what is generated around it is shown there.
pub(crate) fn span_of(ty: &impl ToTokens) -> Span {
    ty.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

/// The same tokens, shown somewhere else.
pub(crate) fn located_at(tokens: &TokenStream, span: Span) -> TokenStream {
    let moved = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            let inner = proc_macro2::Group::new(group.delimiter(), located_at(&group.stream(), span));
            token = TokenTree::Group(inner);
        }
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.clone().into_iter().map(moved).collect()
}
