//! The README shows the quickstart as it is.

#[test]
fn the_readme_shows_the_quickstart_word_for_word() {
    let readme = include_str!("../../README.md");
    let (_, behind) = readme.split_once("```rust").unwrap();
    let (_, block) = behind.split_once('\n').unwrap();
    let (shown, _) = block.split_once("```").unwrap();
    let source = include_str!("../src/bin/quickstart.rs");
    let code: String = source.split_inclusive('\n').filter(|line| !line.starts_with("//!")).collect();
    assert_eq!(shown, code.trim_start());
}
