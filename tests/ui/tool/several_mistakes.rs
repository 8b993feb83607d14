use mcp_runtime::prelude::*;

#[tool(titel = "Sum", timeout = "soon", name = "add numbers")]
fn add<T>((a, b): (i64, i64), #[arg(range('a'..), defualt = 3)] c: &String) -> impl Sized {
    let _ = (a, b, c);
}

fn main() {}
