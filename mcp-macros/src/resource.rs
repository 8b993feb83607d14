//! `#[resource("uri or template")]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Path};

use crate::about::{About, mime, read_keys};
use crate::error::{Errors, Result, error};
use crate::expand::{Kind, expand, option};
use crate::keys::{self, Key, RESOURCE};
use crate::signature::{Function, match_variables};
use crate::template;

/// The keys that only resources have.
#[derive(Default)]
struct Resource {
    mime: Option<LitStr>,
    size: Option<u64>,
    audience: Vec<&'static str>,
    priority: Option<f64>,
    list: Option<Path>,
    watch: Option<Path>,
}

impl Resource {
    fn read(&mut self, key: &Key) -> Result<()> {
        match &*key.name {
            "mime" => self.mime = Some(mime(key)?),
            "size" => {
                let size = match key.expr()? {
                    Expr::Lit(ExprLit { lit: Lit::Int(size), .. }) => size.base10_parse().ok(),
                    _ => None,
                };
                self.size =
                    Some(size.ok_or_else(|| key.wrong("a size is a number of bytes: write `size = 1024`"))?);
            }
            "audience" => {
                for role in key.items::<Ident>("user")? {
                    self.audience.push(match &*role.to_string() {
                        "user" => "User",
                        "assistant" => "Assistant",
                        _ => return Err(error(&role, "an audience is `user`, `assistant`, or both")),
                    });
                }
            }
            "priority" => self.priority = Some(priority(key)?),
            "list" => self.list = Some(key.path("the path of a function")?),
            "watch" => self.watch = Some(key.path("the path of a function")?),
            // Reported where the URI is looked for.
            "uri" => {}
            _ => return Err(RESOURCE.unknown(key)),
        }
        Ok(())
    }

    /// `is_template` tells which function `watch` takes: one that says that the resource changed, or which one did.
    fn fields(&self, uri: &LitStr, is_template: bool, krate: &TokenStream) -> TokenStream {
        let Self { mime, size, audience, priority, list, watch } = self;
        let (mime, size, priority) =
            (option(mime.as_ref()), option(size.as_ref()), option(priority.as_ref()));
        let audience = audience.iter().map(|role| Ident::new(role, Span::call_site()));
        let list = list.as_ref().map(|path| {
            let ctx = Ident::new("ctx", Span::mixed_site());
            let glue = quote_spanned!(path.span()=> #krate::ListSource::list(&#path, #ctx));
            quote!(|#ctx| #glue)
        });
        let watch = watch.as_ref().map(|path| {
            let states = Ident::new("states", Span::mixed_site());
            let addresses = if is_template { quote!(ManyAddresses) } else { quote!(OneAddress) };
            let glue =
                quote_spanned!(path.span()=> #krate::WatchSource::<#krate::#addresses, _>::watch(&#path, #states));
            quote!(|#states| #glue)
        });
        let (list, watch) = (option(list.as_ref()), option(watch.as_ref()));
        quote! {
            uri: #uri, mime: #mime, size: #size, audience: &[#(#krate::Role::#audience),*], priority: #priority,
            list: #list, watch: #watch
        }
    }
}

fn priority(key: &Key) -> Result<f64> {
    let wrong = || key.wrong("a priority is from 0.0 (optional) to 1.0 (required): write `priority = 0.8`");
    let value = match key.expr()? {
        Expr::Lit(ExprLit { lit: Lit::Float(value), .. }) => value.base10_parse().map_err(|_| wrong())?,
        Expr::Lit(ExprLit { lit: Lit::Int(value), .. }) => value.base10_parse().map_err(|_| wrong())?,
        _ => return Err(wrong()),
    };
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(wrong()) }
}

/// The expansion, with all mistakes.
pub(crate) fn resource(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (literals, keys) = keys::parse(attribute, RESOURCE, &mut errors);
    let (mut about, mut resource) = (About::default(), Resource::default());
    read_keys(&mut about, &keys, &mut errors, |key| resource.read(key));
    let parsed = Function::parse(item.clone(), "resource", &mut errors);
    let Some(mut function) = errors.keep(parsed) else {
        return errors.finish().into_iter().chain([item]).collect();
    };
    about.reject_contradictions(&function, &mut errors);
    for parameter in &function.parameters {
        parameter.reject_keys_of_tools("resource", &mut errors);
    }
    let uri = match literals.into_iter().next() {
        Some(Lit::Str(uri)) => check_uri(&uri, &keys, &mut function, &mut errors).then_some(uri),
        Some(other) => {
            errors.note(
                other,
                "`#[resource(..)]` begins with the URI, a string: `#[resource(\"app://settings\")]`",
            );
            None
        }
        None => {
            let message = "`#[resource]` begins with the URI itself: write `#[resource(\"app://settings\")]`";
            match keys.iter().find(|key| key.name == "uri").or(keys.first()) {
                Some(key) => errors.note(&key.path, message),
                None => errors.push(crate::error::Error::new(Span::call_site(), message)),
            }
            None
        }
    };
    match (errors.finish(), uri) {
        (None, Some(uri)) => {
            let is_template = template::variables(&uri.value()).is_ok_and(|variables| !variables.is_empty());
            let fields = resource.fields(&uri, is_template, &about.krate());
            let kind =
                Kind { output: "ResourceOutput", entry: "Resource", json: false, strict: false, fields };
            expand(&function, &about, &kind)
        }
        (mistakes, _) => quote!(#function #mistakes),
    }
}

fn check_uri(uri: &LitStr, keys: &[Key], function: &mut Function, errors: &mut Errors) -> bool {
    let variables = match template::variables(&uri.value()) {
        Ok(variables) => variables,
        Err(mistake) => {
            errors.note(uri, mistake);
            return false;
        }
    };
    match_variables(function, uri, &variables, errors);
    if let Some(list) = keys.iter().find(|key| key.name == "list" && variables.is_empty()) {
        errors.note(&list.path, "a URI without variables is listed as it is: remove `list`");
    }
    true
}
