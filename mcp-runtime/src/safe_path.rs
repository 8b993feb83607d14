//! Paths that a client may choose and that stay where they belong.

mod refusal;

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::{Serialize, Serializer};

pub use refusal::UnsafePath;

/// A relative path that cannot climb out of the folder it is joined to.
///
/// Take it in place of a `String` where a client names a file: as an argument of a tool or prompt, or as a variable of
/// a resource's URI template. A path that is not safe is refused before the function runs, with a message that says
/// why and what to send.
///
/// Refused are: the empty path; absolute paths; drives (`C:`); backslashes; NUL; the components `.` and `..`;
/// components that end with a dot or a space, which Windows drops; and what would become one of these if it were
/// percent-decoded once more (`%2e%2e`, `%2F`, `%252f`). The rules are the same on every platform, save that Windows
/// also refuses any other colon, which there names an alternate stream.
///
/// ```
/// use mcp_runtime::SafePath;
///
/// let path: SafePath = "notes/today.md".parse()?;
/// assert_eq!(path.as_path(), std::path::Path::new("notes/today.md"));
///
/// let refused = "../etc/passwd".parse::<SafePath>().unwrap_err();
/// assert_eq!(
///     refused.to_string(),
///     r#""../etc/passwd" is not a safe path: it steps out of its folder with "..". Send a relative path such as "notes/today.md"."#
/// );
/// # Ok::<(), mcp_runtime::UnsafePath>(())
/// ```
///
/// # What it does not protect against
///
/// The check is of the path's text. A symbolic link below the folder may still lead out of it; [`under`](Self::under)
/// refuses those, at the time of its call. Between that call and the opening of the file, someone who can write to the
/// folder can put a link in its place. Where such people are to be kept out, open the file through a directory
/// handle (`openat2` with `RESOLVE_BENEATH`, the crate `cap-std`). The names of devices on Windows (`NUL`, `COM1`) and
/// hard links are not looked at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SafePath(String);

impl SafePath {
    /// The path.
    pub fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }

    /// The path as it was sent, with `/` between its components.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Joins the path to a folder, following the symbolic links on the way, and refuses the result if it is not inside.
    ///
    /// The folder has to exist; the file need not, and neither need the folders that lead to it. What is there is
    /// resolved, so the result contains no link as of this call (see the type's documentation for what that is worth).
    ///
    /// ```no_run
    /// # use mcp_runtime::SafePath;
    /// # fn read(path: SafePath) -> std::io::Result<String> {
    /// std::fs::read_to_string(path.under("/srv/notes".as_ref())?)
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`PermissionDenied`](io::ErrorKind::PermissionDenied) if a link leads out of the folder, or to nothing, so that
    /// it cannot be told where writing to it would lead; otherwise what the file system reports, as
    /// [`NotFound`](io::ErrorKind::NotFound) for the folder.
    pub fn under(&self, root: &Path) -> io::Result<PathBuf> {
        let root = root.canonicalize()?;
        // By components: with a slash at its end, a link would be followed before it is looked at.
        let mut existing = root.clone();
        existing.extend(self.as_path());
        let mut missing = Vec::new();
        // What does not exist yet can be no link; its deepest ancestor that exists decides. The root ends the search.
        while let Err(error) = existing.symlink_metadata() {
            match (error.kind(), existing.file_name()) {
                (io::ErrorKind::NotFound, Some(name)) if existing != root => {
                    missing.push(name.to_owned());
                    existing.pop();
                }
                _ => return Err(error),
            }
        }
        let mut resolved = existing.canonicalize().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.refuse("it leads through a symbolic link to nothing"),
            _ => error,
        })?;
        if !resolved.starts_with(&root) {
            return Err(self.refuse("it leads out of its folder through a symbolic link"));
        }
        resolved.extend(missing.iter().rev());
        Ok(resolved)
    }

    fn refuse(&self, reason: &'static str) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, UnsafePath::new(&self.0, reason))
    }
}

impl FromStr for SafePath {
    type Err = UnsafePath;

    fn from_str(path: &str) -> Result<Self, UnsafePath> {
        path.to_owned().try_into()
    }
}

impl TryFrom<String> for SafePath {
    type Error = UnsafePath;

    fn try_from(path: String) -> Result<Self, UnsafePath> {
        match refusal::reason_to_refuse(&path) {
            Some(reason) => Err(UnsafePath::new(&path, reason)),
            None => Ok(Self(path)),
        }
    }
}

impl AsRef<Path> for SafePath {
    fn as_ref(&self) -> &Path {
        self.as_path()
    }
}

impl fmt::Display for SafePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<SafePath> for String {
    fn from(path: SafePath) -> Self {
        path.0
    }
}

impl From<SafePath> for PathBuf {
    fn from(path: SafePath) -> Self {
        path.0.into()
    }
}

impl Serialize for SafePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SafePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PathVisitor;

        impl Visitor<'_> for PathVisitor {
            type Value = SafePath;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a relative path")
            }

            fn visit_str<E: Error>(self, path: &str) -> Result<SafePath, E> {
                path.parse().map_err(E::custom)
            }

            fn visit_string<E: Error>(self, path: String) -> Result<SafePath, E> {
                path.try_into().map_err(E::custom)
            }
        }

        deserializer.deserialize_string(PathVisitor)
    }
}

impl JsonSchema for SafePath {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SafePath".into()
    }

    fn schema_id() -> Cow<'static, str> {
        concat!(module_path!(), "::SafePath").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests;
