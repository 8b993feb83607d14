//! What holds for every template and every value.

use proptest::prelude::*;

use super::Template;

/// Templates whose expansion has one reading, with values that do not look like what is around them.
const ROUND_TRIPS: [&str; 8] = [
    "db://{x}/rows/{y}",
    "db://host{/x,y}",
    "db://{x}{?y}",
    "db://{x}{#y}",
    "db://h{;x}/z{?y}",
    "db://h{?x}{&y}",
    "db://h?k=1{&x}{#y}",
    "db://{x,y}",
];

/// Pieces to put templates together from; most combinations parse.
const PIECES: [&str; 16] = [
    "/", "a", "-", ".", "b/", "?k=", "{0}", "{+0}", "{/0}", "{/0*}", "{.0}", "{;0}", "{?0}", "{&0}", "{#0}",
    "{0,q0}",
];

/// A template put together from pieces, each with a variable name of its own.
fn template() -> impl Strategy<Value = Template> {
    let pieces = proptest::collection::vec(proptest::sample::select(&PIECES[..]), 1..6);
    pieces.prop_filter_map("ambiguous", |pieces| {
        let body: String =
            pieces.iter().enumerate().map(|(i, piece)| piece.replace('0', &format!("v{i}"))).collect();
        Template::parse(&format!("x:{body}")).ok()
    })
}

/// Short values of characters that mean something somewhere.
fn value() -> impl Strategy<Value = String> {
    "[ab/.;=&?#%é-]{1,4}"
}

proptest! {
    #[test]
    fn expansion_matches_back(
        template in proptest::sample::select(&ROUND_TRIPS[..]),
        x in "\\PC{1,8}",
        y in "[^%]{1,8}",
    ) {
        let parsed = Template::parse(template).unwrap();
        // `{#y}` keeps escapes as they are, so that a value with one comes back decoded; `y` has none.
        let uri = parsed.expand(&[Some(&x), Some(&y)]);
        let values = parsed.match_uri(&uri);
        let expected = vec![Some(x.into()), Some(y.into())];
        prop_assert_eq!(values, Some(expected), "{} expands to {}", template, uri);
    }

    #[test]
    fn segments_match_back(segments in proptest::collection::vec("[^/]{1,5}", 1..5)) {
        let template = Template::parse("file:///root{/path*}{?rev}").unwrap();
        let path = segments.join("/");
        let uri = template.expand(&[Some(&path), None]);
        prop_assert_eq!(template.match_uri(&uri), Some(vec![Some(path.into()), None]));
    }

    #[test]
    fn reserved_values_match_back(path in "[a-z/?#:@ é]{1,20}") {
        let template = Template::parse("file:///{+path}").unwrap();
        let uri = template.expand(&[Some(&path)]);
        prop_assert_eq!(template.match_uri(&uri), Some(vec![Some(path.into())]));
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,20}", pieces in "[{}+/?&;#.,*a:%]{0,12}") {
        if let Ok(template) = Template::parse(&pieces) {
            template.match_uri(&text);
            template.match_uri(&pieces);
        }
        Template::parse(&text).ok();
    }

    #[test]
    fn a_uri_of_two_templates_is_an_overlap(
        one in template(),
        other in template(),
        values in proptest::collection::vec(proptest::option::of(value()), 8),
    ) {
        let values: Vec<_> = values.iter().map(Option::as_deref).collect();
        let uri = one.expand(&values);
        if one.match_uri(&uri).is_some()
            && other.match_uri(&uri).is_some()
            && one.specificity() == other.specificity()
        {
            prop_assert!(one.overlaps(&other), "{} is in both {} and {}", uri, one.as_str(), other.as_str());
        }
    }
}
