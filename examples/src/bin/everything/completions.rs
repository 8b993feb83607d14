//! Completing what a person types into the arguments of prompts and the variables of templates.

use mcp_runtime::CompletionRequest;
use mcp_runtime::prelude::*;

const CITIES: [(&str, &[&str]); 3] = [
    ("france", &["lyon", "nice", "paris"]),
    ("italy", &["milan", "naples", "rome"]),
    ("norway", &["bergen", "oslo", "tromso"]),
];

/// A city, where the country decides which cities are offered.
#[resource("demo://places/{country}/{city}", mime = "text/plain")]
fn place(#[arg(complete = countries)] country: &str, #[arg(complete = cities)] city: &str) -> String {
    format!("{city} in {country}")
}

fn countries(typed: &str) -> Completions {
    Completions::matching(typed, CITIES.map(|(country, _)| country))
}

fn cities(request: &CompletionRequest<'_>) -> Completions {
    let country = request.argument("country");
    let chosen = CITIES.iter().filter(|(name, _)| country.is_none_or(|country| country == *name));
    Completions::matching(request.value(), chosen.flat_map(|(_, cities)| cities.iter().copied()))
}

/// It may wait for something, and look at the context.
pub(crate) async fn languages(typed: &str, ctx: &Context) -> Result<Vec<String>> {
    tokio::task::yield_now().await;
    tracing::debug!(client = ?ctx.client().info(), "languages were asked for");
    let known = ["Dutch", "French", "Italian", "Norwegian", "Spanish"];
    Ok(known.into_iter().filter(|name| name.starts_with(typed)).map(str::to_owned).collect())
}
