//! Cuts a classic without punctuation by its translation.
//!
//! A hidden Markov model reads the classic character by character. Its states are the clauses of
//! the translation, in order, and a state without counterpart after each. A clause emits the
//! characters that the lexicon expects of it, lasts about as long as its own length predicts, and
//! is left more easily at the end of a note or line. The most probable path (Viterbi) gives the
//! sentence of the translation for each character; where that changes, the classic is cut. Text
//! without counterpart stays cut as in the source.

use std::ops::Range;

use super::band::Band;
use super::lexicon::{Lexicon, NULL_SHARE, Scratch};
use super::pair::TokenSide;
use super::units::{TextUnit, unit};
use crate::diag::Diagnostic;
use crate::model::{Document, Segment};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence, is_content};

/// Tables up to this size (characters × clauses) are searched in full; in larger ones, only a band
/// along words that both sides share.
const MAX_WHOLE_CELLS: usize = 1 << 22;
/// Characters in a row of the band.
const ROW_CHARS: usize = 12;
/// Characters that are cut at once, and how many of these the next window cuts again, since its
/// predecessor knows nothing of what follows.
const WINDOW_CHARS: usize = 1 << 12;
const OVERLAP_CHARS: usize = 1 << 8;
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
    /// Folded.
    char: char,
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
    /// The clauses.
    pub units: Vec<TextUnit>,
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
    if letters.len() != left.tokens.len() || states == 0 {
        return None;
    }
    let band = band(&letters, clauses);
    let path = Model { left, clauses, lexicon, band: &band }.path(&letters);
    let same = |a: usize, b: usize| {
        let key = |k: usize| path[k].map(|c| clauses.sentence[c]).ok_or(letters[k].segment);
        key(a) == key(b)
    };
    let mut starts: Vec<usize> =
        (0..letters.len()).filter(|&k| k == 0 || !same(k - 1, k)).collect();
    starts.push(letters.len());
    Some(starts.windows(2).map(|w| unit_of(document, &pieces, &letters, w[0], w[1])).collect())
}

/// A unit with more characters than this was not cut.
const MAX_UNIT_CHARS: usize = 160;

/// Reports units of a text without punctuation that are too long to be sentences.
pub fn uncut(units: &[TextUnit]) -> Vec<Diagnostic> {
    let warning = |unit: &TextUnit| {
        let span = unit.spans.first().zip(unit.spans.last());
        let n = unit.chars.len();
        Diagnostic::warning(
            "not-cut",
            span.map(|(first, last)| Span::new(first.start(), last.end())),
            format!("{n} characters without punctuation were not cut into sentences"),
        )
        .hint("the translation says nothing that could be recognised there")
    };
    units.iter().filter(|u| u.chars.len() > MAX_UNIT_CHARS).map(warning).collect()
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
        let key = Key::of(text, span);
        key.chars.into_iter().zip(key.at).map(move |(char, at)| Letter {
            char,
            at: at as usize,
            piece,
            segment,
        })
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

/// Where to search: for each row of characters, a range of clauses.
fn band(letters: &[Letter], clauses: &Clauses) -> Band {
    let states = clauses.side.len();
    if letters.len() * states <= MAX_WHOLE_CELLS {
        return Band::whole(letters.len().div_ceil(ROW_CHARS), states);
    }
    let row = |letters: &[Letter]| TextUnit {
        spans: Vec::new(),
        chars: letters.iter().map(|l| l.char).collect(),
        written: Vec::new(),
    };
    let rows: Vec<TextUnit> = letters.chunks(ROW_CHARS).map(row).collect();
    Band::plan(&rows, &clauses.units)
}

struct Model<'a> {
    left: &'a TokenSide,
    clauses: &'a Clauses,
    lexicon: &'a Lexicon,
    band: &'a Band,
}

/// A state, or none at the start: the number of a clause, or with [`ALONE`] that of the clause
/// before which text has no counterpart.
type State = u32;
const ALONE: State = 1 << 31;
const START: State = u32::MAX;

/// The best ways to the states of one letter, and the state before on each.
#[derive(Default)]
struct Column {
    /// First clause of the band.
    first: usize,
    /// In each clause of the band.
    here: Vec<(f32, State)>,
    /// Without counterpart before each clause of the band, and after the last.
    alone: Vec<(f32, State)>,
}

const NEVER: (f32, State) = (f32::NEG_INFINITY, START);

impl Column {
    fn here(&self, k: usize) -> (f32, State) {
        self.here.get(k.wrapping_sub(self.first)).copied().unwrap_or(NEVER)
    }

    fn alone(&self, k: usize) -> (f32, State) {
        self.alone.get(k.wrapping_sub(self.first)).copied().unwrap_or(NEVER)
    }

    /// The best state.
    fn best(&self) -> State {
        let best = |of: &[(f32, State)]| {
            (0..of.len()).max_by(|a, b| of[*a].0.total_cmp(&of[*b].0)).unwrap_or(0) + self.first
        };
        let (k, a) = (best(&self.here), best(&self.alone));
        if self.here(k).0 >= self.alone(a).0 { k as State } else { a as State | ALONE }
    }

    /// The state before, on the best way to a state.
    fn before(&self, state: State) -> State {
        let k = (state & !ALONE) as usize;
        if state & ALONE == 0 { self.here(k).1 } else { self.alone(k).1 }
    }

    /// Only one state, from which a window starts.
    fn only(&self, state: State) -> Column {
        let k = (state & !ALONE) as usize;
        let clause = if state & ALONE == 0 { (0.0, START) } else { NEVER };
        let alone = if state & ALONE == 0 { NEVER } else { (0.0, START) };
        Column { first: k, here: vec![clause], alone: vec![alone] }
    }
}

impl Model<'_> {
    /// The clause of each letter.
    fn path(&self, letters: &[Letter]) -> Vec<Option<usize>> {
        let mut scratch = Scratch::default();
        scratch.prepare(self.lexicon);
        let mut path: Vec<State> = Vec::new();
        let mut start = None;
        while path.len() < letters.len() {
            let from = path.len();
            let end = (from + WINDOW_CHARS).min(letters.len());
            let mut columns: Vec<Column> = Vec::with_capacity(end - from);
            for n in from..end {
                let seam = if n > 0 && letters[n - 1].segment != letters[n].segment {
                    SEGMENT_END_LOG_ODDS
                } else {
                    ELSEWHERE_LOG_ODDS
                };
                let column = self.column(n, columns.last().or(start.as_ref()), seam, &mut scratch);
                columns.push(column);
            }
            let mut states = walk_back(&columns);
            if end < letters.len() {
                states.truncate(WINDOW_CHARS - OVERLAP_CHARS);
                let last = states.len() - 1;
                start = (states[last] != START).then(|| columns[last].only(states[last]));
            }
            path.append(&mut states);
        }
        path.into_iter().map(|s| (s & ALONE == 0).then_some(s as usize)).collect()
    }

    /// The clauses that letter `n` may belong to.
    fn clauses_of(&self, n: usize) -> Range<usize> {
        let row = self.band.row(n / ROW_CHARS);
        let states = self.clauses.side.len();
        let first = row.start.min(states - 1);
        first..row.end.clamp(first + 1, states)
    }

    /// Log probability of leaving a clause after a letter, and of staying.
    fn leave(&self, k: usize) -> (f32, f32) {
        let chars = self.clauses.side.chars_in(k, k + 1).max(2) as f32;
        let leave = (TRANSLATION_CHARS_PER_CHAR / chars).min(0.8);
        (leave.ln(), (1.0 - leave).ln())
    }

    /// The best ways to the states of letter `n`, from those of the letter before.
    fn column(
        &self,
        n: usize,
        old: Option<&Column>,
        seam: f32,
        scratch: &mut Scratch<'_>,
    ) -> Column {
        let clauses = self.clauses_of(n);
        let emit = self.emissions(self.left.tokens[n], clauses.clone(), scratch);
        let Some(old) = old else { return first_column(clauses, &emit) };
        let mut column = Column { first: clauses.start, ..Column::default() };
        // Best way to leave any earlier clause, or any earlier text without counterpart.
        let (mut far, mut far_alone) = (NEVER, NEVER);
        let mut left = NEVER;
        for k in old.first.min(clauses.start)..=clauses.end {
            let stays = old.alone(k);
            if k >= clauses.start {
                let entered = left.0 + ALONE_LOG_PROBABILITY + seam;
                column.alone.push(if stays.0 >= entered {
                    (stays.0, k as State | ALONE)
                } else {
                    (entered, left.1)
                });
            }
            if k == clauses.end {
                break;
            }
            let (leave, stay) = self.leave(k);
            let here = old.here(k).0;
            if k >= clauses.start {
                let ways = [
                    (here + stay, k as State),
                    (left.0 + seam, left.1),
                    (far.0 + SKIP_LOG_PROBABILITY + seam, far.1),
                    (stays.0 + seam, k as State | ALONE),
                    (far_alone.0 + SKIP_LOG_PROBABILITY + seam, far_alone.1),
                ];
                let best = ways.into_iter().fold(NEVER, |a, b| if b.0 > a.0 { b } else { a });
                column.here.push((best.0 + emit[k - clauses.start], best.1));
            }
            if left.0 > far.0 {
                far = left;
            }
            if stays.0 > far_alone.0 {
                far_alone = (stays.0, k as State | ALONE);
            }
            left = (here + leave, k as State);
        }
        column
    }

    /// Log odds of a character given each of some clauses.
    fn emissions(&self, token: u16, clauses: Range<usize>, scratch: &mut Scratch<'_>) -> Vec<f32> {
        let side = &self.clauses.side;
        let mut sums = vec![0.0; clauses.len()];
        scratch.back_sums(token, side, clauses.clone(), &mut sums);
        let log_odds = |(k, sum): (usize, f32)| {
            let each = (1.0 - NULL_SHARE) / side.chars_in(k, k + 1).max(1) as f32;
            (NULL_SHARE + each * sum).ln()
        };
        clauses.zip(sums).map(log_odds).collect()
    }
}

/// The first letter is in the first clause, or skips some, or has no counterpart.
fn first_column(clauses: Range<usize>, emit: &[f32]) -> Column {
    let skip = |k: usize| if k > 0 { SKIP_LOG_PROBABILITY } else { 0.0 };
    let here = clauses.clone().zip(emit).map(|(k, emit)| (skip(k) + emit, START)).collect();
    let alone = |k: usize| if k == 0 { (ALONE_LOG_PROBABILITY / 2.0, START) } else { NEVER };
    Column { first: clauses.start, here, alone: (clauses.start..=clauses.end).map(alone).collect() }
}

/// The state of each letter on the best path.
fn walk_back(columns: &[Column]) -> Vec<State> {
    let Some(mut state) = columns.last().map(Column::best) else { return Vec::new() };
    let mut states = Vec::with_capacity(columns.len());
    for column in columns.iter().rev() {
        states.push(state);
        state = column.before(state);
    }
    states.reverse();
    states
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::Prior;
    use super::*;
    use proptest::prelude::*;

    /// A state of the model, as its description at the head of the file names them.
    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Place {
        Clause(usize),
        /// Without counterpart, before clause `k`.
        Alone(usize),
    }

    /// Log probability of a step from one state to the next, or of the first state.
    fn step(from: Option<Place>, to: Place, seam: f32, leave: &[f32]) -> f32 {
        use Place::*;
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
    fn best(model: &Model<'_>, letters: &[Letter], allowed: impl Fn(usize, Place) -> bool) -> f32 {
        let side = &model.clauses.side;
        let leave: Vec<f32> = (0..side.len())
            .map(|k| (TRANSLATION_CHARS_PER_CHAR / side.chars_in(k, k + 1).max(2) as f32).min(0.8))
            .collect();
        let states: Vec<Place> =
            (0..side.len()).map(Place::Clause).chain((0..=side.len()).map(Place::Alone)).collect();
        let (mut scratch, mut before) = (Scratch::default(), Vec::new());
        scratch.prepare(model.lexicon);
        for (n, letter) in letters.iter().enumerate() {
            let ends = n > 0 && letters[n - 1].segment != letter.segment;
            let seam = if ends { SEGMENT_END_LOG_ODDS } else { ELSEWHERE_LOG_ODDS };
            let emit = model.emissions(model.left.tokens[n], 0..side.len(), &mut scratch);
            let reach = |to: Place| match before.is_empty() {
                true => step(None, to, seam, &leave),
                false => states
                    .iter()
                    .zip(&before)
                    .map(|(from, p)| p + step(Some(*from), to, seam, &leave))
                    .fold(f32::NEG_INFINITY, f32::max),
            };
            let here = |to: &Place| match to {
                to if !allowed(n, *to) => f32::NEG_INFINITY,
                Place::Clause(k) => reach(*to) + emit[*k],
                Place::Alone(_) => reach(*to),
            };
            before = states.iter().map(here).collect();
        }
        before.into_iter().fold(f32::NEG_INFINITY, f32::max)
    }

    /// A clause that both texts have, clauses that only the translation has, and text of the
    /// classic without counterpart.
    fn part() -> impl Strategy<Value = (String, Vec<String>, String)> {
        let clause = "[甲乙丙丁戊己庚辛壬癸天地人日月山水火木金]{2,6}";
        (clause, prop::collection::vec(clause, 0..6), "[子丑寅]{0,4}")
    }

    fn whole(text: &str) -> TextUnit {
        unit(text, vec![Span::new(0, text.len())])
    }

    #[test]
    fn a_text_too_long_to_be_searched_in_full_is_cut_too() {
        let letter = |k: usize| char::from_u32(0x4e00 + (k * k * 31 + k * 17) as u32 % 3001);
        let clause = |k: usize| (4 * k..4 * k + 4).filter_map(letter).collect::<String>();
        let clauses: Vec<String> = (0..1200).map(clause).collect();
        let classic = clauses.concat();
        let units: Vec<TextUnit> = clauses.iter().map(|c| whole(&format!("{c}了"))).collect();
        let (left, right) = (TokenSide::new(&[whole(&classic)]), TokenSide::new(&units));
        let lexicon = Prior::new(&left, &right, false).lexicon();
        let letters: Vec<Letter> = classic
            .char_indices()
            .map(|(at, char)| Letter { char, at, piece: 0, segment: 0 })
            .collect();
        let clauses = Clauses { side: right, sentence: (0..units.len()).collect(), units };
        assert!(letters.len() > WINDOW_CHARS);
        assert!(letters.len() * clauses.units.len() > MAX_WHOLE_CELLS);
        let band = band(&letters, &clauses);
        let model = Model { left: &left, clauses: &clauses, lexicon: &lexicon, band: &band };
        let path = model.path(&letters);
        let right = path.iter().enumerate().filter(|(n, c)| **c == Some(n / 4)).count();
        assert!(right * 100 >= letters.len() * 98, "{right} of {}", letters.len());
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
            let clauses = Clauses { side: right, sentence: (0..units.len()).collect(), units };
            let letters: Vec<Letter> = (0..left.tokens.len()).map(|at| Letter { char: ' ', at, piece: 0, segment: at / segment }).collect();
            let band = band(&letters, &clauses);
            let model = Model { left: &left, clauses: &clauses, lexicon: &lexicon, band: &band };
            let path = model.path(&letters);
            let on_path = |n: usize, state: Place| match state {
                Place::Clause(k) => path[n] == Some(k),
                Place::Alone(_) => path[n].is_none(),
            };
            let (found, most) = (best(&model, &letters, on_path), best(&model, &letters, |_, _| true));
            prop_assert!(found > most - 0.01, "{found} < {most}: {classic} {path:?}");
        }
    }
}
