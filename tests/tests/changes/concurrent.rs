//! Readers list and call while a writer changes: each of them sees one of the states that there were.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mcp_runtime::{Context, DynamicTool};
use serde_json::json;

use crate::{listed, running};

fn pair(name: &'static str) -> DynamicTool {
    DynamicTool::new(name, move |_: Context| async move { name })
}

/// The writer adds `left`, then `right`, hides both by their group, shows them, removes `left`, then `right`.
const STATES: [&[&str]; 5] = [
    &["linked", "reset"],
    &["left", "linked", "reset"],
    &["left", "linked", "reset", "right"],
    &["linked", "reset"],
    &["linked", "reset", "right"],
];

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_list_is_one_that_there_was() {
    let (client, handle, published) = running();
    let (client, stopped) = (Arc::new(client), Arc::new(AtomicBool::new(false)));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (client, stopped) = (Arc::clone(&client), Arc::clone(&stopped));
            tokio::spawn(async move {
                let (mut lists, mut calls) = (0, 0);
                while !stopped.load(Ordering::Relaxed) || lists == 0 {
                    let list = listed(&client, "tools").await;
                    assert!(STATES.iter().any(|state| *state == list), "{list:?}");
                    lists += 1;
                    match client.call("left", json!({})).await {
                        Ok(result) => assert_eq!(result.text(), "left"),
                        Err(error) => assert_eq!(error.message(), "Unknown tool: left"),
                    }
                    assert_eq!(client.call("linked", json!({})).await.unwrap().text(), "linked");
                    calls += 1;
                    tokio::task::yield_now().await;
                }
                calls
            })
        })
        .collect();
    for _ in 0..500 {
        handle.add_tool(pair("left").group("pair")).unwrap();
        handle.add_tool(pair("right").group("pair")).unwrap();
        assert!(handle.disable("pair"));
        assert!(handle.enable("pair"));
        assert!(handle.remove_tool("left"));
        assert!(handle.remove_tool("right"));
        tokio::task::yield_now().await;
    }
    stopped.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
    assert_eq!(published.take().len(), 500 * 6);
    assert_eq!(listed(&client, "tools").await, ["linked", "reset"]);
}

/// Of several who add one name, one does.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_several_writers_wins() {
    let (client, handle, published) = running();
    let writers: Vec<_> = (0..8)
        .map(|_| {
            let handle = handle.clone();
            tokio::task::spawn_blocking(move || handle.add_tool(pair("same")).is_ok())
        })
        .collect();
    let mut winners = 0;
    for writer in writers {
        winners += usize::from(writer.await.unwrap());
    }
    assert_eq!((winners, published.take().len()), (1, 1));
    assert_eq!(listed(&client, "tools").await, ["linked", "reset", "same"]);
}
