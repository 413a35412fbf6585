//! What passes look references up in: the views of all documents, and one index of grams over all
//! their streams.
//!
//! Views are built with the index, the grams when they are first needed. A stream of a document is
//! a part of one long text, so that looking words up in a layer, a chapter or before a note is
//! looking them up in a part of it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::works::Named;
use super::{Library, Stream, View, Works};
use crate::model::{Document, Role};
use crate::text::find::Hit;
use crate::text::fold::fold;
use crate::text::grams::Grams;

/// Parts the texts of two streams; no key holds it.
pub const BORDER: char = '\0';

/// A document with its view.
#[derive(Clone, Debug)]
pub struct Indexed {
    /// The document as the stage before left it.
    pub document: Arc<Document>,
    /// Its streams and passages.
    pub view: View,
    /// Its place in [`Index::entries`].
    pub number: usize,
    /// Its chapter as the authority file calls it, folded: 鄕射禮 is 鄉射禮.
    pub chapter: Option<String>,
}

/// All documents of a library, viewed.
#[derive(Clone, Debug)]
pub struct Index {
    /// In the order of the library.
    pub entries: Vec<Indexed>,
    by_id: HashMap<String, usize>,
    /// Witnesses by the title of their work.
    by_work: HashMap<String, Vec<usize>>,
    words: OnceLock<CorpusText>,
    /// The works and chapters that titles are looked up in.
    pub works: Arc<Works>,
}

/// All streams of all documents as one text.
#[derive(Clone, Debug)]
pub struct CorpusText {
    /// Folded characters, a border after each stream.
    pub text: Vec<char>,
    /// Their place.
    pub grams: Grams,
    /// In the order of the text.
    parts: Vec<CorpusTextPart>,
}

/// One stream of one document in the text of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusTextPart {
    /// Number of its entry.
    pub entry: usize,
    /// Which stream.
    pub stream: Stream,
    /// Its characters.
    pub range: Range<usize>,
}

impl Indexed {
    /// Its work and chapter as the authority file calls them; as its own titles do where that does
    /// not know them.
    pub fn named(&self, works: &Works) -> Option<Named> {
        let work = self.document.meta.work.clone()?;
        let chapter = self.document.meta.chapter.as_deref();
        Some(chapter.and_then(|c| known(works, &work, c)).unwrap_or(Named {
            work,
            part: None,
            chapter: chapter.map(String::from),
        }))
    }
}

fn known(works: &Works, work: &str, chapter: &str) -> Option<Named> {
    works.resolve(chapter, Some(work)).map(|r| r.named).filter(|n| n.work == work)
}

/// The name of a chapter that all its names share.
fn canonical(works: &Works, work: &str, chapter: &str) -> String {
    let title = known(works, work, chapter).and_then(|n| n.chapter.or(n.part));
    title.as_deref().unwrap_or(chapter).chars().map(fold).collect()
}

impl CorpusText {
    fn of(entries: &[Indexed]) -> Self {
        let (mut text, mut parts) =
            (Vec::new(), Vec::with_capacity(entries.len() * Stream::ALL.len()));
        for (entry, e) in entries.iter().enumerate() {
            for stream in Stream::ALL {
                let from = text.len();
                text.extend_from_slice(&e.view.stream(stream).chars);
                parts.push(CorpusTextPart { entry, stream, range: from..text.len() });
                text.push(BORDER);
            }
        }
        let grams = Grams::of(&text);
        CorpusText { text, grams, parts }
    }

    /// The part that holds a character.
    pub fn part(&self, at: usize) -> &CorpusTextPart {
        &self.parts[self.parts.partition_point(|p| p.range.end < at).min(self.parts.len() - 1)]
    }

    /// A stream of an entry.
    pub fn stream(&self, entry: usize, stream: Stream) -> &CorpusTextPart {
        &self.parts[entry * Stream::ALL.len() + stream as usize]
    }
}

impl Index {
    /// Views every document.
    pub fn of(library: &Library, works: &Arc<Works>) -> Self {
        Index::of_documents(&library.documents, works)
    }

    /// Views some documents.
    pub fn of_documents(documents: &[Arc<Document>], works: &Arc<Works>) -> Self {
        let mut index = Index {
            entries: Vec::with_capacity(documents.len()),
            by_id: HashMap::new(),
            by_work: HashMap::new(),
            words: OnceLock::new(),
            works: Arc::clone(works),
        };
        for (number, d) in documents.iter().enumerate() {
            index.by_id.entry(d.id.clone()).or_insert(number);
            if let Some(work) = d.meta.work.clone().filter(|_| d.meta.role == Role::Witness) {
                index.by_work.entry(work).or_default().push(number);
            }
            let chapter = d
                .meta
                .work
                .as_deref()
                .zip(d.meta.chapter.as_deref())
                .map(|(work, chapter)| canonical(works, work, chapter));
            index.entries.push(Indexed { document: d.clone(), view: View::of(d), number, chapter });
        }
        index
    }

    /// The document with this id.
    pub fn get(&self, id: &str) -> Option<&Indexed> {
        self.by_id.get(id).map(|n| &self.entries[*n])
    }

    /// Documents other than `id` whose text is this chapter of this work (or the whole work, if no
    /// chapter is asked for or known).
    pub fn of_chapter<'a>(
        &'a self,
        work: &'a str,
        chapter: Option<&'a str>,
        id: &'a str,
    ) -> impl Iterator<Item = &'a Indexed> {
        let chapter = chapter.map(|c| canonical(&self.works, work, c));
        self.by_work.get(work).into_iter().flatten().map(|n| &self.entries[*n]).filter(move |e| {
            e.document.id != id
                && (chapter.is_none() || e.chapter.is_none() || e.chapter == chapter)
        })
    }

    /// All streams as one text with its grams.
    pub fn words(&self) -> &CorpusText {
        self.words.get_or_init(|| CorpusText::of(&self.entries))
    }

    /// Where `words` occur in characters `range` of a stream, with at most `max_diff` differences;
    /// as [`View::find`], which scans and takes bytes.
    pub fn find(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        words: &[char],
        max_diff: usize,
    ) -> Vec<Hit> {
        self.in_stream(entry, stream, range, |all, range| {
            all.grams.find(&all.text, range, words, max_diff)
        })
    }

    /// Where `words` occur exactly there, the last (`back`) or first places, nearest first.
    pub fn nearest(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        words: &[char],
        back: bool,
        limit: usize,
    ) -> Vec<Hit> {
        self.in_stream(entry, stream, range, |all, range| {
            all.grams.nearest(&all.text, range, words, back, limit)
        })
    }

    fn in_stream(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        find: impl Fn(&CorpusText, Range<usize>) -> Vec<Hit>,
    ) -> Vec<Hit> {
        let all = self.words();
        let part = &all.stream(entry, stream).range;
        let clamp = |at: usize| (part.start.saturating_add(at)).min(part.end);
        let mut hits = find(all, clamp(range.start)..clamp(range.end));
        for h in &mut hits {
            (h.from, h.to) = (h.from - part.start, h.to - part.start);
        }
        hits
    }

    /// The places in all texts where `words` occur with the fewest differences, at most `max_diff`;
    /// no more than `limit`.
    pub fn anywhere(
        &self,
        words: &[char],
        max_diff: usize,
        limit: usize,
    ) -> Vec<(&CorpusTextPart, Hit)> {
        let all = self.words();
        let hits = all.grams.closest(&all.text, 0..all.text.len(), words, max_diff, limit);
        let place = |h: Hit| {
            let part = all.part(h.from);
            let own = h.from >= part.range.start && h.to <= part.range.end;
            own.then(|| {
                (part, Hit { from: h.from - part.range.start, to: h.to - part.range.start, ..h })
            })
        };
        hits.into_iter().filter_map(place).collect()
    }
}
