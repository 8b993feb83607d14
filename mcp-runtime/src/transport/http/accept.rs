//! What the client takes: `Accept`.

use http::HeaderMap;
use http::header::ACCEPT;

/// What the client takes.
///
/// "The client MUST include an `Accept` header listing both `application/json` and `text/event-stream`"
/// (Sending Messages). Many do not; a call is served all the same, as JSON, which leaves only its
/// notifications out. A method that is nothing but a stream is where the missing half is refused, with 406.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accepts {
    pub(crate) json: bool,
    /// Named outright: what says `*/*` seldom knows what to do with a stream.
    pub(crate) stream: bool,
}

impl Accepts {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let mut accepts = Self::default();
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in values.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';');
            let media = parts.next().unwrap_or_default().trim();
            if parts.any(is_zero_quality) {
                continue;
            }
            let is = |name| media.eq_ignore_ascii_case(name);
            accepts.json |= is("application/json") || is("application/*") || is("*/*");
            accepts.stream |= is("text/event-stream") || is("text/*");
        }
        accepts
    }

    /// The client takes a stream and nothing else.
    pub(crate) fn only_stream(self) -> bool {
        self.stream && !self.json
    }
}

/// "A value of 0 means 'not acceptable'." (RFC 9110, section 12.4.2)
fn is_zero_quality(parameter: &str) -> bool {
    parameter
        .split_once('=')
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
        .is_some_and(|(_, value)| value.trim().parse() == Ok(0.0_f32))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn what_clients_send() {
        for (accept, json, stream) in [
            (&[][..], false, false),
            (&["application/json, text/event-stream"], true, true),
            (&["application/json", "text/event-stream"], true, true),
            (&["Application/JSON;q=0.9,Text/Event-Stream ; charset=utf-8"], true, true),
            (&["application/json"], true, false),
            (&["*/*"], true, false),
            (&["application/*"], true, false),
            (&["text/event-stream"], false, true),
            (&["text/event-stream, */*;q=0.1"], true, true),
            (&["application/json, text/event-stream;q=0"], true, false),
            (&["application/json, text/event-stream; q=0.000"], true, false),
            (&["text/html"], false, false),
            (&[""], false, false),
        ] {
            let mut headers = HeaderMap::new();
            for value in accept {
                headers.append(ACCEPT, HeaderValue::from_static(value));
            }
            assert_eq!(Accepts::of(&headers), Accepts { json, stream }, "{accept:?}");
        }
    }
}
