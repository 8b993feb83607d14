//! Arguments on their way from the wire into a function's parameters.

pub(crate) mod lend;
pub(crate) mod text;
