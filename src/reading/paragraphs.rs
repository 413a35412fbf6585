//! The paragraphs of editions: a paragraph of the classic with the notes in it, a heading, a label,
//! or a paragraph of commentary.

use super::{Chapter, Portion};
use crate::model::{Layer, LayerKind};

/// A paragraph. Its kind follows from its layer: a paragraph of the classic, of a translation or of
/// undivided text may contain notes. One that begins with a note contains nothing but notes.
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

/// True for layers whose paragraphs may contain notes.
fn has_notes(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided | LayerKind::Translation)
}

/// Groups the text of a chapter into paragraphs. A note is about words before it, so it belongs to
/// the text that it follows, also on a line of its own (○ …). Where none is before it, as after a
/// heading or a sub-commentary, it is alone, and text after it is no part of its paragraph.
pub(crate) fn paragraphs(chapter: &Chapter) -> Vec<Paragraph> {
    let mut done: Vec<Paragraph> = Vec::new();
    for (portion, first) in chapter.text() {
        let fresh = first.gap.ends_paragraph();
        let open = done.last_mut().filter(|p| p.division == first.division());
        let goes_on = open.filter(|p| match (first.layer.kind(), p.layer.kind()) {
            (LayerKind::Note, _) if has_notes(p.layer) => true,
            (LayerKind::Note, LayerKind::Note) => !fresh || first.layer == Layer::An,
            (LayerKind::Note, said) => first.layer == Layer::An && said == LayerKind::Commentary,
            (LayerKind::Commentary, _) => {
                p.layer == first.layer && (p.portions.is_empty() || !fresh)
            }
            _ => has_notes(first.layer) && !fresh && has_notes(p.layer),
        });
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
