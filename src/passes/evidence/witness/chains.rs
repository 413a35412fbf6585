//! What of a witness answers to the text.

use super::marked::MarkedText;
use crate::model::Document;
use crate::passes::evidence::run::CLASSIC;
use crate::text::collate::{Base, Chain};

/// The least a chain must match, in characters.
const MIN_CHAIN_CHARS: usize = 24;
/// A chain that could not well be a parallel or a formula, in characters; only by such is a text
/// known for a witness.
const LONG_CHAIN_CHARS: usize = 80;
/// The share of the classic that matches in such a chain; parallels of two chapters stay below it.
const MIN_CLOSE_SHARE: f64 = 0.82;
/// The least share of a chain's stretch of the witness's classic that must match.
const MIN_CHAIN_SHARE: f64 = 0.75;
/// Characters of classic that a chain may leap over.
const MAX_LEAP_CHARS: usize = 24;
/// The least share of a witness's classic, or of the text, that must match in all.
const MIN_MATCHED_SHARE: f64 = 0.5;
/// A chain of this many characters, of which this share matches, makes a text a witness by itself:
/// no parallel is so long and so close.
const BOOK_CHAIN_CHARS: usize = 300;
const MIN_BOOK_SHARE: f64 = 0.92;

/// Texts that are known to be of another chapter or work are no witnesses.
pub fn may_be(document: &Document, other: &Document) -> bool {
    let (m, o) = (&document.meta, &other.meta);
    let differ = |x: &Option<String>, y: &Option<String>| x.is_some() && y.is_some() && x != y;
    !differ(&m.work, &o.work) && !differ(&m.chapter, &o.chapter)
}

/// What of a witness answers to the text; nothing if it is no witness.
pub fn chains(base: &Base<'_>, other: &Document) -> Option<(MarkedText, Vec<Chain>)> {
    let marked = MarkedText::of(other);
    if !marked.labels.contains(&CLASSIC) {
        return None;
    }
    let length = base.chars().len();
    let dense =
        |c: &Chain| c.matched() >= MIN_CHAIN_CHARS && density(c, &marked.labels) >= MIN_CHAIN_SHARE;
    let chains = base.against(&marked.chars).into_iter().flat_map(|c| pieces(c, &marked.labels));
    let chains: Vec<Chain> = chains.filter(dense).collect();
    let known = |c: &&Chain| {
        c.matched() >= LONG_CHAIN_CHARS && density(c, &marked.labels) >= MIN_CLOSE_SHARE
    };
    let matched: usize = chains.iter().filter(known).map(Chain::matched).sum();
    let own = marked.labels.iter().filter(|l| **l == CLASSIC).count();
    let book = chains
        .iter()
        .any(|c| c.matched() >= BOOK_CHAIN_CHARS && density(c, &marked.labels) >= MIN_BOOK_SHARE);
    if !book && (matched as f64) < MIN_MATCHED_SHARE * length.min(own) as f64 {
        return None;
    }
    Some((marked, chains))
}

/// A chain cut where it leaps over much of the witness's classic: there another chain may lie, of a
/// block transposed.
fn pieces(chain: Chain, labels: &[usize]) -> Vec<Chain> {
    let mut pieces: Vec<Chain> = Vec::new();
    for run in chain.runs {
        let leaps = |last: usize| {
            labels[last..run.b].iter().filter(|l| **l == CLASSIC).count() > MAX_LEAP_CHARS
        };
        match pieces.last_mut() {
            Some(p) if !leaps(p.b().end) => p.runs.push(run),
            _ => pieces.push(Chain { runs: vec![run] }),
        }
    }
    pieces
}

/// The share of the classic in a chain's stretch of the witness that matches; of all its words
/// where it has no classic.
fn density(chain: &Chain, labels: &[usize]) -> f64 {
    let classic =
        |range: std::ops::Range<usize>| labels[range].iter().filter(|l| **l == CLASSIC).count();
    let matched: usize = chain.runs.iter().map(|r| classic(r.b..r.b_end())).sum();
    match classic(chain.b()) {
        0 => chain.matched() as f64 / chain.b().len().max(1) as f64,
        all => matched as f64 / all as f64,
    }
}
