//! What the types of a function tell the registry, collected once at start-up.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use crate::FromContext;
use crate::arguments::is_optional;
use crate::parameter::Requirements;

/// Filled by an entry's `describe` function.
#[derive(Default)]
pub struct Signature {
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output_schema: Option<fn(&mut SchemaGenerator) -> Option<Schema>>,
    pub(crate) requirements: Requirements,
    /// Whether a parameter gives the function its context, and with it the means to ask the client and to change the
    /// server.
    pub(crate) takes_context: bool,
}

/// The type of one parameter.
pub(crate) enum Parameter {
    /// It comes from the client.
    Argument {
        /// Makes the type's schema, before it is normalised.
        schema: fn(&mut SchemaGenerator) -> Schema,
        /// Whether the type has a value for "not given", as `Option` has.
        optional: bool,
    },
    /// It comes from the server.
    Injected,
}

impl Signature {
    pub(crate) fn argument<'call, T: Deserialize<'call> + JsonSchema>(&mut self, index: usize) {
        debug_assert_eq!(index, self.parameters.len());
        self.parameters
            .push(Parameter::Argument { schema: |g| g.subschema_for::<T>(), optional: is_optional::<T>() });
    }

    pub(crate) fn injected<'call, T: FromContext<'call>>(&mut self, index: usize) {
        debug_assert_eq!(index, self.parameters.len());
        let states = self.requirements.states.len();
        T::requires(&mut self.requirements);
        // What is not taken from a state is taken from the context, or is the context itself.
        self.takes_context |= self.requirements.states.len() == states;
        self.parameters.push(Parameter::Injected);
    }

    /// A parameter that is only `FromStr`.
    pub(crate) fn text(&mut self, index: usize) {
        self.argument::<String>(index);
    }

    /// The result of a tool. The macro names `<T as ToolOutput>::output_schema` itself, so that a type without the
    /// trait is one error on that type.
    pub fn tool_output(&mut self, schema: fn(&mut SchemaGenerator) -> Option<Schema>) {
        self.output_schema = Some(schema);
    }
}
