//! Results of tools (server/tools, Tool Result).

use std::borrow::Cow;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Map, Value};

use super::answer::{ResultWriter, write};
use super::{Answer, HandlerError, Structured, classify};
use crate::dispatch::{Call, Outcome};
use crate::protocol::{Audio, Content, EmbeddedResource, Error, Image, ResourceContents, ResourceLink};

/// A type that a `#[tool]` function can return.
///
/// | returned | what the client gets |
/// | --- | --- |
/// | `()` | no content |
/// | `String`, `&str`, `Cow<str>`, numbers, `bool` | one block of text |
/// | [`Json<T>`] | `structuredContent` with an `outputSchema`, and the JSON as text |
/// | [`Image`], [`Audio`], [`ResourceLink`], [`EmbeddedResource`], [`Content`] | one block |
/// | `Vec<T>`, arrays, tuples | all their blocks |
/// | `Option<T>` | nothing for `None` |
/// | `Result<T, E>` | `isError: true` with the error's text for `Err` |
/// | [`ToolResult`] | what you put together |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    label = "not something that a tool returns",
    note = "return `Json<{Self}>` for structured content (needs `Serialize + JsonSchema`), or a `String`",
    note = "an error type of `Result` has to convert into `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait ToolOutput: Sized {
    /// The schema of `structuredContent`, where there is one.
    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        let _ = generator;
        None
    }

    /// Writes the blocks.
    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error>;

    /// Writes what stands for "nothing".
    #[doc(hidden)]
    fn write_none(out: &mut ToolWriter<'_>) -> Result<(), Error> {
        let _ = out;
        Ok(())
    }

    /// Answers the call.
    #[doc(hidden)]
    fn respond(self, call: &Call) -> Outcome {
        let mut out = ToolWriter::new(call);
        self.write(&mut out)?;
        Ok(out.finish())
    }
}

/// Where a [`ToolOutput`] writes its blocks.
pub struct ToolWriter<'a> {
    result: ResultWriter<'a>,
    empty: bool,
    structured: Option<Vec<u8>>,
    meta: Option<Map<String, Value>>,
    is_error: bool,
}

impl<'a> ToolWriter<'a> {
    pub(crate) fn new(call: &'a Call) -> Self {
        Self::for_context(call.context())
    }

    pub(crate) fn for_context(ctx: &'a crate::Context) -> Self {
        let mut result = ResultWriter::new(ctx);
        result.member("content").push(b'[');
        Self { result, empty: true, structured: None, meta: None, is_error: false }
    }

    /// A block of text.
    pub fn text(&mut self, text: &str) {
        let out = self.block();
        out.extend_from_slice(br#"{"type":"text","text":"#);
        write(out, text);
        out.push(b'}');
    }

    /// A block of any kind.
    pub fn content(&mut self, content: &Content) {
        let out = self.block();
        write(out, content);
    }

    /// The call's context.
    pub fn context(&self) -> &'a crate::Context {
        self.result.context()
    }

    /// `structuredContent`, and its JSON as text: "a tool that returns structured content SHOULD also return
    /// the serialized JSON in a `TextContent` block" (server/tools, Structured Content).
    pub fn structured(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        let json = self.structured_only(value)?;
        self.text(&json);
        Ok(())
    }

    /// Marks the result as a failure that the model can do something about.
    pub fn error(&mut self, text: &str) {
        self.is_error = true;
        self.text(text);
    }

    fn structured_only(&mut self, value: &(impl Serialize + ?Sized)) -> Result<String, Error> {
        let json = serde_json::to_string(value).map_err(|error| {
            tracing::error!("the result could not be serialized: {error}");
            Error::internal("The tool's result could not be serialized")
        })?;
        if self.structured.replace(json.clone().into_bytes()).is_some() {
            tracing::error!("a tool returned two `Json` values; a result has one `structuredContent`");
            return Err(Error::internal("The tool returned two structured results"));
        }
        Ok(json)
    }

    fn block(&mut self) -> &mut Vec<u8> {
        let out = self.result.buffer();
        if !std::mem::take(&mut self.empty) {
            out.push(b',');
        }
        out
    }

    pub(crate) fn finish(mut self) -> Answer {
        self.result.buffer().push(b']');
        if let Some(structured) = self.structured.filter(|_| !self.is_error) {
            self.result.member("structuredContent").extend_from_slice(&structured);
        }
        if self.is_error {
            self.result.member("isError").extend_from_slice(b"true");
        }
        self.result.finish(self.meta.as_ref())
    }
}

/// A typed result: `structuredContent` for programs, its JSON as text for models, and an `outputSchema`.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Weather {
///     /// In degrees Celsius.
///     temperature: f64,
/// }
///
/// /// The weather.
/// #[tool]
/// fn weather() -> Json<Weather> {
///     Json(Weather { temperature: 21.5 })
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Structured> ToolOutput for Json<T> {
    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        Some(generator.subschema_for::<T>())
    }

    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        out.structured(&self.0)
    }

    fn write_none(out: &mut ToolWriter<'_>) -> Result<(), Error> {
        out.structured(&())
    }
}

/// A result put together by hand.
///
/// ```
/// use mcp_runtime::prelude::*;
///
/// /// Try it.
/// #[tool]
/// fn attempt() -> ToolResult {
///     ToolResult::error("not today").content("try again tomorrow")
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    content: Vec<Content>,
    structured: Option<Value>,
    is_error: bool,
    meta: Option<Map<String, Value>>,
}

impl ToolResult {
    /// A result without content.
    pub fn new() -> Self {
        Self::default()
    }

    /// A failure that the model can do something about.
    pub fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], is_error: true, ..Self::default() }
    }

    /// Adds a block.
    pub fn content(mut self, block: impl Into<Content>) -> Self {
        self.content.push(block.into());
        self
    }

    /// Sets `structuredContent`. Its text is not added: say in blocks what a model should read.
    pub fn structured(mut self, value: Value) -> Self {
        self.structured = Some(value);
        self
    }

    /// Adds a value to the result's `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.get_or_insert_default().insert(key.into(), value.into());
        self
    }
}

impl ToolOutput for ToolResult {
    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        for block in &self.content {
            out.content(block);
        }
        if let Some(structured) = &self.structured {
            out.structured_only(structured)?;
        }
        out.is_error |= self.is_error;
        if let Some(meta) = self.meta {
            out.meta.get_or_insert_default().extend(meta);
        }
        Ok(())
    }
}

impl ToolOutput for () {
    fn write(self, _: &mut ToolWriter<'_>) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! text_output {
    ($($type:ty),*) => {$(
        impl ToolOutput for $type {
            fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
                out.text(&self);
                Ok(())
            }
        }
    )*};
}

text_output!(String, &str, Cow<'_, str>, Box<str>, std::sync::Arc<str>);

macro_rules! display_output {
    ($($type:ty),*) => {$(
        impl ToolOutput for $type {
            fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
                out.text(&self.to_string());
                Ok(())
            }
        }
    )*};
}

display_output!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, bool, char);

macro_rules! content_output {
    ($($type:ty),*) => {$(
        impl ToolOutput for $type {
            fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
                out.content(&self.into());
                Ok(())
            }
        }
    )*};
}

content_output!(Content, Image, Audio, ResourceLink, EmbeddedResource, ResourceContents);

impl<T: ToolOutput> ToolOutput for Option<T> {
    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        let inner = T::output_schema(generator)?;
        Some(schemars::json_schema!({ "anyOf": [inner, { "type": "null" }] }))
    }

    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        match self {
            Some(value) => value.write(out),
            None => T::write_none(out),
        }
    }
}

impl<T: ToolOutput, E: HandlerError> ToolOutput for Result<T, E> {
    fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
        T::output_schema(generator)
    }

    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        match self {
            Ok(value) => value.write(out),
            Err(error) => {
                out.error(&classify(out.context(), error)?);
                Ok(())
            }
        }
    }

    fn write_none(out: &mut ToolWriter<'_>) -> Result<(), Error> {
        T::write_none(out)
    }
}

/// A list of blocks; the JSON of a `Json<T>` in it is a block of text.
impl<T: ToolOutput> ToolOutput for Vec<T> {
    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        // A list has no one structured value; a `Json<Vec<T>>` has.
        let structured = out.structured.take();
        for item in self {
            item.write(out)?;
            out.structured = None;
        }
        out.structured = structured;
        Ok(())
    }
}

impl<T: ToolOutput, const N: usize> ToolOutput for [T; N] {
    fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
        Vec::from(self).write(out)
    }
}

macro_rules! tuple_output {
    ($($name:ident)*) => {
        impl<$($name: ToolOutput),*> ToolOutput for ($($name,)*) {
            fn output_schema(generator: &mut SchemaGenerator) -> Option<Schema> {
                None$(.or_else(|| $name::output_schema(generator)))*
            }

            #[allow(non_snake_case, reason = "a value is called as its type")]
            fn write(self, out: &mut ToolWriter<'_>) -> Result<(), Error> {
                let ($($name,)*) = self;
                $($name.write(out)?;)*
                Ok(())
            }
        }
    };
}

tuple_output!(A);
tuple_output!(A B);
tuple_output!(A B C);
tuple_output!(A B C D);
tuple_output!(A B C D E);
tuple_output!(A B C D E F);
tuple_output!(A B C D E F G);
tuple_output!(A B C D E F G H);
