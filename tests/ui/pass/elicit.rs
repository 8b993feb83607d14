//! Forms of every kind, also where aliases and the user's own names could be in the way.
#![deny(warnings)]

#[allow(unused_extern_crates)]
extern crate mcp_runtime as server;

use mcp_runtime::prelude::*;

type Text = String;
type Colors = Vec<Color>;
type Maybe<T> = Option<T>;

const NAME: &str = "Mona";

#[derive(Elicit, Debug, Clone, Copy, PartialEq)]
#[elicit(rename_all = "kebab-case",)]
enum Color {
    /// Red
    Red,
    #[elicit(title = "Green", rename = "g")]
    Green,
    DarkBlue = 7,
    #[doc = concat!("Any", " other")]
    Other,
}

/// Asks for everything.
#[derive(Elicit)]
#[elicit(rename_all = "camelCase")]
pub struct Everything {
    /// One line.
    ///
    /// And another.
    #[elicit(title = "Name", length(1..=80))]
    #[elicit(default = NAME)]
    pub full_name: Text,
    #[elicit(format = "email")]
    r#type: Maybe<Text>,
    #[elicit(range(..=3), default = u8::MAX / 100)]
    seats: u8,
    #[elicit(range(-1.5..=1.5))]
    share: f32,
    #[elicit(default = false)]
    sure: bool,
    #[elicit(items(..3), default = [Color::Red])]
    colors: Colors,
    #[elicit(default = Color::Green)]
    color: Maybe<Color>,
    more: Maybe<Colors>,
}

#[derive(Elicit)]
struct Consent;

mod hidden {
    #[allow(dead_code)]
    enum Hidden {
        Some,
        None,
        Ok,
        Err,
    }
    #[allow(unused_imports)]
    use Hidden::*;

    type Value = u8;
    #[allow(dead_code)]
    type Content = u8;
    #[allow(dead_code)]
    type Result = u8;
    #[allow(dead_code)]
    type Option = u8;
    #[allow(dead_code)]
    type Vec = u8;

    #[allow(non_upper_case_globals, dead_code)]
    const content: u8 = 1;
    #[allow(non_upper_case_globals, dead_code)]
    const answers: u8 = 1;
    #[allow(non_upper_case_globals, dead_code)]
    const value: u8 = 1;

    mod core {}
    mod std {}
    mod mcp_runtime {}

    #[derive(server::Elicit)]
    #[elicit(crate = server)]
    pub struct Form {
        #[elicit(default = Default::default())]
        pub content: Value,
        pub value: Choice,
        pub answers: bool,
    }

    #[derive(server::Elicit)]
    #[elicit(crate = server)]
    pub enum Choice {
        Some,
        None,
        Value,
    }
}

#[deprecated]
#[derive(Elicit)]
struct Old {
    old: bool,
}

fn ask<F: Elicit>() -> F {
    F::from_content(&Default::default()).unwrap_or_else(|_| unreachable!())
}

fn main() {
    fn form() {
        #[derive(Elicit)]
        struct Local {
            choice: Choice,
        }

        #[derive(Elicit)]
        enum Choice {
            Yes,
            No,
        }

        let Local { choice: Choice::Yes | Choice::No } = ask();
    }
    let _ = form;
    let Consent = ask();
    let _ = || {
        let hidden::Form { content, value, answers } = ask();
        match value {
            hidden::Choice::Some | hidden::Choice::None | hidden::Choice::Value => (content, answers),
        }
    };
    let _ = || {
        let Everything { full_name, r#type, seats, share, sure, colors, color, more } = ask();
        (full_name, r#type, seats, share, sure, colors, color, more, Color::DarkBlue, Color::Other)
    };
    #[allow(deprecated)]
    let _ = || ask::<Old>().old;
}
