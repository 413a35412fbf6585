//! Looks quotations up and judges them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::authors::NamedAuthor;
use super::citation::{Citation, Citations, PlaceSaid};
use super::cited::{CitedTexts, folded};
use super::marks::{MarkKind, han};
use super::patterns::PATTERNS;
use super::report::{
    CheckedPlace, CitedPlace, FORMAT, Item, ItemKind, MAX_NEAR_CHARS, Searched, Verdict,
    VerdictCounts, VerifyReport,
};
use super::text::QuotingText;
use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::diag::Error;
use crate::model::{Layer, LayerKind};
use crate::search::alike::{self, Alike, AlikeWanted, IndexedText, Sought, TextSet};
use crate::search::{Answer, Index, WordForm};
use crate::source::Span;
use crate::text::class::LACUNAE;

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

/// Circles divide notes, but in a quotation they too stand for characters.
fn is_lacuna(c: char) -> bool {
    LACUNAE.contains(&c) || matches!(c, '○' | '◯')
}

/// What these are compared as: a character that looks like them.
const LACUNA: &str = "囗";

/// Checks quotations against indexes.
#[derive(Debug)]
pub struct Verifier<'i> {
    works: Arc<Works>,
    books: Vec<Books<'i>>,
    /// True if more texts are at hand than are searched.
    is_partial: bool,
}

/// An index, and what is known of its texts.
#[derive(Debug)]
struct Books<'i> {
    name: String,
    index: &'i Index,
    texts: Vec<IndexedText>,
}

/// What was found for some words.
#[derive(Default)]
struct FoundWords {
    total: usize,
    places: Vec<(usize, bool, Alike)>,
    /// In which form the words are there, if they are.
    form: Option<WordForm>,
}

impl<'i> Verifier<'i> {
    /// One that searches nothing yet.
    pub fn new(works: Arc<Works>) -> Self {
        Verifier { works, books: vec![], is_partial: false }
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

    /// The same, which searches only a part of the texts that are at hand: it does not say that
    /// a text is not there.
    pub fn partly(mut self) -> Self {
        self.is_partial = true;
        self
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
        // What is quoted again from the same place is not looked up again.
        let mut known: HashMap<(&str, String), Option<Item>> = HashMap::new();
        for (n, one) in text.marked.iter().enumerate() {
            is_settled[n] = one.within.is_some_and(|w| is_settled[w]);
            if is_settled[n] {
                continue;
            }
            let own = &words[one.inner.range()];
            let item = match one.kind {
                MarkKind::Title if citations.is_used[n] || one.within.is_some() => continue,
                MarkKind::Title => self.title(own),
                MarkKind::Quotation => {
                    let asked = (own, format!("{:?}", citations.of[n]));
                    let item = match known.get(&asked) {
                        Some(item) => item.clone(),
                        None => self.quotation(own, &citations.of[n])?,
                    };
                    known.entry(asked).or_insert_with(|| item.clone());
                    let Some(item) = item else { continue };
                    item
                }
            };
            if item.kind == ItemKind::Quotation {
                report.counts.add(item.verdict);
                let is_open = item.unread.is_some() && item.verdict == Verdict::Verbatim;
                report.counts.unread += usize::from(is_open);
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
        self.quotation(words, &cited.map(|w| self.said(w)).unwrap_or_default())
    }

    fn said(&self, words: &str) -> PlaceSaid {
        let known = super::citation::with_marks(words, &self.works);
        let known = known.or_else(|| super::citation::known(words, &self.works).map(Into::into));
        let known = known.or_else(|| super::english::known(words, &self.works));
        let said = known.unwrap_or_else(|| Citation::unlisted(words).into());
        // 儀禮 卷九十九: the list of works knows the work, and nobody the volume.
        let volume = PATTERNS.part.find(words).map(|part| part.as_str());
        let volume = volume.filter(|part| part.starts_with('卷')).map(str::to_string);
        PlaceSaid { unread: said.unread.or(volume), ..said }
    }

    /// A title alone: is the text here?
    fn title(&self, words: &str) -> Item {
        let said = self.said(words).citation;
        let citation = said.unwrap_or_else(|| Citation::unlisted(words));
        let cited = self.cited(&citation);
        let is_here = cited.iter().any(|c| !c.texts.is_empty());
        let verdict = match (is_here, self.is_partial) {
            (true, _) => Verdict::Verbatim,
            (false, true) => Verdict::NotFound,
            (false, false) => Verdict::WorkAbsent,
        };
        item(ItemKind::Title, words, Some(cited_place(&citation, is_here)), verdict)
    }

    /// A quotation; `None` if it is not Chinese.
    fn quotation(&self, words: &str, said: &PlaceSaid) -> Result<Option<Item>, Error> {
        let citation = said.citation.as_ref();
        let (chinese, other) = han(words);
        if chinese == 0 || chinese < other {
            return Ok(None);
        }
        let cited = citation.map(|c| self.cited(c));
        let is_here = cited.iter().flatten().any(|c| !c.texts.is_empty());
        if let Some(master) = citation.filter(|c| c.is_master && !is_here) {
            // 曾子曰: not a book then, but someone who speaks.
            return self.quotation(words, &PlaceSaid::unread(&master.words));
        }
        let place = citation.map(|c| cited_place(c, is_here));
        // An edition that is not told from the others here.
        let editions: Vec<bool> = cited.iter().flatten().filter_map(|c| c.edition).collect();
        let is_untold = !editions.is_empty() && !editions.contains(&true);
        let edition = citation.filter(|_| is_untold).map(|c| c.words.clone());
        let authors = || cited.iter().flatten().filter_map(|c| c.author.as_ref());
        let is_checked = authors().any(NamedAuthor::is_checked);
        let author = citation.and_then(|c| c.by.clone()).filter(|_| is_here && !is_checked);
        // A sign for a missing character is a character that the text does not have.
        let lacking = words.replace(is_lacuna, LACUNA);
        let sought = Sought::of(if lacking == words { words } else { &lacking });
        if sought.len() < MIN_CHARS {
            return Ok(Some(item(ItemKind::Quotation, words, place, Verdict::TooShort)));
        }
        let (verdict, found) = match &cited {
            Some(cited) if is_here => self.at_its_place(&sought, cited)?,
            cited => {
                let (verdict, found) = self.anywhere(&sought)?;
                let verdict = match (cited, self.is_partial, verdict) {
                    (Some(_), false, _) => Verdict::WorkAbsent,
                    (Some(_), true, Verdict::Verbatim) => Verdict::Elsewhere,
                    (_, _, verdict) => verdict,
                };
                (verdict, found)
            }
        };
        Ok(Some(Item {
            characters: sought.len(),
            form: found.form,
            total: found.total,
            places: found.places.into_iter().map(|p| self.place(p)).collect(),
            unread: said.unread.clone().or(edition).or(author),
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
            near.total = near.places.len();
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
        let mut least: Option<(Verdict, FoundWords)> = None;
        // All parts are there only if each is; short ones are not looked up.
        let mut form = Some(WordForm::Exact);
        for part in parts {
            if part.len() < MIN_CHARS {
                form = None;
                continue;
            }
            let (verdict, found) = self.anywhere(part)?;
            form = form.zip(found.form).map(|(a, b)| a.max(b));
            if least.as_ref().is_none_or(|(worst, _)| verdict > *worst) {
                least = Some((verdict, found));
            }
        }
        let (verdict, found) = least.unwrap_or((Verdict::NotFound, FoundWords::default()));
        Ok((verdict.max(Verdict::Near), FoundWords { form, ..found }))
    }

    fn exactly(&self, sought: &Sought, cited: Option<&[CitedTexts]>) -> Result<FoundWords, Error> {
        let mut all = FoundWords::default();
        for (n, books) in self.books.iter().enumerate() {
            let own = cited.map(|c| &c[n]);
            if own.is_some_and(|c| c.texts.is_empty()) {
                continue;
            }
            let keep = |a: &Answer| own.is_none_or(|c| c.has(a));
            let found = alike::exactly(books.index, sought, wanted(own, &keep))?;
            all.total += found.total;
            all.places.extend(found.stretches.into_iter().map(|a| (n, own.is_some(), a)));
        }
        all.places.sort_by_key(|(n, _, a)| (!is_classic(a), a.form, *n));
        all.places.truncate(PLACES);
        all.form = all.places.first().map(|(.., a)| a.form);
        Ok(all)
    }

    fn nearly(&self, sought: &Sought, cited: Option<&[CitedTexts]>) -> Result<FoundWords, Error> {
        let edits = (2 * sought.len() / CHARS_FOR_TWO).clamp(1, MAX_EDITS);
        let mut all = FoundWords::default();
        for (n, books) in self.books.iter().enumerate() {
            let own = cited.map(|c| &c[n]);
            if own.is_some_and(|c| c.texts.is_empty()) || sought.len() > MAX_NEAR_CHARS {
                continue;
            }
            let keep = |a: &Answer| own.is_none_or(|c| c.has(a));
            let found = alike::nearly(books.index, sought, wanted(own, &keep), edits)?;
            all.places.extend(found.into_iter().map(|a| (n, own.is_some(), a)));
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
        let of = |books: &Books<'_>| CitedTexts::of(citation, &books.texts, &self.works);
        let mut all: Vec<CitedTexts> = self.books.iter().map(of).collect();
        // Where the edition that is named is at hand, others are not meant.
        if all.iter().any(|c| c.edition == Some(true)) {
            let others = all.iter_mut().filter(|c| c.edition != Some(true));
            others.for_each(|c| c.texts = TextSet::default());
        }
        all
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

/// What is looked for in the texts that are cited, or anywhere.
fn wanted<'a>(cited: Option<&'a CitedTexts>, keep: &'a dyn Fn(&Answer) -> bool) -> AlikeWanted<'a> {
    let keep = cited.map(|_| keep);
    AlikeWanted { within: cited.map(|c| &c.texts), keep, most: PLACES }
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
        unread: None,
        span: Span::new(0, 0),
    }
}

fn cited_place(citation: &Citation, is_here: bool) -> CitedPlace {
    CitedPlace {
        words: citation.words.clone(),
        // A shorter name would hide what the list of works does not have.
        name: match citation.unlisted_chapter() {
            Some(_) => None,
            None => citation.named.first().map(Named::locus),
        },
        locus: citation.locus.as_ref().map(ToString::to_string),
        is_here,
    }
}
