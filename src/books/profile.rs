//! The words of the chapters of the canon, as figures: hashes of some of their 6-grams.
//!
//! Of all runs of six folded characters, those whose hash is a multiple of [`SAMPLE`] are kept,
//! with the number of the chapter they are from (a sketch by sampling; Broder, *On the resemblance
//! and containment of documents*, 1997). A text is a chapter if it has most of its patterns. The
//! table is learned with `lab train --profile`; it has no text.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::model::{Document, LayerKind, Segment};
use crate::text::class::is_content;
use crate::text::fold::fold;

/// Characters in a pattern.
const GRAM: usize = 6;
/// One pattern of so many is kept.
const SAMPLE: u64 = 24;
/// Patterns that a text must share with a chapter before its words name it.
const MIN_HITS: usize = 6;
/// A part of a chapter shares so many times more patterns with it than with any other.
const AHEAD: usize = 5;
/// Patterns that a part of a chapter must share with it.
const MIN_HITS_OF_PART: usize = 5;
/// Share of the patterns of a chapter that a text must have.
const MIN_SHARE: f64 = 0.25;

static DATA: &[u8] = include_bytes!("data/profile.bin");
static BUILTIN: LazyLock<Arc<Profile>> =
    LazyLock::new(|| Arc::new(Profile::parse(DATA).expect("profile.bin is read by a test")));

/// How much of a chapter a text has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Match {
    /// Title of the work.
    pub work: String,
    /// Title of the chapter, with its part.
    pub chapter: String,
    /// Patterns that the text has.
    pub hits: usize,
    /// Patterns that the chapter has.
    pub of: usize,
    /// Patterns that the text has of the chapter that it is most like but for this.
    pub next: usize,
    /// The share of the text's patterns that are of the chapter's work.
    pub of_text: f64,
}

impl Match {
    /// True if the text has so much of the chapter that it must be it, or has little of any other.
    pub fn is_certain(&self) -> bool {
        let part = self.hits >= MIN_HITS_OF_PART && self.hits >= AHEAD * self.next.max(1);
        part || self.hits >= MIN_HITS && self.share() >= MIN_SHARE
    }
    /// The share of the chapter's patterns that the text has.
    pub fn share(&self) -> f64 {
        self.hits as f64 / self.of.max(1) as f64
    }
    /// How certain it is that the text is this chapter.
    pub fn certainty(&self) -> f64 {
        let ahead = 1.0 - self.next as f64 / self.hits.max(1) as f64;
        (0.5 + 0.5 * self.share().max(ahead)).min(0.97)
    }
}

/// Patterns and the chapters that they are from.
#[derive(Debug, Default)]
pub struct Profile {
    chapters: Vec<(String, String)>,
    sizes: Vec<usize>,
    patterns: FxHashMap<u32, u16>,
}

/// The patterns of a text, each once.
pub fn patterns(words: impl Iterator<Item = char>) -> Vec<u32> {
    let mut window = [0u32; GRAM];
    let mut out = vec![];
    for (n, c) in words.filter(|c| is_content(*c)).map(fold).enumerate() {
        window.rotate_left(1);
        window[GRAM - 1] = c as u32;
        if n + 1 >= GRAM {
            let hash = hash(&window);
            if hash.is_multiple_of(SAMPLE) {
                out.push((hash / SAMPLE) as u32);
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// FNV-1a with a final mix, so that the result is the same on every machine.
fn hash(window: &[u32; GRAM]) -> u64 {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    for byte in window.iter().flat_map(|c| c.to_le_bytes()) {
        h = (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    h ^= h >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h ^ (h >> 33)
}

impl Profile {
    /// The profile that ships with the program.
    pub(crate) fn builtin() -> Arc<Profile> {
        Arc::clone(&BUILTIN)
    }

    /// The chapters that share patterns with a document, the most alike first.
    pub(crate) fn matches(&self, document: &Document) -> Vec<Match> {
        // The notes quote other works.
        let classic =
            |s: &&Segment| matches!(s.layer.kind(), LayerKind::Base | LayerKind::Undivided);
        let texts = document.segments.iter().filter(classic);
        let words = texts.flat_map(|s| document.slice(s.span).chars());
        self.matches_of(&patterns(words))
    }

    fn matches_of(&self, patterns: &[u32]) -> Vec<Match> {
        let mut hits: HashMap<u16, usize> = HashMap::new();
        for chapter in patterns.iter().filter_map(|p| self.patterns.get(p)) {
            *hits.entry(*chapter).or_default() += 1;
        }
        let mut all: Vec<Match> = hits
            .into_iter()
            .map(|(chapter, hits)| {
                let (work, title) = &self.chapters[chapter as usize];
                let of = self.sizes[chapter as usize];
                let (work, chapter) = (work.clone(), title.clone());
                Match { work, chapter, hits, of, next: 0, of_text: 0.0 }
            })
            .collect();
        all.sort_by(|a, b| b.hits.cmp(&a.hits).then_with(|| a.chapter.cmp(&b.chapter)));
        let (first, second) = (all.first().map_or(0, |m| m.hits), all.get(1).map_or(0, |m| m.hits));
        let mut of_work: HashMap<String, usize> = HashMap::new();
        all.iter().for_each(|m| *of_work.entry(m.work.clone()).or_default() += m.hits);
        for (n, m) in all.iter_mut().enumerate() {
            m.next = if n == 0 { second } else { first };
            m.of_text = of_work[&m.work] as f64 / patterns.len().max(1) as f64;
        }
        all
    }

    fn count(&mut self) {
        self.sizes = vec![0; self.chapters.len()];
        for chapter in self.patterns.values() {
            self.sizes[*chapter as usize] += 1;
        }
    }

    /// The profile of a file: the list of chapters as lines (work, tab, title), an empty line, then
    /// the patterns of each chapter in order, as 32 bits little-endian and the number of the
    /// chapter as 16.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let split = bytes.windows(2).position(|w| w == b"\n\n").map_or(0, |i| i + 1);
        let head = std::str::from_utf8(&bytes[..split]).ok()?;
        let mut profile = Profile::default();
        for line in head.lines() {
            let (work, title) = line.split_once('\t')?;
            profile.chapters.push((work.into(), title.into()));
        }
        let entries = bytes.get(split + 1..).unwrap_or_default().chunks_exact(6);
        profile.patterns.reserve(entries.len());
        for entry in entries {
            let pattern = u32::from_le_bytes(entry[..4].try_into().ok()?);
            let chapter = u16::from_le_bytes(entry[4..].try_into().ok()?);
            ((chapter as usize) < profile.chapters.len()).then_some(())?;
            profile.patterns.insert(pattern, chapter);
        }
        profile.count();
        Some(profile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_readable_and_knows_the_canon() {
        let profile = Profile::parse(DATA).unwrap();
        assert!(profile.patterns.len() > 10_000);
        assert!(profile.chapters.iter().any(|(work, title)| work == "論語" && title == "學而"));
    }
}
