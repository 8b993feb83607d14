//! Every feature once, and the fixtures that the official conformance suite calls (`test_*`, `test://*`).
//!
//! ```sh
//! cargo run -p mcp-examples --bin everything -- list
//! cargo run -p mcp-examples --bin everything -- --http 127.0.0.1:8080
//! ```

mod arguments;
mod asking;
mod changing;
mod completions;
mod failures;
mod fixtures;
mod legacy;
mod prompts;
mod resources;
mod results;
mod running;
#[cfg(test)]
mod tests;

use std::process::ExitCode;
use std::time::Duration;

use mcp_runtime::{Cache, Icon, Server};

/// The smallest image: one pixel.
const PIXEL: &[u8] = include_bytes!("pixel.png");
/// The shortest sound: one silent sample.
const SILENCE: &[u8] = include_bytes!("silence.wav");

fn server() -> Server {
    mcp_runtime::server!()
        .title("Everything")
        .description("Every feature of mcp-runtime, once.")
        .website("https://example.com/everything")
        .icon(Icon {
            mime_type: Some("image/png"),
            sizes: &["48x48"],
            ..Icon::new("https://example.com/icon.png")
        })
        .instructions("A catalogue of examples. Call what you are curious about; nothing here does harm.")
        .cache(Cache::public(Duration::from_secs(300)))
        .cache_reads(Cache::private(Duration::from_secs(5)))
        .state(running::Visits::default())
        .state(changing::Watched::default())
        .state(running::GivenUp::default())
}

fn main() -> ExitCode {
    server().main()
}
