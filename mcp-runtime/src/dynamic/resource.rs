//! Resources that are made at run time.

use std::borrow::Cow;
use std::panic::Location;

use serde_json::{Map, Value};

use super::glue::{completer, lister, text_argument, whole, work};
use super::{DynamicArguments, DynamicHandler, NoArguments, about_methods, meta_text};
use crate::completion::{IntoCompletions, IntoResourceList};
use crate::registry::{
    Completer, Facts, Faults, Label, Lister, ParamPlan, Plan, Resource, ResourceTemplate, Timing, Work,
    parsed, reject_bad_variable, reject_no_scheme,
};
use crate::{ResourceOutput, Role};

/// A resource, or a template of resources, that is made at run time, for
/// [`ServerHandle::add_resource`](crate::ServerHandle::add_resource).
///
/// ```standalone_crate
/// use mcp_runtime::testing::Client;
/// use mcp_runtime::{Context, DynamicResource, ResourceBody, Server, Variables};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> mcp_runtime::Result<()> {
/// let server = Server::new();
/// let handle = server.handle();
/// handle.add_resource(
///     DynamicResource::new("notes://today", |_: Context| async { "Buy milk." }).mime("text/markdown"),
/// )?;
/// handle.add_resource(DynamicResource::new("notes://on/{day}", |on: Variables, _: Context| async move {
///     format!("nothing on {}", on.get("day").unwrap_or_default())
/// }))?;
///
/// let client = Client::new(server)?;
/// let read = client.read("notes://on/monday").await?;
/// assert_eq!(read.contents[0].body, ResourceBody::Text { text: "nothing on monday".to_owned() });
/// # Ok(())
/// # }
/// ```
#[must_use = "a resource is there when it is added to a server"]
pub struct DynamicResource {
    about: Label,
    meta: Map<String, Value>,
    timing: Timing,
    facts: Facts,
    list: Option<Lister>,
    completers: Vec<(String, Completer)>,
    whole: Result<Option<ParamPlan>, String>,
    work: Work,
}

impl DynamicResource {
    /// A resource at this address, or at all the addresses that a template with `{variables}` matches.
    ///
    /// The handler of a template takes the variables: as [`Variables`](crate::Variables), or as a struct with a field
    /// for each, `|row: Row, ctx: Context|`. Its name in lists is the address, unless [`name`](Self::name) says
    /// another.
    #[track_caller]
    pub fn new<A, H>(uri: impl Into<Cow<'static, str>>, handler: H) -> Self
    where
        A: DynamicArguments,
        H: DynamicHandler<A>,
        H::Output: ResourceOutput + 'static,
    {
        let uri = uri.into();
        Self {
            about: Label::added(uri.clone(), Location::caller()),
            meta: Map::new(),
            timing: Timing::default(),
            facts: Facts {
                uri,
                mime: None,
                size: None,
                audience: Cow::Borrowed(&[]),
                priority: None,
                watch: None,
            },
            list: None,
            completers: Vec::new(),
            whole: whole::<A>(),
            work: work::<A, H>(handler, ResourceOutput::respond),
        }
    }

    /// The name for programs; by default the address.
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.about.name = name.into();
        self
    }

    about_methods!();

    /// The MIME type of what it holds.
    pub fn mime(mut self, mime: impl Into<Cow<'static, str>>) -> Self {
        self.facts.mime = Some(mime.into());
        self
    }

    /// The size of what it holds, in bytes.
    pub fn size(mut self, bytes: u64) -> Self {
        self.facts.size = Some(bytes);
        self
    }

    /// Who it is for; call it again for another.
    pub fn audience(mut self, role: Role) -> Self {
        self.facts.audience.to_mut().push(role);
        self
    }

    /// How important it is, from 0.0 to 1.0.
    pub fn priority(mut self, priority: f64) -> Self {
        self.facts.priority = Some(priority);
        self
    }

    /// Lists the resources that the template stands for: addresses or [`ResourceLink`](crate::ResourceLink)s.
    ///
    /// ```
    /// # use mcp_runtime::{Context, DynamicResource, Variables};
    /// DynamicResource::new("notes://{day}", |on: Variables, _: Context| async move { format!("{on:?}") })
    ///     .list(|_: Context| async { vec!["notes://monday", "notes://tuesday"] });
    /// ```
    pub fn list<H>(mut self, list: H) -> Self
    where
        H: DynamicHandler<NoArguments, Output: IntoResourceList>,
    {
        self.list = Some(lister(list));
        self
    }

    /// Completes the values of a variable.
    ///
    /// ```
    /// # use mcp_runtime::{Completions, Context, DynamicResource, Variables};
    /// DynamicResource::new("notes://{day}", |on: Variables, _: Context| async move { format!("{on:?}") })
    ///     .complete("day", |typed: String, _: Context| async move {
    ///         Completions::matching(&typed, ["monday", "tuesday"])
    ///     });
    /// ```
    pub fn complete<H>(mut self, variable: impl Into<String>, complete: H) -> Self
    where
        H: DynamicHandler<String, Output: IntoCompletions>,
    {
        self.completers.push((variable.into(), completer(complete)));
        self
    }

    /// The resource, else the template; nothing where it is none of them.
    pub(crate) fn into_entry(mut self, faults: &mut Faults) -> Option<Result<Resource, ResourceTemplate>> {
        self.about.meta = meta_text(self.meta);
        let whole = self.whole.unwrap_or_else(|fault| {
            faults.at(&self.about, format!("cannot take its variables: {fault}"));
            None
        });
        let mut plan = Plan::added(self.about, self.work, self.timing, faults);
        let uri = self.facts.uri.clone();
        reject_no_scheme(&plan.about, &uri, faults);
        if !uri.contains('{') {
            if self.list.is_some() || !self.completers.is_empty() {
                faults.at(&plan.about, "lists or completes, and has no variables: that is for templates");
            }
            let required = whole.as_ref().and_then(|whole| whole.schema["required"].as_array());
            for name in required.into_iter().flatten().filter_map(Value::as_str) {
                faults.at(&plan.about, format!("takes `{name}`, which `{uri}` has no variable for"));
            }
            plan.whole = whole;
            return Some(Ok(Resource::new(plan, self.facts)));
        }
        let template = parsed(&plan.about, &uri, faults)?;
        let schema = whole.as_ref().map_or(Value::Null, |whole| whole.schema.clone());
        let is_open =
            whole.is_some() && schema.get("additionalProperties").is_some_and(|more| *more != false);
        for variable in template.variables() {
            let mut argument = text_argument(variable.name.clone(), &schema);
            let is_known = schema["properties"].get(&variable.name).is_some();
            let required = (is_known || is_open).then_some(argument.required);
            reject_bad_variable(&plan.about, &uri, variable, required, "#[serde(default)]", faults);
            argument.required = !variable.optional;
            plan.params.push(argument);
        }
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !plan.params.iter().any(|param| param.name == name) {
                faults.at(&plan.about, format!("takes `{name}`, which `{uri}` has no variable for"));
            }
        }
        for (name, completer) in self.completers {
            match plan.params.iter_mut().find(|param| param.name == name) {
                Some(param) => param.complete = Some(completer),
                None => {
                    faults.at(&plan.about, format!("completes `{name}`, which is no variable of `{uri}`"));
                }
            }
        }
        plan.whole = whole;
        Some(Err(ResourceTemplate::new(plan, self.facts, template, self.list)))
    }
}
