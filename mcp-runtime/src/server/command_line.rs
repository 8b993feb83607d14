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

    /// Does what the command line says: serves stdio or HTTP, lists, or calls a tool. For an `async fn main`, in
    /// which a state can be awaited:
    ///
    /// ```no_run
    /// # struct Db;
    /// # async fn connect() -> mcp_runtime::Result<Db> { Ok(Db) }
    /// #[tokio::main]
    /// async fn main() -> mcp_runtime::Result<()> {
    ///     mcp_runtime::server!().state(connect().await?).run().await
    /// }
    /// ```
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

    /// The body of a `fn main` that is not `async`: [`run`](Server::run) on a runtime of its own. In an
    /// `async fn main`, write `run().await`.
    ///
    /// ```no_run
    /// fn main() -> std::process::ExitCode {
    ///     mcp_runtime::server!().instructions("Adds numbers.").main()
    /// }
    /// ```
    pub fn main(self) -> ExitCode {
        if tokio::runtime::Handle::try_current().is_ok() {
            eprintln!(
                "error: `Server::main` starts a runtime of its own, and is called inside of one: write \
                 `.run().await` in its place, or take `#[tokio::main]` and `async` away from `fn main`"
            );
            return ExitCode::FAILURE;
        }
        // Before the runtime starts its threads, since `--help` needs none.
        let server = if self.command.is_some() { self } else { self.cli::<Nothing>().0 };
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        let code = cli::reported(runtime.block_on(server.run_to_exit_code()));
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

#[cfg(test)]
mod tests {
    use std::process::ExitCode;

    use crate::Server;

    /// No panic of tokio's: what to write in its place.
    #[tokio::test]
    async fn main_inside_of_a_runtime_fails() {
        assert_eq!(Server::new().main(), ExitCode::FAILURE);
    }
}
