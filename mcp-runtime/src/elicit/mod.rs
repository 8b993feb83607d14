//! Placeholder until the derive lands.
use serde_json::{Map, Value};
/// x
pub trait Elicit: Sized {
    /// x
    fn requested_schema() -> Value;
    /// x
    fn from_content(content: &Map<String, Value>) -> Result<Self, Vec<String>>;
}
