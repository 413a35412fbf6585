//! Places in Latin letters: the loci and URNs that the program prints, and works by their English
//! or Pinyin names, with numbers: `Analects 12.1`, `Lunyu 12.1`.

use super::citation::{self, Citation};
use crate::corpus::{Works, loci};

/// English names of works, and their titles.
const NAMES: &str = include_str!("data/english.tsv");

/// A citation that such words are.
pub(super) fn known(words: &str, works: &Works) -> Option<Citation> {
    let words = words.trim();
    let numbers = words.find(|c: char| c.is_ascii_digit())?;
    if words.starts_with(|c: char| c.is_ascii_lowercase()) && words.contains('.') {
        let locus = loci::parse(words, works).ok()?;
        let words = words.to_string();
        return Some(Citation { words, named: vec![], locus: Some(locus), tail: None });
    }
    let (name, numbers) = words.split_at(numbers);
    let name = name.trim().trim_end_matches([',', ':']).to_lowercase();
    let name = name.strip_prefix("the ").unwrap_or(&name);
    let by_name = NAMES.lines().filter_map(|line| line.split_once('\t'));
    let title = by_name.filter(|(known, _)| *known == name).map(|(_, title)| title).next();
    let title =
        title.or_else(|| works.all().iter().find(|w| w.key == name).map(|w| w.title.as_str()))?;
    let found = citation::known(&format!("{title} {}", numbers.replace(':', ".")), works)?;
    found.locus.is_some().then(|| Citation { words: words.to_string(), ..found })
}
