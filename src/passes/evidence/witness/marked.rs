//! A witness's words with their layers, and how far each is to be trusted.

use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Era, Layer};
use crate::passes::evidence::run::{CLASSIC, NOTE};
use crate::text::Key;

/// The label of words whose layer a witness is not sure of.
const UNSURE: usize = 2;
/// Characters before an unsure border that may be of the layer after it.
const BLURRED_CHARS: usize = 6;

/// A witness's words with their layers.
#[derive(Default)]
pub struct MarkedText {
    /// The characters of 經, 傳, 注, 音義 and of what is not told apart.
    pub chars: Vec<char>,
    /// [`CLASSIC`], [`NOTE`], or neither where the witness is not sure.
    pub labels: Vec<usize>,
    /// How far each label is trusted: 1 where the witness marks it.
    pub worth: Vec<f64>,
    /// Characters that are not 音義, up to each: readings may stand between paragraphs that follow
    /// each other.
    pub own: Vec<usize>,
    /// It has notes at all.
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
            // Where a layer may not begin, the one before may not end; and an inferred note may end
            // a little before the classic.
            let certainty = s.certainty.get();
            let ends = if inferred && label == CLASSIC { 0.0 } else { worth(certainty) };
            let blurred = marked.worth.len().saturating_sub(BLURRED_CHARS);
            marked.worth[blurred..].iter_mut().for_each(|w| *w = w.min(ends));
            inferred = label == NOTE && certainty < 1.0;
            let key = Key::of(document.source.text(), s.span);
            for c in key.chars {
                marked.chars.push(c);
                marked.labels.push(if certainty < MIN_TEACHING_CERTAINTY { UNSURE } else { label });
                marked.worth.push(worth(certainty));
                marked.own.push(own);
                own += usize::from(s.layer != Layer::Yin);
            }
            marked.has_notes |= label == NOTE;
        }
        marked
    }

    /// True if the layers of two of its characters differ, and it is sure of both.
    pub fn differ(&self, one: usize, other: usize) -> bool {
        let (a, b) = (self.labels[one], self.labels[other]);
        a != b && a != UNSURE && b != UNSURE
    }

    /// True if a layer begins with character `at`.
    pub fn changes(&self, at: usize) -> bool {
        self.differ(at - 1, at)
    }
}

/// What the layer of a segment of this certainty is worth.
fn worth(certainty: f64) -> f64 {
    ((certainty - MIN_TEACHING_CERTAINTY) / (1.0 - MIN_TEACHING_CERTAINTY)).clamp(0.0, 1.0)
}

/// A vote of some strength for a label.
pub fn signed(label: usize, strength: f64) -> f64 {
    match label {
        CLASSIC => strength,
        NOTE => -strength,
        _ => 0.0,
    }
}
