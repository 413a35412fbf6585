//! Places in Latin letters: the loci and URNs that the program prints, and works by their English
//! or Pinyin names, with or without numbers: `Analects 12.1`, `Mencius 1A.1`, `the Book of Rites`.

use std::sync::LazyLock;

use regex::Regex;

use super::citation::{self, Citation, MAX_NOTE, PlaceSaid};
use crate::corpus::{Works, loci};

/// English names of works, and their titles.
const NAMES: &str = include_str!("data/english.tsv");

/// Words in Latin letters at the end of what stands before a quotation, without what introduces it.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?P<words>[A-Za-z][\p{Latin}\d .,:·’'-]*?)(?:\s(?:says|said|reads|states|writes|wrote|records|has\sit|tells\sus)(?:\sthat)?)?[\s:,，：)）\]]*$",
    )
    .expect("a test reads the pattern")
});
/// Numbers of a passage after a name: `Foo 3.4`, `yili.99.1.1`.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:\p{Lu}[\p{Latin}’'-]*\s|\b[a-z]{3,}\.)\d+[AB]?[.:]\d+(?:[.:]\d+)*$")
        .expect("a test reads the pattern")
});
/// A name that is said to have the words: `The Yanli says`. A person has no article, but these.
static THE_SAYS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\b[Tt]he\s(?P<name>\p{Lu}[\p{Latin}’'-]*(?:\s\p{Lu}[\p{Latin}’'-]*)*)\s(?:says|said|reads|states|writes|wrote|records|has)\b[^.;!?]*$";
    Regex::new(pattern).expect("a test reads the pattern")
});
const PERSONS: [&str; 6] = ["Master", "Duke", "King", "Emperor", "Sage", "Marquis"];
/// The halves of a chapter: `1A` is 1上.
static HALF: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(\d)([AB])").expect("a test reads the pattern"));

/// What words after a quotation say of its place, if they begin with one.
pub(super) fn known(words: &str, works: &Works) -> Option<PlaceSaid> {
    let words = words.trim();
    let is_id = words.starts_with(|c: char| c.is_ascii_lowercase()) && !words.contains(' ');
    if is_id && words.contains(['.', ':']) {
        let locus = loci::parse(words, works).ok()?;
        let words = words.to_string();
        let citation = Citation { locus: Some(locus), ..Citation::unlisted(&words) };
        return Some(citation.into());
    }
    let ends = words.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(i, _)| i);
    let ends = ends.chain([words.len()]).collect::<Vec<_>>();
    let (end, title) =
        ends.into_iter().rev().find_map(|end| Some((end, title(&words[..end], works)?)))?;
    let rest = words[end..].trim_start_matches([' ', ',', ':']).trim();
    let numbers = HALF.replace_all(rest, |found: &regex::Captures<'_>| {
        format!("{}{}", &found[1], if &found[2] == "A" { '上' } else { '下' })
    });
    let numbered = citation::known(&format!("{title} {}", numbers.replace(':', ".")), works);
    let own = |citation| Citation { words: words.to_string(), ..citation };
    if let Some(found) = numbered.filter(|c| rest.is_empty() || c.locus.is_some()) {
        return Some(own(found).into());
    }
    let unread = Some(rest.to_string());
    Some(PlaceSaid { citation: citation::known(title, works).map(own), unread })
}

/// What words before a quotation say of its place, if they end with one.
pub(super) fn at_end(before: &str, works: &Works) -> Option<PlaceSaid> {
    let near = before.char_indices().rev().take(MAX_NOTE).last().map_or(0, |(i, _)| i);
    let words = BEFORE.captures(&before[near..])?.name("words")?.as_str().trim_end();
    let starts = words.char_indices().rev().filter(|(i, c)| {
        c.is_alphanumeric() && !words[..*i].ends_with(|c: char| c.is_alphanumeric() || c == '.')
    });
    let mut starts: Vec<usize> = starts.map(|(i, _)| i).collect();
    starts.reverse();
    // A name with other words after it names something else, unless a comma is between.
    let is_whole = |said: &PlaceSaid| {
        let has_chapter = |rest: &String| words.ends_with(&format!(", {rest}"));
        let is_name =
            |rest: &String| rest.starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        said.unread.as_ref().is_none_or(|rest| is_name(rest) && has_chapter(rest))
    };
    let said = starts.iter().filter_map(|at| known(&words[*at..], works)).find(is_whole);
    let named = || {
        let name = THE_SAYS.captures(&before[near..])?.name("name")?.as_str();
        (!PERSONS.contains(&name)).then(|| PlaceSaid::unread(name))
    };
    let numbered = || NUMBERED.find(words).map(|place| PlaceSaid::unread(place.as_str()));
    said.or_else(numbered).or_else(named)
}

/// The title of the work with this name.
fn title<'w>(name: &str, works: &'w Works) -> Option<&'w str> {
    let name = name.trim().trim_end_matches([',', ':']).to_lowercase();
    let name = name.strip_prefix("the ").unwrap_or(&name);
    let by_name = NAMES.lines().filter_map(|line| line.split_once('\t'));
    let title = by_name.filter(|(known, _)| *known == name).map(|(_, title)| title).next();
    title.or_else(|| works.all().iter().find(|w| w.key == name).map(|w| w.title.as_str()))
}
