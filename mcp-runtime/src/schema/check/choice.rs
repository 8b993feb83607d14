//! What to say when none of several schemas fits, and which members and items a schema has looked at.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::Violation;
use super::keyword::{Id, Keyword, Node};
use super::run::Run;
use crate::schema::number::equal;
use crate::schema::path::Segment;
use crate::schema::phrase::one_of;

/// A member, and the values that it may have.
type ConstantMember<'a> = (&'a String, &'a [Value]);

impl<'a> Run<'a> {
    /// Applies `anyOf`, or `oneOf` when exactly one schema has to fit.
    ///
    /// When none fits, the branch that was meant is found if possible, by its tag or by being the nearest, and its
    /// violations are reported: "`shape.radius` is a string" helps more than "no variant fits".
    pub(super) fn choose(&mut self, branches: &[Id], expected: &str, value: &Value, exactly: bool) {
        let mut trials = Vec::new();
        let mut fitting = 0;
        for branch in branches {
            // What the value's own members rule out is not followed into them: a tree of tagged variants would be
            // walked once for every combination of variants.
            if self.rules_out(*branch, value) {
                trials.push(None);
                continue;
            }
            let trial = self.trial(*branch, value);
            if trial.is_empty() {
                fitting += 1;
                if !exactly {
                    return;
                }
            }
            trials.push(Some(trial));
        }
        if fitting == 1 {
            return;
        }
        if fitting > 1 {
            return self.report(value, &format!("a value that fits only one of: {expected}"));
        }
        if let Value::Object(members) = value
            && let Some(tag) = self.tag(branches)
        {
            let Some(given) = members.get(&tag.name) else {
                return self.report_missing(&tag.name, &one_of(&tag.constants()));
            };
            let meant: Vec<usize> =
                (0..tag.branches.len()).filter(|index| tag.branches[*index].1.contains(given)).collect();
            match meant.as_slice() {
                [] => {
                    self.path.push(Segment::Key(tag.name.clone()));
                    self.report(given, &one_of(&tag.constants()));
                    self.path.pop();
                    return;
                }
                [only] => {
                    let meant = branches.iter().position(|branch| *branch == tag.branches[*only].0);
                    let trial = meant.and_then(|index| trials[index].take());
                    let trial = trial.unwrap_or_else(|| self.trial(tag.branches[*only].0, value));
                    return self.extend(trial);
                }
                _ => {}
            }
        }
        let trials: Vec<Vec<Violation>> = std::iter::zip(branches, trials)
            .map(|(branch, trial)| trial.unwrap_or_else(|| self.trial(*branch, value)))
            .collect();
        // A violation at the value itself means that it is of another kind altogether.
        let inside = trials
            .iter()
            .filter(|trial| trial.iter().all(|violation| violation.path.0.len() > self.path.len()));
        let fewest = inside.clone().map(Vec::len).min();
        let mut nearest = inside.filter(|trial| Some(trial.len()) == fewest);
        match (nearest.next(), nearest.next()) {
            (Some(only), None) => {
                let only = only.clone();
                self.extend(only);
            }
            _ => self.report(value, expected),
        }
    }

    /// Whether a member that is missing, or that is not the constant it has to be, keeps a schema from admitting the
    /// value, so that nothing else has to be looked at.
    fn rules_out(&self, schema: Id, value: &Value) -> bool {
        let Value::Object(members) = value else { return false };
        let schema = self.referenced(schema);
        self.nodes[schema].keywords.iter().any(|keyword| match keyword {
            Keyword::Required(required) => required.iter().any(|member| !members.contains_key(&member.name)),
            _ => false,
        }) || self.constant_members(schema).iter().any(|(name, constants)| {
            members.get(*name).is_some_and(|given| !constants.iter().any(|constant| equal(constant, given)))
        })
    }

    /// The property whose constant tells the object branches apart, if there is one.
    fn tag(&self, branches: &[Id]) -> Option<Tag> {
        let objects: Vec<(Id, Vec<ConstantMember<'a>>)> = branches
            .iter()
            .map(|branch| (*branch, self.constant_members(*branch)))
            .filter(|(_, members)| !members.is_empty())
            .collect();
        let (_, first) = objects.first()?;
        if objects.len() < 2 {
            return None;
        }
        first.iter().find_map(|(name, _)| {
            let branches = objects
                .iter()
                .map(|(branch, members)| {
                    let (_, constants) = members.iter().find(|(other, _)| other == name)?;
                    Some((*branch, constants.to_vec()))
                })
                .collect::<Option<_>>()?;
            Some(Tag { name: (*name).clone(), branches })
        })
    }

    /// The required members of an object schema that have to be constants.
    fn constant_members(&self, schema: Id) -> Vec<ConstantMember<'a>> {
        let schema = self.referenced(schema);
        let nodes = self.nodes;
        let keywords = &nodes[schema].keywords;
        let members = keywords.iter().find_map(|keyword| match keyword {
            Keyword::Members(members) => Some(members),
            _ => None,
        });
        let required = keywords.iter().find_map(|keyword| match keyword {
            Keyword::Required(required) => Some(required),
            _ => None,
        });
        let (Some(members), Some(required)) = (members, required) else {
            return Vec::new();
        };
        required
            .iter()
            .filter_map(|required| {
                let member = &nodes[*members.named.get(&required.name)?];
                member.keywords.iter().find_map(|keyword| match keyword {
                    Keyword::Constants(values) => Some((&required.name, values.as_slice())),
                    _ => None,
                })
            })
            .collect()
    }

    /// The schema that one stands for which is nothing but a reference.
    fn referenced(&self, mut schema: Id) -> Id {
        // References that go round in a circle end somewhere on it.
        for _ in 0..self.nodes.len() {
            match self.nodes[schema].keywords.as_slice() {
                [Keyword::Reference(target)] if *target != schema => schema = *target,
                _ => break,
            }
        }
        schema
    }

    /// Collects the names of the members that a schema has looked at (Core 2020-12, section 11.3), its own
    /// `unevaluatedProperties` aside.
    pub(super) fn evaluated_members<'v>(
        &mut self,
        node: &'a Node,
        members: &'v Map<String, Value>,
        value: &Value,
        seen: &mut HashSet<&'v str>,
    ) {
        for keyword in &node.keywords {
            if let Keyword::Members(known) = keyword {
                for name in members.keys() {
                    if known.additional.is_some()
                        || known.named.contains_key(name)
                        || known.patterns.iter().any(|(pattern, _)| pattern.is_match(name))
                    {
                        seen.insert(name);
                    }
                }
            }
            for schema in self.applied(keyword, value) {
                let nodes = self.nodes;
                let node = &nodes[schema];
                let all = |keyword: &Keyword| matches!(keyword, Keyword::UnevaluatedProperties(_));
                if node.keywords.iter().any(all) {
                    seen.extend(members.keys().map(String::as_str));
                }
                self.evaluated_members(node, members, value, seen);
            }
        }
    }

    /// Collects the places of the items that a schema has looked at (Core 2020-12, section 11.2), its own
    /// `unevaluatedItems` aside.
    pub(super) fn evaluated_items(
        &mut self,
        node: &'a Node,
        items: &[Value],
        value: &Value,
        seen: &mut HashSet<usize>,
    ) {
        for keyword in &node.keywords {
            match keyword {
                Keyword::Elements(elements) if elements.rest.is_some() => {
                    seen.extend(0..items.len());
                }
                Keyword::Elements(elements) => seen.extend(0..elements.prefix.len()),
                Keyword::Contains { schema, .. } => {
                    seen.extend((0..items.len()).filter(|index| self.admits(*schema, &items[*index])));
                }
                _ => {}
            }
            for schema in self.applied(keyword, value) {
                let nodes = self.nodes;
                let node = &nodes[schema];
                let all = |keyword: &Keyword| matches!(keyword, Keyword::UnevaluatedItems(_));
                if node.keywords.iter().any(all) {
                    seen.extend(0..items.len());
                }
                self.evaluated_items(node, items, value, seen);
            }
        }
    }

    /// The schemas that a keyword applies to the value itself, and that admit it. A reference to a schema that refers
    /// back to itself without a step into the value ends here, because it never admits anything.
    fn applied(&mut self, keyword: &Keyword, value: &Value) -> Vec<Id> {
        let candidates: Vec<Id> = match keyword {
            Keyword::Reference(schema) => vec![*schema],
            Keyword::AllOf(schemas) | Keyword::AnyOf(schemas) | Keyword::OneOf(schemas) => schemas.clone(),
            Keyword::If { condition, then, otherwise } => {
                if self.admits(*condition, value) {
                    [Some(*condition), *then].into_iter().flatten().collect()
                } else {
                    otherwise.iter().copied().collect()
                }
            }
            Keyword::DependentSchemas(schemas) => schemas
                .iter()
                .filter(|(name, _)| value.get(name).is_some())
                .map(|(_, schema)| *schema)
                .collect(),
            _ => Vec::new(),
        };
        candidates.into_iter().filter(|schema| self.admits(*schema, value)).collect()
    }
}

/// A property that tells the branches of a composition apart.
struct Tag {
    name: String,
    branches: Vec<(Id, Vec<Value>)>,
}

impl Tag {
    /// Every value that the property may have.
    fn constants(&self) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for value in self.branches.iter().flat_map(|(_, values)| values) {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        values
    }
}
