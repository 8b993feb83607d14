//! What a schema is compiled to.

use std::collections::HashMap;

use regex_lite::Regex;
use serde_json::{Number, Value};

use crate::schema::types::Types;

/// The place of a [`Node`] in its list. A recursive schema refers to itself by it.
pub(super) type Id = usize;

/// A compiled schema.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) keywords: Vec<Keyword>,
    /// What completes the sentence "expected …".
    pub(super) expected: String,
}

impl Node {
    /// Whether this schema admits nothing.
    pub(super) fn is_never(&self) -> bool {
        matches!(self.keywords.as_slice(), [Keyword::Never])
    }
}

/// One assertion or applicator.
#[derive(Debug)]
pub(super) enum Keyword {
    /// The schema `false`, also when written as `{"not": {}}`.
    Never,
    Types(Types),
    /// `enum`, and `const` as an `enum` of one.
    Constants(Vec<Value>),
    Minimum(Number),
    Maximum(Number),
    ExclusiveMinimum(Number),
    ExclusiveMaximum(Number),
    MultipleOf(Number),
    /// `minLength`, `maxLength`: in characters.
    Length(Bounds),
    Pattern(Regex),
    /// `minItems`, `maxItems`.
    Items(Bounds),
    UniqueItems,
    /// `minProperties`, `maxProperties`.
    Properties(Bounds),
    Required(Vec<Required>),
    DependentRequired(Vec<(String, Vec<String>)>),
    DependentSchemas(Vec<(String, Id)>),
    PropertyNames(Id),
    Members(Members),
    Elements(Elements),
    Contains {
        schema: Id,
        count: Bounds,
    },
    UnevaluatedProperties(Id),
    UnevaluatedItems(Id),
    Reference(Id),
    AllOf(Vec<Id>),
    AnyOf(Vec<Id>),
    OneOf(Vec<Id>),
    Not(Id),
    If {
        condition: Id,
        then: Option<Id>,
        otherwise: Option<Id>,
    },
    /// A composition in a schema that is checked with `Trust::Decoded`.
    Decoded(Vec<DecodedBranch>),
}

/// A count from one number to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) low: u64,
    pub(super) high: u64,
}

impl Bounds {
    /// Whether `count` is within them.
    pub(super) fn admit(self, count: usize) -> bool {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        (self.low..=self.high).contains(&count)
    }
}

/// A required property, and what is expected there.
#[derive(Debug)]
pub(super) struct Required {
    pub(super) name: String,
    pub(super) expected: String,
}

/// `properties`, `patternProperties` and `additionalProperties`, which depend on each other.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) named: HashMap<String, Id>,
    pub(super) patterns: Vec<(Regex, Id)>,
    pub(super) additional: Option<Id>,
    /// Properties that are not required, and may be `null` for "not given" where serde has already accepted that.
    pub(super) lenient: Option<Vec<String>>,
    /// The names of the properties, for telling what there is.
    pub(super) names: Vec<String>,
}

/// `prefixItems` and `items`.
#[derive(Debug, Default)]
pub(super) struct Elements {
    pub(super) prefix: Vec<Id>,
    pub(super) rest: Option<Id>,
}

/// A branch of a composition, when the value is known to be of one of the branches but not of which.
#[derive(Debug)]
pub(super) struct DecodedBranch {
    /// Everything but the bounds: tells whether the value is of this branch.
    pub(super) shape: Id,
    /// The bounds.
    pub(super) stated: Id,
}

impl Keyword {
    /// Whether it can find fault, given which nodes can. Something is always asserted except by a keyword that only
    /// leads to other schemas.
    pub(super) fn asserts(&self, live: &[bool]) -> bool {
        let any = |ids: &[Id]| ids.iter().any(|id| live[*id]);
        match self {
            Self::DependentSchemas(schemas) => schemas.iter().any(|(_, id)| live[*id]),
            Self::Members(members) => {
                members.named.values().any(|id| live[*id])
                    || members.patterns.iter().any(|(_, id)| live[*id])
                    || members.additional.is_some_and(|id| live[id])
            }
            Self::Elements(elements) => any(&elements.prefix) || elements.rest.is_some_and(|id| live[id]),
            Self::Reference(id) => live[*id],
            Self::AllOf(ids) => any(ids),
            Self::Decoded(branches) => branches.iter().any(|branch| live[branch.stated]),
            _ => true,
        }
    }
}

/// Which nodes can find fault, in themselves or in what they lead to.
pub(super) fn asserting(nodes: &[Node]) -> Vec<bool> {
    let mut live = vec![false; nodes.len()];
    loop {
        let mut changed = false;
        for (id, node) in nodes.iter().enumerate() {
            if !live[id] && node.keywords.iter().any(|keyword| keyword.asserts(&live)) {
                live[id] = true;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}
