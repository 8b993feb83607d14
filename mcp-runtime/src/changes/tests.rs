use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use super::{Change, Hub, Interests, Subscription};

fn resource(uri: &str) -> Change {
    Change::Resource(uri.into())
}

fn watching(hub: &Arc<Hub>, uris: &[&str]) -> Subscription {
    let uris = uris.iter().map(|uri| (*uri).to_owned()).collect();
    hub.subscribe(&Interests { uris, ..Interests::default() })
}

/// Everything that is flagged now; `None` at the end if the server has ended the subscription.
async fn taken(subscription: &Subscription) -> Vec<Option<Change>> {
    let mut taken = Vec::new();
    poll_fn(|task| {
        while let Poll::Ready(change) = subscription.poll_change(task) {
            let is_end = change.is_none();
            taken.push(change);
            if is_end {
                break;
            }
        }
        Poll::Ready(())
    })
    .await;
    taken
}

#[tokio::test]
async fn a_million_changes_are_one_flag() {
    let hub = Hub::new(None);
    let stalled = watching(&hub, &["test://a"]);
    for _ in 0..1_000_000 {
        hub.publish(resource("test://a"));
    }
    assert_eq!(taken(&stalled).await, [Some(resource("test://a"))]);
    assert_eq!(taken(&stalled).await, []);
    hub.publish(resource("test://a"));
    assert_eq!(taken(&stalled).await, [Some(resource("test://a"))]);
}

#[tokio::test]
async fn only_what_was_asked_for_arrives() {
    let hub = Hub::new(None);
    let tools = hub.subscribe(&Interests { tools: true, ..Interests::default() });
    let file = watching(&hub, &["file:///a%2Db", "file:///c"]);
    for change in [Change::Tools, Change::Prompts, Change::Resources, resource("file:///other")] {
        hub.publish(change);
    }
    hub.publish(resource("file:///c"));
    hub.publish(resource("file:///a-b"));
    assert_eq!(taken(&tools).await, [Some(Change::Tools)]);
    // In the order of the changes, and as the client spells them.
    assert_eq!(taken(&file).await, [Some(resource("file:///c")), Some(resource("file:///a%2Db"))]);
}

#[tokio::test]
async fn what_is_no_longer_watched_is_forgotten() {
    let hub = Hub::new(None);
    let subscription = watching(&hub, &["test://a", "test://b"]);
    hub.publish(resource("test://a"));
    assert!(subscription.unwatch("test://a"));
    assert!(!subscription.unwatch("test://a"));
    hub.publish(resource("test://a"));
    assert_eq!(taken(&subscription).await, []);
    assert!(subscription.watch("test://a"));
    assert!(!subscription.watch("test://a"));
    hub.publish(resource("test://a"));
    assert_eq!(taken(&subscription).await, [Some(resource("test://a"))]);
    drop(subscription);
    assert_eq!(hub.len(), 0);
    assert!(hub.write().by_uri.is_empty());
}

#[tokio::test]
async fn the_end_comes_after_the_last_change() {
    let hub = Hub::new(None);
    let subscription = watching(&hub, &["test://a"]);
    hub.publish(resource("test://a"));
    hub.close();
    assert_eq!(taken(&subscription).await, [Some(resource("test://a")), None]);
    assert_eq!(taken(&watching(&hub, &["test://a"])).await, [None]);
}

#[tokio::test]
async fn a_sleeping_reader_is_woken() {
    let hub = Hub::new(None);
    let subscription = watching(&hub, &["test://a"]);
    let reader = tokio::spawn(async move { poll_fn(|task| subscription.poll_change(task)).await });
    tokio::task::yield_now().await;
    hub.publish(resource("test://a"));
    assert_eq!(reader.await.unwrap(), Some(resource("test://a")));
}
