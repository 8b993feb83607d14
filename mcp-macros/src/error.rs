//! One place where all mistakes of an attribute are gathered, so that they are reported together.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// A mistake, with the tokens to change.
pub(crate) type Error = syn::Error;

/// A result with one mistake.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// A mistake in `tokens`.
pub(crate) fn error(tokens: impl ToTokens, message: impl std::fmt::Display) -> Error {
    Error::new_spanned(tokens, message)
}

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<Error>,
    checked: bool,
}

impl Errors {
    /// Notes a mistake; what darling found keeps its spans.
    pub(crate) fn push(&mut self, mistake: impl Into<Error>) {
        let mistake = mistake.into();
        match &mut self.all {
            Some(all) => all.combine(mistake),
            None => self.all = Some(mistake),
        }
    }

    /// Notes a mistake in `tokens`.
    pub(crate) fn note(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.push(error(tokens, message));
    }

    /// The value, or `None` after noting the mistake.
    pub(crate) fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|mistake| self.push(mistake)).ok()
    }

    /// All mistakes as one; `None` where there is none.
    pub(crate) fn into_error(mut self) -> Option<Error> {
        self.checked = true;
        self.all.take()
    }

    /// `compile_error!` for each mistake; `None` where there is none.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        self.into_error().map(|all| all.to_compile_error())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.checked || std::thread::panicking(), "the mistakes were gathered and never reported");
    }
}
