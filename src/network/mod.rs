//! What a network that has read many books expects between the characters of a text without marks:
//! borders of classic and note, pauses, ends of sentences.
//!
//! The network is small and its own: embeddings of characters, of gaps and of distances, then
//! residual blocks of dilated convolutions. `lab/network/` trains it and says how; `weights.txt`
//! says what the weights were learned from, and their licence. A text is read in windows that
//! overlap. What is expected for a gap depends on its window only.

mod input;
mod matrix;
mod weights;

use crate::text::Key;
use input::Input;
use input::LINE_END;
use matrix::Matrix;
use weights::{LAYER_PAIRS, MARKS, ResidualBlock, Weights};

/// Characters that are read together, as many as in training.
const WINDOW: usize = 1024;
/// At the end of a window that another overlaps, so many characters are read for their neighbours.
const OVERLAP: usize = 64;
/// Added to a mean square, so that no vector is divided by zero.
const LEAST_SQUARE: f32 = 1e-6;

/// See [`calibrated`].
const MARK_SLOPE: f32 = 0.72;
const MARK_OFFSET: f32 = -0.2;

/// The kinds of marks by their numbers.
const COMMA_LIKE: std::ops::Range<usize> = 1..5;
const SENTENCE_ENDS: std::ops::Range<usize> = 5..MARKS;
const MARK_CHARS: [char; MARKS] = ['\0', '、', '，', '；', '：', '。', '？', '！'];

/// What is expected in the gap before a character. All are probabilities, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// That the characters before and after are classic and classic, classic and note, note and
    /// classic, note and note.
    pub layers: [f32; LAYER_PAIRS],
    marks: [f32; MARKS],
    /// Whether a line ends in it.
    pub line_end: bool,
}

impl Gap {
    /// That classic ends and a note begins, or the other way round.
    pub fn border(&self) -> f32 {
        self.layers[1] + self.layers[2]
    }

    /// That the character after it is in a note.
    pub fn note(&self) -> f32 {
        self.layers[1] + self.layers[3]
    }

    /// That a mark should be in it, of whatever kind.
    pub fn pause(&self) -> f32 {
        1.0 - self.marks[0]
    }

    /// The mark that should be in it, if there is one, and that it is this one, as the texts that
    /// were held out show it.
    pub fn mark(&self) -> (char, f32) {
        let all = COMMA_LIKE.start..SENTENCE_ENDS.end;
        let best = all.max_by(|a, b| self.marks[*a].total_cmp(&self.marks[*b]));
        best.map_or((MARK_CHARS[0], 0.0), |n| (MARK_CHARS[n], calibrated(self.marks[n])))
    }
}

/// The gaps of a text.
pub struct Gaps(pub Vec<Gap>);

impl Gaps {
    /// What is expected before each character of `key`, which is of `text`. The first gap has
    /// nothing before it.
    pub fn of(text: &str, key: &Key) -> Self {
        let weights = Weights::builtin();
        Gaps::read(weights, &Input::of(text, key, |c| weights.id(c)))
    }

    /// Which marks are expected before each character of `key`, which is of `text`, by the network
    /// for marks alone. It sees no marks, and says nothing of layers. A line end counts only where
    /// `ends` says so of the character after it: a printed line ends anywhere.
    pub fn of_marks(text: &str, key: &Key, ends: impl Fn(usize) -> bool) -> Self {
        let weights = Weights::of_marks();
        let mut input = Input::of(text, key, |c| weights.id(c));
        for (n, gap) in input.gaps.iter_mut().enumerate() {
            *gap = if ends(n) { *gap & LINE_END } else { 0 };
        }
        Gaps::read(weights, &input)
    }

    fn read(weights: &Weights, input: &Input) -> Self {
        let characters = input.ids.len();
        let mut gaps = Vec::with_capacity(characters);
        for (start, end) in windows(characters) {
            // What the window before has counts as far as the middle of the overlap.
            let kept = if start == 0 { 0 } else { start + OVERLAP };
            gaps.truncate(kept);
            let read = Reading::of(weights, input, start, end).gaps();
            gaps.extend(read.into_iter().skip(kept - start));
        }
        Gaps(gaps)
    }
}

/// Where windows begin and end.
fn windows(characters: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..).step_by(WINDOW - 2 * OVERLAP);
    let last = characters.saturating_sub(2 * OVERLAP).max(1);
    let starts = starts.take_while(move |start| *start < last && characters > 0);
    starts.map(move |start| (start, characters.min(start + WINDOW)))
}

/// The reading of one window.
struct Reading<'a> {
    weights: &'a Weights,
    line_ends: Vec<bool>,
    /// The values of its positions.
    values: Vec<f32>,
    /// The same, normed, after as many zeros as the largest dilation needs, and before as many.
    normed: Vec<f32>,
}

impl<'a> Reading<'a> {
    fn of(weights: &'a Weights, input: &Input, start: usize, end: usize) -> Self {
        let channels = weights.channels;
        let mut values = Vec::with_capacity((end - start) * channels);
        for n in start..end {
            let after = if n + 1 < end { input.gaps[n + 1] } else { 0 };
            let row = |table: &'a [f32], n: usize| &table[n * channels..][..channels];
            let mut own = row(&weights.characters, usize::from(input.ids[n])).to_vec();
            let mut add = |row: &[f32]| own.iter_mut().zip(row).for_each(|(o, r)| *o += r);
            // The ends of a window are no ends of lines; nor were they in training.
            add(row(&weights.gaps_before, usize::from(input.gaps[n])));
            add(row(&weights.gaps_after, usize::from(after)));
            let mut first = 0;
            for (bucket, count) in input.distances[n].into_iter().zip(input::DISTANCES) {
                add(row(&weights.distances, first + usize::from(bucket)));
                first += count;
            }
            values.extend(own);
        }
        let line_ends = input.gaps[start..end].iter().map(|g| g & LINE_END != 0).collect();
        Reading { weights, line_ends, values, normed: vec![] }
    }

    /// What is expected, after all blocks.
    fn gaps(mut self) -> Vec<Gap> {
        for block in &self.weights.blocks {
            self.block(block);
            if let Some((inner, outer)) = &block.summary {
                self.summary(inner, outer);
            }
        }
        self.norm(0);
        let channels = self.weights.channels;
        let fill = |n: usize, x: &mut [f32]| {
            x.copy_from_slice(&self.normed[n * channels..][..channels]);
        };
        let nothing = Gap { layers: [0.0; _], marks: [0.0; _], line_end: false };
        let mut gaps = vec![nothing; self.line_ends.len()];
        self.weights.layers.each(gaps.len(), fill, |n, y| gaps[n].layers = softmax(y));
        self.weights.marks.each(gaps.len(), fill, |n, y| gaps[n].marks = softmax(y));
        gaps.iter_mut().zip(self.line_ends).for_each(|(gap, line_end)| gap.line_end = line_end);
        gaps
    }

    /// Norms all values, between `padding` positions of zeros.
    fn norm(&mut self, padding: usize) {
        let channels = self.weights.channels;
        self.normed.clear();
        self.normed.resize(self.values.len() + 2 * padding * channels, 0.0);
        let into = self.normed[padding * channels..].chunks_exact_mut(channels);
        for (x, into) in self.values.chunks_exact(channels).zip(into) {
            let square = x.iter().map(|x| x * x).sum::<f32>() / channels as f32;
            let factor = 1.0 / (square + LEAST_SQUARE).sqrt();
            into.iter_mut().zip(x).for_each(|(into, x)| *into = x * factor);
        }
    }

    fn block(&mut self, block: &ResidualBlock) {
        let (channels, d) = (self.weights.channels, block.dilation);
        self.norm(d);
        let Reading { values, normed, .. } = self;
        let mut hidden = vec![0.0; values.len()];
        let three = |n: usize, x: &mut [f32]| {
            for (k, x) in x.chunks_exact_mut(channels).enumerate() {
                x.copy_from_slice(&normed[(n + k * d) * channels..][..channels]);
            }
        };
        let count = values.len() / channels;
        block.wide.each(count, three, |n, y| {
            let into = &mut hidden[n * channels..][..channels];
            into.iter_mut().zip(y).for_each(|(into, y)| *into = y.max(0.0));
        });
        let own = |n: usize, x: &mut [f32]| x.copy_from_slice(&hidden[n * channels..][..channels]);
        block.narrow.each(count, own, |n, y| {
            let into = &mut values[n * channels..][..channels];
            into.iter_mut().zip(y).for_each(|(into, y)| *into += y);
        });
    }

    /// Adds to each position what all of them have in the mean.
    fn summary(&mut self, inner: &Matrix, outer: &Matrix) {
        self.norm(0);
        let (channels, count) = (self.weights.channels, self.line_ends.len());
        let Reading { values, normed, .. } = self;
        let own = |n: usize, x: &mut [f32]| x.copy_from_slice(&normed[n * channels..][..channels]);
        let mut mean = vec![0.0; inner.rows()];
        inner.each(count, own, |_, y| {
            mean.iter_mut().zip(y).for_each(|(mean, y)| *mean += y.max(0.0) / count as f32);
        });
        let fill = |_: usize, x: &mut [f32]| x.copy_from_slice(&mean);
        let mut added = vec![];
        outer.each(1, fill, |_, y| added = y.to_vec());
        for x in values.chunks_exact_mut(channels) {
            x.iter_mut().zip(&added).for_each(|(x, added)| *x += added);
        }
    }
}

/// A probability of a mark as it is found right: its log odds times a slope, and an offset. Fitted
/// on the texts that were held out (`lab/network/marks.py --measure`), so it flatters a little.
fn calibrated(p: f32) -> f32 {
    let odds = (p / (1.0 - p).max(f32::EPSILON)).max(f32::EPSILON).ln();
    1.0 / (1.0 + (-(MARK_SLOPE * odds + MARK_OFFSET)).exp())
}

fn softmax<const N: usize>(logits: &[f32]) -> [f32; N] {
    let most = logits.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let powers: [f32; N] = std::array::from_fn(|n| (logits[n] - most).exp());
    let sum: f32 = powers.iter().sum();
    powers.map(|p| p / sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn claims_are_calibrated() {
        for (claimed, right) in
            [(0.41, 0.362), (0.597, 0.536), (0.798, 0.711), (0.936, 0.828), (0.988, 0.951)]
        {
            assert!((calibrated(claimed) - right).abs() < 0.03, "{claimed}");
        }
        assert!(calibrated(1.0) <= 1.0 && calibrated(0.0) >= 0.0);
    }

    #[test]
    fn windows_overlap_and_cover_the_text() {
        let of = |n| windows(n).collect::<Vec<_>>();
        assert_eq!(of(0), []);
        assert_eq!(of(1), [(0, 1)]);
        assert_eq!(of(1024), [(0, 1024)]);
        assert_eq!(of(1025), [(0, 1024), (896, 1025)]);
        assert_eq!(of(1921), [(0, 1024), (896, 1920), (1792, 1921)]);
    }
    /// Of a made-up text, what `lab/network/export.py` prints.
    #[test]
    fn the_network_expects_what_it_does_where_it_is_trained() {
        let text = "甲氏曰學而時習之。不亦悅乎\n甲氏未詳也習音襲反覆溫習之意\n學而不厭";
        let key = Key::of(text, Span::new(0, text.len()));
        let Gaps(gaps) = Gaps::of(text, &key);
        for (n, border, note, pause) in EXPECTED {
            let gap = gaps[n];
            let found = [gap.border(), gap.note(), gap.pause()];
            let near = found.iter().zip([border, note, pause]).all(|(a, b)| (a - b).abs() < 0.002);
            assert!(near, "{n}: {found:?}");
        }
        assert!(gaps.iter().all(|g| (g.layers.iter().sum::<f32>() - 1.0).abs() < 1e-4));
        assert_eq!(gaps.iter().filter(|g| g.line_end).count(), 2);
    }

    /// Number of the character; border, note, pause.
    const EXPECTED: [(usize, f32, f32, f32); 4] = [
        (6, 0.0002, 0.0062, 0.0486),
        (12, 0.9786, 0.9730, 0.9794),
        (20, 0.0015, 0.9920, 0.3251),
        (29, 0.0001, 0.0492, 0.0011),
    ];
}
