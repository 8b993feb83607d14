//! Doc comments become descriptions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// What the doc comments among `attributes` say, as an expression of type `&'static str`.
pub(crate) fn description(attributes: &[Attribute]) -> Option<TokenStream> {
    let parts: Vec<&Expr> = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) => Some(&pair.value),
            _ => None,
        })
        .collect();
    let literals: Option<Vec<String>> = parts.iter().map(|part| literal(part)).collect();
    if let Some(lines) = literals {
        let text = lines.join("\n").trim().to_owned();
        return (!text.is_empty()).then(|| quote!(#text));
    }
    // `#[doc = include_str!("..")]`: the compiler puts the parts together.
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(quote!("\n"));
        }
        pieces.push(literal(part).map_or_else(|| quote!(#part), |text| quote!(#text)));
    }
    Some(quote!(::core::concat!(#(#pieces),*)))
}

fn literal(part: &Expr) -> Option<String> {
    match part {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(line_or_block(&text.value())),
        _ => None,
    }
}

/// Removes the comment's own space in front of each line; `/** .. */` comes as one text of several lines.
fn line_or_block(text: &str) -> String {
    let Some((head, block)) = text.split_once('\n') else {
        return text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned();
    };
    let mut lines: Vec<&str> = block.lines().map(str::trim_end).collect();
    let filled = || lines.iter().filter(|line| !line.trim().is_empty());
    if filled().all(|line| line.trim_start().starts_with('*')) {
        lines = lines.iter().map(|line| line.trim_start().strip_prefix('*').unwrap_or(line)).collect();
    }
    let indent = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(indent).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(common..).unwrap_or_default());
    std::iter::once(head.trim()).chain(lines).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::description;

    fn of(function: &str) -> Option<String> {
        let function: syn::ItemFn = syn::parse_str(function).unwrap();
        description(&function.attrs).map(|text| text.to_string())
    }

    #[test]
    fn lines_and_paragraphs_are_kept() {
        let text = "/// Add.\n///\n/// # Errors\n///   - indented\nfn f() {}";
        assert_eq!(of(text).unwrap(), r#""Add.\n\n# Errors\n  - indented""#);
        assert_eq!(of("fn f() {}"), None);
        assert_eq!(of("///\n#[doc(hidden)]\nfn f() {}"), None);
    }

    #[test]
    fn other_attributes_between_do_not_lose_lines() {
        assert_eq!(of("/// One.\n#[inline]\n/// Two.\nfn f() {}").unwrap(), r#""One.\nTwo.""#);
    }

    #[test]
    fn blocks_lose_their_stars_and_indentation() {
        assert_eq!(of("/** Add.\n *\n *  two */\nfn f() {}").unwrap(), r#""Add.\n\ntwo""#);
        assert_eq!(of("/**\n    Add.\n\n      two\n*/\nfn f() {}").unwrap(), r#""Add.\n\n  two""#);
    }

    #[test]
    fn a_text_from_elsewhere_is_left_to_the_compiler() {
        let text = of("/// One.\n#[doc = include_str!(\"a.md\")]\nfn f() {}").unwrap();
        assert_eq!(text, r#":: core :: concat ! ("One." , "\n" , include_str ! ("a.md"))"#);
    }
}
