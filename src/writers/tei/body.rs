//! The body: the segments in the order of the source, inside the divisions TEI wants.
//!
//! TEI lets a `div` begin with heads, go on with blocks, then with smaller `div`s, and end with
//! trailers, in this order only; notes, line ends and `fw` may stand anywhere. A chapter of 經 and
//! 注 followed by 疏 followed by more 經 does not fit that, so where there is 疏 each passage with
//! what is said on it is a `div type="jie"` (節) of its own. [`Frame`] keeps count of what may
//! still come.

use super::inline::{self, Inline};
use super::places::{Places, Pointers, has_sentences};
use super::text::{Plain, source};
use super::{Context, parts::Part, parts::Piece};
use crate::markup::Markup;
use crate::model::{Layer, LayerKind, Segment};
use crate::source::Span;

/// How far a `div` has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Top,
    Blocks,
    Divs,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pian,
    Zhang,
    Jie,
    Shu,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    kind: Kind,
    stage: Stage,
}

/// Writes the body.
pub(super) struct Body<'a, 'p, 'w> {
    pub(super) xml: &'a mut Markup<'w>,
    pub(super) context: &'a Context<'a>,
    pub(super) pointers: Pointers<'p>,
    pub(super) plan: &'a Inline,
    places: &'a Places,
    frames: Vec<Frame>,
    /// A paragraph of 疏 is open.
    paragraph: bool,
    /// Next item of the plan, and next place.
    item: usize,
    place: usize,
    /// The last 經 and the last segment, for what notes are about.
    base: Option<usize>,
    last: Option<usize>,
    /// Number of the last sentence of 經 in its section.
    ju: u32,
    /// True if the last thing written was a blank without an element of its own.
    bare: bool,
}

impl<'a, 'p, 'w> Body<'a, 'p, 'w> {
    pub(super) fn new(
        xml: &'a mut Markup<'w>,
        context: &'a Context<'a>,
        pointers: Pointers<'p>,
        plan: &'a Inline,
        places: &'a Places,
    ) -> Self {
        let (frames, paragraph) = (Vec::new(), false);
        Body {
            xml,
            context,
            pointers,
            plan,
            places,
            frames,
            paragraph,
            item: 0,
            place: 0,
            base: None,
            last: None,
            ju: 0,
            bare: false,
        }
    }

    /// Writes all of `body`; returns the pointers with what they learned.
    pub(super) fn write(mut self, parts: &[Part]) -> Pointers<'p> {
        self.xml.open("body");
        self.open(Kind::Pian);
        for (i, part) in parts.iter().enumerate() {
            self.part(part, i + 1 == parts.len());
        }
        self.close_above(0);
        self.xml.line().close().line();
        self.pointers
    }

    fn part(&mut self, part: &Part, last: bool) {
        if let Some(d) = part.division {
            self.close_above(1);
            self.open(Kind::Zhang);
            self.division_attributes(d);
            self.ju = 0;
        }
        let base = self.frames.len();
        let may_end = last || part.division.is_some();
        let body = |p: &Piece| {
            self.layer(p).is_text() && self.layer(p) != Layer::Label && !is_note(self.layer(p))
        };
        let last_block = part.pieces.iter().rposition(body);
        for (i, piece) in part.pieces.iter().enumerate() {
            let ends = may_end && last_block.is_none_or(|b| i > b);
            self.piece(piece, part, base, part.pieces.get(i + 1), ends);
        }
        if part.division.is_some() {
            self.close_above(1);
        }
    }

    fn segment(&self, piece: &Piece) -> &'a Segment {
        &self.context.document.segments[piece.segment]
    }
    fn layer(&self, piece: &Piece) -> Layer {
        self.segment(piece).layer
    }
    /// One segment, or the piece of it that lies in this part. `base` counts the frames outside
    /// this part's own passages.
    fn piece(&mut self, piece: &Piece, part: &Part, base: usize, next: Option<&Piece>, ends: bool) {
        let layer = self.layer(piece);
        let newline = self.context.document.slice(piece.span).contains('\n');
        let before_shu = next.is_some_and(|n| is_shu(self.layer(n)));
        let bare = std::mem::take(&mut self.bare);
        match layer.kind() {
            _ if is_shu(layer) => self.shu(piece, base),
            LayerKind::Outside => {
                if newline {
                    self.end_paragraph();
                }
                if layer == Layer::Mark && before_shu && !newline {
                    self.open_shu(base);
                }
                self.outside(piece, bare);
            }
            LayerKind::Note | LayerKind::Commentary => {
                if !self.paragraph
                    && self.frames[base - 1].stage < Stage::Bottom
                    && (part.has_shu || self.frames.len() > base)
                {
                    self.open_passage(base, true);
                }
                self.leaf(piece, "note", None);
            }
            _ if layer == Layer::Heading => self.heading(piece, part, base),
            _ if layer == Layer::Label && ends && self.frames[base - 1].stage >= Stage::Blocks => {
                self.close_above(base);
                self.frames[base - 1].stage = Stage::Bottom;
                self.leaf(piece, "trailer", None);
            }
            _ => {
                self.open_passage(base, part.has_shu);
                self.block(piece);
            }
        }
        self.last = Some(piece.segment);
    }

    fn heading(&mut self, piece: &Piece, part: &Part, base: usize) {
        self.base = None;
        if self.frames.len() == base && self.frames[base - 1].stage == Stage::Top {
            return self.leaf(piece, "head", None);
        }
        self.open_passage(base, part.has_shu);
        let top = self.top();
        if top.stage == Stage::Top {
            return self.leaf(piece, "head", None);
        }
        self.block(piece);
    }

    fn block(&mut self, piece: &Piece) {
        self.top().stage = Stage::Blocks;
        match self.layer(piece) {
            Layer::Label => self.leaf(piece, "label", Some("label")),
            Layer::Heading => self.leaf(piece, "label", Some("heading")),
            _ => self.leaf(piece, "ab", None),
        }
    }

    fn shu(&mut self, piece: &Piece, base: usize) {
        self.open_shu(base);
        match self.layer(piece) {
            Layer::ShuHeader => self.leaf(piece, "label", Some("lemma")),
            _ => self.leaf(piece, "seg", None),
        }
    }

    /// A paragraph of 疏, in a `div` of 疏, in a passage.
    fn open_shu(&mut self, base: usize) {
        if self.top().kind != Kind::Shu {
            if self.frames.len() == base {
                self.open_div(Kind::Jie);
            }
            self.open_div(Kind::Shu);
            self.speaker(Layer::Shu);
        }
        if !self.paragraph {
            self.top().stage = Stage::Blocks;
            self.xml.line().open("p");
            self.paragraph = true;
        }
    }

    /// Makes room for a block: leaves 疏, and opens a passage where this part has passages or
    /// blocks may no longer come.
    fn open_passage(&mut self, base: usize, passages: bool) {
        self.end_paragraph();
        if self.frames.len() > base && self.top().stage >= Stage::Divs
            || self.top().kind == Kind::Shu
        {
            self.close_above(base);
        }
        if self.frames.len() == base && (passages || self.top().stage >= Stage::Divs) {
            self.open_div(Kind::Jie);
        }
    }

    fn open_div(&mut self, kind: Kind) {
        self.end_paragraph();
        self.top().stage = Stage::Divs;
        self.open(kind);
    }

    fn open(&mut self, kind: Kind) {
        if let Some(outer) = self.frames.last_mut() {
            outer.stage = outer.stage.max(Stage::Divs);
        }
        self.frames.push(Frame { kind, stage: Stage::Top });
        self.xml.line().open("div").attr(
            "type",
            match kind {
                Kind::Pian => "pian",
                Kind::Zhang => "zhang",
                Kind::Jie => "jie",
                Kind::Shu => "shu",
            },
        );
        if kind == Kind::Pian {
            self.xml.attr("n", &self.context.loci.text);
        }
    }

    fn division_attributes(&mut self, index: usize) {
        let division = &self.context.document.divisions[index];
        self.xml.attr("n", division.n);
        inline::responsible(
            self.xml,
            division.certainty,
            false,
            inline::evidence(&division.evidence),
        );
        if let Some(title) = &division.title {
            self.xml.line().open("head").attr("type", "supplied").attr("resp", "#zhushu");
            self.xml.text(Plain(title)).close();
        }
    }

    fn top(&mut self) -> &mut Frame {
        let i = self.frames.len() - 1;
        &mut self.frames[i]
    }

    fn end_paragraph(&mut self) {
        if std::mem::take(&mut self.paragraph) {
            self.xml.close();
        }
    }

    /// Closes frames until `n` are left.
    fn close_above(&mut self, n: usize) {
        self.end_paragraph();
        while self.frames.len() > n {
            self.frames.pop();
            self.xml.line().close();
        }
    }

    /// Marks, furniture, blanks: a blank that is nothing but ends of lines and spaces needs no
    /// element of its own.
    fn outside(&mut self, piece: &Piece, after_bare: bool) {
        let segment = self.segment(piece);
        let words = self.context.document.slice(piece.span);
        let blank = segment.layer == Layer::Blank
            && segment.evidence.is_empty()
            && segment.certainty == crate::model::Certainty::SURE;
        if blank && !after_bare && words.bytes().all(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
        {
            self.skip_places(piece.span);
            if !self.paragraph {
                self.xml.line();
            }
            source(self.xml, words, false);
            self.bare = true;
            return;
        }
        self.leaf(piece, "fw", None);
    }

    /// An element that holds the words of a segment.
    fn leaf(&mut self, piece: &Piece, element: &'static str, kind: Option<&str>) {
        let segment = self.segment(piece);
        if !self.paragraph {
            self.xml.line();
        }
        self.xml
            .open(element)
            .attr("type", kind.unwrap_or_else(|| super::type_of(segment.layer)))
            .maybe("subtype", segment.sub.map(super::type_of));
        if piece.first {
            self.xml.attr("xml:id", &segment.id);
        } else {
            self.xml.attr("prev", format_args!("#{}", segment.id));
        }
        let number = self.context.number(piece.segment).filter(|_| piece.first);
        self.xml.maybe("part", piece.fragment()).maybe("n", number);
        if is_note(segment.layer) {
            self.note_attributes(segment.layer);
        }
        inline::responsible(
            self.xml,
            segment.certainty,
            false,
            inline::evidence(&segment.evidence),
        );
        self.content(piece, segment);
        self.xml.close();
        match segment.layer.kind() {
            LayerKind::Base | LayerKind::Translation => self.base = Some(piece.segment),
            LayerKind::Structure if segment.layer != Layer::ShuHeader => self.base = None,
            _ => {}
        }
    }

    /// `@place`, what the note is about, and who speaks.
    fn note_attributes(&mut self, layer: Layer) {
        self.xml.attr("place", "inline");
        let about = if layer == Layer::An {
            self.last.filter(|i| self.context.document.segments[*i].layer.is_text())
        } else {
            self.base
        };
        if let Some(i) = about.or(self.base) {
            let id = &self.context.document.segments[i].id;
            self.xml.attr("target", format_args!("#{id}"));
        }
        self.speaker(layer);
    }

    /// `@source`: who wrote the layer, if known.
    fn speaker(&mut self, layer: Layer) {
        if let Some(id) = self.context.person(layer) {
            self.xml.attr("source", format_args!("#{id}"));
        }
    }

    fn content(&mut self, piece: &Piece, segment: &Segment) {
        let doubt = segment.layer.is_text();
        if !has_sentences(segment.layer.kind()) {
            self.skip_places(piece.span);
            return self.words(piece.span, doubt);
        }
        while let Some(place) =
            self.places.all.get(self.place).filter(|p| p.span.start() < piece.span.end())
        {
            self.place += 1;
            self.ju += 1;
            self.xml.line().open("seg").attr("type", "ju");
            match place.ju {
                Some(i) => self.xml.attr("n", self.context.document.sentences[i].number()),
                None => self.xml.attr("n", self.ju),
            };
            self.xml.attr("xml:id", format_args!("{}.{}", segment.id, place.n));
            self.words(place.span, doubt);
            self.xml.close();
        }
        self.xml.line();
    }

    fn words(&mut self, span: Span, doubt: bool) {
        inline::write(
            self.xml,
            self.context.document,
            &mut self.pointers,
            &self.plan.items,
            &mut self.item,
            span,
            doubt,
        );
    }

    fn skip_places(&mut self, span: Span) {
        while self.places.all.get(self.place).is_some_and(|p| p.span.start() < span.end()) {
            self.place += 1;
        }
    }
}

fn is_shu(layer: Layer) -> bool {
    matches!(layer, Layer::Shu | Layer::ShuHeader)
}

/// Layers written as `note`.
fn is_note(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary) && !is_shu(layer)
}
