//! Series of numbered titles: how many belong to one, which numbers are missing or out of order.

use std::collections::HashSet;

use super::headings::TitleLine;
use crate::corpus::Works;
use crate::diag::Diagnostic;
use crate::model::BookChapter;

/// Most that a number may be higher than the one before: an edition may lack a volume or two.
const MAX_GAP: u32 = 3;
/// Of a book that lacks more than one chapter in so many of its work nothing is said.
const MOST_MISSING: usize = 4;
/// Most missing numbers that are named.
const MAX_NAMED: usize = 10;

/// The number of a title in its series.
pub(super) fn number(title: &TitleLine) -> Option<u32> {
    title.number.or(title.volume)
}

/// Which numbers go on in a series: each is the same as the last of them or a little higher, or a
/// series begins again with 1. A number that does not fit breaks nothing, unless the next goes on
/// from there.
pub(super) fn going_on(numbers: &[Option<u32>]) -> Vec<bool> {
    let mut fits = vec![false; numbers.len()];
    let mut last: Option<(usize, u32)> = None;
    let mut odd: Option<(usize, u32)> = None;
    let follows = |last: u32, n: u32| n == 1 || (last..=last + MAX_GAP).contains(&n);
    for (i, n) in numbers.iter().enumerate().filter_map(|(i, n)| Some((i, (*n)?))) {
        let base = match (last, odd) {
            (Some((before, l)), _) if follows(l, n) => before,
            (Some(_), Some((before, o))) if n == o + 1 => before,
            (None, _) => {
                last = Some((i, n));
                continue;
            }
            _ => {
                odd = Some((i, n));
                continue;
            }
        };
        (fits[base], fits[i]) = (true, true);
        (last, odd) = (Some((i, n)), None);
    }
    fits
}

/// How often a series begins again.
pub(super) fn restarts(numbers: &[Option<u32>]) -> usize {
    numbers.windows(2).filter(|w| w[1] == Some(1) && w[0].is_some_and(|n| n > 1)).count()
}

/// What is wrong with the numbers of the titles that begin chapters.
pub(super) fn report(titles: &[&TitleLine]) -> Vec<Diagnostic> {
    let numbers: Vec<Option<u32>> = titles.iter().map(|t| number(t)).collect();
    let fits = going_on(&numbers);
    let mut said = vec![];
    let mut seen: HashSet<u32> = HashSet::new();
    let mut last = 0;
    let mut again: Vec<&TitleLine> = vec![];
    for (title, (n, fits)) in titles.iter().zip(numbers.iter().zip(fits)) {
        let Some(n) = *n else { continue };
        let name = if title.volume.is_some() { &title.volume_words } else { &title.title };
        if !fits {
            let message = format!("the number of this chapter is out of order: {name}");
            said.push(warning("chapter-out-of-order", title, message));
            continue;
        }
        if n == 1 {
            again.extend((last > 1).then_some(*title));
            seen.clear();
            last = 0;
        }
        if n > last + 1 && last > 0 {
            let named = (last + 1..n).take(MAX_NAMED).map(|n| named_like(title, n));
            let more = (n - last - 1 > MAX_NAMED as u32).then(|| "…".to_string());
            let missing: Vec<String> = named.chain(more).collect();
            let message = format!("no chapter has this number: {}", missing.join("、"));
            said.push(warning("chapter-missing", title, message));
        }
        if !seen.insert(n) {
            let message = format!("two chapters have this number: {name}");
            said.push(warning("chapter-twice", title, message));
        }
        last = n;
    }
    said.extend(begun_again(&again));
    said
}

/// That chapters of a second series have the addresses of those of the first.
fn begun_again(firsts: &[&TitleLine]) -> Option<Diagnostic> {
    let n = firsts.len();
    let message = match n {
        1 => "the numbers of chapters begin again here: chapters with the same number share an \
              address"
            .to_string(),
        _ => format!(
            "the numbers of chapters begin again in {n} places: chapters with the same number \
             share an address"
        ),
    };
    let first = firsts.first()?;
    Some(
        Diagnostic::warning("chapter-numbers-again", first.span, message)
            .hint("put each part into a file of its own, and name its work in a manifest"),
    )
}

/// Which chapters of a work a book lacks that has most of them, or that has their titles, such as
/// in its table of contents; of these, `listed` has the numbers.
pub(super) fn missing(
    chapters: &[BookChapter],
    listed: &HashSet<u32>,
    works: &Works,
    work: &str,
) -> Option<Diagnostic> {
    let titles = works.work(work)?.titles_of_chapters();
    let numbers: HashSet<usize> = chapters
        .iter()
        .filter(|c| c.chapter.is_some())
        .filter_map(|c| Some(c.number? as usize))
        .collect();
    let mut missing: Vec<usize> = (1..=titles.len()).filter(|n| !numbers.contains(n)).collect();
    if missing.len() * MOST_MISSING > titles.len() {
        missing.retain(|n| listed.contains(&(*n as u32)));
    }
    let first = *missing.first()?;
    let next = chapters.iter().filter(|c| c.number.is_some_and(|n| n as usize > first));
    let at = next.min_by_key(|c| c.number).or(chapters.last())?.span;
    let named: Vec<&str> = missing.iter().take(MAX_NAMED).map(|n| titles[n - 1]).collect();
    let message = format!("these chapters of {work} were not found: {}", named.join("、"));
    Some(Diagnostic::warning("chapter-missing", at, message).hint(
        "compare the table of contents or another copy: they are missing, or have no title here",
    ))
}

fn warning(code: &'static str, title: &TitleLine, message: String) -> Diagnostic {
    Diagnostic::warning(code, title.span, message)
        .hint("compare the table of contents or another copy; the text is read as it stands")
}

/// The number as titles of this kind have it: 卷三, 第三.
fn named_like(title: &TitleLine, n: u32) -> String {
    let kind = if title.volume.is_some() { '卷' } else { '第' };
    format!("{kind}{}", crate::text::numeral::write(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::source::Source;

    #[test]
    fn numbers_that_begin_again_are_named() {
        let text = "　　夫人之有生，其性各異，其志不同，故觀其所好，可以知其所惡。是以君子慎之，小人忽之。\n";
        let text = text.repeat(6);
        let part = |name: &str, titles: [&str; 3]| {
            let chapters = ["卷一", "卷二", "卷三"].iter().zip(titles);
            let chapters = chapters.map(|(n, title)| format!("{n}　{title}\n\n{text}\n"));
            format!("抱朴子{name}\n\n{}", chapters.collect::<String>())
        };
        let (inner, outer) = (["暢玄", "論仙", "對俗"], ["嘉遯", "逸民", "勖學"]);
        let whole = format!("抱朴子\n\n{}{}", part("內篇", inner), part("外篇", outer));
        let read = crate::readers::read(Source::from_text("抱朴子.txt", whole), None).unwrap();
        let settings = Settings::default();
        let book = crate::books::outlined(read, &settings.works, &settings.models.chapters);
        let codes: Vec<&str> = book.diagnostics.iter().map(|d| &*d.code).collect();
        assert_eq!(codes, ["chapter-numbers-again"]);
    }

    #[test]
    fn chapters_that_are_only_in_the_table_of_contents_are_named() {
        let settings = Settings::default();
        let titles = settings.works.work("論語").unwrap().titles_of_chapters();
        let title =
            |n: usize| format!("{}第{}\n", titles[n - 1], crate::text::numeral::write(n as u32));
        let words = "　　子曰：「學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？」\n";
        let contents: String = (1..=20).map(title).collect();
        let text: String = (1..=9).map(|n| title(n) + "\n" + &words.repeat(4) + "\n").collect();
        let whole = format!("論語\n\n{contents}\n{text}");
        let read = crate::readers::read(Source::from_text("論語.txt", whole), None).unwrap();
        let book = crate::books::outlined(read, &settings.works, &settings.models.chapters);
        let missing = book.diagnostics.iter().find(|d| d.code == "chapter-missing").unwrap();
        assert!(missing.message.contains("鄉黨"), "{missing:?}");
        assert!(!missing.message.contains("子罕"), "{missing:?}");
    }

    fn fits(numbers: &[u32]) -> Vec<bool> {
        going_on(&numbers.iter().map(|n| Some(*n)).collect::<Vec<_>>())
    }

    #[test]
    fn one_wrong_number_breaks_nothing() {
        assert_eq!(fits(&[1, 2, 4, 105, 6]), [true, true, true, false, true]);
        assert_eq!(fits(&[1, 2, 1, 2]), [true; 4]);
        assert_eq!(fits(&[3, 90, 91, 92]), [false, true, true, true]);
        assert_eq!(fits(&[7, 30, 2, 50]), [false; 4]);
    }
}
