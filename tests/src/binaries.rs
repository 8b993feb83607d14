//! The example servers as programs.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The program of an example, built if it is not up to date.
///
/// Cargo builds binaries for the tests of their own package only, so this asks it to, once a process, and takes its
/// word for where they are.
///
/// # Panics
///
/// If the examples do not build, or none is called so.
pub fn binary(name: &str) -> PathBuf {
    static BINARIES: OnceLock<HashMap<String, PathBuf>> = OnceLock::new();
    let binaries = BINARIES.get_or_init(build);
    binaries.get(name).unwrap_or_else(|| panic!("mcp-examples has no binary `{name}`")).clone()
}

fn build() -> HashMap<String, PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", "mcp-examples", "--bins", "--message-format", "json"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stderr(Stdio::inherit());
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed; run it to see why");
    let messages = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    messages
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok())
        .filter_map(|message| {
            let executable = message["executable"].as_str()?;
            Some((message["target"]["name"].as_str()?.to_owned(), PathBuf::from(executable)))
        })
        .collect()
}
