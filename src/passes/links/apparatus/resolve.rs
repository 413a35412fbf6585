//! Finds the text that a statement is about.

use super::statement::Statement;
use crate::corpus::Stream;
use crate::corpus::view::stream_of;
use crate::model::{
    ApparatusEntry, Certainty, Difference, Document, Evidence, EvidenceKind, Layer, Segment, Status,
};
use crate::source::Span;
use crate::text::Key;
use crate::text::find::find_within;

/// Characters of the classic before a 注 that are searched for its words.
const MAX_CHARS_BEFORE: usize = 60;
/// Characters of the text before an editor's note that are searched.
const MAX_CLOSE_CHARS: usize = 40;

/// The text before a note, as a key, and the part of it that the note most likely means: the run of
/// the classic that it follows.
struct WordsBefore {
    key: Key,
    /// Index of the first character of that part.
    own: usize,
}

/// The classic before one note after the other.
#[derive(Default)]
pub struct ClassicBefore {
    /// The end of it, at least as much as is searched.
    key: Key,
    /// Segments up to this one have been looked at.
    until: usize,
}

impl ClassicBefore {
    /// Goes on to segment number `note`, which is not before the last one. Only as much of the text
    /// as is searched is made a key.
    fn go_on(&mut self, document: &Document, note: usize) {
        let (mut pieces, mut n) = (vec![], 0);
        let new = document.segments.get(self.until..note).unwrap_or_default();
        for s in new.iter().rev().filter(|s| is_classic(s)) {
            let piece = Key::of(document.source.text(), s.span);
            n += piece.len();
            pieces.push(piece);
            if n >= MAX_CHARS_BEFORE {
                self.key = Key::default();
                break;
            }
        }
        pieces.into_iter().rev().for_each(|piece| self.key.append(piece));
        self.until = note.max(self.until);
    }
}

fn is_classic(s: &Segment) -> bool {
    stream_of(s.layer) == Some(Stream::Base)
}

/// Makes an entry of a statement in segment number `note`. `before` is that of the statements
/// before it.
pub fn entry(
    document: &Document,
    before: &mut ClassicBefore,
    note: usize,
    s: Statement,
) -> ApparatusEntry {
    let text_before =
        if s.close { interrupted(document, note, s.span) } else { classic(document, before, note) };
    let text = document.source.text();
    let chars = |span: Span| Key::of(text, span).chars;
    let found = match (s.named, s.reading) {
        (Some(named), _) => s
            .beside
            .and_then(|b| together(&text_before, &chars(named), &chars(b)))
            .or_else(|| word(&text_before, &chars(named)))
            .or_else(|| part(&text_before, &chars(named))),
        (None, Some(_)) if s.difference == Difference::Adds => point(&text_before),
        (None, Some(reading)) => alike(&text_before, &chars(reading)),
        _ => None,
    };
    let (lemma, status, certainty, why) = match found {
        Some((span, status, certainty, why)) => (Some(span), status, certainty, why),
        None => (None, Status::Unresolved, 0.5, EvidenceKind::WordNotInTextBefore),
    };
    ApparatusEntry {
        span: s.span,
        witness: s.witness,
        difference: s.difference,
        named: s.named,
        reading: s.reading,
        support: s.support,
        lemma,
        status,
        certainty: Certainty::new(certainty),
        evidence: [Evidence::of(why)].into(),
    }
}

/// The classic before a note.
fn classic(document: &Document, before: &mut ClassicBefore, note: usize) -> WordsBefore {
    before.go_on(document, note);
    let end = before.key.len();
    let key = before.key.part(end.saturating_sub(MAX_CHARS_BEFORE)..end);
    let last = document.segments[..note].iter().rposition(is_classic);
    let start = last.map_or(0, |i| run_start(document, i));
    let own = key.index_at(start);
    WordsBefore { key, own }
}

/// Start of the run of the classic that ends with segment `i`: after the last note.
fn run_start(document: &Document, i: usize) -> usize {
    let before = document.segments[..i]
        .iter()
        .rposition(|s| s.layer.is_text() && !matches!(s.layer, Layer::Jing | Layer::Zhuan));
    before.map_or(0, |b| document.segments[b].span.end())
}

/// The text right before an editor's note, whatever its layer.
fn interrupted(document: &Document, note: usize, _: Span) -> WordsBefore {
    let mut spans: Vec<Span> = Vec::new();
    let mut n = 0;
    for s in
        document.segments[..note].iter().rev().filter(|s| s.layer.is_text() && s.layer != Layer::An)
    {
        spans.push(s.span);
        n += Key::of(document.source.text(), s.span).len();
        if n >= MAX_CLOSE_CHARS {
            break;
        }
    }
    let key = Key::of_spans(document.source.text(), spans.into_iter().rev());
    let key = key.part(key.len().saturating_sub(MAX_CLOSE_CHARS)..key.len());
    let own = key.len().saturating_sub(MAX_CLOSE_CHARS / 2);
    WordsBefore { key, own }
}

type LemmaPlace = (Span, Status, f64, EvidenceKind);

/// The last exact occurrence of the words.
fn word(text_before: &WordsBefore, words: &[char]) -> Option<LemmaPlace> {
    let hit = find_within(&text_before.key.chars, 0..text_before.key.len(), words, 0)
        .into_iter()
        .next_back()?;
    let certainty = if hit.from >= text_before.own { 0.95 } else { 0.75 };
    Some((
        text_before.key.span(hit.from, hit.to),
        Status::Exact,
        certainty,
        EvidenceKind::WordOfTheClassicBefore,
    ))
}

/// The words where `beside` comes right after or before them.
fn together(text_before: &WordsBefore, words: &[char], beside: &[char]) -> Option<LemmaPlace> {
    let at = |row: Vec<char>| {
        find_within(&text_before.key.chars, 0..text_before.key.len(), &row, 0)
            .into_iter()
            .next_back()
    };
    let before = at([words, beside].concat()).map(|h| (h.from, h.from + words.len()));
    let (from, to) =
        before.or_else(|| at([beside, words].concat()).map(|h| (h.to - words.len(), h.to)))?;
    Some((
        text_before.key.span(from, to),
        Status::Exact,
        0.95,
        EvidenceKind::WordOfTheClassicBefore,
    ))
}

/// Three or more characters where the text almost has them; else their longest tail that the text
/// has.
fn part(text_before: &WordsBefore, words: &[char]) -> Option<LemmaPlace> {
    let near = if words.len() >= 3 {
        find_within(
            &text_before.key.chars,
            text_before.own..text_before.key.len(),
            words,
            words.len() / 3,
        )
    } else {
        vec![]
    };
    if let Some(hit) = near.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from))) {
        return Some((
            text_before.key.span(hit.from, hit.to),
            Status::Variant,
            0.7,
            EvidenceKind::WordOfTheClassicBefore,
        ));
    }
    let tail = (1..words.len()).find_map(|cut| word(text_before, &words[cut..]));
    tail.map(|(span, _, certainty, why)| (span, Status::Variant, certainty * 0.7, why))
}

/// If only the other reading is given: the words most like it in the run before the note, else
/// further back.
fn alike(text_before: &WordsBefore, reading: &[char]) -> Option<LemmaPlace> {
    let n = reading.len();
    let max = match n {
        0 | 1 => return None,
        2 => 1,
        3 => 1,
        _ => n / 2,
    };
    if let Some(at) = permuted(&text_before.key.chars, text_before.own, reading) {
        return Some((
            text_before.key.span(at, at + n),
            Status::Variant,
            0.8,
            EvidenceKind::MostLikeTheReading,
        ));
    }
    let within = |from: usize| {
        let hits = find_within(&text_before.key.chars, from..text_before.key.len(), reading, max);
        hits.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from)))
    };
    let hit = within(text_before.own).or_else(|| (n > 2).then(|| within(0)).flatten())?;
    let near = 1.0 - hit.diff as f64 / n as f64;
    let certainty = (if hit.from >= text_before.own { 0.9 } else { 0.6 }) * near.max(0.5);
    Some((
        text_before.key.span(hit.from, hit.to),
        Status::Variant,
        certainty,
        EvidenceKind::MostLikeTheReading,
    ))
}

/// Where the same characters are in another order: 還右 for 右還.
fn permuted(text: &[char], from: usize, words: &[char]) -> Option<usize> {
    let sorted = |w: &[char]| {
        let mut w = w.to_vec();
        w.sort_unstable();
        w
    };
    let (own, want) = (text.get(from..)?, sorted(words));
    own.windows(words.len()).rposition(|w| w != words && sorted(w) == want).map(|i| i + from)
}

/// The character before an editor's note.
fn point(text_before: &WordsBefore) -> Option<LemmaPlace> {
    let last = text_before.key.len().checked_sub(1)?;
    Some((text_before.key.span(last, last + 1), Status::Exact, 0.9, EvidenceKind::PlaceOfTheNote))
}
