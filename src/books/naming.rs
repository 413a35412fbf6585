//! Which chapter of a work a title names.

use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::model::{BookChapter, ChapterKind};
use crate::text::class::is_content;
use crate::text::fold::fold;

use super::cutting::MIN_NAMED;
use super::headings::TitleLine;

/// The chapter of `work` that a title names, if the list of works has it.
pub(super) fn chapter_of(title: &TitleLine, work: &str, works: &Works) -> Option<Named> {
    chapter_named(&title.title, work, works)
}

/// The same of a title in its line, where the name may stand before the volume: 繫辭上卷七. Most
/// names there are the book's.
pub(super) fn chapter_of_line(
    title: &TitleLine,
    line: &str,
    work: &str,
    works: &Works,
) -> Option<Named> {
    chapter_of(title, work, works).or_else(|| {
        let is_volume = title.volume.is_some() && title.title.is_empty();
        let (name, _) = line.split_once('卷').filter(|_| is_volume)?;
        let name = name.trim_matches(|c: char| !is_content(c));
        chapter_named(name, work, works).filter(|named| named.chapter.is_some())
    })
}

fn chapter_named(words: &str, work: &str, works: &Works) -> Option<Named> {
    let of_work = |w: &usize| works.all()[*w].title == work;
    if words.is_empty() || !works.perhaps_named_in(words).iter().any(of_work) {
        return None;
    }
    let all: Vec<Named> = variants(words, work, works)
        .into_iter()
        .filter_map(|name| Some(works.resolve(&format!("{work}・{name}"), Some(work))?.named))
        .filter(|n| n.work == work)
        .collect();
    let chapter = all.iter().find(|n| n.chapter.is_some());
    chapter.or_else(|| all.iter().find(|n| n.part.is_some())).cloned()
}

/// A title without the name of the work before it, folded.
pub(super) fn without_work(key: &str, work: &str, works: &Works) -> String {
    let names = works.work(work).map(|w| std::iter::once(&w.title).chain(&w.abbr));
    let names = names.into_iter().flatten().map(|n| n.chars().map(fold).collect::<String>());
    let rest = names.filter_map(|n| key.strip_prefix(n.as_str())).min_by_key(|r| r.len());
    rest.filter(|r| !r.is_empty()).unwrap_or(key).to_string()
}

/// The longest chain of titles whose chapters follow each other in the order of the work: their
/// indices. A title may come again.
pub(super) fn in_order(numbers: &[(usize, u32)]) -> Vec<usize> {
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(numbers.len());
    // For each length of a chain, the last title of the chain with the smallest end.
    let mut ends: Vec<usize> = vec![];
    for (i, (_, n)) in numbers.iter().enumerate() {
        let length = ends.partition_point(|e| numbers[*e].1 <= *n);
        best.push((i, length.checked_sub(1).map(|l| ends[l])));
        if length == ends.len() {
            ends.push(i);
        } else {
            ends[length] = i;
        }
    }
    let mut chain = vec![];
    let mut at = ends.last().copied();
    while let Some(i) = at {
        chain.push(numbers[i].0);
        at = best[i].1;
    }
    chain.reverse();
    chain
}

/// Ways to read a title, the fullest first: its parts joined, its last parts, without the name of
/// the work, without 章句.
fn variants(words: &str, work: &str, works: &Works) -> Vec<String> {
    let tokens: Vec<&str> = words
        .split(|c: char| c.is_whitespace() || c == '·' || c == '・')
        .filter(|t| !t.is_empty())
        .collect();
    let mut all: Vec<String> = (0..tokens.len()).map(|from| tokens[from..].join("・")).collect();
    let names = works.work(work).map(|w| std::iter::once(&w.title).chain(&w.abbr));
    for name in names.into_iter().flatten() {
        let folded = |s: &str| s.chars().map(crate::text::fold::fold).collect::<String>();
        let n = name.chars().count();
        if let Some(last) = tokens.last()
            && folded(last).starts_with(&folded(name))
        {
            all.push(last.chars().skip(n).collect());
        }
    }
    let plain: Vec<String> = all
        .iter()
        .filter_map(|n| {
            let without = n.replace("章句", "");
            (without != *n && !without.is_empty()).then_some(without)
        })
        .collect();
    all.extend(plain);
    // 太甲中 is a part of 太甲.
    let halves: Vec<String> =
        all.iter().filter_map(|n| n.strip_suffix(['上', '中', '下'])).map(str::to_string).collect();
    all.extend(halves);
    // A chapter whose name is also that of something else is listed as 微子篇.
    let pian: Vec<String> = all.iter().map(|n| format!("{n}篇")).collect();
    all.extend(pian);
    all.retain(|n| !n.is_empty());
    all
}

/// Takes off what the titles of all chapters begin with, up to a blank or a dot: the title of the
/// book in 山居志・雲起, 山居志・泉出.
pub(super) fn without_common_beginning(starts: &mut [BookChapter]) {
    let joint = [' ', '　', '·', '・', ':', '：'];
    let chapters = || starts.iter().filter(|s| s.kind == ChapterKind::Chapter);
    let Some(first) = chapters().next().map(|s| s.title.clone()) else { return };
    let ends = first.char_indices().filter(|(_, c)| joint.contains(c));
    let mut common = ends.map(|(at, c)| &first[..at + c.len_utf8()]);
    let Some(common) = common.rfind(|b| chapters().all(|s| s.title.starts_with(b))) else {
        return;
    };
    let same = chapters().count() < MIN_NAMED || chapters().any(|s| s.title.len() == common.len());
    for s in starts.iter_mut().filter(|s| !same && s.kind == ChapterKind::Chapter) {
        s.title = s.title[common.len()..].trim_start_matches(joint).to_string();
    }
}

/// A key without the title of the book before it.
pub(super) fn without_title(key: &str, title: Option<&str>) -> String {
    let Some(title) = title else { return key.to_string() };
    let stem = super::identify::stem_of_title(title);
    let rest = [title, stem.as_str()].into_iter().find_map(|t| key.strip_prefix(t));
    rest.filter(|r| !r.is_empty()).unwrap_or(key).to_string()
}
