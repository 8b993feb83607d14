use mcp_runtime::prelude::*;

use std::rc::Rc;

#[tool]
async fn count() -> usize {
    let numbers = Rc::new(vec![1, 2]);
    std::future::ready(()).await;
    numbers.len()
}

fn main() {}
