//! The hexagrams of a 周易 begin with their trigrams (坎下震上) or their sign (䷧), and either says
//! which one it is. Titles of their own are rare.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::headings::FoundTitles;
use super::incipits::in_their_order;
use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::model::{BookChapter, ChapterKind, Document, LayerKind};
use crate::source::Span;
use crate::text::pattern;

/// Key of the work whose chapters are the hexagrams.
const WORK: &str = "zhouyi";

/// The trigrams, of which a sign or a bracket may stand before; the sign alone if it does.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    let trigram = "[乾坤震巽坎離离艮兌兑兊]";
    pattern(&format!(
        r"(?P<sign>[䷀-䷿])\s*[（(【〔\[]?(?:(?P<b>{trigram})下/?(?P<a>{trigram})上|{trigram}上/?{trigram}下)|^\s*[（(【〔\[]?(?P<below>{trigram})下/?(?P<above>{trigram})上(?:[）)】〕\]。，《“\s]|$)"
    ))
});

/// Numbers of the hexagrams, from 0, by their trigrams.
static NUMBERS: LazyLock<HashMap<[char; 2], usize>> = LazyLock::new(|| {
    let rows = include_str!("data/hexagrams.txt").lines().filter(|l| !l.starts_with('#'));
    let trigrams = rows.filter_map(|row| {
        let mut chars = row.chars();
        Some([chars.next()?, chars.next()?])
    });
    trigrams.enumerate().map(|(n, both)| (both, n)).collect()
});

/// Cuts chapters of the 周易 that have no names of their own into the hexagrams that begin in them.
/// Another work stays as it is.
pub(super) fn cut(
    document: &Document,
    found: &FoundTitles,
    works: &Works,
    work: &str,
    chapters: Vec<BookChapter>,
) -> Vec<BookChapter> {
    let Some(listed) = works.work(work).filter(|w| w.key == WORK) else { return chapters };
    let starts = starts(document, found);
    let hexagrams = &listed.chapters[..NUMBERS.len().min(listed.chapters.len())];
    let is_hexagram = |name: &String| hexagrams.iter().any(|names| names.first() == Some(name));
    let named = chapters.iter().filter(|c| c.chapter.as_ref().is_some_and(is_hexagram)).count();
    if starts.len() <= named.max(1) {
        return chapters;
    }
    let mut cut = vec![];
    for chapter in chapters {
        let within = |(_, at): &&(usize, usize)| chapter.span.range().contains(at);
        let own: Vec<(usize, usize)> = starts.iter().filter(within).copied().collect();
        match own.first() {
            Some((_, first)) if chapter.chapter.is_none() => {
                let has_text = text_before(found, chapter.span.start(), *first);
                let from = if has_text { *first } else { chapter.span.start() };
                let end = chapter.span.end();
                if has_text {
                    cut.push(BookChapter {
                        span: Span::new(chapter.span.start(), from),
                        ..chapter
                    });
                }
                let begins = std::iter::once(from).chain(own.iter().skip(1).map(|o| o.1));
                let ends = own.iter().skip(1).map(|o| o.1).chain([end]);
                let spans = begins.zip(ends).map(|(from, to)| Span::new(from, to));
                cut.extend(own.iter().zip(spans).map(|((n, _), s)| named_by(works, work, *n, s)));
            }
            _ => cut.push(chapter),
        }
    }
    cut
}

/// All of a book as one chapter without a name.
pub(super) fn whole(document: &Document) -> BookChapter {
    BookChapter {
        span: document.source.span(),
        kind: ChapterKind::Chapter,
        work: None,
        title: String::new(),
        part: None,
        chapter: None,
        number: None,
    }
}

fn text_before(found: &FoundTitles, from: usize, to: usize) -> bool {
    let within = |at: usize| (from..to).contains(&at);
    found.lines.iter().zip(&found.text).any(|(l, text)| *text && within(l.whole.start()))
}

fn named_by(works: &Works, work: &str, n: usize, span: Span) -> BookChapter {
    let names = works.work(work).and_then(|w| w.chapters.get(n));
    let title = names.and_then(|names| names.first().cloned());
    let named = Named { work: work.to_string(), part: None, chapter: title.clone() };
    BookChapter {
        span,
        kind: ChapterKind::Chapter,
        work: None,
        title: title.clone().unwrap_or_default(),
        number: works.number(&named),
        part: None,
        chapter: title,
    }
}

/// Where hexagrams begin, in their order: number from 0, and place.
fn starts(document: &Document, found: &FoundTitles) -> Vec<(usize, usize)> {
    let mut places: Vec<Vec<usize>> = vec![vec![]; NUMBERS.len()];
    for line in found.lines.iter().filter(|l| !l.words.is_empty()) {
        let words = document.slice(line.words);
        for found in BEGINS.captures_iter(words) {
            let (Some(whole), Some(n)) = (found.get(0), number(&found)) else { continue };
            let at = line.words.start() + whole.start();
            let is_first = whole.start() == 0;
            if is_first || is_classic(document, at) {
                places[n].push(if is_first { line.whole.start() } else { at });
            }
        }
    }
    in_their_order(&places)
}

fn number(found: &Captures<'_>) -> Option<usize> {
    let char = |name| found.name(name)?.as_str().chars().next();
    let trigram = |name, other| char(name).or_else(|| char(other)).map(usual);
    let both = trigram("below", "b").zip(trigram("above", "a"));
    // Signs are mistaken more often.
    let by_trigrams = both.and_then(|(below, above)| NUMBERS.get(&[below, above]).copied());
    by_trigrams.or_else(|| Some((char("sign")? as u32 - '䷀' as u32) as usize))
}

fn usual(trigram: char) -> char {
    match trigram {
        '离' => '離',
        '兑' | '兊' => '兌',
        other => other,
    }
}

fn is_classic(document: &Document, at: usize) -> bool {
    let layer = document.segment_at(at).map(|i| document.segments[i].layer.kind());
    matches!(layer, Some(LayerKind::Base | LayerKind::Undivided))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sign_and_trigrams_say_the_same() {
        assert_eq!(NUMBERS.len(), 64);
        let n = |words: &str| BEGINS.captures(words).as_ref().and_then(number);
        assert_eq!(n("䷧坎下震上解"), Some(39));
        assert_eq!(n("坎下震上。解：利西南"), Some(39));
        assert_eq!(n("　（离下兑上）革"), Some(48));
        assert_eq!(n("謂䷁（坤下坤上）坤元亨"), Some(1));
        assert_eq!(n("䷦（巽下坎上）井改邑"), Some(47));
        assert_eq!(n("䷜（坎上坎下）習坎"), Some(28));
        assert_eq!(n("坤下兊上"), Some(44));
        assert_eq!(n("此坎下震上之卦"), None);
        assert_eq!(n("坎下震上者，解之象也"), None);
    }
}
