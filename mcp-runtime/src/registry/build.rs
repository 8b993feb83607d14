//! From the inventory to a validated registry.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::{
    About, Entries, Entry, Facts, Faults, Hints, Label, Lister, Plan, Prompt, PromptEntry, Resource,
    ResourceEntry, ResourceTemplate, Tool, ToolEntry, listing,
};
use crate::schema::check::{Check, Trust};
use crate::schema::header::header_parameters;
use crate::template::{Template, Variable};

/// The entries that a server offers: all that are linked, or those of some modules and groups.
#[derive(Default)]
pub(crate) struct Selection {
    pub(crate) only: Vec<String>,
}

impl Selection {
    fn takes(&self, about: &About) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| is_within(about, name))
    }
}

/// Whether an entry belongs to the group or module `name`, or to a module inside it.
fn is_within(about: &About, name: &str) -> bool {
    about.group == Some(name)
        || about.module.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Prepares the linked entries and puts them beside those that were added before, noting every fault of every entry.
pub(crate) fn build(
    entries: impl Iterator<Item = Entry>,
    selection: &Selection,
    states: &HashSet<TypeId>,
    added: Entries,
    faults: &mut Faults,
) -> Entries {
    let mut all: Vec<Entry> = entries.collect();
    // The inventory has no order; lists have: "Servers SHOULD return tools in a deterministic order".
    all.sort_by_key(|entry| {
        let about = entry.about();
        (about.name, about.file, about.line)
    });
    note_empty_selections(&all, selection, faults);
    let mut builder = Builder { entries: added, states, faults };
    for entry in all.into_iter().filter(|entry| selection.takes(entry.about())) {
        match entry {
            Entry::Tool(entry) => builder.tool(entry),
            Entry::Resource(entry) => builder.resource(entry),
            Entry::Prompt(entry) => builder.prompt(entry),
        }
    }
    builder.finish()
}

fn note_empty_selections(all: &[Entry], selection: &Selection, faults: &mut Faults) {
    for name in &selection.only {
        if !all.iter().any(|entry| is_within(entry.about(), name)) {
            let mut known: Vec<_> = all
                .iter()
                .flat_map(|entry| [Some(entry.about().module), entry.about().group])
                .flatten()
                .collect();
            known.sort_unstable();
            known.dedup();
            faults.note(format!(
                "`Server::only(\"{name}\")` selects nothing; the modules and groups with entries are: {}",
                if known.is_empty() { "none".to_owned() } else { known.join(", ") }
            ));
        }
    }
}

struct Builder<'a> {
    entries: Entries,
    states: &'a HashSet<TypeId>,
    faults: &'a mut Faults,
}

impl Builder<'_> {
    fn tool(&mut self, entry: &'static ToolEntry) {
        let mut plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        reject_bad_name("tool", &plan.about, self.faults);
        let schema = match entry.input_schema {
            Some(by_hand) => by_hand(),
            None => listing::input_schema(&plan.about, &plan.params, entry.strict, self.faults),
        };
        // A schema written by hand is enforced whole: the Rust types need not say the same.
        let by_hand = entry.input_schema.map(|_| check_by_hand(&plan.about, &schema, self.faults));
        let check = by_hand.flatten().map(|check| (check, schema.clone()));
        if check.is_some() {
            plan.params.iter_mut().for_each(|param| param.follow_by_hand(&schema));
        }
        let tool = Tool::new(plan, &entry.hints, entry.strict, check, &schema, self.faults);
        self.entries.tools.gather(tool);
    }

    fn resource(&mut self, entry: &'static ResourceEntry) {
        let plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        let facts = Facts {
            uri: entry.uri.into(),
            mime: entry.mime.map(Cow::Borrowed),
            size: entry.size,
            audience: Cow::Borrowed(entry.audience),
            priority: entry.priority,
            watch: entry.watch,
        };
        if !entry.uri.contains('{') {
            self.entries.resources.gather(Resource::new(plan, facts));
            return;
        }
        let Some(template) = parsed(&plan.about, entry.uri, self.faults) else { return };
        let about = &plan.about;
        for variable in template.variables() {
            let plan = plan.params.iter().find(|plan| plan.is_argument && plan.name == variable.name);
            let required = plan.map(|plan| plan.required);
            reject_bad_variable(about, entry.uri, variable, required, "#[arg(default = ..)]", self.faults);
        }
        let list = entry.list.map(Lister::Linked);
        self.entries.templates.gather(ResourceTemplate::new(plan, facts, template, list));
    }

    fn prompt(&mut self, entry: &'static PromptEntry) {
        let plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        self.entries.prompts.gather(Prompt::new(plan));
    }

    fn finish(mut self) -> Entries {
        self.entries.arrange(self.faults);
        self.entries
    }
}

impl Tool {
    /// A tool with the schema of its arguments, whose headers are found there.
    pub(crate) fn new(
        plan: Plan,
        hints: &Hints,
        strict: bool,
        check: Option<(Check, Value)>,
        schema: &Value,
        faults: &mut Faults,
    ) -> Self {
        let headers = header_parameters(schema).unwrap_or_else(|found| {
            for fault in found {
                faults.at(&plan.about, fault);
            }
            Vec::new()
        });
        let known = schema["properties"].as_object();
        let known = known.into_iter().flat_map(|map| map.keys().cloned()).collect();
        let listing = listing::tool(hints, &plan, schema);
        Self { plan, strict, check, headers, known, listing }
    }
}

impl Resource {
    pub(crate) fn new(plan: Plan, facts: Facts) -> Self {
        let listing = listing::resource(&plan.about, "uri", &facts);
        Self { plan, facts, listing }
    }
}

impl ResourceTemplate {
    pub(crate) fn new(plan: Plan, facts: Facts, template: Template, list: Option<Lister>) -> Self {
        let listing = listing::resource(&plan.about, "uriTemplate", &facts);
        Self { plan, facts, template, list, listing }
    }
}

impl Prompt {
    pub(crate) fn new(plan: Plan) -> Self {
        let listing = listing::prompt(&plan);
        Self { plan, listing }
    }
}

/// "Tool names SHOULD be between 1 and 128 characters […] uppercase and lowercase ASCII letters, digits,
/// underscore, hyphen, and dot." (server/tools, Tool Names)
pub(crate) fn reject_bad_name(kind: &str, about: &Label, faults: &mut Faults) {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if about.name.is_empty() || about.name.len() > 128 || !about.name.bytes().all(fits) {
        faults.at(about, format!("is no name for a {kind}: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`"));
    }
}

/// What a schema written by hand demands.
pub(crate) fn check_by_hand(about: &Label, schema: &Value, faults: &mut Faults) -> Option<Check> {
    if schema["type"] != "object" {
        faults.at(about, "has an `input_schema` whose `type` is not \"object\"");
        return None;
    }
    Check::compile(schema, Trust::Whole).unwrap_or_else(|fault| {
        faults.at(about, format!("has a fault in its `input_schema`: {fault}"));
        None
    })
}

/// The template, or a fault of it.
pub(crate) fn parsed(about: &Label, uri: &str, faults: &mut Faults) -> Option<Template> {
    let template = Template::parse(uri);
    template.map_err(|error| faults.at(about, format!("has a bad URI template `{uri}`: {error}"))).ok()
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )" (RFC 3986, 3.1): a client could not tell a bare word from a
/// path. The attribute says the same when it is compiled.
pub(crate) fn reject_no_scheme(about: &Label, uri: &str, faults: &mut Faults) {
    let is_scheme = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    if !uri.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty()) {
        let path = uri.trim_start_matches('/');
        faults.at(
            about,
            format!("has no scheme in its address `{uri}`: write `app://{path}`, or `file:///{path}`"),
        );
    }
}

/// A variable needs a parameter, and one that a URI may leave out a parameter that may be missing.
pub(crate) fn reject_bad_variable(
    about: &Label,
    uri: &str,
    variable: &Variable,
    required: Option<bool>,
    default: &str,
    faults: &mut Faults,
) {
    let name = &variable.name;
    match required {
        None => faults.at(about, format!("has no parameter for the variable `{name}` of `{uri}`")),
        Some(true) if variable.optional => faults.at(
            about,
            format!(
                "must take `{name}` as an `Option`, or with `{default}`: a URI may leave it out of `{uri}`"
            ),
        ),
        Some(_) => {}
    }
}

#[cfg(test)]
mod tests;
