//! From the inventory to a validated registry.

use std::any::TypeId;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::fault::place;
use super::{
    About, Entry, Faults, Plan, Prompt, PromptEntry, Registry, Resource, ResourceEntry, ResourceTemplate,
    Tool, ToolEntry, listing,
};
use crate::schema::check::{Check, Trust};
use crate::schema::header::header_parameters;
use crate::template::{Template, normal_spelling};

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

/// Builds the registry, noting every fault of every entry.
pub(crate) fn build(
    entries: impl Iterator<Item = Entry>,
    selection: &Selection,
    states: &HashSet<TypeId>,
    faults: &mut Faults,
) -> Registry {
    let mut all: Vec<Entry> = entries.collect();
    // The inventory has no order; lists have: "Servers SHOULD return tools in a deterministic order".
    all.sort_by_key(|entry| {
        let about = entry.about();
        (about.name, about.file, about.line)
    });
    note_empty_selections(&all, selection, faults);
    let mut builder = Builder { registry: Registry::default(), states, faults };
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
    registry: Registry,
    states: &'a HashSet<TypeId>,
    faults: &'a mut Faults,
}

impl Builder<'_> {
    fn tool(&mut self, entry: &'static ToolEntry) {
        reject_bad_name("tool", &entry.about, self.faults);
        let mut plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        let schema = listing::input_schema(entry, &plan, self.faults);
        let check = self.check_by_hand(entry, &schema);
        if check.is_some() {
            plan.params.iter_mut().for_each(|param| param.follow_by_hand(&schema));
        }
        let headers = header_parameters(&schema).unwrap_or_else(|faults| {
            for fault in faults {
                self.faults.at(&entry.about, fault);
            }
            Vec::new()
        });
        let known =
            schema["properties"].as_object().into_iter().flat_map(|map| map.keys().cloned()).collect();
        let listing = listing::tool(entry, &plan, &schema);
        self.registry.tools.push(Tool { entry, plan, check, headers, known, listing });
    }

    /// A schema written by hand is enforced whole: the Rust types need not say the same.
    fn check_by_hand(&mut self, entry: &ToolEntry, schema: &Value) -> Option<(Check, Value)> {
        entry.input_schema?;
        if schema["type"] != "object" {
            self.faults.at(&entry.about, "has an `input_schema` whose `type` is not \"object\"");
            return None;
        }
        match Check::compile(schema, Trust::Whole) {
            Ok(check) => Some((check?, schema.clone())),
            Err(fault) => {
                self.faults.at(&entry.about, format!("has a fault in its `input_schema`: {fault}"));
                None
            }
        }
    }

    fn resource(&mut self, entry: &'static ResourceEntry) {
        let plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        if !entry.uri.contains('{') {
            let listing = listing::resource(entry, "uri");
            self.registry.resources.push(Resource { entry, plan, listing });
            return;
        }
        let template = match Template::parse(entry.uri) {
            Ok(template) => template,
            Err(error) => {
                return self
                    .faults
                    .at(&entry.about, format!("has a bad URI template `{}`: {error}", entry.uri));
            }
        };
        for variable in template.variables() {
            let plan = plan.params.iter().find(|plan| plan.is_argument && plan.param.name == variable.name);
            match plan {
                None => self.faults.at(
                    &entry.about,
                    format!("has no parameter for the variable `{}` of `{}`", variable.name, entry.uri),
                ),
                Some(plan) if variable.optional && plan.required => self.faults.at(
                    &entry.about,
                    format!(
                        "must take `{0}` as an `Option`, or with `#[arg(default = ..)]`: a URI may leave it out of `{1}`",
                        variable.name, entry.uri
                    ),
                ),
                Some(_) => {}
            }
        }
        let listing = listing::resource(entry, "uriTemplate");
        self.registry.templates.push(ResourceTemplate { entry, plan, template, listing });
    }

    fn prompt(&mut self, entry: &'static PromptEntry) {
        let plan = Plan::new(&entry.about, &entry.run, self.states, self.faults);
        let listing = listing::prompt(entry, &plan);
        self.registry.prompts.push(Prompt { entry, plan, listing });
    }

    fn finish(mut self) -> Registry {
        let registry = &mut self.registry;
        registry.resources.sort_by_key(|resource| resource.entry.uri);
        registry.templates.sort_by(|a, b| {
            let specificity = b.template.specificity().cmp(&a.template.specificity());
            specificity.then_with(|| a.entry.uri.cmp(b.entry.uri))
        });
        let tools = registry.tools.iter().map(|tool| (tool.entry.about.name.into(), &tool.entry.about));
        registry.tool_names =
            index(tools, "two tools are called", "rename one with `#[tool(name = \"..\")]`", self.faults);
        let prompts =
            registry.prompts.iter().map(|prompt| (prompt.entry.about.name.into(), &prompt.entry.about));
        registry.prompt_names = index(
            prompts,
            "two prompts are called",
            "rename one with `#[prompt(name = \"..\")]`",
            self.faults,
        );
        let resources = registry
            .resources
            .iter()
            .map(|resource| (normal_spelling(resource.entry.uri), &resource.entry.about));
        registry.resource_uris =
            index(resources, "two resources have the address", "change one of them", self.faults);
        reject_overlaps(&registry.templates, self.faults);
        self.registry
    }
}

/// "Tool names SHOULD be between 1 and 128 characters […] uppercase and lowercase ASCII letters, digits,
/// underscore, hyphen, and dot." (server/tools, Tool Names)
fn reject_bad_name(kind: &str, about: &About, faults: &mut Faults) {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if about.name.is_empty() || about.name.len() > 128 || !about.name.bytes().all(fits) {
        faults.at(about, format!("is no name for a {kind}: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`"));
    }
}

fn index<'a>(
    named: impl Iterator<Item = (Cow<'static, str>, &'a About)>,
    what: &str,
    mend: &str,
    faults: &mut Faults,
) -> HashMap<Cow<'static, str>, usize> {
    let mut first: HashMap<Cow<'static, str>, (usize, &About)> = HashMap::new();
    for (position, (name, about)) in named.enumerate() {
        if let Some((_, other)) = first.get(&name) {
            faults.note(format!("{what} `{name}`: {} and {}; {mend}", place(other), place(about)));
        } else {
            first.insert(name, (position, about));
        }
    }
    first.into_iter().map(|(name, (position, _))| (name, position)).collect()
}

fn reject_overlaps(templates: &[ResourceTemplate], faults: &mut Faults) {
    for (position, one) in templates.iter().enumerate() {
        for other in &templates[position + 1..] {
            if one.template.overlaps(&other.template) {
                faults.note(format!(
                    "the templates `{}` ({}) and `{}` ({}) match the same addresses; make one more specific",
                    one.entry.uri,
                    place(&one.entry.about),
                    other.entry.uri,
                    place(&other.entry.about)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests;
