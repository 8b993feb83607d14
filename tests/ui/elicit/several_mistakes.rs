use mcp_runtime::prelude::*;

use std::collections::BTreeMap;

#[derive(Elicit)]
#[elicit(rename_al = "camelCase")]
struct Form {
    #[elicit(titel = "Name")]
    name: String,
    labels: BTreeMap<String, String>,
    #[elicit(range(1..=3))]
    airport: String,
    pair: (u8, u8),
    #[elicit(default = "yes")]
    sure: bool,
}

fn ask<F: Elicit>() {}

fn form() {
    ask::<Form>();
}

fn main() {}
