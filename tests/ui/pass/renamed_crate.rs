//! The runtime under another name, said by `crate = ..`; names of the language hidden by the user's own.

#[allow(unused_extern_crates)]
extern crate mcp_runtime as server;

mod reexport {
    pub use mcp_runtime as runtime;
}

mod hidden {
    #[allow(dead_code)]
    enum Hidden {
        Some,
        None,
    }
    #[allow(unused_imports)]
    use Hidden::*;

    type Text = String;
    type Value = u8;
    type Param = u8;
    type Result = u8;

    mod core {}
    mod std {}
    mod mcp_runtime {}

    #[server::tool(crate = server)]
    fn add(a: i64, #[arg(default = 1)] value: Value, text: Text, result: Result) -> Param {
        let _ = (a, text, result);
        value
    }

    #[crate::reexport::runtime::prompt(crate = crate::reexport::runtime)]
    async fn ask(#[arg(default = "a")] text: Text, value: Value) -> Text {
        format!("{text}{value}")
    }
}

fn main() {
    fn nested() {
        #[server::resource("app://nested/{id}{?page}", crate = crate::reexport::runtime)]
        fn row(id: u64, page: Option<u8>) -> String {
            format!("{id}{page:?}")
        }
    }
    nested();
}
