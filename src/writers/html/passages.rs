//! The text cut into passages (節): a stretch of the classic with what is said about it. A passage
//! is what stands in one row on a wide screen, with its translation beside it; a layout in columns
//! or upright needs no other cut.
//!
//! A passage begins with words of the classic that follow a note or sub-commentary, at a heading,
//! at the start of a division, and at a paragraph of the source. A note that interrupts a sentence
//! of punctuated text stays inside it; an editor's note (案) stays inside whatever it interrupts.

use std::ops::Range;

use super::places::Places;
use crate::model::{Layer, LayerKind};
use crate::text::class::{closes, ends_sentence};

/// A segment, or the sentences of it that belong to one passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) segment: usize,
    /// Indices of its places.
    pub(super) places: Range<usize>,
}

/// A paragraph: a run of one layer, with what interrupts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) layer: Layer,
    pub(super) pieces: Vec<Piece>,
}

/// A sub-commentary on the passage: its lemma header and its paragraphs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Commentary {
    pub(super) header: Option<Piece>,
    pub(super) blocks: Vec<Block>,
}

/// A stretch of the classic with what is said about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Passage {
    /// Index of the division it is in.
    pub(super) division: Option<usize>,
    /// Classic, notes, labels, headings.
    pub(super) text: Vec<Block>,
    pub(super) commentaries: Vec<Commentary>,
    /// Something has been said on its words: what is classic now begins another.
    closed: bool,
}

impl Passage {
    /// All its pieces, in order.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &Piece> {
        let said = self
            .commentaries
            .iter()
            .flat_map(|c| c.header.iter().chain(c.blocks.iter().flat_map(|b| &b.pieces)));
        self.text.iter().flat_map(|b| &b.pieces).chain(said)
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.commentaries.is_empty()
    }
}

/// Cuts a document into passages.
pub(super) fn passages(places: &Places<'_>) -> Vec<Passage> {
    let mut cutter = Cutter {
        places,
        punctuated: is_punctuated(places),
        done: Vec::new(),
        now: Passage::default(),
        paragraph: false,
    };
    let document = &*places.document;
    for (i, s) in document.segments.iter().enumerate() {
        if !s.layer.is_text() {
            cutter.paragraph |= document.slice(s.span).contains('\n');
            continue;
        }
        for piece in by_division(places, i) {
            cutter.add(piece, s.layer);
        }
    }
    cutter.next();
    cutter.done
}

/// True if most runs of the classic end with a sentence, so that one that does not is interrupted.
fn is_punctuated(places: &Places<'_>) -> bool {
    let base: Vec<_> =
        places.document.segments.iter().filter(|s| s.layer.kind() == LayerKind::Base).collect();
    let ended = base.iter().filter(|s| ends(places.document.slice(s.span))).count();
    ended * 2 > base.len()
}

fn ends(words: &str) -> bool {
    words.trim_end_matches(|c: char| closes(c) || c.is_whitespace()).ends_with(ends_sentence)
}

/// The pieces of a segment on either side of each division's start.
fn by_division(places: &Places<'_>, segment: usize) -> Vec<Piece> {
    let all = places.of_segment(segment);
    let mut pieces: Vec<Piece> = Vec::with_capacity(1);
    let mut last = None;
    for i in all {
        let division = division_of(places, i);
        match pieces.last_mut() {
            Some(piece) if division == last => piece.places.end = i + 1,
            _ => pieces.push(Piece { segment, places: i..i + 1 }),
        }
        last = division;
    }
    pieces
}

/// The division that a place is in; one that begins inside a sentence begins with it.
fn division_of(places: &Places<'_>, place: usize) -> Option<usize> {
    let divisions = &places.document.divisions;
    let span = places.all[place].span;
    let i = divisions.partition_point(|d| d.span.start() < span.end()).checked_sub(1)?;
    (divisions[i].span.end() > span.start()).then_some(i)
}

struct Cutter<'a> {
    places: &'a Places<'a>,
    punctuated: bool,
    done: Vec<Passage>,
    now: Passage,
    /// The source has ended a line since the last piece.
    paragraph: bool,
}

impl Cutter<'_> {
    fn next(&mut self) {
        let passage = std::mem::take(&mut self.now);
        if !passage.is_empty() {
            self.done.push(passage);
        }
    }

    fn add(&mut self, piece: Piece, layer: Layer) {
        let division = division_of(self.places, piece.places.start);
        let paragraph = std::mem::take(&mut self.paragraph);
        if division != self.now.division && !self.now.is_empty() {
            self.next();
        }
        match layer.kind() {
            _ if layer == Layer::Heading => {
                self.next();
                self.block(piece, layer);
                self.now.division = division;
                self.next();
                return;
            }
            LayerKind::Base | LayerKind::Translation | LayerKind::Undivided => {
                self.base(piece, layer, paragraph)
            }
            LayerKind::Note => self.note(piece, layer, paragraph),
            LayerKind::Commentary => self.commentary(piece, layer, paragraph),
            _ if layer == Layer::ShuHeader => {
                self.now.commentaries.push(Commentary { header: Some(piece), blocks: vec![] })
            }
            _ => {
                if !self.now.commentaries.is_empty() {
                    self.next();
                }
                self.block(piece, layer);
                self.now.closed = true;
            }
        }
        self.now.division = division;
    }

    fn block(&mut self, piece: Piece, layer: Layer) {
        self.now.text.push(Block { layer, pieces: vec![piece] });
    }

    fn base(&mut self, piece: Piece, layer: Layer, paragraph: bool) {
        if self.now.closed || paragraph || !self.now.commentaries.is_empty() {
            self.next();
        }
        match self.now.text.last_mut() {
            Some(block) if block.layer == layer => block.pieces.push(piece),
            _ => self.block(piece, layer),
        }
    }

    fn note(&mut self, piece: Piece, layer: Layer, paragraph: bool) {
        let document = &self.places.document;
        if let Some(last) = self.now.commentaries.last_mut() {
            // An editor's note inside the sub-commentary; any other note after it has lost its
            // passage.
            match last.blocks.last_mut() {
                Some(block) if layer == Layer::An => return block.pieces.push(piece),
                _ => self.next(),
            }
        }
        if let Some(block) = self.now.text.last_mut() {
            let before = &document.segments[block.pieces[block.pieces.len() - 1].segment];
            let in_base = block.layer.kind() == LayerKind::Base;
            let interrupts = in_base
                && self.punctuated
                && !paragraph
                && before.layer.kind() == LayerKind::Base
                && !ends(document.slice(before.span));
            let goes_on = block.layer == layer && before.layer == Layer::An;
            if layer == Layer::An || interrupts || goes_on {
                return block.pieces.push(piece);
            }
        }
        self.block(piece, layer);
        self.now.closed = true;
    }

    fn commentary(&mut self, piece: Piece, layer: Layer, paragraph: bool) {
        let block = Block { layer, pieces: vec![piece] };
        match self.now.commentaries.last_mut() {
            Some(c) if c.blocks.last().is_some_and(|b| b.layer == layer && !paragraph) => {
                if let (Some(last), Some(piece)) =
                    (c.blocks.last_mut(), block.pieces.into_iter().next())
                {
                    last.pieces.push(piece);
                }
            }
            Some(c) if c.blocks.last().is_none_or(|b| b.layer == layer) => c.blocks.push(block),
            _ => self.now.commentaries.push(Commentary { header: None, blocks: vec![block] }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Document;

    fn shape(d: &Document) -> Vec<String> {
        let places = Places::of(d);
        let id = |p: &Piece| d.segments[p.segment].id.clone();
        let block = |b: &Block| b.pieces.iter().map(id).collect::<Vec<_>>().join("+");
        let said = |c: &Commentary| {
            format!(
                "[{}|{}]",
                c.header.iter().map(id).collect::<String>(),
                c.blocks.iter().map(block).collect::<Vec<_>>().join(" ")
            )
        };
        let one = |p: &Passage| {
            p.text
                .iter()
                .map(block)
                .chain(p.commentaries.iter().map(said))
                .collect::<Vec<_>>()
                .join(" ")
        };
        passages(&places).iter().map(one).collect()
    }

    #[test]
    fn a_passage_is_a_stretch_of_classic_with_what_is_said_on_it() {
        use Layer::*;
        let d = Document::of_pieces(&[
            (Jing, "一。"),
            (Zhu, "注。"),
            (Blank, "\n\n"),
            (Mark, "[疏]"),
            (ShuHeader, "首。"),
            (Shu, "疏。"),
            (Blank, "\n\n"),
            (Jing, "二。"),
            (Zhu, "注。"),
            (Jing, "三。"),
            (Blank, "\n\n"),
            (Jing, "四。"),
        ]);
        assert_eq!(shape(&d), ["x1 z1 [h1|s1]", "x2 z2", "x3", "x4"]);
    }

    #[test]
    fn a_note_inside_a_sentence_stays_there_and_so_does_an_editors_note() {
        use Layer::*;
        let d = Document::of_pieces(&[
            (Jing, "一,"),
            (Zhu, "注"),
            (Jing, "二。"),
            (Zhu, "注"),
            (An, "案"),
            (Zhu, "注"),
            (Jing, "三。"),
        ]);
        assert_eq!(shape(&d), ["x1+z1+x2 z2+a1+z3", "x3"]);
    }
}
