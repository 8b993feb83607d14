//! Over HTTP, where headers repeat arguments (Custom Headers from Tool Parameters).

use http::Request;
use http_body_util::{BodyExt as _, Full};
use mcp_runtime::{Context, DynamicTool, HttpService};
use mcp_tests::request;
use serde_json::{Map, Value, json};
use tower::ServiceExt as _;

use crate::server;

async fn call(service: &HttpService, region: &str) -> Value {
    let body = request(1, "tools/call", json!({ "name": "forecast", "arguments": { "region": "eu" } }));
    let request = Request::post("http://localhost/mcp")
        .header("Host", "localhost")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", mcp_tests::VERSION)
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "forecast")
        .header("Mcp-Param-Region", region)
        .body(Full::new(bytes::Bytes::from(body.to_string())))
        .unwrap();
    let response = service.clone().oneshot(request).await.unwrap();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap()
}

#[tokio::test]
async fn headers_of_an_added_tool_are_compared() {
    let server = server();
    let handle = server.handle();
    let service = server.into_service().unwrap();
    assert_eq!(call(&service, "eu").await["error"]["code"], -32602);

    let forecast = |given: Map<String, Value>, _: Context| async move { given["region"].to_string() };
    let forecast = DynamicTool::new("forecast", forecast).input_schema(json!({
        "type": "object",
        "properties": { "region": { "type": "string", "x-mcp-header": "Region" } },
    }));
    handle.add_tool(forecast).unwrap();
    assert_eq!(call(&service, "eu").await["result"]["content"][0]["text"], "\"eu\"");
    assert_eq!(call(&service, "us").await["error"]["code"], -32020);

    handle.remove_tool("forecast");
    assert_eq!(call(&service, "us").await["error"]["message"], "Unknown tool: forecast");
}
