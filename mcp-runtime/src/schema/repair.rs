//! What a model wrote in a slightly wrong form, put right.
//!
//! Models send arrays and objects as JSON text in a string, numbers in quotes, `True`, and `null` for "not given". Where
//! the schema leaves no doubt about what was meant, the value is decoded; where it admits a string, a string is never
//! touched, whatever it looks like. It runs only after strict decoding has failed, so it costs a correct call nothing.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::{ptr, slice};

use serde_json::{Map, Number, Value};

use super::check::{Check, Trust};
use super::number::exact_integer;
use super::reference::resolve;
use super::types::Types;

/// How deep a repair follows schemas.
const MAX_DEPTH: u8 = 128;

/// How many schemas are applied in a repair before the rest of the value is left as it is.
const MAX_STEPS: u32 = 1_000_000;

/// `value` with everything decoded that `schema` shows to be encoded; `None` when there is nothing to repair.
pub(crate) fn repair(value: &Value, schema: &Value) -> Option<Value> {
    let repair = Repair { document: schema, checks: RefCell::default(), steps: Cell::new(MAX_STEPS) };
    match repair.repaired(value, schema, MAX_DEPTH) {
        Cow::Owned(repaired) if repaired != *value => Some(repaired),
        _ => None,
    }
}

/// What [`Check::compile_part`] makes of a branch.
type Compiled = Result<Option<Check>, String>;

/// Repairs values against the parts of one schema document.
struct Repair<'a> {
    document: &'a Value,
    /// The branches of compositions, compiled, by where they are in the document.
    checks: RefCell<HashMap<*const Value, Rc<Compiled>>>,
    steps: Cell<u32>,
}

impl Repair<'_> {
    fn repaired<'v>(&self, value: &'v Value, schema: &Value, depth: u8) -> Cow<'v, Value> {
        let (Some(depth), Value::Object(map)) = (depth.checked_sub(1), schema) else {
            return Cow::Borrowed(value);
        };
        let Some(steps) = self.steps.get().checked_sub(1) else {
            return Cow::Borrowed(value);
        };
        self.steps.set(steps);
        let mut repaired = self.of_its_type(value, schema, depth);
        if let Some(target) =
            map.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(reference, self.document))
        {
            replace(&mut repaired, |value| self.repaired(value, target, depth));
        }
        for part in list(map, "allOf") {
            replace(&mut repaired, |value| self.repaired(value, part, depth));
        }
        for keyword in ["anyOf", "oneOf"] {
            replace(&mut repaired, |value| self.of_one_branch(value, list(map, keyword), depth));
        }
        replace(&mut repaired, |value| match value {
            Value::Object(members) => self.members(value, members, map, depth),
            Value::Array(items) => self.items(value, items, map, depth),
            _ => Cow::Borrowed(value),
        });
        repaired
    }

    /// The value in the type that the schema asks for, if it says so and the value can be nothing else.
    fn of_its_type<'v>(&self, value: &'v Value, schema: &Value, depth: u8) -> Cow<'v, Value> {
        let Some(types) = Types::admitted(schema, self.document) else {
            return Cow::Borrowed(value);
        };
        match value {
            Value::String(text) if !types.contains(Types::STRING) => {
                if let Some(decoded) = decode(text, types) {
                    let repaired = self.repaired(&decoded, schema, depth).into_owned();
                    return Cow::Owned(repaired);
                }
            }
            Value::Number(number) if number.is_f64() && types.and(Types::NUMBER) == Types::INTEGER => {
                if let Some(integer) = exact_integer(number) {
                    return Cow::Owned(Value::Number(Number::from(integer)));
                }
            }
            _ => {}
        }
        Cow::Borrowed(value)
    }

    /// The value repaired by the one branch that it then fits. When it fits one as it is, or several, there is doubt,
    /// and it stays.
    fn of_one_branch<'v>(&self, value: &'v Value, branches: &[Value], depth: u8) -> Cow<'v, Value> {
        if branches.iter().any(|branch| self.fits(value, branch)) {
            return Cow::Borrowed(value);
        }
        let mut fitting = branches
            .iter()
            .filter(|branch| !self.rules_out(branch, value, depth))
            .map(|branch| (branch, self.repaired(value, branch, depth)))
            .filter(|(branch, repaired)| self.fits(repaired, branch))
            .map(|(_, repaired)| repaired);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            _ => Cow::Borrowed(value),
        }
    }

    fn fits(&self, value: &Value, schema: &Value) -> bool {
        let check = Rc::clone(
            self.checks
                .borrow_mut()
                .entry(ptr::from_ref(schema))
                .or_insert_with(|| Rc::new(Check::compile_part(schema, self.document, Trust::Whole))),
        );
        match &*check {
            Ok(Some(check)) => {
                let mut steps = self.steps.get();
                let fits = check.admits_within(value, &mut steps);
                self.steps.set(steps);
                fits
            }
            Ok(None) => true,
            Err(_) => false,
        }
    }

    /// Whether no repair makes the value fit an object schema, because a member is missing or is not the constant that
    /// it has to be. Without this, a tree of tagged variants would be repaired once for every combination of variants.
    fn rules_out(&self, schema: &Value, value: &Value, depth: u8) -> bool {
        let (Some(depth), Some(members)) = (depth.checked_sub(1), value.as_object()) else {
            return false;
        };
        let reference = schema.get("$ref").and_then(Value::as_str);
        if let Some(target) = reference.and_then(|reference| resolve(reference, self.document)) {
            return self.rules_out(target, value, depth);
        }
        let Value::Object(map) = schema else { return false };
        list(map, "required").iter().filter_map(Value::as_str).any(|name| {
            let Some(given) = members.get(name) else { return true };
            let property = map.get("properties").and_then(|properties| properties.get(name));
            let Some(property) = property else { return false };
            let constants = match (property.get("const"), property.get("enum")) {
                (Some(constant), _) => slice::from_ref(constant),
                (None, Some(Value::Array(constants))) => constants,
                _ => return false,
            };
            !given.is_object()
                && !given.is_array()
                && !constants.contains(given)
                && !constants.contains(&*self.repaired(given, property, depth))
        })
    }

    fn members<'v>(
        &self,
        value: &'v Value,
        members: &Map<String, Value>,
        map: &Map<String, Value>,
        depth: u8,
    ) -> Cow<'v, Value> {
        let properties = map.get("properties").and_then(Value::as_object);
        let additional = map.get("additionalProperties");
        let mut changed = Cow::Borrowed(value);
        for (name, member) in members {
            let property = properties.and_then(|properties| properties.get(name));
            let Some(schema) = property.or(additional) else {
                continue;
            };
            if member.is_null() || is_nothing(member, schema, self.document) {
                let required = list(map, "required").iter().any(|known| known == name);
                let excludes_null =
                    Types::admitted(schema, self.document).is_some_and(|types| !types.contains(Types::NULL));
                if property.is_some()
                    && !required
                    && excludes_null
                    && let Value::Object(members) = changed.to_mut()
                {
                    members.shift_remove(name);
                }
            } else if let Cow::Owned(repaired) = self.repaired(member, schema, depth) {
                changed.to_mut()[name.as_str()] = repaired;
            }
        }
        changed
    }

    fn items<'v>(
        &self,
        value: &'v Value,
        items: &[Value],
        map: &Map<String, Value>,
        depth: u8,
    ) -> Cow<'v, Value> {
        let prefix = list(map, "prefixItems");
        let mut changed = Cow::Borrowed(value);
        for (index, item) in items.iter().enumerate() {
            let Some(schema) = prefix.get(index).or(map.get("items")) else {
                continue;
            };
            if let Cow::Owned(repaired) = self.repaired(item, schema, depth) {
                changed.to_mut()[index] = repaired;
            }
        }
        changed
    }
}

/// Applies one more repair to what may have been repaired already.
fn replace(value: &mut Cow<'_, Value>, repair: impl Fn(&Value) -> Cow<'_, Value>) {
    if let Cow::Owned(repaired) = repair(value) {
        *value = Cow::Owned(repaired);
    }
}

/// The value that a string holds as JSON text, if it is of one of `types`.
fn decode(text: &str, types: Types) -> Option<Value> {
    let text = text.trim();
    let decoded = match text {
        "True" => Value::Bool(true),
        "False" => Value::Bool(false),
        _ => serde_json::from_str(text).ok()?,
    };
    // It stands for "not given", where that is possible: see [`is_nothing`].
    (!decoded.is_null() && types.admit(&decoded)).then_some(decoded)
}

/// Whether a value is the text "null" where no text can be: from a client that cannot send null itself.
pub(crate) fn is_nothing(value: &Value, schema: &Value, document: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim() == "null")
        && Types::admitted(schema, document).is_some_and(|types| !types.contains(Types::STRING))
}

/// The list under `keyword`.
fn list<'a>(map: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    map.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[allow(clippy::needless_pass_by_value, reason = "reads better with `json!`")]
    fn repair(value: Value, schema: &Value) -> Option<Value> {
        super::repair(&value, schema)
    }

    fn strings() -> Value {
        json!({ "type": "array", "items": { "type": "string" } })
    }

    #[test]
    fn c3_an_array_sent_as_text_is_decoded() {
        assert_eq!(repair(json!(r#"["a","b"]"#), &strings()), Some(json!(["a", "b"])));
        assert_eq!(repair(json!(" [1] "), &json!({ "type": "array", "items": {} })), Some(json!([1])));
        assert_eq!(repair(json!("a, b"), &strings()), None);
        assert_eq!(repair(json!(r#"{"a":1}"#), &strings()), None);
    }

    #[test]
    fn c3_a_string_is_never_touched_where_a_string_is_admitted() {
        for schema in [
            json!({ "type": "string" }),
            json!({ "type": ["string", "array"] }),
            json!({ "anyOf": [{ "type": "array" }, { "type": "string" }] }),
            json!({ "enum": ["[1]", 2] }),
            json!({}),
            json!({ "description": "anything" }),
            json!(true),
        ] {
            assert_eq!(repair(json!("[1]"), &schema), None, "{schema}");
        }
        assert_eq!(repair(json!(["1", "[2]"]), &strings()), None);
    }

    #[test]
    fn scalars_in_quotes_are_decoded() {
        for (text, kind, value) in [
            ("42", "integer", json!(42)),
            ("3.0", "integer", json!(3)),
            ("2.5", "number", json!(2.5)),
            ("true", "boolean", json!(true)),
            ("False", "boolean", json!(false)),
        ] {
            assert_eq!(repair(json!(text), &json!({ "type": kind })), Some(value), "{text}");
        }
        for (text, kind) in
            [("2.5", "integer"), ("yes", "boolean"), ("1", "boolean"), ("", "integer"), ("null", "null")]
        {
            assert_eq!(repair(json!(text), &json!({ "type": kind })), None, "{text}");
        }
    }

    #[test]
    fn whole_numbers_with_a_fraction_become_integers() {
        assert_eq!(repair(json!(3.0), &json!({ "type": "integer" })), Some(json!(3)));
        assert_eq!(repair(json!(3.5), &json!({ "type": "integer" })), None);
        assert_eq!(repair(json!(3.0), &json!({ "type": "number" })), None);
        assert_eq!(repair(json!(1e30), &json!({ "type": "integer" })), None);
    }

    #[test]
    fn c2_null_for_an_optional_property_is_not_given() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "type": "integer" },
                "b": { "type": "integer" },
                "c": { "type": ["integer", "null"] },
                "d": {},
            },
            "required": ["b"],
        });
        assert_eq!(
            repair(json!({ "a": null, "b": null, "c": null, "d": null }), &schema),
            Some(json!({ "b": null, "c": null, "d": null }))
        );
    }

    #[test]
    fn c2_null_in_quotes_is_not_given_where_it_can_be_nothing_else() {
        let schema = json!({
            "type": "object",
            "properties": { "a": { "type": "integer" }, "b": { "type": "string" }, "c": {} },
        });
        assert_eq!(
            repair(json!({ "a": "null", "b": "null", "c": "null" }), &schema),
            Some(json!({ "b": "null", "c": "null" }))
        );
        assert_eq!(repair(json!("null"), &schema["properties"]["a"]), None);
    }

    #[test]
    fn repairs_reach_every_depth() {
        let schema = json!({
            "type": "object",
            "properties": {
                "filter": {
                    "type": "object",
                    "properties": { "tags": strings(), "pair": {
                        "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "string" }],
                    } },
                },
                "tree": { "$ref": "#/$defs/Tree" },
            },
            "additionalProperties": { "type": "boolean" },
            "$defs": { "Tree": {
                "type": "object",
                "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } },
            } },
        });
        assert_eq!(
            repair(
                json!({
                    "filter": "{\"tags\": \"[\\\"1\\\"]\", \"pair\": [\"1\", \"2\"]}",
                    "tree": { "children": "[{\"children\": \"[]\"}]" },
                    "other": "True",
                }),
                &schema
            ),
            Some(json!({
                "filter": { "tags": ["1"], "pair": [1, "2"] },
                "tree": { "children": [{ "children": [] }] },
                "other": true,
            }))
        );
    }

    #[test]
    fn of_several_branches_only_one_may_fit() {
        let shape = json!({ "oneOf": [
            {
                "type": "object",
                "properties": { "kind": { "type": "string", "enum": ["circle"] }, "r": { "type": "number" } },
                "required": ["kind", "r"],
            },
            {
                "type": "object",
                "properties": { "kind": { "type": "string", "enum": ["text"] }, "r": { "type": "string" } },
                "required": ["kind", "r"],
            },
        ] });
        assert_eq!(
            repair(json!({ "kind": "circle", "r": "2" }), &shape),
            Some(json!({ "kind": "circle", "r": 2 }))
        );
        assert_eq!(repair(json!({ "kind": "text", "r": "2" }), &shape), None);
        assert_eq!(
            repair(json!("{\"kind\": \"circle\", \"r\": 2}"), &shape),
            Some(json!({ "kind": "circle", "r": 2 }))
        );
        let either = json!({ "anyOf": [{ "type": "integer" }, { "type": "number", "minimum": 1 }] });
        assert_eq!(repair(json!(["2"]), &either), None);
    }

    /// An expression: a tree of variants told apart by `kind`.
    fn expressions() -> Value {
        let of_kind = |kind: &str, member: &str, schema: Value| {
            json!({
                "type": "object",
                "properties": { "kind": { "type": "string", "enum": [kind] }, member: schema },
                "required": ["kind", member],
            })
        };
        let inner = json!({ "$ref": "#/$defs/e" });
        json!({ "$ref": "#/$defs/e", "$defs": { "e": { "oneOf": [
            of_kind("neg", "e", inner.clone()),
            of_kind("not", "e", inner.clone()),
            of_kind("abs", "e", inner),
            of_kind("lit", "v", json!({ "type": "integer" })),
        ] } } })
    }

    fn nested(leaf: Value) -> Value {
        (0..25).fold(json!({ "kind": "lit", "v": leaf }), |e, _| json!({ "kind": "not", "e": e }))
    }

    #[test]
    fn a_deep_tree_of_variants_is_repaired_along_its_own_branch_only() {
        assert_eq!(repair(nested(json!("1")), &expressions()), Some(nested(json!(1))));
        assert_eq!(repair(nested(json!("x")), &expressions()), None);
    }

    #[test]
    fn a_deep_tree_of_variants_is_checked_along_its_own_branch_only() {
        let check = Check::compile(&expressions(), Trust::Whole).unwrap().unwrap();
        assert_eq!(check.run(&nested(json!(1))), []);
        let violations = check.run(&nested(json!("x")));
        assert_eq!(violations.len(), 1);
        assert_eq!((violations[0].path.0.len(), &*violations[0].expected), (26, "an integer"));
    }

    #[test]
    fn a_tree_that_nothing_tells_apart_is_left_alone_in_time() {
        let inner =
            json!({ "type": "object", "properties": { "e": { "$ref": "#/$defs/e" } }, "required": ["e"] });
        let schema = json!({ "$ref": "#/$defs/e", "$defs": { "e": { "anyOf": [inner, inner, { "type": "integer" }] } } });
        let deep = (0..25).fold(json!("1"), |e, _| json!({ "e": e }));
        assert_eq!(repair(deep, &schema), None);
    }
}
