//! The parts of a witness that match the text.

use std::sync::Arc;

use super::marked::MarkedText;
use crate::model::Document;
use crate::passes::context::Context;
use crate::text::collate::{Base, Chain, CollatedRun};

/// The least matched length of a chain, in characters.
const MIN_CHAIN_CHARS: usize = 24;
/// A chain of this many matched characters is hardly a parallel or a formula. Only such chains show
/// that a text is a witness.
const LONG_CHAIN_CHARS: usize = 80;
/// The least share of the classic that matches in such a chain; parallels of two chapters have
/// less.
const MIN_CLOSE_SHARE: f64 = 0.82;
/// The least share of the witness's classic within a chain that must match.
const MIN_CHAIN_SHARE: f64 = 0.75;
/// A chain may skip this many characters of classic.
const MAX_LEAP_CHARS: usize = 24;
/// The least share of a witness's classic, or of the text, that must match in all.
const MIN_MATCHED_SHARE: f64 = 0.5;
/// Passages of a witness that are at most so many characters apart follow each other.
const MAX_INTERRUPTED_CHARS: u32 = 8;
/// A longer passage is no quotation, in characters.
const MAX_QUOTED_CHARS: usize = 200;
/// A chain of this many characters, with this share matched, makes a text a witness by itself: no
/// parallel is so long and so close.
const BOOK_CHAIN_CHARS: usize = 300;
const MIN_BOOK_SHARE: f64 = 0.92;

/// A witness with the chains that match the text; none if it is not a witness.
pub fn chains(
    base: &Base<'_>,
    other: &Arc<Document>,
    context: &Context<'_>,
) -> Option<(Arc<MarkedText>, Vec<Chain>)> {
    let marked = context.of_document(other, MarkedText::of);
    let own = marked.classic(0..marked.chars.len());
    if own == 0 {
        return None;
    }
    let length = base.chars().len();
    let dense =
        |c: &Chain| c.matched() >= MIN_CHAIN_CHARS && density(c, &marked) >= MIN_CHAIN_SHARE;
    let chains = base.against(&marked.chars).into_iter().flat_map(|c| pieces(c, &marked));
    let chains: Vec<Chain> = without_quotations(chains.filter(dense).collect(), &marked);
    let known =
        |c: &&Chain| c.matched() >= LONG_CHAIN_CHARS && density(c, &marked) >= MIN_CLOSE_SHARE;
    let matched: usize = chains.iter().filter(known).map(Chain::matched).sum();
    let book = chains
        .iter()
        .any(|c| c.matched() >= BOOK_CHAIN_CHARS && density(c, &marked) >= MIN_BOOK_SHARE);
    if !book && (matched as f64) < MIN_MATCHED_SHARE * length.min(own) as f64 {
        return None;
    }
    Some((marked, chains))
}

/// Leaves out chains that interrupt a passage of the witness: where the text before and after one
/// follows on in the witness, it is a note that quotes another place of the witness.
fn without_quotations(chains: Vec<Chain>, marked: &MarkedText) -> Vec<Chain> {
    let mut runs: Vec<(usize, CollatedRun)> =
        chains.iter().enumerate().flat_map(|(n, c)| c.runs.iter().map(move |r| (n, *r))).collect();
    runs.sort_unstable_by_key(|(_, r)| r.a);
    let interrupts = |n: usize, chain: &Chain| {
        let (from, to) = (chain.a().start, chain.a().end);
        let first = runs.partition_point(|(_, r)| r.a < from);
        let last = runs.partition_point(|(_, r)| r.a < to);
        let before = runs[..first].iter().rev().find(|(m, _)| *m != n);
        let after = runs[last..].iter().find(|(m, _)| *m != n);
        let (Some((_, before)), Some((_, after))) = (before, after) else { return false };
        to - from <= MAX_QUOTED_CHARS
            && after.b >= before.b_end()
            && marked.own(after.b) - marked.own(before.b_end() - 1) <= MAX_INTERRUPTED_CHARS
    };
    let keep: Vec<bool> = chains.iter().enumerate().map(|(n, c)| !interrupts(n, c)).collect();
    chains.into_iter().zip(keep).filter(|(_, keep)| *keep).map(|(c, _)| c).collect()
}

/// Cuts a chain where it skips much of the witness's classic: a transposed block may lie there,
/// with a chain of its own.
fn pieces(chain: Chain, marked: &MarkedText) -> Vec<Chain> {
    let mut pieces: Vec<Chain> = Vec::new();
    for run in chain.runs {
        let leaps = |last: usize| marked.classic(last..run.b) > MAX_LEAP_CHARS;
        match pieces.last_mut() {
            Some(p) if !leaps(p.b().end) => p.runs.push(run),
            _ => pieces.push(Chain { runs: vec![run] }),
        }
    }
    pieces
}

/// The share of the classic within a chain's range of the witness that matches; of all characters
/// if it has no classic.
fn density(chain: &Chain, marked: &MarkedText) -> f64 {
    let matched: usize = chain.runs.iter().map(|r| marked.classic(r.b..r.b_end())).sum();
    match marked.classic(chain.b()) {
        0 => chain.matched() as f64 / chain.b().len().max(1) as f64,
        all => matched as f64 / all as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;
    use crate::model::Layer;

    /// A chapter with long notes is a witness for a plain book that has its classic among other
    /// chapters: only its classic has to match, not its notes.
    #[test]
    fn the_notes_of_a_witness_need_not_match() {
        // Hangul, which folding leaves as it is; no character occurs twice.
        let mut next = (0xac00..0xd7a0).filter_map(char::from_u32);
        let mut run = |length: usize| next.by_ref().take(length).collect::<String>();
        let (classic, note) = ([run(100), run(100)], [run(700), run(700)]);
        let book = run(900) + &classic[0] + &classic[1] + &run(900);
        let pieces = [
            (Layer::Jing, &*classic[0]),
            (Layer::Zhu, &*note[0]),
            (Layer::Jing, &*classic[1]),
            (Layer::Zhu, &*note[1]),
        ];
        let witness = Arc::new(Document::of_pieces(&pieces));
        let library = Library { documents: vec![witness.clone()], ..Library::default() };
        let context = Context::new(&library);
        let book: Vec<char> = book.chars().collect();
        let found = chains(&Base::new(&book), &witness, &context).map(|(_, chains)| chains);
        let matched: usize = found.iter().flatten().map(Chain::matched).sum();
        assert_eq!(matched, 200, "{found:?}");
    }
}
