//! Files below a few folders, and nothing else.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use mcp_runtime::SafePath;
use schemars::JsonSchema;
use serde::Serialize;

/// The most text that is read from a file or written to one, in bytes.
pub const TEXT_LIMIT: u64 = 1024 * 1024;
/// The most entries of a folder that are listed.
const ENTRY_LIMIT: usize = 1000;
/// The most matches that a search gives.
const MATCH_LIMIT: usize = 200;
/// The most entries that a search looks at.
const VISIT_LIMIT: usize = 50_000;

/// What is wrong, and what to do about it.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
type Result<T> = std::result::Result<T, Error>;

/// The folders that are open to clients.
#[derive(Debug)]
pub struct Roots {
    /// Absolute and without links.
    folders: Vec<PathBuf>,
    /// The same, absolute, as they were named.
    named: Vec<PathBuf>,
}

/// An entry of a folder.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its name in the folder; where several folders are open, these have their whole path.
    pub name: String,
    /// Whether it is a file, a folder, a link or something else.
    pub kind: Kind,
    /// The size of a file in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Kind {
    Folder,
    File,
    Link,
    Other,
}

/// What is in a folder.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Listing {
    /// The folder.
    pub path: String,
    /// Folders first, each kind by name.
    pub entries: Vec<Entry>,
    /// Whether there are more.
    pub truncated: bool,
}

/// What a search found.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Found {
    /// The matches.
    pub matches: Vec<Match>,
    /// Whether there may be more.
    pub truncated: bool,
}

/// A file that a search found, or a line in it.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Match {
    /// The file.
    pub path: String,
    /// The number of the line, from 1, where a text was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What is known of a file or folder without reading it.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Info {
    /// Where it is.
    pub path: String,
    /// Whether it is a file, a folder, or something else.
    pub kind: Kind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last changed, in seconds from 1970.
    pub modified: u64,
    /// Whether it cannot be written.
    pub read_only: bool,
}

/// Which part of a text is wanted.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// All of it.
    Whole,
    /// So many lines from its beginning.
    Head(usize),
    /// So many lines at its end.
    Tail(usize),
}

impl Roots {
    /// Opens these folders, which have to exist.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> io::Result<Self> {
        let mut roots = Self { folders: Vec::new(), named: Vec::new() };
        for folder in folders {
            let path = folder.canonicalize().and_then(|path| match path.is_dir() {
                true => Ok(path),
                false => Err(io::ErrorKind::NotADirectory.into()),
            });
            let told =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
            roots.folders.push(path.map_err(told)?);
            roots.named.push(std::path::absolute(&folder)?);
        }
        Ok(roots)
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The file or folder that a client means, which need not exist, but lies in one of the roots.
    ///
    /// A path is absolute, or goes from the first root in which it is there. Links are followed before it is decided
    /// where the path leads.
    pub fn resolve(&self, path: &str) -> Result<PathBuf> {
        let tidy = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
        if Path::new(path).is_absolute() {
            let (whole, named) =
                (self.folders.iter().zip(&self.folders), self.named.iter().zip(&self.folders));
            let Some((root, rest)) = whole.chain(named).find_map(|(named, root)| {
                let rest = Path::new(tidy).strip_prefix(named).ok()?.components();
                let rest = rest.map(|part| part.as_os_str().to_str()).collect::<Option<Vec<_>>>()?;
                Some((root, rest.join("/")))
            }) else {
                return Err(format!("{path:?} is outside of {}", self.names()).into());
            };
            return Ok(below(root, &rest)?);
        }
        let mut first = None;
        for root in &self.folders {
            let resolved = below(root, tidy);
            if resolved.as_ref().is_ok_and(|path| path.exists()) {
                return Ok(resolved?);
            }
            first.get_or_insert(resolved);
        }
        Ok(first.ok_or("no folder is open: name some on the server's command line")??)
    }

    /// Reads a text.
    pub fn read(&self, path: &str, part: Part) -> Result<String> {
        let (mut file, meta) = self.open(path)?;
        let start = match part {
            Part::Tail(_) => meta.len().saturating_sub(TEXT_LIMIT),
            Part::Whole if meta.len() > TEXT_LIMIT => {
                return Err(format!(
                    "{path} has {} bytes, and at most {TEXT_LIMIT} are read at once: ask for some lines with head or tail",
                    meta.len()
                )
                .into());
            }
            Part::Whole | Part::Head(_) => 0,
        };
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = Vec::new();
        file.take(TEXT_LIMIT).read_to_end(&mut bytes)?;
        let cut = start > 0 || meta.len() > TEXT_LIMIT;
        if bytes.contains(&0) {
            return Err(format!("{path} is not a text, but {} bytes of something else", meta.len()).into());
        }
        // A cut through the middle of a character is no fault of the file.
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if cut => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            Err(_) => return Err(format!("{path} is not a text in UTF-8").into()),
        };
        Ok(match part {
            Part::Whole => text,
            Part::Head(lines) => text.split_inclusive('\n').take(lines).collect(),
            Part::Tail(lines) => {
                let mut last = VecDeque::new();
                for line in text.split_inclusive('\n') {
                    if last.len() == lines {
                        last.pop_front();
                    }
                    last.push_back(line);
                }
                last.into_iter().take(lines).collect()
            }
        })
    }

    /// Reads a file, whatever is in it.
    pub fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let (file, meta) = self.open(path)?;
        if meta.len() > TEXT_LIMIT {
            return Err(format!(
                "{path} has {} bytes, and at most {TEXT_LIMIT} are read at once",
                meta.len()
            )
            .into());
        }
        let mut bytes = Vec::new();
        file.take(TEXT_LIMIT).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes a text in the place of whatever the file held.
    pub fn write(&self, path: &str, text: &str) -> Result<PathBuf> {
        if text.len() as u64 > TEXT_LIMIT {
            return Err(
                format!("at most {TEXT_LIMIT} bytes are written at once; these are {}", text.len()).into()
            );
        }
        let file = self.resolve(path)?;
        match file.metadata() {
            Ok(meta) if !meta.is_file() => return Err(format!("{path} is not a file").into()),
            Err(_) if file.parent().is_none_or(|folder| !folder.is_dir()) => {
                return Err(
                    format!("the folder of {path} does not exist: make it with create_directory").into()
                );
            }
            _ => fs::write(&file, text)?,
        }
        Ok(file)
    }

    /// Replaces a text that occurs once, and gives the change as a diff.
    pub fn edit(&self, path: &str, old: &str, new: &str, dry_run: bool) -> Result<String> {
        let text = self.read(path, Part::Whole)?;
        let (at, edited) = replace_once(&text, old, new)?;
        if !dry_run {
            self.write(path, &edited)?;
        }
        Ok(diff(path, &text, &edited, at))
    }

    /// Makes a folder, and those that lead to it.
    pub fn create_folder(&self, path: &str) -> Result<PathBuf> {
        let folder = self.resolve(path)?;
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Says what is known of a file or folder.
    pub fn info(&self, path: &str) -> Result<Info> {
        let resolved = self.resolve(path)?;
        let meta = resolved.metadata().map_err(|error| told(path, &error))?;
        let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(Info {
            path: resolved.display().to_string(),
            kind: kind(&meta),
            size: meta.len(),
            modified: modified.unwrap_or_default().as_secs(),
            read_only: meta.permissions().readonly(),
        })
    }

    /// Lists a folder; `.` with several roots stands for these.
    pub fn list(&self, path: &str) -> Result<Listing> {
        if matches!(path, "" | "." | "./") && self.folders.len() > 1 {
            let entry =
                |root: &PathBuf| Entry { name: root.display().to_string(), kind: Kind::Folder, size: None };
            let entries = self.folders.iter().map(entry).collect();
            return Ok(Listing { path: ".".to_owned(), entries, truncated: false });
        }
        let folder = self.resolve(path)?;
        let mut entries = Vec::new();
        let mut truncated = false;
        for entry in fs::read_dir(&folder).map_err(|error| told(path, &error))? {
            let entry = entry?;
            // The entry's own metadata: a link is shown as one, wherever it leads.
            let Ok(meta) = entry.metadata() else { continue };
            if entries.len() == ENTRY_LIMIT {
                truncated = true;
                break;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            entries.push(Entry { name, kind: kind(&meta), size: meta.is_file().then_some(meta.len()) });
        }
        entries.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Ok(Listing { path: folder.display().to_string(), entries, truncated })
    }

    /// Searches a folder for files by name, and for lines with a text in them; links are not followed.
    ///
    /// A name with `*`, `**` or `?` is a pattern for the path from the folder, or for the file's name where it has no
    /// `/`; any other is a part of the name, in upper or lower case. `stop` is asked now and then whether to give up.
    pub fn search(
        &self,
        path: &str,
        name: &str,
        text: Option<&str>,
        stop: impl Fn() -> bool,
    ) -> Result<Found> {
        let starts = match path {
            "" | "." | "./" => self.folders.clone(),
            path => vec![self.resolve(path)?],
        };
        let mut found = Found::default();
        let mut visited = 0;
        for start in starts {
            let mut folders = VecDeque::from([start.clone()]);
            while let Some(folder) = folders.pop_front() {
                // A folder that may not be read is passed over.
                let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
                let mut entries: Vec<_> = entries.take(VISIT_LIMIT).collect();
                entries.sort_by_key(fs::DirEntry::file_name);
                for entry in entries {
                    visited += 1;
                    if found.matches.len() >= MATCH_LIMIT || visited > VISIT_LIMIT || stop() {
                        found.matches.truncate(MATCH_LIMIT);
                        found.truncated = true;
                        return Ok(found);
                    }
                    let Ok(kind) = entry.file_type() else { continue };
                    let path = entry.path();
                    if kind.is_dir() {
                        folders.push_back(path);
                    } else if kind.is_file() && fits(name, path.strip_prefix(&start).unwrap_or(&path)) {
                        collect(&path, text, &mut found.matches);
                    }
                }
            }
        }
        Ok(found)
    }

    fn open(&self, path: &str) -> Result<(File, Metadata)> {
        let resolved = self.resolve(path)?;
        // Asked before it is opened: opening a pipe would wait for its other end.
        let meta = resolved.metadata().map_err(|error| told(path, &error))?;
        match kind(&meta) {
            Kind::File => Ok((File::open(&resolved).map_err(|error| told(path, &error))?, meta)),
            Kind::Folder => Err(format!("{path} is a folder: use list_directory").into()),
            Kind::Link | Kind::Other => Err(format!("{path} is not a file").into()),
        }
    }

    fn names(&self) -> String {
        self.folders.iter().map(|root| root.display().to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// A path from a root, with every link on the way followed.
fn below(root: &Path, rest: &str) -> io::Result<PathBuf> {
    match rest {
        "" | "." => root.canonicalize(),
        rest => {
            let safe: SafePath =
                rest.parse().map_err(|error| io::Error::new(io::ErrorKind::PermissionDenied, error))?;
            safe.under(root)
        }
    }
}

fn told(path: &str, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => format!("{path} does not exist: list_directory shows what does").into(),
        io::ErrorKind::NotADirectory => format!("{path} is not a folder").into(),
        _ => format!("{path}: {error}").into(),
    }
}

fn kind(meta: &Metadata) -> Kind {
    match () {
        () if meta.is_file() => Kind::File,
        () if meta.is_dir() => Kind::Folder,
        () if meta.is_symlink() => Kind::Link,
        () => Kind::Other,
    }
}

/// Adds the file, or those of its lines that have the text in them.
fn collect(path: &Path, text: Option<&str>, matches: &mut Vec<Match>) {
    let shown = path.display().to_string();
    let Some(text) = text else {
        matches.push(Match { path: shown, line: None, text: None });
        return;
    };
    let Ok(file) = File::open(path) else { return };
    let mut bytes = Vec::new();
    if file.take(TEXT_LIMIT).read_to_end(&mut bytes).is_err() || bytes.contains(&0) {
        return;
    }
    for (line, content) in String::from_utf8_lossy(&bytes).lines().enumerate() {
        if content.contains(text) && matches.len() < MATCH_LIMIT {
            let content = content.chars().take(200).collect();
            matches.push(Match { path: shown.clone(), line: Some(line + 1), text: Some(content) });
        }
    }
}

fn fits(name: &str, path: &Path) -> bool {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    if !name.contains(['*', '?']) {
        return file.to_lowercase().contains(&name.to_lowercase());
    }
    if name.contains('/') {
        let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
        return glob(name.as_bytes(), path.as_bytes());
    }
    glob(name.as_bytes(), file.as_bytes())
}

/// `?` and `*` stand for what is in one component of a path, `**` for any of it; never slower than the product of the
/// lengths.
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    // Which ends of the path's beginnings the pattern's beginning matches.
    let mut ends = vec![false; path.len() + 1];
    ends[0] = true;
    let mut rest = pattern;
    while let Some((&first, behind)) = rest.split_first() {
        let any = first == b'*' && behind.first() == Some(&b'*');
        rest = if any { &behind[1..] } else { behind };
        let mut next = vec![false; path.len() + 1];
        if any {
            // `a/**/b` is also `a/b`.
            let slash = rest.first() == Some(&b'/');
            let mut reached = false;
            for at in 0..=path.len() {
                reached |= ends[at];
                next[at] = reached;
            }
            if slash {
                rest = &rest[1..];
                for at in (0..=path.len()).rev() {
                    next[at] = ends[at] || at > 0 && next[at] && path[at - 1] == b'/';
                }
            }
        } else if first == b'*' {
            for at in 0..=path.len() {
                next[at] = ends[at] || at > 0 && next[at - 1] && path[at - 1] != b'/';
            }
        } else {
            for at in 1..=path.len() {
                let fits = path[at - 1] == first || first == b'?' && path[at - 1] != b'/';
                next[at] = ends[at - 1] && fits;
            }
        }
        ends = next;
    }
    ends[path.len()]
}

/// Where `old` is, which has to be once, and the text with `new` in its place.
fn replace_once(text: &str, old: &str, new: &str) -> Result<(usize, String)> {
    if old.is_empty() {
        return Err("old_text is empty: say which text to replace".into());
    }
    let line_of = |at: usize| text[..at].matches('\n').count() + 1;
    let mut places = text.match_indices(old).map(|(at, _)| at);
    match (places.next(), places.next()) {
        (Some(at), None) => Ok((at, [&text[..at], new, &text[at + old.len()..]].concat())),
        (Some(first), Some(second)) => {
            let lines: Vec<_> =
                [first, second].into_iter().chain(places).map(|at| line_of(at).to_string()).collect();
            let (count, lines) = (lines.len(), lines.join(", "));
            Err(format!("old_text is there {count} times, in lines {lines}: add a line before or after it")
                .into())
        }
        (None, _) => {
            let wanted = old.trim().lines().next().unwrap_or_default().trim();
            let near = text.lines().enumerate().find(|(_, line)| !wanted.is_empty() && line.trim() == wanted);
            Err(match near {
                Some((line, _)) => {
                    format!("old_text is not in the file; line {} begins like it, with other white space or lines behind", line + 1)
                }
                None => "old_text is not in the file: read the file, and send it as it stands there".to_owned(),
            }
            .into())
        }
    }
}

/// A unified diff of two texts that differ in one place, which begins at byte `at`.
fn diff(path: &str, old: &str, new: &str, at: usize) -> String {
    const CONTEXT: usize = 3;
    let (before, after): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let first = old[..at].matches('\n').count();
    let same_behind = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let same_behind =
        same_behind.min(before.len().saturating_sub(first)).min(after.len().saturating_sub(first));
    let from = first.saturating_sub(CONTEXT);
    let (old_end, new_end) = (before.len() - same_behind, after.len() - same_behind);
    let behind = same_behind.min(CONTEXT);
    let mut diff = format!(
        "--- {path}\n+++ {path}\n@@ -{},{} +{},{} @@\n",
        from + 1,
        old_end + behind - from,
        from + 1,
        new_end + behind - from
    );
    let parts = [
        (' ', &before[from..first.min(old_end)]),
        ('-', &before[first.min(old_end)..old_end]),
        ('+', &after[first.min(new_end)..new_end]),
        (' ', &before[old_end..old_end + behind]),
    ];
    for (sign, lines) in parts {
        for line in lines {
            let _ = writeln!(diff, "{sign}{line}");
        }
    }
    diff
}

#[cfg(test)]
mod tests {
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
        for path in [".", "", root.to_str().unwrap()] {
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
        let paths = [
            "file-link",
            "folder-link/secret.txt",
            "folder-link/new.txt",
            "dangling",
            whole.to_str().unwrap(),
        ];
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
        assert_eq!(
            told("delta"),
            "old_text is not in the file: read the file, and send it as it stands there"
        );
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
            [
                found("notes.txt", Some(1), Some("alpha")),
                found("more/other.rs", Some(1), Some("fn alpha() {}"))
            ]
        );
        assert!(scratch.roots.search(".", "", None, || true).unwrap().truncated);
    }

    #[test]
    fn patterns_match_by_component() {
        let matches = |pattern: &str, path: &str| glob(pattern.as_bytes(), path.as_bytes());
        assert!(matches("*.rs", "main.rs"));
        assert!(!matches("*.rs", "src/main.rs"));
        assert!(matches("**/*.rs", "src/bin/main.rs"));
        assert!(matches("**/*.rs", "main.rs"));
        assert!(matches("src/**/main.rs", "src/main.rs"));
        assert!(!matches("src/**/main.rs", "src/domain.rs"));
        assert!(matches("src/**", "src/a/b"));
        assert!(matches("ma?n.*", "main.rs"));
        assert!(!matches("ma?n", "ma/n"));
        assert!(!matches(&"*a".repeat(200), &"a".repeat(199)));
    }
}
