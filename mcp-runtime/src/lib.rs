//! Under construction.

mod schema;
