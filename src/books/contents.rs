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
    let mut entries: HashSet<usize> =
        runs.iter().flat_map(|run| before_the_text(run, keys, &places)).copied().collect();
    if let Some(last) = runs.last()
        && !last.last().is_some_and(|n| text_follows(found, found.titles[*n].line))
    {
        entries.extend(after_the_text(last, keys, &places));
    }
    entries
}

/// Entries at the beginning of `run`: most come again once, or twice if a volume has its title at
/// its end. A running head comes often.
fn before_the_text<'a>(
    run: &'a [usize],
    keys: &[String],
    places: &HashMap<&str, Vec<usize>>,
) -> &'a [usize] {
    let end = end_of_entries(run, keys);
    enough(&run[..end], |n| {
        // Places are in order. A title may come as often as there are lines.
        let all = &places[&*keys[n]];
        (1..=2).contains(&(all.len() - all.partition_point(|m| *m <= run[end - 1])))
    })
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
