//! Started by hand: say what this is and what to type, instead of waiting for a client that is not there.

use std::process::ExitCode;

use super::list::{lists, table};
use crate::Server;
use crate::protocol::Result;

pub(super) async fn welcome(server: Server) -> Result<ExitCode> {
    let (name, version) = (server.display_name(), server.version_text().to_owned());
    let lists = lists(server).await?;
    let table = table(&lists);
    let example = lists[0].3.first().and_then(|tool| tool["name"].as_str()).unwrap_or("TOOL").to_owned();
    print!(
        "{name} {version} is an MCP server: a client starts it and talks to it over stdin and stdout.\n\n{table}\n\
         Try\n  {name} call {example} '{{}}'    call a tool\n  {name} --http          serve http://127.0.0.1:8080/mcp\n  \
         {name} --help          everything else\n"
    );
    Ok(ExitCode::SUCCESS)
}
