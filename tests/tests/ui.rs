//! What the macros accept, and what they say about each mistake.
//!
//! One case: `cargo test -p mcp-tests --test ui -- ui trybuild=unknown_key` (trybuild's own filter). After a change of
//! wording: `TRYBUILD=overwrite`, and then read the difference.

#[rustversion::not(all(since(1.95), before(1.96)))]
use std::io::Write as _;

use trybuild::TestCases;

#[test]
fn ui() {
    let cases = TestCases::new();
    cases.pass("ui/pass/*.rs");
    reject(&cases);
}

/// The compiler's own words differ between versions, so they are compared on the pinned one.
#[rustversion::all(since(1.95), before(1.96))]
fn reject(cases: &TestCases) {
    for kind in ["tool", "resource", "prompt", "arg", "elicit"] {
        cases.compile_fail(format!("ui/{kind}/*.rs"));
    }
}

#[rustversion::not(all(since(1.95), before(1.96)))]
fn reject(_: &TestCases) {
    // Not `eprintln!`, which the harness keeps to itself where the test passes.
    let _ = writeln!(
        std::io::stderr(),
        "ui/{{tool,resource,prompt,arg,elicit}}: expected texts are those of Rust 1.95, so they are not compared here"
    );
}
