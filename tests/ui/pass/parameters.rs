//! Aliases, lifetimes, raw identifiers, slices, and what only `FromStr` is.
#![deny(warnings)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::str::FromStr;

use mcp_runtime::prelude::*;
use mcp_runtime::{Error, FromContext};

struct Db;
type Database = State<Db>;
type Ctx<'a> = &'a Context;
type Maybe<T> = Option<T>;

struct Tenant;

impl<'call> FromContext<'call> for Tenant {
    fn from_context(_: &'call Context) -> std::result::Result<Self, Error> {
        Ok(Self)
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Page {
    #[allow(dead_code)]
    limit: Option<u32>,
}

struct Id(#[allow(dead_code)] u64);

impl FromStr for Id {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[tool]
fn aliases(limit: Maybe<u32>, db: Database, ctx: Ctx<'_>, tenant: Tenant, owned: Context) {
    let _ = (limit, db, ctx, tenant, owned);
}

#[tool]
async fn borrowed(text: &str, ctx: &Context, words: &[String], rest: Cow<'_, str>) -> String {
    std::future::ready(()).await;
    let _ = (ctx, words, rest);
    text.to_owned()
}

#[tool]
fn named<'a>(text: &'a str, maybe: Option<&'a str>) -> &'a str {
    maybe.unwrap_or(text)
}

#[tool]
fn raw(r#type: String, mut r#in: u8, _unused: bool) -> String {
    r#in += 1;
    format!("{}{}", r#type, r#in)
}

/// Names that the glue uses too.
#[tool]
fn call(call: String, arguments: u8, signature: u8, value: u8, __mcp: u8, request: u8) -> String {
    format!("{call}{arguments}{signature}{value}{}{request}", __mcp)
}

#[tool]
fn flat(#[arg(flatten)] page: Page, other: BTreeMap<String, u8>) {
    let _ = (page, other);
}

#[tool]
fn elements(pairs: &[(String, u8)], #[arg(length(..=3))] ids: &[u32], state: &Context) -> u8 {
    let _ = (pairs, ids, state);
    1
}

#[prompt]
fn ask(id: Id, address: IpAddr, maybe: Option<IpAddr>, count: Option<u8>, #[arg(description = "d")] other: Id, db: Database, ctx: Ctx<'_>) -> String {
    let _ = (id, address, maybe, count, other, db, ctx);
    String::new()
}

#[resource("db://{id}/{host}{?limit,page}")]
async fn row(id: Id, host: String, limit: Option<u8>, #[arg(default = 1)] page: u8, db: Database, tenant: Tenant) -> String {
    let _ = (id, limit, page, db, tenant);
    host
}

#[resource("db://{+path}{/rest*}")]
fn path(path: &str, rest: String, ctx: &Context) -> String {
    let _ = ctx;
    format!("{path}{rest}")
}

fn main() {
    assert_eq!(named("a", None), "a");
    assert_eq!(raw(String::new(), 1, true), "2");
}
