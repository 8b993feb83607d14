//! Which templates have one reading, and which characters match in any case.

use super::Step;
use crate::template::{Template, unit::Class};

fn fault(source: &str) -> (usize, String) {
    let error = Template::parse(source).unwrap_err();
    (error.offset, error.message)
}

/// The literals of a template, with those characters in capitals whose case does not matter.
fn any_case(source: &str) -> String {
    let template = Template::parse(source).unwrap();
    let mut shown = String::new();
    for step in &template.steps {
        let Step::Literal(units) = step else {
            shown.push('_');
            continue;
        };
        for literal in units {
            let char = char::from(literal.unit.byte);
            shown.push(if literal.any_case { char.to_ascii_uppercase() } else { char });
        }
    }
    shown
}

#[test]
fn steps_of_lists() {
    let template = Template::parse("a:{x,y}{/z,p*}").unwrap();
    let shapes: Vec<_> = template
        .steps
        .iter()
        .map(|step| match step {
            Step::Literal(units) => units.iter().map(|l| char::from(l.unit.byte)).collect(),
            Step::Capture { variable, class } => {
                assert_eq!(*class, Class::Simple);
                format!("capture {variable}")
            }
            Step::Segments { variable } => format!("segments {variable}"),
            other => panic!("unexpected {other:?}"),
        })
        .collect();
    assert_eq!(shapes, ["a:", "capture 0", ",", "capture 1", "/", "capture 2", "segments 3"]);
}

#[test]
fn ambiguous_neighbours_are_refused() {
    let ambiguous =
        "where the value before this one ends is ambiguous; put a literal between the two, such as `/`";
    assert_eq!(fault("a://{x}{y}"), (7, ambiguous.into()));
    assert_eq!(fault("a://{x}{+y}"), (7, ambiguous.into()));
    assert_eq!(fault("a://{+x}{y}"), (8, ambiguous.into()));
    assert_eq!(fault("a://b{/x*}{y}"), (10, ambiguous.into()));
    assert_eq!(
        fault("a://b{/x*}{/y*}"),
        (12, "where the value before `y` ends is ambiguous, as both span slashes; put a literal between the two".into())
    );
    assert_eq!(
        fault("a://{+x,y}"),
        (
            8,
            "the value before `y` may contain the comma between them; give each an expression of its own"
                .into()
        )
    );
    assert_eq!(
        fault("a://b{;x}c"),
        (9, "this could belong to the value before it; put `/`, `?` or `#` behind `{;..}`".into())
    );
    assert_eq!(
        fault("a://b{;x}{.y}"),
        (9, "this could belong to the value before it; put `/`, `?` or `#` behind `{;..}`".into())
    );
}

#[test]
fn neighbours_with_a_lead_are_fine() {
    for source in [
        "a://{x}{/y}",
        "a://{+x}{/y}",
        "a://{x}{.y}",
        "a://{x}{?y}",
        "a://{+x}{?y}",
        "a://{+x}{#y}",
        "a://{x}{;y}{/z}{?q}{#f}",
        "a://{x}{?y}{&z}{#f}",
        "a://x?k=1{&y}",
        "a://x?k={y}",
        "a://x{?y}#frag",
        "{+uri}",
    ] {
        assert_eq!(Template::parse(source).unwrap().as_str(), source);
    }
}

#[test]
fn queries_and_fragments_have_their_place() {
    assert_eq!(
        fault("a://x{?y}/z"),
        (9, "only a fragment can follow the query; put fixed parameters first: `?fixed=1{&x}`".into())
    );
    assert_eq!(fault("a://x{?y}{z}"), (9, "only `{&..}` and `{#..}` can follow the query".into()));
    assert_eq!(fault("a://x{?y}{?z}"), (9, "the query has begun already; write `{&..}`".into()));
    assert_eq!(fault("a://x?k=1{?z}"), (9, "the query has begun already; write `{&..}`".into()));
    assert_eq!(fault("a://x{&z}"), (5, "there is no query to continue; write `{?..}`".into()));
    assert_eq!(fault("a://x#y{?z}"), (7, "the query comes before the fragment".into()));
    assert_eq!(fault("a://x{#y}z"), (9, "nothing can follow the fragment".into()));
    assert_eq!(fault("a://x{#y}{z}"), (9, "nothing can follow the fragment".into()));
}

#[test]
fn scheme_and_host_match_in_any_case() {
    assert_eq!(any_case("http://host/path"), "HTTP://HOST/path");
    assert_eq!(any_case("http://{t}.host:80/path/{x}"), "HTTP://_.HOST:80/path/_");
    assert_eq!(any_case("http://me@host/me"), "HTTP://me@HOST/me");
    assert_eq!(any_case("http://{u}x@host"), "HTTP://_x@HOST");
    assert_eq!(any_case("db://{+path}/x"), "DB://_/x");
    assert_eq!(any_case("db://host{/x}/y"), "DB://HOST/_/y");
    assert_eq!(any_case("urn:isbn:{x}"), "URN:isbn:_");
    assert_eq!(any_case("/a:b"), "/a:b");
}
