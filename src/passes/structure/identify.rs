//! Finds which work and chapter a text is, if no manifest names them.
//!
//! A title with its number (鄉射禮第五) is accepted if the authority file has that chapter under
//! that number. Otherwise the classic is compared with the words that mark each chapter in the
//! authority file. The best chapter is taken only if it fits clearly better than all others, and a
//! diagnostic reports it.

use std::sync::LazyLock;

use regex::Regex;

use crate::corpus::View;
use crate::corpus::works::{Marks, Named, Works};
use crate::diag::Diagnostic;
use crate::model::{Document, Role};
use crate::passes::context::Context;
use crate::text::find::find_within;
use crate::text::fold::fold;

static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?P<title>[^\s第。,，:：“”<>{}○\x00-\x7f]{2,12})第(?P<n>[一二三四五六七八九十百]{1,4})",
    )
    .expect("a valid pattern")
});

/// Characters of a text's beginning that may hold its title.
const MAX_HEAD_CHARS: usize = 1200;

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let works = &context.works;
    identify(document, works);
    let work = document.meta.work.as_deref().and_then(|w| works.work(w));
    document.cited_as = work.map(|w| w.key.clone());
}

fn identify(document: &mut Document, works: &Works) {
    if document.meta.work.is_some() && document.meta.chapter.is_some()
        || document.meta.role != Role::Witness
    {
        return;
    }
    let text = document.source.text();
    let end = text.char_indices().nth(MAX_HEAD_CHARS).map_or(text.len(), |(i, _)| i);
    let (named, number) = match titled(&text[..end], works) {
        Some(titled) => titled,
        None => match marked(document, works) {
            Some((named, found)) => {
                let message = format!(
                    "inferred chapter {}: the classic has {}",
                    named.locus(),
                    found.join("、")
                );
                document.diagnostics.push(
                    Diagnostic::info("chapter-inferred", None, message)
                        .hint("name the work and chapter in a manifest"),
                );
                let number = works.number(&named).unwrap_or(0);
                (named, number)
            }
            None => return,
        },
    };
    if document.meta.work.is_none() {
        document.meta.work_key = works.work(&named.work).map(|w| w.key.clone());
        document.meta.work = Some(named.work);
    }
    if document.meta.chapter.is_none() {
        document.meta.chapter = named.chapter.or(named.part);
        document.meta.number = document.meta.number.or(Some(number));
    }
}

/// The chapter with the best score: a point for each of its marks in the classic, minus two for
/// each of its never-words. It needs five points, and three more than any other.
fn marked(document: &Document, works: &Works) -> Option<(Named, Vec<String>)> {
    let base = View::of(document).base;
    let has = |w: &String| {
        let words: Vec<char> = w.chars().map(fold).collect();
        !find_within(&base.chars, 0..base.len(), &words, 0).is_empty()
    };
    let mut scored: Vec<(i64, &Marks, Vec<String>)> = works
        .marks()
        .iter()
        .filter(|m| document.meta.work.as_ref().is_none_or(|w| *w == m.work))
        .map(|m| {
            let found: Vec<String> = m.has.iter().filter(|w| has(w)).cloned().collect();
            let against = m.never.iter().filter(|w| has(w)).count();
            (found.len() as i64 - 2 * against as i64, m, found)
        })
        .collect();
    scored.sort_by_key(|(score, _, _)| -score);
    let second = scored.get(1).map_or(0, |s| s.0);
    let (score, marks, found) = scored.into_iter().next()?;
    let named = works.resolve(&marks.chapter, Some(&marks.work))?.named;
    (score >= 5 && score >= second + 3).then_some((named, found))
}

/// The first title whose number agrees with the authority file.
fn titled(head: &str, works: &Works) -> Option<(Named, u32)> {
    NUMBERED.captures_iter(head).find_map(|c| {
        let number = number(&c["n"])?;
        let title = c["title"].trim_matches(['《', '》']);
        // The work's own title may run into the chapter's.
        let starts = title.char_indices().map(|(i, _)| i);
        let named = starts
            .filter_map(|i| works.resolve(&title[i..], None))
            .map(|r| r.named)
            .find(|n| works.number(n) == Some(number))?;
        Some((named, number))
    })
}

/// 十三 → 13.
fn number(s: &str) -> Option<u32> {
    let digit = |c| "一二三四五六七八九".chars().position(|d| d == c).map(|n| n as u32 + 1);
    let (mut sum, mut last) = (0, None);
    for c in s.chars() {
        match c {
            '十' => sum += last.take().unwrap_or(1) * 10,
            '百' => sum += last.take().unwrap_or(1) * 100,
            c => last = Some(digit(c)?),
        }
    }
    Some(sum + last.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_titles_name_a_chapter() {
        let titled = |head| super::titled(head, &Works::builtin());
        assert_eq!(
            ["五", "十", "十三", "二十", "四十九"].map(number),
            [Some(5), Some(10), Some(13), Some(20), Some(49)]
        );
        assert_eq!(titled("鄉射禮第五").map(|t| t.0.locus()), Some("儀禮・鄉射禮".into()));
        assert_eq!(
            titled("[疏]《鄉飲酒禮》第四。").map(|t| t.0.locus()),
            Some("儀禮・鄉飲酒禮".into())
        );
        assert_eq!(titled("鄉射禮第九"), None);
    }
}
