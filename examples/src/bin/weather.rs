//! The weather of twenty cities, from a table instead of a service: typed results, a resource for each city, a prompt.
//!
//! ```sh
//! cargo run -p mcp-examples --bin weather -- call weather_forecast '{"location":"Oslo","days":2}'
//! cargo run -p mcp-examples --bin weather -- --http 127.0.0.1:8080
//! ```

use mcp_examples::weather::{CITIES, City, Units, UnknownCity, Weather, today};
use mcp_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// Today's weather in a city.
#[tool(title = "Current weather", read_only)]
fn weather_current(
    /// The city, in English.
    #[arg(examples("Paris", "New York"))]
    location: &str,
    /// What to give temperatures and wind in.
    #[arg(default = Units::Metric)]
    units: Units,
) -> Result<Json<Weather>, UnknownCity> {
    Ok(Json(City::find(location)?.weather(today(), units)))
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    /// One for each day, beginning with tomorrow.
    days: Vec<Weather>,
}

/// The weather of the coming days.
#[tool(title = "Weather forecast", read_only)]
fn weather_forecast(
    /// The city, in English.
    location: &str,
    /// How many days.
    #[arg(default = 3, range(1..=14))]
    days: u8,
    /// What to give temperatures and wind in.
    #[arg(default = Units::Metric)]
    units: Units,
) -> Result<Json<Forecast>, UnknownCity> {
    let city = City::find(location)?;
    let days = (1..=u32::from(days)).map(|ahead| city.weather(today() + ahead, units)).collect();
    Ok(Json(Forecast { days }))
}

/// Today's weather in a city, in metric units.
#[resource("weather://{city}/current", mime = "application/json", list = all_cities)]
fn current(
    /// The city in lower case, with `-` for a space.
    #[arg(complete = cities)]
    city: &str,
) -> Option<Json<Weather>> {
    let city = City::find(city).ok()?;
    Some(Json(city.weather(today(), Units::Metric)))
}

/// What to wear today.
#[prompt(title = "What to wear")]
fn what_to_wear(
    /// The city.
    #[arg(complete = cities)]
    city: &str,
    /// What is planned: a meeting, a run, a walk with children.
    plan: Option<&str>,
) -> Result<String, UnknownCity> {
    let weather = City::find(city)?.weather(today(), Units::Metric);
    let plan = plan.unwrap_or("nothing special");
    Ok(format!("{weather}.\n\nMy plan for today: {plan}. What should I wear? Answer in two sentences."))
}

fn cities(typed: &str) -> Completions {
    Completions::matching(typed, CITIES.iter().map(City::slug))
}

fn all_cities() -> Vec<ResourceLink> {
    let link = |city: &City| {
        ResourceLink::new(format!("weather://{}/current", city.slug()))
            .name(city.slug())
            .title(format!("Weather in {}", city.name))
            .mime_type("application/json")
    };
    CITIES.iter().map(link).collect()
}

mcp_runtime::main!();

#[cfg(test)]
mod tests {
    use mcp_runtime::testing::Client;
    use serde_json::json;

    #[tokio::test]
    async fn a_forecast_has_as_many_days_as_were_asked_for() {
        let client = Client::new(mcp_runtime::server!()).unwrap();
        let days = async |arguments| {
            let forecast =
                client.call("weather_forecast", arguments).await.unwrap().structured_content.unwrap();
            forecast["days"].as_array().unwrap().len()
        };
        assert_eq!(days(json!({ "location": "Oslo" })).await, 3);
        assert_eq!(days(json!({ "location": "Oslo", "days": 14, "units": "imperial" })).await, 14);
        assert!(
            client
                .call("weather_forecast", json!({ "location": "Oslo", "days": 15 }))
                .await
                .unwrap()
                .is_error
        );
    }

    #[tokio::test]
    async fn every_city_that_is_listed_can_be_read() {
        let client = Client::new(mcp_runtime::server!()).unwrap();
        let listed = client.list("resources").await.unwrap();
        assert_eq!(listed.len(), 20);
        for resource in listed {
            client.read(resource["uri"].as_str().unwrap()).await.unwrap();
        }
        assert_eq!(client.read("weather://atlantis/current").await.unwrap_err().code(), -32602);
    }

    #[tokio::test]
    async fn an_unknown_city_is_told_the_near_ones() {
        let client = Client::new(mcp_runtime::server!()).unwrap();
        let unknown = client.call("weather_current", json!({ "location": "Pariss" })).await.unwrap();
        assert_eq!(unknown.text(), r#"there is no weather for "Pariss"; did you mean Paris?"#);
    }
}
