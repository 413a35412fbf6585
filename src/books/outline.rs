//! Decides which lines that look like titles are headings, a table of contents or running heads,
//! and where chapters begin.
//!
//! Titles of one shape are believed together: if they name chapters of the work, if their numbers
//! go up, or if a table of contents lists them. One line alone proves little.

use std::collections::{HashMap, HashSet};

use super::contents;
use super::cutting::{MIN_NAMED, names_most};
use super::framing::{BACK, FRONT, PARTS, folded};
use super::headings::{FoundTitles, Numbering, TitleLine, TitleShape};
use super::hexagrams;
use super::identify::Identified;
use super::incipits::Incipits;
use super::naming::{
    chapter_of_line, in_order, without_common_beginning, without_title, without_work,
};
use super::running::running_heads;
use super::series;
use super::unnumbered::{self, text_follows};
use super::volumes::below_volumes;
use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::diag::Diagnostic;
use crate::model::{BookChapter, ChapterKind, Document, HeadingLine, record_of_title};
use crate::source::Span;

/// Share of the titles of a shape that must speak for it.
const ENOUGH: f64 = 0.6;

/// What a line is, if it is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineRole {
    /// A title of the book, of a volume, a chapter or a section.
    Heading,
    /// An entry of a table of contents.
    Contents,
    /// A title that is repeated on every page.
    Running,
}

impl LineRole {
    /// Its name for programs.
    pub fn id(self) -> &'static str {
        match self {
            LineRole::Heading => "heading",
            LineRole::Contents => "contents",
            LineRole::Running => "running",
        }
    }
}

/// Headings and chapters of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// Lines that are not text, in order.
    pub lines: Vec<(Span, LineRole)>,
    /// The chapters, in order; empty if the file has only one.
    pub chapters: Vec<BookChapter>,
    /// What is wrong with their numbers.
    pub remarks: Vec<Diagnostic>,
}

/// Finds headings and chapters.
pub(crate) fn of(
    document: &Document,
    found: FoundTitles,
    identified: &Identified,
    works: &Works,
) -> Outline {
    let work = identified.best().filter(|c| c.listed).map(|c| c.work.clone());
    let name = |t: &TitleLine| chapter_of_line(t, document.slice(t.span), work.as_deref()?, works);
    let named: Vec<Option<Named>> = found.titles.iter().map(name).collect();
    let title = identified.title.as_deref().map(folded);
    let keys = found.titles.iter().map(|t| {
        let key = match &work {
            Some(work) => without_work(&t.key, work, works),
            None => without_title(&t.key, title.as_deref()),
        };
        format!("{key}{}", t.number.map(|n| n.to_string()).unwrap_or_default())
    });
    let keys = keys.collect();
    let listed = work.as_deref().and_then(|w| works.work(w));
    let charted = listed.is_some_and(|w| !w.chapters.is_empty() || !w.part.is_empty());
    let (chain, below, alone) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut book = Book { document, found, named, work, keys, chain, below, alone, title };
    book.chain = book.chain_of_chapters(works);
    let contents = contents::entries(&book.found, &book.keys);
    book.below = below_volumes(&book.found, &contents);
    if !charted {
        book.alone = book.unnumbered(&contents);
    }
    let running = running_heads(&book.found, &contents);
    let headings = book.headings(&contents, &running);
    let mut lines: Vec<(Span, LineRole)> = vec![];
    for (n, t) in book.found.titles.iter().enumerate() {
        let role = match () {
            () if book.decided(n).is_some() => LineRole::Heading,
            () if contents.contains(&n) => LineRole::Contents,
            () if headings.contains(&n) => LineRole::Heading,
            () if running.contains(&n) => LineRole::Running,
            () => continue,
        };
        lines.push((t.span, role));
    }
    let (chapters, remarks) = book.chapters(&headings, works);
    Outline { lines, chapters, remarks }
}

/// A file, its lines that look like titles, and the chapters that they name.
struct Book<'a> {
    document: &'a Document,
    found: FoundTitles,
    named: Vec<Option<Named>>,
    /// The work, if the list of works has it.
    work: Option<String>,
    /// What each title is known by in a table of contents.
    keys: Vec<String>,
    /// Titles that name the chapters of the work in their order.
    chain: HashSet<usize>,
    /// Titles of chapters right below the volume that each of them is.
    below: HashSet<usize>,
    /// Titles that only their form shows.
    alone: HashSet<usize>,
    /// The title of the book, folded.
    title: Option<String>,
}

impl Book<'_> {
    /// The unnumbered titles that name chapters of the work in its order, if they name most of it
    /// or nothing else looks like a title; a few names by chance do not.
    fn chain_of_chapters(&self, works: &Works) -> HashSet<usize> {
        let plain = (0..self.named.len()).filter(|n| self.found.titles[*n].number.is_none());
        let numbers: Vec<(usize, u32)> =
            plain.filter_map(|n| Some((n, works.number(self.named[n].as_ref()?)?))).collect();
        let chain = in_order(&numbers);
        let named: HashSet<String> =
            chain.iter().filter_map(|n| Some(self.named[*n].as_ref()?.locus())).collect();
        let all = &self.found.titles;
        let is_opened = |n: &usize| text_follows(&self.found, all[*n].line);
        let only = named.len() >= 2 && chain.len() == all.len() && chain.iter().all(is_opened);
        let most = only || named.len() >= MIN_NAMED && chain.len() * 2 > numbers.len();
        if most { chain.into_iter().collect() } else { HashSet::new() }
    }

    /// Titles of chapters that only their form shows.
    fn unnumbered(&self, contents: &HashSet<usize>) -> HashSet<usize> {
        let mut by_shape: HashMap<&TitleShape, Vec<usize>> = HashMap::new();
        let other = |n| contents.contains(&n) || !self.is_own(n);
        for n in (0..self.found.titles.len()).filter(|n| !other(*n)) {
            by_shape.entry(&self.found.titles[n].shape).or_default().push(n);
        }
        let titles = |members| unnumbered::titles(self.document, &self.found, members);
        by_shape.values().flat_map(|members| titles(members)).collect()
    }

    /// Titles that are headings.
    fn headings(&self, contents: &HashSet<usize>, running: &HashSet<usize>) -> HashSet<usize> {
        let mut headings = HashSet::new();
        let listed: HashSet<String> = contents.iter().map(|n| self.keys[*n].clone()).collect();
        let mut by_shape: HashMap<&TitleShape, Vec<usize>> = HashMap::new();
        for (n, title) in self.found.titles.iter().enumerate() {
            if self.decided(n).is_some() {
                headings.insert(n);
            } else if !contents.contains(&n) && !running.contains(&n) {
                by_shape.entry(&title.shape).or_default().push(n);
            }
        }
        for (shape, members) in by_shape {
            if self.is_believed(shape, &members, &listed) {
                headings.extend(members);
                continue;
            }
            headings.extend(members.into_iter().filter(|n| self.speaks_for_itself(*n, &listed)));
        }
        headings
    }

    /// What a person decided that a title is: never text, since such a line is no title.
    fn decided(&self, n: usize) -> Option<HeadingLine> {
        Some(self.document.confirmed_heading(self.found.titles[n].span)?.0)
    }

    /// True if titles of a shape are headings, all of them.
    fn is_believed(&self, shape: &TitleShape, members: &[usize], listed: &HashSet<String>) -> bool {
        let count = |f: &dyn Fn(usize) -> bool| members.iter().filter(|n| f(**n)).count();
        let enough = |n: usize| n >= 2 && n as f64 >= ENOUGH * members.len() as f64;
        let known = |n: usize| self.named[n].is_some() || listed.contains(&self.keys[n]);
        let text = self.found.text.iter().filter(|t| **t).count();
        // A list has no text between its items; the end of one volume and the beginning of the next
        // stand together.
        let firsts = self.found.first_of_runs(members);
        let runs = firsts.len();
        let rare = members.len() * 4 <= text;
        // Below 卷3, the number in 劉子卷二 may be another.
        let twice = members.len() <= 2 * runs;
        // The items of a list have little text between them.
        let numbered = match shape.numbering {
            Numbering::Hexagram => true,
            Numbering::List => rare,
            _ => runs <= text + 1 && runs * 3 >= members.len(),
        };
        let strong = shape.mark.is_some_and(|c| "●◎■◆◇★▲#*".contains(c));
        enough(count(&known))
            || enough(count(&|n| self.found.titles[n].marked))
            || (shape.volume || shape.numbering != Numbering::None)
                && (enough(self.found.steps(members))
                    || twice && enough(2 * self.found.steps(&firsts)))
                && numbered
            || strong && rare
    }

    /// True for a title that is a heading whatever others of its shape are: it names a chapter that
    /// the table of contents lists, it is a volume, or a preface.
    fn speaks_for_itself(&self, n: usize, listed: &HashSet<String>) -> bool {
        let t = &self.found.titles[n];
        let numbered_name =
            self.named[n].is_some() && t.number.is_some() || self.chain.contains(&n);
        listed.contains(&self.keys[n])
            || numbered_name
            || t.marked
            || self.below.contains(&n)
            || self.alone.contains(&n)
            || self.is_front(n)
            || self.is_back(n)
            || self.is_part(n)
            || self.begins_with_title(n) && (t.volume.is_some() || n < 3)
    }

    fn begins_with_title(&self, n: usize) -> bool {
        let key = folded(&self.found.titles[n].title);
        self.title.as_ref().is_some_and(|book| key.starts_with(book))
    }

    /// True for a title that is not that of the book or a part of it, a preface or an appendix.
    fn is_own(&self, n: usize) -> bool {
        !self.is_title(n) && !self.is_front(n) && !self.is_back(n) && !self.is_part(n)
    }

    /// True if a title is that of the book and nothing else.
    fn is_title(&self, n: usize) -> bool {
        let key = folded(&self.found.titles[n].title);
        self.title.as_ref().is_some_and(|book| key == *book)
    }

    fn is_front(&self, n: usize) -> bool {
        self.ends_with_one_of(n, &FRONT)
    }

    fn is_back(&self, n: usize) -> bool {
        self.ends_with_one_of(n, &BACK)
    }

    /// True for 外篇 and the like, which chapters follow.
    fn is_part(&self, n: usize) -> bool {
        self.ends_with_one_of(n, &PARTS)
    }

    /// True if a title is one of `words`, alone or after the title of the book.
    fn ends_with_one_of(&self, n: usize, words: &HashSet<String>) -> bool {
        let t = &self.found.titles[n];
        if t.number.is_some()
            || t.volume.is_some() && !t.title.is_empty() && t.title.chars().count() > 6
        {
            return false;
        }
        let key = folded(&t.title);
        if words.contains(&key) {
            return true;
        }
        let Some(book) = &self.title else { return false };
        let stem = super::identify::stem_of_title(book);
        [book.as_str(), stem.as_str()]
            .iter()
            .filter_map(|b| key.strip_prefix(*b))
            .any(|rest| words.contains(rest))
    }

    /// The chapters, or none if there are fewer than two, and what is wrong with their numbers.
    fn chapters(
        &self,
        headings: &HashSet<usize>,
        works: &Works,
    ) -> (Vec<BookChapter>, Vec<Diagnostic>) {
        let blocks = contents::runs(&self.found, &|n| headings.contains(&n));
        let blocks = contents::apart(&self.found, &self.named, blocks);
        let (starts, series) = self.starts(&blocks, works);
        let counted = starts.iter().filter(|s| s.kind == ChapterKind::Chapter).count();
        if counted < 2 {
            return (self.of_hexagrams(works), vec![]);
        }
        let mut chapters = self.spans(starts);
        let first = chapters[0].span;
        if chapters[0].kind == ChapterKind::Chapter && first.start() > 0 {
            self.put_front(&mut chapters);
        }
        let chapters = match self.incipits(works) {
            Some(incipits) => incipits.cut(chapters),
            None => chapters,
        };
        let chapters = self.with_hexagrams(chapters, works);
        let titles: Vec<&TitleLine> = series.iter().map(|n| &self.found.titles[*n]).collect();
        let mut remarks = series::report(&titles);
        let work = self.work.as_deref();
        let listed = self.named.iter().flatten().filter_map(|named| works.number(named));
        let listed: HashSet<u32> = listed.collect();
        remarks.extend(work.and_then(|work| series::missing(&chapters, &listed, works, work)));
        (chapters, remarks)
    }

    /// The hexagrams of a 周易 that has no titles.
    fn of_hexagrams(&self, works: &Works) -> Vec<BookChapter> {
        let mut chapters = self.with_hexagrams(vec![hexagrams::whole(self.document)], works);
        if chapters.len() < 2 {
            return vec![];
        }
        if chapters[0].chapter.is_none() {
            chapters.remove(0);
            self.put_front(&mut chapters);
        }
        chapters
    }

    fn with_hexagrams(&self, chapters: Vec<BookChapter>, works: &Works) -> Vec<BookChapter> {
        let work = self.work.as_deref().unwrap_or_default();
        hexagrams::cut(self.document, &self.found, works, work, chapters)
    }

    fn incipits<'a>(&'a self, works: &'a Works) -> Option<Incipits<'a>> {
        let work = self.work.as_deref()?;
        Some(Incipits { document: self.document, found: &self.found, works, work })
    }

    /// Where chapters begin. What each is called is decided by the kind of title that cuts the
    /// book.
    /// Also the titles, if it is the series of their numbers.
    fn starts(&self, blocks: &[Vec<usize>], works: &Works) -> (Vec<BookChapter>, Vec<usize>) {
        let named = blocks.iter().flatten().filter_map(|n| self.named[*n].as_ref());
        let distinct: HashSet<String> = named.clone().map(Named::locus).collect();
        let volumes = self.found.volumes(blocks).unwrap_or_default();
        let most = names_most(named, self.found.distinct(&volumes), self.work.as_deref(), works);
        let volumes = if most { vec![] } else { volumes };
        let outermost = self.found.are_outermost(&volumes, blocks, distinct.len());
        let cutting = match volumes.first() {
            Some(first) if outermost => Some(self.found.titles[*first].shape.clone()),
            _ if distinct.len() < 2 => self.found.cutting_shape(blocks, &self.alone),
            _ => None,
        };
        // Where the list knows some of the chapters, volumes with none of them are chapters too.
        let volumes: HashSet<usize> = volumes.into_iter().filter(|_| cutting.is_none()).collect();
        let mut starts: Vec<BookChapter> = vec![];
        let mut series = vec![];
        let (mut current, mut volume) = (String::new(), None);
        let last = blocks.iter().rposition(|b| self.key_title(b, cutting.as_ref()).is_some());
        let is_contents = contents::by_names(blocks, &self.named);
        let is_contents = |at: usize| cutting.is_none() && is_contents[at];
        for (at, block) in blocks.iter().enumerate().filter(|(at, _)| !is_contents(*at)) {
            // The end of a volume may stand above the beginning of the next.
            let news = |n: &usize| cutting.is_none() || self.identity_of_cut(*n) != current;
            let news: Vec<usize> = block.iter().copied().filter(news).collect();
            let begun = block.iter().copied().rfind(|n| volumes.contains(n));
            let begun = begun.filter(|n| self.found.titles[*n].volume > volume);
            volume = begun.map_or(volume, |n| self.found.titles[n].volume);
            // Where volumes are titled at their ends, the title of the next one is after that.
            let is_end = volume.is_some() && volume == starts.last().and_then(|s| s.number);
            let after = begun.filter(|_| is_end);
            let own_after = |end| block.iter().copied().find(|n| *n > end && self.is_own(*n));
            let next = after.and_then(own_after);
            let follows = |n: &usize| text_follows(&self.found, self.found.titles[*n].line);
            let begun = next.or(begun.filter(|n| !is_end || follows(n)));
            let (n, kind) = match self.key_title(&news, cutting.as_ref()).or(begun) {
                Some(n) => (n, ChapterKind::Chapter),
                None if last.is_some_and(|l| at > l) => {
                    match block.iter().find(|n| self.is_back(**n)) {
                        Some(n) => (*n, ChapterKind::Back),
                        None => continue,
                    }
                }
                None => continue,
            };
            let identity = match kind {
                ChapterKind::Back => format!("back {n}"),
                _ => self.identity_of_cut(n),
            };
            if identity == current {
                continue;
            }
            current = identity;
            series.extend((cutting.is_some() && kind == ChapterKind::Chapter).then_some(n));
            let t = &self.found.titles[n];
            let named = self.named[n].clone().filter(|_| kind == ChapterKind::Chapter);
            let number = match &named {
                Some(named) => works.number(named).or(t.number),
                None if after.is_some() => volume.map(|n| n + 1),
                None if kind == ChapterKind::Chapter => t.number.or(t.volume),
                None => None,
            };
            let first = &self.found.titles[block[0]];
            let from = self.found.lines[first.line].whole.start();
            let from = record_of_title(self.document, first.span).unwrap_or(from);
            let own = block.iter().find(|n| self.below.contains(*n));
            let title = match own.filter(|_| t.title.is_empty()) {
                Some(own) => self.found.titles[*own].title.clone(),
                None if t.title.is_empty() => volume_title(t),
                None => t.title.clone(),
            };
            let span = Span::new(from, from);
            let (part, chapter) = named.map_or((None, None), |n| (n.part, n.chapter));
            starts.push(BookChapter { span, kind, work: None, title, part, chapter, number });
        }
        without_common_beginning(&mut starts);
        (starts, series)
    }

    fn identity_of_cut(&self, n: usize) -> String {
        let t = &self.found.titles[n];
        match &self.named[n] {
            Some(named) => named.locus(),
            None if t.shape.titled => format!("{}/{:?}/{:?}", self.keys[n], t.number, t.volume),
            None => format!("{:?}/{:?}", t.number, t.volume),
        }
    }

    /// The title in a block of headings that begins a chapter.
    fn key_title(&self, block: &[usize], cutting: Option<&TitleShape>) -> Option<usize> {
        let is = |n: &&usize, what| self.decided(**n) == Some(what);
        if let Some(n) = block.iter().find(|n| is(n, HeadingLine::Chapter)) {
            return Some(*n);
        }
        let block: Vec<usize> =
            block.iter().filter(|n| !is(n, HeadingLine::Other)).copied().collect();
        match cutting {
            Some(shape) => {
                let fits = |n: &usize| self.found.titles[*n].shape == *shape;
                let plain = shape.numbering == Numbering::None && !shape.volume;
                let mut all = block.iter().copied().filter(fits);
                if plain { all.rfind(|n| self.is_own(*n)) } else { all.next() }
            }
            None => {
                let named = |n: &&usize| self.named[**n].as_ref();
                let finest = |n: &&usize| named(n).is_some_and(|n| n.chapter.is_some());
                let found = block.iter().rev().find(finest);
                found.or_else(|| block.iter().rev().find(|n| named(n).is_some())).copied()
            }
        }
    }

    /// Gives each chapter its span: to the beginning of the next.
    fn spans(&self, mut starts: Vec<BookChapter>) -> Vec<BookChapter> {
        let end = self.document.source.text().len();
        let ends: Vec<usize> = starts.iter().skip(1).map(|s| s.span.start()).chain([end]).collect();
        for (chapter, end) in starts.iter_mut().zip(ends) {
            chapter.span = Span::new(chapter.span.start(), end);
        }
        starts
    }

    /// What is before the first chapter is a part of its own if it has text; else it belongs to the
    /// first chapter.
    fn put_front(&self, chapters: &mut Vec<BookChapter>) {
        let end = chapters[0].span.start();
        let text = self.found.lines.iter().zip(&self.found.text);
        let has_text = text.take_while(|(l, _)| l.whole.start() < end).any(|(_, t)| *t);
        if !has_text {
            chapters[0].span = Span::new(0, chapters[0].span.end());
            return;
        }
        let heading = (0..self.found.titles.len())
            .take_while(|n| self.found.titles[*n].span.start() < end)
            .find(|n| self.is_front(*n));
        let title = heading.map_or("卷首".to_string(), |n| self.found.titles[n].title.clone());
        chapters.insert(
            0,
            BookChapter {
                span: Span::new(0, end),
                work: None,
                kind: ChapterKind::Front,
                title,
                part: None,
                chapter: None,
                number: None,
            },
        );
    }
}

/// 卷三, for a title that is only a volume.
fn volume_title(t: &TitleLine) -> String {
    match (t.volume, t.number) {
        (Some(_), _) => t.volume_words.clone(),
        (None, Some(n)) => format!("第{n}"),
        (None, None) => t.key.clone(),
    }
}
