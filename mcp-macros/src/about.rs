//! The keys that `#[tool]`, `#[resource]` and `#[prompt]` share.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Lit, LitStr, Path, Token};

use crate::crate_path::crate_path;
use crate::error::{Errors, Result, error};
use crate::keys::{self, ICON, Key};
use crate::signature::Function;

/// What every kind of entry says about itself, and how it is run.
#[derive(Default)]
pub(crate) struct About {
    name: Option<LitStr>,
    pub(crate) title: Option<LitStr>,
    description: Option<LitStr>,
    pub(crate) icons: Vec<Icon>,
    /// The text of a JSON object.
    pub(crate) meta: Option<String>,
    pub(crate) group: Option<LitStr>,
    /// In milliseconds.
    pub(crate) timeout: Option<u64>,
    /// In milliseconds.
    pub(crate) heartbeat: Option<u64>,
    inline: Option<Path>,
    blocking: Option<Path>,
    timeout_key: Option<Path>,
    heartbeat_key: Option<Path>,
    krate: Option<Path>,
}

/// One `icon(..)`.
pub(crate) struct Icon {
    pub(crate) src: LitStr,
    pub(crate) mime: Option<LitStr>,
    pub(crate) sizes: Vec<LitStr>,
    pub(crate) theme: Option<LitStr>,
}

/// Where a synchronous function runs.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Schedule {
    Learned,
    Inline,
    Blocking,
}

impl About {
    /// Takes the key if it is one of the shared ones.
    pub(crate) fn read(&mut self, key: &Key) -> Option<Result<()>> {
        let read = match &*key.name {
            "name" => key.filled_text().map(|text| self.name = Some(text)),
            "title" => key.filled_text().map(|text| self.title = Some(text)),
            "description" => key.filled_text().map(|text| self.description = Some(text)),
            "icon" => Icon::parse(key).map(|icon| self.icons.push(icon)),
            "meta" => meta(key).map(|json| self.meta = Some(json)),
            "group" => key.filled_text().map(|text| self.group = Some(text)),
            "timeout" => {
                self.timeout_key = Some(key.path.clone());
                time(key, NO_TIMEOUT).map(|timeout| self.timeout = Some(timeout))
            }
            "heartbeat" => {
                self.heartbeat_key = Some(key.path.clone());
                time(key, NO_HEARTBEAT).map(|heartbeat| self.heartbeat = Some(heartbeat))
            }
            "inline" => key.flag().map(|flag| self.inline = flag.then(|| key.path.clone())),
            "blocking" => key.flag().map(|flag| self.blocking = flag.then(|| key.path.clone())),
            "crate" => key.path("the path of the runtime crate").map(|path| self.krate = Some(path)),
            _ => return None,
        };
        Some(read)
    }

    /// Keys that exclude each other.
    pub(crate) fn reject_contradictions(&self, function: &Function, errors: &mut Errors) {
        if let (Some(_), Some(blocking)) = (&self.inline, &self.blocking) {
            errors.note(blocking, "`inline` and `blocking` exclude each other: remove one");
        } else if let (Some(inline), Some(_)) = (&self.inline, &self.timeout_key) {
            errors.note(inline, "what runs inline cannot be timed out: remove `inline` or `timeout`");
        } else if let (Some(inline), Some(_)) = (&self.inline, &self.heartbeat_key) {
            errors.note(
                inline,
                "what runs inline leaves nobody to send a heartbeat: remove `inline` or `heartbeat`",
            );
        }
        if let (Some(key), Some(heartbeat), Some(timeout)) =
            (&self.heartbeat_key, self.heartbeat, self.timeout)
            && heartbeat >= timeout
        {
            errors.note(
                key,
                "no call lasts until its first heartbeat: write a `heartbeat` that is shorter than `timeout`",
            );
        }
        if function.sig.asyncness.is_some() {
            for (key, name) in [(&self.inline, "inline"), (&self.blocking, "blocking")] {
                if let Some(key) = key {
                    let message =
                        format!("an `async fn` runs on the async runtime: remove `{name}`, or `async`");
                    errors.note(key, message);
                }
            }
        }
    }

    /// The name on the wire, with the tokens that say it.
    pub(crate) fn name(&self, function: &Function) -> (String, TokenStream) {
        match &self.name {
            Some(name) => (name.value(), name.to_token_stream()),
            None => (function.sig.ident.unraw().to_string(), function.sig.ident.to_token_stream()),
        }
    }

    pub(crate) fn description(&self, function: &Function) -> Option<TokenStream> {
        let written = self.description.as_ref().map(ToTokens::to_token_stream);
        written.or_else(|| function.description.clone())
    }

    pub(crate) fn schedule(&self) -> Schedule {
        match (&self.inline, &self.blocking, self.timeout.or(self.heartbeat)) {
            (Some(_), ..) => Schedule::Inline,
            (None, None, None) => Schedule::Learned,
            _ => Schedule::Blocking,
        }
    }

    pub(crate) fn krate(&self) -> TokenStream {
        self.krate.as_ref().map_or_else(crate_path, ToTokens::to_token_stream)
    }
}

impl Icon {
    const EXAMPLE: &str = "\"https://example.com/icon.png\"";

    fn parse(key: &Key) -> Result<Self> {
        let mut errors = Errors::default();
        let (literals, inner) = keys::parse(key.list(Self::EXAMPLE)?, ICON, &mut errors);
        let mut icon = None;
        match &literals[..] {
            [Lit::Str(src)] => {
                let legal =
                    ["https://", "http://", "data:"].iter().any(|start| src.value().starts_with(start));
                if !legal {
                    errors.note(src, "an icon is an `https:` address or a `data:` URI");
                }
                icon = Some(Self { src: src.clone(), mime: None, sizes: Vec::new(), theme: None });
            }
            [_, second, ..] => errors.note(second, "an icon has one address: write a second `icon(..)`"),
            _ => {
                errors.push(key.wrong(format!("an icon begins with its address: `icon({})`", Self::EXAMPLE)));
            }
        }
        for inner in &inner {
            let read = icon.as_mut().map_or(Ok(()), |icon| icon.read(inner));
            errors.keep(read);
        }
        match (errors.into_error(), icon) {
            (None, Some(icon)) => Ok(icon),
            (mistakes, _) => Err(mistakes.unwrap_or_else(|| key.wrong("an icon begins with its address"))),
        }
    }

    fn read(&mut self, key: &Key) -> Result<()> {
        match &*key.name {
            "mime" => self.mime = Some(mime(key)?),
            "sizes" => {
                self.sizes = key.items("\"48x48\"")?;
                if let Some(wrong) = self.sizes.iter().find(|size| !is_icon_size(&size.value())) {
                    return Err(error(wrong, "a size is `\"48x48\"`, or `\"any\"` for a scalable icon"));
                }
            }
            "theme" => {
                let theme = key.text()?;
                if !matches!(&*theme.value(), "light" | "dark") {
                    return Err(error(&theme, "a theme is `\"light\"` or `\"dark\"`"));
                }
                self.theme = Some(theme);
            }
            _ => return Err(ICON.unknown(key)),
        }
        Ok(())
    }
}

fn is_icon_size(size: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.chars().all(|char| char.is_ascii_digit());
    size == "any" || size.split_once('x').is_some_and(|(width, height)| number(width) && number(height))
}

/// `mime = "type/subtype"`.
pub(crate) fn mime(key: &Key) -> Result<LitStr> {
    let mime = key.filled_text()?;
    let value = mime.value();
    let ends = value.split(';').next().unwrap_or_default().trim();
    match ends.split_once('/') {
        Some((kind, name)) if !kind.is_empty() && !name.is_empty() && !name.contains('/') => Ok(mime),
        _ => Err(error(&mime, "a MIME type has two parts: write `\"text/plain\"` or `\"application/json\"`")),
    }
}

struct Pair {
    key: LitStr,
    value: Expr,
}

impl Parse for Pair {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: input.parse()? })
    }
}

/// The JSON object of `meta("com.example/key" = 1, ..)`.
fn meta(key: &Key) -> Result<String> {
    let pairs = key.items::<Pair>("\"com.example/key\" = \"value\"")?;
    let mut members = Vec::<(String, String)>::new();
    for Pair { key, value } in pairs {
        let name = key.value();
        if let Some(mistake) = wrong_meta_key(&name) {
            return Err(error(&key, mistake));
        }
        if members.iter().any(|(earlier, _)| *earlier == name) {
            return Err(error(&key, format!("`{name}` is here twice; remove one")));
        }
        members.push((name, keys::json(&value)?));
    }
    let members = members.into_iter().map(|(name, value)| format!("{}:{value}", keys::quoted(&name)));
    Ok(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}

/// What is wrong with a `_meta` key (basic/index, `_meta`).
fn wrong_meta_key(key: &str) -> Option<String> {
    let ends_well = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.ends_with(|c: char| c.is_ascii_alphanumeric())
    };
    let (prefix, name) = key.rsplit_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    let labels: Vec<&str> = prefix.map(|prefix| prefix.split('.').collect()).unwrap_or_default();
    let legal = |label: &&str| {
        ends_well(label)
            && label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    if !labels.iter().all(legal) {
        return Some("the part in front of `/` is a domain name, reversed: write `com.example/key`".into());
    }
    if let Some(reserved @ ("modelcontextprotocol" | "mcp")) = labels.get(1).copied() {
        return Some(format!(
            "a prefix with `{reserved}` is the protocol's own: write a domain of yours, `com.example/key`"
        ));
    }
    if prefix.is_none() && matches!(name, "progressToken" | "traceparent" | "tracestate" | "baggage") {
        return Some(format!("`{name}` is the protocol's own key: write `com.example/{name}`"));
    }
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let fits = name.is_empty() && prefix.is_some() || ends_well(name) && name.chars().all(inner);
    (!fits).then(|| "a key has letters, digits, `-`, `_` and `.`, with a letter or digit at both ends".into())
}

const NO_TIMEOUT: &str = "no call can end in no time: write a longer `timeout`, or remove it";
const NO_HEARTBEAT: &str = "a heart cannot beat all the time: write a longer `heartbeat`, or remove it";

/// The milliseconds of `timeout = "1m30s"`; `none` is what is wrong with no time at all.
fn time(key: &Key, none: &str) -> Result<u64> {
    const EXAMPLE: &str = "write a time as `\"10s\"`, `\"500ms\"` or `\"1m30s\"`";
    let text = key.text().map_err(|_| key.wrong(EXAMPLE))?;
    let wrong = || error(&text, EXAMPLE);
    let written = text.value();
    let mut rest = written.trim();
    let mut total = 0_u64;
    while !rest.is_empty() {
        let digits = rest.find(|char: char| !char.is_ascii_digit()).ok_or_else(wrong)?;
        let (number, behind) = rest.split_at(digits);
        let unit = behind.find(|char: char| !char.is_ascii_alphabetic()).unwrap_or(behind.len());
        let factor = match &behind[..unit] {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        let number: u64 = number.parse().map_err(|_| wrong())?;
        total = number.checked_mul(factor).and_then(|part| total.checked_add(part)).ok_or_else(wrong)?;
        rest = behind[unit..].trim_start();
    }
    match total {
        0 if written.trim().is_empty() => Err(wrong()),
        0 => Err(error(&text, none)),
        _ => Ok(total),
    }
}

/// Reads an attribute's keys, shared ones into `about` and the others with `own`.
pub(crate) fn read_keys(
    about: &mut About,
    keys: &[Key],
    errors: &mut Errors,
    mut own: impl FnMut(&Key) -> Result<()>,
) {
    for key in keys {
        let read = about.read(key).unwrap_or_else(|| own(key));
        errors.keep(read);
    }
}

/// A tool's name: "between 1 and 128 characters" of a small set (server/tools, Tool Names).
pub(crate) fn reject_bad_tool_name(name: &str, tokens: &TokenStream, errors: &mut Errors) {
    let legal = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    if let Some(char) = name.chars().find(|char| !legal(*char)) {
        let better: String = name.chars().map(|char| if legal(char) { char } else { '_' }).collect();
        let message = if char.is_ascii() {
            format!("{char:?} cannot be in a tool's name: write `name = \"{better}\"`")
        } else {
            format!(
                "'{char}' cannot be in a tool's name, which has letters from a to z, digits, `_`, `-` and `.`: write \
                 `#[tool(name = \"..\")]`"
            )
        };
        errors.note(tokens, message);
    } else if name.len() > 128 {
        errors.note(tokens, "a tool's name has at most 128 characters: write a shorter `name = \"..\"`");
    }
}

#[cfg(test)]
mod tests {
    use super::{NO_TIMEOUT, is_icon_size, time, wrong_meta_key};
    use crate::keys::Key;

    fn milliseconds(text: &str) -> Option<u64> {
        let key = Key::from(syn::parse_str::<syn::Meta>(&format!("timeout = {text:?}")).unwrap());
        time(&key, NO_TIMEOUT).ok()
    }

    #[test]
    fn times() {
        assert_eq!(milliseconds("10s"), Some(10_000));
        assert_eq!(milliseconds("1m30s"), Some(90_000));
        assert_eq!(milliseconds("1h 500ms"), Some(3_600_500));
        for wrong in ["", "10", "s", "0s", "1d", "1.5s", "-1s", "99999999999999999999s"] {
            assert_eq!(milliseconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn meta_keys_of_the_specification() {
        for right in ["com.example/key", "com.example.mcp/x", "key", "a_b.c", "com.example/"] {
            assert_eq!(wrong_meta_key(right), None, "{right}");
        }
        for wrong in [
            "io.modelcontextprotocol/x",
            "dev.mcp/x",
            "org.modelcontextprotocol.api/x",
            "com.mcp.tools/",
            "1a.b/x",
            "a-.b/x",
            "/x",
            "-x",
            "",
            "a b",
            "progressToken",
        ] {
            assert!(wrong_meta_key(wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn icon_sizes() {
        assert!(is_icon_size("48x48") && is_icon_size("any"));
        assert!(!is_icon_size("48") && !is_icon_size("x") && !is_icon_size("big"));
    }
}
