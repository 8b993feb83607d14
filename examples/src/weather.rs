//! Weather without a network: twenty cities, their seasons, and a little noise that is the same on every machine.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A city with what its weather follows from.
#[derive(Debug, PartialEq)]
pub struct City {
    /// Its name in English.
    pub name: &'static str,
    /// Its country.
    pub country: &'static str,
    /// The yearly mean in degrees Celsius.
    mean: f64,
    /// How much warmer the warmest day of the year is than the mean.
    swing: f64,
    /// How many days of a hundred are wet.
    wet: u32,
    /// South of the equator, January is in summer.
    southern: bool,
}

const fn city(name: &'static str, country: &'static str, mean: f64, swing: f64, wet: u32) -> City {
    City { name, country, mean, swing, wet, southern: false }
}

const fn southern(city: City) -> City {
    City { southern: true, ..city }
}

/// The cities, by name.
pub static CITIES: [City; 20] = [
    city("Amsterdam", "Netherlands", 10.5, 7.5, 52),
    city("Berlin", "Germany", 10.0, 10.0, 45),
    southern(city("Buenos Aires", "Argentina", 18.0, 7.0, 27)),
    city("Cairo", "Egypt", 22.0, 7.5, 3),
    southern(city("Cape Town", "South Africa", 17.0, 4.5, 28)),
    city("Delhi", "India", 25.0, 9.0, 20),
    city("Istanbul", "Turkey", 15.0, 9.5, 33),
    southern(city("Lima", "Peru", 19.5, 3.5, 5)),
    city("London", "United Kingdom", 11.5, 7.0, 44),
    city("Mexico City", "Mexico", 17.5, 2.5, 36),
    southern(city("Nairobi", "Kenya", 19.0, 1.5, 32)),
    city("New York", "United States", 13.0, 12.5, 34),
    city("Oslo", "Norway", 6.5, 11.5, 43),
    city("Paris", "France", 12.5, 8.0, 45),
    city("Reykjavik", "Iceland", 5.0, 6.0, 58),
    city("San Francisco", "United States", 14.5, 3.0, 20),
    city("Singapore", "Singapore", 27.5, 0.8, 48),
    southern(city("Sydney", "Australia", 18.5, 5.5, 39)),
    city("Tokyo", "Japan", 16.0, 11.0, 37),
    city("Toronto", "Canada", 9.0, 13.5, 40),
];

/// What temperatures and wind are given in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Degrees Celsius and kilometres per hour.
    #[default]
    Metric,
    /// Degrees Fahrenheit and miles per hour.
    Imperial,
}

/// What the sky does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Sky {
    Sunny,
    Cloudy,
    Rain,
    Snow,
}

/// The weather of one day in one city.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Weather {
    /// City and country.
    pub location: String,
    /// The day, as `2026-07-28`.
    pub date: String,
    /// What the sky does.
    pub sky: Sky,
    /// At noon.
    pub temperature: f64,
    /// At the coldest hour.
    pub low: f64,
    /// The speed of the wind.
    pub wind: f64,
    /// What the numbers are given in.
    pub units: Units,
}

impl fmt::Display for Weather {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sky = match self.sky {
            Sky::Sunny => "sunny",
            Sky::Cloudy => "cloudy",
            Sky::Rain => "rain",
            Sky::Snow => "snow",
        };
        let (degrees, speed) = match self.units {
            Units::Metric => ("°C", "km/h"),
            Units::Imperial => ("°F", "mph"),
        };
        let Self { location, date, temperature, low, wind, .. } = self;
        write!(
            f,
            "{location} on {date}: {sky}, {temperature} {degrees}, at night {low} {degrees}, wind {wind} {speed}"
        )
    }
}

/// A city that is not among those we know.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownCity {
    asked: String,
    near: Vec<&'static str>,
}

impl fmt::Display for UnknownCity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no weather for {:?}; ", self.asked)?;
        match &self.near[..] {
            [] => write!(f, "the cities are {}", CITIES.each_ref().map(|city| city.name).join(", ")),
            near => write!(f, "did you mean {}?", near.join(" or ")),
        }
    }
}

impl std::error::Error for UnknownCity {}

impl City {
    /// Finds a city as people, models and addresses write it: `new york`, `New York, US`, `new-york`.
    ///
    /// ```
    /// use mcp_examples::weather::City;
    ///
    /// assert_eq!(City::find("new-york")?.name, "New York");
    /// assert_eq!(
    ///     City::find("Pariss").unwrap_err().to_string(),
    ///     r#"there is no weather for "Pariss"; did you mean Paris?"#
    /// );
    /// # Ok::<(), mcp_examples::weather::UnknownCity>(())
    /// ```
    pub fn find(asked: &str) -> Result<&'static Self, UnknownCity> {
        let name = folded(asked.split(',').next().unwrap_or(asked));
        if let Some(city) = CITIES.iter().find(|city| folded(city.name) == name) {
            return Ok(city);
        }
        let near = |city: &&City| {
            let known = folded(city.name);
            name.len() > 2 && (known.contains(&name) || name.contains(&known) || distance(&known, &name) <= 2)
        };
        let near = CITIES.iter().filter(near).map(|city| city.name).collect();
        Err(UnknownCity { asked: asked.to_owned(), near })
    }

    /// The name as a part of an address: `new-york`.
    pub fn slug(&self) -> String {
        self.name.to_lowercase().replace(' ', "-")
    }

    /// The weather on a day, counted from 1 January 1970.
    pub fn weather(&self, day: u32, units: Units) -> Weather {
        // The warmest day comes some three weeks after the longest.
        let warmest = if self.southern { 20.0 } else { 202.0 };
        let season = ((f64::from(day) - warmest) / 365.25 * std::f64::consts::TAU).cos();
        let mut noise = Noise::of(self.name, day);
        let temperature = self.mean + self.swing * season + noise.between(-4.0, 4.0);
        let low = temperature - noise.between(3.0, 9.0);
        let sky = match noise.percent() {
            n if n < self.wet && temperature < 1.0 => Sky::Snow,
            n if n < self.wet => Sky::Rain,
            n if n < 70 => Sky::Cloudy,
            _ => Sky::Sunny,
        };
        let wind = noise.between(2.0, 35.0);
        let tenths = |value: f64| (value * 10.0).round() / 10.0;
        let degrees = |celsius: f64| match units {
            Units::Metric => tenths(celsius),
            Units::Imperial => tenths(celsius * 1.8 + 32.0),
        };
        Weather {
            location: format!("{}, {}", self.name, self.country),
            date: date(day),
            sky,
            temperature: degrees(temperature),
            low: degrees(low),
            wind: tenths(if units == Units::Metric { wind } else { wind / 1.609 }),
            units,
        }
    }
}

/// Today in UTC, in days from 1 January 1970.
pub fn today() -> u32 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u32::try_from(since.as_secs() / 86_400).unwrap_or(u32::MAX)
}

/// A day as `2026-07-28`, by walking the years; a server's life is a few decades from 1970.
fn date(day: u32) -> String {
    let leap = |year: u32| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut day) = (1970, day);
    while day >= 365 + u32::from(leap(year)) {
        day -= 365 + u32::from(leap(year));
        year += 1;
    }
    let february = 28 + u32::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

fn folded(name: &str) -> String {
    name.trim().to_lowercase().replace(['-', '_'], " ")
}

/// Levenshtein's distance, a row at a time.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// `SplitMix64`, seeded with a place and a day.
struct Noise(u64);

impl Noise {
    fn of(place: &str, day: u32) -> Self {
        let seed =
            place.bytes().fold(u64::from(day), |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        Self(seed)
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or_default()
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * f64::from(self.next()) / f64::from(u32::MAX)
    }

    fn percent(&mut self) -> u32 {
        self.next() % 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 28 July 2026.
    const SUMMER: u32 = 20_662;
    /// 15 January 2026.
    const WINTER: u32 = 20_468;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(SUMMER), "2026-07-28");
        assert_eq!(date(WINTER), "2026-01-15");
        assert_eq!(date(20_818), "2026-12-31");
    }

    #[test]
    fn a_city_is_found_however_it_is_written() {
        for written in ["New York", "new york", " NEW-YORK ", "New York, NY", "new_york"] {
            assert_eq!(City::find(written).unwrap().name, "New York", "{written}");
        }
        for city in &CITIES {
            assert_eq!(City::find(&city.slug()), Ok(city));
        }
    }

    #[test]
    fn an_unknown_city_is_told_the_near_ones() {
        let near = |asked: &str| City::find(asked).unwrap_err().near;
        assert_eq!(near("Berln"), ["Berlin"]);
        assert_eq!(near("York"), ["New York"]);
        assert_eq!(near("Greater London"), ["London"]);
        assert_eq!(near("Ulan Bator"), Vec::<&str>::new());
        assert_eq!(near(""), Vec::<&str>::new());
        let text = City::find("Ulan Bator").unwrap_err().to_string();
        assert!(
            text.starts_with("there is no weather for \"Ulan Bator\"; the cities are Amsterdam, Berlin,"),
            "{text}"
        );
    }

    #[test]
    fn seasons_turn_at_the_equator() {
        let warmth = |name: &str, day: u32| City::find(name).unwrap().weather(day, Units::Metric).temperature;
        assert!(warmth("Toronto", SUMMER) > warmth("Toronto", WINTER) + 10.0);
        assert!(warmth("Sydney", WINTER) > warmth("Sydney", SUMMER));
    }

    #[test]
    fn units_change_the_numbers_and_not_the_weather() {
        let city = City::find("Oslo").unwrap();
        let (metric, imperial) = (city.weather(WINTER, Units::Metric), city.weather(WINTER, Units::Imperial));
        assert_eq!(metric, city.weather(WINTER, Units::Metric));
        assert_eq!(metric.sky, imperial.sky);
        assert!((metric.temperature * 1.8 + 32.0 - imperial.temperature).abs() < 0.2);
    }
}
