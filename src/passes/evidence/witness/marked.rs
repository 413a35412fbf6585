//! A witness's text with its layers, and how far each is trusted.

use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Era, Layer};
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
    /// [`CLASSIC`], [`NOTE`], or `UNSURE`.
    pub labels: Vec<u8>,
    /// The certainty of each label.
    certainty: Vec<f32>,
    /// Number of characters before each that are not 音義: readings may lie between paragraphs that
    /// follow each other.
    pub own: Vec<u32>,
    /// It has notes.
    pub has_notes: bool,
}

impl MarkedText {
    /// Reads a document as a witness.
    pub fn of(document: &Document) -> Self {
        let mut marked = MarkedText::default();
        let (mut own, mut inferred) = (0, false);
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
            let ends = if inferred && label == CLASSIC { 0.0 } else { certainty as f32 };
            let blurred = marked.certainty.len().saturating_sub(BLURRED_CHARS);
            marked.certainty[blurred..].iter_mut().for_each(|c| *c = c.min(ends));
            inferred = label == NOTE && certainty < 1.0;
            let key = known::classic_key(document, s.span);
            let unsure = certainty < MIN_TEACHING_CERTAINTY;
            for c in key.chars {
                marked.chars.push(c);
                marked.labels.push(if unsure { UNSURE } else { label } as u8);
                marked.certainty.push(certainty as f32);
                marked.own.push(own);
                own += u32::from(s.layer != Layer::Yin);
            }
            marked.has_notes |= label == NOTE;
        }
        marked
    }

    /// How far the label of a character is trusted: 1 where the witness marks it.
    pub fn worth(&self, at: usize) -> f64 {
        worth(f64::from(self.certainty[at]))
    }

    /// Its label.
    pub fn label(&self, at: usize) -> usize {
        usize::from(self.labels[at])
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
