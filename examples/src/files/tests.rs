//! Inside the roots, and not outside of them.

use std::sync::atomic::{AtomicU32, Ordering};

use super::*;

/// A folder that goes with the test: `open/` is the root, `secret.txt` lies beside it.
struct Scratch {
    folder: PathBuf,
    roots: Roots,
}

impl Scratch {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("mcp-files-{}-{count}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("open/more")).unwrap();
        let folder = folder.canonicalize().unwrap();
        fs::write(folder.join("secret.txt"), "secret").unwrap();
        fs::write(folder.join("open/notes.txt"), "alpha\nbeta\ngamma\n").unwrap();
        fs::write(folder.join("open/more/other.rs"), "fn alpha() {}\n").unwrap();
        let roots = Roots::new([folder.join("open")]).unwrap();
        Self { folder, roots }
    }

    #[track_caller]
    fn refused(&self, path: &str) -> String {
        let before = fs::read_to_string(self.folder.join("secret.txt")).unwrap();
        let error = self.roots.read(path, Part::Whole).unwrap_err().to_string();
        assert!(self.roots.write(path, "changed").is_err(), "{path}");
        assert!(self.roots.create_folder(path).is_err(), "{path}");
        assert!(self.roots.info(path).is_err(), "{path}");
        assert_eq!(fs::read_to_string(self.folder.join("secret.txt")).unwrap(), before, "{path}");
        error
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_path_is_absolute_or_goes_from_a_root() {
    let scratch = Scratch::new();
    let whole = scratch.folder.join("open/notes.txt");
    for path in ["notes.txt", "./notes.txt", whole.to_str().unwrap()] {
        assert_eq!(scratch.roots.resolve(path).unwrap(), whole, "{path}");
    }
    let root = scratch.folder.join("open");
    let slash = format!("{}/", root.display());
    for path in [".", "", "./", root.to_str().unwrap(), &slash] {
        assert_eq!(scratch.roots.resolve(path).unwrap(), root, "{path}");
    }
    assert_eq!(scratch.roots.resolve("new/deep/file").unwrap(), root.join("new/deep/file"));
}

#[test]
fn nothing_outside_the_roots_is_reached() {
    let scratch = Scratch::new();
    let secret = scratch.folder.join("secret.txt");
    assert_eq!(
        scratch.refused(secret.to_str().unwrap()),
        format!("{secret:?} is outside of {}", scratch.folder.join("open").display())
    );
    let climbing = scratch.folder.join("open/../secret.txt");
    for path in [
        "../secret.txt",
        "more/../../secret.txt",
        "/etc/passwd",
        climbing.to_str().unwrap(),
        "%2e%2e/secret.txt",
    ] {
        scratch.refused(path);
    }
    // `open2` begins with the name of a root and is none.
    fs::create_dir(scratch.folder.join("open2")).unwrap();
    scratch.refused(scratch.folder.join("open2/file").to_str().unwrap());
}

#[cfg(unix)]
#[test]
fn links_that_lead_outside_are_refused() {
    use std::os::unix::fs::symlink;

    let scratch = Scratch::new();
    let open = scratch.folder.join("open");
    symlink(scratch.folder.join("secret.txt"), open.join("file-link")).unwrap();
    symlink(&scratch.folder, open.join("folder-link")).unwrap();
    symlink(scratch.folder.join("not-there"), open.join("dangling")).unwrap();
    symlink(open.join("notes.txt"), open.join("inside")).unwrap();
    let whole = open.join("folder-link/secret.txt");
    let paths =
        ["file-link", "folder-link/secret.txt", "folder-link/new.txt", "dangling", whole.to_str().unwrap()];
    for path in paths {
        scratch.refused(path);
    }
    assert!(scratch.roots.list("folder-link").is_err());
    assert!(!scratch.folder.join("not-there").exists());
    assert!(!scratch.folder.join("new.txt").exists());
    assert_eq!(scratch.roots.read("inside", Part::Head(1)).unwrap(), "alpha\n");
    assert_eq!(scratch.roots.search(".", "secret", None, || false).unwrap(), Found::default());
}

#[test]
fn a_part_of_a_text_is_read_by_lines() {
    let roots = &Scratch::new().roots;
    assert_eq!(roots.read("notes.txt", Part::Whole).unwrap(), "alpha\nbeta\ngamma\n");
    assert_eq!(roots.read("notes.txt", Part::Head(1)).unwrap(), "alpha\n");
    assert_eq!(roots.read("notes.txt", Part::Tail(2)).unwrap(), "beta\ngamma\n");
    assert_eq!(roots.read("notes.txt", Part::Tail(9)).unwrap(), "alpha\nbeta\ngamma\n");
}

#[test]
fn a_large_file_is_read_in_parts_only() {
    let scratch = Scratch::new();
    let large = "é line\n".repeat(200_000);
    fs::write(scratch.folder.join("open/large"), &large).unwrap();
    let error = scratch.roots.read("large", Part::Whole).unwrap_err().to_string();
    assert_eq!(
        error,
        "large has 1600000 bytes, and at most 1048576 are read at once: ask for some lines with head or tail"
    );
    assert_eq!(scratch.roots.read("large", Part::Head(1)).unwrap(), "é line\n");
    assert_eq!(scratch.roots.read("large", Part::Tail(1)).unwrap(), "é line\n");
    assert!(scratch.roots.write("more/large", &large).is_err());
}

#[test]
fn what_is_no_text_is_said_to_be_none() {
    let scratch = Scratch::new();
    fs::write(scratch.folder.join("open/image"), [0x89, 0, 1]).unwrap();
    let told = |path| scratch.roots.read(path, Part::Whole).unwrap_err().to_string();
    assert_eq!(told("image"), "image is not a text, but 3 bytes of something else");
    assert_eq!(told("more"), "more is a folder: use list_directory");
    assert_eq!(told("none"), "none does not exist: list_directory shows what does");
}

#[test]
fn an_edit_replaces_what_is_there_once() {
    let scratch = Scratch::new();
    let diff = "--- notes.txt\n+++ notes.txt\n@@ -1,3 +1,4 @@\n alpha\n-beta\n+BETA\n+two\n gamma\n";
    assert_eq!(scratch.roots.edit("notes.txt", "beta", "BETA\ntwo", true).unwrap(), diff);
    assert_eq!(scratch.roots.read("notes.txt", Part::Whole).unwrap(), "alpha\nbeta\ngamma\n");
    assert_eq!(scratch.roots.edit("notes.txt", "beta", "BETA\ntwo", false).unwrap(), diff);
    assert_eq!(scratch.roots.read("notes.txt", Part::Whole).unwrap(), "alpha\nBETA\ntwo\ngamma\n");
    let removed = scratch.roots.edit("notes.txt", "two\n", "", false).unwrap();
    assert_eq!(removed, "--- notes.txt\n+++ notes.txt\n@@ -1,4 +1,3 @@\n alpha\n BETA\n-two\n gamma\n");

    let told = |old| scratch.roots.edit("notes.txt", old, "", false).unwrap_err().to_string();
    assert_eq!(told(""), "old_text is empty: say which text to replace");
    assert_eq!(told("a\n"), "old_text is there 2 times, in lines 1, 3: add a line before or after it");
    assert_eq!(
        told("  gamma"),
        "old_text is not in the file; line 3 begins like it, with other white space or lines behind"
    );
    assert_eq!(told("delta"), "old_text is not in the file: read the file, and send it as it stands there");
}

#[test]
fn a_folder_is_listed_and_searched() {
    let scratch = Scratch::new();
    let listing = scratch.roots.list(".").unwrap();
    let entry = |name: &str, kind, size| Entry { name: name.to_owned(), kind, size };
    assert_eq!(
        listing.entries,
        [entry("more", Kind::Folder, None), entry("notes.txt", Kind::File, Some(17))]
    );
    let search = |name: &str, text| scratch.roots.search(".", name, text, || false).unwrap().matches;
    let found = |file: &str, line: Option<usize>, text: Option<&str>| Match {
        path: scratch.folder.join("open").join(file).display().to_string(),
        line,
        text: text.map(str::to_owned),
    };
    assert_eq!(search("NOTE", None), [found("notes.txt", None, None)]);
    assert_eq!(search("**/*.rs", None), [found("more/other.rs", None, None)]);
    assert_eq!(
        search("", Some("alpha")),
        [found("notes.txt", Some(1), Some("alpha")), found("more/other.rs", Some(1), Some("fn alpha() {}"))]
    );
    assert!(scratch.roots.search(".", "", None, || true).unwrap().truncated);
}
