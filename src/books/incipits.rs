//! Chapters that have no title of their own but begin with their name, as the offices of the 周禮:
//! 大宰之職，掌建邦之六典 …
//!
//! Where titles name only the parts of a work, the chapters of a part are sought by the list of
//! works: lines of the classic that begin with the names of its chapters, in their order. A list of
//! the same names before them (序官) has them too, so the last line with each name counts, and those
//! between it and the chapter before.

use super::headings::FoundTitles;
use super::naming::in_order;
use crate::corpus::Works;
use crate::corpus::works::{Named, Part};
use crate::model::{BookChapter, ChapterKind, Document, LayerKind};
use crate::source::Span;
use crate::text::fold::fold;

/// Share of the chapters of a part that must be found.
const MIN_SHARE: f64 = 0.6;
/// Chapters that a part must have.
const MIN_CHAPTERS: usize = 4;

/// A text whose chapters are sought by the words that they begin with.
#[derive(Clone, Copy)]
pub(super) struct Incipits<'a> {
    pub document: &'a Document,
    pub found: &'a FoundTitles,
    pub works: &'a Works,
    /// The work.
    pub work: &'a str,
}

impl Incipits<'_> {
    /// Cuts parts of a work into their chapters.
    pub fn cut(self, chapters: Vec<BookChapter>) -> Vec<BookChapter> {
        chapters.into_iter().flat_map(|part| self.cut_part(part)).collect()
    }

    fn cut_part(self, part: BookChapter) -> Vec<BookChapter> {
        if part.chapter.is_some() {
            return vec![part];
        }
        let Some(listed) = self.listed(&part) else { return vec![part] };
        let names: Vec<&[String]> = listed.chapters.iter().map(Vec::as_slice).collect();
        let chain = self.places(part.span, &names);
        if chain.len() < MIN_CHAPTERS || (chain.len() as f64) < MIN_SHARE * names.len() as f64 {
            return vec![part];
        }
        let ends = chain.iter().skip(1).map(|(_, at)| *at).chain([part.span.end()]);
        let chapters = self.chapters_of(part.part.as_deref(), &chain, &names, ends);
        let before = Span::new(part.span.start(), chain[0].1);
        std::iter::once(BookChapter { span: before, ..part }).chain(chapters).collect()
    }

    /// The last lines within a span that begin with one of the names, as far as they are in the
    /// order of the names: number of the name and place.
    fn places(self, within: Span, names: &[&[String]]) -> Vec<(usize, usize)> {
        let folded = |n: &String| n.chars().map(fold).collect::<String>();
        let names: Vec<Vec<String>> =
            names.iter().map(|c| c.iter().map(folded).collect()).collect();
        let mut places: Vec<Vec<usize>> = vec![vec![]; names.len()];
        let lines = self.found.lines.iter().filter(|l| within.contains(l.words));
        for line in lines.filter(|l| !l.words.is_empty() && self.is_classic(l.words.start())) {
            if let Some(i) = begun_with(&names, &self.document.words(line.words)) {
                places[i].push(line.whole.start());
            }
        }
        in_their_order(&places)
    }

    /// The chapters that begin at the places of a chain and end at `ends`.
    fn chapters_of(
        self,
        part: Option<&str>,
        chain: &[(usize, usize)],
        names: &[&[String]],
        ends: impl Iterator<Item = usize>,
    ) -> Vec<BookChapter> {
        let chapter = |((i, from), end): (&(usize, usize), usize)| {
            let title = names[*i].first().cloned();
            let (work, part) = (self.work.to_string(), part.map(str::to_string));
            let named = Named { work, part, chapter: title.clone() };
            BookChapter {
                span: Span::new(*from, end),
                work: None,
                kind: ChapterKind::Chapter,
                title: title.clone().unwrap_or_default(),
                number: self.works.number(&named),
                part: named.part,
                chapter: title,
            }
        };
        chain.iter().zip(ends).map(chapter).collect()
    }

    /// The part in the list of works.
    fn listed(&self, part: &BookChapter) -> Option<&Part> {
        let title = part.part.as_ref()?;
        self.works.work(self.work)?.part.iter().find(|p| p.title == *title)
    }

    fn is_classic(&self, at: usize) -> bool {
        let layer = self.document.segment_at(at).map(|i| self.document.segments[i].layer.kind());
        matches!(layer, Some(LayerKind::Base | LayerKind::Undivided))
    }
}

/// The last of the places of each name, as far as they are in the order of the names: number of the
/// name and place.
pub(super) fn in_their_order(places: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> =
        places.iter().enumerate().filter_map(|(i, at)| Some((i, *at.last()?))).collect();
    found.sort_by_key(|(_, at)| *at);
    let order: Vec<(usize, u32)> =
        found.iter().enumerate().map(|(n, (i, _))| (n, *i as u32)).collect();
    let chain: Vec<(usize, usize)> = in_order(&order).into_iter().map(|n| found[n]).collect();
    from_first_lines(chain, places)
}

/// The number of the longest name that a line begins with: 小宰夫 is not 小宰.
fn begun_with(names: &[Vec<String>], words: &str) -> Option<usize> {
    let words: String = words.chars().take(8).map(fold).collect();
    let length = |all: &Vec<String>| {
        all.iter().filter(|n| words.starts_with(n.as_str())).map(String::len).max()
    };
    names.iter().enumerate().filter_map(|(i, n)| Some((length(n)?, i))).max().map(|(_, i)| i)
}

/// The same chapters from the first line with their name after the start of the chapter before:
/// several paragraphs of 匠人 begin 匠人建國, 匠人營國.
fn from_first_lines(mut chain: Vec<(usize, usize)>, places: &[Vec<usize>]) -> Vec<(usize, usize)> {
    for n in 1..chain.len() {
        let (before, (name, _)) = (chain[n - 1].1, chain[n]);
        if let Some(first) = places[name].iter().find(|at| **at > before) {
            chain[n].1 = *first;
        }
    }
    chain
}
