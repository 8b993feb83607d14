use mcp_runtime::prelude::*;

struct Point;

#[tool]
fn draw(points: &[Point]) -> usize {
    points.len()
}

fn main() {}
