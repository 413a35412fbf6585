//! A witness's text with its layers, and how far each is trusted.

use std::ops::Range;

use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Era, Layer, Segment};
use crate::passes::evidence::known;
use crate::passes::evidence::run::{CLASSIC, NOTE};

/// The label of text whose layer the witness is not sure of.
const UNSURE: usize = 2;
/// Characters before an uncertain border that may be of the layer after it.
const BLURRED_CHARS: usize = 6;

/// A witness's text with its layers.
#[derive(Default)]
pub struct MarkedText {
    /// The characters of 經, 傳, 注, 音義 and of undivided text.
    pub chars: Vec<char>,
    /// Their layers, in order.
    runs: Vec<MarkedRun>,
    /// It has notes.
    pub has_notes: bool,
}

/// Characters with the same label and certainty, up to the next run. All witnesses are in memory at
/// once, so each character has no more than itself.
#[derive(Clone, Copy)]
struct MarkedRun {
    /// Its first character.
    from: u32,
    /// [`CLASSIC`], [`NOTE`], or `UNSURE`.
    label: u8,
    is_reading: bool,
    certainty: f32,
    /// Number of characters before it that are not 音義.
    own: u32,
    /// Number of characters before it that are classic.
    classic: u32,
}

impl MarkedText {
    /// Reads a document as a witness.
    pub fn of(document: &Document) -> Self {
        let mut marked = MarkedText::default();
        let mut inferred = false;
        for s in &document.segments {
            let label = match s.layer {
                Layer::Jing | Layer::Zhuan => CLASSIC,
                Layer::Zhu | Layer::Yin => NOTE,
                layer if layer.era() == Some(Era::Early) => NOTE,
                Layer::Undivided => UNSURE,
                _ => continue,
            };
            // If a layer may not begin here, the one before may not end here. And an inferred note
            // may end a little before the classic.
            let certainty = s.certainty.get();
            marked.blur(if inferred && label == CLASSIC { 0.0 } else { certainty as f32 });
            inferred = label == NOTE && certainty < 1.0;
            let label = if certainty < MIN_TEACHING_CERTAINTY { UNSURE } else { label };
            marked.add(&known::classic_key(document, s.span).chars, label, s);
            marked.has_notes |= label == NOTE;
        }
        marked.chars.shrink_to_fit();
        marked.runs.shrink_to_fit();
        marked
    }

    /// Adds the characters of a segment.
    fn add(&mut self, chars: &[char], label: usize, segment: &Segment) {
        if !chars.is_empty() {
            let from = self.chars.len();
            self.runs.push(MarkedRun {
                from: from as u32,
                label: label as u8,
                is_reading: segment.layer == Layer::Yin,
                certainty: segment.certainty.get() as f32,
                own: self.own(from),
                classic: self.classic_before(from) as u32,
            });
            self.chars.extend(chars);
        }
    }

    /// Limits the certainty of the last characters.
    fn blur(&mut self, certainty: f32) {
        let from = self.chars.len().saturating_sub(BLURRED_CHARS) as u32;
        let first = self.runs.partition_point(|run| run.from < from);
        let before = first.checked_sub(1).map(|n| self.runs[n]);
        let is_inside = self.runs.get(first).map_or(self.chars.len() as u32, |run| run.from) > from;
        if let Some(run) = before.filter(|run| is_inside && run.certainty > certainty) {
            let (own, classic) = (self.own(from as usize), self.classic_before(from as usize));
            self.runs.insert(first, MarkedRun { from, own, classic: classic as u32, ..run });
        }
        self.runs[first..].iter_mut().for_each(|run| run.certainty = run.certainty.min(certainty));
    }

    /// The run of a character; the last one for what is after the end.
    fn run(&self, at: usize) -> Option<&MarkedRun> {
        let next = self.runs.partition_point(|run| run.from as usize <= at);
        next.checked_sub(1).map(|n| &self.runs[n])
    }

    /// Number of characters before one that are not 音義: readings may lie between paragraphs that
    /// follow each other.
    pub fn own(&self, at: usize) -> u32 {
        self.run(at).map_or(0, |run| match run.is_reading {
            true => run.own,
            false => run.own + (at as u32 - run.from),
        })
    }

    fn classic_before(&self, at: usize) -> usize {
        let before = self.run(at).map_or(0, |run| match usize::from(run.label) {
            CLASSIC => run.classic + (at as u32 - run.from),
            _ => run.classic,
        });
        before as usize
    }

    /// How many of some characters are classic.
    pub fn classic(&self, range: Range<usize>) -> usize {
        self.classic_before(range.end).saturating_sub(self.classic_before(range.start))
    }

    /// How far the label of a character is trusted: 1 where the witness marks it.
    pub fn worth(&self, at: usize) -> f64 {
        self.run(at).map_or(0.0, |run| worth(f64::from(run.certainty)))
    }

    /// Its label.
    pub fn label(&self, at: usize) -> usize {
        self.run(at).map_or(UNSURE, |run| usize::from(run.label))
    }

    /// True if the witness is sure of the layers of two characters, and they differ.
    pub fn differ(&self, one: usize, other: usize) -> bool {
        let (a, b) = (self.label(one), self.label(other));
        a != b && a != UNSURE && b != UNSURE
    }

    /// True if a layer begins with character `at`.
    pub fn changes(&self, at: usize) -> bool {
        self.differ(at - 1, at)
    }
}

/// How far the layer of a segment of this certainty is trusted.
fn worth(certainty: f64) -> f64 {
    ((certainty - MIN_TEACHING_CERTAINTY) / (1.0 - MIN_TEACHING_CERTAINTY)).clamp(0.0, 1.0)
}

/// A vote of this strength for a label.
pub fn signed(label: usize, strength: f64) -> f64 {
    match label {
        CLASSIC => strength,
        NOTE => -strength,
        _ => 0.0,
    }
}
