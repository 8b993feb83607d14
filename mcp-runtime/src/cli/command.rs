//! What can be typed.

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::Server;

/// The standard command line.
#[derive(Clone, Debug, Parser)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Command {
    /// Serve Streamable HTTP at /mcp instead of standard input and output.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "127.0.0.1:8080")]
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
         how a client starts it.",
    )
}
