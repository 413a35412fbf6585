//! Finds the words of the text that a statement is about.

use super::statement::Statement;
use crate::corpus::{Stream, View};
use crate::model::{
    ApparatusEntry, Certainty, Difference, Document, Evidence, EvidenceKind, Layer, Status,
};
use crate::source::Span;
use crate::text::Key;
use crate::text::find::find_within;

/// Characters of the classic before a 注 in which its words are looked for.
const MAX_CHARS_BEFORE: usize = 60;
/// Characters of the text before an editor's note.
const MAX_CLOSE_CHARS: usize = 40;

/// The words before the note, comparable, with their places; and what of them the note stands on
/// more closely: the run of the classic that it follows.
struct WordsBefore {
    key: Key,
    /// Characters from here on stand since the last note of the kind.
    own: usize,
}

/// Makes an entry of a statement in segment number `note`.
pub fn entry(document: &Document, view: &View, note: usize, s: Statement) -> ApparatusEntry {
    let scene =
        if s.close { interrupted(document, note, s.span) } else { classic(document, view, note) };
    let text = document.source.text();
    let chars = |span: Span| Key::of(text, span).chars;
    let found = match (s.named, s.reading) {
        (Some(named), _) => s
            .beside
            .and_then(|b| together(&scene, &chars(named), &chars(b)))
            .or_else(|| word(&scene, &chars(named)))
            .or_else(|| part(&scene, &chars(named))),
        (None, Some(_)) if s.difference == Difference::Adds => point(&scene),
        (None, Some(reading)) => alike(&scene, &chars(reading)),
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
        evidence: vec![Evidence::of(why)],
    }
}

/// The classic before a note.
fn classic(document: &Document, view: &View, note: usize) -> WordsBefore {
    let end = view.base.index_at(document.segments[note].span.start());
    let from = end.saturating_sub(MAX_CHARS_BEFORE);
    let key = sliced(view.stream(Stream::Base), from, end);
    let last = document.segments[..note]
        .iter()
        .rposition(|s| crate::corpus::view::stream_of(s.layer) == Some(Stream::Base));
    let start = last.map_or(0, |i| run_start(document, i));
    let own = key.index_at(start);
    WordsBefore { key, own }
}

/// Where the run of the classic begins that ends with segment `i`: after the last note.
fn run_start(document: &Document, i: usize) -> usize {
    let before = document.segments[..i]
        .iter()
        .rposition(|s| s.layer.is_text() && !matches!(s.layer, Layer::Jing | Layer::Zhuan));
    before.map_or(0, |b| document.segments[b].span.end())
}

/// What an editor's note interrupts: the text right before it, whatever its layer. A note may speak
/// of words after it.
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
    let key = sliced(&key, key.len().saturating_sub(MAX_CLOSE_CHARS), key.len());
    let own = key.len().saturating_sub(MAX_CLOSE_CHARS / 2);
    WordsBefore { key, own }
}

fn sliced(key: &Key, from: usize, to: usize) -> Key {
    Key {
        chars: key.chars[from..to].to_vec(),
        at: key.at[from..to].to_vec(),
        ends: key.ends[from..to].to_vec(),
    }
}

type LemmaPlace = (Span, Status, f64, EvidenceKind);

/// The last place where the words stand to the letter.
fn word(scene: &WordsBefore, words: &[char]) -> Option<LemmaPlace> {
    let hit =
        find_within(&scene.key.chars, 0..scene.key.len(), words, 0).into_iter().next_back()?;
    let certainty = if hit.from >= scene.own { 0.95 } else { 0.75 };
    Some((
        scene.key.span(hit.from, hit.to),
        Status::Exact,
        certainty,
        EvidenceKind::WordOfTheClassicBefore,
    ))
}

/// Words where others stand right after or before them.
fn together(scene: &WordsBefore, words: &[char], beside: &[char]) -> Option<LemmaPlace> {
    let at = |row: Vec<char>| {
        find_within(&scene.key.chars, 0..scene.key.len(), &row, 0).into_iter().next_back()
    };
    let before = at([words, beside].concat()).map(|h| (h.from, h.from + words.len()));
    let (from, to) =
        before.or_else(|| at([beside, words].concat()).map(|h| (h.to - words.len(), h.to)))?;
    Some((scene.key.span(from, to), Status::Exact, 0.95, EvidenceKind::WordOfTheClassicBefore))
}

/// Of words that run on from others, the last that stand in the text; of longer ones, where they
/// nearly stand.
fn part(scene: &WordsBefore, words: &[char]) -> Option<LemmaPlace> {
    let near = if words.len() >= 3 {
        find_within(&scene.key.chars, scene.own..scene.key.len(), words, words.len() / 3)
    } else {
        vec![]
    };
    if let Some(hit) = near.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from))) {
        return Some((
            scene.key.span(hit.from, hit.to),
            Status::Variant,
            0.7,
            EvidenceKind::WordOfTheClassicBefore,
        ));
    }
    let tail = (1..words.len()).find_map(|cut| word(scene, &words[cut..]));
    tail.map(|(span, _, certainty, why)| (span, Status::Variant, certainty * 0.7, why))
}

/// Where only the other reading is told: the words most like it in what the note stands on, else
/// before.
fn alike(scene: &WordsBefore, reading: &[char]) -> Option<LemmaPlace> {
    let n = reading.len();
    let max = match n {
        0 | 1 => return None,
        2 => 1,
        3 => 1,
        _ => n / 2,
    };
    if let Some(at) = permuted(&scene.key.chars, scene.own, reading) {
        return Some((
            scene.key.span(at, at + n),
            Status::Variant,
            0.8,
            EvidenceKind::MostLikeTheReading,
        ));
    }
    let within = |from: usize| {
        let hits = find_within(&scene.key.chars, from..scene.key.len(), reading, max);
        hits.into_iter().min_by_key(|h| (h.diff, std::cmp::Reverse(h.from)))
    };
    let hit = within(scene.own).or_else(|| (n > 2).then(|| within(0)).flatten())?;
    let near = 1.0 - hit.diff as f64 / n as f64;
    let certainty = (if hit.from >= scene.own { 0.9 } else { 0.6 }) * near.max(0.5);
    Some((
        scene.key.span(hit.from, hit.to),
        Status::Variant,
        certainty,
        EvidenceKind::MostLikeTheReading,
    ))
}

/// Where the same characters stand in another order: 還右 for 右還.
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
fn point(scene: &WordsBefore) -> Option<LemmaPlace> {
    let last = scene.key.len().checked_sub(1)?;
    Some((scene.key.span(last, last + 1), Status::Exact, 0.9, EvidenceKind::PlaceOfTheNote))
}
