//! The assertions of a schema about a value itself, as opposed to the schemas it applies.

use regex_lite::Regex;
use serde_json::{Map, Number, Value};

use super::compile::{Compiler, Part};
use super::keyword::{Bounds, Keyword, Required};
use crate::schema::number::{compare, exact_integer};
use crate::schema::phrase::phrase;
use crate::schema::types::Types;

impl<'a> Compiler<'a> {
    /// `type`, `enum`, `const`.
    pub(super) fn value_assertions(
        &self,
        map: &Map<String, Value>,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        if let Some(types) = map.get("type") {
            let types = Types::of_keyword(types).map_err(|fault| self.fault(&format!("`type`: {fault}")))?;
            found.push(Keyword::Types(types));
        }
        if let Some(values) = map.get("enum") {
            let values = values.as_array().ok_or_else(|| self.malformed("enum", "a list", values))?;
            found.push(Keyword::Constants(values.clone()));
        }
        if let Some(value) = map.get("const") {
            found.push(Keyword::Constants(vec![value.clone()]));
        }
        Ok(())
    }

    /// `required`, `dependentRequired`.
    pub(super) fn object_assertions(
        &self,
        map: &Map<String, Value>,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        if let Some(names) = map.get("required") {
            let expected = |name: &str| match map.get("properties").and_then(|known| known.get(name)) {
                Some(schema) => phrase(schema, self.document),
                None => "any value".to_owned(),
            };
            let required = self
                .names("required", names)?
                .into_iter()
                .map(|name| Required { expected: expected(&name), name });
            found.push(Keyword::Required(required.collect()));
        }
        if let Some(dependencies) = self.named(map, "dependentRequired")? {
            let dependencies = dependencies
                .iter()
                .map(|(name, names)| Ok((name.clone(), self.names("dependentRequired", names)?)))
                .collect::<Result<_, String>>()?;
            found.push(Keyword::DependentRequired(dependencies));
        }
        Ok(())
    }

    /// The keywords that state a bound.
    pub(super) fn bounds(
        &mut self,
        map: &'a Map<String, Value>,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        for (keyword, assertion) in [
            ("minimum", Keyword::Minimum as fn(Number) -> Keyword),
            ("maximum", Keyword::Maximum),
            ("exclusiveMinimum", Keyword::ExclusiveMinimum),
            ("exclusiveMaximum", Keyword::ExclusiveMaximum),
            ("multipleOf", Keyword::MultipleOf),
        ] {
            if let Some(value) = map.get(keyword) {
                let number = value.as_number().ok_or_else(|| self.malformed(keyword, "a number", value))?;
                if keyword == "multipleOf" && compare(number, &Number::from(0)).is_le() {
                    return Err(self.malformed(keyword, "a number greater than 0", value));
                }
                found.push(assertion(number.clone()));
            }
        }
        for (low, high, assertion) in [
            ("minLength", "maxLength", Keyword::Length as fn(Bounds) -> Keyword),
            ("minItems", "maxItems", Keyword::Items),
            ("minProperties", "maxProperties", Keyword::Properties),
        ] {
            found.extend(self.count(map, low, high)?.map(assertion));
        }
        if let Some(pattern) = map.get("pattern") {
            let text = pattern.as_str().ok_or_else(|| self.malformed("pattern", "a string", pattern))?;
            found.push(Keyword::Pattern(self.regex(text)?));
        }
        if map.get("uniqueItems") == Some(&Value::Bool(true)) {
            found.push(Keyword::UniqueItems);
        }
        if let Some(names) = map.get("propertyNames") {
            found.push(Keyword::PropertyNames(self.inside("propertyNames", names, Part::Whole)?));
        }
        if let Some(schema) = map.get("contains") {
            let count = self.count(map, "minContains", "maxContains")?;
            let schema = self.inside("contains", schema, Part::Whole)?;
            let stated = map.contains_key("minContains");
            let count = count.unwrap_or(Bounds { low: 1, high: u64::MAX });
            found.push(Keyword::Contains {
                schema,
                count: Bounds { low: if stated { count.low } else { 1 }, high: count.high },
            });
        }
        Ok(())
    }

    /// A list of property names.
    fn names(&self, keyword: &str, value: &Value) -> Result<Vec<String>, String> {
        value
            .as_array()
            .and_then(|names| names.iter().map(|name| name.as_str().map(str::to_owned)).collect())
            .ok_or_else(|| self.malformed(keyword, "a list of property names", value))
    }

    /// A count between two keywords; `None` when neither is there.
    fn count(&self, map: &Map<String, Value>, low: &str, high: &str) -> Result<Option<Bounds>, String> {
        let bound = |keyword: &str| {
            map.get(keyword)
                .map(|value| {
                    whole(value).ok_or_else(|| self.malformed(keyword, "an integer, 0 or greater", value))
                })
                .transpose()
        };
        let (low, high) = (bound(low)?, bound(high)?);
        if low.is_none() && high.is_none() {
            return Ok(None);
        }
        Ok(Some(Bounds { low: low.unwrap_or(0), high: high.unwrap_or(u64::MAX) }))
    }

    /// A pattern, compiled.
    pub(super) fn regex(&self, pattern: &str) -> Result<Regex, String> {
        Regex::new(pattern)
            .map_err(|error| self.fault(&format!("the pattern `{pattern}` cannot be used: {error}")))
    }
}

/// A count, also when written as `3.0`.
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = exact_integer(value.as_number()?)?;
        u64::try_from(number).ok()
    })
}
