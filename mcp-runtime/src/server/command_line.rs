//! Running a server by its command line.

use std::process::ExitCode;

use clap::Args;

use super::Server;
use crate::cli;
use crate::protocol::Result;

/// No arguments of the author's own.
#[derive(Args)]
struct Nothing {}

impl Server {
    /// Reads the command line: the standard one, and beside it the author's own arguments.
    ///
    /// What the standard one says is done by [`run`](Server::run) or [`main`](Server::main) afterwards. On
    /// `--help`, `--version` or a mistake the process ends here, with the text that says so.
    ///
    /// ```no_run
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(clap::Args)]
    /// struct Options {
    ///     /// The folders to serve.
    ///     roots: Vec<std::path::PathBuf>,
    /// }
    ///
    /// fn main() -> std::process::ExitCode {
    ///     let (server, options) = mcp_runtime::server!().cli::<Options>();
    ///     server.state(options.roots).main()
    /// }
    /// ```
    pub fn cli<A: Args>(mut self) -> (Self, A) {
        let (command, own) = cli::parse::<A>(&self);
        self.command = Some(command);
        (self, own)
    }

    /// Does what the command line says: serves stdio or HTTP, lists, or calls a tool.
    ///
    /// # Errors
    ///
    /// What kept the server from starting, or from serving on.
    pub async fn run(self) -> Result<()> {
        match self.run_to_exit_code().await? {
            code if code == ExitCode::SUCCESS => Ok(()),
            // The command said what failed; there is nothing to add.
            _ => std::process::exit(1),
        }
    }

    /// The body of a `fn main` that is not `async`: [`run`](Server::run) on a runtime of its own.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     mcp_runtime::server!().instructions("Adds numbers.").main()
    /// }
    /// ```
    pub fn main(self) -> ExitCode {
        // Before the runtime starts its threads, since `--help` needs none.
        let server = if self.command.is_some() { self } else { self.cli::<Nothing>().0 };
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        let code = runtime.block_on(server.run_to_exit_code()).unwrap_or_else(|error| {
            eprintln!("error: {}", crate::output::chain(&*error));
            ExitCode::FAILURE
        });
        // A handler that blocks its thread for ever must not keep the process.
        runtime.shutdown_background();
        code
    }

    async fn run_to_exit_code(self) -> Result<ExitCode> {
        let mut server = if self.command.is_some() { self } else { self.cli::<Nothing>().0 };
        let command = server.command.take().expect("it was just set");
        cli::run(server, command).await
    }
}
