//! The files below the folders that are named on the command line, to read, search and edit, and no others.
//!
//! ```sh
//! cargo run -p mcp-examples --bin filesystem -- . call search_files '{"name":"*.toml"}'
//! cargo run -p mcp-examples --bin filesystem -- ~/notes ~/projects --http 127.0.0.1:8080
//! ```

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mcp_examples::files::{Changes, Error, Found, Info, Kind, Listing, Part, Roots, TEXT_LIMIT};
use mcp_runtime::prelude::*;

/// Read a text file, or a part of it.
#[tool(read_only, idempotent, open_world = false)]
fn read_file(
    /// Absolute, or from the first folder that has it.
    path: &str,
    /// Only so many lines from the beginning.
    #[arg(range(1..))]
    head: Option<u32>,
    /// Only so many lines from the end.
    #[arg(range(1..))]
    tail: Option<u32>,
    roots: State<Roots>,
) -> Result<String> {
    let part = match (head, tail) {
        (None, None) => Part::Whole,
        (Some(lines), None) => Part::Head(usize::try_from(lines)?),
        (None, Some(lines)) => Part::Tail(usize::try_from(lines)?),
        (Some(_), Some(_)) => return Err("send head or tail, not both".into()),
    };
    roots.read(path, part)
}

/// List what is in a folder.
#[tool(read_only, idempotent, open_world = false)]
fn list_directory(
    /// The folder; without it, those that are open.
    #[arg(default = ".")]
    path: &str,
    roots: State<Roots>,
) -> Result<Json<Listing>> {
    roots.list(path).map(Json)
}

/// Find files by name, or lines by a text in them.
#[tool(read_only, idempotent, open_world = false, timeout = "30s")]
fn search_files(
    /// A part of the name, or a pattern such as *.rs or src/**/*.rs; empty for every file.
    #[arg(default = "", examples("*.md", "src/**/*.rs"))]
    name: &str,
    /// A text that a line has to contain.
    text: Option<&str>,
    /// The folder to search; without it, those that are open.
    #[arg(default = ".")]
    path: &str,
    roots: State<Roots>,
    ctx: &Context,
) -> Result<Json<Found>> {
    roots.search(path, name, text, || ctx.is_cancelled()).map(Json)
}

/// Say how large a file is and when it was changed.
#[tool(read_only, idempotent, open_world = false)]
fn file_info(path: &str, roots: State<Roots>) -> Result<Json<Info>> {
    roots.info(path).map(Json)
}

/// Write a text file, in the place of whatever it held.
#[tool(destructive, idempotent, open_world = false)]
fn write_file(path: &str, content: &str, roots: State<Roots>) -> Result<String> {
    let file = roots.write(path, content)?;
    Ok(format!("{} bytes are in {}", content.len(), file.display()))
}

/// Replace a text that occurs exactly once in a file; gives the change as a diff.
#[tool(destructive, open_world = false)]
fn edit_file(
    path: &str,
    /// The text to replace, as it stands in the file, with its white space.
    #[arg(length(1..))]
    old_text: &str,
    /// What to put in its place.
    new_text: &str,
    /// Only show the change.
    #[arg(default = false)]
    dry_run: bool,
    roots: State<Roots>,
) -> Result<String> {
    roots.edit(path, old_text, new_text, dry_run)
}

/// Make a folder, and those that lead to it.
#[tool(destructive = false, idempotent, open_world = false)]
fn create_directory(path: &str, roots: State<Roots>) -> Result<String> {
    Ok(format!("{} is there", roots.create_folder(path)?.display()))
}

/// A file, as text where it is one.
#[resource("file:///{+path}", list = top_level, watch = changes)]
fn file(#[arg(complete = paths)] path: &str, roots: State<Roots>) -> Result<ResourceContents> {
    let bytes = roots.bytes(&absolute(path))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) => ResourceContents::text("", text),
        Err(error) => ResourceContents::bytes("", error.into_bytes()),
    })
}

/// Tells which files change, for clients that are subscribed to one.
async fn changes(roots: State<Roots>) -> Result<Changes, Error> {
    Ok(tokio::task::spawn_blocking(move || roots.watch(uri)).await??)
}

/// Review a file.
#[prompt(title = "Review a file")]
fn review_file(
    /// The file.
    #[arg(complete = paths)]
    path: &str,
    /// What to look at.
    focus: Option<&str>,
    roots: State<Roots>,
) -> Result<Vec<Message>> {
    let file = roots.resolve(path).or_else(|_| roots.resolve(&absolute(path)))?;
    let text = roots.read(&file.to_string_lossy(), Part::Whole)?;
    let focus = focus.unwrap_or("whatever a careful reader would stumble over");
    Ok(vec![
        Message::user(ResourceContents::text(uri(&file), text).mime_type("text/plain")),
        Message::user(format!("Review this file. Look at {focus}. Name the line with each remark.")),
    ])
}

/// The path behind `file:///`, with the slash that belongs to it everywhere but on Windows.
fn absolute(path: &str) -> String {
    let path = path.trim_start_matches('/');
    if cfg!(windows) { path.to_owned() } else { format!("/{path}") }
}

fn uri(file: &Path) -> String {
    let mut uri = "file://".to_owned();
    for byte in file.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                uri.push(byte.into());
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

fn state(ctx: &Context) -> &Roots {
    ctx.state().expect("`main` registers it")
}

/// The files and folders that go on from what was typed; folders end with a slash.
fn paths(typed: &str, ctx: &Context) -> Result<Vec<String>, Error> {
    let roots = state(ctx);
    let (folder, _) = typed.rsplit_once('/').unwrap_or_default();
    let bare = |path: &Path| path.to_string_lossy().trim_start_matches('/').to_owned();
    let mut found = Vec::new();
    let inside = roots.resolve(&absolute(folder)).ok();
    let folders = inside.map_or_else(|| roots.folders().to_vec(), |folder| vec![folder]);
    for folder in folders {
        for entry in roots.list(&folder.to_string_lossy())?.entries.iter().rev() {
            match entry.kind {
                Kind::File => found.push(bare(&folder.join(&entry.name))),
                Kind::Folder => found.push(bare(&folder.join(&entry.name)) + "/"),
                Kind::Link | Kind::Other => {}
            }
        }
    }
    let typed = typed.trim_start_matches('/');
    found.retain(|path| path.starts_with(typed));
    Ok(found)
}

/// The files that lie right in the open folders, and that are not too large to be read.
fn top_level(ctx: &Context) -> Result<Vec<ResourceLink>, Error> {
    let roots = state(ctx);
    let mut links = Vec::new();
    for folder in roots.folders() {
        let entries = roots.list(&folder.to_string_lossy())?.entries;
        let files = entries.iter().filter(|entry| entry.size.is_some_and(|size| size <= TEXT_LIMIT));
        links.extend(files.map(|file| ResourceLink::new(uri(&folder.join(&file.name))).name(&file.name)));
    }
    Ok(links)
}

#[derive(clap::Args)]
struct Options {
    /// The folders to open, with everything in them
    #[arg(value_name = "FOLDER", default_value = ".")]
    folders: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let (server, options) = mcp_runtime::server!().title("Files").cli::<Options>();
    match Roots::new(options.folders) {
        Ok(roots) => {
            let instructions = format!("Reads and writes files in {}, and nowhere else.", roots.names());
            server.instructions(instructions).state(roots).main()
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::time::Duration;

    use mcp_runtime::Change;
    use mcp_runtime::testing::Client;
    use serde_json::json;

    use super::{Roots, uri};

    /// A client of a folder that goes with the test.
    struct Scratch {
        client: Client,
        folder: PathBuf,
    }

    impl Scratch {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("mcp-filesystem-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&folder);
            std::fs::create_dir_all(folder.join("more")).unwrap();
            let folder = folder.canonicalize().unwrap();
            std::fs::write(folder.join("my notes.txt"), "alpha\nbeta\n").unwrap();
            std::fs::write(folder.join("more/pixel.png"), [0x89, 0, 1]).unwrap();
            let roots = Roots::new([folder.clone()]).unwrap();
            let client = Client::new(mcp_runtime::server!().state(roots)).unwrap();
            Self { client, folder }
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }

    #[tokio::test]
    async fn what_lies_outside_is_refused_with_what_is_open() {
        let Scratch { client, folder } = &Scratch::new("outside");
        for (tool, arguments) in [
            ("read_file", json!({ "path": "/etc/passwd" })),
            ("write_file", json!({ "path": "/etc/passwd", "content": "" })),
            ("edit_file", json!({ "path": "/etc/passwd", "old_text": "root", "new_text": "" })),
            ("list_directory", json!({ "path": "/etc/passwd" })),
            ("search_files", json!({ "path": "/etc/passwd" })),
            ("create_directory", json!({ "path": "/etc/passwd" })),
            ("file_info", json!({ "path": "/etc/passwd" })),
        ] {
            let refused = client.call(tool, arguments).await.unwrap();
            assert!(refused.is_error, "{tool}");
            assert_eq!(
                refused.text(),
                format!("\"/etc/passwd\" is outside of {}", folder.display()),
                "{tool}"
            );
        }
        assert!(client.read("file:///etc/passwd").await.is_err());
        assert!(client.prompt("review_file", json!({ "path": "/etc/passwd" })).await.is_err());
    }

    #[tokio::test]
    async fn a_file_is_written_edited_and_read() {
        let Scratch { client, .. } = &Scratch::new("edit");
        let call = async |tool, arguments| {
            let result = client.call(tool, arguments).await.unwrap();
            assert!(!result.is_error, "{}", result.text());
            result.text()
        };
        call("create_directory", json!({ "path": "a/b" })).await;
        call("write_file", json!({ "path": "a/b/c.txt", "content": "one\ntwo\n" })).await;
        call("edit_file", json!({ "path": "a/b/c.txt", "old_text": "two", "new_text": "2" })).await;
        assert_eq!(call("read_file", json!({ "path": "a/b/c.txt", "tail": 1 })).await, "2\n");
    }

    #[tokio::test]
    async fn files_are_listed_completed_and_read_by_address() {
        let Scratch { client, folder } = &Scratch::new("address");
        let notes = uri(&folder.join("my notes.txt"));
        assert!(notes.ends_with("/my%20notes.txt"), "{notes}");
        let listed = client.list("resources").await.unwrap();
        assert_eq!(listed.iter().map(|link| &link["uri"]).collect::<Vec<_>>(), [&json!(notes)]);
        let read = client.read(&notes).await.unwrap().contents;
        assert_eq!(serde_json::to_value(&read).unwrap()[0]["text"], "alpha\nbeta\n");
        let pixel = client.read(&uri(&folder.join("more/pixel.png"))).await.unwrap().contents;
        assert_eq!(serde_json::to_value(&pixel).unwrap()[0]["blob"], "iQAB");

        let typed = folder.join("mo").to_string_lossy().trim_start_matches('/').to_owned();
        let params = json!({
            "ref": { "type": "ref/resource", "uri": "file:///{+path}" },
            "argument": { "name": "path", "value": typed },
        });
        let completion = client.request("completion/complete", params).await.unwrap();
        assert_eq!(completion["completion"]["values"], json!([format!("{typed}re/")]));
    }

    #[tokio::test]
    async fn whoever_is_subscribed_to_a_file_is_told_when_it_changes() {
        let Scratch { client, folder } = &Scratch::new("watch");
        let file = |name: &str| folder.join(name);
        for name in ["written.txt", "removed.txt", "replaced.txt"] {
            fs::write(file(name), "old").unwrap();
        }
        let names = ["written.txt", "made.txt", "removed.txt", "replaced.txt", "more/inside.txt"];
        let uris = names.map(|name| uri(&file(name)));
        let mut changes = client.listen(json!({ "resourceSubscriptions": uris })).await.unwrap();
        fs::write(file("written.txt"), "new").unwrap();
        fs::write(file("made.txt"), "new").unwrap();
        fs::remove_file(file("removed.txt")).unwrap();
        // As editors save.
        fs::write(file(".replaced.swp"), "new").unwrap();
        fs::rename(file(".replaced.swp"), file("replaced.txt")).unwrap();
        fs::write(file("more/inside.txt"), "new").unwrap();
        let mut missing = uris.to_vec();
        while !missing.is_empty() {
            let next = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
            match next {
                Ok(Some(Change::Resource(uri))) => missing.retain(|missing| **missing != *uri),
                other => panic!("{other:?} without {missing:?}"),
            }
        }
    }
}
