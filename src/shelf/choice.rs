//! Which chapters of the shelf some texts need: those with most of their words in common.
//!
//! Every run of four characters of the texts is looked up. A chapter gains by each run that it has,
//! the rarer and the longer the more, and loses what chapters chosen before have already: ten
//! editions of one book are of hardly more use than one.

use std::collections::{BinaryHeap, HashMap};

use super::grams::{GRAM_CHARS, hash};
use crate::corpus::{Stream, View};
use crate::model::Document;
use crate::text::Key;

/// Stands between two streams; no gram contains it.
const BORDER: char = '\0';
/// A gram of more chapters than this, and than this share of all, is a formula.
const MIN_FORMULA_CHAPTERS: usize = 64;
const FORMULA_SHARE: usize = 32;
/// What a gram is worth by the number of grams that follow each other in both texts, from none:
/// four characters recur by chance, six hardly.
const RUN_WORTH: [f32; 4] = [0.0, 0.2, 0.6, 1.0];
/// A chapter that gains less than this is not needed.
const MIN_GAIN: f32 = 0.15;
/// Bytes that a chapter costs besides its text.
const CHAPTER_COST: f32 = 2000.0;

/// The grams of some texts, each with its places in the text of all.
pub struct SoughtGrams {
    /// Hash and place, in order.
    all: Vec<(u32, u32)>,
    places: usize,
}

/// A chapter as the choice sees it: its number, and the bytes that reading it costs.
pub type Offer = HashMap<u32, u32>;

impl SoughtGrams {
    /// Of the texts of a run.
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Self {
        let mut text = Vec::new();
        for stream in documents.into_iter().flat_map(streams) {
            text.extend(stream);
            text.push(BORDER);
        }
        let windows = text.windows(GRAM_CHARS).enumerate().filter(|(_, w)| !w.contains(&BORDER));
        let mut all: Vec<(u32, u32)> = windows.map(|(n, w)| (hash(w), n as u32)).collect();
        all.sort_unstable();
        SoughtGrams { all, places: text.len() }
    }

    /// The hashes, in order, each once.
    pub fn hashes(&self) -> Vec<u32> {
        let mut hashes: Vec<u32> = self.all.iter().map(|g| g.0).collect();
        hashes.dedup();
        hashes
    }

    fn places_of(&self, hash: u32) -> impl Iterator<Item = u32> {
        let first = self.all.partition_point(|g| g.0 < hash);
        self.all[first..].iter().take_while(move |g| g.0 == hash).map(|g| g.1)
    }
}

/// The grams of a chapter that is put on the shelf, as hashes in order.
pub fn grams_of(document: &Document) -> Vec<u32> {
    let mut all: Vec<u32> =
        streams(document).iter().flat_map(|s| s.windows(GRAM_CHARS).map(hash)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The characters of a document, each stream for itself. What is not divided yet is one stream, so
/// that no border is assumed that may be wrong.
fn streams(document: &Document) -> Vec<Vec<char>> {
    if document.has_undivided() {
        let spans = document.segments.iter().filter(|s| s.layer.is_text()).map(|s| s.span);
        return vec![Key::of_spans(document.source.text(), spans).chars];
    }
    let view = View::of(document);
    Stream::ALL.into_iter().map(|s| view.stream(s).chars().to_vec()).collect()
}

/// What the texts share with each chapter.
pub struct Shared {
    /// Chapter and place, later in order.
    pairs: Vec<(u32, u32)>,
    /// How rare the gram at each place is, 0 to 1.
    rarity: Vec<f32>,
    formula: usize,
    chapters: f32,
}

impl Shared {
    /// Nothing yet; the shelf has so many chapters.
    pub fn new(sought: &SoughtGrams, chapters: usize) -> Self {
        let formula = MIN_FORMULA_CHAPTERS.max(chapters / FORMULA_SHARE);
        let rarity = vec![0.0; sought.places];
        Shared { pairs: vec![], rarity, formula, chapters: chapters.max(2) as f32 }
    }

    /// Notes the chapters that have a gram.
    pub fn add(&mut self, sought: &SoughtGrams, hash: u32, chapters: &[u32]) {
        if chapters.len() > self.formula {
            return;
        }
        let rarity = (self.chapters / chapters.len() as f32).ln() / self.chapters.ln();
        for place in sought.places_of(hash) {
            self.rarity[place as usize] = rarity.max(0.05);
            self.pairs.extend(chapters.iter().map(|c| (*c, place)));
        }
    }

    /// The chapters to read, in the order of what they give for their size; together not more than
    /// `limit` bytes. Also how many others share something.
    pub fn choose(mut self, offer: &Offer, limit: u64) -> (Vec<u32>, usize) {
        self.pairs.sort_unstable();
        let chapters: Vec<&[(u32, u32)]> = self
            .pairs
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|g| offer.contains_key(&g[0].0))
            .collect();
        let mut covered = vec![false; self.rarity.len()];
        let cost = |n: usize| offer[&chapters[n][0].0] as f32 + CHAPTER_COST;
        let gains = |n: usize, covered: &[bool]| self.gain(chapters[n], covered);
        let mut heap: BinaryHeap<(Ranked, std::cmp::Reverse<usize>)> = (0..chapters.len())
            .map(|n| (n, gains(n, &covered)))
            .filter(|(_, gain)| *gain >= MIN_GAIN)
            .map(|(n, gain)| (Ranked(gain / cost(n)), std::cmp::Reverse(n)))
            .collect();
        let (mut chosen, mut left, mut rest) = (vec![], limit, 0);
        while let Some((_, std::cmp::Reverse(n))) = heap.pop() {
            let gain = gains(n, &covered);
            if gain < MIN_GAIN {
                continue;
            }
            let now = Ranked(gain / cost(n));
            // What was chosen meanwhile made it less useful than the next.
            if heap.peek().is_some_and(|next| next.0 > now) {
                heap.push((now, std::cmp::Reverse(n)));
                continue;
            }
            let bytes = u64::from(offer[&chapters[n][0].0]);
            if bytes > left {
                rest += 1;
                continue;
            }
            left -= bytes;
            chosen.push(chapters[n][0].0);
            chapters[n].iter().for_each(|(_, place)| covered[*place as usize] = true);
        }
        (chosen, rest)
    }

    /// What a chapter gives that chosen ones do not.
    fn gain(&self, pairs: &[(u32, u32)], covered: &[bool]) -> f32 {
        let worth = |place: u32| match covered[place as usize] {
            true => 0.0,
            false => self.rarity[place as usize],
        };
        pairs
            .chunk_by(|a, b| a.1 + 1 == b.1)
            .map(|run| {
                let of_run = RUN_WORTH[run.len().min(RUN_WORTH.len() - 1)];
                of_run * run.iter().map(|p| worth(p.1)).sum::<f32>()
            })
            .sum()
    }
}

/// A gain for its cost.
#[derive(PartialEq)]
struct Ranked(f32);

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Layer;

    fn document(words: &str) -> Document {
        Document::of_pieces(&[(Layer::Jing, words)])
    }

    /// The chapters chosen for a text, by number.
    fn chosen(text: &str, chapters: &[&str], limit: u64) -> Vec<u32> {
        let sought = SoughtGrams::of([&document(text)]);
        let mut shared = Shared::new(&sought, 1000);
        let all: Vec<Vec<u32>> = chapters.iter().map(|c| grams_of(&document(c))).collect();
        for hash in sought.hashes() {
            let having = (0..).zip(&all).filter(|(_, g)| g.contains(&hash)).map(|(n, _)| n);
            shared.add(&sought, hash, &having.collect::<Vec<u32>>());
        }
        let offer = (0..).zip(chapters).map(|(n, c)| (n, c.len() as u32)).collect();
        shared.choose(&offer, limit).0
    }

    #[test]
    fn chapters_with_longer_runs_are_chosen_first_and_strangers_never() {
        let text = "司馬正洗散遂實爵興鼓瑟吹笙承筐是將呦呦鹿鳴食野之苹";
        let chapters = ["天地玄黃宇宙洪荒", "鼓瑟吹笙承筐是將", "司馬正洗散遂實爵興鼓瑟吹笙"];
        assert_eq!(chosen(text, &chapters, 1000), [2, 1]);
        assert_eq!(chosen(text, &chapters, 30), [1], "the longer one is too large");
    }

    #[test]
    fn one_of_several_copies_is_chosen() {
        let words = "司馬正洗散遂實爵興鼓瑟吹笙";
        assert_eq!(chosen(words, &[words; 6], 10_000).len(), 1);
    }
}
