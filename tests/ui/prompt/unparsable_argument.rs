use mcp_runtime::prelude::*;

struct Style;

#[prompt]
fn explain(style: Style) -> String {
    let _ = style;
    String::new()
}

fn main() {}
