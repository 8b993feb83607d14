//! Calls in flight, and what becomes of what is removed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcp_runtime::{Context, DynamicPrompt, DynamicResource, DynamicTool};
use serde_json::json;
use tokio::sync::Notify;

use crate::running;

/// Counts how many of it are alive.
struct Guard(Arc<AtomicUsize>);

impl Guard {
    fn new(alive: &Arc<AtomicUsize>) -> Arc<Self> {
        alive.fetch_add(1, Ordering::SeqCst);
        Arc::new(Self(Arc::clone(alive)))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn guarded(alive: &Arc<AtomicUsize>) -> DynamicTool {
    let guard = Guard::new(alive);
    DynamicTool::new("guarded", move |_: Context| {
        let guard = Arc::clone(&guard);
        async move { Arc::strong_count(&guard) > 1 }
    })
}

#[tokio::test]
async fn a_call_ends_as_it_began() {
    let (client, handle, _) = running();
    let (alive, go, started) = (Arc::default(), Arc::new(Notify::new()), Arc::new(Notify::new()));
    let guard = Guard::new(&alive);
    let wait = {
        let (go, started) = (Arc::clone(&go), Arc::clone(&started));
        move |_: Context| {
            let (go, started, guard) = (Arc::clone(&go), Arc::clone(&started), Arc::clone(&guard));
            async move {
                started.notify_one();
                go.notified().await;
                format!("alive: {}", guard.0.load(Ordering::SeqCst))
            }
        }
    };
    handle.add_tool(DynamicTool::new("wait", wait)).unwrap();
    let call = async { client.call("wait", json!({})).await.unwrap().text() };
    let change = async {
        started.notified().await;
        assert!(handle.remove_tool("wait"));
        // Before and behind the place where the other one was: an index into the newer list would miss.
        handle.add_tool(DynamicTool::new("a", |_: Context| async { "a" })).unwrap();
        handle.add_tool(DynamicTool::new("wait", |_: Context| async { "another" })).unwrap();
        assert_eq!(client.call("wait", json!({})).await.unwrap().text(), "another");
        assert_eq!(alive.load(Ordering::SeqCst), 1, "the call holds it");
        go.notify_one();
    };
    assert_eq!(tokio::join!(call, change).0, "alive: 1");
    assert_eq!(alive.load(Ordering::SeqCst), 0, "nobody does any more");
}

/// "Servers receiving cancellation notifications SHOULD: Stop processing the cancelled request" (Cancellation).
#[tokio::test]
async fn a_call_that_is_given_up_is_dropped() {
    let (client, handle, _) = running();
    let (alive, started) = (Arc::default(), Arc::new(Notify::new()));
    let hang = {
        let (alive, started) = (Arc::clone(&alive), Arc::clone(&started));
        move |_: Context| {
            let (guard, started) = (Guard::new(&alive), Arc::clone(&started));
            async move {
                started.notify_one();
                std::future::pending::<()>().await;
                drop(guard);
            }
        }
    };
    handle.add_tool(DynamicTool::new("hang", hang)).unwrap();
    tokio::select! {
        _ = client.call("hang", json!({})).into_future() => panic!("it has no end"),
        () = started.notified() => {}
    }
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn ten_thousand_changes_leave_nothing_behind() {
    let (client, handle, published) = running();
    let alive = Arc::default();
    for cycle in 0..10_000 {
        handle.add_tool(guarded(&alive)).unwrap();
        if cycle % 1_000 == 0 {
            assert_eq!(client.call("guarded", json!({})).await.unwrap().text(), "true");
            published.take();
        }
        assert!(handle.remove_tool("guarded"));
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}

#[tokio::test]
async fn prompts_resources_and_templates_are_let_go_of_as_well() {
    let (_client, handle, _) = running();
    let alive = Arc::default();
    let handler = || {
        let guard = Guard::new(&alive);
        move |_: mcp_runtime::Variables, _: Context| {
            let guard = Arc::clone(&guard);
            async move {
                drop(guard);
                "text"
            }
        }
    };
    handle.add_prompt(DynamicPrompt::new("p", handler())).unwrap();
    handle.add_resource(DynamicResource::new("r://1", handler())).unwrap();
    handle.add_resource(DynamicResource::new("r://t/{x}", handler())).unwrap();
    assert_eq!(alive.load(Ordering::SeqCst), 3);
    assert!(
        handle.remove_prompt("p") && handle.remove_resource("r://1") && handle.remove_resource("r://t/{x}")
    );
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    // What is refused is let go of, too.
    handle.add_prompt(DynamicPrompt::new("audit", handler())).unwrap_err();
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

/// What is let go of may come back with another change: that is not a deadlock.
#[tokio::test]
async fn a_handler_may_change_the_server_when_it_is_dropped() {
    struct Last(mcp_runtime::ServerHandle);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.disable("linked");
        }
    }
    let (_client, handle, _) = running();
    let last = Arc::new(Last(handle.clone()));
    let tool = DynamicTool::new("last", move |_: Context| {
        let last = Arc::clone(&last);
        async move { last.0.is_enabled("linked") }
    });
    handle.add_tool(tool).unwrap();
    assert!(handle.is_enabled("linked"));
    assert!(handle.remove_tool("last"));
    assert!(!handle.is_enabled("linked"));
    handle.enable("linked");
    let last = Arc::new(Last(handle.clone()));
    let taken = DynamicTool::new("reset", move |_: Context| {
        let last = Arc::clone(&last);
        async move { last.0.is_enabled("linked") }
    });
    assert!(handle.add_tool(taken).is_err());
    assert!(!handle.is_enabled("linked"));
}

#[tokio::test]
async fn the_server_lets_go_of_everything() {
    let (client, handle, _) = running();
    let alive = Arc::default();
    handle.add_tool(guarded(&alive)).unwrap();
    handle.disable("guarded");
    drop(client);
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}
