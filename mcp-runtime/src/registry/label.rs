//! What an entry says about itself, wherever it comes from.

use std::borrow::Cow;
use std::fmt;

use super::About;
use crate::Icon;

/// What a linked or an added entry says about itself.
#[derive(Clone)]
pub(crate) struct Label {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Option<Cow<'static, str>>,
    pub(crate) icons: Cow<'static, [Icon]>,
    /// The author's `_meta`, as the text of a JSON object.
    pub(crate) meta: Option<Cow<'static, str>>,
    pub(crate) group: Option<Cow<'static, str>>,
    pub(crate) place: Place,
}

/// Where an entry stands in its author's source.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) file: &'static str,
    pub(crate) line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Label {
    /// A name, and the place of the code that asked for it.
    pub(crate) fn added(
        name: impl Into<Cow<'static, str>>,
        caller: &'static std::panic::Location<'static>,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            icons: Cow::Borrowed(&[]),
            meta: None,
            group: None,
            place: Place { file: caller.file(), line: caller.line() },
        }
    }

    /// Whether `disable` and `enable` mean this entry by `name`, as its own name or as its group.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.group.as_deref() == Some(name)
    }
}

impl From<&'static About> for Label {
    fn from(about: &'static About) -> Self {
        Self {
            name: about.name.into(),
            title: about.title.map(Cow::Borrowed),
            description: about.description.map(Cow::Borrowed),
            icons: Cow::Borrowed(about.icons),
            meta: about.meta.map(Cow::Borrowed),
            group: about.group.map(Cow::Borrowed),
            place: Place { file: about.file, line: about.line },
        }
    }
}
