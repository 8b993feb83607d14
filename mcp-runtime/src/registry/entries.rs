//! All the entries of a server, and the changes that can be made to them.

use std::collections::HashSet;
use std::sync::Arc;

use super::slots::Slots;
use super::{Entry, Faults, Label, Plan, Prompt, Registry, Resource, ResourceTemplate, Tool};
use crate::template::normal_spelling;

/// All the entries of a server, those that are disabled among them.
#[derive(Default)]
pub(crate) struct Entries {
    pub(super) tools: Slots<Tool>,
    pub(super) resources: Slots<Resource>,
    pub(super) templates: Slots<ResourceTemplate>,
    pub(super) prompts: Slots<Prompt>,
    /// What was disabled by name, and not enabled again: what is added to such a group is disabled, too.
    disabled: HashSet<String>,
}

/// Some of the kinds of entries, by the lists that clients are told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    pub(crate) tools: bool,
    pub(crate) resources: bool,
    pub(crate) prompts: bool,
}

impl Kinds {
    pub(crate) const NONE: Self = Self { tools: false, resources: false, prompts: false };
    pub(crate) const TOOLS: Self = Self { tools: true, ..Self::NONE };
    pub(crate) const RESOURCES: Self = Self { resources: true, ..Self::NONE };
    pub(crate) const PROMPTS: Self = Self { prompts: true, ..Self::NONE };
    pub(crate) const ALL: Self = Self { tools: true, resources: true, prompts: true };

    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            tools: self.tools || other.tools,
            resources: self.resources || other.resources,
            prompts: self.prompts || other.prompts,
        }
    }
}

impl Entries {
    /// What clients see.
    pub(crate) fn registry(&self) -> Registry {
        Registry::new(
            self.tools.enabled(),
            self.resources.enabled(),
            self.templates.enabled(),
            self.prompts.enabled(),
        )
    }

    /// The kinds that have an entry, be it disabled.
    pub(crate) fn kinds(&self) -> Kinds {
        Kinds {
            tools: !self.tools.is_empty(),
            resources: !self.resources.is_empty() || !self.templates.is_empty(),
            prompts: !self.prompts.is_empty(),
        }
    }

    /// Whether any function has the means to change the server.
    pub(crate) fn takes_context(&self) -> bool {
        let tools = self.tools.iter().map(|tool| &tool.plan);
        let resources = self.resources.iter().map(|resource| &resource.plan);
        let templates = self.templates.iter().map(|template| &template.plan);
        let prompts = self.prompts.iter().map(|prompt| &prompt.plan);
        tools.chain(resources).chain(templates).chain(prompts).any(|plan| plan.takes_context)
    }

    /// Sorts what was gathered, and notes what cannot stand together.
    pub(super) fn arrange(&mut self, faults: &mut Faults) {
        self.tools.sort();
        self.resources.sort();
        self.templates.sort();
        self.prompts.sort();
        let rename = |attribute| format!("rename one with `#[{attribute}(name = \"..\")]`");
        let name = |plan: &Plan| plan.about.name.clone();
        self.tools.reject_duplicates(
            |tool| name(&tool.plan),
            "two tools are called",
            &rename("tool"),
            faults,
        );
        self.prompts.reject_duplicates(
            |prompt| name(&prompt.plan),
            "two prompts are called",
            &rename("prompt"),
            faults,
        );
        self.resources.reject_duplicates(
            Resource::spelling,
            "two resources have the address",
            "change one of them",
            faults,
        );
        let templates: Vec<_> = self.templates.iter().collect();
        for (position, one) in templates.iter().enumerate() {
            for other in &templates[position + 1..] {
                if one.template.overlaps(&other.template) {
                    faults.note(format!(
                        "the templates `{}` ({}) and `{}` ({}) match the same addresses; make one more specific",
                        one.facts.uri, one.plan.about.place, other.facts.uri, other.plan.about.place
                    ));
                }
            }
        }
    }

    pub(crate) fn add_tool(&mut self, tool: Arc<Tool>, faults: &mut Faults) {
        reject_taken(self.tools.named(&tool.plan.about.name), "a tool", &tool.plan.about, faults);
        if faults.is_empty() {
            let enabled = self.is_shown(&tool.plan);
            self.tools.insert(tool, enabled);
        }
    }

    pub(crate) fn add_prompt(&mut self, prompt: Arc<Prompt>, faults: &mut Faults) {
        reject_taken(self.prompts.named(&prompt.plan.about.name), "a prompt", &prompt.plan.about, faults);
        if faults.is_empty() {
            let enabled = self.is_shown(&prompt.plan);
            self.prompts.insert(prompt, enabled);
        }
    }

    pub(crate) fn add_resource(&mut self, resource: Arc<Resource>, faults: &mut Faults) {
        let taken = self.resources.named(&resource.facts.uri);
        reject_taken(taken, "a resource with this address", &resource.plan.about, faults);
        if faults.is_empty() {
            let enabled = self.is_shown(&resource.plan);
            self.resources.insert(resource, enabled);
        }
    }

    pub(crate) fn add_template(&mut self, template: Arc<ResourceTemplate>, faults: &mut Faults) {
        for other in self.templates.iter().filter(|other| other.template.overlaps(&template.template)) {
            faults.at(
                &template.plan.about,
                format!(
                    "has the template `{}`, and `{}` ({}) matches the same addresses; make one more specific",
                    template.facts.uri, other.facts.uri, other.plan.about.place
                ),
            );
        }
        if faults.is_empty() {
            let enabled = self.is_shown(&template.plan);
            self.templates.insert(template, enabled);
        }
    }

    /// Whether clients see an entry that is added now.
    fn is_shown(&self, plan: &Plan) -> bool {
        plan.about.group.as_ref().is_none_or(|group| !self.disabled.contains(&**group))
    }

    pub(crate) fn remove_tool(&mut self, name: &str) -> Option<(Arc<Tool>, bool)> {
        self.tools.remove(name)
    }

    pub(crate) fn remove_prompt(&mut self, name: &str) -> Option<(Arc<Prompt>, bool)> {
        self.prompts.remove(name)
    }

    pub(crate) fn remove_resource(&mut self, uri: &str) -> Option<(Arc<Resource>, bool)> {
        self.resources.remove(uri)
    }

    pub(crate) fn remove_template(&mut self, uri: &str) -> Option<(Arc<ResourceTemplate>, bool)> {
        self.templates.remove(uri)
    }

    /// Enables or disables what `name` means; gives the lists that changed by it.
    pub(crate) fn set(&mut self, name: &str, enabled: bool) -> Kinds {
        if enabled {
            self.disabled.remove(name);
        } else {
            self.disabled.insert(name.to_owned());
        }
        self.set_among(name, enabled, |_| true)
    }

    /// The same for linked entries only.
    pub(crate) fn set_linked(&mut self, name: &str, enabled: bool) -> Kinds {
        self.set_among(name, enabled, |plan| !plan.is_added())
    }

    fn set_among(&mut self, name: &str, enabled: bool, among: fn(&Plan) -> bool) -> Kinds {
        Kinds {
            tools: self.tools.set(name, enabled, among),
            // Both, whatever the first says.
            resources: self.resources.set(name, enabled, among) | self.templates.set(name, enabled, among),
            prompts: self.prompts.set(name, enabled, among),
        }
    }

    /// Whether clients see an entry that `name` means.
    pub(crate) fn has_enabled(&self, name: &str) -> bool {
        self.tools.has_enabled(name)
            || self.resources.has_enabled(name)
            || self.templates.has_enabled(name)
            || self.prompts.has_enabled(name)
    }
}

impl Entry {
    /// Whether `disable` and `enable` mean this entry by `name`.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let about = self.about();
        let has_address = match self {
            Self::Resource(entry) if entry.uri.contains('{') => entry.uri == name,
            Self::Resource(entry) => normal_spelling(entry.uri) == normal_spelling(name),
            Self::Tool(_) | Self::Prompt(_) => false,
        };
        has_address || about.name == name || about.group == Some(name)
    }
}

fn reject_taken<T: super::slots::Listed>(
    taken: Option<(&Arc<T>, bool)>,
    what: &str,
    about: &Label,
    faults: &mut Faults,
) {
    let Some((entry, enabled)) = taken else { return };
    let other = entry.plan();
    let state = if enabled { "" } else { ", disabled," };
    let mend = if other.is_added() { "remove that one first" } else { "choose another" };
    faults.at(about, format!("is taken: {what} is there{state} from {}; {mend}", other.about.place));
}
