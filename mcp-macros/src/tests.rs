//! What the attributes expand to.

use proc_macro2::TokenStream;

use crate::keys::{ARG, PROMPT, RESOURCE, TOOL};
use crate::prompt::prompt;
use crate::resource::resource;
use crate::tool::tool;

type Attribute = fn(TokenStream, TokenStream) -> TokenStream;

fn expand(attribute: Attribute, keys: &str, function: &str) -> String {
    let expansion = attribute(keys.parse().unwrap(), function.parse().unwrap());
    prettyplease::unparse(&syn::parse2(expansion).unwrap())
}

const ADD: &str = "
    /// Add two numbers.
    fn add(
        /// First addend.
        a: i64,
        /// Second addend.
        b: i64,
    ) -> i64 {
        a + b
    }
";

#[test]
fn the_quickstart_expands_to_under_60_lines() {
    let expansion = expand(tool, "", ADD);
    assert!(expansion.lines().count() < 60, "{} lines:\n{expansion}", expansion.lines().count());
}

#[test]
fn the_function_is_what_the_user_wrote() {
    let expansion = expand(
        tool,
        "",
        "#[inline] pub(crate) const fn f(mut a: u8, #[allow(x)] #[arg(name = \"c\")] b: u8) {}",
    );
    let function = "#[inline]\npub(crate) const fn f(mut a: u8, #[allow(x)] b: u8) {}\n";
    assert!(expansion.starts_with(function), "{expansion}");
}

#[test]
fn a_mistake_still_leaves_the_function() {
    let expansion = expand(tool, "titel = \"x\"", ADD);
    assert!(expansion.starts_with("/// Add two numbers.\nfn add(a: i64, b: i64) -> i64 {"), "{expansion}");
    assert_eq!(expansion.matches("compile_error!").count(), 1);
}

#[test]
fn every_independent_mistake_is_told() {
    let function = "fn f<T>((a, b): (u8, u8), c: &String, #[arg(colour)] d: impl Copy) -> impl Copy {}";
    let expansion = expand(tool, "titel, timeout = 1, name = \"a b\"", function);
    assert_eq!(expansion.matches("compile_error!").count(), 9, "{expansion}");
}

#[test]
fn what_is_not_a_function_is_left_alone() {
    let expansion = expand(prompt, "", "#[derive(Debug)] struct Ask { fun: u8 }");
    assert!(expansion.contains("#[derive(Debug)]\nstruct Ask {\n    fun: u8,\n}"), "{expansion}");
}

#[test]
fn cfg_holds_for_the_registration_too() {
    let expansion = expand(tool, "", "#[cfg(unix)] #[deprecated] fn f() {}");
    assert!(expansion.contains("#[cfg(unix)]\n#[allow(deprecated)]\nconst _: () = {"), "{expansion}");
}

#[test]
fn meta_and_examples_are_json() {
    let keys = r#"meta("com.example/a" = "x\"\n", "b" = -1.5, "c" = [true, 1_000u32, 'c'])"#;
    let function = "fn f(#[arg(examples(\"a\", -1, 2.))] a: String) {}";
    let expansion = expand(tool, keys, function);
    let meta = r#"{\"com.example/a\":\"x\\\"\\n\",\"b\":-1.5,\"c\":[true,1000,\"c\"]}"#;
    assert!(expansion.contains(meta), "{expansion}");
    assert!(expansion.contains(r#"[\"a\",-1,2.0]"#), "{expansion}");
}

#[test]
fn the_parameters_of_a_template_are_told_apart() {
    let function = "fn f(id: Id, #[arg(name = \"b\")] c: u8, db: State<Db>) -> String {}";
    let expansion = expand(resource, "\"a://{id}/{b}\"", function);
    let expansion: String = expansion.split_whitespace().collect();
    for ty in [
        "<Idas::mcp_runtime::TextArgument<'_,_,>>::extract",
        "<u8as::mcp_runtime::TextArgument<'_,_,>>::extract",
        "<State<Db,>as::mcp_runtime::InjectedParameter<'_>>::extract",
    ] {
        assert!(expansion.contains(ty), "{ty}\n{expansion}");
    }
}

/// "A table of everything an attribute can say."
#[test]
fn the_readme_has_every_key() {
    let readme = include_str!("../../README.md");
    let (_, tables) = readme.split_once("## Everything an attribute can say").unwrap();
    let (functions, parameters) = tables.split_once("On a parameter:").unwrap();
    let row = |table: &str, key: &str| {
        let has = |line: &&str| {
            let cell = line.split('|').nth(1).unwrap_or_default();
            cell.split('`').skip(1).step_by(2).any(|code| code.split([' ', '(']).next() == Some(key))
        };
        let line = table.lines().find(has).unwrap_or_else(|| panic!("no row has `{key}`"));
        line.split('|').map(str::trim).map(str::to_owned).collect::<Vec<_>>()
    };
    for key in [TOOL, RESOURCE, PROMPT].into_iter().flat_map(|table| table.keys) {
        let ticks = [TOOL, RESOURCE, PROMPT].map(|table| if table.keys.contains(key) { "✓" } else { "" });
        assert_eq!(row(functions, key)[2..5], ticks, "{key}");
    }
    for key in ARG.keys {
        row(parameters, key);
    }
}
