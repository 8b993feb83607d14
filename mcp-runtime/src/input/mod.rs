//! Asking the client in the middle of a call (basic/patterns/mrtr), as a future that is simply awaited.

mod answer;
mod ask;
mod by_hand;
mod flow;
pub(crate) mod inside;
mod once;
mod question;
mod replay;
mod sampling;
mod state;
mod store;

pub use answer::Answer;
pub use ask::{Ask, Root};
pub use by_hand::InputRequired;
pub(crate) use flow::{Asked, Demand, Flow, Stage, no_requests};
pub(crate) use question::Question;
pub use sampling::{
    ModelPreferences, Sample, SampleContent, SampleMessage, SampleResult, SampleTool, ToolChoice,
};
pub(crate) use state::Resumed;
pub use store::{MemorySealStore, SealStore};
