//! The schema of each shape that client/elicitation of 2026-07-28 shows, and what is said about wrong answers.

use serde_json::{Value, json};

use crate::{Elicit, ElicitFault};

/// Reads an answer.
fn read<F: Elicit>(answer: &Value) -> Result<F, Vec<String>> {
    let faults = |faults: Vec<ElicitFault>| faults.iter().map(ToString::to_string).collect();
    F::from_content(answer.as_object().unwrap()).map_err(faults)
}

/// What is wrong with an answer.
#[track_caller]
fn faults<F: Elicit>(answer: &Value) -> Vec<String> {
    read::<F>(answer).err().expect("the answer is wrong")
}

/// The schema of the one field of a form.
fn field<F: Elicit>() -> Value {
    let schema = F::requested_schema();
    schema["properties"].as_object().unwrap().values().next().unwrap().clone()
}

#[derive(Elicit, Debug, Clone, Copy, PartialEq)]
enum Plain {
    Red,
    Green,
    Blue,
}

#[derive(Elicit, Debug, PartialEq)]
enum Titled {
    #[elicit(rename = "#FF0000", title = "Red")]
    Red,
    /// Green
    #[elicit(rename = "#00FF00")]
    Green,
    #[elicit(rename = "#0000FF")]
    Blue,
}

mod shapes {
    use super::*;

    /// `StringSchema/email-input-schema.json`
    #[test]
    fn string() {
        #[derive(Elicit)]
        struct Form {
            /// Description text
            #[elicit(title = "Display Name", length(3..=50), format = "email", default = "user@example.com")]
            email: String,
        }
        assert_eq!(
            Form::requested_schema(),
            json!({
                "type": "object",
                "properties": {
                    "email": {
                        "type": "string",
                        "title": "Display Name",
                        "description": "Description text",
                        "minLength": 3,
                        "maxLength": 50,
                        "format": "email",
                        "default": "user@example.com"
                    }
                }
            })
        );
        assert_eq!(read::<Form>(&json!({})).unwrap().email, "user@example.com");
    }

    /// `NumberSchema/number-input-schema.json`, as text too: the default of a number is `50`, not `50.0`.
    #[test]
    fn number() {
        #[derive(Elicit)]
        struct Form {
            #[elicit(title = "Display Name", description = "Description text", range(0..=100), default = 50)]
            number: f64,
        }
        assert_eq!(
            field::<Form>().to_string(),
            r#"{"type":"number","title":"Display Name","description":"Description text","minimum":0,"maximum":100,"default":50}"#
        );
        assert_eq!(read::<Form>(&json!({ "number": 2.5 })).unwrap().number.to_string(), "2.5");
    }

    /// `BooleanSchema/boolean-input-schema.json`
    #[test]
    fn boolean() {
        #[derive(Elicit)]
        struct Form {
            /// Description text
            #[elicit(title = "Display Name", default = false)]
            sure: bool,
        }
        assert_eq!(
            field::<Form>(),
            json!({ "type": "boolean", "title": "Display Name", "description": "Description text", "default": false })
        );
        assert!(read::<Form>(&json!({ "sure": true })).unwrap().sure);
    }

    /// `UntitledSingleSelectEnumSchema/color-select-schema.json`
    #[test]
    fn single_select() {
        #[derive(Elicit)]
        struct Form {
            /// Choose your favorite color
            #[elicit(title = "Color Selection", default = Plain::Red)]
            color: Plain,
        }
        assert_eq!(
            field::<Form>(),
            json!({
                "type": "string",
                "title": "Color Selection",
                "description": "Choose your favorite color",
                "enum": ["Red", "Green", "Blue"],
                "default": "Red"
            })
        );
        assert_eq!(read::<Form>(&json!({ "color": "Blue" })).unwrap().color, Plain::Blue);
    }

    /// `TitledSingleSelectEnumSchema/titled-color-select-schema.json`
    #[test]
    fn titled_single_select() {
        #[derive(Elicit)]
        struct Form {
            /// Choose your favorite color
            #[elicit(title = "Color Selection", default = Titled::Red)]
            color: Titled,
        }
        assert_eq!(
            field::<Form>(),
            json!({
                "type": "string",
                "title": "Color Selection",
                "description": "Choose your favorite color",
                "oneOf": [
                    { "const": "#FF0000", "title": "Red" },
                    { "const": "#00FF00", "title": "Green" },
                    { "const": "#0000FF", "title": "Blue" }
                ],
                "default": "#FF0000"
            })
        );
        assert_eq!(read::<Form>(&json!({ "color": "#00FF00" })).unwrap().color, Titled::Green);
        assert_eq!(read::<Form>(&json!({})).unwrap().color, Titled::Red);
    }

    /// `UntitledMultiSelectEnumSchema/color-multi-select-schema.json`
    #[test]
    fn multi_select() {
        #[derive(Elicit)]
        struct Form {
            /// Choose your favorite colors
            #[elicit(title = "Color Selection", items(1..=2), default = [Plain::Red, Plain::Green])]
            colors: Vec<Plain>,
        }
        assert_eq!(
            field::<Form>(),
            json!({
                "type": "array",
                "title": "Color Selection",
                "description": "Choose your favorite colors",
                "minItems": 1,
                "maxItems": 2,
                "items": { "type": "string", "enum": ["Red", "Green", "Blue"] },
                "default": ["Red", "Green"]
            })
        );
        assert_eq!(read::<Form>(&json!({ "colors": ["Blue"] })).unwrap().colors, [Plain::Blue]);
    }

    /// `TitledMultiSelectEnumSchema/titled-color-multi-select-schema.json`
    #[test]
    fn titled_multi_select() {
        #[derive(Elicit)]
        struct Form {
            /// Choose your favorite colors
            #[elicit(title = "Color Selection", items(1..3), default = vec![Titled::Red, Titled::Green])]
            colors: Vec<Titled>,
        }
        assert_eq!(
            field::<Form>(),
            json!({
                "type": "array",
                "title": "Color Selection",
                "description": "Choose your favorite colors",
                "minItems": 1,
                "maxItems": 2,
                "items": {
                    "anyOf": [
                        { "const": "#FF0000", "title": "Red" },
                        { "const": "#00FF00", "title": "Green" },
                        { "const": "#0000FF", "title": "Blue" }
                    ]
                },
                "default": ["#FF0000", "#00FF00"]
            })
        );
        assert_eq!(read::<Form>(&json!({})).unwrap().colors, [Titled::Red, Titled::Green]);
    }

    /// `ElicitRequestFormParams/elicit-single-field.json` and `ElicitResult/input-single-field.json`
    #[test]
    fn simple_text_request() {
        #[derive(Elicit)]
        struct Username {
            name: String,
        }
        assert_eq!(
            Username::requested_schema().to_string(),
            r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#
        );
        assert_eq!(read::<Username>(&json!({ "name": "octocat" })).unwrap().name, "octocat");
    }

    /// `ElicitRequestFormParams/elicit-multiple-fields.json` and `ElicitResult/input-multiple-fields.json`
    #[test]
    fn structured_data_request() {
        #[derive(Elicit, Debug, PartialEq)]
        struct Contact {
            /// Your full name
            name: String,
            /// Your email address
            #[elicit(format = "email")]
            email: String,
            /// Your age
            #[elicit(range(18..))]
            age: Option<f64>,
        }
        assert_eq!(
            Contact::requested_schema(),
            json!({
                "type": "object",
                "properties": {
                    "name": { "type": "string", "description": "Your full name" },
                    "email": { "type": "string", "format": "email", "description": "Your email address" },
                    "age": { "type": "number", "minimum": 18, "description": "Your age" }
                },
                "required": ["name", "email"]
            })
        );
        let contact =
            |age| Contact { name: "Monalisa Octocat".into(), email: "octocat@github.com".into(), age };
        let mut answer = json!({ "name": "Monalisa Octocat", "email": "octocat@github.com", "age": 30 });
        assert_eq!(read(&answer), Ok(contact(Some(30.0))));
        answer["age"] = Value::Null;
        assert_eq!(read(&answer), Ok(contact(None)));
        answer.as_object_mut().unwrap().remove("age");
        assert_eq!(read(&answer), Ok(contact(None)));
        assert_eq!(
            faults::<Contact>(&json!({ "email": "octocat", "age": 17 })),
            [
                "name: needs an answer",
                "email: must be an e-mail address like name@example.com, not \"octocat\"",
                "age: must be at least 18, not 17",
            ]
        );
    }
}

mod schemas {
    use super::*;

    /// A form that only wants consent: the action is the answer.
    #[test]
    fn without_fields() {
        #[derive(Elicit, Debug, PartialEq)]
        struct Unit;

        #[derive(Elicit, Debug, PartialEq)]
        struct Empty {}

        assert_eq!(Unit::requested_schema(), json!({ "type": "object", "properties": {} }));
        assert_eq!(Empty::requested_schema(), Unit::requested_schema());
        assert_eq!(read(&json!({ "unasked": 1 })), Ok(Unit));
        assert_eq!(read(&json!({})), Ok(Empty {}));
    }

    #[test]
    fn integers_say_what_they_hold() {
        #[derive(Elicit)]
        #[allow(dead_code, reason = "only its form is read")]
        struct Form {
            a: i8,
            b: u16,
            c: i64,
            d: u64,
            #[elicit(range(-5..=300))]
            e: u8,
            #[elicit(range(1..=18446744073709551615))]
            f: u64,
        }
        let schema = Form::requested_schema();
        assert_eq!(
            schema["properties"],
            json!({
                "a": { "type": "integer", "minimum": -128, "maximum": 127 },
                "b": { "type": "integer", "minimum": 0, "maximum": 65535 },
                "c": { "type": "integer" },
                "d": { "type": "integer", "minimum": 0 },
                "e": { "type": "integer", "minimum": 0, "maximum": 255 },
                "f": { "type": "integer", "minimum": 1, "maximum": u64::MAX },
            })
        );
    }

    #[test]
    fn names_on_the_wire() {
        #[derive(Elicit, Debug, PartialEq)]
        #[elicit(rename_all = "kebab-case")]
        enum Seat {
            WindowSeat,
            #[elicit(rename = "aisle")]
            AisleSeat,
        }

        #[derive(Elicit)]
        #[elicit(rename_all = "camelCase")]
        struct Form {
            first_name: String,
            #[elicit(rename = "seat")]
            r#type: Seat,
        }
        assert_eq!(
            Form::requested_schema(),
            json!({
                "type": "object",
                "properties": {
                    "firstName": { "type": "string" },
                    "seat": { "type": "string", "enum": ["window-seat", "aisle"] }
                },
                "required": ["firstName", "seat"]
            })
        );
        let form: Form = read(&json!({ "firstName": "Mona", "seat": "window-seat" })).unwrap();
        assert_eq!((&*form.first_name, form.r#type), ("Mona", Seat::WindowSeat));
    }

    /// A title on one variant makes the choice a titled one; the others show their names.
    #[test]
    fn titles_of_variants() {
        #[derive(Elicit)]
        #[elicit(rename_all = "snake_case")]
        #[allow(dead_code, reason = "only its form is read")]
        enum Seat {
            /// By the
            /// window
            ///
            /// With a view.
            Window,
            InBetween,
            /// Not this
            #[elicit(title = "Near the aisle")]
            Aisle,
        }

        #[derive(Elicit)]
        #[allow(dead_code, reason = "only its form is read")]
        struct Form {
            seat: Option<Seat>,
        }
        assert_eq!(
            Form::requested_schema(),
            json!({
                "type": "object",
                "properties": {
                    "seat": {
                        "type": "string",
                        "oneOf": [
                            { "const": "window", "title": "By the window" },
                            { "const": "in_between", "title": "In Between" },
                            { "const": "aisle", "title": "Near the aisle" }
                        ]
                    }
                }
            })
        );
    }

    #[test]
    fn defaults_are_converted_and_shown() {
        const LIMIT: u8 = 3;

        #[derive(Elicit, Debug, PartialEq)]
        struct Form {
            #[elicit(default = LIMIT)]
            a: u8,
            #[elicit(default = -1.5)]
            b: f64,
            #[elicit(default = 0.1)]
            c: f32,
            #[elicit(default = format!("{}-{}", 1, 2))]
            d: String,
            #[elicit(default = String::default())]
            e: String,
            #[elicit(default = 7)]
            f: Option<u16>,
            #[elicit(default = Some("x".into()))]
            g: Option<String>,
            #[elicit(default = "x")]
            h: Option<String>,
            #[elicit(default = [])]
            i: Vec<Plain>,
            #[elicit(default = Plain::Green)]
            j: Option<Plain>,
            #[elicit(default = None)]
            k: Option<bool>,
            #[elicit(default = 2)]
            l: f32,
            #[elicit(default = [Plain::Blue])]
            m: Option<Vec<Plain>>,
        }
        let schema = Form::requested_schema();
        let defaults: Vec<(&str, Value)> = schema["properties"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, schema)| (&**name, schema.get("default").cloned().unwrap_or_default()))
            .collect();
        assert_eq!(
            defaults,
            [
                ("a", json!(3)),
                ("b", json!(-1.5)),
                ("c", json!(0.1)),
                ("d", json!("1-2")),
                ("e", json!("")),
                ("f", json!(7)),
                ("g", json!("x")),
                ("h", json!("x")),
                ("i", json!([])),
                ("j", json!("Green")),
                ("k", Value::Null),
                ("l", json!(2)),
                ("m", json!(["Blue"])),
            ]
        );
        assert_eq!(schema.get("required"), None);
        // What a person cleared stays clear; everything else has its default.
        assert_eq!(
            read(&json!({})),
            Ok(Form {
                a: 3,
                b: -1.5,
                c: 0.1,
                d: "1-2".into(),
                e: String::new(),
                f: None,
                g: None,
                h: None,
                i: vec![],
                j: None,
                k: None,
                l: 2.0,
                m: None,
            })
        );
    }
}

mod answers {
    use super::*;

    #[derive(Elicit, Debug, PartialEq)]
    struct Form {
        #[elicit(length(2..=3), title = "Airport")]
        text: Option<String>,
        int: Option<i32>,
        #[elicit(range(..=0.5))]
        float: Option<f32>,
        flag: Option<bool>,
        choice: Option<Titled>,
        #[elicit(items(1..=2))]
        several: Option<Vec<Plain>>,
        big: Option<i64>,
    }

    #[track_caller]
    fn fault(answer: &Value) -> String {
        let [fault] = &faults::<Form>(answer)[..] else { panic!("not one fault: {answer}") };
        fault.clone()
    }

    #[test]
    fn of_the_wrong_type() {
        for (answer, told) in [
            (json!({ "text": 5 }), "Airport: must be text, not a number"),
            (json!({ "text": ["BER"] }), "Airport: must be text, not a list"),
            (json!({ "int": "5" }), "int: must be a whole number, not text"),
            (json!({ "int": 5.5 }), "int: must be a whole number, not 5.5"),
            (json!({ "float": true }), "float: must be a number, not true or false"),
            (json!({ "flag": "yes" }), "flag: must be true or false, not text"),
            (json!({ "choice": "Red" }), "choice: must be one of Red, Green, Blue, not \"Red\""),
            (json!({ "choice": {} }), "choice: must be one of Red, Green, Blue, not a group of values"),
            (json!({ "several": "Red" }), "several: must be a list of choices, not text"),
        ] {
            assert_eq!(fault(&answer), told);
        }
    }

    #[test]
    fn outside_of_bounds() {
        for (answer, told) in [
            (json!({ "text": "B" }), "Airport: must have 2 to 3 characters, not 1"),
            (json!({ "text": "ÄÖÜß" }), "Airport: must have 2 to 3 characters, not 4"),
            (
                json!({ "int": 2_147_483_648_u32 }),
                "int: must be from -2147483648 to 2147483647, not 2147483648",
            ),
            (json!({ "float": 0.75 }), "float: must be at most 0.5, not 0.75"),
            (json!({ "float": -1e300 }), "float: is too large a number"),
            (json!({ "several": [] }), "several: needs 1 to 2 of the choices, not 0"),
            (json!({ "several": ["Red", "Green", "Blue"] }), "several: needs 1 to 2 of the choices, not 3"),
            (json!({ "several": ["Pink"] }), "several: \"Pink\" is not one of Red, Green, Blue"),
            (
                json!({ "big": 1e300 }),
                "big: must be a whole number from -9223372036854775808 to 9223372036854775807",
            ),
        ] {
            assert_eq!(fault(&answer), told);
        }
        assert_eq!(read::<Form>(&json!({ "text": "ÄÖÜ" })).unwrap().text.as_deref(), Some("ÄÖÜ"));
    }

    #[test]
    fn whole_numbers_may_have_a_point() {
        let form: Form = read(&json!({ "int": 5.0, "big": 1e18 })).unwrap();
        assert_eq!((form.int, form.big), (Some(5), Some(1_000_000_000_000_000_000)));
        let form: Form = read(&json!({ "big": i64::MIN })).unwrap();
        assert_eq!(form.big, Some(i64::MIN));
    }

    #[test]
    fn all_faults_in_the_order_of_the_fields() {
        let answer = json!({ "several": ["Pink", 5, "Red"], "unasked": 1, "text": "B" });
        let faults = Form::from_content(answer.as_object().unwrap()).unwrap_err();
        assert_eq!(
            faults.iter().map(|fault| (fault.field(), fault.problem())).collect::<Vec<_>>(),
            [
                ("text", "must have 2 to 3 characters, not 1"),
                ("several", "\"Pink\" is not one of Red, Green, Blue"),
                ("several", "5 is not one of Red, Green, Blue"),
                ("several", "needs 1 to 2 of the choices, not 3"),
            ]
        );
    }

    #[test]
    fn many_wrong_choices_are_not_named_one_by_one() {
        let faults = faults::<Form>(&json!({ "several": vec![1; 1000] }));
        assert_eq!(faults.len(), 7);
        assert_eq!(faults[4], "several: 1 is not one of Red, Green, Blue");
        assert_eq!(faults[5], "several: and 995 more that are not");
        assert_eq!(faults[6], "several: needs 1 to 2 of the choices, not 1000");
    }

    #[test]
    fn in_the_wrong_format() {
        #[derive(Elicit, Debug)]
        #[allow(dead_code, reason = "only its form is read")]
        struct Trip {
            #[elicit(format = "date")]
            from: String,
            #[elicit(format = "date-time")]
            departure: String,
            #[elicit(format = "uri", length(..=1))]
            page: Option<String>,
        }
        assert_eq!(
            faults::<Trip>(&json!({ "from": "2026-02-29", "departure": "noon", "page": "example.com" })),
            [
                "from: must be a date like 2026-07-28, not \"2026-02-29\"",
                "departure: must be a date and time with its time zone like 2026-07-28T09:30:00Z, not \"noon\"",
                "page: must have at most 1 character, not 11",
                "page: must be a full address like https://example.com, not \"example.com\"",
            ]
        );
    }
}
