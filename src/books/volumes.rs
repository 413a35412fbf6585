//! Titles of chapters that have no number of their own: right below a volume (卷一, 漢 高誘 注, 原道訓).
//! They end alike in most volumes (原道訓, 俶真訓, 天文訓), or are the only titles below their volumes.

use std::collections::{HashMap, HashSet};

use super::headings::{FoundTitles, Numbering, TitleLine};
use super::unnumbered::text_follows;

/// Titles below a volume that are looked at: the line of the author may come first.
const MAX_BELOW: usize = 3;
/// Characters of the longest.
const MAX_CHARS: usize = 8;
/// Volumes that must have such a title, at least, and the share of all.
const MIN_VOLUMES: usize = 3;
const MIN_SHARE: f64 = 0.6;

/// The titles right below the volumes of a book, outside its table of contents; no two are the
/// same.
pub(super) fn below_volumes(found: &FoundTitles, contents: &HashSet<usize>) -> HashSet<usize> {
    let is_volume = |t: &TitleLine| t.volume.is_some() && !t.shape.titled;
    let volumes: HashSet<u32> =
        found.titles.iter().filter(|t| is_volume(t)).filter_map(|t| t.volume).collect();
    let mut by_ending: HashMap<char, Vec<usize>> = HashMap::new();
    for (n, _) in found.titles.iter().enumerate().filter(|(_, t)| is_volume(t)) {
        for m in below(found, n) {
            let ending = found.titles[m].key.chars().last();
            ending.into_iter().for_each(|c| by_ending.entry(c).or_default().push(m));
        }
    }
    let differ = |members: &[usize]| {
        let keys: HashSet<&str> = members.iter().map(|m| found.titles[*m].key.as_str()).collect();
        keys.len() == members.len()
    };
    let enough = |members: &[usize]| {
        members.len() >= MIN_VOLUMES && members.len() as f64 >= MIN_SHARE * volumes.len() as f64
    };
    let fitting = by_ending.into_values().filter(|all| enough(all) && differ(all));
    let alike = fitting.max_by_key(|all| (all.len(), all.first().copied()));
    alike
        .or_else(|| single(found, contents, volumes.len()).filter(|all| enough(all) && differ(all)))
        .into_iter()
        .flatten()
        .collect()
}

/// The first title below each volume that is nowhere else in the book, if volumes have hardly any
/// other titles: those would be of sections.
fn single(found: &FoundTitles, contents: &HashSet<usize>, volumes: usize) -> Option<Vec<usize>> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    let outside = found.titles.iter().enumerate().filter(|(n, _)| !contents.contains(n));
    outside.for_each(|(_, t)| *count.entry(&t.key).or_default() += 1);
    let is_volume = |t: &TitleLine| t.volume.is_some() && !t.shape.titled;
    let mut firsts = vec![];
    for (n, _) in found.titles.iter().enumerate().filter(|(_, t)| is_volume(t)) {
        let once =
            |m: &usize| !contents.contains(m) && count.get(&*found.titles[*m].key) == Some(&1);
        firsts.extend(below(found, n).find(once));
    }
    let first = firsts.first()?;
    let shape = &found.titles[*first].shape;
    let alike = found.titles.iter().filter(|t| t.shape == *shape);
    let others = alike.filter(|t| text_follows(found, t.line)).count();
    (2 * others <= 3 * volumes).then_some(firsts)
}

/// The plain titles that follow title `n` with no text between.
fn below(found: &FoundTitles, n: usize) -> impl Iterator<Item = usize> {
    let from = found.titles[n].line + 1;
    let near = (n + 1..found.titles.len()).take(MAX_BELOW);
    let near = near.take_while(move |m| !found.text[from..found.titles[*m].line].contains(&true));
    near.take_while(|m| found.titles[*m].volume.is_none()).filter(|m| {
        let t = &found.titles[*m];
        let plain = t.shape.numbering == Numbering::None && t.shape.titled;
        plain && (2..=MAX_CHARS).contains(&t.key.chars().count())
    })
}
