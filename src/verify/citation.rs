//! What a quotation is said to be from: a title in marks before it or in brackets after it, the
//! bare name of a work before 曰, a locus such as 論語 12.1.
//!
//! Assumes that the name stands in the same sentence as the quotation.

use super::authors::{self, OPENERS};
use super::beside::{self, MAX_BETWEEN};
use super::english;
use super::marks::{MarkKind, Marked, is_han, marked};
use super::patterns::PATTERNS;
use crate::corpus::works::{Named, Tail, ends_titles};
use crate::corpus::{Works, loci};
use crate::model::Locus;
use crate::source::Span;
use crate::text::class::{ends_clause, ends_sentence};
use crate::text::fold::fold;
use crate::text::numeral;

/// A work, a chapter or a passage that a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Citation {
    /// As the text has it.
    pub(super) words: String,
    /// What it may mean, the likeliest first; empty if the list of works does not have it.
    pub(super) named: Vec<Named>,
    /// The passage, if it is named by numbers.
    pub(super) locus: Option<Locus>,
    /// Which words of the passage: 注 in 鄉射禮注.
    pub(super) tail: Option<Tail>,
    /// A layer is named that cannot be told from the others: any may be meant.
    pub(super) any_layer: bool,
    /// Whose note it is, by name or surname: 鄭玄注, 鄭注.
    pub(super) by: Option<String>,
    /// It is the name of a master, who may also just be quoted: 曾子曰.
    pub(super) is_master: bool,
}

/// Where a quotation is said to be from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PlaceSaid {
    pub(super) citation: Option<Citation>,
    /// Words about the place that are not understood: 卷九十九, (Foo 1.1), 鄭注 without a work.
    pub(super) unread: Option<String>,
}

impl From<Citation> for PlaceSaid {
    fn from(citation: Citation) -> Self {
        PlaceSaid { citation: Some(citation), unread: None }
    }
}

impl PlaceSaid {
    pub(super) fn unread(words: &str) -> Self {
        PlaceSaid { citation: None, unread: Some(words.to_string()) }
    }
}

/// What stands between work and chapter.
pub(super) const JOINTS: [char; 5] = ['・', '·', '‧', '•', '．'];

impl Citation {
    /// One that the list of works does not have.
    pub(super) fn unlisted(words: &str) -> Self {
        Citation { words: words.to_string(), ..Citation::default() }
    }

    /// What stands before the first joint, and what follows the last.
    pub(super) fn apart(&self) -> (&str, Option<&str>) {
        let work = self.words.split(JOINTS).next().unwrap_or_default();
        (work, self.words.rsplit_once(JOINTS).map(|(_, chapter)| chapter))
    }

    /// The chapter that it names, if the list of works does not have it.
    pub(super) fn unlisted_chapter(&self) -> Option<&str> {
        let named = self.named.first();
        let known = match named.filter(|n| n.part.is_some()) {
            Some(_) => 2,
            None => 1,
        };
        let has_more = self.words.split(JOINTS).count() > known;
        let is_missing =
            self.locus.is_none() && has_more && named.is_none_or(|n| n.chapter.is_none());
        self.apart().1.filter(|chapter| is_missing && !ends_titles(chapter))
    }
}

/// Characters of a bare name, with its chapter, at most.
const MAX_NAME: usize = 12;

/// Characters beside a quotation among which a note on it is.
pub(super) const MAX_NOTE: usize = 60;

/// The citations of a text.
#[derive(Debug, Default)]
pub(super) struct Citations {
    /// For each stretch between marks, if it is a quotation, what it is said to be from.
    pub(super) of: Vec<PlaceSaid>,
    /// Titles that say it of some quotation, or go with one that does.
    pub(super) is_used: Vec<bool>,
}

impl Citations {
    /// Those of a text, whose marks are known.
    pub(super) fn of(text: &str, marked: &[Marked], works: &Works) -> Self {
        let mut found = Citations {
            of: vec![PlaceSaid::default(); marked.len()],
            is_used: vec![false; marked.len()],
        };
        let reading = CitationReader { text, marked, works };
        let quotations =
            || marked.iter().enumerate().filter(|(_, m)| m.kind == MarkKind::Quotation);
        let mut is_read_after = vec![false; marked.len()];
        for (n, one) in quotations() {
            let after = reading.after(n, &mut found.is_used);
            is_read_after[n] = after.is_some();
            let own = after.or_else(|| reading.before(n, &mut found));
            found.of[n] = own.or_else(|| Some(found.of[one.within?].clone())).unwrap_or_default();
        }
        // Once it is known which titles are understood.
        for (n, one) in quotations().filter(|(_, m)| m.within.is_none()) {
            let said = &mut found.of[n];
            if said.unread.is_none() && !is_read_after[n] {
                said.unread = beside::after(text, (marked, n), &found.is_used, works);
            }
            if said.unread.is_none() && said.citation.is_none() {
                said.unread = beside::before(text, one.outer.start(), works);
            }
        }
        found
    }
}

struct CitationReader<'t> {
    text: &'t str,
    marked: &'t [Marked],
    works: &'t Works,
}

impl CitationReader<'_> {
    /// The note after a quotation: 「…」（《論語·顏淵》）, "…" (論語 12.1), 「…」——《莊子》, 「…」，語出《莊子》.
    fn after(&self, n: usize, is_used: &mut [bool]) -> Option<PlaceSaid> {
        if let Some(said) = self.named_after(n, is_used) {
            return Some(said);
        }
        let rest = &self.text[self.marked[n].outer.end()..];
        let near = rest.char_indices().nth(MAX_NOTE).map_or(rest.len(), |(i, _)| i);
        let rest = &rest[..near];
        let opened = PATTERNS.note.find(rest)?.end();
        let start = self.marked[n].outer.end() + opened;
        let len =
            PATTERNS.note_end.find(&rest[opened..]).map_or(rest.len() - opened, |m| m.start());
        let note = Span::new(start, start + len);
        let within = |m: &Marked| note.contains(m.outer) && m.kind == MarkKind::Title;
        let mut titles =
            (n + 1..self.marked.len()).take_while(|i| self.marked[*i].outer.start() < note.end());
        if let Some(first) = titles.find(|i| within(&self.marked[*i])) {
            let last = self.chain(first, note.end());
            is_used[first..=last].fill(true);
            return Some(self.title(first, last, note.end()));
        }
        let words = self.text[note.range()].trim();
        let (han, other) = super::marks::han(words);
        let is_name = words.chars().count() <= 2 * MAX_NAME && other <= han + MAX_NAME && han > 0;
        let known = self.known(words).filter(|_| is_name);
        let known = known.map(PlaceSaid::from);
        if let Some(known) = known.or_else(|| english::known(words, self.works)) {
            return Some(known);
        }
        let is_in_brackets = rest[..opened].contains(['（', '(', '[', '［', '〔']);
        (is_in_brackets && PATTERNS.about.is_match(words)).then(|| PlaceSaid::unread(words))
    }

    /// A title right after a quotation, or after 語出, that introduces no other quotation.
    fn named_after(&self, n: usize, is_used: &mut [bool]) -> Option<PlaceSaid> {
        let end = self.marked[n].outer.end();
        let first = n + 1;
        let title = self.marked.get(first).filter(|m| m.kind == MarkKind::Title)?;
        let between = self.text.get(end..title.outer.start())?;
        let leads = PATTERNS.from.is_match(between);
        let has_verb = between.contains(is_han);
        if !leads || !has_verb && !between.is_empty() {
            return None;
        }
        let last = self.chain(first, self.text.len());
        let after = &self.text[self.marked[last].outer.end()..];
        let close = after.find(|c: char| ends_sentence(c) || c == '\n').unwrap_or(after.len());
        let next = self.marked.get(last + 1).filter(|m| m.kind == MarkKind::Quotation);
        let until = self.marked[last].outer.end() + close;
        if !has_verb && next.is_some_and(|m| m.outer.start() < until) {
            return None;
        }
        is_used[first..=last].fill(true);
        let words = after[..close].find(['，', ',', '」', '”', '）', ')']).unwrap_or(close);
        Some(self.title(first, last, self.marked[last].outer.end() + words))
    }

    /// What stands before a quotation.
    fn before(&self, n: usize, found: &mut Citations) -> Option<PlaceSaid> {
        let own = &self.marked[n];
        let inside = own.within.map(|w| self.marked[w].inner.start());
        let last = (0..n).rev().find(|i| self.marked[*i].outer.end() <= own.outer.start());
        let from = last.map_or(0, |i| self.marked[i].outer.end()).max(inside.unwrap_or(0));
        let between = &self.text[from..own.outer.start()];
        let is_near = between.chars().count() <= MAX_BETWEEN
            && !between.contains(ends_sentence)
            && !between.contains('\n');
        if let Some(last) = last.filter(|i| is_near && self.marked[*i].outer.end() == from) {
            match self.marked[last].kind {
                MarkKind::Title if !found.is_used[last] => {
                    let first = self.first_of_chain(last);
                    found.is_used[first..=last].fill(true);
                    return Some(self.title(first, last, own.outer.start()));
                }
                MarkKind::Quotation if PATTERNS.again.is_match(between) => {
                    return Some(found.of[last].clone());
                }
                _ => {}
            }
        }
        let named = self.bare(between).or_else(|| english::at_end(between, self.works));
        let layer = named.or_else(|| self.layer_alone(n, between, found));
        layer.or_else(|| self.speaker(between))
    }

    /// A scholar before a quotation, without a work: 賈公彥曰. Whose words they are is not checked.
    fn speaker(&self, before: &str) -> Option<PlaceSaid> {
        let before = &before[..PATTERNS.says.find(before)?.start()];
        let name = before.trim_end().rsplit(|c| !is_han(c)).next()?;
        let name = name.trim_start_matches(|c| OPENERS.contains(c));
        authors::is_scholar(name, self.works).then(|| PlaceSaid::unread(name))
    }

    /// A layer before a quotation, without a work: that of the work that was cited last.
    fn layer_alone(&self, n: usize, before: &str, found: &Citations) -> Option<PlaceSaid> {
        let ends = |c| ends_sentence(c) || ends_clause(c) && c != '：' || c == '\n';
        let words = before.rsplit(ends).next()?.trim();
        let tail = tail_of(words).filter(|_| words.ends_with(['曰', '云', '：', ':']))?;
        let cited = (0..n).rev().find(|i| self.marked[*i].kind == MarkKind::Quotation);
        let cited = cited.and_then(|i| found.of[i].citation.clone());
        let (by, unread) = authors::told(authors::of_layer(words), self.works);
        Some(match cited {
            Some(citation) => PlaceSaid {
                citation: Some(Citation { tail: Some(tail), locus: None, by, ..citation }),
                unread: unread.map(str::to_string),
            },
            None => PlaceSaid::unread(words.trim_end_matches(['：', ':'])),
        })
    }

    /// A name without marks at the end of the words before a quotation: 書曰, 論語·顏淵, (論語 12.1).
    fn bare(&self, before: &str) -> Option<PlaceSaid> {
        let before = before.rsplit(|c| ends_sentence(c) || c == '\n').next()?;
        if let Some(found) = PATTERNS.locus.captures(before) {
            return self.known(&format!("{} {}", &found[1], &found[2])).map(PlaceSaid::from);
        }
        let said = PATTERNS.says.find(before);
        let name = &before[..said.map_or(before.len(), |m| m.start())];
        let name = name.trim_end_matches(['：', ':', '，', ',', ' ', '　']);
        let is_part = |c: char| is_han(c) || matches!(c, '·' | '・' | '‧' | '•');
        let tail: Vec<(usize, char)> =
            name.char_indices().rev().take_while(|(_, c)| is_part(*c)).take(MAX_NAME).collect();
        let joint = tail.iter().any(|(_, c)| !is_han(*c));
        let starts = tail.iter().rev();
        let is_name = |at: usize| {
            let first: Vec<char> =
                name[at..].chars().take_while(|c| is_han(*c)).map(fold).collect();
            // 本傳云 is not the 左傳: a name of one character begins a clause.
            let before = name[..at].chars().next_back().filter(|c| is_han(*c));
            let begins = first.len() > 1 || before.is_none_or(|c| OPENERS.contains(c));
            let whole = |len: usize| len == first.len() && begins;
            self.works.bare_names().at(&first).any(|b| whole(b.len) && !b.office)
                // 孟子曰: the master's own book.
                || first.len() == 2 && first[1] == '子' && self.is_work(&name[at..])
                || joint && self.works.resolve(&first.iter().collect::<String>(), None).is_some()
        };
        let leads = joint || leads(before);
        let at = starts.map(|(at, _)| *at).find(|at| is_name(*at) && leads)?;
        let name = &name[at..];
        let is_master = name.chars().count() == 2 && name.ends_with('子');
        self.known(name).map(|citation| Citation { is_master, ..citation }.into())
    }

    /// True if a name is that of a work, and of nothing else.
    fn is_work(&self, name: &str) -> bool {
        let found = self.works.resolve(name.trim(), None);
        found.is_some_and(|r| r.named.work.chars().map(fold).eq(name.trim().chars().map(fold)))
    }

    /// The titles that go on with one, 《論語》〈顏淵〉: the last of them.
    fn chain(&self, first: usize, end: usize) -> usize {
        let mut last = first;
        while let Some(next) = self.marked.get(last + 1).filter(|m| m.kind == MarkKind::Title) {
            let is_next = next.outer.end() <= end && self.are_joined(last, last + 1);
            if !is_next {
                break;
            }
            last += 1;
        }
        last
    }

    fn first_of_chain(&self, last: usize) -> usize {
        let mut first = last;
        while first > 0
            && self.marked[first - 1].kind == MarkKind::Title
            && self.are_joined(first - 1, first)
        {
            first -= 1;
        }
        first
    }

    fn are_joined(&self, a: usize, b: usize) -> bool {
        let (end, start) = (self.marked[a].outer.end(), self.marked[b].outer.start());
        let joint = |c: char| matches!(c, '·' | '・' | '‧' | '•' | '之' | '的' | '中' | ' ');
        let Some(between) = self.text.get(end..start) else { return false };
        // 《儀禮》鄭玄《注》
        let is_layer = || layer_title(&self.text[self.marked[b].inner.range()]).is_some();
        between.chars().all(joint) || is_layer() && authors::is_scholar(between, self.works)
    }

    /// The citation without the year at its end, and the year: 左傳・隱公元年.
    fn without_year<'w>(&self, words: &'w str) -> Option<(Citation, &'w str)> {
        let chapter = words.find(JOINTS).filter(|_| words.ends_with('年'))?;
        let ends = words.char_indices().rev().map(|(at, _)| at).take_while(|at| *at > chapter);
        ends.into_iter().find_map(|at| {
            let (name, end) = words.split_at(at);
            let citation = self.known(name)?;
            let has_chapter = citation.named.first().is_some_and(|named| named.chapter.is_some());
            let is_whole = has_chapter && citation.unlisted_chapter().is_none();
            is_whole.then_some((citation, end))
        })
    }

    /// A citation by the titles from `first` to `last`, and what follows them before byte `end`:
    /// a chapter after a joint, or numbers.
    fn title(&self, first: usize, last: usize, end: usize) -> PlaceSaid {
        let titles = self.marked[first..=last].iter().map(|m| &self.text[m.inner.range()]);
        let mut titles: Vec<&str> = titles.collect();
        let own_layer = titles.last().filter(|_| first < last).and_then(|title| layer_title(title));
        titles.truncate(titles.len() - usize::from(own_layer.is_some()));
        let mut words = titles.join("・");
        let rest = &self.text[self.marked[last].outer.end()..end];
        if let Some(numbers) = PATTERNS.numbers.captures(rest) {
            let numbered = format!("{words} {}", &numbers[1]);
            if let Some(found) = self.known(&numbered) {
                return found.into();
            }
        }
        if let Some(chapter) = rest.strip_prefix(['·', '・', '‧', '•']) {
            let name: String = chapter.chars().take_while(|c| is_han(*c)).take(MAX_NAME).collect();
            words = format!("{words}・{name}");
        }
        let citation = self.known(&words).unwrap_or_else(|| Citation::unlisted(&words));
        let nearer = citation.unlisted_chapter().and_then(|_| self.without_year(&words));
        let (citation, year) = nearer.map_or((citation, None), |(c, end)| (c, Some(end)));
        let tail = citation.tail.or(own_layer).or_else(|| tail_of(rest.trim()));
        let before = self.marked[first].outer.start();
        let author = authors::before(self.text, before, self.works);
        let mut who = author.or_else(|| authors::of_layer(rest.trim()));
        let annotator = authors::annotator(self.text, before, self.works, layer_title);
        let (tail, annotator) = match annotator {
            // 鄭玄注《儀禮》曰 is the note; in brackets it may be the book with its notes.
            Some((words, name, layer)) if leads(rest) => {
                who = Some(name).filter(|_| !words.is_empty());
                (tail.or(Some(layer)), None)
            }
            found => (tail, found.map(|(words, ..)| words).filter(|_| tail.is_none())),
        };
        if own_layer.is_some() {
            let between = self.marked[last - 1].outer.end()..self.marked[last].outer.start();
            who =
                self.text.get(between).filter(|name| authors::is_scholar(name, self.works)).or(who);
        }
        let (by, stranger) = authors::told(who.filter(|_| tail.is_some()), self.works);
        let has_edition = citation.named.first().is_some_and(|named| {
            self.works.edition_words(titles[0], &named.work).is_some_and(|words| !words.is_empty())
        });
        let speaker = || authors::speaker(rest.trim()).or(author.filter(|_| !has_edition));
        let speaker = if tail.is_none() && other_layer(rest).is_none() { speaker() } else { None };
        let part = PATTERNS.part.find(rest).filter(|_| citation.locus.is_none());
        let other = other_layer(rest).filter(|_| tail.is_none());
        let unread = part.map(|part| part.as_str()).or(annotator).or(other).or(stranger);
        let unread = unread.or(year);
        let unread = unread.or(speaker).map(str::to_string);
        let any_layer = other.is_some() || speaker.is_some();
        PlaceSaid { citation: Some(Citation { tail, any_layer, by, ..citation }), unread }
    }

    /// A citation whose name is in the list of works.
    fn known(&self, words: &str) -> Option<Citation> {
        known(words, self.works)
    }
}

/// True if words lead to a quotation after them.
fn leads(words: &str) -> bool {
    PATTERNS.says.is_match(words) || words.trim_end().ends_with(['：', ':'])
}

/// The layer that a title of one or two characters is: 注, 正義.
fn layer_title(title: &str) -> Option<Tail> {
    tail_of(title).filter(|_| title.chars().count() <= 2)
}

/// A layer that words name and that is not told from the others: 今譯.
fn other_layer(words: &str) -> Option<&str> {
    let found = PATTERNS.other_layer.captures(words.trim())?;
    found.name("name").map(|name| name.as_str())
}

/// The layer that words name: 鄭玄注云.
fn tail_of(words: &str) -> Option<Tail> {
    let found = PATTERNS.layer.captures(words)?;
    Some(if found.name("notes").is_some() { Tail::Commentary } else { Tail::Subcommentary })
}

/// A citation whose name is in the list of works: 論語・顏淵, 論語 12.1.
pub(super) fn known(words: &str, works: &Works) -> Option<Citation> {
    let words = words.trim();
    if let Some(found) = with_layer(words, works) {
        return Some(found);
    }
    let locus = words.contains(|c: char| c.is_ascii_digit()).then(|| loci::parse(words, works));
    let locus = locus.and_then(Result::ok);
    let title = words.split(|c: char| c.is_ascii_digit()).next().unwrap_or_default().trim();
    // 鄉射禮第五, if it is the fifth.
    let numbered = title.rsplit_once('第').and_then(|(name, number)| {
        let found = works.resolve(name, None)?;
        let is_own = works.number(&found.named) == Some(numeral::parse(number)?);
        (is_own && found.named.chapter.is_some()).then_some(found)
    });
    let resolved = numbered.or_else(|| works.resolve(title, None));
    let tail = resolved.as_ref().and_then(|r| r.tail);
    let named: Vec<Named> =
        resolved.into_iter().flat_map(|r| std::iter::once(r.named).chain(r.alternatives)).collect();
    let is_known = locus.is_some() || !named.is_empty();
    is_known.then(|| Citation { named, locus, tail, ..Citation::unlisted(words) })
}

/// The same with a layer after it, and whose it is: 鄉射禮 鄭玄注.
fn with_layer(words: &str, works: &Works) -> Option<Citation> {
    words.char_indices().skip(2).find_map(|(at, _)| {
        let (name, layer) = words.split_at(at);
        let tail = tail_of(layer.trim())?;
        let (by, stranger) = authors::told(authors::of_layer(layer.trim()), works);
        let is_read = by.is_some() && stranger.is_none();
        let citation = known(name, works).filter(|c| is_read && c.tail.is_none())?;
        Some(Citation { words: words.to_string(), tail: Some(tail), by, ..citation })
    })
}

/// What words alone say of a place, if they begin with a title in marks: 《儀禮·鄉射禮》鄭玄注.
pub(super) fn with_marks(words: &str, works: &Works) -> Option<PlaceSaid> {
    let marked = marked(words);
    let first = marked.iter().position(|m| m.kind == MarkKind::Title)?;
    let reading = CitationReader { text: words, marked: &marked, works };
    let last = reading.chain(first, words.len());
    let said = reading.title(first, last, words.len());
    let rest = words[marked[last].outer.end()..].trim();
    let is_read = said.citation.as_ref().is_some_and(|c| c.tail.is_some() || c.locus.is_some());
    let unread = said.unread.or_else(|| (!is_read && !rest.is_empty()).then(|| rest.to_string()));
    Some(PlaceSaid { unread, ..said })
}

#[cfg(test)]
mod tests;
