//! README.md says what the examples do, word for word.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The quickstart is "compiled as a doctest and identical to the example" (issue 2, README).
#[test]
fn the_quickstart_is_the_example() {
    let readme = read("README.md");
    let section = readme.split("## Quickstart").nth(1).expect("a section `Quickstart`");
    let block = section.split("```rust,no_run\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let example = read("examples/src/bin/quickstart.rs");
    let code = example.lines().skip_while(|line| line.starts_with("//!") || line.is_empty());
    assert_eq!(block, Some(&*code.collect::<Vec<_>>().join("\n")));
}
