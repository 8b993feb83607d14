//! The model into tokens. Nothing is decided here that a user could get wrong.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

use super::Item;
use super::choice::Choice;
use super::form::{Field, Form};
use crate::expand::{is_inferred, located_at, number, option, span_of};

/// The form's implementation. With mistakes, the type still has the trait, so that they are the only ones, and the
/// types of the fields are still checked.
pub(crate) fn form(item: &Item, form: &Form, mistakes: Option<&TokenStream>) -> TokenStream {
    let Item { ident, krate, .. } = item;
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    let fields = form.fields.iter().map(|field| self::field(krate, field));
    let fits = form.fields.iter().flat_map(|field| self::fits(krate, field));
    let content = local("content");
    let read = if mistakes.is_some() {
        quote!({ let _ = #content; ::core::unreachable!() })
    } else {
        read(krate, form, &content)
    };
    let body = quote! {
        static __FIELDS: &[__mcp::FormField] = &[#(#fields),*];

        #[automatically_derived]
        impl #generics #krate::Elicit for #ident #arguments #bounds {
            fn requested_schema() -> __mcp::Value {
                #(#fits)*
                __mcp::requested_schema(__FIELDS)
            }

            fn from_content(
                #content: &__mcp::Content,
            ) -> ::core::result::Result<Self, __mcp::Vec<#krate::ElicitFault>> #read
        }
    };
    scoped(item, &body, mistakes)
}

/// The choice's implementation. With mistakes, as for a form.
pub(crate) fn choice(item: &Item, choice: &Choice, mistakes: Option<&TokenStream>) -> TokenStream {
    let Item { ident, krate, .. } = item;
    let (generics, arguments, bounds) = item.generics.split_for_impl();
    let wire = local("value");
    let variants = match mistakes {
        Some(_) => &[],
        None => &choice.variants[..],
    };
    let options = variants.iter().map(|variant| {
        let value = &variant.value;
        let title = option(variant.title.as_ref());
        quote!(#krate::ElicitOption { value: #value, title: #title })
    });
    let names = variants.iter().map(|variant| &variant.ident).collect::<Vec<_>>();
    let values = variants.iter().map(|variant| &variant.value).collect::<Vec<_>>();
    let value = if mistakes.is_some() {
        quote!(::core::unreachable!())
    } else {
        quote!(match self { #(Self::#names => #values,)* })
    };
    let body = quote! {
        #[automatically_derived]
        impl #generics #krate::ElicitChoice for #ident #arguments #bounds {
            const OPTIONS: &'static [#krate::ElicitOption] = &[#(#options),*];

            fn from_value(#wire: &str) -> ::core::option::Option<Self> {
                match #wire {
                    #(#values => __mcp::Some(Self::#names),)*
                    _ => __mcp::None,
                }
            }

            fn value(&self) -> &'static str {
                #value
            }
        }
    };
    scoped(item, &body, mistakes)
}

/// Puts the body where its names meet none of the user's.
fn scoped(item: &Item, body: &TokenStream, mistakes: Option<&TokenStream>) -> TokenStream {
    let krate = &item.krate;
    let allow = item.deprecated.then(|| quote!(#[allow(deprecated)]));
    quote! {
        #mistakes
        #allow
        const _: () = {
            use #krate::__private as __mcp;
            #body
        };
    }
}

fn field(krate: &TokenStream, field: &Field) -> TokenStream {
    let (name, ty) = (&field.name, &field.ty);
    let describe = quote_spanned!(span_of(ty)=> <#ty as #krate::ElicitField>::describe);
    let title = field.title.as_ref().map(|title| quote!(.title(#title)));
    let description = field.description.as_ref().map(|description| quote!(.description(#description)));
    let default = field.default.as_ref().map(|default| {
        let to_answer = quote_spanned!(span_of(ty)=> <#ty as #krate::ElicitField>::to_answer);
        let value = default_value(krate, ty, default);
        quote!(.default(|| #to_answer(&#value)))
    });
    let limits = limits(field);
    let limits = (!limits.is_empty()).then(|| quote!(.limits(&[#(__mcp::Limit::#limits),*])));
    quote!(__mcp::FormField::new(#name, #describe) #title #description #default #limits)
}

fn limits(field: &Field) -> Vec<TokenStream> {
    let mut limits = Vec::new();
    if let Some(range) = &field.range {
        limits.extend(range.least.map(|least| (number(least), "Minimum")));
        limits.extend(range.most.map(|most| (number(most), "Maximum")));
    }
    for (bounds, least, most) in
        [(&field.length, "MinLength", "MaxLength"), (&field.items, "MinItems", "MaxItems")]
    {
        let Some(bounds) = bounds else { continue };
        for (count, name) in [(bounds.least, least), (bounds.most, most)] {
            limits.extend(count.map(|count| (Literal::u64_unsuffixed(count).to_token_stream(), name)));
        }
    }
    limits.extend(field.format.as_ref().map(|(format, _)| (format.to_token_stream(), "Format")));
    let call = |(value, name): (TokenStream, &str)| {
        let name = Ident::new(name, Span::call_site());
        quote!(#name(#value))
    };
    limits.into_iter().map(call).collect()
}

/// Checks that the type is what a key needs; a mistake is shown at the key.
fn fits(krate: &TokenStream, field: &Field) -> Vec<TokenStream> {
    let keys = [
        (field.range.as_ref().map(|range| range.span), "ElicitNumber"),
        (field.length.as_ref().map(|length| length.span), "ElicitText"),
        (field.format.as_ref().map(|(_, span)| *span), "ElicitText"),
        (field.items.as_ref().map(|items| items.span), "ElicitSelection"),
    ];
    let check = |(span, requirement): (Option<Span>, &str)| {
        let span = span?;
        let ty = located_at(&field.ty.to_token_stream(), span);
        let requirement = Ident::new(requirement, span);
        Some(quote_spanned!(span=> <#ty as #krate::#requirement>::fits();))
    };
    keys.into_iter().filter_map(check).collect()
}

/// The default as a value of the field's type.
fn default_value(krate: &TokenStream, ty: &Type, default: &Expr) -> TokenStream {
    let span = default.span();
    if is_inferred(default) {
        let value = local("value");
        return quote_spanned!(span=> { let #value: #ty = #default; #value });
    }
    // With the very span of the default, the call is not shown as a place of its own.
    let krate = krate.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    let krate: TokenStream = krate.collect();
    quote_spanned!(span=> #krate::ElicitDefault::<#ty>::default_for(#default))
}

/// The block that reads every field, and makes the form of them if none was wrong.
fn read(krate: &TokenStream, form: &Form, content: &Ident) -> TokenStream {
    if form.fields.is_empty() {
        return quote!({ let _ = #content; ::core::result::Result::Ok(Self {}) });
    }
    let answers = local("answers");
    let names: Vec<&Ident> = form.fields.iter().map(|field| &field.ident).collect();
    let values: Vec<Ident> = (0..names.len()).map(|i| local(&i.to_string())).collect();
    let reads = form.fields.iter().enumerate().map(|(i, field)| {
        let (ty, index) = (&field.ty, Literal::usize_unsuffixed(i));
        quote_spanned!(span_of(ty)=> <#ty as #krate::ElicitField>::read(&mut #answers, #index))
    });
    quote!({
        let mut #answers = __mcp::Answers::new(__FIELDS, #content);
        #(let #values = #reads;)*
        let (#(__mcp::Some(#values),)*) = (#(#values,)*) else { return #answers.reject() };
        ::core::result::Result::Ok(Self { #(#names: #values),* })
    })
}

/// A name of the expansion's own: a binding that is called as a constant of the user's would be a pattern instead.
fn local(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}
