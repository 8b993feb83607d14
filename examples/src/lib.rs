//! What the example servers serve: plain Rust that knows nothing of the Model Context Protocol.
//!
//! The servers themselves are in `src/bin`, one a file; each is a short list of functions with an attribute, over one of
//! these modules.

pub mod expression;
pub mod files;
pub mod office;
pub mod shop;
pub mod weather;
