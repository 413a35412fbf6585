//! Cuts a classic without punctuation by its translation.
//!
//! A hidden Markov model reads the classic character by character. Its states are the clauses of
//! the translation, in order, and a state without counterpart after each. A clause emits the
//! characters that the lexicon expects of it, lasts about as long as its own length predicts, and
//! is left more easily at the end of a note or line. The most probable path (Viterbi) gives the
//! sentence of the translation for each character; where that changes, the classic is cut. Text
//! without counterpart stays cut as in the source.

use super::lexicon::{Lexicon, NULL_SHARE, Scratch};
use super::pair::TokenSide;
use super::units::{TextUnit, unit};
use crate::model::{Document, Segment};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence, is_content};

/// Largest table (characters × clauses); longer texts stay cut as in the source.
const MAX_TABLE_CELLS: usize = 1 << 24;
/// Expected characters of the translation for one of the classic.
const TRANSLATION_CHARS_PER_CHAR: f32 = 1.6;
/// Log probability of skipping clauses of the translation.
const SKIP_LOG_PROBABILITY: f32 = -4.0;
/// Log probability of entering text without counterpart.
const ALONE_LOG_PROBABILITY: f32 = -5.0;
/// Log odds of a cut at the end of a segment, and at any other place.
const SEGMENT_END_LOG_ODDS: f32 = 1.5;
const ELSEWHERE_LOG_ODDS: f32 = -0.7;

/// A character of the classic.
struct Letter {
    at: usize,
    /// Number of its piece (text between marks).
    piece: usize,
    segment: usize,
}

/// True if there is less than one punctuation mark in 40 characters.
pub fn is_unpunctuated(text: &str, segments: &[&Segment]) -> bool {
    let chars = || segments.iter().flat_map(|s| text[s.span.range()].chars());
    let marks = chars().filter(|c| ends_sentence(*c) || ends_clause(*c)).count();
    let letters = chars().filter(|c| is_content(*c)).count();
    letters > 20 && marks * 40 < letters
}

/// The clauses of the translation, with the indices of its side, and the sentence of each.
pub struct Clauses {
    /// Their characters.
    pub side: TokenSide,
    /// The sentence of each clause.
    pub sentence: Vec<usize>,
}

/// Cuts the classic into units. `left` has its characters in the order of `segments`.
pub fn cut(
    document: &Document,
    segments: &[&Segment],
    left: &TokenSide,
    clauses: &Clauses,
    lexicon: &Lexicon,
) -> Option<Vec<TextUnit>> {
    let pieces = pieces(document, segments);
    let letters = letters(document, &pieces);
    let states = clauses.side.len();
    if letters.len() != left.tokens.len() || states == 0 || letters.len() * states > MAX_TABLE_CELLS
    {
        return None;
    }
    let path = Model { left, clauses, lexicon }.path(&letters);
    let same = |a: usize, b: usize| {
        let key = |k: usize| path[k].map(|c| clauses.sentence[c]).ok_or(letters[k].segment);
        key(a) == key(b)
    };
    let mut starts: Vec<usize> =
        (0..letters.len()).filter(|&k| k == 0 || !same(k - 1, k)).collect();
    starts.push(letters.len());
    Some(starts.windows(2).map(|w| unit_of(document, &pieces, &letters, w[0], w[1])).collect())
}

/// The pieces of text between the marks inside segments, each with the number of its segment.
fn pieces(document: &Document, segments: &[&Segment]) -> Vec<(Span, usize)> {
    segments
        .iter()
        .enumerate()
        .flat_map(|(n, s)| document.without_marks(s.span).map(move |piece| (piece, n)))
        .collect()
}

fn letters(document: &Document, pieces: &[(Span, usize)]) -> Vec<Letter> {
    let text = document.source.text();
    let of = |(piece, &(span, segment)): (usize, &(Span, usize))| {
        Key::of(text, span).at.into_iter().map(move |at| Letter { at: at as usize, piece, segment })
    };
    pieces.iter().enumerate().flat_map(of).collect()
}

/// The unit of letters `from..to`, with the text between them; blanks and marks before a letter
/// belong to the letter before.
fn unit_of(
    document: &Document,
    pieces: &[(Span, usize)],
    letters: &[Letter],
    from: usize,
    to: usize,
) -> TextUnit {
    let text = document.source.text();
    let mut spans = Vec::new();
    let mut k = from;
    while k < to {
        let piece = letters[k].piece;
        let whole = pieces[piece].0;
        let end = k + letters[k..to].iter().take_while(|l| l.piece == piece).count();
        let first = k == 0 || letters[k - 1].piece != piece;
        let last = letters.get(end).is_none_or(|l| l.piece != piece);
        let start = if first { whole.start() } else { letters[k].at };
        let stop = if last { whole.end() } else { letters[end].at };
        let words = &text[start..stop];
        let start = stop - words.trim_start().len();
        spans.push(Span::new(start, start + words.trim().len()));
        k = end;
    }
    unit(text, spans)
}

struct Model<'a> {
    left: &'a TokenSide,
    clauses: &'a Clauses,
    lexicon: &'a Lexicon,
}

/// Codes for the state before, on the best path: a state without counterpart, and the start.
const FROM_ALONE: u32 = 1 << 31;
const START: u32 = u32::MAX;

impl Model<'_> {
    /// The clause of each letter.
    fn path(&self, letters: &[Letter]) -> Vec<Option<usize>> {
        let states = self.clauses.side.len();
        let leave: Vec<f32> = (0..states)
            .map(|k| {
                (TRANSLATION_CHARS_PER_CHAR / self.clauses.side.chars_in(k, k + 1).max(2) as f32)
                    .min(0.8)
            })
            .collect();
        let mut here = vec![f32::NEG_INFINITY; states];
        let mut alone = vec![f32::NEG_INFINITY; states + 1];
        let mut from = vec![START; letters.len() * states];
        let mut from_alone = vec![START; letters.len() * (states + 1)];
        let mut scratch = Scratch::default();
        scratch.prepare(self.lexicon);
        for (n, letter) in letters.iter().enumerate() {
            let seam = if n > 0 && letters[n - 1].segment != letter.segment {
                SEGMENT_END_LOG_ODDS
            } else {
                ELSEWHERE_LOG_ODDS
            };
            let emit = self.emissions(self.left.tokens[n], &mut scratch);
            let (old, old_alone) = (here.clone(), alone.clone());
            // Best way to leave any earlier clause, or any earlier text without counterpart.
            let (mut far, mut far_alone) = ((f32::NEG_INFINITY, START), (f32::NEG_INFINITY, START));
            for k in 0..states {
                let mut best = if n == 0 {
                    (if k == 0 { 0.0 } else { SKIP_LOG_PROBABILITY }, START)
                } else {
                    (f32::NEG_INFINITY, START)
                };
                let mut offer = |value: f32, at: u32| {
                    if value > best.0 {
                        best = (value, at);
                    }
                };
                offer(old[k] + (1.0 - leave[k]).ln(), k as u32);
                if k > 0 {
                    offer(old[k - 1] + leave[k - 1].ln() + seam, k as u32 - 1);
                }
                offer(far.0 + SKIP_LOG_PROBABILITY + seam, far.1);
                offer(old_alone[k] + seam, k as u32 | FROM_ALONE);
                offer(far_alone.0 + SKIP_LOG_PROBABILITY + seam, far_alone.1);
                if k > 0 && old[k - 1] + leave[k - 1].ln() > far.0 {
                    far = (old[k - 1] + leave[k - 1].ln(), k as u32 - 1);
                }
                if old_alone[k] > far_alone.0 {
                    far_alone = (old_alone[k], k as u32 | FROM_ALONE);
                }
                here[k] = best.0 + emit[k];
                from[n * states + k] = best.1;
            }
            for k in 0..=states {
                let entered = if k == 0 {
                    if n == 0 { ALONE_LOG_PROBABILITY / 2.0 } else { f32::NEG_INFINITY }
                } else {
                    old[k - 1] + leave[k - 1].ln() + ALONE_LOG_PROBABILITY + seam
                };
                let stays = old_alone[k];
                alone[k] = entered.max(stays);
                from_alone[n * (states + 1) + k] = match (stays >= entered, k) {
                    (true, _) => k as u32 | FROM_ALONE,
                    (false, 0) => START,
                    (false, _) => k as u32 - 1,
                };
            }
        }
        self.walk_back(letters.len(), &here, &alone, &from, &from_alone)
    }

    fn walk_back(
        &self,
        letters: usize,
        here: &[f32],
        alone: &[f32],
        from: &[u32],
        from_alone: &[u32],
    ) -> Vec<Option<usize>> {
        let best = |of: &[f32]| (0..of.len()).max_by(|a, b| of[*a].total_cmp(&of[*b])).unwrap_or(0);
        let (k, a) = (best(here), best(alone));
        let mut state = if here[k] >= alone[a] { k as u32 } else { a as u32 | FROM_ALONE };
        let states = here.len();
        let mut path = vec![None; letters];
        for n in (0..letters).rev() {
            if state == START {
                break;
            }
            let k = (state & !FROM_ALONE) as usize;
            if state & FROM_ALONE == 0 {
                path[n] = Some(k);
                state = from[n * states + k];
            } else {
                state = from_alone[n * (states + 1) + k];
            }
        }
        path
    }

    /// Log odds of a character given each clause.
    fn emissions(&self, token: u16, scratch: &mut Scratch<'_>) -> Vec<f32> {
        let side = &self.clauses.side;
        let mut sums = vec![0.0; side.len()];
        scratch.back_sums(token, side, 0..side.len(), &mut sums);
        let log_odds = |(k, sum): (usize, f32)| {
            let each = (1.0 - NULL_SHARE) / side.chars_in(k, k + 1).max(1) as f32;
            (NULL_SHARE + each * sum).ln()
        };
        sums.into_iter().enumerate().map(log_odds).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::Prior;
    use super::*;
    use proptest::prelude::*;

    /// A state of the model, as its description at the head of the file names them.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum State {
        Clause(usize),
        /// Without counterpart, before clause `k`.
        Alone(usize),
    }

    /// Log probability of a step from one state to the next, or of the first state.
    fn step(from: Option<State>, to: State, seam: f32, leave: &[f32]) -> f32 {
        use State::*;
        let skip = |skips: bool| if skips { SKIP_LOG_PROBABILITY } else { 0.0 };
        match (from, to) {
            (None, Clause(k)) => skip(k > 0),
            (None, Alone(0)) => ALONE_LOG_PROBABILITY / 2.0,
            (Some(Clause(j)), Clause(k)) if j == k => (1.0 - leave[j]).ln(),
            (Some(Clause(j)), Clause(k)) if j < k => leave[j].ln() + skip(j + 1 < k) + seam,
            (Some(Alone(j)), Clause(k)) if j <= k => skip(j < k) + seam,
            (Some(Clause(j)), Alone(k)) if j + 1 == k => {
                leave[j].ln() + ALONE_LOG_PROBABILITY + seam
            }
            (Some(Alone(j)), Alone(k)) if j == k => 0.0,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Log probability of the best path through the allowed states, from all pairs of states.
    fn best(model: &Model<'_>, letters: &[Letter], allowed: impl Fn(usize, State) -> bool) -> f32 {
        let side = &model.clauses.side;
        let leave: Vec<f32> = (0..side.len())
            .map(|k| (TRANSLATION_CHARS_PER_CHAR / side.chars_in(k, k + 1).max(2) as f32).min(0.8))
            .collect();
        let states: Vec<State> =
            (0..side.len()).map(State::Clause).chain((0..=side.len()).map(State::Alone)).collect();
        let (mut scratch, mut before) = (Scratch::default(), Vec::new());
        scratch.prepare(model.lexicon);
        for (n, letter) in letters.iter().enumerate() {
            let ends = n > 0 && letters[n - 1].segment != letter.segment;
            let seam = if ends { SEGMENT_END_LOG_ODDS } else { ELSEWHERE_LOG_ODDS };
            let emit = model.emissions(model.left.tokens[n], &mut scratch);
            let reach = |to: State| match before.is_empty() {
                true => step(None, to, seam, &leave),
                false => states
                    .iter()
                    .zip(&before)
                    .map(|(from, p)| p + step(Some(*from), to, seam, &leave))
                    .fold(f32::NEG_INFINITY, f32::max),
            };
            let here = |to: &State| match to {
                to if !allowed(n, *to) => f32::NEG_INFINITY,
                State::Clause(k) => reach(*to) + emit[*k],
                State::Alone(_) => reach(*to),
            };
            before = states.iter().map(here).collect();
        }
        before.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// A clause that both texts have, clauses that only the translation has, and text of the classic
    /// without counterpart.
    fn part() -> impl Strategy<Value = (String, Vec<String>, String)> {
        let clause = "[甲乙丙丁戊己庚辛壬癸天地人日月山水火木金]{2,6}";
        (clause, prop::collection::vec(clause, 0..6), "[子丑寅]{0,4}")
    }

    fn whole(text: &str) -> TextUnit {
        unit(text, vec![Span::new(0, text.len())])
    }

    proptest! {
        #[test]
        fn the_path_is_one_of_the_most_probable(
            parts in prop::collection::vec(part(), 1..8),
            segment in 1..12usize,
        ) {
            let classic: String = parts.iter().flat_map(|(clause, _, own)| [clause, own]).cloned().collect();
            let clauses = parts.iter().flat_map(|(clause, dropped, _)| std::iter::once(clause).chain(dropped));
            let left = TokenSide::new(&[whole(&classic)]);
            let units: Vec<TextUnit> = clauses.map(|c| whole(c)).collect();
            let right = TokenSide::new(&units);
            let lexicon = Prior::new(&left, &right, false).lexicon();
            let clauses = Clauses { side: right, sentence: (0..units.len()).collect() };
            let letters: Vec<Letter> = (0..left.tokens.len()).map(|at| Letter { at, piece: 0, segment: at / segment }).collect();
            let model = Model { left: &left, clauses: &clauses, lexicon: &lexicon };
            let path = model.path(&letters);
            let on_path = |n: usize, state: State| match state {
                State::Clause(k) => path[n] == Some(k),
                State::Alone(_) => path[n].is_none(),
            };
            let (found, most) = (best(&model, &letters, on_path), best(&model, &letters, |_, _| true));
            prop_assert!(found > most - 0.01, "{found} < {most}: {classic} {path:?}");
        }
    }
}
