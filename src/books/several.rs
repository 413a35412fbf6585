//! Files of several works, one after the other: the 四書, or our edition of a folder.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::cutting::MIN_NAMED;
use super::headings::{FoundTitles, TitleLine};
use super::identify::Identified;
use super::naming::{chapter_of, in_order};
use super::outline::Outline;
use super::profile::Profile;
use super::{Survey, cut, survey_of_one};
use crate::corpus::Works;
use crate::model::Document;
use crate::source::Span;
use crate::text::class::is_content;

/// A work, and the first and last of the titles that name its chapters.
struct NamedWork {
    work: usize,
    titles: Range<usize>,
    chapters: usize,
}

/// Headings and chapters of a file of several works; `None` if it has one, or none that is known.
pub(super) fn survey(
    document: &Document,
    found: &FoundTitles,
    works: &Works,
    profile: &Profile,
) -> Option<Survey> {
    let named = named_works(found, works);
    if named.len() < 2 {
        return None;
    }
    let mut borders: Vec<usize> =
        named.windows(2).map(|two| begins(found, two[0].titles.end, two[1].titles.start)).collect();
    borders.insert(0, 0);
    let ends = borders[1..].iter().copied().chain([document.source.text().len()]);
    let spans: Vec<Span> = borders.iter().zip(ends).map(|(a, b)| Span::new(*a, b)).collect();
    let mut outline = Outline::default();
    for (span, named) in spans.into_iter().zip(named) {
        let part = cut::part(document, span, 1, 1, &[]);
        let Survey { identified, outline: own } = survey_of_one(&part, works, profile);
        let work = &works.all()[named.work].title;
        if identified.best().is_none_or(|best| best.work != *work) || own.chapters.is_empty() {
            return None;
        }
        let moved = |s: Span| Span::new(s.start() + span.start(), s.end() + span.start());
        outline.lines.extend(own.lines.into_iter().map(|(line, role)| (moved(line), role)));
        outline.chapters.extend(own.chapters.into_iter().map(|mut chapter| {
            chapter.span = moved(chapter.span);
            chapter.work = Some(work.clone());
            chapter
        }));
        outline.remarks.extend(own.remarks.into_iter().map(|mut remark| {
            remark.span = remark.span.map(moved);
            remark
        }));
    }
    Some(Survey { identified: Identified::default(), outline })
}

/// Works of which several chapters are named in their order, none among those of another; in the
/// order of the file.
fn named_works(found: &FoundTitles, works: &Works) -> Vec<NamedWork> {
    let mut named: BTreeMap<usize, Vec<(usize, u32)>> = BTreeMap::new();
    for (n, title) in found.titles.iter().enumerate() {
        for w in works.perhaps_named_in(&title.title) {
            let Some(work) = works.all().get(w) else { continue };
            let chapter = chapter_of(title, &work.title, works);
            let number = chapter.and_then(|chapter| works.number(&chapter));
            named.entry(w).or_default().extend(number.map(|number| (n, number)));
        }
    }
    let candidate = |(work, named): (usize, Vec<(usize, u32)>)| {
        let chain: HashSet<usize> = in_order(&named).into_iter().collect();
        let chain = || named.iter().filter(|(n, _)| chain.contains(n));
        let (first, last) = (chain().next()?.0, chain().next_back()?.0);
        let chapters = chain().map(|(_, number)| *number).collect::<HashSet<_>>().len();
        // Sections may have numbers only.
        let has_words = |t: &&TitleLine| t.title.chars().any(|c| is_content(c) && !c.is_numeric());
        let titles = found.titles[first..=last].iter().filter(has_words).count();
        let enough = chapters >= MIN_NAMED && chain().count() * 2 > titles;
        enough.then_some(NamedWork { work, titles: first..last + 1, chapters })
    };
    let mut all: Vec<NamedWork> = named.into_iter().filter_map(candidate).collect();
    all.sort_by_key(|named| std::cmp::Reverse(named.chapters));
    let mut apart: Vec<NamedWork> = vec![];
    for named in all {
        let overlaps = |other: &NamedWork| {
            named.titles.start < other.titles.end && other.titles.start < named.titles.end
        };
        if !apart.iter().any(overlaps) {
            apart.push(named);
        }
    }
    apart.sort_by_key(|named| named.titles.start);
    apart
}

/// Where the lines of a work begin whose first chapter has this title: those before it without text
/// between, such as the work's own title, are its.
fn begins(found: &FoundTitles, after: usize, first: usize) -> usize {
    let line = |n: usize| found.titles[n].line;
    let is_joined = |n: &usize| !found.text[line(*n)..line(*n + 1)].contains(&true);
    let first = (after..first).rev().take_while(is_joined).last().unwrap_or(first);
    found.lines[line(first)].whole.start()
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn the_chapters_of_several_works_are_of_their_works() {
        let chapter = |title: &str, words: &str| format!("{title}\n\n{words}\n\n");
        let text = [
            "論語\n\n".to_string(),
            chapter("學而第一", "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」"),
            chapter("為政第二", "子曰：「為政以德，譬如北辰，居其所而眾星共之。」"),
            chapter("八佾第三", "孔子謂季氏：「八佾舞於庭，是可忍也，孰不可忍也？」"),
            "孟子\n\n".to_string(),
            chapter("梁惠王上", "孟子見梁惠王。王曰：「叟！不遠千里而來，亦將有以利吾國乎？」"),
            chapter("梁惠王下", "莊暴見孟子，曰：「暴見於王，王語暴以好樂，暴未有以對也。」"),
            chapter("公孫丑上", "公孫丑問曰：「夫子當路於齊，管仲、晏子之功，可復許乎？」"),
        ];
        let library =
            pipeline::convert(Source::from_text("四書.txt", text.concat()), None).unwrap();
        let of = |d: &crate::model::Document| {
            let words = d.of_layer(Layer::Jing).map(|s| d.words(s.span).into_owned());
            (d.meta.locus().unwrap_or_default(), words.collect::<String>())
        };
        let all: Vec<_> = library.documents.iter().map(|d| of(d)).collect();
        let loci: Vec<&str> = all.iter().map(|(locus, _)| locus.as_str()).collect();
        let expected =
            ["論語・學而", "論語・為政", "論語・八佾", "孟子・梁惠王上", "孟子・梁惠王下"];
        assert_eq!(loci[..5], expected, "{all:?}");
        assert!(all[3].1.starts_with("孟子見梁惠王"), "{all:?}");
        assert_eq!(library.documents[3].meta.title, "孟子・梁惠王上");
    }
}
