//! Arguments of a tool that are repeated in `Mcp-Param-*` headers (Custom Headers from Tool Parameters).

use std::borrow::Cow;
use std::fmt;

use http::HeaderMap;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::headers::{fault, malformed, mismatch, missing, only};
use super::mirror::{decoded, is_equal, shown};
use crate::message::Request;
use crate::protocol::Error;
use crate::schema::header::HeaderParam;

/// Compares the headers with the arguments that they repeat.
///
/// "Any server that processes the message body MUST validate that encoded header values, after decoding if
/// Base64-encoded, match the corresponding values in the request body." (Server Behavior for Custom Headers)
/// A header without a value is as much a second truth as one with another value.
pub(super) fn check(params: &[HeaderParam], headers: &HeaderMap, request: &Request) -> Result<(), Error> {
    for param in params {
        let header = only(headers, &param.header, &param.display)?;
        let value = argument(request, &param.path).map_err(|Twice| {
            let place = param.path.join(".");
            fault(format_args!("the argument `{place}` of the {} header is given twice", param.display))
        })?;
        let Some(json) = value else {
            let Some(header) = header else { continue };
            let found = String::from_utf8_lossy(header.as_bytes());
            return Err(mismatch(&param.display, &found, None));
        };
        let header = header.ok_or_else(|| missing(&param.display, Some(&shown(&json))))?;
        let found = decoded(header).map_err(|why| malformed(&param.display, header, why))?;
        if !is_equal(&found, &json, param.kind) {
            return Err(mismatch(&param.display, &found, Some(&shown(&json))));
        }
    }
    Ok(())
}

/// Two readers may take different ones of two equal keys.
#[derive(Debug, PartialEq)]
struct Twice;

/// The JSON of the argument at a path; `None` for null, and where there is none.
fn argument<'r>(request: &'r Request, path: &[String]) -> Result<Option<Cow<'r, str>>, Twice> {
    let Some((first, rest)) = path.split_first() else { return Ok(None) };
    let text = &request.text;
    let mut found = request.params.arguments.0.iter().filter(|(name, _)| name.get(text) == first);
    let Some((_, value)) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err(Twice);
    }
    inside(text.get(*value), rest)
}

fn inside<'j>(json: &'j str, path: &[String]) -> Result<Option<Cow<'j, str>>, Twice> {
    let Some((step, rest)) = path.split_first() else {
        return Ok((json != "null").then_some(Cow::Borrowed(json)));
    };
    match json.as_bytes().first() {
        Some(b'{') => {
            let Member { json, times } = member(json, step);
            match json {
                _ if times > 1 => Err(Twice),
                Some(json) => inside(json, rest),
                None => Ok(None),
            }
        }
        // An object that arrives as the text of one is decoded for the handler; it is no way around a check.
        Some(b'"') => {
            let decoded: String = serde_json::from_str(json).unwrap_or_default();
            let object = decoded.trim_ascii();
            if !object.starts_with('{') {
                return Ok(None);
            }
            Ok(inside(object, path)?.map(|value| Cow::Owned(value.into_owned())))
        }
        _ => Ok(None),
    }
}

/// A member of an object, and how often it is there.
struct Member<'j> {
    json: Option<&'j str>,
    times: usize,
}

fn member<'j>(object: &'j str, name: &str) -> Member<'j> {
    struct Find<'n>(&'n str);

    impl<'j> DeserializeSeed<'j> for Find<'_> {
        type Value = Member<'j>;

        fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<Member<'j>, D::Error> {
            deserializer.deserialize_map(self)
        }
    }

    impl<'j> Visitor<'j> for Find<'_> {
        type Value = Member<'j>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Member<'j>, A::Error> {
            let mut found = Member { json: None, times: 0 };
            while let Some(key) = map.next_key::<String>()? {
                if key == self.0 {
                    found.json = Some(map.next_value::<&'j RawValue>()?.get());
                    found.times += 1;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(found)
        }
    }

    let mut deserializer = serde_json::Deserializer::from_str(object);
    Find(name).deserialize(&mut deserializer).unwrap_or(Member { json: None, times: 0 })
}
