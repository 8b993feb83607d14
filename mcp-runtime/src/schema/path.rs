//! Where in a value something is, and how a value is shown in a sentence.

use std::fmt;
use std::io;

use serde_json::Value;

/// How many characters of a value a sentence shows.
const SHOWN: usize = 60;

/// One step into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// A member of an object.
    Key(String),
    /// An item of an array.
    Index(usize),
}

/// A way into a value, outermost step first. Written as a model would write it: `filter.tags[2]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Path(pub(crate) Vec<Segment>);

impl Path {
    /// This path, followed by a member of the object it leads to.
    pub(super) fn key(&self, key: &str) -> Self {
        let mut segments = self.0.clone();
        segments.push(Segment::Key(key.to_owned()));
        Self(segments)
    }

    /// This path inside of what is called `name`: `filter` and `tags[2]` give `filter.tags[2]`.
    pub(crate) fn within(&self, name: &str) -> String {
        if name.is_empty() {
            return self.to_string();
        }
        match self.0.first() {
            Some(Segment::Key(key)) if is_word(key) => format!("{name}.{self}"),
            _ => format!("{name}{self}"),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) if !is_word(key) => write!(f, "[{key:?}]")?,
                Segment::Key(key) if position == 0 => f.write_str(key)?,
                Segment::Key(key) => write!(f, ".{key}")?,
            }
        }
        Ok(())
    }
}

/// Whether `key` can follow a dot without being mistaken for something else.
fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || "_-$@".contains(character))
}

/// `value` as JSON, cut after 60 characters. Costs no more for a large value than for a small one.
pub(crate) fn shown(value: &Value) -> String {
    let mut start = Start(Vec::new());
    // The writer stops the serializer once it has what is shown.
    let _ = serde_json::to_writer(&mut start, value);
    shortened(&String::from_utf8_lossy(&start.0))
}

/// `text`, cut after 60 characters.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Keeps what is needed to show a value, then refuses more.
struct Start(Vec<u8>);

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A character has at most four bytes; one more character tells that there was more.
        let room = ((SHOWN + 1) * 4).saturating_sub(self.0.len());
        let taken = bytes.len().min(room);
        self.0.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_path_reads_like_an_expression() {
        let path = Path(vec![
            Segment::Key("tags".to_owned()),
            Segment::Index(2),
            Segment::Key("content type".to_owned()),
            Segment::Key("name".to_owned()),
        ]);
        assert_eq!(path.to_string(), r#"tags[2]["content type"].name"#);
        assert_eq!(path.within("filter"), r#"filter.tags[2]["content type"].name"#);
        assert_eq!(Path(vec![Segment::Index(0)]).within("tags"), "tags[0]");
        assert_eq!(Path::default().within("days"), "days");
    }

    #[test]
    fn a_long_value_is_cut_between_characters() {
        assert_eq!(shown(&json!({ "a": [1, "é"] })), r#"{"a":[1,"é"]}"#);
        assert_eq!(shown(&json!("ü".repeat(1_000_000))), format!("\"{}…", "ü".repeat(59)));
        assert_eq!(shown(&json!("x".repeat(58))), format!("\"{}\"", "x".repeat(58)));
    }
}
