//! What handlers that are made at run time take.

use std::collections::BTreeMap;

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::arguments::Arguments;
use crate::schema::normalize::{Contract, Generated, generate};

/// What a [`DynamicHandler`](crate::DynamicHandler) can take.
///
/// You never implement it: it is what is `Deserialize + JsonSchema`, a struct whose fields are the arguments or a map
/// such as `serde_json::Map<String, Value>`; or [`NoArguments`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the arguments of a tool, a resource or a prompt",
    label = "not `Deserialize + JsonSchema`",
    note = "add `#[derive(serde::Deserialize, schemars::JsonSchema)]` to `{Self}`, or take a `serde_json::Map<String, Value>`"
)]
pub trait DynamicArguments: Sized + Send + 'static {
    #[doc(hidden)]
    fn schema() -> Option<Described>;

    #[doc(hidden)]
    fn decode(arguments: &mut Arguments<'_>) -> Option<Self>;
}

/// The schema of arguments.
#[doc(hidden)]
pub struct Described(pub(crate) Generated);

#[diagnostic::do_not_recommend]
impl<A: DeserializeOwned + JsonSchema + Send + 'static> DynamicArguments for A {
    fn schema() -> Option<Described> {
        Some(Described(generate(SchemaGenerator::subschema_for::<A>, Contract::Input)))
    }

    fn decode(arguments: &mut Arguments<'_>) -> Option<Self> {
        arguments.decode_whole()
    }
}

/// Takes nothing from the client.
pub struct NoArguments(pub(crate) ());

impl DynamicArguments for NoArguments {
    fn schema() -> Option<Described> {
        None
    }

    fn decode(_: &mut Arguments<'_>) -> Option<Self> {
        Some(Self(()))
    }
}

/// The variables of a URI template, or the arguments of a prompt, as text by their names.
///
/// ```
/// use mcp_runtime::{Context, DynamicResource, Variables};
///
/// DynamicResource::new("notes://{year}/{day}", |on: Variables, _: Context| async move {
///     format!("the notes of {:?} {:?}", on.get("year"), on.get("day"))
/// });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Variables(BTreeMap<String, String>);

impl Variables {
    /// The text of one, if the client gave it.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}
