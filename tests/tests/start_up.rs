//! What keeps a server from starting: all faults at once, each with its place in the source (issue 2, Runtime).

use mcp_runtime::Server;
use mcp_runtime::testing::Client;
use mcp_tests::server;

mod duplicates {
    pub(crate) mod one {
        use mcp_runtime::prelude::*;

        #[tool]
        fn search() {}

        #[prompt(name = "ask")]
        fn prompt() -> &'static str {
            "one"
        }

        #[resource("app://settings")]
        fn settings() -> &'static str {
            "one"
        }
    }

    pub(crate) mod two {
        use mcp_runtime::prelude::*;

        #[tool(name = "search")]
        fn find() {}

        #[prompt]
        fn ask() -> &'static str {
            "two"
        }

        #[resource("app://settings")]
        fn options() -> &'static str {
            "two"
        }
    }
}

/// A tool, a prompt and a resource of one name do not clash: they are listed apart.
mod namesakes {
    use mcp_runtime::prelude::*;

    #[tool(name = "same")]
    fn tool() {}

    #[prompt(name = "same")]
    fn prompt() -> &'static str {
        ""
    }

    #[resource("app://same", name = "same")]
    fn resource() -> &'static str {
        ""
    }

    #[resource("app://other", name = "same")]
    fn other() -> &'static str {
        ""
    }
}

mod overlaps {
    use mcp_runtime::prelude::*;

    #[resource("db://{table}/{id}")]
    fn row(table: &str, id: &str) -> String {
        format!("{table} {id}")
    }

    #[resource("db://{schema}/{table}")]
    fn table(schema: &str, table: &str) -> String {
        format!("{schema} {table}")
    }

    /// More specific than both, so that there is no doubt.
    #[resource("db://orders/{id}")]
    fn order(id: &str) -> String {
        id.to_owned()
    }
}

mod states {
    use mcp_runtime::prelude::*;
    use mcp_runtime::{Error, FromContext, Requirements};

    pub(crate) struct Db;

    pub(crate) struct Http;

    /// Asks for what it needs, as an author's own injected type does.
    pub(crate) struct Connection;

    impl<'call> FromContext<'call> for Connection {
        fn from_context(ctx: &'call Context) -> Result<Self, Error> {
            ctx.state::<Db>().map(|_| Self).ok_or_else(|| Error::internal("no database"))
        }

        fn requires(requirements: &mut Requirements) {
            requirements.state::<Db>();
        }
    }

    #[tool]
    fn report(_db: State<Db>, _http: State<Http>) {}

    #[resource("app://db")]
    fn resource(_connection: Connection) -> &'static str {
        "db"
    }

    #[prompt]
    fn prompt(_db: State<Db>) -> &'static str {
        "db"
    }
}

mod schemas {
    use mcp_runtime::prelude::*;
    use serde_json::{Value, json};

    fn no_object() -> Value {
        json!({ "type": "array" })
    }

    fn bad_pattern() -> Value {
        json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "(" } } })
    }

    fn bad_argument() -> Value {
        json!({ "type": "string", "pattern": "[" })
    }

    #[tool(input_schema = no_object)]
    fn array(a: Option<i64>) -> String {
        format!("{a:?}")
    }

    #[tool(input_schema = bad_pattern)]
    fn pattern(a: Option<String>) -> String {
        format!("{a:?}")
    }

    #[tool]
    fn argument(#[arg(schema = bad_argument)] a: String) -> String {
        a
    }
}

mod headers {
    use mcp_runtime::prelude::*;

    /// A header that the attribute cannot see.
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Place {
        #[schemars(extend("x-mcp-header" = "region"))]
        region: String,
    }

    #[tool]
    fn twice(#[arg(header = "Region")] a: String, place: Place) -> String {
        a + &place.region
    }
}

mod grouped {
    use mcp_runtime::prelude::*;

    #[tool(group = "admin")]
    fn drop_all() {}

    #[tool(group = "readers")]
    fn read() {}

    pub(crate) mod inner {
        use mcp_runtime::prelude::*;

        #[tool]
        fn deep() {}
    }
}

/// The faults of a server that does not start.
fn faults(server: Server) -> Vec<String> {
    let error = Client::new(server).err().expect("it does not start");
    let faults = error.faults().to_vec();
    let plural = if faults.len() == 1 { "" } else { "s" };
    let mut shown = format!("the server cannot start: {} fault{plural}", faults.len());
    for fault in &faults {
        shown = format!("{shown}\n  - {fault}");
    }
    assert_eq!(error.to_string(), shown);
    faults
}

/// A fault without the numbers of its lines, and the functions that stand there.
fn with_functions(fault: &str) -> String {
    const FILE: &str = "tests/tests/start_up.rs:";
    let source: Vec<&str> = include_str!("start_up.rs").lines().collect();
    let mut parts = fault.split(FILE);
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let line: usize = part[..digits].parse().expect("a line");
        let from_there = source[line - 1..].iter().find_map(|line| line.trim().strip_prefix("fn "));
        let name = from_there.and_then(|text| text.split('(').next()).expect("a function");
        shown = format!("{shown}<{name}>{}", &part[digits..]);
    }
    shown
}

fn shown(server: Server) -> Vec<String> {
    faults(server).iter().map(|fault| with_functions(fault)).collect()
}

/// Duplicate names and clashing addresses: both places of each, and none is picked.
#[test]
fn duplicates_name_both_places() {
    assert_eq!(
        shown(server("start_up::duplicates")),
        [
            "two tools are called `search`: <search> and <find>; rename one with `#[tool(name = \"..\")]`",
            "two prompts are called `ask`: <prompt> and <ask>; rename one with `#[prompt(name = \"..\")]`",
            "two resources have the address `app://settings`: <options> and <settings>; change one of them",
        ]
    );
    for module in ["start_up::duplicates::one", "start_up::duplicates::two", "start_up::namesakes"] {
        assert!(Client::new(server(module)).is_ok(), "{module}");
    }
}

/// Overlapping templates: where neither is more specific.
#[test]
fn overlapping_templates_name_both_places() {
    assert_eq!(
        shown(server("start_up::overlaps")),
        [
            "the templates `db://{schema}/{table}` (<table>) and `db://{table}/{id}` (<row>) match the same addresses; \
          make one more specific"
        ]
    );
}

/// Missing `State`: which type, of which function, and what to call; also for what an author injects.
#[test]
fn a_missing_state_is_named() {
    let missing = |name: &str, state: &str| {
        format!(
            "`{name}` takes `State<start_up::states::{state}>`, which is not registered: give one to \
             `Server::state`, as in `mcp_runtime::server!().state(..).main()` (<{name}>)"
        )
    };
    assert_eq!(
        shown(server("start_up::states")),
        [
            missing("prompt", "Db"),
            missing("report", "Db"),
            missing("report", "Http"),
            missing("resource", "Db")
        ]
    );
    assert_eq!(shown(server("start_up::states").state(states::Db)), [missing("report", "Http")]);
    assert!(Client::new(server("start_up::states").state(states::Db).state(states::Http)).is_ok());
}

/// Schemas by hand that are none.
#[test]
fn a_bad_schema_by_hand_is_named() {
    let shown = shown(server("start_up::schemas"));
    assert_eq!(shown.len(), 3, "{shown:#?}");
    assert!(shown[0].starts_with("`argument` has a fault in its argument `a`: "), "{}", shown[0]);
    assert!(shown[0].ends_with(" (<argument>)"), "{}", shown[0]);
    assert_eq!(shown[1], "`array` has an `input_schema` whose `type` is not \"object\" (<array>)");
    assert!(shown[2].starts_with("`pattern` has a fault in its `input_schema`: "), "{}", shown[2]);
    assert!(shown[2].ends_with(" (<pattern>)"), "{}", shown[2]);
}

/// server/tools, x-mcp-header: "MUST be case-insensitively unique".
#[test]
fn a_bad_header_is_named() {
    let shown = shown(server("start_up::headers"));
    let [fault] = &shown[..] else { panic!("{shown:#?}") };
    assert!(fault.starts_with("`twice` ") && fault.ends_with(" (<twice>)"), "{fault}");
    assert!(fault.contains("region"), "{fault}");
}

/// `Server::only` that selects nothing says what there is.
#[test]
fn a_selection_of_nothing_is_told() {
    let [fault] = &faults(server("start_up::groupd"))[..] else { panic!("one fault") };
    assert!(
        fault.starts_with(
            "`Server::only(\"start_up::groupd\")` selects nothing; the modules and groups with entries are: "
        ),
        "{fault}"
    );
    for known in ["start_up::grouped", "start_up::grouped::inner", "admin", "readers"] {
        assert!(fault.split([' ', ',']).any(|word| word == known), "{known}: {fault}");
    }
    // Half of a module's name is none.
    assert_eq!(faults(server("start_up::group")).len(), 1);
    assert_eq!(faults(server("start_up::grouped").only("nobody")).len(), 1);
}

/// `Server::only` takes modules, with those inside them, and groups.
#[tokio::test]
async fn modules_and_groups_are_selected() {
    for (names, tools) in [
        (vec!["start_up::grouped"], vec!["deep", "drop_all", "read"]),
        (vec!["start_up::grouped::inner"], vec!["deep"]),
        (vec!["admin"], vec!["drop_all"]),
        (vec!["admin", "start_up::grouped::inner"], vec!["deep", "drop_all"]),
        (vec!["admin", "start_up::grouped"], vec!["deep", "drop_all", "read"]),
    ] {
        let server = names.into_iter().fold(Server::new(), Server::only);
        let client = Client::new(server).expect("it starts");
        assert_eq!(mcp_tests::names(&client, "tools").await, tools);
    }
}

/// Seal keys that are none say what to type.
#[test]
fn bad_seal_keys_are_told() {
    let expected = |index: u8| {
        format!(
            "seal key {index} is not 32 bytes in base64 or hexadecimal; make one with `openssl rand -base64 32`"
        )
    };
    let good = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    for (keys, fault) in [
        ("secret".to_owned(), expected(1)),
        (format!("{good},AAAA"), expected(2)),
        (String::new(), "no seal key is given".to_owned()),
    ] {
        assert_eq!(faults(server("start_up::namesakes").seal_keys(keys)), [fault]);
    }
    for keys in [good.to_owned(), good.replace('=', ""), format!(" {good} , {good} ,"), "0f".repeat(32)] {
        assert!(Client::new(server("start_up::namesakes").seal_keys(keys.clone())).is_ok(), "{keys}");
    }
}

/// "All faults reported together with `file:line` of each, before anything is served."
#[test]
fn all_faults_are_reported_together() {
    let everything = server("start_up").only("nobody").seal_keys("secret");
    let shown = shown(everything);
    for part in [
        "two tools are called `search`",
        "two prompts are called `ask`",
        "two resources have the address `app://settings`",
        "the templates `db://{schema}/{table}`",
        "`report` takes `State<start_up::states::Db>`",
        "`report` takes `State<start_up::states::Http>`",
        "`array` has an `input_schema`",
        "`pattern` has a fault",
        "`argument` has a fault",
        "`twice` ",
        "`Server::only(\"nobody\")` selects nothing",
        "seal key 1 is not 32 bytes",
    ] {
        assert_eq!(shown.iter().filter(|fault| fault.starts_with(part)).count(), 1, "{part}: {shown:#?}");
    }
    assert_eq!(shown.len(), 14, "{shown:#?}");
}

/// What the program says on stderr until it listens.
fn said_before_it_listens(name: &str, keys: Option<&str>) -> Vec<String> {
    let mut command = std::process::Command::new(mcp_tests::binary(name));
    command.args(["--http", "127.0.0.1:0"]).env_remove("MCP_SEAL_KEYS").env_remove("RUST_LOG");
    command.envs(keys.map(|keys| ("MCP_SEAL_KEYS", keys)));
    let mut server = command.stderr(std::process::Stdio::piped()).spawn().expect("the server starts");
    let stderr = std::io::BufReader::new(server.stderr.take().expect("it is piped"));
    let lines = std::io::BufRead::lines(stderr).map(|line| line.expect("it is text"));
    let said = lines.take_while(|line| !line.contains("listening on")).collect();
    server.kill().expect("the server can be ended");
    server.wait().expect("it ends");
    said
}

#[test]
fn a_server_without_seal_keys_says_so_once_where_it_matters() {
    let said = said_before_it_listens("trip", None);
    assert_eq!(said.len(), 1, "{said:?}");
    for part in ["trip has no seal keys", "opens in this process only", "MCP_SEAL_KEYS"] {
        assert!(said[0].contains(part), "{said:?}");
    }
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    assert_eq!(said_before_it_listens("trip", Some(key)), [""; 0]);
    // It asks nobody, and its lists have one page.
    assert_eq!(said_before_it_listens("quickstart", None), [""; 0]);
}
