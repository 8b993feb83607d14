//! What cannot be added: a sentence that says what to do, and no change.

use mcp_runtime::testing::Client;
use mcp_runtime::{Context, DynamicPrompt, DynamicResource, DynamicTool, Variables};
use serde_json::{Map, Value, json};

use crate::{listed, running, server};

fn tool(name: &'static str) -> DynamicTool {
    DynamicTool::new(name, |_: Context| async { "ran" })
}

fn prompt(name: &'static str) -> DynamicPrompt {
    DynamicPrompt::new(name, |_: Context| async { "ran" })
}

fn resource(uri: &'static str) -> DynamicResource {
    DynamicResource::new(uri, |_: Variables, _: Context| async { "ran" })
}

/// The fault, without the place at its end.
fn without_place(error: &mcp_runtime::AddError) -> String {
    let [fault] = error.faults() else { panic!("one fault: {error}") };
    let (text, place) = fault.rsplit_once(" (").expect("a place");
    assert!(place.starts_with("tests/tests/changes/errors.rs:"), "{fault}");
    text.to_owned()
}

#[tokio::test]
async fn names_are_good_and_free() {
    let (client, handle, published) = running();
    handle.add_tool(tool("twice")).unwrap();
    handle.disable("reset");
    published.take();
    assert_eq!(
        without_place(&handle.add_tool(tool("a b")).unwrap_err()),
        "`a b` is no name for a tool: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`"
    );
    for (taken, start, end) in [
        (handle.add_tool(tool("linked")), "`linked` is taken: a tool is there from ", "; choose another"),
        (
            handle.add_tool(tool("reset")),
            "`reset` is taken: a tool is there, disabled, from ",
            "; choose another",
        ),
        (
            handle.add_tool(tool("twice")),
            "`twice` is taken: a tool is there from ",
            "; remove that one first",
        ),
        (handle.add_prompt(prompt("audit")), "`audit` is taken: a prompt is there from ", "; choose another"),
        (
            handle.add_resource(resource("notes://link%65d")),
            "`notes://link%65d` is taken: a resource with this address is there from ",
            "; choose another",
        ),
    ] {
        let text = without_place(&taken.unwrap_err());
        assert!(text.starts_with(start) && text.ends_with(end), "{text}");
    }
    assert_eq!(published.take(), []);
    assert_eq!(listed(&client, "tools").await, ["linked", "twice"]);
    // Tools and prompts may share a name.
    handle.add_prompt(prompt("twice")).unwrap();
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[allow(dead_code, reason = "never read")]
struct Two {
    x: String,
    y: String,
}

#[test]
fn templates_are_good_and_apart() {
    let (_client, handle, published) = running();
    let text = without_place(&handle.add_resource(resource("a://{x")).unwrap_err());
    assert!(text.starts_with("`a://{x` has a bad URI template `a://{x`: at byte "), "{text}");
    for uri in ["rows", "/rows", "{x}", "1a:rows", "app:"] {
        let text = without_place(&handle.add_resource(resource(uri)).unwrap_err());
        assert!(text.contains("has no scheme in its address"), "{uri}: {text}");
    }
    let text = without_place(&handle.add_resource(resource("db://{other}/rows/{key}")).unwrap_err());
    assert!(
        text.starts_with(
            "`db://{other}/rows/{key}` has the template `db://{other}/rows/{key}`, and `db://{table}/rows/{id}` ("
        ) && text.ends_with(") matches the same addresses; make one more specific"),
        "{text}"
    );
    assert_eq!(
        without_place(
            &handle.add_resource(DynamicResource::new("a://{x}", |_: Context| async { "" })).unwrap_err()
        ),
        "`a://{x}` has no parameter for the variable `x` of `a://{x}`"
    );
    let two = |uri: &'static str| DynamicResource::new(uri, |_: Two, _: Context| async { "" });
    assert_eq!(
        without_place(&handle.add_resource(two("a://{x}")).unwrap_err()),
        "`a://{x}` takes `y`, which `a://{x}` has no variable for"
    );
    assert_eq!(
        without_place(&handle.add_resource(two("a://{x}{?y}")).unwrap_err()),
        "`a://{x}{?y}` must take `y` as an `Option`, or with `#[serde(default)]`: a URI may leave it out of \
         `a://{x}{?y}`"
    );
    let error = handle.add_resource(two("a://b")).unwrap_err();
    assert_eq!(error.faults().len(), 2);
    assert!(
        error.faults()[1].starts_with("`a://b` takes `y`, which `a://b` has no variable for ("),
        "{error}"
    );
    assert_eq!(published.take(), []);
}

#[test]
fn schemas_are_good() {
    let (_client, handle, published) = running();
    let raw = |schema: Value| {
        let tool =
            DynamicTool::new("raw", |_: Map<String, Value>, _: Context| async { "" }).input_schema(schema);
        without_place(&handle.add_tool(tool).unwrap_err())
    };
    assert_eq!(raw(json!({ "type": "array" })), "`raw` has an `input_schema` whose `type` is not \"object\"");
    let text = raw(json!({ "type": "object", "properties": { "x": { "pattern": "(" } } }));
    assert!(text.starts_with("`raw` has a fault in its `input_schema`: "), "{text}");
    let number = DynamicTool::new("number", |_: i64, _: Context| async { "" });
    assert_eq!(
        without_place(&handle.add_tool(number).unwrap_err()),
        "`number` cannot take its arguments: they must be a struct or a map; the schema of their type says \"integer\""
    );
    let text = without_place(&handle.add_prompt(prompt("p").argument("x", "X.")).unwrap_err());
    assert_eq!(text, "`p` says arguments, and its handler takes none: take `Variables` before the context");
    assert_eq!(published.take(), []);
}

/// What is linked is not known yet: the server does not start, and names both.
#[test]
fn a_name_that_is_taken_twice_keeps_the_server_from_starting() {
    let server = server();
    let handle = server.handle();
    handle.add_tool(tool("linked")).unwrap();
    assert!(handle.add_tool(tool("linked")).is_err());
    let error = Client::new(server).err().expect("it cannot start");
    let [fault] = error.faults() else { panic!("one fault: {error}") };
    assert!(fault.starts_with("two tools are called `linked`: tests/tests/changes/"), "{fault}");
}

#[test]
fn a_handle_does_not_keep_its_server_alive() {
    let (client, handle, _) = running();
    let held = handle.clone();
    handle
        .add_tool(DynamicTool::new("held", move |_: Context| {
            let held = held.clone();
            async move { held.is_enabled("linked") }
        }))
        .unwrap();
    drop(client);
    assert!(!handle.is_enabled("linked") && !handle.disable("linked") && !handle.remove_tool("held"));
    assert_eq!(
        handle.add_tool(tool("late")).unwrap_err().faults(),
        ["the server is gone: a handle does not keep it alive"]
    );
}
