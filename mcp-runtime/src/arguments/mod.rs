//! From the raw arguments of a request to the values of a function's parameters.

mod flat;
mod lend;
mod missing;
mod text;

pub(crate) use missing::is_optional;

use std::fmt::Display;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::lend::Failure;
use crate::dispatch::{Call, Given, Outcome};
use crate::registry::ParamPlan;
use crate::schema::explain::{self, Fault};
use crate::schema::path::Path;
use crate::schema::repair::repair;
use crate::{Error, FromContext};

/// The arguments of one call, decoded parameter by parameter; faults are gathered so that one answer names
/// them all.
pub struct Arguments<'call> {
    call: &'call Call,
    faults: Vec<Fault>,
    error: Option<Error>,
}

impl<'call> Arguments<'call> {
    pub(crate) fn new(call: &'call Call) -> Self {
        Self { call, faults: call.unknown_arguments(), error: None }
    }

    /// Decodes parameter `index`, or takes its default.
    pub(crate) fn decode<T>(&mut self, index: usize, default: Option<impl FnOnce() -> T>) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let plan = self.call.param(index);
        let given = match self.call.argument(&plan.name) {
            Ok(given) => given,
            Err(fault) => return self.fault(fault),
        };
        let json = match given {
            Given::Text(text) => return self.decode_text(plan, text),
            Given::Json(json) if !missing::stands_for_nothing(json, &plan.schema) => json,
            Given::Absent | Given::Json(_) => {
                if let Some(default) = default {
                    return Some(default());
                }
                if let Some(nothing) = missing::value_of_absent::<T>() {
                    return Some(nothing);
                }
                let Given::Json(null) = given else { return self.missing(plan) };
                null
            }
        };
        match lend::from_json::<T>(json, self.call.arena()) {
            Ok(value) if plan.check.is_none() => Some(value),
            Ok(value) => {
                let given = value_of_json(json);
                self.checked(plan, &plan.name, &given, value)
            }
            Err(failure) => {
                let given = value_of_json(json);
                self.decode_repaired(plan, &plan.name, &given, failure)
            }
        }
    }

    /// Decodes the arguments that no other parameter takes as the fields of one struct.
    pub(crate) fn decode_flat<T>(&mut self, index: usize) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let plan = self.call.param(index);
        self.decode_pairs(plan, self.call.pairs_besides_parameters())
    }

    /// Decodes all the arguments as the fields of one struct, as a handler takes them that was added at run time.
    pub(crate) fn decode_whole<T>(&mut self) -> Option<T>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let plan = self.call.plan().whole.as_ref()?;
        self.decode_pairs(plan, self.call.pairs_as_json().into_iter())
    }

    fn decode_pairs<T>(
        &mut self,
        plan: &'call ParamPlan,
        pairs: impl Iterator<Item = (&'call str, &'call str)> + Clone,
    ) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let strict = flat::from_pairs::<T>(pairs.clone(), self.call.arena());
        match strict {
            Ok(value) if plan.check.is_none() => Some(value),
            Ok(value) => self.checked(plan, "", &flat::to_value(pairs), value),
            Err(failure) => self.decode_repaired(plan, "", &flat::to_value(pairs), failure),
        }
    }

    /// Parses the text of parameter `index`, for a type that is only `FromStr`.
    pub(crate) fn parse<T>(&mut self, index: usize, default: Option<impl FnOnce() -> T>) -> Option<T>
    where
        T: FromStr<Err: Display>,
    {
        let plan = self.call.param(index);
        let Some(text) = self.decode::<Option<&'call str>>(index, None::<fn() -> Option<&'call str>>)? else {
            return default.map_or_else(|| self.missing(plan), |default| Some(default()));
        };
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => self.refuse(plan, &plan.name, &Value::from(text), &Path::default(), &error),
        }
    }

    /// Makes an injected parameter.
    pub(crate) fn inject<T: FromContext<'call>>(&mut self) -> Option<T> {
        match T::from_context(self.call.context()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }

    /// Whether no fault was noted: what a strict tool asks besides each parameter's value.
    pub fn is_faultless(&self) -> bool {
        self.faults.is_empty()
    }

    /// The answer to a call whose arguments do not fit.
    pub fn reject(self) -> Outcome {
        match self.error {
            Some(error) => Err(error),
            None => self.call.reject(&self.faults),
        }
    }

    fn decode_text<T>(&mut self, plan: &'call ParamPlan, text: &'call str) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let given = || value_of_text(text, &plan.schema);
        match text::from_text::<T>(text, self.call.arena()) {
            Ok(value) if plan.check.is_none() => Some(value),
            Ok(value) => self.check(plan, &plan.name, &given()).then_some(value),
            Err(error) => self.refuse(plan, &plan.name, &given(), error.path(), &error),
        }
    }

    /// The second try: values that arrived as strings are taken for what the schema says they are.
    #[cold]
    fn decode_repaired<T>(
        &mut self,
        plan: &'call ParamPlan,
        name: &str,
        given: &Value,
        strict: Failure,
    ) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let arena = self.call.arena();
        if let Some(number) = long_number(given, &plan.schema)
            && let Ok(value) = lend::from_json(arena.store(number.to_owned()), arena)
        {
            return self.check(plan, name, &value_of_json(number)).then_some(value);
        }
        let Failure { error, path } = match repair(given, &plan.schema) {
            Some(repaired) => match lend::from_json(arena.store(repaired.to_string()), arena) {
                Ok(value) => return self.check(plan, name, &repaired).then_some(value),
                // The first failure may be about what is put right by now.
                Err(failure) => failure,
            },
            None => strict,
        };
        self.refuse(plan, name, given, &path, &error)
    }

    /// The decoded value, if it is all that the schema demands. A type like `Value` also decodes the string that
    /// should have been an array: then it is decoded from what the schema makes of that.
    fn checked<T>(&mut self, plan: &'call ParamPlan, name: &str, given: &Value, value: T) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let arena = self.call.arena();
        if let Some(check) = &plan.check
            && !check.run(given).is_empty()
            && let Some(repaired) = repair(given, &plan.schema)
            && let Ok(value) = lend::from_json(arena.store(repaired.to_string()), arena)
        {
            return self.check(plan, name, &repaired).then_some(value);
        }
        self.check(plan, name, given).then_some(value)
    }

    /// What the schema demands beyond what the type does by itself.
    fn check(&mut self, plan: &'call ParamPlan, name: &str, given: &Value) -> bool {
        let Some(check) = &plan.check else { return true };
        let violations = check.run(given);
        let fits = violations.is_empty();
        self.faults.extend(explain::from_violations(name, given, &plan.schema, violations));
        fits
    }

    #[cold]
    fn refuse<T>(
        &mut self,
        plan: &'call ParamPlan,
        name: &str,
        given: &Value,
        path: &Path,
        error: &dyn Display,
    ) -> Option<T> {
        self.faults.extend(explain::explain(name, given, &plan.schema, path, &error.to_string()));
        None
    }

    #[cold]
    fn missing<T>(&mut self, plan: &'call ParamPlan) -> Option<T> {
        let mut fault = explain::missing(&plan.name, &plan.schema);
        if fault.hint.is_none() {
            // Perhaps it was sent under a name that is almost right.
            let near = crate::schema::nearest::nearest(&plan.name, self.call.foreign_names().into_iter());
            fault.hint = near.map(|sent| format!("`{sent}` was given; did you mean `{}`?", plan.name));
        }
        self.fault(fault)
    }

    fn fault<T>(&mut self, fault: Fault) -> Option<T> {
        self.faults.push(fault);
        None
    }
}

/// The value of a raw argument. What is JSON by its grammar and yet no value (`1e400`, half a surrogate pair, what is
/// nested too deep) is shown as it came.
fn value_of_json(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| json.into())
}

/// The digits of an integer that arrived as text, and that would lose some of them as a [`Value`].
fn long_number<'v>(given: &'v Value, schema: &Value) -> Option<&'v str> {
    let text = given.as_str()?.trim();
    let is_long = text.len() > 15 && crate::message::is_integer(text);
    (is_long && schema.get("type").and_then(Value::as_str) == Some("integer")).then_some(text)
}

/// The value that a text stands for, where the schema says that it is a number or a boolean.
fn value_of_text(text: &str, schema: &Value) -> Value {
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number" | "boolean" | "array" | "object") => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        _ => text.into(),
    }
}
