use mcp_runtime::prelude::*;

#[tool(titel = "Sum", timeout = "soon", name = "add numbers")]
fn add<T>(&self, (a, b): (i64, i64), #[arg(range('a'..))] c: &String) -> impl Sized {}

fn main() {}
