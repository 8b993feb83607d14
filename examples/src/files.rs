//! Files below a few folders, and nothing else.

mod edit;
mod pattern;
mod watch;

use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use mcp_runtime::SafePath;
use schemars::JsonSchema;
use serde::Serialize;

use edit::{diff, replace_once};
use pattern::matches;
pub use watch::Changes;

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
#[allow(missing_docs, reason = "the names say it")]
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
            let path = folder.canonicalize().and_then(|path| {
                if path.is_dir() { Ok(path) } else { Err(io::ErrorKind::NotADirectory.into()) }
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
        if Path::new(path).is_absolute() {
            let (whole, named) =
                (self.folders.iter().zip(&self.folders), self.named.iter().zip(&self.folders));
            let Some((root, rest)) = whole.chain(named).find_map(|(named, root)| {
                let rest = Path::new(path).strip_prefix(named).ok()?.components();
                let rest = rest.map(|part| part.as_os_str().to_str()).collect::<Option<Vec<_>>>()?;
                Some((root, rest.join("/")))
            }) else {
                return Err(format!("{path:?} is outside of {}", self.names()).into());
            };
            return Ok(below(root, &rest)?);
        }
        let tidy = path.strip_prefix("./").unwrap_or(path).trim_end_matches('/');
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

    /// The folders, for people.
    pub fn names(&self) -> String {
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
        return matches(name, &path);
    }
    matches(name, &file)
}

#[cfg(test)]
mod tests;
