//! How a place is called.

use std::fmt;

use super::units::DocMeta;
use crate::source::Place;

/// A place as a person cites it: `鄉射禮 注疏 3:14`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locus {
    /// Work and chapter, or what the text is called: 儀禮・鄉射禮.
    pub text: String,
    /// Siglum of the witness, or the id of its document.
    pub witness: String,
    /// Section that the place is in, in the text's words.
    pub section: Option<String>,
    /// Line and column in the file.
    pub place: Place,
}

impl fmt::Display for Locus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.text != self.witness {
            write!(f, "{} ", self.text)?;
        }
        write!(f, "{} {}:{}", self.witness, self.place.line, self.place.column)
    }
}

/// The locus of byte `at` of a document, which stands at `place`.
pub(super) fn locus_of(meta: &DocMeta, at: usize, place: Place) -> Locus {
    let section = meta.sections.partition_point(|s| s.at <= at).checked_sub(1).map(|i| meta.sections[i].title.clone());
    let text = match (&meta.work, &meta.chapter) {
        (Some(work), Some(chapter)) => format!("{work}・{chapter}"),
        (Some(name), None) | (None, Some(name)) => name.clone(),
        (None, None) => meta.title.clone(),
    };
    Locus { text, witness: meta.siglum.clone().unwrap_or_else(|| meta.id.clone()), section, place }
}
