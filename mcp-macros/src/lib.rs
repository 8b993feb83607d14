//! Under construction.
use proc_macro::TokenStream;
/// x
#[proc_macro_attribute]
pub fn tool(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn resource(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
/// x
#[proc_macro_attribute]
pub fn prompt(_: TokenStream, i: TokenStream) -> TokenStream {
    i
}
