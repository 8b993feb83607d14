//! Faults that the macros find at compile time, for entries that no macro made.

use std::collections::HashSet;

use super::{Selection, build};
use crate::protocol::Error;
use crate::registry::{
    About, Entries, Entry, Faults, Handler, Hints, Param, PromptEntry, Registry, ResourceEntry, Run,
    Schedule, Signature, ToolEntry,
};

const NOWHERE: About = About { module: "app::web", file: "src/web.rs", line: 7, ..About::UNSET };

fn run(params: &'static [Param], describe: fn(&mut Signature)) -> Run {
    let handler = Handler::Sync(|_| Err(Error::internal("not called")));
    Run { handler, schedule: Schedule::Inline, timeout: None, heartbeat: None, params, describe }
}

fn about(name: &'static str) -> About {
    About { name, ..NOWHERE }
}

fn tool(about: About) -> Entry {
    let run = run(&[], |_| ());
    Entry::Tool(Box::leak(Box::new(ToolEntry {
        about,
        run,
        hints: Hints::UNSET,
        strict: false,
        input_schema: None,
    })))
}

fn resource(uri: &'static str, params: &'static [Param], describe: fn(&mut Signature)) -> Entry {
    let run = run(params, describe);
    Entry::Resource(Box::leak(Box::new(ResourceEntry {
        about: about("row"),
        run,
        uri,
        mime: None,
        size: None,
        audience: &[],
        priority: None,
        list: None,
        watch: None,
    })))
}

fn built(entries: Vec<Entry>, only: &[&str]) -> (Registry, Vec<String>) {
    let selection = Selection { only: only.iter().map(|name| (*name).to_owned()).collect() };
    let mut faults = Faults::default();
    let entries = build(entries.into_iter(), &selection, &HashSet::new(), Entries::default(), &mut faults);
    let faults = faults.into_result().err().map(|error| error.faults().to_vec());
    (entries.registry(), faults.unwrap_or_default())
}

fn faults(entry: Entry) -> Vec<String> {
    built(vec![entry], &[]).1
}

fn tools(registry: &Registry) -> Vec<&str> {
    registry.tools.iter().map(|tool| &*tool.plan.about.name).collect()
}

/// "Tool names SHOULD be between 1 and 128 characters […]" (server/tools, Tool Names).
#[test]
fn a_bad_name_is_refused() {
    let long: &'static str = Box::leak("x".repeat(129).into_boxed_str());
    for name in ["", "a b", "a,b", "caf\u{e9}", "a/b", long] {
        assert_eq!(
            faults(tool(about(name))),
            [format!(
                "`{name}` is no name for a tool: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.` (src/web.rs:7)"
            )]
        );
    }
    for name in ["getUser", "DATA_EXPORT_v2", "admin.tools.list", "a", "-", &long[..128]] {
        assert_eq!(faults(tool(about(name))), [""; 0], "{name}");
    }
}

#[test]
fn a_bad_template_is_refused() {
    let [fault] = &faults(resource("db://{table", &[], |_| ()))[..] else { panic!("one fault") };
    assert!(fault.starts_with("`row` has a bad URI template `db://{table`: "), "{fault}");
    assert!(fault.ends_with(" (src/web.rs:7)"), "{fault}");
}

#[test]
fn every_variable_has_its_parameter() {
    const TABLE: &[Param] = &[Param { name: "table", ..Param::UNSET }];
    let describe = |signature: &mut Signature| signature.argument::<String>(0);
    assert_eq!(faults(resource("db://{table}", TABLE, describe)), [""; 0]);
    assert_eq!(
        faults(resource("db://{table}/{id}", TABLE, describe)),
        ["`row` has no parameter for the variable `id` of `db://{table}/{id}` (src/web.rs:7)"]
    );
    assert_eq!(
        faults(resource("db://rows{?table}", TABLE, describe)),
        [
            "`row` must take `table` as an `Option`, or with `#[arg(default = ..)]`: a URI may leave it out of \
          `db://rows{?table}` (src/web.rs:7)"
        ]
    );
    let optional = |signature: &mut Signature| signature.argument::<Option<String>>(0);
    assert_eq!(faults(resource("db://rows{?table}", TABLE, optional)), [""; 0]);
}

/// "Servers SHOULD return tools in a deterministic order" (server/tools, Capabilities).
#[test]
fn the_inventory_s_order_does_not_matter() {
    for names in [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]] {
        let (registry, faults) = built(names.map(|name| tool(about(name))).to_vec(), &[]);
        assert_eq!((tools(&registry), faults), (vec!["a", "b", "c"], Vec::new()));
    }
}

/// Whichever of two comes first in the inventory, the same one is named first, and three are two faults.
#[test]
fn duplicates_are_named_in_one_order() {
    let at = |line| tool(About { line, ..about("search") });
    let fault = |one: u32, other: u32| {
        format!(
            "two tools are called `search`: src/web.rs:{one} and src/web.rs:{other}; rename one with \
             `#[tool(name = \"..\")]`"
        )
    };
    for lines in [[1, 2, 3], [3, 1, 2], [2, 3, 1]] {
        assert_eq!(built(lines.map(at).to_vec(), &[]).1, [fault(1, 2), fault(1, 3)]);
    }
}

#[test]
fn a_selection_is_of_whole_modules_and_groups() {
    let entries = || {
        vec![
            tool(About { module: "app", ..about("root") }),
            tool(About { module: "app::web", ..about("web") }),
            tool(About { module: "app::web::api", ..about("api") }),
            tool(About { module: "app::website", group: Some("public"), ..about("site") }),
        ]
    };
    for (only, expected) in [
        (vec![], vec!["api", "root", "site", "web"]),
        (vec!["app"], vec!["api", "root", "site", "web"]),
        (vec!["app::web"], vec!["api", "web"]),
        (vec!["app::web::api", "public"], vec!["api", "site"]),
    ] {
        let (registry, faults) = built(entries(), &only);
        assert_eq!((tools(&registry), faults), (expected, Vec::new()), "{only:?}");
    }
    assert_eq!(
        built(entries(), &["app::we"]).1,
        [
            "`Server::only(\"app::we\")` selects nothing; the modules and groups with entries are: app, app::web, \
          app::web::api, app::website, public"
        ]
    );
    assert_eq!(
        built(Vec::new(), &["app"]).1,
        ["`Server::only(\"app\")` selects nothing; the modules and groups with entries are: none"]
    );
}

#[test]
fn a_tool_and_a_prompt_may_share_a_name() {
    let prompt: &'static PromptEntry =
        Box::leak(Box::new(PromptEntry { about: about("same"), run: run(&[], |_| ()) }));
    let (registry, faults) = built(vec![tool(about("same")), Entry::Prompt(prompt)], &[]);
    assert_eq!(faults, [""; 0]);
    assert!(registry.tool("same").is_some() && registry.prompt("same").is_some());
    assert!(registry.tool("other").is_none() && registry.template("same").is_none());
}
