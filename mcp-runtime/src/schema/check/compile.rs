//! From a schema to its keywords.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Trust;
use super::keyword::{DecodedBranch, Elements, Id, Keyword, Members, Node, asserting};
use crate::schema::path::shown;
use crate::schema::phrase::phrase;
use crate::schema::reference::{references, resolve};

/// How many schemas one schema may consist of.
const MAX_SCHEMAS: usize = 20_000;

/// How deep schemas may be nested.
const MAX_DEPTH: u16 = 200;

/// The dialect that schemas are read in.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Which keywords count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// All of them.
    Whole,
    /// The bounds that serde does not know, and what leads to them.
    Stated,
    /// Everything but these bounds, and `null` may stand for a property that is not required.
    Shape,
}

/// Compiles `schema`, whose references are those of `document`; `None` when it asserts nothing.
pub(super) fn compile(
    schema: &Value,
    document: &Value,
    trust: Trust,
) -> Result<Option<(Vec<Node>, Id)>, String> {
    if let Some(dialect) = document.get("$schema").and_then(Value::as_str)
        && dialect.trim_end_matches('#') != DIALECT
    {
        return Err(format!(
            "the schema's dialect `{dialect}` is not supported; write it in JSON Schema 2020-12 and leave `$schema` out"
        ));
    }
    let part = match trust {
        Trust::Decoded => Part::Stated,
        Trust::Whole => Part::Whole,
    };
    let mut compiler =
        Compiler { document, nodes: Vec::new(), known: HashMap::new(), at: Vec::new(), depth: 0 };
    let root = compiler.schema(schema, part)?;
    let live = asserting(&compiler.nodes);
    if trust == Trust::Decoded {
        for node in &mut compiler.nodes {
            node.keywords.retain(|keyword| keyword.asserts(&live));
        }
    }
    Ok(live[root].then_some((compiler.nodes, root)))
}

/// Compiles the schemas of one document.
pub(super) struct Compiler<'a> {
    pub(super) document: &'a Value,
    nodes: Vec<Node>,
    /// What is compiled already, by its place in memory, so that recursion ends.
    known: HashMap<(*const Value, Part), Id>,
    /// The way to the schema being compiled, for error messages.
    at: Vec<String>,
    depth: u16,
}

impl<'a> Compiler<'a> {
    fn schema(&mut self, schema: &'a Value, part: Part) -> Result<Id, String> {
        let key = (std::ptr::from_ref(schema), part);
        if let Some(id) = self.known.get(&key) {
            return Ok(*id);
        }
        if self.nodes.len() >= MAX_SCHEMAS {
            return Err(format!("the schema consists of more than {MAX_SCHEMAS} schemas"));
        }
        if self.depth >= MAX_DEPTH {
            return Err(self.fault(&format!("schemas are nested more than {MAX_DEPTH} deep")));
        }
        if !std::ptr::eq(schema, self.document)
            && schema.get("$id").is_some()
            && !references(schema).is_empty()
        {
            return Err(self.fault(
                "a `$ref` inside of a schema with an `$id` of its own is not supported; leave the `$id` out",
            ));
        }
        let id = self.nodes.len();
        self.nodes.push(Node::default());
        self.known.insert(key, id);
        self.depth += 1;
        let keywords = match schema {
            Value::Bool(true) => Vec::new(),
            schema if is_never(schema) && part == Part::Stated => Vec::new(),
            schema if is_never(schema) => vec![Keyword::Never],
            Value::Object(map) => self.keywords(map, part)?,
            other => {
                return Err(self.fault(&format!("a schema is an object, not {}", shown(other))));
            }
        };
        self.depth -= 1;
        self.nodes[id] = Node { keywords, expected: phrase(schema, self.document) };
        Ok(id)
    }

    fn keywords(&mut self, map: &'a Map<String, Value>, part: Part) -> Result<Vec<Keyword>, String> {
        for keyword in ["$dynamicRef", "$recursiveRef"] {
            if map.contains_key(keyword) {
                return Err(self.fault(&format!("`{keyword}` is not supported; use `$ref`")));
            }
        }
        let mut found = Vec::new();
        if part != Part::Stated {
            self.value_assertions(map, &mut found)?;
            self.object_assertions(map, &mut found)?;
        }
        if part != Part::Shape {
            self.bounds(map, &mut found)?;
        }
        if let Some(reference) = map.get("$ref") {
            let target = self.target(reference)?;
            found.push(Keyword::Reference(self.schema(target, part)?));
        }
        self.members(map, part, &mut found)?;
        self.elements(map, part, &mut found)?;
        self.composition(map, part, &mut found)?;
        if part == Part::Whole {
            self.conditions(map, &mut found)?;
        }
        Ok(found)
    }

    /// `properties`, `patternProperties`, `additionalProperties`.
    fn members(
        &mut self,
        map: &'a Map<String, Value>,
        part: Part,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        let keywords = ["properties", "patternProperties", "additionalProperties"];
        if !keywords.iter().any(|keyword| map.contains_key(*keyword)) {
            return Ok(());
        }
        let mut members = Members::default();
        for (name, schema) in self.named(map, "properties")?.into_iter().flatten() {
            members.named.insert(name.clone(), self.inside(&format!("properties/{name}"), schema, part)?);
            members.names.push(name.clone());
        }
        for (pattern, schema) in self.named(map, "patternProperties")?.into_iter().flatten() {
            let regex = self.regex(pattern)?;
            members.patterns.push((regex, self.inside("patternProperties", schema, part)?));
        }
        if let Some(schema) = map.get("additionalProperties") {
            // An unknown property is serde's affair, unless the bounds of one are asked for.
            if part != Part::Stated || schema.is_object() {
                members.additional = Some(self.inside("additionalProperties", schema, part)?);
            }
        }
        if part == Part::Shape {
            let required = map.get("required").and_then(Value::as_array);
            let is_required =
                |name: &String| required.is_some_and(|names| names.iter().any(|known| known == name));
            members.lenient = Some(members.names.iter().filter(|name| !is_required(name)).cloned().collect());
        }
        found.push(Keyword::Members(members));
        Ok(())
    }

    /// `prefixItems`, `items`.
    fn elements(
        &mut self,
        map: &'a Map<String, Value>,
        part: Part,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        let prefix = self.list(map, "prefixItems")?;
        let rest = map.get("items");
        if prefix.is_none() && rest.is_none() {
            return Ok(());
        }
        let elements = Elements {
            prefix: self.all("prefixItems", prefix.unwrap_or(&[]), part)?,
            rest: rest.map(|schema| self.inside("items", schema, part)).transpose()?,
        };
        found.push(Keyword::Elements(elements));
        Ok(())
    }

    /// `allOf`, `anyOf`, `oneOf`.
    fn composition(
        &mut self,
        map: &'a Map<String, Value>,
        part: Part,
        found: &mut Vec<Keyword>,
    ) -> Result<(), String> {
        if let Some(parts) = self.list(map, "allOf")? {
            found.push(Keyword::AllOf(self.all("allOf", parts, part)?));
        }
        for (keyword, assertion) in
            [("anyOf", Keyword::AnyOf as fn(Vec<Id>) -> Keyword), ("oneOf", Keyword::OneOf)]
        {
            let Some(branches) = self.list(map, keyword)? else {
                continue;
            };
            if part == Part::Stated {
                let branches = branches
                    .iter()
                    .map(|branch| {
                        Ok(DecodedBranch {
                            shape: self.inside(keyword, branch, Part::Shape)?,
                            stated: self.inside(keyword, branch, Part::Stated)?,
                        })
                    })
                    .collect::<Result<_, String>>()?;
                found.push(Keyword::Decoded(branches));
            } else {
                found.push(assertion(self.all(keyword, branches, part)?));
            }
        }
        Ok(())
    }

    /// The keywords that only a schema written by hand has.
    fn conditions(&mut self, map: &'a Map<String, Value>, found: &mut Vec<Keyword>) -> Result<(), String> {
        let part = Part::Whole;
        if let Some(schema) = map.get("not") {
            found.push(Keyword::Not(self.inside("not", schema, part)?));
        }
        if let Some(condition) = map.get("if") {
            let condition = self.inside("if", condition, part)?;
            let mut branch =
                |keyword| map.get(keyword).map(|schema| self.inside(keyword, schema, part)).transpose();
            let (then, otherwise) = (branch("then")?, branch("else")?);
            found.push(Keyword::If { condition, then, otherwise });
        }
        if let Some(schemas) = self.named(map, "dependentSchemas")? {
            let schemas = schemas
                .iter()
                .map(|(name, schema)| Ok((name.clone(), self.inside("dependentSchemas", schema, part)?)))
                .collect::<Result<_, String>>()?;
            found.push(Keyword::DependentSchemas(schemas));
        }
        // Last, as they are about what nothing else has looked at.
        if let Some(schema) = map.get("unevaluatedProperties") {
            found.push(Keyword::UnevaluatedProperties(self.inside("unevaluatedProperties", schema, part)?));
        }
        if let Some(schema) = map.get("unevaluatedItems") {
            found.push(Keyword::UnevaluatedItems(self.inside("unevaluatedItems", schema, part)?));
        }
        Ok(())
    }

    /// The schema that a `$ref` names.
    fn target(&self, reference: &Value) -> Result<&'a Value, String> {
        let reference = reference.as_str().ok_or_else(|| self.malformed("$ref", "a string", reference))?;
        resolve(reference, self.document).ok_or_else(|| {
            self.fault(&if reference.starts_with('#') {
                format!("`$ref` to `{reference}` names nothing in this schema")
            } else {
                format!("`$ref` to `{reference}` leads out of this schema, and nothing is fetched; put the target into `$defs`")
            })
        })
    }

    /// Compiles a schema under `keyword`.
    pub(super) fn inside(&mut self, keyword: &str, schema: &'a Value, part: Part) -> Result<Id, String> {
        self.at.push(keyword.to_owned());
        let id = self.schema(schema, part)?;
        self.at.pop();
        Ok(id)
    }

    fn all(&mut self, keyword: &str, schemas: &'a [Value], part: Part) -> Result<Vec<Id>, String> {
        schemas.iter().map(|schema| self.inside(keyword, schema, part)).collect()
    }

    fn list(&self, map: &'a Map<String, Value>, keyword: &str) -> Result<Option<&'a [Value]>, String> {
        map.get(keyword)
            .map(|value| match value {
                Value::Array(list) if !list.is_empty() => Ok(list.as_slice()),
                other => Err(self.malformed(keyword, "a list of schemas", other)),
            })
            .transpose()
    }

    /// The map under `keyword`.
    pub(super) fn named(
        &self,
        map: &'a Map<String, Value>,
        keyword: &str,
    ) -> Result<Option<&'a Map<String, Value>>, String> {
        map.get(keyword)
            .map(|value| value.as_object().ok_or_else(|| self.malformed(keyword, "an object", value)))
            .transpose()
    }

    /// The error for a keyword whose value makes no sense.
    pub(super) fn malformed(&self, keyword: &str, wanted: &str, value: &Value) -> String {
        self.fault(&format!("`{keyword}` must be {wanted}, not {}", shown(value)))
    }

    /// An error, with the place in the schema.
    pub(super) fn fault(&self, what: &str) -> String {
        if self.at.is_empty() {
            return what.to_owned();
        }
        format!("in the schema at `{}`: {what}", self.at.join("/"))
    }
}

/// Whether a schema is `false`, also when written as `{"not": {}}`.
fn is_never(schema: &Value) -> bool {
    match schema {
        Value::Bool(admits) => !admits,
        Value::Object(map) if map.len() == 1 => map.get("not").is_some_and(|not| match not {
            Value::Object(not) => not.is_empty(),
            other => *other == Value::Bool(true),
        }),
        _ => false,
    }
}
