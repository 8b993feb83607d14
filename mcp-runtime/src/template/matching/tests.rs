//! What matches, with which values.

use std::borrow::Cow;

use crate::template::Template;

/// The values of a match, `-` for an absent one, with `|` between them.
fn values(template: &str, uri: &str) -> Option<String> {
    let values = Template::parse(template).unwrap().match_uri(uri)?;
    let shown: Vec<_> = values.iter().map(|value| value.as_deref().unwrap_or("-")).collect();
    Some(shown.join("|"))
}

/// Asserts the values of each match, or that there is none.
macro_rules! check {
    ($template:literal: $($uri:expr => $values:expr),* $(,)?) => {$(
        assert_eq!(values($template, $uri).as_deref(), $values, "{} on {}", $template, $uri);
    )*};
}

#[test]
fn a_fixed_uri_matches_itself() {
    check!("db://schema": "db://schema" => Some(""), "db://schema/" => None, "db://schem" => None);
    check!("db://x?k=1": "db://x?k=1" => Some(""), "db://x" => None, "db://x?k=1&l=2" => None);
}

#[test]
fn simple_values_stay_in_their_segment() {
    check!("db://{table}/rows/{id}":
        "db://users/rows/7" => Some("users|7"),
        "db://a.b-c_d~e/rows/%41%2F%c3%a9" => Some("a.b-c_d~e|A/é"),
        "db://users/rows/" => None,
        "db:///rows/7" => None,
        "db://users/rows/7/8" => None,
        "db://users/rows/7?x" => None,
        "db://users/rows/7#x" => None,
        "db://us:ers/rows/7" => Some("us:ers|7"),
        "db://users/rows/7 8" => None,
        "db://users/rows/caf\u{e9}" => Some("users|café"),
        "db://users/rows/a+b" => Some("users|a+b"),
        "db://users/rows/mona@example.com" => Some("users|mona@example.com"),
        "db://users/rows/a,b" => None,
    );
    check!("a:{x,y}": "a:1,2" => Some("1|2"), "a:1" => None, "a:1,2,3" => None);
    check!("a:b{.x,y}": "a:b.1.2" => Some("1|2"), "a:b.1" => None);
}

#[test]
fn reserved_values_span_segments() {
    check!("file:///{+path}":
        "file:///a/b?c#d" => Some("a/b?c#d"),
        "file:///%2e%2e/%20" => Some("../ "),
        "file:///" => None,
    );
    check!("f:{+path}/raw": "f:a/raw/raw" => Some("a/raw"), "f:raw" => None, "f:/raw" => None);
    check!("f:{+path}{/name}": "f:a/b/c" => Some("a/b|c"), "f:a" => None);
    check!("f:{+path}{?rev}": "f:a/b" => Some("a/b|-"), "f:a/b?rev=1" => Some("a/b|1"));
}

#[test]
fn the_shortest_value_that_lets_the_rest_match() {
    check!("a:{x}-{y}": "a:1-2-3" => Some("1|2-3"), "a:-1-2" => Some("-1|2"), "a:1-" => None);
    check!("a:{+x}/x{y}/c": "a:p/xq/r/xs/c" => Some("p/xq/r|s"));
}

#[test]
fn segments() {
    check!("a:{/x,y}": "a:/1/2" => Some("1|2"), "a:/1" => None, "a:/1//2" => None);
    check!("a:b{/path*}":
        "a:b/c" => Some("c"),
        "a:b/c/d%20e/f" => Some("c/d e/f"),
        "a:b" => None,
        "a:b/" => None,
        "a:b/c/" => None,
        "a:b//c" => None,
        "a:b/c%2Fd" => None,
        "a:b/c?d" => None,
    );
    check!("a:b{/dir*}/{file}{?rev}":
        "a:b/c/d/e" => Some("c/d|e|-"),
        "a:b/c/d?rev=2" => Some("c|d|2"),
        "a:b/c" => None,
    );
    check!("a:b{/dir*}.txt": "a:b/c.txt/d.txt" => Some("c.txt/d"), "a:b/.txt" => None);
}

#[test]
fn path_parameters() {
    check!("a:m{;x,y}/t":
        "a:m/t" => Some("-|-"),
        "a:m;x=1/t" => Some("1|-"),
        "a:m;y=2;x=1/t" => Some("1|2"),
        "a:m;x;y=/t" => Some("|"),
        "a:m;z=1/t" => None,
        "a:m;x=1;x=2/t" => None,
        "a:m;x=%ff/t" => None,
    );
}

#[test]
fn queries_in_any_order() {
    check!("a:b{?x,y}":
        "a:b" => Some("-|-"),
        "a:b?" => Some("-|-"),
        "a:b?x=1" => Some("1|-"),
        "a:b?y=2&x=1" => Some("1|2"),
        "a:b?x=1,2;3/4?5+6&z=9" => Some("1,2;3/4?5+6|-"),
        "a:b?x&y=" => Some("|"),
        "a:b?%78=a%26b" => Some("a&b|-"),
        "a:b?utm=z" => Some("-|-"),
        "a:b?x=1&x=2" => None,
        "a:b?x=%zz" => None,
        "a:b?z=%ff" => None,
        "a:b&x=1" => None,
        "a:b?x=1#f" => None,
    );
    check!("a:b{?x}{&y}": "a:b?y=2&x=1" => Some("1|2"), "a:b?y=2" => Some("-|2"));
    check!("a:b?k=1{&x}": "a:b?k=1" => Some("-"), "a:b?k=1&x=2" => Some("2"), "a:b?x=2&k=1" => None);
    check!("a:b?k={x}": "a:b?k=1" => Some("1"), "a:b?k=" => None);
}

#[test]
fn fragments() {
    check!("a:b{?x}{#f}":
        "a:b" => Some("-|-"),
        "a:b#" => Some("-|"),
        "a:b?x=1#c/d" => Some("1|c/d"),
        "a:b#c?x=1" => Some("-|c?x=1"),
        "a:b#c d" => None,
    );
    check!("a:b{?x}#c": "a:b?x=1#c" => Some("1"), "a:b#c" => Some("-"), "a:b?x=1" => None);
}

#[test]
fn literals_are_compared_as_rfc_3986_does() {
    check!("HTTP://Example.com/Path/{x}":
        "http://EXAMPLE.COM/Path/1" => Some("1"),
        "http://example.com/path/1" => None,
    );
    check!("a:b%2fc/~é":
        "a:b%2Fc/%7E%C3%A9" => Some(""),
        "A:b%2fc/~é" => Some(""),
        "a:b/c/~é" => None,
    );
}

#[test]
fn what_is_not_utf8_does_not_match() {
    check!("a:{x}": "a:%ff" => None, "a:%C3" => None, "a:%" => None, "a:%4" => None, "a:%00" => Some("\0"));
    // The literal and the value would meet inside one character.
    check!("a:{x}%A9": "a:é" => None, "a:b%A9" => Some("b"));
}

#[test]
fn values_without_escapes_are_borrowed() {
    let template = Template::parse("a:{x}{?y}").unwrap();
    let values = template.match_uri("a:plain?y=%41").unwrap();
    assert!(matches!(values[0], Some(Cow::Borrowed("plain"))));
    assert!(matches!(&values[1], Some(Cow::Owned(value)) if value == "A"));
}

/// Each of these has exponentially or cubically many readings to try for a matcher that backtracks.
#[test]
fn long_uris_take_linear_time() {
    for (template, unit) in [
        ("x:{a}-{b}-{c}-{d}-{e}-{f}!", "a-"),
        ("x:{+a}-a{+b}-a{+c}-a{+d}@!", "a-"),
        ("x:{/p*}{/q}{/r}/z", "/a"),
        ("x:{+p}{;a,b}/z", ";a=1;b"),
        ("x:{+p}{?a}#b", "?#"),
        ("x:{+p}{#b}", "#?%"),
    ] {
        let uri = format!("x:{}", unit.repeat(100 * 1024 / unit.len()));
        assert!(values(template, &uri).is_none(), "{template}");
    }
    let value = "%20".repeat(34 * 1024);
    assert_eq!(values("x:{a}/{b}", &format!("x:{value}/y")), Some(format!("{}|y", " ".repeat(34 * 1024))));
}
