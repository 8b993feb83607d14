//! From `tracing` to the client.

use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context as LayerContext;

use crate::context::current;
use crate::protocol::LogLevel;

/// A `tracing` layer that sends the events of a call to the client that asked for log messages.
///
/// [`Server::run`](crate::Server::run) and [`main!`](crate::main!) install it; add it yourself to a
/// subscriber of your own. Events outside of calls, and those of clients that did not ask, go nowhere.
///
/// ```
/// use tracing_subscriber::layer::SubscriberExt as _;
///
/// let subscriber = tracing_subscriber::registry().with(mcp_runtime::LogLayer);
/// # drop(subscriber);
/// ```
///
/// ```json
/// {"method": "notifications/message",
///  "params": {"level": "info", "logger": "weather::upstream", "data": {"message": "asking", "city": "Oslo"}}}
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LogLayer;

impl<S: Subscriber> Layer<S> for LogLayer {
    fn on_event(&self, event: &Event<'_>, _: LayerContext<'_, S>) {
        let Some(ctx) = current() else { return };
        let level = match *event.metadata().level() {
            Level::ERROR => LogLevel::Error,
            Level::WARN => LogLevel::Warning,
            Level::INFO => LogLevel::Info,
            Level::DEBUG | Level::TRACE => LogLevel::Debug,
        };
        if !ctx.wants_log(level) {
            return;
        }
        let mut fields = Fields(Map::new());
        event.record(&mut fields);
        let data = match fields.0.remove("message") {
            Some(message) if fields.0.is_empty() => message,
            Some(message) => {
                fields.0.shift_insert(0, "message".to_owned(), message);
                Value::Object(fields.0)
            }
            None => Value::Object(fields.0),
        };
        ctx.log_as(level, Some(event.metadata().target()), &data);
    }
}

struct Fields(Map<String, Value>);

impl Fields {
    fn insert(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.insert(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.insert(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.insert(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.insert(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.insert(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.insert(field, value);
    }
}
