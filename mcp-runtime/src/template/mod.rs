//! URI templates (RFC 6570) in both directions: a URI into variables, and variables into a URI.
//!
//! RFC 6570 defines expansion only. Matching is defined here for the part of the language where it has one reading:
//!
//! | expression | expands to | matches |
//! | --- | --- | --- |
//! | `{x}`, `{x,y}` | `v`, `v,w` | unreserved and percent-encoded characters and any of `:@!$'()*+`, at least one |
//! | `{+x}` | `a/b` | reserved characters too, at least one |
//! | `{.x}`, `{.x,y}` | `.v`, `.v.w` | as `{x}`, behind a dot |
//! | `{/x}`, `{/x,y}` | `/v`, `/v/w` | as `{x}`, behind a slash |
//! | `{/x*}` | `/a/b` | one segment or more; the value is `a/b` |
//! | `{;x,y}` | `;x=v;y=w` | these parameters in any order, each optional |
//! | `{?x,y}`, `{&x,y}` | `?x=v&y=w` | query parameters in any order, each optional |
//! | `{#x}` | `#v` | the fragment, optional |
//!
//! - A value is percent-decoded; one that is not UTF-8 then does not match. `+` is a plus sign, not a space.
//! - Where several readings remain (`{a}-{b}`), the value further left is the shortest that lets the rest match.
//! - A segment of `{/x*}` with an encoded slash does not match: in the value it would look like two segments.
//! - A query parameter that the template does not name is ignored; one that it names matches at most once. A template
//!   without `{?..}` matches no query beyond its literal one.
//! - Literal scheme and host compare without regard to case, and any literal with its percent-encoding normalised
//!   (RFC 3986, section 6.2.2). A character outside ASCII counts as its percent-encoded UTF-8 (RFC 3987).
//! - `{?x}{&y}` is read as `{?x,y}`, so an absent `x` does not leave a query that begins with `&`.

mod compile;
#[cfg(test)]
mod expand;
mod matching;
mod overlap;
mod parse;
mod specificity;
mod spelling;
mod unit;

use std::borrow::Cow;
use std::fmt;

use compile::Step;
#[cfg(test)]
use parse::Part;
pub(crate) use specificity::Specificity;
pub(crate) use spelling::normal_spelling;

/// A parsed URI template.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    #[cfg(test)]
    source: String,
    #[cfg(test)]
    parts: Vec<Part>,
    variables: Vec<Variable>,
    steps: Vec<Step>,
}

/// One variable of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variable {
    /// The name as written.
    pub(crate) name: String,
    /// Whether a URI can match without it: in `{?x}`, `{&x}`, `{;x}` and `{#x}`.
    pub(crate) optional: bool,
    /// Whether it is a list of path segments, `{/x*}`, whose value has a `/` between its items.
    pub(crate) segments: bool,
    /// Where in the template it is named, in bytes.
    pub(crate) offset: usize,
}

/// Why a text is no template, or none that can be matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TemplateError {
    /// Where in the template, in bytes.
    pub(crate) offset: usize,
    /// What is wrong and what to write instead.
    pub(crate) message: String,
}

impl fmt::Display for TemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for TemplateError {}

impl Template {
    /// Parses a template and checks that it can be matched.
    pub(crate) fn parse(source: &str) -> Result<Self, TemplateError> {
        let (parts, variables) = parse::parse(source)?;
        let steps = compile::compile(&parts, &variables)?;
        Ok(Self {
            #[cfg(test)]
            source: source.to_owned(),
            #[cfg(test)]
            parts,
            variables,
            steps,
        })
    }

    /// The template as written.
    #[cfg(test)]
    pub(crate) fn as_str(&self) -> &str {
        &self.source
    }

    /// The variables in the order in which the template declares them.
    pub(crate) fn variables(&self) -> impl ExactSizeIterator<Item = &Variable> {
        self.variables.iter()
    }

    /// The decoded values of the variables in their order, if the whole URI matches. An optional variable that the URI
    /// leaves out is `None`.
    ///
    /// Takes time and memory proportional to the URI's length times the number of the template's parts.
    pub(crate) fn match_uri<'u>(&self, uri: &'u str) -> Option<Vec<Option<Cow<'u, str>>>> {
        matching::match_uri(&self.steps, &self.variables, uri)
    }

    /// The URI for these values, in the variables' order; a variable whose value is `None` or missing is left out, as
    /// section 3.2.1 of RFC 6570 says for an undefined one.
    #[cfg(test)]
    pub(crate) fn expand(&self, values: &[Option<&str>]) -> String {
        expand::expand(&self.parts, &self.variables, values)
    }

    /// How specific the template is; of the templates that match a URI, the greatest serves it.
    pub(crate) fn specificity(&self) -> Specificity {
        Specificity::of(&self.steps)
    }

    /// Whether some URI matches both templates and neither is the more specific one.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.specificity() == other.specificity() && overlap::intersect(self, other)
    }
}

#[cfg(test)]
mod properties;
