//! Which paths pass, and where they lead.

use std::io::ErrorKind;
use std::path::Path;

use serde_json::{from_str, json, to_value};

use super::SafePath;

/// The reason why a path is refused.
fn reason(path: &str) -> String {
    let message = path.parse::<SafePath>().unwrap_err().to_string();
    let message = message.strip_prefix(&format!("{path:?} is not a safe path: "));
    let advice = ". Send a relative path such as \"notes/today.md\".";
    message.and_then(|message| message.strip_suffix(advice)).unwrap().to_owned()
}

#[test]
fn ordinary_relative_paths_pass() {
    for path in
        ["a", "a/b.txt", "a/", "a//b", ".hidden", "..a", "a..b", "50%", "100%25 x", "é/日本", "~", "12:30"]
    {
        let safe: SafePath = path.parse().unwrap();
        assert_eq!(safe.as_str(), path);
        assert_eq!(safe.as_path(), Path::new(path));
        assert_eq!(safe.to_string(), path);
    }
}

#[test]
fn traversal_is_refused() {
    let up = "it steps out of its folder with \"..\"";
    for path in ["..", "../a", "a/..", "a/../b", "a//../../b"] {
        assert_eq!(reason(path), up);
    }
    let dot = "it contains the component \".\", which can be left out";
    for path in [".", "./a", "a/./b", "a/."] {
        assert_eq!(reason(path), dot);
    }
    assert_eq!(reason(""), "it is empty");
    assert_eq!(reason("/etc/passwd"), "it is absolute");
    assert_eq!(reason("//host/share"), "it is absolute");
    assert_eq!(reason("a\0b"), "it contains a NUL character");
    for path in ["..\\a", "a\\b", "\\\\host\\share"] {
        assert_eq!(reason(path), "it contains a backslash; components are separated by \"/\"");
    }
    for path in ["C:", "c:/a", "C:a", "a/C:"] {
        assert_eq!(reason(path), "it names a drive");
    }
    for path in ["a.", "a./b", "...", "a ", ".. /a"] {
        assert_eq!(reason(path), "a component ends with a dot or a space, which some systems drop");
    }
    for path in ["%2e%2E/a", "a%2fb", "a%5Cb", "a%00", "%252e%252e/a", "%25252Fa"] {
        assert_eq!(reason(path), "it is percent-encoded twice; encode each character once at most");
    }
}

#[test]
fn it_is_a_string_to_serde_and_in_schemas() {
    let path: SafePath = from_str(r#""a\u002fb""#).unwrap();
    assert_eq!(path.as_str(), "a/b");
    assert_eq!(to_value(&path).unwrap(), json!("a/b"));
    assert_eq!(
        from_str::<SafePath>(r#""/a""#).unwrap_err().to_string(),
        "\"/a\" is not a safe path: it is absolute. Send a relative path such as \"notes/today.md\". at line 1 column 4"
    );
    assert_eq!(
        from_str::<SafePath>("1").unwrap_err().to_string(),
        "invalid type: integer `1`, expected a relative path at line 1 column 1"
    );
    let mut generator = schemars::SchemaGenerator::default();
    assert_eq!(generator.subschema_for::<SafePath>().to_value(), json!({"type": "string"}));
}

#[test]
fn long_paths_are_cut_in_the_error() {
    let error = format!("/{}", "é".repeat(200)).parse::<SafePath>().unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "\"/{}\" is not a safe path: it is absolute. Send a relative path such as \"notes/today.md\".",
            "é".repeat(99)
        )
    );
}

#[cfg(unix)]
mod links {
    //! What the file system makes of a path.

    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::{ErrorKind, Path, SafePath};

    /// `root/` with a folder, a file and links, beside `outside/`; removed at the end.
    struct Tree(PathBuf);

    impl Tree {
        fn new() -> Self {
            static NEXT: AtomicU32 = AtomicU32::new(0);
            let unique = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("safe-path-{}-{unique}", std::process::id());
            let base = std::env::temp_dir().join(name);
            fs::create_dir_all(base.join("root/folder")).unwrap();
            fs::create_dir_all(base.join("outside")).unwrap();
            let base = base.canonicalize().unwrap();
            fs::write(base.join("root/folder/file"), "in").unwrap();
            fs::write(base.join("outside/file"), "out").unwrap();
            symlink("folder", base.join("root/inward")).unwrap();
            symlink("../outside", base.join("root/outward")).unwrap();
            symlink(base.join("outside/new"), base.join("root/dangling")).unwrap();
            symlink("loop", base.join("root/loop")).unwrap();
            Self(base)
        }

        fn root(&self) -> PathBuf {
            self.0.join("root")
        }

        /// The path below the root that a path leads to, or the kind of error.
        fn lead(&self, path: &str) -> Result<String, ErrorKind> {
            let path: SafePath = path.parse().unwrap();
            let reached = path.under(&self.root()).map_err(|error| error.kind())?;
            let below = reached.strip_prefix(self.root()).unwrap();
            Ok(below.to_str().unwrap().to_owned())
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn what_is_inside_is_resolved() {
        let tree = Tree::new();
        assert_eq!(tree.lead("folder/file"), Ok("folder/file".into()));
        assert_eq!(tree.lead("folder/"), Ok("folder".into()));
        assert_eq!(tree.lead("inward/file"), Ok("folder/file".into()));
    }

    #[test]
    fn what_does_not_exist_yet_has_a_place() {
        let tree = Tree::new();
        assert_eq!(tree.lead("new"), Ok("new".into()));
        assert_eq!(tree.lead("folder/a/b/c"), Ok("folder/a/b/c".into()));
        assert_eq!(tree.lead("inward/a/b"), Ok("folder/a/b".into()));
    }

    #[test]
    fn links_out_are_refused() {
        let tree = Tree::new();
        assert_eq!(tree.lead("outward"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("outward/"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("outward/file"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("outward/new/a"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("dangling"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("dangling/"), Err(ErrorKind::PermissionDenied));
        assert_eq!(tree.lead("dangling/a"), Err(ErrorKind::PermissionDenied));
        assert!(tree.lead("loop").is_err());
        let path: SafePath = "outward/file".parse().unwrap();
        assert_eq!(
            path.under(&tree.root()).unwrap_err().to_string(),
            "\"outward/file\" is not a safe path: it leads out of its folder through a symbolic link. \
             Send a relative path such as \"notes/today.md\"."
        );
    }

    #[test]
    fn the_root_may_be_a_link_and_must_exist() {
        let tree = Tree::new();
        let path: SafePath = "file".parse().unwrap();
        let reached = path.under(&tree.root().join("inward")).unwrap();
        assert_eq!(reached, tree.root().join("folder/file"));
        let error = path.under(Path::new("/nonexistent/root")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert_eq!(tree.lead("folder/file/below"), Err(ErrorKind::NotADirectory));
    }
}
