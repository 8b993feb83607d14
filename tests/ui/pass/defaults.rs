//! Defaults of every kind.
#![deny(warnings)]

use std::borrow::Cow;
use std::time::Duration;

use mcp_runtime::prelude::*;

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
enum Units {
    Metric,
    Imperial,
}

impl From<&str> for Units {
    fn from(_: &str) -> Self {
        Self::Imperial
    }
}

/// Has no JSON form.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Opaque;

const CITY: &str = "Bonn";
static LIMIT: u8 = 3;

fn words() -> Vec<String> {
    vec!["a".into()]
}

#[tool]
fn defaults(
    #[arg(default = "metric")] a: String,
    #[arg(default = "metric")] b: &str,
    #[arg(default = "metric")] c: Cow<'_, str>,
    #[arg(default = "metric")] d: Units,
    #[arg(default = Units::Metric)] e: Units,
    #[arg(default = 3, range(1..=14))] f: u8,
    #[arg(default = -1.5, range(-2.0..2.0))] g: f64,
    #[arg(default = 60 * 60, range(1..))] h: u64,
    #[arg(default = true)] i: bool,
    #[arg(default = 'x')] j: char,
    #[arg(default = CITY)] k: String,
    #[arg(default = LIMIT)] l: u32,
    #[arg(default = words())] m: Vec<String>,
    #[arg(default = [1, 2])] n: Vec<u8>,
    #[arg(default = Some(3))] o: Option<u8>,
    #[arg(default = 3)] literal: Option<u8>,
    #[arg(default = -0.5)] negative: Option<f64>,
    #[arg(default = Opaque)] p: Opaque,
    #[arg(default = Default::default())] q: Vec<u8>,
    #[arg(default = vec![1])] r: &[u8],
    #[arg(default = concat!("a", "b"))] s: String,
    #[arg(default = "x".to_owned())] t: Option<String>,
    #[arg(default = u8::MAX)] u: u8,
    #[arg(default = !0)] v: u8,
    #[arg(default = Duration::from_secs(1))] w: Duration,
    #[arg(default = None)] x: Option<u8>,
    #[arg(default)] y: Vec<u8>,
    #[arg(default, length(..=8))] z: &str,
) {
    let _ = (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z);
    let _ = (literal, negative);
}

#[prompt]
fn texts(#[arg(default = "1.2.3.4".parse::<std::net::IpAddr>().unwrap())] ip: std::net::IpAddr, #[arg(default = 5)] n: u8) -> String {
    format!("{ip}{n}")
}

fn main() {}
