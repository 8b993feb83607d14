//! The entries of a server: what the macros registered and what was added at run time, validated and prepared once.
//!
//! [`Entries`] are all of them; a [`Registry`] is what clients see of these at one time, and never changes.

mod build;
mod entries;
mod entry;
mod fault;
mod label;
pub(crate) mod listing;
mod param;
mod plan;
mod signature;
mod slots;
mod work;

pub use entry::{
    About, BoxFuture, CompleteFn, Constraint, Entry, Handler, Hints, ListFn, Number, Param, PromptEntry,
    ResourceEntry, Run, Schedule, ToolEntry, WatchFn,
};
pub use fault::StartError;
pub use signature::Signature;

pub(crate) use build::{
    Selection, build, check_by_hand, parsed, reject_bad_name, reject_bad_variable, reject_no_scheme,
};
pub(crate) use entries::{Entries, Kinds};
pub(crate) use fault::Faults;
pub(crate) use label::Label;
pub(crate) use param::ParamPlan;
pub(crate) use plan::{Plan, Timing, output_schema};
pub(crate) use work::{Complete, Completer, Handle, List, Lister, Work};

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::protocol::Role;
use crate::schema::check::Check;
use crate::schema::header::HeaderParam;
use crate::template::{Template, normal_spelling};

/// The entries that clients see, at one time.
#[derive(Default)]
pub(crate) struct Registry {
    pub(crate) tools: Vec<Arc<Tool>>,
    pub(crate) resources: Vec<Arc<Resource>>,
    /// The most specific first.
    pub(crate) templates: Vec<Arc<ResourceTemplate>>,
    pub(crate) prompts: Vec<Arc<Prompt>>,
    tool_names: HashMap<Cow<'static, str>, usize>,
    /// By their normal spelling.
    resource_uris: HashMap<Cow<'static, str>, usize>,
    prompt_names: HashMap<Cow<'static, str>, usize>,
}

/// A tool that can be called.
pub(crate) struct Tool {
    pub(crate) plan: Plan,
    /// Whether unknown arguments are refused.
    pub(crate) strict: bool,
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
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    pub(crate) listing: Vec<u8>,
}

/// Resources at all the addresses that a template matches.
pub(crate) struct ResourceTemplate {
    pub(crate) plan: Plan,
    pub(crate) facts: Facts,
    pub(crate) template: Template,
    /// Lists the resources that it stands for.
    pub(crate) list: Option<Lister>,
    pub(crate) listing: Vec<u8>,
}

/// What a resource or a template says beside its name.
pub(crate) struct Facts {
    /// The address, or the template of addresses.
    pub(crate) uri: Cow<'static, str>,
    pub(crate) mime: Option<Cow<'static, str>>,
    pub(crate) size: Option<u64>,
    pub(crate) audience: Cow<'static, [Role]>,
    pub(crate) priority: Option<f64>,
    /// The function that tells when it changes.
    pub(crate) watch: Option<WatchFn>,
}

/// A prompt.
pub(crate) struct Prompt {
    pub(crate) plan: Plan,
    pub(crate) listing: Vec<u8>,
}

/// How a resource, or a template, is watched.
pub(crate) struct Watch<'a> {
    pub(crate) name: &'a str,
    /// The address, or the template.
    pub(crate) uri: &'a str,
    pub(crate) start: WatchFn,
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
    fn new(
        tools: Vec<Arc<Tool>>,
        resources: Vec<Arc<Resource>>,
        templates: Vec<Arc<ResourceTemplate>>,
        prompts: Vec<Arc<Prompt>>,
    ) -> Self {
        let index = |names: Vec<Cow<'static, str>>| names.into_iter().zip(0..).collect();
        Self {
            tool_names: index(tools.iter().map(|tool| tool.plan.about.name.clone()).collect()),
            resource_uris: index(resources.iter().map(|resource| resource.spelling()).collect()),
            prompt_names: index(prompts.iter().map(|prompt| prompt.plan.about.name.clone()).collect()),
            tools,
            resources,
            templates,
            prompts,
        }
    }

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
        Some((Target::Tool(index), &*self.tools[index]))
    }

    pub(crate) fn prompt(&self, name: &str) -> Option<(Target, &Prompt)> {
        let index = *self.prompt_names.get(name)?;
        Some((Target::Prompt(index), &*self.prompts[index]))
    }

    /// The resource at this address, however the client spells it.
    pub(crate) fn resource(&self, uri: &str) -> Option<Target> {
        self.resource_uris.get(&*normal_spelling(uri)).copied().map(Target::Resource)
    }

    /// Whether something is read at this address.
    pub(crate) fn serves(&self, uri: &str) -> bool {
        self.resource(uri).is_some()
            || self.templates.iter().any(|template| template.template.match_uri(uri).is_some())
    }

    /// What tells of changes at this address: of the resource, else of the most specific template that matches.
    pub(crate) fn watch(&self, uri: &str) -> Option<Watch<'_>> {
        let (plan, facts) = if let Some(Target::Resource(index)) = self.resource(uri) {
            (&self.resources[index].plan, &self.resources[index].facts)
        } else {
            let matches = |template: &&Arc<ResourceTemplate>| template.template.match_uri(uri).is_some();
            let template = self.templates.iter().find(matches)?;
            (&template.plan, &template.facts)
        };
        Some(Watch { name: &plan.about.name, uri: &facts.uri, start: facts.watch? })
    }

    /// Whether any resource tells of its changes by itself.
    pub(crate) fn watches(&self) -> bool {
        let resources = self.resources.iter().map(|resource| &resource.facts);
        resources
            .chain(self.templates.iter().map(|template| &template.facts))
            .any(|facts| facts.watch.is_some())
    }

    /// The template of this very text, as `completion/complete` names it.
    pub(crate) fn template(&self, uri: &str) -> Option<&ResourceTemplate> {
        self.templates.iter().find(|template| template.facts.uri == uri).map(|template| &**template)
    }

    /// Whether any argument or variable can be completed.
    pub(crate) fn completes(&self) -> bool {
        let prompts = self.prompts.iter().map(|prompt| &prompt.plan);
        let templates = self.templates.iter().map(|template| &template.plan);
        prompts.chain(templates).flat_map(|plan| &plan.params).any(ParamPlan::completes)
    }
}

impl Resource {
    /// The normal spelling of its address.
    pub(crate) fn spelling(&self) -> Cow<'static, str> {
        match &self.facts.uri {
            Cow::Borrowed(uri) => normal_spelling(uri),
            Cow::Owned(uri) => normal_spelling(uri).into_owned().into(),
        }
    }
}
