//! What witnesses show of the ends of sub-commentaries: whether 經 and 注 are attached to them.

use rustc_hash::FxHashMap;

use super::chains::chains;
use super::marked::MarkedText;
use crate::model::{Document, Layer};
use crate::passes::context::Context;
use crate::passes::evidence::neighbours;
use crate::text::collate::{Base, Chain};
use crate::text::{Key, sentences};

/// The longest end that is examined, in characters.
const MAX_END_CHARS: usize = 160;
/// The shortest end that counts, in characters.
const MIN_END_CHARS: usize = 6;
/// The share of it that must match.
const MIN_MATCHED_SHARE: f64 = 0.85;
/// If nothing is attached to a sub-commentary, a witness has at most this many characters between
/// the paragraphs before and after it.
const MAX_STRAY_CHARS: usize = 2;
/// What sticks to a sub-commentary is found between the paragraphs around it: at most this many
/// characters from one of them. Elsewhere the sub-commentary only quotes.
const MAX_APART_CHARS: usize = 24;
/// How far around the end of a sub-commentary a matched character is searched.
const MAX_NOTE_CHARS: usize = 400;

/// What a witness shows of the end of one sub-commentary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShuEnd {
    /// From this byte on, the witness of this id has it as classic and commentary.
    Sticks(usize, String),
    /// In a witness, the paragraphs before and after follow each other: nothing is attached.
    Own,
}

/// The end of a sub-commentary in the characters that are collated.
struct EndCandidate {
    segment: usize,
    /// Its range in these characters.
    from: usize,
    to: usize,
    /// Sentence starts: index of the character, byte.
    starts: Vec<(usize, usize)>,
}

/// What the witnesses show of the end of every sub-commentary, by segment.
pub fn ends(document: &Document, context: &Context<'_>) -> FxHashMap<usize, ShuEnd> {
    let mut answers = FxHashMap::default();
    let (stream, candidates) = stream(document);
    if candidates.is_empty() {
        return answers;
    }
    let others = neighbours::witnesses(document, context);
    let base = Base::new(&stream);
    for other in others {
        let Some((marked, chains)) = chains(&base, other, context) else { continue };
        let places = places(stream.len(), &chains);
        for c in &candidates {
            if let Some(end) = end(c, &places, &marked, &other.id) {
                answers.entry(c.segment).or_insert(end);
            }
        }
    }
    answers
}

/// The characters of undivided text and of the ends of sub-commentaries, in order.
fn stream(document: &Document) -> (Vec<char>, Vec<EndCandidate>) {
    let text = document.source.text();
    let (mut chars, mut candidates) = (Vec::new(), Vec::new());
    for (n, s) in document.segments.iter().enumerate() {
        let key = Key::of(text, s.span);
        match s.layer {
            Layer::Undivided => chars.extend(key.chars),
            Layer::Shu
                if document
                    .segments
                    .get(n + 1)
                    .is_none_or(|next| next.layer != Layer::ShuHeader) =>
            {
                let near = |at: &usize| key.len() - at <= MAX_END_CHARS && *at < key.len();
                let starts = sentences(text, s.span)
                    .into_iter()
                    .skip(1)
                    .map(|p| (key.index_at(p.start()), p.start()));
                let starts: Vec<(usize, usize)> = starts
                    .filter(|(at, byte)| near(at) && !in_speech(&text[s.span.start()..*byte]))
                    .collect();
                let Some(first) = starts.first().map(|f| f.0) else { continue };
                let from = chars.len();
                let starts =
                    starts.into_iter().map(|(at, byte)| (from + at - first, byte)).collect();
                chars.extend(&key.chars[first..]);
                candidates.push(EndCandidate { segment: n, from, to: chars.len(), starts });
            }
            _ => {}
        }
    }
    (chars, candidates)
}

/// True if a quotation is open at the end of some words.
fn in_speech(words: &str) -> bool {
    let count = |marks: [char; 2]| words.matches(marks).count();
    count(['“', '「']) > count(['”', '」'])
}

/// The index of each character in the witness.
fn places(length: usize, chains: &[Chain]) -> Vec<Option<usize>> {
    let mut places = vec![None; length];
    for run in chains.iter().flat_map(|c| &c.runs) {
        (0..run.len).for_each(|n| places[run.a + n] = Some(run.b + n));
    }
    places
}

fn end(
    c: &EndCandidate,
    places: &[Option<usize>],
    marked: &MarkedText,
    id: &str,
) -> Option<ShuEnd> {
    let alike = |from: usize| {
        places[from..c.to].iter().flatten().count() as f64
            >= MIN_MATCHED_SHARE * (c.to - from) as f64
    };
    let rises = |from: usize| {
        let there: Vec<usize> = places[from..c.to].iter().flatten().copied().collect();
        there.windows(2).all(|w| w[0] < w[1] && w[1] - w[0] <= MAX_STRAY_CHARS + 1)
    };
    let sticks = |from: usize| {
        c.to - from >= MIN_END_CHARS && places[from].is_some() && alike(from) && rises(from)
    };
    let near = |at: usize, there: usize| marked.own(there).abs_diff(marked.own(at)) as usize;
    let earlier = (c.from.saturating_sub(MAX_NOTE_CHARS)..c.from).rev().find_map(|n| places[n]);
    let later = (c.to..places.len().min(c.to + MAX_NOTE_CHARS)).find_map(|n| places[n]);
    let in_order = |from: usize| {
        let there = || places[from..c.to].iter().flatten().copied();
        let (Some(first), Some(last)) = (there().min(), there().max()) else { return false };
        let after = earlier.map(|e| (e < first, near(e, first)));
        let before = later.map(|l| (last < l, near(last, l)));
        let sides = || after.into_iter().chain(before);
        sides().all(|s| s.0) && sides().any(|s| s.1 <= MAX_APART_CHARS)
    };
    if let Some((_, byte)) = c.starts.iter().find(|(from, _)| sticks(*from) && in_order(*from)) {
        return Some(ShuEnd::Sticks(*byte, id.to_string()));
    }
    let before = c.from.checked_sub(1).and_then(|n| places[n])?;
    let after = places.get(c.to).copied().flatten()?;
    let follow = after > before
        && after < marked.chars.len()
        && (marked.own(after) - marked.own(before)) as usize <= MAX_STRAY_CHARS + 1;
    follow.then_some(ShuEnd::Own)
}
