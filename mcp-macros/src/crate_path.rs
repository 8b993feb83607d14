//! Where the runtime is found in the user's crate.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The path of the runtime crate, also where the user's manifest renames it.
pub(crate) fn crate_path() -> TokenStream {
    match crate_name("mcp-runtime") {
        Ok(FoundCrate::Name(name)) => {
            let name = Ident::new(&name, Span::call_site());
            quote!(::#name)
        }
        // The runtime calls itself by its name too; and without a manifest this is the likeliest.
        Ok(FoundCrate::Itself) | Err(_) => quote!(::mcp_runtime),
    }
}
