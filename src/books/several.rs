//! Files of several works, one after the other: the 四書, or our edition of a folder.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use super::cutting::MIN_NAMED;
use super::framing::folded;
use super::headings::{FoundTitles, TitleLine};
use super::identify::{Identified, edition_of_chapter};
use super::naming::{chapter_of, in_order, without_work};
use super::outline::{LineRole, Outline};
use super::profile::Profile;
use super::unnumbered::text_follows;
use super::{Survey, cut, survey_of_one};
use crate::corpus::Works;
use crate::corpus::works::Named;
use crate::model::{BookChapter, ChapterKind, Document};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::fold::fold;

/// A work, or a chapter that stands alone, and the titles that name its chapters or it.
#[derive(Debug)]
struct WorkPart {
    /// Title of the work.
    work: String,
    /// The chapter, if it is only one: 大學 of the 禮記.
    alone: Option<Named>,
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
    let mut parts = named_works(found, works);
    if parts.is_empty() {
        return None;
    }
    let alone = standing_alone(document, found, works, &parts, profile);
    parts.extend(alone);
    parts.sort_by_key(|part| part.titles.start);
    if parts.len() < 2 {
        return None;
    }
    let names = |n: usize| begins(found, parts[n - 1].titles.end, &parts[n], works);
    let borders: Vec<usize> = std::iter::once(0).chain((1..parts.len()).map(names)).collect();
    let ends = borders[1..].iter().copied().chain([document.source.text().len()]);
    let spans = borders.iter().zip(ends).map(|(a, b)| Span::new(*a, b));
    let mut outline = Outline::default();
    for (span, part) in spans.zip(&parts) {
        match &part.alone {
            Some(named) => outline.take_alone(found, span, (part.titles.start, named), works),
            None => outline.take_work(document, span, &part.work, (works, profile))?,
        }
    }
    Some(Survey { identified: Identified::default(), outline })
}

impl Outline {
    /// Takes up the chapters of one work in the `span` that has it; `None` if its words or titles
    /// speak against that.
    fn take_work(
        &mut self,
        document: &Document,
        span: Span,
        work: &str,
        (works, profile): (&Works, &Profile),
    ) -> Option<()> {
        let part = cut::part(document, span, 1, 1, &[]);
        let Survey { identified, outline: own } = survey_of_one(&part, works, profile);
        if identified.best().is_none_or(|best| best.work != work) || own.chapters.is_empty() {
            return None;
        }
        let moved = |s: Span| Span::new(s.start() + span.start(), s.end() + span.start());
        self.lines.extend(own.lines.into_iter().map(|(line, role)| (moved(line), role)));
        self.chapters.extend(own.chapters.into_iter().map(|mut chapter| {
            chapter.span = moved(chapter.span);
            chapter.work = Some(work.to_string());
            chapter
        }));
        self.remarks.extend(own.remarks.into_iter().map(|mut remark| {
            remark.span = remark.span.map(moved);
            remark
        }));
        Some(())
    }

    /// Takes up a chapter that stands alone under its title; text before that is a preface.
    fn take_alone(
        &mut self,
        found: &FoundTitles,
        span: Span,
        (title, named): (usize, &Named),
        works: &Works,
    ) {
        let title = &found.titles[title];
        let starts = found.lines[title.line].whole.start();
        let lines = found.lines.iter().zip(&found.text);
        let mut before = lines.filter(|(l, _)| (span.start()..starts).contains(&l.whole.start()));
        let from = if before.any(|(_, text)| *text) { starts } else { span.start() };
        let chapter = |span: Span, kind: ChapterKind, words: &str| BookChapter {
            span,
            kind,
            work: Some(named.work.clone()),
            title: words.to_string(),
            part: None,
            chapter: None,
            number: None,
        };
        let is_heading = |t: &&TitleLine| from <= t.span.start() && t.line <= title.line;
        let headings = found.titles.iter().filter(is_heading);
        self.lines.extend(headings.map(|t| (t.span, LineRole::Heading)));
        if from > span.start() {
            let front = Span::new(span.start(), from);
            self.chapters.push(chapter(front, ChapterKind::Front, "卷首"));
        }
        let text = Span::new(from, span.end());
        self.chapters.push(BookChapter {
            part: named.part.clone(),
            chapter: named.chapter.clone(),
            number: works.number(named),
            ..chapter(text, ChapterKind::Chapter, &title.title)
        });
    }
}

/// Works of which several chapters are named in their order, none among those of another; in the
/// order of the file.
fn named_works(found: &FoundTitles, works: &Works) -> Vec<WorkPart> {
    let mut named: BTreeMap<usize, Vec<(usize, u32)>> = BTreeMap::new();
    for (n, title) in found.titles.iter().enumerate().filter(|(n, _)| !is_listed_only(found, *n)) {
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
        let work = works.all()[work].title.clone();
        enough.then_some(WorkPart { work, alone: None, titles: first..last + 1, chapters })
    };
    let mut all: Vec<WorkPart> = named.into_iter().filter_map(candidate).collect();
    all.sort_by_key(|named| std::cmp::Reverse(named.chapters));
    let mut apart: Vec<WorkPart> = vec![];
    for named in all {
        let overlaps = |other: &WorkPart| {
            named.titles.start < other.titles.end && other.titles.start < named.titles.end
        };
        if !apart.iter().any(overlaps) {
            apart.push(named);
        }
    }
    apart.sort_by_key(|named| named.titles.start);
    apart
}

/// True for a title without text that comes again with it: an entry of a table of contents.
fn is_listed_only(found: &FoundTitles, n: usize) -> bool {
    let title = &found.titles[n];
    let again = |t: &TitleLine| t.key == title.key && text_follows(found, t.line);
    !text_follows(found, title.line) && found.titles[n + 1..].iter().any(again)
}

/// Chapters of other works between `parts`, each under its title: of the 四書, the 大學 and 中庸.
/// The words must not be of something else, and where only one work is known, be of the chapter.
fn standing_alone(
    document: &Document,
    found: &FoundTitles,
    works: &Works,
    parts: &[WorkPart],
    profile: &Profile,
) -> Vec<WorkPart> {
    let within = |n: usize| parts.iter().any(|part| part.titles.contains(&n));
    let of_other = |named: &Named| parts.iter().all(|part| part.work != named.work);
    let titles = (0..found.titles.len()).filter(|n| !within(*n));
    let titles = titles.filter(|n| text_follows(found, found.titles[*n].line));
    let alone = titles.filter_map(|n| {
        let named = chapter_alone(&found.titles[n].title, works).filter(of_other)?;
        Some((n, named))
    });
    let alone: Vec<(usize, Named)> = alone.collect();
    let starts = |n: usize| found.lines[found.titles[n].line].whole.start();
    let ends = |n: usize| {
        let next = parts.iter().map(|part| part.titles.start).chain(alone.iter().map(|(n, _)| *n));
        next.filter(|next| *next > n).map(starts).min().unwrap_or(document.source.text().len())
    };
    let is_it = |n: usize, named: &Named| {
        let part = cut::part(document, Span::new(starts(n), ends(n)), 1, 1, &[]);
        let matches = profile.matches(&part);
        match matches.first().filter(|best| best.is_certain()) {
            Some(best) => best.work == named.work && named.chapter.as_ref() == Some(&best.chapter),
            None => parts.len() > 1,
        }
    };
    let confirmed = alone.iter().filter(|(n, named)| is_it(*n, named));
    let part = |(n, named): &(usize, Named)| {
        let alone = Some(named.clone());
        WorkPart { work: named.work.clone(), alone, titles: *n..n + 1, chapters: 1 }
    };
    confirmed.map(part).collect()
}

/// The chapter that a title names by itself, or as an edition of it: 中庸, 大學章句.
fn chapter_alone(title: &str, works: &Works) -> Option<Named> {
    let same = |name: &String| name.chars().map(fold).eq(title.chars().map(fold));
    let named = works.resolve(title, None).map(|found| found.named);
    let bare = named.filter(|named| named.chapter.as_ref().is_some_and(same));
    let bare = bare.filter(|_| title.chars().count() >= 2);
    bare.or_else(|| Some(edition_of_chapter(title, works)?.0))
}

/// Where the lines of a part begin: with titles that name its work, such as those of prefaces, or
/// with titles that have no text before its first chapter's.
fn begins(found: &FoundTitles, after: usize, part: &WorkPart, works: &Works) -> usize {
    let first = part.titles.start;
    let line = |n: usize| found.titles[n].line;
    let is_joined = |n: &usize| !found.text[line(*n)..line(*n + 1)].contains(&true);
    let joined = (after..first).rev().take_while(is_joined).last().unwrap_or(first);
    let alone = part.alone.as_ref().and_then(|named| named.chapter.as_deref()).map(folded);
    let names = |n: &usize| {
        let key = &found.titles[*n].key;
        match &alone {
            Some(chapter) => key.starts_with(chapter),
            None => without_work(key, &part.work, works) != *key,
        }
    };
    let of_work = (after..joined).find(names).unwrap_or(joined);
    found.lines[line(of_work)].whole.start()
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::pipeline;
    use crate::source::Source;

    #[test]
    fn the_chapters_of_several_works_are_of_their_works() {
        let chapter = |title: &str, words: &str| format!("{title}\n\n{words}\n\n");
        let contents = "論語\n學而第一\n為政第二\n八佾第三\n孟子\n梁惠王上\n梁惠王下\n公孫丑上\n\n";
        let text = [
            contents.to_string(),
            chapter("大學", "大學之道，在明明德，在親民，在止於至善。知止而后有定，定而后能靜。"),
            "論語\n\n".to_string(),
            chapter("學而第一", "子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？」"),
            chapter("為政第二", "子曰：「為政以德，譬如北辰，居其所而眾星共之。」"),
            chapter("八佾第三", "孔子謂季氏：「八佾舞於庭，是可忍也，孰不可忍也？」"),
            chapter("中庸章句", "天命之謂性，率性之謂道，修道之謂教。道也者，不可須臾離也。"),
            chapter("孟子序說", "孟軻，騶人也。受業子思之門人，道既通，游事齊宣王，宣王不能用。"),
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
        let expected = [
            "禮記・大學",
            "論語・學而",
            "論語・為政",
            "論語・八佾",
            "禮記・中庸",
            "孟子・孟子序說",
            "孟子・梁惠王上",
            "孟子・梁惠王下",
            "孟子・公孫丑上",
        ];
        assert_eq!(loci, expected, "{all:?}");
        assert!(all[0].1.starts_with("大學之道") && all[0].1.ends_with("能靜。"), "{all:?}");
        assert!(all[4].1.starts_with("天命") && all[4].1.ends_with("離也。"), "{all:?}");
        assert!(all[5].1.is_empty() && all[6].1.starts_with("孟子見梁惠王"), "{all:?}");
        assert_eq!(library.documents[6].meta.title, "孟子・梁惠王上");
    }
}
