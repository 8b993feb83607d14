//! From the raw arguments of a request to the values of a function's parameters.

mod flat;
mod lend;
mod missing;

pub(crate) use missing::is_optional;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::arena::Arena;
use crate::dispatch::{Call, Outcome, Source};
use crate::registry::ParamPlan;
use crate::schema::{Fault, explain, missing as missing_fault, repair};
use crate::{Error, FromContext};

/// The arguments of one call, decoded parameter by parameter; faults are gathered so that one answer names
/// them all.
pub struct Arguments<'call> {
    call: &'call Call,
    faults: Vec<Fault>,
    error: Option<Error>,
}

/// One argument as it came.
pub(crate) enum Given<'call> {
    /// The client did not send it.
    Absent,
    /// Raw JSON.
    Json(&'call str),
    /// A string that stands for a typed value: a prompt's argument, a template's variable.
    Text(&'call str),
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
        let plan = self.call.plan(index);
        let given = match self.call.argument(plan.param.name) {
            Ok(given) => given,
            Err(fault) => return self.fault(fault),
        };
        let json = match given {
            Given::Text(text) => return self.decode_text(plan, text),
            // Models and typed clients send null for "not given".
            Given::Absent | Given::Json("null") => {
                if let Some(default) = default {
                    return Some(default());
                }
                if let Some(nothing) = missing::value_of_absent::<T>() {
                    return Some(nothing);
                }
                let Given::Json(null) = given else {
                    return self.fault(missing_fault(plan.param.name, &plan.schema));
                };
                null
            }
            Given::Json(json) => json,
        };
        match lend::from_json::<T>(json, self.call.arena()) {
            Ok(value) if plan.check.is_none() => Some(value),
            Ok(value) => self.check(plan, json).then_some(value),
            Err(error) => self.decode_repaired(plan, json, &error.to_string()),
        }
    }

    /// Decodes all the arguments as the fields of one struct.
    pub(crate) fn decode_flat<T>(&mut self, index: usize) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let plan = self.call.plan(index);
        let Source::Json(given) = self.call.source() else {
            self.error = Some(Error::internal("only a tool's arguments can be flattened"));
            return None;
        };
        let text = &self.call.context().request().text;
        let pairs = given.iter().map(|(name, value)| (name.get(text), text.get(*value)));
        let strict = flat::from_pairs::<T>(pairs.clone(), self.call.arena());
        if let (Ok(value), None) = (&strict, &plan.check) {
            let _ = value;
            return strict.ok();
        }
        let whole = flat::to_value(pairs);
        match strict {
            Ok(value) => self.check_value(plan, "", &whole).then_some(value),
            Err(error) => {
                if let Some(repaired) = repair(whole.clone(), &plan.schema)
                    && let Ok(value) = self.decode_owned(&repaired)
                {
                    return self.check_value(plan, "", &repaired).then_some(value);
                }
                self.faults.extend(explain("", &whole, &plan.schema, &error.to_string()));
                None
            }
        }
    }

    /// Decodes the elements of a `&[T]` parameter.
    pub fn slice<T>(&mut self, index: usize) -> Option<Vec<T>>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        self.decode(index, None::<fn() -> Vec<T>>)
    }

    /// The text of parameter `index`, for a type that is only `FromStr`.
    pub fn parse<T>(&mut self, index: usize, default: Option<impl FnOnce() -> T>) -> Option<T>
    where
        T: std::str::FromStr<Err: std::fmt::Display>,
    {
        let plan = self.call.plan(index);
        let text = match self.decode::<Option<&'call str>>(index, None::<fn() -> Option<&'call str>>)? {
            Some(text) => text,
            None => match default {
                Some(default) => return Some(default()),
                None => return self.fault(missing_fault(plan.param.name, &plan.schema)),
            },
        };
        match text.parse() {
            Ok(value) => Some(value),
            Err(error) => {
                let got = Value::from(text);
                self.faults.extend(explain(plan.param.name, &got, &plan.schema, &error.to_string()));
                None
            }
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
        match super::arguments::text::from_text::<T>(text, self.call.arena()) {
            Ok(value) if plan.check.is_none() => Some(value),
            Ok(value) => {
                let got = text::as_value(text, &plan.schema);
                self.check_value(plan, plan.param.name, &got).then_some(value)
            }
            Err(error) => {
                let got = text::as_value(text, &plan.schema);
                self.faults.extend(explain(plan.param.name, &got, &plan.schema, &error.to_string()));
                None
            }
        }
    }

    /// The second try: values that arrived as strings are taken for what the schema says they are.
    #[cold]
    fn decode_repaired<T>(&mut self, plan: &'call ParamPlan, json: &'call str, error: &str) -> Option<T>
    where
        T: Deserialize<'call> + JsonSchema,
    {
        let value: Value = match serde_json::from_str(json) {
            Ok(value) => value,
            Err(error) => {
                self.faults.extend(explain(plan.param.name, &Value::Null, &plan.schema, &error.to_string()));
                return None;
            }
        };
        if let Some(repaired) = repair(value.clone(), &plan.schema)
            && let Ok(decoded) = self.decode_owned(&repaired)
        {
            return self.check_value(plan, plan.param.name, &repaired).then_some(decoded);
        }
        self.faults.extend(explain(plan.param.name, &value, &plan.schema, error));
        None
    }

    fn decode_owned<T: Deserialize<'call>>(&self, value: &Value) -> Result<T, serde_json::Error> {
        let arena: &'call Arena = self.call.arena();
        lend::from_json(arena.push(value.to_string()), arena)
    }

    fn check(&mut self, plan: &'call ParamPlan, json: &str) -> bool {
        let value = serde_json::from_str(json).unwrap_or(Value::Null);
        self.check_value(plan, plan.param.name, &value)
    }

    fn check_value(&mut self, plan: &'call ParamPlan, name: &str, value: &Value) -> bool {
        let Some(check) = &plan.check else { return true };
        let before = self.faults.len();
        self.faults.extend(check.run(value).into_iter().map(|violation| Fault::of(name, violation)));
        self.faults.len() == before
    }

    fn fault<T>(&mut self, fault: Fault) -> Option<T> {
        self.faults.push(fault);
        None
    }
}

mod text;
