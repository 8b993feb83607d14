//! How far one request is: values that grow, bursts that are thinned out, and heartbeats between them.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::output::on_one_line;

/// A burst of progress that is passed on as it comes.
const BURST: f64 = 20.0;
/// Progress notifications a second after the burst.
const RATE: f64 = 20.0;
/// How much a heartbeat adds to the progress.
const TRACE: f64 = 1e-9;

/// What the author said last beside the value.
#[derive(Default)]
struct Repeated {
    total: Option<f64>,
    message: String,
}

/// The progress of one request, as far as its client was told.
pub(super) struct Progress {
    /// The author's last value.
    last: f64,
    /// The last value on its way to the client, which heartbeats carry beyond the author's.
    shown: f64,
    /// What heartbeats repeat, where there are any.
    repeated: Option<Repeated>,
    /// What is held back after a burst.
    pub(super) held: Option<Vec<u8>>,
    allowance: f64,
    refilled: Option<Instant>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            last: f64::NEG_INFINITY,
            shown: f64::NEG_INFINITY,
            repeated: None,
            held: None,
            allowance: BURST,
            refilled: None,
        }
    }

    /// The notification of a value of the author's; nothing where it has not grown. The client is shown the value
    /// itself, unless heartbeats have gone beyond it already.
    pub(super) fn advance(
        &mut self,
        token: &str,
        progress: f64,
        total: Option<f64>,
        message: &str,
    ) -> Option<Vec<u8>> {
        if !progress.is_finite() || progress <= self.last {
            return None;
        }
        let shown = if progress > self.shown { progress } else { self.above_shown()? };
        (self.last, self.shown) = (progress, shown);
        if let Some(repeated) = &mut self.repeated {
            *repeated = Repeated { total, message: message.to_owned() };
        }
        Some(notification(token, shown, total, message))
    }

    /// Remembers what is said from here on for heartbeats.
    pub(super) fn repeat(&mut self) {
        self.repeated = Some(Repeated::default());
    }

    /// The last notification once more, as a heartbeat.
    pub(super) fn beat(&mut self, token: &str) -> Option<Vec<u8>> {
        let shown = self.above_shown()?;
        let Repeated { total, message } = self.repeated.as_ref()?;
        let line = notification(token, shown, *total, message);
        self.shown = shown;
        Some(line)
    }

    /// When what is held back may go out.
    pub(super) fn held_until(&self) -> Option<Instant> {
        self.held.as_ref()?;
        let wait = (1.0 - self.allowance).max(0.0) / RATE;
        Some(self.refilled? + Duration::from_secs_f64(wait))
    }

    /// The value of a heartbeat: greater than every value before it, and by so little that the author's next one is
    /// almost always greater still. The first one of a call that has said nothing is zero.
    fn above_shown(&self) -> Option<f64> {
        if self.shown == f64::NEG_INFINITY {
            return Some(0.0);
        }
        Some((self.shown + TRACE).max(self.shown.next_up())).filter(|value| value.is_finite())
    }

    /// A token bucket: `BURST` at once, `RATE` a second.
    pub(super) fn take_allowance(&mut self, now: Instant) -> bool {
        if let Some(before) = self.refilled {
            let earned = now.saturating_duration_since(before).as_secs_f64() * RATE;
            self.allowance = (self.allowance + earned).min(BURST);
        }
        self.refilled = Some(now);
        if self.allowance < 1.0 {
            return false;
        }
        self.allowance -= 1.0;
        true
    }
}

fn notification(token: &str, progress: f64, total: Option<f64>, message: &str) -> Vec<u8> {
    let mut line =
        br#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"#.to_vec();
    line.extend_from_slice(token.as_bytes());
    line.extend_from_slice(br#","progress":"#);
    line.extend_from_slice(number(progress).to_string().as_bytes());
    if let Some(total) = total.filter(|total| total.is_finite()) {
        line.extend_from_slice(br#","total":"#);
        line.extend_from_slice(number(total).to_string().as_bytes());
    }
    if !message.is_empty() {
        line.extend_from_slice(br#","message":"#);
        line.extend_from_slice(json!(message).to_string().as_bytes());
    }
    line.extend_from_slice(b"}}");
    on_one_line(line)
}

/// `50.0` is written as `50`, as a person would write it.
#[allow(clippy::cast_possible_truncation, reason = "guarded by the comparison")]
fn number(value: f64) -> serde_json::Value {
    let whole = value as i64;
    #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "exactly equal is what is asked")]
    if whole as f64 == value && whole.unsigned_abs() < 1 << 53 { json!(whole) } else { json!(value) }
}
