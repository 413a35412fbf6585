//! Tables of contents, before the text or after it: titles in a row, most of which are also where
//! chapters begin.

use std::collections::{HashMap, HashSet};

use super::headings::FoundTitles;
use super::unnumbered::text_follows;
use crate::corpus::works::Named;

/// Entries that a table of contents has at least.
const MIN_ENTRIES: usize = 3;
/// Share of the entries that must be titles elsewhere.
const MIN_REPEATED_SHARE: f64 = 0.6;

/// Titles without text between them, of those chosen.
pub(super) fn runs(found: &FoundTitles, which: &dyn Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = vec![];
    let mut last: Option<usize> = None;
    for n in (0..found.titles.len()).filter(|n| which(*n)) {
        let line = found.titles[n].line;
        let joined = last.is_some_and(|l| !found.text[l + 1..line].contains(&true));
        match runs.last_mut() {
            Some(run) if joined => run.push(n),
            _ => runs.push(vec![n]),
        }
        last = Some(line);
    }
    runs
}

/// The same, where titles that name different chapters with lines between them do not belong
/// together. These lines are the text of a chapter so short and so bare that each of them could be
/// a title.
pub(super) fn apart(
    found: &FoundTitles,
    named: &[Option<Named>],
    runs: Vec<Vec<usize>>,
) -> Vec<Vec<usize>> {
    let chapter = |n: usize| named[n].as_ref().filter(|n| n.chapter.is_some()).map(Named::locus);
    let mut apart: Vec<Vec<usize>> = vec![];
    for run in runs {
        let mut own: Vec<usize> = vec![];
        for n in run {
            let between = own.last().is_some_and(|last| {
                let lines = found.titles[*last].line + 1..found.titles[n].line;
                found.lines[lines].iter().any(|l| !l.words.is_empty())
            });
            let before = own.iter().rev().find_map(|n| chapter(*n));
            if between && before.is_some() && chapter(n).is_some_and(|c| Some(c) != before) {
                apart.push(std::mem::take(&mut own));
            }
            own.push(n);
        }
        apart.push(own);
    }
    apart
}

/// Titles that are entries of a table of contents. `keys` is what each title is known by there.
pub(super) fn entries(found: &FoundTitles, keys: &[String]) -> HashSet<usize> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (n, key) in keys.iter().enumerate() {
        places.entry(key).or_default().push(n);
    }
    let runs = runs(found, &|_| true);
    let mut entries: HashSet<usize> = HashSet::new();
    for run in &runs {
        let own = before_the_text(run, keys, &places, &entries);
        entries.extend(own);
    }
    if let Some(last) = runs.last()
        && !last.last().is_some_and(|n| text_follows(found, found.titles[*n].line))
    {
        entries.extend(after_the_text(last, keys, &places));
    }
    entries
}

/// Entries at the beginning of `run`: most come again once, or twice if a volume has its title at
/// its end. A running head comes often, and came before; `entries` are those of tables before.
fn before_the_text<'a>(
    run: &'a [usize],
    keys: &[String],
    places: &HashMap<&str, Vec<usize>>,
    entries: &HashSet<usize>,
) -> &'a [usize] {
    let end = end_of_entries(run, keys);
    enough(&run[..end], |n| {
        // Places are in order. A title may come as often as there are lines.
        let all = &places[&*keys[n]];
        let is_new = all.first().is_none_or(|m| *m >= run[0] || entries.contains(m));
        is_new && (1..=2).contains(&(all.len() - all.partition_point(|m| *m <= run[end - 1])))
    })
}

/// Which blocks of headings are tables of contents that say other words than the titles do: each
/// names several chapters, most of which other blocks after it name too. One that ends with the
/// title of its first chapter begins that chapter.
pub(super) fn by_names(blocks: &[Vec<usize>], named: &[Option<Named>]) -> Vec<bool> {
    let chapter = |n: &usize| named[*n].as_ref().filter(|n| n.chapter.is_some()).map(Named::locus);
    let mut after: HashSet<String> = HashSet::new();
    let mut are: Vec<bool> = Vec::with_capacity(blocks.len());
    for block in blocks.iter().rev() {
        let mut names: Vec<String> = block.iter().filter_map(chapter).collect();
        names.dedup();
        let begins = names.split_last().is_some_and(|(last, before)| before.contains(last));
        let own: HashSet<String> = names.into_iter().collect();
        let again = own.intersection(&after).count();
        let enough = again as f64 >= MIN_REPEATED_SHARE * own.len() as f64;
        are.push(again >= MIN_ENTRIES && enough && !begins);
        after.extend(own);
    }
    are.reverse();
    are
}

/// Entries in the last titles of a file: most came before.
fn after_the_text<'a>(
    run: &'a [usize],
    keys: &[String],
    places: &HashMap<&str, Vec<usize>>,
) -> &'a [usize] {
    enough(run, |n| places[&*keys[n]].first().is_some_and(|m| *m < run[0]))
}

/// The titles from the first that is elsewhere too, if enough of them are.
fn enough(run: &[usize], elsewhere: impl Fn(usize) -> bool) -> &[usize] {
    let first = run.iter().position(|n| elsewhere(*n)).unwrap_or(run.len());
    let found = run[first..].iter().filter(|n| elsewhere(**n)).count();
    let all =
        found >= MIN_ENTRIES && found as f64 >= MIN_REPEATED_SHARE * (run.len() - first) as f64;
    if all { &run[first..] } else { &[] }
}

/// Where a table of contents at the beginning of `run` ends: before the first entry that repeats
/// one of its own, which is then the title of the first chapter.
fn end_of_entries(run: &[usize], keys: &[String]) -> usize {
    let mut seen = HashSet::new();
    run.iter().position(|n| !seen.insert(&*keys[*n])).unwrap_or(run.len())
}

#[cfg(test)]
mod tests {
    use crate::pipeline;
    use crate::source::Source;

    /// The chapters of a text, each with its number and the beginning of its classic.
    fn chapters(text: String) -> Vec<(String, Option<u32>, String)> {
        let library = pipeline::convert(Source::from_text("a.txt", text), None).unwrap();
        let chapter = |d: &std::sync::Arc<crate::model::Document>| {
            let text = d.segments.iter().filter(|s| s.layer.is_text());
            let mut words = text.map(|s| d.words(s.span)).filter(|w| w.contains('，'));
            let words = words.next().map(|w| w.chars().take(4).collect()).unwrap_or_default();
            (d.meta.chapter.clone().unwrap_or_default(), d.meta.number, words)
        };
        library.documents.iter().map(chapter).collect()
    }

    #[test]
    fn a_title_at_the_end_of_a_volume_is_no_entry_of_a_table() {
        let numbers = ["一", "二", "三", "四", "五", "六"];
        let volume = |n: &&str| {
            format!(
                "欽定四庫全書\n郁離子卷{n}\n　　明　劉基　撰\n\n　　此卷{n}首，句也。\n　　{}\n\n郁離子卷{n}\n\n",
                "夫人之有生，其性各異，其志不同。\n　　".repeat(8).trim_end()
            )
        };
        let found = chapters(numbers.iter().map(volume).collect());
        let starts: Vec<String> = found.into_iter().map(|(_, _, words)| words).collect();
        assert_eq!(starts, numbers.map(|n| format!("此卷{n}首")));
    }

    #[test]
    fn a_preface_after_a_table_of_contents_is_no_chapter() {
        let names = ["隱公", "桓公", "莊公", "閔公", "僖公", "文公"];
        let contents: String = names
            .iter()
            .zip(["一", "四", "六", "九", "十", "十三"])
            .map(|(name, n)| format!("{name}卷{n}\n"))
            .collect();
        let text = "元年者何，君之始年也。春者何，歲之始也。\n\n";
        let numbers = ["一", "二", "三", "四", "五", "六"];
        let chapter = |(name, n): (&&str, &str)| format!("{name}第{n}\n\n{}", text.repeat(3));
        let body: String = names.iter().zip(numbers).map(chapter).collect();
        let whole = format!(
            "春秋公羊傳\n\n序\n{contents}\n序\n\n昔者孔子有云，吾志在春秋，行在孝經。\n\n{body}"
        );
        let found = chapters(whole);
        let numbers: Vec<Option<u32>> = found.iter().map(|(_, number, _)| *number).collect();
        assert_eq!(
            numbers,
            [None, Some(1), Some(2), Some(3), Some(4), Some(5), Some(6)],
            "{found:?}"
        );
    }
}
