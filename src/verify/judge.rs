//! Looks quotations up and judges them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::citation::{Citation, Citations};
use super::marks::{MarkKind, han};
use super::report::{
    CheckedPlace, CitedPlace, FORMAT, Item, ItemKind, Searched, Verdict, VerdictCounts,
    VerifyReport,
};
use super::text::QuotingText;
use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::diag::Error;
use crate::model::{Layer, LayerKind};
use crate::search::Index;
use crate::search::alike::{self, Alike, IndexedText, Sought, TextSet};
use crate::source::Span;
use crate::text::Key;

/// Fewer characters are not looked up: they are everywhere.
const MIN_CHARS: usize = 4;
/// Of so many characters one may differ, and of twice as many two, that we say that they differ.
const CHARS_FOR_ONE: usize = 4;
/// Words are nearly there if at most two of so many characters differ …
const CHARS_FOR_TWO: usize = 5;
/// … and this many characters in a row are the same.
const MIN_RUN: usize = 3;
/// Most differences that are looked for.
const MAX_EDITS: usize = 48;
/// Places that are named.
const PLACES: usize = 5;
/// Places whose sections are read, if a citation names one.
const IN_SECTIONS: usize = 100;

/// Checks quotations against indexes.
#[derive(Debug)]
pub struct Verifier<'i> {
    works: Arc<Works>,
    books: Vec<Books<'i>>,
}

/// An index, and what is known of its texts.
#[derive(Debug)]
struct Books<'i> {
    name: String,
    index: &'i Index,
    texts: Vec<IndexedText>,
}

/// A text of a citation in an index.
struct CitedTexts {
    /// Those of the chapter, or of the work if no chapter is named.
    texts: TextSet,
    /// Number of the section, if numbers name one.
    section: Option<u32>,
}

/// What was found for some words.
#[derive(Default)]
struct FoundWords {
    total: usize,
    places: Vec<(usize, bool, Alike)>,
}

impl<'i> Verifier<'i> {
    /// One that searches nothing yet.
    pub fn new(works: Arc<Works>) -> Self {
        Verifier { works, books: vec![] }
    }

    /// The same, which also searches an index, by this name.
    ///
    /// # Errors
    /// When the index cannot be read or is damaged.
    pub fn with(mut self, name: impl Into<String>, index: &'i Index) -> Result<Self, Error> {
        let texts = alike::texts(index)?;
        self.books.push(Books { name: name.into(), index, texts });
        Ok(self)
    }

    /// What is searched.
    pub fn searched(&self) -> Vec<Searched> {
        self.books.iter().map(Books::described).collect()
    }

    /// Checks the quotations and titles of a text.
    ///
    /// # Errors
    /// When an index cannot be read or is damaged.
    pub fn check(&self, text: &QuotingText) -> Result<VerifyReport, Error> {
        let words = text.text();
        let citations = Citations::of(words, &text.marked, &self.works);
        let mut report = VerifyReport {
            format: FORMAT,
            file: text.name(),
            searched: self.searched(),
            counts: VerdictCounts::default(),
            items: vec![],
        };
        // What is within a quotation that was found needs no check of its own.
        let mut is_settled = vec![false; text.marked.len()];
        for (n, one) in text.marked.iter().enumerate() {
            is_settled[n] = one.within.is_some_and(|w| is_settled[w]);
            if is_settled[n] {
                continue;
            }
            let own = &words[one.inner.range()];
            let item = match one.kind {
                MarkKind::Title if citations.is_used[n] || one.within.is_some() => continue,
                MarkKind::Title => self.title(own),
                MarkKind::Quotation => match self.quotation(own, citations.of[n].as_ref())? {
                    Some(item) => item,
                    None => continue,
                },
            };
            if item.kind == ItemKind::Quotation {
                report.counts.add(item.verdict);
            }
            is_settled[n] = matches!(item.verdict, Verdict::Verbatim | Verdict::Elsewhere);
            if item.verdict == Verdict::TooShort {
                continue;
            }
            let place = text.place(one.outer);
            let (line, column) = (place.line, place.column);
            report.items.push(Item { line, column, span: one.outer, ..item });
        }
        Ok(report)
    }

    /// Checks words, which may be said to be from somewhere: 論語・顏淵, 論語 12.1.
    ///
    /// # Errors
    /// When an index cannot be read or is damaged.
    pub fn check_words(&self, words: &str, cited: Option<&str>) -> Result<Option<Item>, Error> {
        let unknown = |w: &str| Citation { words: w.to_string(), named: vec![], locus: None };
        let citation =
            cited.map(|w| super::citation::known(w, &self.works).unwrap_or_else(|| unknown(w)));
        self.quotation(words, citation.as_ref())
    }

    /// A title alone: is the text here?
    fn title(&self, words: &str) -> Item {
        let citation = super::citation::known(words, &self.works);
        let citation =
            citation.unwrap_or(Citation { words: words.to_string(), named: vec![], locus: None });
        let cited = self.cited(&citation);
        let is_here = cited.iter().any(|c| !c.texts.is_empty());
        let verdict = if is_here { Verdict::Verbatim } else { Verdict::WorkAbsent };
        item(ItemKind::Title, words, Some(cited_place(&citation, is_here)), verdict)
    }

    /// A quotation; `None` if it is not Chinese.
    fn quotation(&self, words: &str, citation: Option<&Citation>) -> Result<Option<Item>, Error> {
        let (chinese, other) = han(words);
        if chinese == 0 || chinese < other {
            return Ok(None);
        }
        let cited = citation.map(|c| self.cited(c));
        let is_here = cited.iter().flatten().any(|c| !c.texts.is_empty());
        let place = citation.map(|c| cited_place(c, is_here));
        let sought = Sought::of(words);
        if sought.len() < MIN_CHARS {
            return Ok(Some(item(ItemKind::Quotation, words, place, Verdict::TooShort)));
        }
        let (verdict, found) = match &cited {
            Some(cited) if is_here => self.at_its_place(&sought, cited)?,
            cited => {
                let (verdict, found) = self.anywhere(&sought)?;
                (if cited.is_some() { Verdict::WorkAbsent } else { verdict }, found)
            }
        };
        let form = found.places.first().map(|(.., a)| a).filter(|a| a.edits == 0).map(|a| a.form);
        Ok(Some(Item {
            characters: sought.len(),
            form,
            total: found.total,
            places: found.places.into_iter().map(|p| self.place(p)).collect(),
            ..item(ItemKind::Quotation, words, place, verdict)
        }))
    }

    /// Words whose place is named and is here: they may be there, there with differences, or
    /// elsewhere.
    fn at_its_place(
        &self,
        sought: &Sought,
        cited: &[CitedTexts],
    ) -> Result<(Verdict, FoundWords), Error> {
        let there = self.exactly(sought, Some(cited))?;
        if there.total > 0 {
            return Ok((Verdict::Verbatim, there));
        }
        let mut near = self.nearly(sought, Some(cited))?;
        if let Verdict::Differs = judged(sought, &near) {
            let others = self.exactly(sought, None)?;
            near.places.extend(others.places);
            near.places.truncate(PLACES);
            return Ok((Verdict::Differs, near));
        }
        let (verdict, found) = self.anywhere(sought)?;
        Ok(match verdict {
            Verdict::Verbatim => (Verdict::Elsewhere, found),
            Verdict::Near | Verdict::NotFound if judged(sought, &near) == Verdict::Near => {
                (Verdict::Near, near)
            }
            verdict => (verdict, found),
        })
    }

    /// Words wherever they are.
    fn anywhere(&self, sought: &Sought) -> Result<(Verdict, FoundWords), Error> {
        let found = self.exactly(sought, None)?;
        if found.total > 0 {
            return Ok((Verdict::Verbatim, found));
        }
        let parts = sought.parts();
        if parts.len() > 1 {
            return self.in_parts(&parts);
        }
        let near = self.nearly(sought, None)?;
        Ok(match judged(sought, &near) {
            Verdict::NotFound => (Verdict::NotFound, FoundWords::default()),
            verdict => (verdict, near),
        })
    }

    /// Words with something left out that are not together: the least of their parts counts.
    fn in_parts(&self, parts: &[Sought]) -> Result<(Verdict, FoundWords), Error> {
        let mut least = (Verdict::Near, FoundWords::default());
        for part in parts.iter().filter(|p| p.len() >= MIN_CHARS) {
            let (verdict, found) = self.anywhere(part)?;
            if verdict > least.0 || least.1.places.is_empty() && verdict <= Verdict::Near {
                least = (verdict.max(Verdict::Near), found);
            }
        }
        Ok(least)
    }

    fn exactly(&self, sought: &Sought, cited: Option<&[CitedTexts]>) -> Result<FoundWords, Error> {
        let mut all = FoundWords::default();
        for (n, books) in self.books.iter().enumerate() {
            let own = cited.map(|c| &c[n]);
            if own.is_some_and(|c| c.texts.is_empty()) {
                continue;
            }
            // Only those that are read show in which section they are.
            let section = own.and_then(|c| c.section);
            let most = if section.is_some() { IN_SECTIONS } else { PLACES };
            let found = alike::exactly(books.index, sought, own.map(|c| &c.texts), most)?;
            let all_found = found.stretches.into_iter();
            let kept: Vec<Alike> = all_found.filter(|a| own.is_none_or(|c| c.has(a))).collect();
            all.total += if section.is_some() { kept.len() } else { found.total };
            all.places.extend(kept.into_iter().map(|a| (n, own.is_some(), a)));
        }
        all.places.sort_by_key(|(n, _, a)| (!is_classic(a), a.form, *n));
        all.places.truncate(PLACES);
        Ok(all)
    }

    fn nearly(&self, sought: &Sought, cited: Option<&[CitedTexts]>) -> Result<FoundWords, Error> {
        let edits = (2 * sought.len() / CHARS_FOR_TWO).clamp(1, MAX_EDITS);
        let mut all = FoundWords::default();
        for (n, books) in self.books.iter().enumerate() {
            let own = cited.map(|c| &c[n]);
            if own.is_some_and(|c| c.texts.is_empty()) {
                continue;
            }
            let found = alike::nearly(books.index, sought, own.map(|c| &c.texts), (edits, PLACES))?;
            let kept = found.into_iter().filter(|a| own.is_none_or(|c| c.has(a)));
            all.places.extend(kept.map(|a| (n, own.is_some(), a)));
        }
        all.places.sort_by_key(|(n, _, a)| (a.edits, !is_classic(a), *n));
        all.places.truncate(PLACES);
        all.total = all.places.len();
        Ok(all)
    }

    fn place(&self, (n, is_cited, alike): (usize, bool, Alike)) -> CheckedPlace {
        let books = &self.books[n];
        let text = books.texts.iter().find(|t| t.document == alike.answer.document);
        CheckedPlace {
            searched: books.name.clone(),
            is_cited,
            edition: text.and_then(|t| t.edition.clone()),
            urn: alike.urn,
            form: alike.form,
            edits: alike.edits,
            differences: alike.pieces,
            answer: alike.answer,
        }
    }

    /// The texts that a citation means, in each index.
    fn cited(&self, citation: &Citation) -> Vec<CitedTexts> {
        let section = citation.locus.as_ref().and_then(|l| l.from).map(|f| f.section);
        let of = |books: &Books<'_>| {
            let meant = books.texts.iter().filter(|t| self.is_meant(citation, t));
            let mut texts: Vec<&IndexedText> = meant.collect();
            // A chapter that the list of works does not have, by its own name.
            if let Some(chapter) = citation.unlisted_chapter().map(folded) {
                let is_called = |t: &&IndexedText| {
                    let names = [t.chapter.as_deref(), Some(&*t.title)];
                    names.into_iter().flatten().any(|name| folded(name) == chapter)
                };
                let own: Vec<&IndexedText> = texts.iter().copied().filter(is_called).collect();
                texts = if own.is_empty() { texts } else { own };
            }
            CitedTexts { texts: TextSet::of(texts), section }
        };
        self.books.iter().map(of).collect()
    }

    /// True if a citation means a text.
    fn is_meant(&self, citation: &Citation, text: &IndexedText) -> bool {
        let key = citation.locus.as_ref().map(|l| l.text.to_string());
        if key.is_some_and(|key| key == text.text) {
            return true;
        }
        if citation.named.is_empty() {
            let words = folded(&citation.words);
            let first = citation.words.split(['・', '·', '‧']).next().map(folded);
            let names = [text.work.as_deref(), Some(&*text.title), text.chapter.as_deref()];
            return names.into_iter().flatten().map(folded).any(|n| n == words || Some(n) == first);
        }
        citation.named.iter().any(|named| self.is_named(named, text))
    }

    fn is_named(&self, named: &Named, text: &IndexedText) -> bool {
        let same = |a: &str, b: &str| folded(a) == folded(b);
        if !text.work.as_deref().is_some_and(|w| same(w, &named.work)) {
            return false;
        }
        let Some(wanted) = named.chapter.as_ref().or(named.part.as_ref()) else { return true };
        // A text that has the whole work has the chapter.
        let Some(chapter) = &text.chapter else { return true };
        let key = self.works.work(&named.work).map(|w| w.key.as_str());
        let number = key.zip(self.works.number(named)).map(|(key, n)| format!("{key}.{n:02}"));
        same(chapter, wanted)
            || number.is_some_and(|n| n == text.text)
            || named.chapter.is_none() && is_within(&folded(wanted), &folded(chapter))
    }
}

impl Books<'_> {
    fn described(&self) -> Searched {
        let (mut works, mut layers) = (vec![], BTreeSet::<Layer>::new());
        let mut seen = BTreeSet::new();
        for text in &self.texts {
            let work = text.work.as_ref().unwrap_or(&text.title);
            if seen.insert(work) {
                works.push(work.clone());
            }
            layers.extend(&text.layers);
        }
        let layers = layers.into_iter().map(|l| l.zh()).collect();
        Searched { name: self.name.clone(), texts: self.texts.len(), works, layers }
    }
}

impl CitedTexts {
    /// True if a stretch is in the section that is named, or if none is.
    fn has(&self, alike: &Alike) -> bool {
        let passage = alike.answer.locus.passage.as_ref();
        let (from, to) = (passage.and_then(|p| p.from), passage.and_then(|p| p.to.or(p.from)));
        match (self.section, from, to) {
            (Some(n), Some(from), Some(to)) => (from.section..=to.section).contains(&n),
            _ => true,
        }
    }
}

/// What the nearest stretch says of the words.
fn judged(sought: &Sought, near: &FoundWords) -> Verdict {
    let Some((_, _, best)) = near.places.first() else { return Verdict::NotFound };
    let len = sought.len();
    if best.edits * CHARS_FOR_ONE <= len {
        return Verdict::Differs;
    }
    let is_near = best.edits * CHARS_FOR_TWO <= 2 * len && best.run >= MIN_RUN;
    if is_near { Verdict::Near } else { Verdict::NotFound }
}

fn is_classic(alike: &Alike) -> bool {
    alike.answer.layer.kind() == LayerKind::Base
}

fn is_within(part: &[char], whole: &[char]) -> bool {
    !part.is_empty() && whole.windows(part.len()).any(|w| w == part)
}

fn folded(words: &str) -> Vec<char> {
    Key::of(words, Span::new(0, words.len())).chars
}

fn item(kind: ItemKind, words: &str, cited: Option<CitedPlace>, verdict: Verdict) -> Item {
    Item {
        kind,
        line: 1,
        column: 1,
        words: words.to_string(),
        characters: folded(words).len(),
        cited,
        verdict,
        form: None,
        total: 0,
        places: vec![],
        span: Span::new(0, 0),
    }
}

fn cited_place(citation: &Citation, is_here: bool) -> CitedPlace {
    CitedPlace {
        words: citation.words.clone(),
        name: citation.named.first().map(Named::locus),
        locus: citation.locus.as_ref().map(ToString::to_string),
        is_here,
    }
}
