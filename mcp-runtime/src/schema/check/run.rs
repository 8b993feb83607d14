//! From a value to what is wrong with it.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::keyword::{DecodedBranch, Elements, Id, Keyword, Members, Node};
use super::{MAX_VIOLATIONS, MISSING, Violation};
use crate::schema::number::{compare, equal, is_multiple, write_canonical};
use crate::schema::path::{Path, Segment, shown};
use crate::schema::phrase::listed;

/// How many schemas are applied to one value, and to all that is in it, before it is refused.
pub(super) const MAX_STEPS: u32 = 4_000_000;

/// How deep schemas are applied before a value is refused. JSON text nests 128 deep at most; references add to that.
const MAX_DEPTH: u16 = 400;

/// Every place in `value` that the schema `root` does not admit. `steps` is what may be spent on it, and what is left.
pub(super) fn run(nodes: &[Node], root: Id, value: &Value, steps: &mut u32) -> Vec<Violation> {
    let mut run = Run { nodes, violations: Vec::new(), path: Vec::new(), steps: *steps, depth: 0 };
    run.apply(root, value);
    *steps = run.steps;
    run.violations
}

pub(super) struct Run<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) violations: Vec<Violation>,
    pub(super) path: Vec<Segment>,
    /// How many more schemas may be applied.
    steps: u32,
    depth: u16,
}

impl<'a> Run<'a> {
    /// Applies a schema to the value at the current path.
    pub(super) fn apply(&mut self, id: Id, value: &Value) {
        if self.violations.len() >= MAX_VIOLATIONS {
            return;
        }
        if self.depth >= MAX_DEPTH || self.steps == 0 {
            return self.report(value, "a smaller value: this one takes too long to check");
        }
        self.steps -= 1;
        self.depth += 1;
        let nodes = self.nodes;
        let node = &nodes[id];
        if node.keywords.iter().all(|keyword| self.holds(keyword, value)) {
            for keyword in &node.keywords {
                self.descend(keyword, node, value);
            }
        } else {
            // One sentence says all that the schema expects of this value itself.
            self.report(value, &node.expected);
        }
        self.depth -= 1;
    }

    /// Whether a schema admits a value.
    pub(super) fn admits(&mut self, id: Id, value: &Value) -> bool {
        self.trial(id, value).is_empty()
    }

    /// What a schema finds wrong with a value, without reporting it.
    pub(super) fn trial(&mut self, id: Id, value: &Value) -> Vec<Violation> {
        let before = std::mem::take(&mut self.violations);
        self.apply(id, value);
        std::mem::replace(&mut self.violations, before)
    }

    /// Reports what a trial found.
    pub(super) fn extend(&mut self, found: Vec<Violation>) {
        for violation in found {
            self.add(violation);
        }
    }

    /// Reports the value at the current path.
    pub(super) fn report(&mut self, value: &Value, expected: &str) {
        self.push(Path(self.path.clone()), shown(value), expected.to_owned());
    }

    /// Reports a member of the value at the current path that is not there.
    pub(super) fn report_missing(&mut self, name: &str, expected: &str) {
        let path = Path(self.path.clone()).key(name);
        self.push(path, MISSING.to_owned(), expected.to_owned());
    }

    fn push(&mut self, path: Path, got: String, expected: String) {
        self.add(Violation { path, got, expected });
    }

    fn add(&mut self, violation: Violation) {
        if self.violations.len() < MAX_VIOLATIONS && !self.violations.contains(&violation) {
            self.violations.push(violation);
        }
    }

    /// Whether an assertion about the value itself holds. A keyword that is about another type always does.
    fn holds(&mut self, keyword: &Keyword, value: &Value) -> bool {
        match (keyword, value) {
            (Keyword::Never, _) => false,
            (Keyword::Types(types), _) => types.admit(value),
            (Keyword::Constants(constants), _) => constants.iter().any(|constant| equal(constant, value)),
            (Keyword::Minimum(bound), Value::Number(number)) => compare(number, bound).is_ge(),
            (Keyword::Maximum(bound), Value::Number(number)) => compare(number, bound).is_le(),
            (Keyword::ExclusiveMinimum(bound), Value::Number(number)) => compare(number, bound).is_gt(),
            (Keyword::ExclusiveMaximum(bound), Value::Number(number)) => compare(number, bound).is_lt(),
            (Keyword::MultipleOf(divisor), Value::Number(number)) => is_multiple(number, divisor),
            (Keyword::Length(bounds), Value::String(text)) => bounds.admit(text.chars().count()),
            (Keyword::Pattern(pattern), Value::String(text)) => pattern.is_match(text),
            (Keyword::Items(bounds), Value::Array(items)) => bounds.admit(items.len()),
            (Keyword::UniqueItems, Value::Array(items)) => are_unique(items),
            (Keyword::Contains { schema, count }, Value::Array(items)) => {
                let (schema, count) = (*schema, *count);
                let found = items.iter().filter(|item| self.admits(schema, item)).count();
                count.admit(found)
            }
            (Keyword::Properties(bounds), Value::Object(members)) => bounds.admit(members.len()),
            (Keyword::Not(schema), _) => !self.admits(*schema, value),
            _ => true,
        }
    }

    /// Follows a keyword to what is in the value, or to other schemas for it.
    fn descend(&mut self, keyword: &'a Keyword, node: &'a Node, value: &Value) {
        match (keyword, value) {
            (Keyword::Required(required), Value::Object(members)) => {
                for member in required {
                    if !members.contains_key(&member.name) {
                        self.report_missing(&member.name, &member.expected);
                    }
                }
            }
            (Keyword::DependentRequired(dependencies), Value::Object(members)) => {
                let triggered = dependencies.iter().filter(|(name, _)| members.contains_key(name));
                for (cause, name) in
                    triggered.flat_map(|(cause, names)| names.iter().map(move |name| (cause, name)))
                {
                    if !members.contains_key(name) {
                        self.report_missing(name, &format!("a value, because `{cause}` is given"));
                    }
                }
            }
            (Keyword::DependentSchemas(schemas), Value::Object(members)) => {
                for (_, schema) in schemas.iter().filter(|(name, _)| members.contains_key(name)) {
                    self.apply(*schema, value);
                }
            }
            (Keyword::PropertyNames(schema), Value::Object(members)) => {
                self.names(*schema, members);
            }
            (Keyword::Members(known), Value::Object(members)) => self.members(known, members),
            (Keyword::Elements(elements), Value::Array(items)) => self.elements(elements, items),
            (Keyword::Reference(schema), _) => self.apply(*schema, value),
            (Keyword::AllOf(schemas), _) => {
                for schema in schemas {
                    self.apply(*schema, value);
                }
            }
            (Keyword::AnyOf(schemas), _) => self.choose(schemas, &node.expected, value, false),
            (Keyword::OneOf(schemas), _) => self.choose(schemas, &node.expected, value, true),
            (Keyword::Decoded(branches), _) => self.decoded(branches, value),
            (Keyword::If { condition, then, otherwise }, _) => {
                let branch = if self.admits(*condition, value) { then } else { otherwise };
                if let Some(schema) = branch {
                    self.apply(*schema, value);
                }
            }
            (Keyword::UnevaluatedProperties(schema), Value::Object(members)) => {
                let mut seen = HashSet::new();
                self.evaluated_members(node, members, value, &mut seen);
                for (name, member) in members.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
                    self.member(name, *schema, member, &[]);
                }
            }
            (Keyword::UnevaluatedItems(schema), Value::Array(items)) => {
                let mut seen = HashSet::new();
                self.evaluated_items(node, items, value, &mut seen);
                for (index, item) in items.iter().enumerate().filter(|(index, _)| !seen.contains(index)) {
                    self.step(Segment::Index(index), *schema, item);
                }
            }
            _ => {}
        }
    }

    fn step(&mut self, segment: Segment, schema: Id, value: &Value) {
        self.path.push(segment);
        self.apply(schema, value);
        self.path.pop();
    }

    fn names(&mut self, schema: Id, members: &Map<String, Value>) {
        for name in members.keys() {
            let found = self.trial(schema, &Value::String(name.clone()));
            if let Some(first) = found.first() {
                let path = Path(self.path.clone()).key(name);
                let expected = format!("the name of a property to be {}", first.expected);
                self.push(path, shown(&Value::String(name.clone())), expected);
            }
        }
    }

    fn members(&mut self, known: &'a Members, members: &Map<String, Value>) {
        for (name, member) in members {
            let lenient = known.lenient.as_ref().is_some_and(|names| names.contains(name));
            if lenient && member.is_null() {
                continue;
            }
            let mut matched = false;
            if let Some(schema) = known.named.get(name) {
                matched = true;
                self.step(Segment::Key(name.clone()), *schema, member);
            }
            for (pattern, schema) in &known.patterns {
                if pattern.is_match(name) {
                    matched = true;
                    self.step(Segment::Key(name.clone()), *schema, member);
                }
            }
            if let Some(schema) = known.additional
                && !matched
            {
                self.member(name, schema, member, &known.names);
            }
        }
    }

    /// Applies a schema to a member that no property is named after.
    fn member(&mut self, name: &str, schema: Id, member: &Value, names: &[String]) {
        if !self.nodes[schema].is_never() {
            return self.step(Segment::Key(name.to_owned()), schema, member);
        }
        let expected = if names.is_empty() {
            "no such property".to_owned()
        } else {
            let names = names.iter().map(|name| format!("`{name}`"));
            format!("no property of this name (there are: {})", listed(names, ", "))
        };
        self.push(Path(self.path.clone()).key(name), shown(member), expected);
    }

    fn elements(&mut self, elements: &Elements, items: &[Value]) {
        for (index, item) in items.iter().enumerate() {
            let schema = elements.prefix.get(index).copied().or(elements.rest);
            if let Some(schema) = schema {
                self.step(Segment::Index(index), schema, item);
            }
        }
    }

    /// Checks the bounds of the branch that the value was decoded to. Which one that was is not known: of the branches
    /// whose shape the value has, one has to admit it.
    fn decoded(&mut self, branches: &[DecodedBranch], value: &Value) {
        let mut first = None;
        for branch in branches {
            if self.admits(branch.shape, value) {
                let trial = self.trial(branch.stated, value);
                if trial.is_empty() {
                    return;
                }
                first = first.or(Some(trial));
            }
        }
        self.extend(first.unwrap_or_default());
    }
}

/// Whether no two items are equal.
fn are_unique(items: &[Value]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| {
        let mut text = String::new();
        write_canonical(item, &mut text);
        seen.insert(text)
    })
}
