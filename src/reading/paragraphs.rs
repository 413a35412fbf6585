//! The paragraphs of editions: a paragraph of the classic with the notes in it, a heading, a label,
//! or a paragraph of commentary.

use super::{Chapter, Portion};
use crate::model::{Layer, LayerKind};

/// A paragraph. Its kind follows from its layer: a paragraph of the classic, of a translation or of
/// undivided text may contain notes, and has the layer of a note if it contains nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paragraph {
    /// Index of the division it is in.
    pub(crate) division: Option<usize>,
    /// Layer of its first portion; 疏 for a sub-commentary with a lemma header.
    pub(crate) layer: Layer,
    /// The lemma header of a sub-commentary.
    pub(crate) header: Option<Portion>,
    /// Its portions; an editor's note may interrupt commentary.
    pub(crate) portions: Vec<Portion>,
}

impl Paragraph {
    fn is_text(&self) -> bool {
        has_notes(self.layer) || self.layer.kind() == LayerKind::Note
    }
}

/// True for layers whose paragraphs may contain notes.
fn has_notes(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided | LayerKind::Translation)
}

/// Groups the text of a chapter into paragraphs.
pub(crate) fn paragraphs(chapter: &Chapter) -> Vec<Paragraph> {
    let mut done: Vec<Paragraph> = Vec::new();
    // True once there was text that can contain notes.
    let mut begun = false;
    for (portion, first) in chapter.text() {
        let fresh = first.gap.ends_paragraph();
        let open = done.last_mut().filter(|p| p.division == first.division());
        let goes_on = open.filter(|p| match first.layer.kind() {
            LayerKind::Note if p.is_text() => {
                let alone = !begun || fresh && first.layer != Layer::An;
                !alone || !p.portions.iter().any(|n| is_note(chapter, n))
            }
            LayerKind::Note => first.layer == Layer::An && p.layer.kind() == LayerKind::Commentary,
            LayerKind::Commentary => p.layer == first.layer && (p.portions.is_empty() || !fresh),
            _ => has_notes(first.layer) && !fresh && p.is_text(),
        });
        begun |= has_notes(first.layer);
        match goes_on {
            Some(paragraph) => paragraph.portions.push(portion.clone()),
            None => done.push(match first.layer {
                Layer::ShuHeader => Paragraph {
                    division: first.division(),
                    layer: Layer::Shu,
                    header: Some(portion.clone()),
                    portions: vec![],
                },
                layer => Paragraph {
                    division: first.division(),
                    layer,
                    header: None,
                    portions: vec![portion.clone()],
                },
            }),
        }
    }
    done
}

fn is_note(chapter: &Chapter, portion: &Portion) -> bool {
    chapter.first(portion).layer.kind() == LayerKind::Note
}
