//! Where the text continues after a note that a mark opens and nothing closes:
//! `子曰：學而時習之，〔注〕學，效也。有朋自遠方來，〔注〕…`.
//!
//! The book itself shows how its text and its notes read: before the first mark of a line there is
//! text, after a mark there is a note. Two character models learn from these places, judge the
//! rest, and learn again from the result. A sentence is more likely text if the next note repeats
//! its words, and more likely note if it repeats words before its own mark. A note ends with a
//! sentence, and outside quotation marks.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use crate::source::Span;
use crate::text::class::{closes, ends_sentence, is_content};
use crate::text::{pattern, sound};

/// How another note without a mark opens: 釋文云：, 某某案：.
static OPENS_NOTE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[\s○◯]*\p{Han}{0,5}(?:云|案|按|注)[：:]"));
/// The evidence of such an opening, or of a gloss on a sound, against text, in nats.
const NOTE_COST: f64 = 6.0;

/// Rounds of learning and judging.
const ROUNDS: usize = 4;
/// Weight of the models of characters: they count the same evidence several times.
const MODEL_WEIGHT: f64 = 0.25;
/// Weight of repeated words.
const ECHO_WEIGHT: f64 = 2.0;
/// Cost of an open quotation at the end of a note, in nats.
const OPEN_QUOTE_COST: f64 = 3.0;
/// Characters before a mark, and after the next, in which words are looked for.
const CHARS_BEFORE: usize = 40;
const CHARS_AFTER: usize = 60;
/// Prior probability that text follows a note before a mark of its own kind, before a mark of
/// another kind, and before the end of its line; and the limits of these.
const AT_FIRST: [f64; 3] = [0.9, 0.3, 0.2];
const LIMITS: (f64, f64) = (0.02, 0.98);
/// Smoothing: added to counts of characters, and weight of these in counts of pairs.
const ADDED: f64 = 0.5;
const CHARACTERS: f64 = 2500.0;
const BACKOFF: f64 = 5.0;

/// A note and what may follow it, up to the next mark or the end of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoteStretch {
    pub(super) span: Span,
    /// The kind of its mark, and of the mark after it in the same line.
    pub(super) kind: usize,
    pub(super) next: Option<usize>,
    /// The part of the line before its mark.
    pub(super) before: Span,
}

/// For each stretch, the byte where text begins in it, and the certainty of that.
pub(super) fn cuts(
    text: &str,
    clear: &[Span],
    stretches: &[NoteStretch],
) -> Vec<Option<(usize, f64)>> {
    let mut ids = CharIds::default();
    let mut work: Vec<StretchWork> =
        stretches.iter().map(|s| StretchWork::new(text, s, &mut ids)).collect();
    for n in 0..work.len() {
        let after = stretches[n].next.and_then(|_| stretches.get(n + 1)).map(|s| s.span);
        work[n].take_up(text, stretches[n].before, after, &mut ids);
    }
    let clear: Vec<Vec<PairId>> = clear.iter().map(|s| ids.of(content(&text[s.range()]))).collect();
    let mut priors: FxHashMap<(usize, Option<usize>), f64> = FxHashMap::default();
    for _ in 0..ROUNDS {
        let mut counts = PairCounts::new(&ids);
        clear.iter().for_each(|c| counts.learn(c, 1.0));
        for sentence in work.iter().flat_map(|w| &w.sentences) {
            counts.learn(&sentence.chars, sentence.is_text);
        }
        let gains = counts.gains(&ids);
        let mut sums: FxHashMap<(usize, Option<usize>), (f64, f64)> = FxHashMap::default();
        for (w, s) in work.iter_mut().zip(stretches) {
            let key = (s.kind, s.next);
            let prior = priors.get(&key).copied().unwrap_or_else(|| at_first(s));
            let goes_on = w.judge(&gains, prior);
            let sum = sums.entry(key).or_insert((at_first(s), 1.0));
            *sum = (sum.0 + goes_on, sum.1 + 1.0);
        }
        priors =
            sums.into_iter().map(|(k, (a, n))| (k, (a / n).clamp(LIMITS.0, LIMITS.1))).collect();
    }
    work.iter().map(|w| w.best).collect()
}

fn at_first(s: &NoteStretch) -> f64 {
    match s.next {
        Some(next) if next == s.kind => AT_FIRST[0],
        Some(_) => AT_FIRST[1],
        None => AT_FIRST[2],
    }
}

fn content(words: &str) -> impl DoubleEndedIterator<Item = char> {
    words.chars().filter(|c| is_content(*c))
}

/// The number of a pair of characters: one of a sentence, and the one before it.
type PairId = u32;

/// Numbers of all characters and pairs; character 0 is the start of a sentence.
#[derive(Debug, Default)]
struct CharIds {
    chars: FxHashMap<char, u32>,
    numbers: FxHashMap<(u32, u32), PairId>,
    /// The two characters of each pair.
    pairs: Vec<(u32, u32)>,
}

impl CharIds {
    fn of(&mut self, chars: impl Iterator<Item = char>) -> Vec<PairId> {
        let mut before = 0;
        chars
            .map(|c| {
                let next = self.chars.len() as u32 + 1;
                let this = *self.chars.entry(c).or_insert(next);
                let pair = (std::mem::replace(&mut before, this), this);
                *self.numbers.entry(pair).or_insert_with(|| {
                    self.pairs.push(pair);
                    self.pairs.len() as u32 - 1
                })
            })
            .collect()
    }
}

/// The pairs of a sentence, in order, each once.
fn pairs(chars: &[PairId]) -> Vec<PairId> {
    let mut pairs: Vec<PairId> = chars.iter().skip(1).copied().collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// A sentence of a stretch.
#[derive(Debug)]
struct StretchSentence {
    chars: Vec<PairId>,
    end: usize,
    /// Quotation marks that are open at its end.
    open: i32,
    /// The evidence for text from its form and from the words that it repeats, in nats.
    evidence: f64,
    /// Probability that it is text.
    is_text: f64,
}

#[derive(Debug)]
struct StretchWork {
    sentences: Vec<StretchSentence>,
    best: Option<(usize, f64)>,
}

impl StretchWork {
    fn new(text: &str, stretch: &NoteStretch, ids: &mut CharIds) -> Self {
        let span = stretch.span;
        let mut sentences: Vec<StretchSentence> = vec![];
        let (mut from, mut open) = (span.start(), 0);
        for end in ends(text, span) {
            let words = &text[from..end];
            for c in words.chars() {
                open += i32::from(matches!(c, '“' | '‘' | '「' | '『'));
                open -= i32::from(matches!(c, '”' | '’' | '」' | '』'));
            }
            let chars = ids.of(content(words));
            let is_text = if stretch.next == Some(stretch.kind) { 0.5 } else { 0.15 };
            let is_note = OPENS_NOTE.is_match(words) || sound::is_gloss(words);
            let evidence = if is_note { -NOTE_COST } else { 0.0 };
            sentences.push(StretchSentence { chars, end, open, evidence, is_text });
            from = end;
        }
        sentences[0].is_text = 0.0;
        let last = sentences.len() - 1;
        if last > 0 && stretch.next == Some(stretch.kind) {
            sentences[last].is_text = 1.0;
        }
        StretchWork { sentences, best: None }
    }

    /// Weighs words of the sentences that also occur before the mark or in the next note.
    fn take_up(&mut self, text: &str, before: Span, after: Option<Span>, ids: &mut CharIds) {
        let mut tail: Vec<char> = content(&text[before.range()]).rev().take(CHARS_BEFORE).collect();
        tail.reverse();
        let before = pairs(&ids.of(tail.into_iter()));
        let after = after
            .map(|s| pairs(&ids.of(content(&text[s.range()]).take(CHARS_AFTER))))
            .unwrap_or_default();
        for s in &mut self.sentences {
            let own = pairs(&s.chars);
            let shared = |others: &[u32]| {
                own.iter().filter(|p| others.binary_search(p).is_ok()).count() as f64
            };
            let difference = shared(&after) - shared(&before);
            s.evidence += ECHO_WEIGHT * difference / (own.len() as f64 + 2.0).sqrt();
        }
    }

    /// Judges all places where text may begin; returns the probability that it begins at one of
    /// them.
    fn judge(&mut self, of_pairs: &[f64], prior: f64) -> f64 {
        let n = self.sentences.len();
        let gain = |s: &StretchSentence| s.chars.iter().map(|p| of_pairs[*p as usize]).sum::<f64>();
        let gains: Vec<f64> =
            self.sentences.iter().map(|s| MODEL_WEIGHT * gain(s) + s.evidence).collect();
        // Score of text from sentence q on; q = n for none.
        let mut scores = vec![(1.0 - prior).ln(); n + 1];
        let mut gain = 0.0;
        for q in (1..n).rev() {
            gain += gains[q];
            let quote = OPEN_QUOTE_COST * f64::from(self.sentences[q - 1].open.max(0));
            scores[q] = gain + prior.ln() - ((n - 1) as f64).ln() - quote;
        }
        let most = scores[1..].iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = scores[1..].iter().map(|s| (s - most).exp()).collect();
        let all: f64 = weights.iter().sum();
        let mut so_far = 0.0;
        for (s, w) in self.sentences.iter_mut().skip(1).zip(&weights) {
            so_far += w / all;
            s.is_text = so_far;
        }
        let (q, w) = weights
            .iter()
            .enumerate()
            .fold((0, 0.0), |best, (q, w)| if *w > best.1 { (q, *w) } else { best });
        self.best = (q + 1 < n).then(|| (self.sentences[q].end, w / all));
        1.0 - weights[n - 1] / all
    }
}

/// Ends of sentences, with the closing marks after them; the last is the end of the span.
fn ends(text: &str, span: Span) -> Vec<usize> {
    let mut found = vec![];
    let mut ended = false;
    for (i, c) in text[span.range()].char_indices() {
        if ended && !closes(c) && !ends_sentence(c) {
            found.push(span.start() + i);
            ended = false;
        }
        ended |= ends_sentence(c);
    }
    found.push(span.end());
    found
}

/// How often each pair of characters is in the text and in the notes: two models of which character
/// follows which, by the numbers of [`CharIds`].
#[derive(Debug)]
struct PairCounts {
    /// Of each pair: in text, in notes.
    counts: Vec<[f64; 2]>,
}

impl PairCounts {
    fn new(ids: &CharIds) -> Self {
        PairCounts { counts: vec![[0.0; 2]; ids.pairs.len()] }
    }

    /// Learns a sentence that is text with this probability.
    fn learn(&mut self, chars: &[PairId], is_text: f64) {
        // Too little to change anything.
        let weight = |w: f64| if w < 0.01 { 0.0 } else { w };
        let (text, note) = (weight(is_text), weight(1.0 - is_text));
        for pair in chars {
            let [in_text, in_notes] = &mut self.counts[*pair as usize];
            *in_text += text;
            *in_notes += note;
        }
    }

    /// How much likelier each pair is in the text than in the notes, in nats.
    fn gains(&self, ids: &CharIds) -> Vec<f64> {
        let kinds = ids.chars.len() + 1;
        // Of each character: how often it is there, and how often another follows it.
        let (mut here, mut before) = (vec![[0.0; 2]; kinds], vec![[0.0; 2]; kinds]);
        let mut all = [0.0; 2];
        for ((first, second), counts) in ids.pairs.iter().zip(&self.counts) {
            for side in 0..2 {
                here[*second as usize][side] += counts[side];
                before[*first as usize][side] += counts[side];
                all[side] += counts[side];
            }
        }
        let probability = |(first, second): (u32, u32), counts: &[f64; 2], side: usize| {
            let alone = (here[second as usize][side] + ADDED) / (all[side] + CHARACTERS);
            (counts[side] + BACKOFF * alone) / (before[first as usize][side] + BACKOFF)
        };
        let pairs = ids.pairs.iter().zip(&self.counts);
        pairs.map(|(p, n)| (probability(*p, n, 0) / probability(*p, n, 1)).ln()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_behind_its_closing_marks() {
        let text = "曰：「學。」效也！而";
        let got: Vec<&str> =
            ends(text, Span::new(0, text.len())).iter().map(|e| &text[..*e]).collect();
        assert_eq!(got, ["曰：「學。」", "曰：「學。」效也！", text]);
    }

    #[test]
    fn text_that_the_next_note_takes_up_is_text() {
        let line =
            "學而時習之，〔注〕學，效也。習，數飛也。有朋自遠方來，〔注〕朋自遠方來，類從也。";
        let at = |words: &str, n: usize| line.match_indices(words).nth(n).unwrap().0;
        let mark = "〔注〕".len();
        let (first, second) = (at("〔注〕", 0), at("〔注〕", 1));
        let stretches = [
            NoteStretch {
                span: Span::new(first + mark, second),
                kind: 0,
                next: Some(0),
                before: Span::new(0, first),
            },
            NoteStretch {
                span: Span::new(second + mark, line.len()),
                kind: 0,
                next: None,
                before: Span::new(0, second),
            },
        ];
        let got = cuts(line, &[Span::new(0, first)], &stretches);
        assert_eq!(got[0].map(|(at, _)| at), Some(at("有朋", 0)));
        assert_eq!(got[1], None);
    }
}
