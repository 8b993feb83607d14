//! The keys between an attribute's parentheses: which there are, and what each takes.

use std::fmt::Write as _;

use darling::ast::NestedMeta;
use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path, Token, UnOp};

use crate::error::{Error, Errors, Result, error};

/// What each attribute understands.
pub(crate) const TOOL: Table = Table {
    attribute: "`#[tool]`",
    keys: &[
        "name",
        "title",
        "description",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "icon",
        "meta",
        "group",
        "timeout",
        "heartbeat",
        "inline",
        "blocking",
        "strict",
        "input_schema",
        "crate",
    ],
};
/// As [`TOOL`].
pub(crate) const RESOURCE: Table = Table {
    attribute: "`#[resource]`",
    keys: &[
        "name",
        "title",
        "description",
        "mime",
        "size",
        "audience",
        "priority",
        "list",
        "watch",
        "icon",
        "meta",
        "group",
        "timeout",
        "heartbeat",
        "inline",
        "blocking",
        "crate",
    ],
};
/// As [`TOOL`].
pub(crate) const PROMPT: Table = Table {
    attribute: "`#[prompt]`",
    keys: &[
        "name",
        "title",
        "description",
        "icon",
        "meta",
        "group",
        "timeout",
        "heartbeat",
        "inline",
        "blocking",
        "crate",
    ],
};
/// As [`TOOL`].
pub(crate) const ARG: Table = Table {
    attribute: "`#[arg]`",
    keys: &[
        "name",
        "description",
        "default",
        "range",
        "length",
        "pattern",
        "examples",
        "format",
        "header",
        "flatten",
        "complete",
        "schema",
    ],
};
/// As [`TOOL`].
pub(crate) const ICON: Table = Table { attribute: "`icon(..)`", keys: &["mime", "sizes", "theme"] };

/// The keys of one attribute.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    /// As the user writes it.
    pub(crate) attribute: &'static str,
    /// In the order of the documentation.
    pub(crate) keys: &'static [&'static str],
}

impl Table {
    /// The mistake of a key that this attribute does not have.
    pub(crate) fn unknown(&self, key: &Key) -> Error {
        let (name, here) = (&key.name, self.attribute);
        if let Some(near) = nearest(name, self.keys) {
            return error(&key.path, format!("{here} has no key `{name}`; did you mean `{near}`?"));
        }
        let elsewhere = [TOOL, RESOURCE, PROMPT, ARG].into_iter().find(|table| table.keys.contains(&&**name));
        if let Some(there) = elsewhere {
            let there = there.attribute;
            return error(&key.path, format!("`{name}` is a key of {there}, which {here} does not have"));
        }
        let keys = self.keys.join(", ");
        error(&key.path, format!("{here} has no key `{name}`; its keys are {keys}"))
    }
}

/// The candidate that the author probably meant.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.replace('_', "").to_lowercase().trim_end_matches("hint").to_owned();
    let word = plain(word);
    candidates
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(&word, &plain(candidate)), *candidate))
        .filter(|(likeness, candidate)| {
            *likeness > 0.6 || plain(candidate).starts_with(&word) && word.len() > 2
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// One key with what it is given.
pub(crate) struct Key {
    /// As written.
    pub(crate) name: String,
    /// Its tokens.
    pub(crate) path: Path,
    value: Value,
}

enum Value {
    None,
    Is(Expr),
    List(TokenStream),
}

/// Splits an attribute's tokens; a literal in front, where the attribute takes one, comes first in the result.
pub(crate) fn parse(tokens: TokenStream, table: Table, errors: &mut Errors) -> (Vec<Lit>, Vec<Key>) {
    let (mut literals, mut keys) = (Vec::new(), Vec::<Key>::new());
    let items = match NestedMeta::parse_meta_list(tokens.clone()) {
        Ok(items) => items,
        Err(mistake) => {
            errors.push(colon_for_equals(tokens).unwrap_or(mistake));
            Vec::new()
        }
    };
    for item in items {
        let key = match item {
            NestedMeta::Lit(literal) => {
                literals.push(literal);
                continue;
            }
            NestedMeta::NameValueInvalidExpr(pair) => {
                errors.push(pair.error);
                continue;
            }
            NestedMeta::Meta(meta) => Key::from(meta),
        };
        let repeatable = key.name == "icon";
        if !repeatable && keys.iter().any(|earlier| earlier.name == key.name) {
            let (name, attribute) = (&key.name, table.attribute);
            errors.note(&key.path, format!("{attribute} has `{name}` twice; remove one"));
            continue;
        }
        keys.push(key);
    }
    (literals, keys)
}

/// The mistake of `key: value`.
fn colon_for_equals(tokens: TokenStream) -> Option<Error> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.windows(3).find_map(|three| match three {
        [TokenTree::Ident(key), TokenTree::Punct(colon), value]
            if colon.as_char() == ':' && colon.spacing() == Spacing::Alone =>
        {
            Some(error(colon, format!("a key takes its value after `=`: write `{key} = {value}`")))
        }
        _ => None,
    })
}

impl From<Meta> for Key {
    fn from(meta: Meta) -> Self {
        let path = meta.path().clone();
        let name = path.to_token_stream().to_string().replace(' ', "");
        let value = match meta {
            Meta::Path(_) => Value::None,
            Meta::List(list) => Value::List(list.tokens),
            Meta::NameValue(pair) => Value::Is(pair.value),
        };
        Self { name, path, value }
    }
}

impl Key {
    /// A mistake in the key's value; in the key where it has none.
    pub(crate) fn wrong(&self, message: impl std::fmt::Display) -> Error {
        match &self.value {
            Value::Is(value) => error(value, message),
            Value::List(list) if !list.is_empty() => error(list, message),
            Value::List(_) | Value::None => error(&self.path, message),
        }
    }

    /// `key` or `key = false`.
    pub(crate) fn flag(&self) -> Result<bool> {
        match &self.value {
            Value::None => Ok(true),
            Value::Is(Expr::Lit(ExprLit { lit: Lit::Bool(flag), .. })) => Ok(flag.value),
            _ => Err(self.wrong(format!("`{0}` is a flag: write `{0}` or `{0} = false`", self.name))),
        }
    }

    /// `key = "text"`.
    pub(crate) fn text(&self) -> Result<LitStr> {
        match &self.value {
            Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Ok(text.clone()),
            _ => Err(self.wrong(format!("`{0}` takes a string: write `{0} = \"..\"`", self.name))),
        }
    }

    /// `key = "text"` with something in it.
    pub(crate) fn filled_text(&self) -> Result<LitStr> {
        let text = self.text()?;
        if text.value().trim().is_empty() {
            return Err(error(&text, format!("`{}` is empty; write something, or leave it out", self.name)));
        }
        Ok(text)
    }

    /// `key = path`.
    pub(crate) fn path(&self, what: &str) -> Result<Path> {
        match &self.value {
            Value::Is(Expr::Path(path)) if path.qself.is_none() => Ok(path.path.clone()),
            Value::Is(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => {
                Err(error(text, format!("`{}` takes {what}: write it without the quotes", self.name)))
            }
            _ => Err(self.wrong(format!("`{0}` takes {what}: write `{0} = path`", self.name))),
        }
    }

    /// `key = expression`.
    pub(crate) fn expr(&self) -> Result<Expr> {
        match &self.value {
            Value::Is(value) => Ok(value.clone()),
            _ => Err(self.wrong(format!("`{0}` takes a value: write `{0} = ..`", self.name))),
        }
    }

    /// `key = expression`, or the type's own default where only the key is written, as with serde.
    pub(crate) fn expr_or_default(&self) -> Result<Expr> {
        match &self.value {
            Value::None => {
                let call = quote_spanned!(self.path.span()=> ::core::default::Default::default());
                syn::parse2(call)
            }
            _ => self.expr(),
        }
    }

    /// What is between the parentheses of `key(..)`; `example` says what could be.
    pub(crate) fn list(&self, example: &str) -> Result<TokenStream> {
        match &self.value {
            Value::List(list) if !list.is_empty() => Ok(list.clone()),
            _ => Err(self.wrong(format!("write `{}({example})`", self.name))),
        }
    }

    /// The parts of `key(a, b)`.
    pub(crate) fn items<T: syn::parse::Parse>(&self, example: &str) -> Result<Vec<T>> {
        let parts =
            syn::parse::Parser::parse2(Punctuated::<T, Token![,]>::parse_terminated, self.list(example)?);
        Ok(parts?.into_iter().collect())
    }
}

/// The JSON text of a literal.
pub(crate) fn json(value: &Expr) -> Result<String> {
    match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Str(text) => return Ok(quoted(&text.value())),
            Lit::Char(char) => return Ok(quoted(&char.value().to_string())),
            Lit::Bool(flag) => return Ok(flag.value.to_string()),
            Lit::Int(number) => return Ok(number.base10_digits().to_owned()),
            Lit::Float(number) => {
                let digits = number.base10_digits();
                return Ok(if digits.ends_with('.') { format!("{digits}0") } else { digits.to_owned() });
            }
            _ => {}
        },
        Expr::Unary(negative) if matches!(negative.op, UnOp::Neg(_)) => {
            if let Expr::Lit(ExprLit { lit: Lit::Int(_) | Lit::Float(_), .. }) = &*negative.expr {
                return Ok(format!("-{}", json(&negative.expr)?));
            }
        }
        Expr::Array(array) => {
            let items = array.elems.iter().map(json).collect::<Result<Vec<_>>>()?;
            return Ok(format!("[{}]", items.join(",")));
        }
        _ => {}
    }
    Err(error(value, "write a literal here: a string, a number, `true`, `false`, or an array of these"))
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for char in text.chars() {
        match char {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if u32::from(control) < 0x20 => {
                let _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}
