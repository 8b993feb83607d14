//! The entries of a server: what the macros registered, validated and prepared once at start-up.

mod build;
mod entry;
mod fault;
mod listing;
mod plan;
mod signature;

pub use entry::{
    About, BoxFuture, CompleteFn, Constraint, Entry, Handler, Hints, ListFn, Number, Param, PromptEntry,
    ResourceEntry, Run, Schedule, ToolEntry,
};
pub use fault::StartError;
pub use signature::Signature;

pub(crate) use build::{Selection, build};
pub(crate) use fault::Faults;
pub(crate) use plan::{ParamPlan, Plan};

use std::borrow::Cow;
use std::collections::HashMap;

use crate::schema::check::Check;
use crate::schema::header::HeaderParam;
use crate::template::{Template, normal_spelling};

/// The validated set of entries.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) tools: Vec<Tool>,
    pub(crate) resources: Vec<Resource>,
    /// The most specific first.
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) tool_names: HashMap<Cow<'static, str>, usize>,
    /// By their normal spelling.
    pub(crate) resource_uris: HashMap<Cow<'static, str>, usize>,
    pub(crate) prompt_names: HashMap<Cow<'static, str>, usize>,
}

/// A tool that can be called.
pub(crate) struct Tool {
    pub(crate) entry: &'static ToolEntry,
    pub(crate) plan: Plan,
    /// What a schema written by hand demands of the arguments as a whole.
    pub(crate) check: Option<(Check, serde_json::Value)>,
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "compared with the HTTP headers"))]
    pub(crate) headers: Vec<HeaderParam>,
    /// The names that `strict` allows.
    pub(crate) known: Vec<String>,
    /// The JSON that lists it.
    pub(crate) listing: Vec<u8>,
}

/// A resource at one address.
pub(crate) struct Resource {
    pub(crate) entry: &'static ResourceEntry,
    pub(crate) plan: Plan,
    pub(crate) listing: Vec<u8>,
}

/// Resources at all the addresses that a template matches.
pub(crate) struct ResourceTemplate {
    pub(crate) entry: &'static ResourceEntry,
    pub(crate) plan: Plan,
    pub(crate) template: Template,
    pub(crate) listing: Vec<u8>,
}

/// A prompt.
pub(crate) struct Prompt {
    pub(crate) entry: &'static PromptEntry,
    pub(crate) plan: Plan,
    pub(crate) listing: Vec<u8>,
}

/// One entry of the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Tool(usize),
    Resource(usize),
    Template(usize),
    Prompt(usize),
}

impl Registry {
    pub(crate) fn plan(&self, target: Target) -> &Plan {
        match target {
            Target::Tool(index) => &self.tools[index].plan,
            Target::Resource(index) => &self.resources[index].plan,
            Target::Template(index) => &self.templates[index].plan,
            Target::Prompt(index) => &self.prompts[index].plan,
        }
    }

    pub(crate) fn tool(&self, name: &str) -> Option<(Target, &Tool)> {
        let index = *self.tool_names.get(name)?;
        Some((Target::Tool(index), &self.tools[index]))
    }

    pub(crate) fn prompt(&self, name: &str) -> Option<(Target, &Prompt)> {
        let index = *self.prompt_names.get(name)?;
        Some((Target::Prompt(index), &self.prompts[index]))
    }

    /// The resource at this address, however the client spells it.
    pub(crate) fn resource(&self, uri: &str) -> Option<Target> {
        self.resource_uris.get(&*normal_spelling(uri)).copied().map(Target::Resource)
    }

    /// The template of this very text, as `completion/complete` names it.
    pub(crate) fn template(&self, uri: &str) -> Option<&ResourceTemplate> {
        self.templates.iter().find(|template| template.entry.uri == uri)
    }

    pub(crate) fn has_resources(&self) -> bool {
        !self.resources.is_empty() || !self.templates.is_empty()
    }

    /// Whether any function can ask the client in the middle of a call.
    pub(crate) fn may_ask(&self) -> bool {
        let tools = self.tools.iter().map(|tool| &tool.plan);
        let resources = self.resources.iter().map(|resource| &resource.plan);
        let templates = self.templates.iter().map(|template| &template.plan);
        let prompts = self.prompts.iter().map(|prompt| &prompt.plan);
        tools.chain(resources).chain(templates).chain(prompts).any(|plan| plan.may_ask)
    }

    /// Whether any argument or variable can be completed.
    pub(crate) fn completes(&self) -> bool {
        let prompts = self.prompts.iter().map(|prompt| &prompt.plan);
        let templates = self.templates.iter().map(|template| &template.plan);
        prompts.chain(templates).flat_map(|plan| &plan.params).any(ParamPlan::completes)
    }
}
