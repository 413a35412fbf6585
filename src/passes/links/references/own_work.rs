//! Quotations from other places of the work that a text explains: 傳曰“…”, “…”是也, and 其職云“…” in
//! the list of offices. No title says where they are.

use super::comment::{OpenCitation, Reader};
use super::link::{Draft, draft};
use super::locate::{CitedSource, Located, MIN_OF_ANY};
use super::place::PlaceFinder;
use super::sought::{FoundPlace, SoughtWords};
use crate::corpus::view::Stream;
use crate::corpus::works::Named;
use crate::model::{EvidenceKind, Layer, LinkKind};
use crate::source::Span;

/// Fewest characters of words that are looked for in the whole chapter.
const MIN_CHAPTER_CHARS: usize = 3;
/// Most bytes between an office that is cited and 其職云.
const MAX_OFFICE_BYTES: usize = 240;

/// A place of the work that is explained.
pub struct OwnPlace {
    /// The place.
    pub found: FoundPlace,
    /// Its chapter; none for the chapter that is explained.
    pub chapter: Option<Named>,
}

impl OwnPlace {
    /// A link to it.
    pub fn draft(self, places: &PlaceFinder<'_>, span: Span, quoted: Span, layer: Layer) -> Draft {
        let (kind, work) = match &self.chapter {
            Some(named) => (LinkKind::Citation, Some(named.locus())),
            None => (LinkKind::Internal, places.locus()),
        };
        draft(kind, span, layer).quoted(quoted).work(work).found(Some(self.found))
    }
}

impl PlaceFinder<'_> {
    /// Where the work that is explained has some words, apart from bytes `passage` of this text:
    /// the next place in the chapter, else the last before, else the one in another chapter that is
    /// clearly meant.
    pub fn in_own_work(&self, passage: Span, words: &SoughtWords) -> Option<OwnPlace> {
        self.in_own_chapter(passage, words)
            .or_else(|| self.aligned_in_own_work(words).map(|(place, _)| place))
    }

    /// The next place of exactly these words after bytes `passage` in this text, else the last
    /// before; in the classic, else in the notes.
    pub fn in_own_chapter(&self, passage: Span, words: &SoughtWords) -> Option<OwnPlace> {
        if words.len() < MIN_CHAPTER_CHARS {
            return None;
        }
        let chars = &words.key.chars;
        let nearest = |stream: Stream| {
            let key = self.view.stream(stream);
            let (from, to) = (key.index_at(passage.start()), key.index_at(passage.end()));
            let find = |range, back| self.index.nearest(self.entry, stream, range, chars, back, 1);
            let next = find(to..usize::MAX, false).first().copied();
            let hit = next.or_else(|| find(0..from, true).first().copied())?;
            Some((stream, hit))
        };
        let hit = nearest(Stream::Base).or_else(|| nearest(Stream::Notes))?;
        let how = EvidenceKind::SameChapter;
        let found = self.found(None, self.document, self.view, &[hit], words, how)?;
        Some(OwnPlace { found, chapter: None })
    }

    /// A place that was found, or that of the same words in this text: another copy of the chapter
    /// is only meant if this one lacks them.
    pub fn in_this_text(
        &self,
        passage: Span,
        words: &SoughtWords,
        found: FoundPlace,
    ) -> FoundPlace {
        let other = found.target.doc.is_some();
        let own = other.then(|| self.in_own_chapter(passage, words)).flatten();
        own.map_or(found, |own| own.found)
    }

    /// The place in another text of the work that has these words, or nearly these.
    pub fn aligned_in_own_work(&self, words: &SoughtWords) -> Option<(OwnPlace, Located)> {
        let work = self.home.as_ref()?.work.clone();
        let named = Named { work, part: None, chapter: None };
        let source = CitedSource { named: &named, stream: Stream::Base, near: 0, year: None };
        let (found, located) = self.aligned(source, words, MIN_OF_ANY)?;
        let chapter = self.index.entries[located.entry].named.clone().or(Some(named));
        Some((OwnPlace { found, chapter }, located))
    }
}

impl Reader<'_> {
    /// Links a quotation to another place of the work that is explained. True if there is one.
    pub fn link_own_work(&mut self, span: Span, quoted: Span, words: &SoughtWords) -> bool {
        let passage = self.passage.text;
        let Some(place) = self.places.in_own_work(passage, words) else { return false };
        if let Some(named) = place.chapter.clone() {
            self.open.push(OpenCitation::of(named, span.end()));
        }
        let link = place.draft(self.places, span, quoted, self.layer);
        self.links.push(link.link());
        true
    }

    /// What 其職云 at byte `at` goes on with: the office cited just before, else that of the passage.
    pub fn open_office(&self, at: usize) -> Option<OpenCitation> {
        let near = |o: &&OpenCitation| at.saturating_sub(o.end) < MAX_OFFICE_BYTES;
        let is_office = |o: &&OpenCitation| {
            let named = o.named.as_ref().filter(|n| n.chapter.is_some());
            named.and_then(|n| self.works().work(&n.work)).is_some_and(|w| w.offices)
        };
        let cited = self.open.iter().rev().take_while(near).find(is_office).cloned();
        cited.or_else(|| Some(OpenCitation::of(self.office()?, at)))
    }

    /// The office that the passage is about, or else the chapter.
    fn office(&self) -> Option<Named> {
        let works = self.works();
        let home = self.places.home.as_ref()?;
        works.work(&home.work).filter(|w| w.offices)?;
        let view = self.places.view;
        let passage = self.passage.text.start()..self.passage.text.end();
        let first = view.range(Stream::Base, passage);
        let named = works.bare_names().at(&view.base.chars()[first.clone()]).find_map(|name| {
            let title = view.base.span(first.start, first.start + name.len);
            let named = works.resolve(self.slice(title), Some(&home.work))?.named;
            (name.office && named.work == home.work).then_some(named)
        });
        named.or_else(|| Some(home.clone()).filter(|h| h.chapter.is_some()))
    }
}
