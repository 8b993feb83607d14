//! The command line that every server has.

mod call;
mod command;
mod list;
mod welcome;

pub(crate) use command::Command;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::{ArgMatches, Args, FromArgMatches as _};
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;

use crate::protocol::Result;
use crate::{LogLayer, Server};

/// What to do in the place of serving stdio.
#[cfg(not(feature = "stdio"))]
const INSTEAD: &str = if cfg!(feature = "http") {
    "start it with `--http`"
} else {
    "build it with `stdio` or `http` to serve it"
};

/// Reads the command line, or says what is wrong with it and ends the process with the code 2.
pub(crate) fn parse<A: Args>(server: &Server) -> (Command, A) {
    let matches = command::parser::<A>(server).get_matches();
    let own = A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    (command_of(&matches), own)
}

fn command_of(matches: &ArgMatches) -> Command {
    Command::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// Does what the command line says.
pub(crate) async fn run(server: Server, command: Command) -> Result<ExitCode> {
    listen_to_logs();
    #[cfg(feature = "http")]
    if let Some(address) = command.http {
        let server = command.allow_host.into_iter().fold(server, Server::allow_host);
        let server = command.allow_origin.into_iter().fold(server, Server::allow_origin);
        server.serve_http(address).await?;
        return Ok(ExitCode::SUCCESS);
    }
    match command.action {
        Some(command::Action::List { json }) => Ok(reported(list::list(server, json).await)),
        Some(command::Action::Call { name, arguments }) => {
            Ok(reported(call::call(server, &name, &arguments).await))
        }
        None if std::io::stdin().is_terminal() => welcome::welcome(server).await,
        None => {
            #[cfg(feature = "stdio")]
            {
                server.serve_stdio().await?;
                Ok(ExitCode::SUCCESS)
            }
            #[cfg(not(feature = "stdio"))]
            Err(format!("this server is built without the feature `stdio`: {INSTEAD}").into())
        }
    }
}

/// Says what failed in words: the caller's `fn main() -> Result<()>` would show it as `Debug` does.
pub(crate) fn reported(result: Result<ExitCode>) -> ExitCode {
    result.unwrap_or_else(|error| {
        eprintln!("error: {}", crate::output::chain(&*error));
        ExitCode::FAILURE
    })
}

/// Log messages go to standard error, as `RUST_LOG` says (`info`, or `warn,my_server=debug`), and to the
/// clients that ask for them. A subscriber that the author has installed stays.
fn listen_to_logs() {
    let levels = std::env::var("RUST_LOG").ok();
    let targets: Targets = levels.as_deref().unwrap_or("warn").parse().unwrap_or_else(|error| {
        eprintln!("RUST_LOG: {error}; write it like `info` or `warn,my_server=debug`");
        Targets::new().with_default(tracing::Level::WARN)
    });
    let to_stderr = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(targets);
    let subscriber = tracing_subscriber::registry().with(to_stderr).with(LogLayer);
    let _ = tracing::subscriber::set_global_default(subscriber);
}
