//! Results of resources (server/resources, Reading Resources).

use std::borrow::Cow;

use serde::Serialize;

use super::answer::{ResultWriter, write};
use super::{Answer, HandlerError, Json, classify};
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Audio, Error, Image, ResourceBody, ResourceContents};

/// A type that a `#[resource]` function can return.
///
/// | returned | what the client gets |
/// | --- | --- |
/// | `String`, `&str`, `Cow<str>` | text, `text/plain` where the attribute says no `mime` |
/// | `Vec<u8>`, `&[u8]`, `bytes::Bytes` | a blob, `application/octet-stream` likewise |
/// | [`Json<T>`] | its JSON as text, `application/json` likewise |
/// | [`Image`], [`Audio`] | a blob of their own MIME type |
/// | [`ResourceContents`], or a `Vec` of them | these contents |
/// | `Option<T>` | "Resource not found" for `None` |
/// | `Result<T, E>` | an internal error with the error's text for `Err` |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the contents of a resource",
    label = "not something that a resource returns",
    note = "return a `String`, `Vec<u8>`, `Json<{Self}>`, `ResourceContents` or a `Vec` of these contents",
    note = "an error type of `Result` has to convert into `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait ResourceOutput: Sized {
    /// Writes the contents.
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error>;

    /// Answers the call.
    #[doc(hidden)]
    fn respond(self, call: &Call) -> Outcome {
        let mut out = ResourceWriter::new(call);
        self.write(&mut out)?;
        Ok(out.finish())
    }
}

/// Where a [`ResourceOutput`] writes its contents.
pub struct ResourceWriter<'a> {
    result: ResultWriter<'a>,
    uri: &'a str,
    mime: Option<&'a str>,
    empty: bool,
}

impl<'a> ResourceWriter<'a> {
    fn new(call: &'a Call) -> Self {
        let mut result = ResultWriter::new(call.context());
        result.member("contents").push(b'[');
        Self { result, uri: call.uri(), mime: call.mime(), empty: true }
    }

    /// Adds contents; an empty `uri` stands for the one that is being read, and a missing MIME type for the
    /// one that the resource declares.
    pub fn contents(&mut self, mut contents: ResourceContents) {
        if contents.uri.is_empty() {
            self.uri.clone_into(&mut contents.uri);
        }
        if contents.mime_type.is_none() {
            let fallback = match contents.body {
                ResourceBody::Text { .. } => "text/plain",
                ResourceBody::Blob { .. } => "application/octet-stream",
            };
            contents.mime_type = Some(self.mime.unwrap_or(fallback).to_owned());
        }
        let out = self.block();
        write(out, &contents);
    }

    /// Adds text at the URI that is being read; `mime` where the resource declares none.
    pub fn text(&mut self, text: &str, mime: &'static str) {
        let (uri, mime) = (self.uri, self.mime.unwrap_or(mime));
        let out = self.block();
        out.extend_from_slice(br#"{"uri":"#);
        write(out, uri);
        out.extend_from_slice(br#","mimeType":"#);
        write(out, mime);
        out.extend_from_slice(br#","text":"#);
        write(out, text);
        out.push(b'}');
    }

    fn block(&mut self) -> &mut Vec<u8> {
        let out = self.result.buffer();
        if !std::mem::take(&mut self.empty) {
            out.push(b',');
        }
        out
    }

    fn finish(mut self) -> Answer {
        // "Servers MUST NOT return an empty `contents` array for a non-existent resource." An empty list is
        // an empty directory, which exists.
        self.result.buffer().push(b']');
        let cache = self.result.context().core().read_cache();
        self.result.raw_members(cache);
        self.result.finish(None)
    }

    fn not_found(&self) -> Error {
        Error::resource_not_found(self.uri)
    }
}

macro_rules! text_output {
    ($($type:ty),*) => {$(
        impl ResourceOutput for $type {
            fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
                out.text(&self, "text/plain");
                Ok(())
            }
        }
    )*};
}

text_output!(String, &str, Cow<'_, str>, Box<str>, std::sync::Arc<str>);

macro_rules! bytes_output {
    ($($type:ty),*) => {$(
        impl ResourceOutput for $type {
            fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
                out.contents(ResourceContents::bytes("", self));
                Ok(())
            }
        }
    )*};
}

bytes_output!(Vec<u8>, &[u8], bytes::Bytes);

impl<const N: usize> ResourceOutput for &[u8; N] {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        self.as_slice().write(out)
    }
}

impl<T: Serialize> ResourceOutput for Json<T> {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        let json = serde_json::to_string(&self.0).map_err(|error| {
            tracing::error!("the resource could not be serialized: {error}");
            Error::internal("The resource could not be serialized")
        })?;
        out.text(&json, "application/json");
        Ok(())
    }
}

impl ResourceOutput for ResourceContents {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        out.contents(self);
        Ok(())
    }
}

impl ResourceOutput for Vec<ResourceContents> {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        for contents in self {
            out.contents(contents);
        }
        Ok(())
    }
}

impl ResourceOutput for Image {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        out.contents(ResourceContents::bytes("", self.data).mime_type(self.mime_type));
        Ok(())
    }
}

impl ResourceOutput for Audio {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        out.contents(ResourceContents::bytes("", self.data).mime_type(self.mime_type));
        Ok(())
    }
}

impl<T: ResourceOutput> ResourceOutput for Option<T> {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        match self {
            Some(value) => value.write(out),
            None => Err(out.not_found()),
        }
    }
}

impl<T: ResourceOutput, E: HandlerError> ResourceOutput for Result<T, E> {
    fn write(self, out: &mut ResourceWriter<'_>) -> Result<(), Error> {
        match self {
            Ok(value) => value.write(out),
            Err(error) => Err(Error::internal(classify(out.result.context(), error)?)),
        }
    }
}
