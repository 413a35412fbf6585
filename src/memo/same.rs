//! What a stage left of a document as it was: that is not stored again, and in memory both share
//! it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Document, SharedList};
use crate::source::Source;

/// Which parts of a document are as they were before a stage. Its source always is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AsBefore {
    segments: bool,
    marks: bool,
    divisions: bool,
    sentences: bool,
    headers: bool,
    speeches: bool,
    readings: bool,
    supplied: bool,
    apparatus: bool,
    /// The first so many links; the others are new.
    links: usize,
}

impl AsBefore {
    /// Of a document before and after.
    pub fn of(before: &Document, after: &Document) -> Self {
        AsBefore {
            segments: before.segments == after.segments,
            marks: before.marks == after.marks,
            divisions: before.divisions == after.divisions,
            sentences: before.sentences == after.sentences,
            headers: before.headers == after.headers,
            speeches: before.speeches == after.speeches,
            readings: before.readings == after.readings,
            supplied: before.supplied == after.supplied,
            apparatus: before.apparatus == after.apparatus,
            links: if after.links.starts_with(&before.links) { before.links.len() } else { 0 },
        }
    }

    /// Takes all that is as before out of a document, and returns the whole one.
    pub fn taken(&self, document: &mut Document) -> Document {
        let nowhere = Arc::new(Source::from_text("", ""));
        let mut part = Document { source: nowhere, ..document.clone() };
        self.segments.then(|| part.segments = SharedList::default());
        self.marks.then(|| part.marks = SharedList::default());
        self.divisions.then(|| part.divisions = SharedList::default());
        self.sentences.then(|| part.sentences = SharedList::default());
        self.headers.then(|| part.headers = SharedList::default());
        self.speeches.then(|| part.speeches = SharedList::default());
        self.readings.then(|| part.readings = SharedList::default());
        self.supplied.then(|| part.supplied = SharedList::default());
        self.apparatus.then(|| part.apparatus = SharedList::default());
        part.links = part.links[self.links..].to_vec().into();
        std::mem::replace(document, part)
    }

    /// The whole document, of what was taken out before the stage and what was stored.
    pub fn restored(&self, stored: Document, before: &Document) -> Document {
        let mut document = Document { source: Arc::clone(&before.source), ..stored };
        self.segments.then(|| document.segments.clone_from(&before.segments));
        self.marks.then(|| document.marks.clone_from(&before.marks));
        self.divisions.then(|| document.divisions.clone_from(&before.divisions));
        self.sentences.then(|| document.sentences.clone_from(&before.sentences));
        self.headers.then(|| document.headers.clone_from(&before.headers));
        self.speeches.then(|| document.speeches.clone_from(&before.speeches));
        self.readings.then(|| document.readings.clone_from(&before.readings));
        self.supplied.then(|| document.supplied.clone_from(&before.supplied));
        self.apparatus.then(|| document.apparatus.clone_from(&before.apparatus));
        let old = before.links.get(..self.links).unwrap_or_default();
        document.links.splice(..0, old.iter().cloned());
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    #[test]
    fn what_is_as_before_is_taken_out_and_comes_back() {
        let before = Document::of_pieces(&[(Layer::Jing, "學而時習之"), (Layer::Zhu, "學也")]);
        let mut after = before.clone();
        after.marks.push(before.segments[0].span);
        let same = AsBefore::of(&before, &after);
        assert!(same.segments && !same.marks);
        let whole = same.taken(&mut after);
        assert!(after.segments.is_empty() && after.source.text().is_empty());
        let back = same.restored(after, &before);
        assert_eq!(format!("{back:?}"), format!("{whole:?}"));
    }
}
