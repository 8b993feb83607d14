//! Expansion: RFC 6570, section 3.2.

use std::fmt::Write as _;

use super::Variable;
use super::parse::{Operator, Part};
use super::unit::{Unit, is_reserved, is_unreserved};

/// How an operator expands: section 3.2.1 and appendix A.
struct Style {
    /// What comes before the first value.
    first: &'static str,
    /// What comes between two.
    separator: &'static str,
    /// Whether a value follows its name.
    named: bool,
    /// Whether an empty value keeps the `=` behind its name.
    equals_if_empty: bool,
    /// Whether reserved characters stay as they are.
    reserved: bool,
}

impl Style {
    const fn of(operator: Operator) -> Self {
        match operator {
            Operator::Simple => Self::unnamed("", ",", false),
            Operator::Reserved => Self::unnamed("", ",", true),
            Operator::Fragment => Self::unnamed("#", ",", true),
            Operator::Label => Self::unnamed(".", ".", false),
            Operator::Path => Self::unnamed("/", "/", false),
            Operator::Parameters => Self::named(";", ";", false),
            Operator::Query => Self::named("?", "&", true),
            Operator::Continuation => Self::named("&", "&", true),
        }
    }

    const fn unnamed(first: &'static str, separator: &'static str, reserved: bool) -> Self {
        Self { first, separator, named: false, equals_if_empty: false, reserved }
    }

    const fn named(first: &'static str, separator: &'static str, equals_if_empty: bool) -> Self {
        Self { first, separator, named: true, equals_if_empty, reserved: false }
    }
}

/// Expands the parts with the variables' values.
pub(super) fn expand(parts: &[Part], variables: &[Variable], values: &[Option<&str>]) -> String {
    let mut uri = String::new();
    for part in parts {
        match part {
            Part::Literal { text, .. } => encode(text, true, &mut uri),
            Part::Expression { operator, variables: range, .. } => {
                let style = Style::of(*operator);
                let mut lead = style.first;
                if *operator == Operator::Continuation && !uri.contains('?') {
                    lead = "?";
                }
                for i in range.clone() {
                    let Some(value) = values.get(i).copied().flatten() else {
                        continue;
                    };
                    uri.push_str(lead);
                    lead = style.separator;
                    push_value(&style, &variables[i], value, &mut uri);
                }
            }
        }
    }
    uri
}

fn push_value(style: &Style, variable: &Variable, value: &str, uri: &mut String) {
    if style.named {
        uri.push_str(&variable.name);
        if value.is_empty() && !style.equals_if_empty {
            return;
        }
        uri.push('=');
    }
    if variable.segments {
        for (i, segment) in value.split('/').enumerate() {
            if i > 0 {
                uri.push('/');
            }
            encode(segment, style.reserved, uri);
        }
    } else {
        encode(value, style.reserved, uri);
    }
}

/// Percent-encodes what has to be; `reserved` characters, and escapes among them, may stay.
fn encode(text: &str, reserved: bool, uri: &mut String) {
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().copied().enumerate() {
        let is_escape = byte == b'%' && Unit::read(bytes, at).is_some();
        if is_unreserved(byte) || reserved && (is_reserved(byte) || is_escape) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::template::Template;

    fn expand(template: &str, values: &[Option<&str>]) -> String {
        Template::parse(template).unwrap().expand(values)
    }

    /// The examples of RFC 6570, sections 3.2.2 to 3.2.9, with the values of section 3.2.
    #[test]
    fn examples_of_rfc_6570() {
        for (template, values, uri) in [
            ("{var}", ["value", ""], "value"),
            ("{hello}", ["Hello World!", ""], "Hello%20World%21"),
            ("{half}", ["50%", ""], "50%25"),
            ("O{empty}X", ["", ""], "OX"),
            ("{x,y}", ["1024", "768"], "1024,768"),
            ("{+var}", ["value", ""], "value"),
            ("{+hello}", ["Hello World!", ""], "Hello%20World!"),
            ("{+half}", ["50%", ""], "50%25"),
            ("{base}index", ["http://example.com/home/", ""], "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
            ("{+base}index", ["http://example.com/home/", ""], "http://example.com/home/index"),
            ("{+path}/here", ["/foo/bar", ""], "/foo/bar/here"),
            ("here?ref={+path}", ["/foo/bar", ""], "here?ref=/foo/bar"),
            ("X{#var}", ["value", ""], "X#value"),
            ("X{#hello}", ["Hello World!", ""], "X#Hello%20World!"),
            ("foo{#empty}", ["", ""], "foo#"),
            ("X{.var}", ["value", ""], "X.value"),
            ("X{.x,y}", ["1024", "768"], "X.1024.768"),
            ("{/var}", ["value", ""], "/value"),
            ("{/var,x}/here", ["value", "1024"], "/value/1024/here"),
            ("{;x,y}", ["1024", "768"], ";x=1024;y=768"),
            ("{;x,empty}", ["1024", ""], ";x=1024;empty"),
            ("{?x,y}", ["1024", "768"], "?x=1024&y=768"),
            ("{?x,empty}", ["1024", ""], "?x=1024&empty="),
            ("?fixed=yes{&x}", ["1024", ""], "?fixed=yes&x=1024"),
        ] {
            assert_eq!(expand(template, &values.map(Some)), uri, "{template}");
        }
    }

    #[test]
    fn undefined_variables_are_left_out() {
        assert_eq!(expand("a:b{?x,y}", &[None, Some("2")]), "a:b?y=2");
        assert_eq!(expand("a:b{?x,y}", &[]), "a:b");
        assert_eq!(expand("X{#undef}", &[None]), "X");
        assert_eq!(expand("{/x,y}", &[None, Some("1")]), "/1");
        assert_eq!(expand("a:b{?x}{&y}", &[None, Some("2")]), "a:b?y=2");
    }

    #[test]
    fn segments_keep_their_slashes() {
        assert_eq!(expand("a:b{/p*}", &[Some("c/d e")]), "a:b/c/d%20e");
        assert_eq!(expand("a:b{/p}", &[Some("c/d e")]), "a:b/c%2Fd%20e");
    }

    #[test]
    fn escapes_in_literals_and_reserved_values_stay() {
        assert_eq!(expand("a:%2f/é{+x}", &[Some("%2f%")]), "a:%2f/%C3%A9%2f%25");
    }
}
