//! What can be typed.

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::Server;

/// The standard command line.
#[derive(Clone, Debug, Parser)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Command {
    /// Serve Streamable HTTP at /mcp instead of standard input and output; ADDR is a host and a port, or a port of
    /// 127.0.0.1, which is 8080 by default.
    #[cfg(feature = "http")]
    #[arg(
        long,
        value_name = "ADDR",
        num_args = 0..=1,
        default_missing_value = "127.0.0.1:8080",
        value_parser = address
    )]
    pub(crate) http: Option<String>,

    /// Accept requests for this public host name, as a proxy passes it on; may be repeated.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "HOST", requires = "http")]
    pub(crate) allow_host: Vec<String>,

    /// Accept requests from web pages of this origin; may be repeated.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(crate) allow_origin: Vec<String>,

    #[command(subcommand)]
    pub(crate) action: Option<Action>,
}

/// What to do instead of serving.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Action {
    /// Print what the server offers.
    List {
        /// Print the lists as JSON, as a client gets them.
        #[arg(long)]
        json: bool,
    },
    /// Call a tool and print its result.
    Call {
        /// The tool's name.
        name: String,
        /// The arguments: one JSON object, or `key=value` for each.
        #[arg(value_name = "JSON | KEY=VALUE", allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
}

/// The standard command line, with the author's own arguments beside it.
pub(super) fn parser<A: Args>(server: &Server) -> clap::Command {
    let name = server.display_name();
    let parser = A::augment_args(Command::command())
        .name(name.clone())
        .bin_name(name)
        .version(server.version_text().to_owned())
        .subcommand_precedence_over_arg(true)
        .about(server.about_text());
    parser.after_help(
        "Without arguments and with standard input from a program, the server speaks MCP over stdio, which is \
         how a client starts it. RUST_LOG says what is logged to standard error: `info`, or `warn,my_server=debug`.",
    )
}

/// `127.0.0.1:8080`, `localhost:8080` or `8080`.
#[cfg(feature = "http")]
fn address(text: &str) -> Result<String, String> {
    if text.parse::<u16>().is_ok() {
        return Ok(format!("127.0.0.1:{text}"));
    }
    match text.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() && !host.is_empty() && !host.contains('/') => {
            Ok(text.to_owned())
        }
        _ => Err(
            "write a host and a port, as in `127.0.0.1:8080`, or `0.0.0.0:8080` for all of this machine's \
                  addresses"
                .to_owned(),
        ),
    }
}

#[cfg(all(test, feature = "http"))]
mod tests {
    use super::address;

    #[test]
    fn addresses_are_a_host_and_a_port_or_a_port() {
        for (text, means) in [
            ("8080", "127.0.0.1:8080"),
            ("0", "127.0.0.1:0"),
            ("localhost:80", "localhost:80"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(address(text).as_deref(), Ok(means));
        }
        for text in ["", "localhost", ":80", "99999", "127.0.0.1:99999", "http://127.0.0.1:80", "a:80/mcp"] {
            assert!(address(text).unwrap_err().contains("127.0.0.1:8080"), "{text}");
        }
    }
}
