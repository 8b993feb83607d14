use mcp_runtime::prelude::*;

struct Files;

impl Files {
    #[resource("app://files")]
    fn list(self: Box<Self>) -> String {
        String::new()
    }
}

fn main() {}
