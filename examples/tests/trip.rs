//! A trip is booked over several rounds, as the modern protocol has them (basic/patterns/mrtr).

#[expect(dead_code, reason = "its `main` is for the binary")]
#[path = "../src/bin/trip.rs"]
mod trip;

use mcp_runtime::Error;
use mcp_runtime::testing::{CallResult, Client, Request};
use serde_json::{Value, json};

fn client(elicitation: Value) -> Client {
    Client::new(trip::server()).unwrap().capabilities(json!({ "elicitation": elicitation }))
}

fn able() -> Client {
    client(json!({ "form": {}, "url": {} }))
}

fn book(client: &Client) -> Request<'_, CallResult> {
    client.call("book_trip", json!({ "destination": "Oslo" }))
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn dates() -> Value {
    accept(json!({ "from": "2026-08-01", "until": "2026-08-09" }))
}

fn window() -> Value {
    accept(json!({ "seat": "window" }))
}

fn decline() -> Value {
    json!({ "action": "decline" })
}

fn cancel() -> Value {
    json!({ "action": "cancel" })
}

async fn bookings(client: &Client) -> Value {
    let contents = client.read("trip://bookings").await.unwrap().contents;
    let contents = json!(contents[0]);
    serde_json::from_str(contents["text"].as_str().unwrap()).unwrap()
}

fn booking(status: &str) -> Value {
    json!({
        "id": 1, "destination": "Oslo", "from": "2026-08-01", "until": "2026-08-09", "seat": "at the window",
        "status": status
    })
}

/// One round by hand: what a client sends, and the whole result.
async fn round(client: &Client, answers: Value, before: &Value) -> Value {
    let mut params = json!({ "name": "book_trip", "arguments": { "destination": "Oslo" } });
    if !before.is_null() {
        params["inputResponses"] = answers;
        params["requestState"] = before["requestState"].clone();
    }
    client.request("tools/call", params).await.unwrap()
}

fn needs(error: Error, capability: Value) {
    assert_eq!(
        (error.code(), error.data()),
        (-32021, Some(&json!({ "requiredCapabilities": capability }))),
        "{error}"
    );
}

#[tokio::test]
async fn a_trip_is_booked_when_everything_is_accepted() {
    let client = able();
    let result = book(&client)
        .answer("dates", dates())
        .answer("seat", window())
        .answer("payment", json!({ "action": "accept" }))
        .await
        .unwrap();
    assert!(!result.is_error);
    assert_eq!(
        result.text(),
        "Held until the payment arrives: booking 1, Oslo from 2026-08-01 until 2026-08-09, at the window."
    );
    assert_eq!(bookings(&client).await, json!([booking("awaiting_payment")]));
}

#[tokio::test]
async fn each_round_asks_for_one_thing() {
    let client = able();
    let first = round(&client, json!({}), &Value::Null).await;
    assert_eq!(first["resultType"], "input_required");
    assert_eq!(
        first["inputRequests"],
        json!({
            "dates": {
                "method": "elicitation/create",
                "params": {
                    "mode": "form",
                    "message": "When do you travel to Oslo?",
                    "requestedSchema": {
                        "type": "object",
                        "properties": {
                            "from": {
                                "type": "string", "description": "The day on which you leave.", "format": "date"
                            },
                            "until": {
                                "type": "string", "description": "The day on which you come back.", "format": "date"
                            }
                        },
                        "required": ["from", "until"]
                    }
                }
            }
        })
    );
    let second = round(&client, json!({ "dates": dates() }), &first).await;
    assert_eq!(
        second["inputRequests"]["seat"]["params"]["requestedSchema"]["properties"]["seat"]["oneOf"],
        json!([
            { "const": "window", "title": "At the window" },
            { "const": "aisle", "title": "On the aisle" }
        ])
    );
    assert_eq!(bookings(&client).await, json!([]));
    let third = round(&client, json!({ "seat": window() }), &second).await;
    assert_eq!(
        third["inputRequests"],
        json!({
            "payment": {
                "method": "elicitation/create",
                "params": {
                    "mode": "url",
                    "message": "Please pay for booking 1, Oslo from 2026-08-01 until 2026-08-09, at the window.",
                    "url": "https://pay.example.com/bookings/1"
                }
            }
        })
    );
    assert_eq!(bookings(&client).await, json!([booking("reserved")]));
    // The client was too late with nothing in hand: it is asked again, and no second seat is held.
    let again = round(&client, json!({}), &third).await;
    assert_eq!(again["inputRequests"], third["inputRequests"]);
    let last = round(&client, json!({ "payment": { "action": "accept" } }), &again).await;
    assert_eq!(last["resultType"], "complete");
    assert_eq!(bookings(&client).await, json!([booking("awaiting_payment")]));
}

#[tokio::test]
async fn declining_in_the_middle_books_nothing() {
    let client = able();
    let result = book(&client).answer("dates", dates()).answer("seat", decline()).await.unwrap();
    assert_eq!(result.text(), "Nothing was booked.");
    assert_eq!(bookings(&client).await, json!([]));
}

#[tokio::test]
async fn cancelling_at_any_point_leaves_nothing_held() {
    let client = able();
    let result = book(&client).answer("dates", cancel()).await.unwrap();
    assert_eq!(result.text(), "Nothing was booked.");
    assert_eq!(bookings(&client).await, json!([]));
    let result = book(&client)
        .answer("dates", dates())
        .answer("seat", window())
        .answer("payment", cancel())
        .await
        .unwrap();
    assert_eq!(
        result.text(),
        "Not paid, so the seat is free again: booking 1, Oslo from 2026-08-01 until 2026-08-09, at the window."
    );
    assert_eq!(bookings(&client).await, json!([booking("released")]));
}

#[tokio::test]
async fn what_is_no_date_is_asked_for_again_with_what_was_wrong() {
    let client = able();
    let first = round(&client, json!({}), &Value::Null).await;
    let tomorrow = accept(json!({ "from": "tomorrow", "until": "2026-08-09" }));
    let second = round(&client, json!({ "dates": tomorrow }), &first).await;
    let asked = &second["inputRequests"]["dates"]["params"];
    assert_eq!(
        asked["message"],
        "When do you travel to Oslo?\n\nfrom: must be a date like 2026-07-28, not \"tomorrow\""
    );
    assert_eq!(asked["requestedSchema"], first["inputRequests"]["dates"]["params"]["requestedSchema"]);
    let third = round(&client, json!({ "dates": dates() }), &second).await;
    assert!(third["inputRequests"]["seat"].is_object(), "{third}");
}

#[tokio::test]
async fn dates_in_the_wrong_order_are_asked_for_again() {
    let client = able();
    let first = round(&client, json!({}), &Value::Null).await;
    let reversed = accept(json!({ "from": "2026-08-09", "until": "2026-08-01" }));
    let second = round(&client, json!({ "dates": reversed }), &first).await;
    assert_eq!(
        second["inputRequests"]["dates-2"]["params"]["message"],
        "2026-08-01 is before 2026-08-09. When do you travel to Oslo?"
    );
    let third = round(&client, json!({ "dates-2": dates() }), &second).await;
    assert!(third["inputRequests"]["seat"].is_object(), "{third}");
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_told_what_it_lacks() {
    let client = Client::new(trip::server()).unwrap();
    needs(book(&client).await.unwrap_err(), json!({ "elicitation": { "form": {} } }));
    assert_eq!(bookings(&client).await, json!([]));
}

#[tokio::test]
async fn a_client_that_opens_no_pages_is_told_so_and_holds_no_seat() {
    let client = client(json!({ "form": {} }));
    let error = book(&client).answer("dates", dates()).answer("seat", window()).await.unwrap_err();
    needs(error, json!({ "elicitation": { "url": {} } }));
    assert_eq!(bookings(&client).await, json!([booking("released")]));
}
