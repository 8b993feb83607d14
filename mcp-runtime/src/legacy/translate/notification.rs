//! Notifications.

use super::members::Members;
use super::replace;
use super::result::drop_reserved_meta;
use crate::legacy::Revision;

/// A notification of the core's, as this revision writes it; `None` where it has none like it.
pub(crate) fn notification(revision: Revision, bytes: Vec<u8>) -> Option<Vec<u8>> {
    let mut exists = true;
    let line = replace(bytes, |text| {
        let mut message = Members::parse(text)?;
        let method = message.get("method").unwrap_or_default().trim_matches('"');
        exists = is_known(method);
        let Some(json) = message.get("params") else { return Ok(None) };
        let mut params = Members::parse(json)?;
        let mut same = drop_reserved_meta(&mut params)?;
        if method == "notifications/progress" && !revision.has_progress_messages() {
            same &= params.remove("message").is_none();
        }
        if same {
            return Ok(None);
        }
        let params = params.to_json();
        message.set("params", params);
        Ok(Some(message.to_json().into_bytes()))
    });
    exists.then_some(line)
}

/// Whether the older revisions have a notification. They all have the same as far as the core sends them; what is no
/// notification of the specification's own is between the server and its clients.
fn is_known(method: &str) -> bool {
    !method.starts_with("notifications/")
        || matches!(
            method,
            "notifications/cancelled"
                | "notifications/message"
                | "notifications/progress"
                | "notifications/prompts/list_changed"
                | "notifications/resources/list_changed"
                | "notifications/resources/updated"
                | "notifications/tools/list_changed"
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::Revision::{V2024_11_05, V2025_03_26};

    #[track_caller]
    fn translated(revision: Revision, method: &str, params: &str) -> Option<String> {
        let head = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":"#);
        let line = notification(revision, format!("{head}{params}}}").into_bytes())?;
        let line = String::from_utf8(line).unwrap();
        Some(line.strip_prefix(&head).unwrap().strip_suffix('}').unwrap().to_owned())
    }

    #[test]
    fn progress_has_a_message_from_2025_03_26_on() {
        let params = r#"{"progressToken":"t","progress":0.5,"total":1,"message":"half"}"#;
        assert_eq!(translated(V2025_03_26, "notifications/progress", params).as_deref(), Some(params));
        assert_eq!(
            translated(V2024_11_05, "notifications/progress", params).as_deref(),
            Some(r#"{"progressToken":"t","progress":0.5,"total":1}"#)
        );
    }

    #[test]
    fn log_messages_are_the_same_in_all() {
        let params =
            r#"{"level":"info","logger":"l","data":{"message":"m","_meta":{"io.modelcontextprotocol/x":1}}}"#;
        for &revision in Revision::ALL {
            assert_eq!(translated(revision, "notifications/message", params).as_deref(), Some(params));
        }
    }

    #[test]
    fn the_stream_that_a_change_belongs_to_is_not_named() {
        for &revision in Revision::ALL {
            assert_eq!(
                translated(
                    revision,
                    "notifications/resources/updated",
                    r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1},"uri":"a:b"}"#
                )
                .as_deref(),
                Some(r#"{"uri":"a:b"}"#)
            );
            assert_eq!(
                translated(
                    revision,
                    "notifications/tools/list_changed",
                    r#"{"_meta":{"io.modelcontextprotocol/subscriptionId":1,"k":2}}"#
                )
                .as_deref(),
                Some(r#"{"_meta":{"k":2}}"#)
            );
        }
    }

    #[test]
    fn a_notification_may_have_no_params() {
        let bytes = |method: &str| format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#).into_bytes();
        let changed = bytes("notifications/prompts/list_changed");
        assert_eq!(notification(V2024_11_05, changed.clone()), Some(changed));
        assert_eq!(notification(V2024_11_05, bytes("notifications/subscriptions/acknowledged")), None);
    }

    #[test]
    fn what_a_revision_does_not_have_is_not_sent() {
        for &revision in Revision::ALL {
            for method in ["notifications/subscriptions/acknowledged", "notifications/tasks"] {
                assert_eq!(translated(revision, method, "{}"), None);
            }
        }
    }
}
