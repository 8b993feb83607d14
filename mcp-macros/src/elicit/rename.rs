//! `rename_all`: the rules of serde, by the names that serde has for them.

use crate::error::{Result, error};
use crate::keys::{Key, nearest};

/// How the names of fields and variants are written on the wire.
#[derive(Clone, Copy)]
pub(crate) struct Rule(&'static str);

const RULES: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];

impl Rule {
    pub(crate) fn parse(key: &Key) -> Result<Self> {
        let text = key.filled_text()?;
        let name = text.value();
        if let Some(rule) = RULES.iter().find(|rule| **rule == name) {
            return Ok(Self(rule));
        }
        Err(match nearest(&name.replace('-', "_"), &RULES) {
            Some(near) => error(&text, format!("there is no rule `{name}`; did you mean `{near}`?")),
            None => error(&text, format!("there is no rule `{name}`; the rules are {}", RULES.join(", "))),
        })
    }

    /// The name of a variant, which is written in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self.0 {
            "lowercase" => name.to_ascii_lowercase(),
            "UPPERCASE" => name.to_ascii_uppercase(),
            "PascalCase" => name.to_owned(),
            "camelCase" => first(name, |char| char.to_ascii_lowercase()),
            _ => {
                let mut snake = String::new();
                for (at, char) in name.char_indices() {
                    if at > 0 && char.is_uppercase() {
                        snake.push('_');
                    }
                    snake.push(char.to_ascii_lowercase());
                }
                self.of_snake(&snake)
            }
        }
    }

    /// The name of a field, which is written in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self.0 {
            "lowercase" | "snake_case" => name.to_owned(),
            "UPPERCASE" => name.to_ascii_uppercase(),
            "PascalCase" => pascal(name),
            "camelCase" => first(&pascal(name), |char| char.to_ascii_lowercase()),
            _ => self.of_snake(name),
        }
    }

    fn of_snake(self, snake: &str) -> String {
        match self.0 {
            "SCREAMING_SNAKE_CASE" => snake.to_ascii_uppercase(),
            "kebab-case" => snake.replace('_', "-"),
            "SCREAMING-KEBAB-CASE" => snake.to_ascii_uppercase().replace('_', "-"),
            _ => snake.to_owned(),
        }
    }
}

fn pascal(snake: &str) -> String {
    snake.split('_').map(|word| first(word, |char| char.to_ascii_uppercase())).collect()
}

fn first(word: &str, change: impl Fn(char) -> char) -> String {
    let mut chars = word.chars();
    chars.next().map(change).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::{RULES, Rule};

    /// The table of serde's documentation.
    #[test]
    fn as_serde_does() {
        let of = |change: fn(Rule, &str) -> String, name: &str| RULES.map(|rule| change(Rule(rule), name));
        assert_eq!(
            of(Rule::variant, "VeryTasty"),
            [
                "verytasty",
                "VERYTASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
        assert_eq!(of(Rule::variant, "Z42"), ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]);
        assert_eq!(
            of(Rule::field, "very_tasty"),
            [
                "very_tasty",
                "VERY_TASTY",
                "VeryTasty",
                "veryTasty",
                "very_tasty",
                "VERY_TASTY",
                "very-tasty",
                "VERY-TASTY"
            ]
        );
    }
}
