//! basic/patterns/progress and server/utilities/logging, as far as the transports see them.

use std::cell::Cell;
use std::task::{Context as Task, Poll, Waker};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{LOG_LIMIT, Outbox, Outgoing};
use crate::protocol::LogLevel;

fn next(outbox: &Outbox) -> Option<Value> {
    match outbox.poll_next(&mut Task::from_waker(Waker::noop())) {
        Poll::Ready(line) => Some(serde_json::from_slice(&line).expect("JSON")),
        Poll::Pending => None,
    }
}

fn rest(outbox: &Outbox) -> Vec<Value> {
    outbox.close().iter().map(|line| serde_json::from_slice(line).expect("JSON")).collect()
}

fn progresses(lines: &[Value]) -> Vec<f64> {
    lines.iter().filter_map(|line| line["params"]["progress"].as_f64()).collect()
}

#[test]
fn a_notification_says_what_was_said_and_no_more() {
    let outbox = Outbox::new(Outgoing::Open);
    outbox.progress("\"abc123\"", 50.0, Some(100.0), "Reticulating splines...");
    outbox.progress("7", 50.5, None, "");
    outbox.progress("7", 51.0, Some(f64::INFINITY), "a \"quoted\" word");
    let notification =
        |params| Some(json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params }));
    assert_eq!(
        next(&outbox),
        notification(json!({
            "progressToken": "abc123", "progress": 50, "total": 100, "message": "Reticulating splines...",
        }))
    );
    assert_eq!(next(&outbox), notification(json!({ "progressToken": 7, "progress": 50.5 })));
    assert_eq!(
        next(&outbox),
        notification(json!({ "progressToken": 7, "progress": 51, "message": "a \"quoted\" word" }))
    );
    assert_eq!(next(&outbox), None);
}

#[test]
fn progress_must_increase() {
    let outbox = Outbox::new(Outgoing::Open);
    for progress in [-1.0, -1.0, -2.0, 0.0, f64::NAN, 0.0, 0.25, f64::INFINITY, 0.5, 0.4, 1e300] {
        outbox.progress("1", progress, None, "");
    }
    assert_eq!(progresses(&rest(&outbox)), [-1.0, 0.0, 0.25, 0.5, 1e300]);
}

fn beat(outbox: &Outbox) -> Option<Value> {
    outbox.beat("1").map(|line| serde_json::from_slice::<Value>(&line).expect("JSON")["params"].take())
}

/// "The `progress` value MUST increase with each notification", also from a heartbeat to the author's next value.
#[test]
fn a_heartbeat_is_between_two_values_of_the_author() {
    let outbox = Outbox::new(Outgoing::Open);
    outbox.repeat_progress();
    assert_eq!(beat(&outbox), Some(json!({ "progressToken": 1, "progress": 0 })));
    assert_eq!(beat(&outbox), Some(json!({ "progressToken": 1, "progress": 1e-9 })));
    for (progress, shown) in [(0.0, 2e-9), (1.0, 1.0), (5e9, 5e9), (9e15, 9e15)] {
        outbox.progress("1", progress, Some(1e16), "step");
        assert_eq!(next(&outbox).unwrap()["params"]["progress"].as_f64(), Some(shown));
        let params = beat(&outbox).unwrap();
        assert_eq!((&params["total"], &params["message"]), (&json!(1e16), &json!("step")));
        let beaten = params["progress"].as_f64().unwrap();
        assert!(shown < beaten && beaten <= shown + 1.0, "{shown} {beaten}");
    }
    outbox.progress("1", f64::MAX, None, "");
    assert!(next(&outbox).is_some());
    assert_eq!(beat(&outbox), None, "nothing is greater");
}

/// The author's value arrives, moved where it must be, whatever heartbeats went before it.
#[test]
fn a_heartbeat_takes_no_value_from_the_author() {
    let outbox = Outbox::new(Outgoing::Open);
    outbox.repeat_progress();
    assert!(beat(&outbox).is_some());
    for progress in [-3.0, -2.0, -2.0, 1.0] {
        outbox.progress("1", progress, None, "");
    }
    assert_eq!(beat(&outbox), None, "what the author said goes first");
    assert_eq!(progresses(&rest(&outbox)), [1e-9, 2e-9, 1.0]);
    assert_eq!(beat(&outbox), None, "nothing follows the end");
}

#[test]
fn no_heartbeat_overtakes_progress_that_is_held_back() {
    let outbox = Outbox::new(Outgoing::Open);
    outbox.repeat_progress();
    for step in 1..=1000 {
        outbox.progress("1", f64::from(step), None, "");
    }
    while next(&outbox).is_some() {}
    assert!(outbox.held_until().is_some());
    assert_eq!(beat(&outbox), None);
}

#[test]
fn a_burst_is_thinned_out_and_its_last_arrives() {
    let outbox = Outbox::new(Outgoing::Open);
    for step in 1..=1000 {
        outbox.progress("1", f64::from(step), Some(1000.0), "");
    }
    assert!(outbox.held_until().is_some());
    let sent = progresses(&rest(&outbox));
    assert!(sent.len() < 100, "{} notifications", sent.len());
    assert!(sent.is_sorted_by(|a, b| a < b), "{sent:?}");
    assert_eq!(sent.last(), Some(&1000.0));
}

#[test]
fn nothing_follows_the_end() {
    let outbox = Outbox::new(Outgoing::Open);
    outbox.progress("1", 1.0, None, "");
    assert_eq!(rest(&outbox).len(), 1);
    outbox.progress("1", 2.0, None, "");
    outbox.log(LogLevel::Error, None, &"late");
    assert_eq!(next(&outbox), None);
    assert!(rest(&outbox).is_empty());
}

#[test]
fn nothing_is_kept_for_a_client_that_takes_none() {
    let outbox = Outbox::new(Outgoing::Discarded);
    outbox.progress("1", 1.0, None, "");
    outbox.log(LogLevel::Error, None, &"unheard");
    assert_eq!((next(&outbox), outbox.held_until()), (None, None));
}

#[test]
fn log_messages_wait_for_a_slow_client_up_to_a_limit() {
    let outbox = Outbox::new(Outgoing::Open);
    for n in 0..LOG_LIMIT + 10 {
        outbox.log(LogLevel::Info, Some("test"), &n);
    }
    let lines = rest(&outbox);
    assert_eq!(lines.len(), LOG_LIMIT);
    assert_eq!(lines[0]["params"], json!({ "level": "info", "logger": "test", "data": 0 }));
    assert_eq!(lines[LOG_LIMIT - 1]["params"]["data"], LOG_LIMIT - 1);
}

#[test]
fn what_is_logged_may_log_itself() {
    struct Talkative<'a>(&'a Outbox, Cell<u8>);
    impl Serialize for Talkative<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.1.set(self.1.get() + 1);
            self.0.log(LogLevel::Debug, None, &"inner");
            if self.1.get() > 1 {
                Err(serde::ser::Error::custom("no more"))
            } else {
                serializer.serialize_str("outer")
            }
        }
    }
    let outbox = Outbox::new(Outgoing::Open);
    let talkative = Talkative(&outbox, Cell::new(0));
    outbox.log(LogLevel::Info, None, &talkative);
    outbox.log(LogLevel::Info, None, &talkative);
    let data: Vec<Value> = rest(&outbox).iter().map(|line| line["params"]["data"].clone()).collect();
    assert_eq!(data, ["inner", "outer", "inner"]);
}

#[test]
fn a_waiting_task_is_woken() {
    struct Flag(std::sync::atomic::AtomicUsize);
    impl std::task::Wake for Flag {
        fn wake(self: std::sync::Arc<Self>) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    let flag = std::sync::Arc::new(Flag(0.into()));
    let waker = Waker::from(std::sync::Arc::clone(&flag));
    let outbox = Outbox::new(Outgoing::Open);
    assert!(outbox.poll_next(&mut Task::from_waker(&waker)).is_pending());
    outbox.log(LogLevel::Info, None, &1);
    outbox.progress("1", 1.0, None, "");
    assert_eq!(flag.0.load(std::sync::atomic::Ordering::Relaxed), 1);
    assert!(outbox.poll_next(&mut Task::from_waker(&waker)).is_ready());
}
