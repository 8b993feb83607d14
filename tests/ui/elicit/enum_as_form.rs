use mcp_runtime::prelude::*;

#[derive(Elicit)]
enum Color {
    Red,
}

fn ask<F: Elicit>() {}

fn form() {
    ask::<Color>();
}

fn main() {}
