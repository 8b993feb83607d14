use std::pin::Pin;
use std::sync::Mutex;
use std::task::{Context as Task, Poll};

use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::changes::Change;
use crate::testing::Client;
use crate::{Server, State, Stream};

const GROUP: &str = "watch-tests";

/// What the watching functions of one server share with their test.
struct Stage {
    said: UnboundedSender<&'static str>,
    feeds: Mutex<Vec<UnboundedReceiver<Fed>>>,
}

/// What a test makes a stream do.
enum Fed {
    Address(&'static str),
    Fail,
    Panic,
}

/// Gives what it is fed, and says when it is dropped.
struct Feed(UnboundedReceiver<Fed>, UnboundedSender<&'static str>);

impl Stream for Feed {
    type Item = Result<String, &'static str>;

    fn poll_next(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(task).map(|fed| match fed? {
            Fed::Address(uri) => Some(Ok(uri.to_owned())),
            Fed::Fail => Some(Err("as asked")),
            Fed::Panic => panic!("as asked"),
        })
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        let _ = self.1.send("dropped");
    }
}

async fn feed(stage: State<Stage>) -> Result<Feed, &'static str> {
    stage.said.send("started").map_err(|_| "nobody listens")?;
    let fed = stage.feeds.lock().unwrap().pop().ok_or("there is nothing to watch")?;
    Ok(Feed(fed, stage.said.clone()))
}

/// A page by its number.
#[crate::resource("watch://pages/{number}", watch = feed, group = "watch-tests")]
fn watched_page(number: u32) -> String {
    number.to_string()
}

/// One item, and then never another.
struct Once(bool);

impl Stream for Once {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Task<'_>) -> Poll<Option<()>> {
        if std::mem::replace(&mut self.0, true) { Poll::Pending } else { Poll::Ready(Some(())) }
    }
}

fn once() -> impl Stream<Item = ()> {
    Once(false)
}

/// A page with an address of its own.
#[crate::resource("watch://one", watch = once, group = "watch-tests")]
fn watched_one() -> &'static str {
    "one"
}

struct Test {
    client: Client,
    heard: UnboundedReceiver<&'static str>,
    /// One for each time that the function is started.
    feeds: Vec<UnboundedSender<Fed>>,
}

impl Test {
    fn new(starts: usize) -> Self {
        let (said, heard) = unbounded_channel();
        let (feeds, fed): (Vec<_>, Vec<_>) = (0..starts).map(|_| unbounded_channel()).unzip();
        let stage = Stage { said, feeds: Mutex::new(fed) };
        Self { client: Client::new(Server::new().only(GROUP).state(stage)).unwrap(), heard, feeds }
    }

    async fn listen(&self, uris: &[&str]) -> crate::testing::Changes {
        self.client.listen(json!({ "resourceSubscriptions": uris })).await.unwrap()
    }

    async fn hear(&mut self, what: &str) {
        assert_eq!(self.heard.recv().await, Some(what));
    }
}

fn page(number: u32) -> Change {
    Change::Resource(format!("watch://pages/{number}").into())
}

#[tokio::test]
async fn it_runs_from_the_first_subscription_to_the_last() {
    let mut test = Test::new(2);
    drop(test.listen(&["watch://one"]).await);
    assert!(test.heard.try_recv().is_err());
    let mut first = test.listen(&["watch://pages/1", "watch://pages/2"]).await;
    test.hear("started").await;
    let mut second = test.listen(&["watch://pages/2"]).await;
    // The last one is started first.
    let feed = test.feeds.pop().unwrap();
    feed.send(Fed::Address("watch://pages/2")).ok().unwrap();
    assert_eq!(first.next().await, Some(page(2)));
    assert_eq!(second.next().await, Some(page(2)));
    drop(first);
    feed.send(Fed::Address("watch://pages/2")).ok().unwrap();
    assert_eq!(second.next().await, Some(page(2)));
    drop(second);
    test.hear("dropped").await;
    let mut third = test.listen(&["watch://pages/3"]).await;
    test.hear("started").await;
    test.feeds.pop().unwrap().send(Fed::Address("watch://pages/3")).ok().unwrap();
    assert_eq!(third.next().await, Some(page(3)));
}

#[tokio::test]
async fn an_acknowledged_client_misses_nothing() {
    let test = Test::new(1);
    let mut changes = test.listen(&["watch://pages/1"]).await;
    // The stream is there by now, whatever the function had to wait for.
    test.feeds[0].send(Fed::Address("watch://pages/1")).ok().unwrap();
    assert_eq!(changes.next().await, Some(page(1)));
    let mut own = test.listen(&["watch://one"]).await;
    assert_eq!(own.next().await, Some(Change::Resource("watch://one".into())));
}

#[tokio::test]
async fn one_that_ends_or_fails_or_panics_is_started_by_the_next_subscription() {
    let mut test = Test::new(4);
    let mut kept = vec![test.listen(&["watch://pages/1"]).await];
    test.hear("started").await;
    for end in [Some(Fed::Fail), Some(Fed::Panic), None] {
        let feed = test.feeds.pop().unwrap();
        if let Some(end) = end {
            feed.send(end).ok().unwrap();
        }
        drop(feed);
        test.hear("dropped").await;
        // The task is over a moment after its stream is dropped.
        while test.heard.is_empty() {
            kept.push(test.listen(&["watch://pages/1"]).await);
        }
        test.hear("started").await;
    }
    test.feeds.pop().unwrap().send(Fed::Address("watch://pages/1")).ok().unwrap();
    for changes in &mut kept {
        assert_eq!(changes.next().await, Some(page(1)));
    }
}

#[tokio::test]
async fn a_function_that_fails_leaves_a_subscription_without_changes() {
    let mut test = Test::new(0);
    let changes = test.listen(&["watch://pages/1"]).await;
    test.hear("started").await;
    assert_eq!(*changes.acknowledged(), json!({ "resourceSubscriptions": ["watch://pages/1"] }));
    drop(changes);
}
