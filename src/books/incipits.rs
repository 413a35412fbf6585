//! Chapters that have no title of their own but begin with their name, as the offices of the 周禮:
//! 大宰之職，掌建邦之六典 …
//!
//! Where titles name only the parts of a work, the chapters of a part are sought by the list of
//! works: lines of the classic that begin with the names of its chapters, in their order. A list of
//! the same names before them (序官) has them too, so the last line with each name counts.

use std::sync::LazyLock;

use regex::Regex;

use super::headings::FoundTitles;
use super::naming::in_order;

use crate::corpus::Works;
use crate::corpus::works::{Named, Part};
use crate::model::{BookChapter, ChapterKind, Document, LayerKind};
use crate::source::Span;
use crate::text::Line;
use crate::text::fold::fold;

/// Share of the chapters of a part that must be found.
const MIN_SHARE: f64 = 0.6;
/// Chapters that a part must have.
const MIN_CHAPTERS: usize = 4;

/// Cuts parts of a work into their chapters.
pub(super) fn cut(
    document: &Document,
    found: &FoundTitles,
    chapters: Vec<BookChapter>,
    work: &str,
    works: &Works,
) -> Vec<BookChapter> {
    chapters.into_iter().flat_map(|part| cut_part(document, found, part, work, works)).collect()
}

/// The trigrams that a hexagram begins with, and its name.
static HEXAGRAM: LazyLock<Regex> = LazyLock::new(|| {
    crate::text::pattern(
        r"^[䷀-䷿]?\s*[乾坤震巽坎離离艮兌兑]下[乾坤震巽坎離离艮兌兑]上[。，]?[《“]?(?P<name>\p{Han}{1,2})",
    )
});

/// Where the hexagrams of a text begin: chapters of `work` in its order.
pub(super) fn hexagrams(
    document: &Document,
    found: &FoundTitles,
    work: &str,
    works: &Works,
) -> Vec<BookChapter> {
    let all: Vec<BookChapter> =
        found.lines.iter().filter_map(|l| hexagram(document, *l, work, works)).collect();
    let numbers: Vec<(usize, u32)> =
        all.iter().enumerate().filter_map(|(n, c)| Some((n, c.number?))).collect();
    let chain = in_order(&numbers);
    chain.into_iter().map(|n| all[n].clone()).collect()
}

fn hexagram(document: &Document, line: Line, work: &str, works: &Works) -> Option<BookChapter> {
    let words = document.words(line.words);
    let name = &HEXAGRAM.captures(&words)?["name"];
    // The name has one character or two: 晉, 明夷.
    let ends = name.char_indices().map(|(i, c)| i + c.len_utf8()).rev();
    let named = ends
        .filter_map(|end| works.resolve(&format!("{work}・{}", &name[..end]), Some(work)))
        .map(|r| r.named)
        .find(|n| n.work == work && n.chapter.is_some())?;
    Some(BookChapter {
        span: Span::new(line.whole.start(), line.whole.start()),
        kind: ChapterKind::Chapter,
        title: named.chapter.clone().unwrap_or_default(),
        number: works.number(&named),
        part: named.part,
        chapter: named.chapter,
    })
}

fn cut_part(
    document: &Document,
    found: &FoundTitles,
    part: BookChapter,
    work: &str,
    works: &Works,
) -> Vec<BookChapter> {
    if part.chapter.is_some() {
        return vec![part];
    }
    let Some(listed) = listed(&part, work, works) else { return vec![part] };
    let folded = |n: &String| n.chars().map(fold).collect::<String>();
    let names: Vec<Vec<String>> =
        listed.chapters.iter().map(|c| c.iter().map(folded).collect()).collect();
    let lines = found.lines.iter().filter(|l| {
        part.span.contains(l.words) && !l.words.is_empty() && is_classic(document, l.words.start())
    });
    let mut places: Vec<Option<usize>> = vec![None; names.len()];
    for line in lines {
        let words: String = document.words(line.words).chars().take(8).map(fold).collect();
        // The longest name: 小宰夫 is not 小宰.
        let begins = |all: &Vec<String>| {
            all.iter().filter(|n| words.starts_with(n.as_str())).map(String::len).max()
        };
        let best = names.iter().enumerate().filter_map(|(i, n)| Some((begins(n)?, i))).max();
        if let Some((_, i)) = best {
            places[i] = Some(line.whole.start());
        }
    }
    let mut found: Vec<(usize, usize)> =
        places.iter().enumerate().filter_map(|(i, at)| Some((i, (*at)?))).collect();
    found.sort_by_key(|(_, at)| *at);
    let order: Vec<(usize, u32)> =
        found.iter().enumerate().map(|(n, (i, _))| (n, *i as u32)).collect();
    let chain: Vec<(usize, usize)> = in_order(&order).into_iter().map(|n| found[n]).collect();
    if chain.len() < MIN_CHAPTERS || (chain.len() as f64) < MIN_SHARE * names.len() as f64 {
        return vec![part];
    }
    chapters_of(part, &chain, listed, work, works)
}

/// The part up to its first chapter, and its chapters.
fn chapters_of(
    part: BookChapter,
    chain: &[(usize, usize)],
    listed: &Part,
    work: &str,
    works: &Works,
) -> Vec<BookChapter> {
    let ends = chain.iter().skip(1).map(|(_, at)| *at).chain([part.span.end()]);
    let chapters: Vec<BookChapter> = chain
        .iter()
        .zip(ends)
        .map(|((i, from), end)| {
            let title = listed.chapters[*i].first().cloned();
            let named =
                Named { work: work.into(), part: part.part.clone(), chapter: title.clone() };
            BookChapter {
                span: Span::new(*from, end),
                kind: ChapterKind::Chapter,
                title: title.clone().unwrap_or_default(),
                number: works.number(&named),
                part: named.part,
                chapter: title,
            }
        })
        .collect();
    let before = Span::new(part.span.start(), chain[0].1);
    std::iter::once(BookChapter { span: before, ..part }).chain(chapters).collect()
}

/// The part in the list of works.
fn listed<'w>(part: &BookChapter, work: &str, works: &'w Works) -> Option<&'w Part> {
    let title = part.part.as_ref()?;
    works.work(work)?.part.iter().find(|p| p.title == *title)
}

fn is_classic(document: &Document, at: usize) -> bool {
    let layer = document.segment_at(at).map(|i| document.segments[i].layer.kind());
    matches!(layer, Some(LayerKind::Base | LayerKind::Undivided))
}
