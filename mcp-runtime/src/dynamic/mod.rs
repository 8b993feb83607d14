//! Tools, resources and prompts that are made at run time.
//!
//! What differs from the entries that macros make: the arguments are one value in the place of several parameters, and
//! the handler is shared in the place of a `fn` pointer. Everything else is the same: schemas, checks, repairs, faults.

mod arguments;
mod glue;
mod handler;
mod prompt;
mod resource;
mod tool;

pub use arguments::{DynamicArguments, NoArguments, Variables};
pub use handler::DynamicHandler;
pub use prompt::DynamicPrompt;
pub use resource::DynamicResource;
pub use tool::DynamicTool;

/// The methods that every kind has for what it says about itself.
macro_rules! about_methods {
    () => {
        /// The name for people.
        pub fn title(mut self, title: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.about.title = Some(title.into());
            self
        }

        /// What it is, for models and people.
        pub fn description(mut self, description: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.about.description = Some(description.into());
            self
        }

        /// An icon for user interfaces; call it again for another size or theme.
        pub fn icon(mut self, icon: crate::Icon) -> Self {
            self.about.icons.to_mut().push(icon);
            self
        }

        /// The group by which [`ServerHandle::disable`](crate::ServerHandle::disable) finds it. In a group that is disabled
        /// it is hidden from the start.
        pub fn group(mut self, group: impl Into<std::borrow::Cow<'static, str>>) -> Self {
            self.about.group = Some(group.into());
            self
        }

        /// A value of its `_meta` in lists.
        pub fn meta(mut self, key: impl Into<String>, value: impl Into<serde_json::Value>) -> Self {
            self.meta.insert(key.into(), value.into());
            self
        }

        /// The longest that one call may take.
        pub fn timeout(mut self, timeout: std::time::Duration) -> Self {
            self.timing.timeout = Some(timeout);
            self
        }

        /// The silence after which a call shows a client that asked for progress that it goes on, so that the client does
        /// not give up waiting; see the `heartbeat` of [`#[tool]`](macro@crate::tool). It is longer than nothing, and
        /// shorter than the timeout.
        pub fn heartbeat(mut self, heartbeat: std::time::Duration) -> Self {
            self.timing.heartbeat = Some(heartbeat);
            self
        }
    };
}
use about_methods;

/// The author's `_meta` as its text.
fn meta_text(meta: serde_json::Map<String, serde_json::Value>) -> Option<std::borrow::Cow<'static, str>> {
    (!meta.is_empty()).then(|| serde_json::Value::Object(meta).to_string().into())
}
