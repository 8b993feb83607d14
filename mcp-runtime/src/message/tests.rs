use super::*;

fn read(text: &str) -> Message {
    Message::read(Bytes::copy_from_slice(text.as_bytes()))
}

fn request(text: &str) -> Request {
    match read(text) {
        Message::Request(request) => *request,
        other => panic!("no request: {other:?}"),
    }
}

/// The id and the code of the answer to a message that is none.
fn malformed(text: &str) -> (Option<String>, i32) {
    match read(text) {
        Message::Malformed(malformed) => (malformed.id, malformed.error.code()),
        other => panic!("not malformed: {other:?}"),
    }
}

#[test]
fn a_call_is_spans_of_its_text() {
    let request = request(
        r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":[2]},"_meta":{"progressToken":7,"x/y":null}}}"#,
    );
    let text = &request.text;
    assert_eq!(request.id(), r#""a""#);
    assert_eq!(request.method.get(text), "tools/call");
    assert_eq!(request.params.name.as_ref().map(|name| name.get(text)), Some("add"));
    let arguments: Vec<_> =
        request.params.arguments.0.iter().map(|(name, value)| (name.get(text), text.get(*value))).collect();
    assert_eq!(arguments, [("a", "1"), ("b", "[2]")]);
    let meta = request.params.meta.as_ref().expect("there is `_meta`");
    assert_eq!(meta.progress_token.map(|token| text.get(token)), Some("7"));
    assert_eq!(meta.other.len(), 1);
    assert_eq!(request.params.fault, None);
}

#[test]
fn escaped_names_are_the_names_that_they_spell() {
    let request = request(
        r#"{"jsonrpc":"2.0","\u0069d":1,"method":"tools\/call","params":{"name":"a\u0064d","arguments":{"\u0061":1}}}"#,
    );
    let text = &request.text;
    assert_eq!(request.method.get(text), "tools/call");
    assert_eq!(request.params.name.as_ref().map(|name| name.get(text)), Some("add"));
    assert_eq!(request.params.arguments.0[0].0.get(text), "a");
}

#[test]
fn null_arguments_are_no_arguments() {
    let request =
        request(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":null}}"#);
    assert!(request.params.arguments.0.is_empty());
    assert_eq!(request.params.fault, None);
}

#[test]
fn a_fault_in_the_parameters_keeps_the_id() {
    for (params, fault) in [
        ("[]", "`params` must be an object, not an array"),
        ("7", "`params` must be an object, not a number"),
        (r#"{"arguments":[1]}"#, "`params.arguments` must be an object, not an array"),
        (r#"{"arguments":"{}"}"#, "`params.arguments` must be an object, not a string"),
        (r#"{"name":1}"#, "`params.name` must be a string, not a number"),
        (
            r#"{"name":"\ud800"}"#,
            "`params.name` must be a string, not a string that is no Unicode (a lone surrogate)",
        ),
        (r#"{"name":"a","name":"b"}"#, "`params.name` is given twice"),
        (r#"{"_meta":null}"#, "`params._meta` must be an object, not null"),
        (r#"{"_meta":{"progressToken":1.5}}"#, "`_meta.progressToken` must be a string or an integer"),
    ] {
        // The id comes last, so that everything before it has to be read.
        let request = request(&format!(r#"{{"jsonrpc":"2.0","method":"x","params":{params},"id":3}}"#));
        assert_eq!(request.params.fault.as_deref(), Some(fault));
        assert_eq!(request.id(), "3");
    }
}

#[test]
fn what_is_not_json_is_a_parse_error() {
    for text in ["", "{", "nope", r#"{"jsonrpc":"2.0","id":1,"method":"x"} {}"#, r#"{"id":01}"#, "\u{0}"] {
        assert_eq!(malformed(text), (None, PARSE_ERROR), "{text:?}");
    }
    let invalid_utf8 = Message::read(Bytes::from_static(b"{\"jsonrpc\":\"\xff\"}"));
    assert!(matches!(invalid_utf8, Message::Malformed(m) if m.error.code() == PARSE_ERROR));
}

#[test]
fn what_is_json_but_no_request_is_an_invalid_request() {
    let some = |id: &str| Some(id.to_owned());
    for (text, id) in [
        ("7", None),
        ("null", None),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"x"}]"#, None),
        ("{}", None),
        (r#"{"jsonrpc":"2.0","id":null,"method":"x"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, None),
        (r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#, None),
        (r#"{"jsonrpc":"1.0","id":1,"method":"x"}"#, some("1")),
        (r#"{"id":1,"method":"x"}"#, some("1")),
        (r#"{"jsonrpc":"2.0","id":1}"#, some("1")),
        (r#"{"jsonrpc":"2.0","id":"q","method":7}"#, some(r#""q""#)),
        (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, some("1")),
        (r#"{"jsonrpc":"2.0","id":1,"method":"x","params":{},"params":{}}"#, some("1")),
    ] {
        let (got, code) = malformed(text);
        assert_eq!(code, INVALID_REQUEST, "{text}");
        // Of two ids either may be named.
        if !text.contains(r#""id":2"#) {
            assert_eq!(got, id, "{text}");
        }
    }
}

#[test]
fn a_byte_order_mark_and_white_space_are_passed_over() {
    let request = request("\u{feff} \r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"}\r");
    assert_eq!(request.id(), "1");
}

#[test]
fn a_notification_has_no_id_and_a_response_no_method() {
    let cancelled = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061","reason":"no"}}"#;
    let Message::Notification(notification) = read(cancelled) else { panic!("no notification") };
    assert_eq!(notification.method, "notifications/cancelled");
    assert_eq!(notification.request_id.as_deref(), Some(r#""a""#));
    assert_eq!(notification.reason.as_deref(), Some("no"));
    assert!(matches!(read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Message::Response(_)));
    assert!(matches!(read(r#"{"jsonrpc":"2.0","error":{}}"#), Message::Response(_)));
}

#[test]
fn deep_nesting_is_read_without_recursion() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let request = request(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"x","arguments":{{"a":{deep}}}}}}}"#
    ));
    assert_eq!(request.params.arguments.0.len(), 1);
}
