//! Seeds: runs of four characters that two chapters share, extended to blocks of equal characters.

use std::collections::HashMap;

use crate::corpus::Index;
use crate::corpus::figures::{CorpusFigures, MAX_SEED_PLACES, SEED_CHARS, seed};
use crate::corpus::index::{BORDER, CorpusText};

/// Most characters by which a block extends its seed on each side; this keeps repetitive texts
/// linear.
const MAX_EXTENSION_CHARS: usize = 64;

/// Equal characters: `len` from `a` and from `b` in the text of all streams, with `a` before `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualBlock {
    /// Start of the first occurrence.
    pub a: usize,
    /// Start of the second.
    pub b: usize,
    /// Number of characters.
    pub len: usize,
}

/// A number for every entry, the same for texts of one chapter: what they share is one text, not a
/// parallel.
pub fn chapters(index: &Index) -> Vec<usize> {
    let mut known: HashMap<(&str, String), usize> = HashMap::new();
    index
        .entries
        .iter()
        .map(|e| match (e.named.as_ref(), e.chapter()) {
            (Some(n), Some(chapter)) => *known.entry((&n.work, chapter)).or_insert(e.number),
            _ => e.number,
        })
        .collect()
}

/// All blocks between different chapters, in the order of their diagonals. At least one of two is
/// among the first `own`; nobody asks what others share.
pub fn blocks(
    words: &CorpusText,
    chapters: &[usize],
    own: usize,
    figures: Option<&CorpusFigures>,
) -> Vec<EqualBlock> {
    let text = &words.text;
    let mut pairs = pairs(words, chapters, own, figures);
    pairs.sort_unstable_by_key(|(a, b)| (b - a, *a));
    let mut blocks: Vec<EqualBlock> = Vec::new();
    for (a, b) in pairs {
        let (a, b) = (a as usize, b as usize);
        let last = blocks.last_mut().filter(|l| l.b - l.a == b - a && a <= l.a + l.len);
        if last.as_ref().is_some_and(|l| a + SEED_CHARS <= l.a + l.len)
            || text[a..a + SEED_CHARS] != text[b..b + SEED_CHARS]
        {
            continue;
        }
        let same = |(x, y): &(&char, &char)| x == y && **x != BORDER;
        let ahead = text[a + SEED_CHARS..]
            .iter()
            .zip(&text[b + SEED_CHARS..])
            .take(MAX_EXTENSION_CHARS)
            .take_while(same)
            .count();
        match last {
            Some(l) => l.len = a + SEED_CHARS + ahead - l.a,
            None => {
                let back = text[..a]
                    .iter()
                    .rev()
                    .zip(text[..b].iter().rev())
                    .take(MAX_EXTENSION_CHARS)
                    .take_while(same)
                    .count();
                blocks.push(EqualBlock {
                    a: a - back,
                    b: b - back,
                    len: back + SEED_CHARS + ahead,
                });
            }
        }
    }
    blocks
}

/// Pairs of places of the same four characters in different chapters, the earlier place first.
fn pairs(
    words: &CorpusText,
    chapters: &[usize],
    own: usize,
    figures: Option<&CorpusFigures>,
) -> Vec<(u32, u32)> {
    let mut seeds: Vec<(u32, u32)> = words
        .text
        .windows(SEED_CHARS)
        .enumerate()
        .filter(|(_, w)| !w.contains(&BORDER))
        .map(|(n, w)| (seed(w), n as u32))
        .collect();
    seeds.sort_unstable();
    let mut pairs = Vec::new();
    let formula = |hash: u32| figures.is_some_and(|f| f.is_formula(hash));
    let groups = seeds.chunk_by(|x, y| x.0 == y.0);
    let rare = groups.filter(|g| (2..=MAX_SEED_PLACES).contains(&g.len()) && !formula(g[0].0));
    for group in rare {
        for (n, (_, a)) in group.iter().enumerate() {
            // Places are in the order of the entries: if the first is not own, none is.
            let entry = words.part(*a as usize).entry;
            if entry >= own {
                break;
            }
            let others = group[n + 1..]
                .iter()
                .filter(|(_, b)| chapters[words.part(*b as usize).entry] != chapters[entry]);
            pairs.extend(others.map(|(_, b)| (*a, *b)));
        }
    }
    pairs
}
