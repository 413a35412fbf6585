//! The body: the segments in the order of the source, inside the divisions that TEI requires.
//!
//! In TEI a `div` has heads, then blocks, then smaller `div`s, then trailers, only in this order;
//! notes, line ends and `fw` may be anywhere. A chapter of 經 and 注 followed by 疏 followed by more 經
//! does not fit this. So if there is 疏, each passage with its commentaries is a separate `div
//! type="jie"` (節). [`DivFrame`] records what may still follow.

use super::Context;
use super::inline;
use super::text::{Plain, stretch};
use crate::corpus::loci::text_of;
use crate::markup::Markup;
use crate::model::{Layer, LayerKind, Segment};
use crate::reading::{ChapterText, Portion, Section, has_sentences};
use crate::source::Span;

/// The state of a `div`: what may still follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum DivStage {
    Top,
    Blocks,
    Divs,
    Bottom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DivKind {
    Pian,
    Zhang,
    Jie,
    Shu,
}

#[derive(Clone, Copy, Debug)]
struct DivFrame {
    kind: DivKind,
    stage: DivStage,
}

/// Writes the body.
pub(super) fn write(xml: &mut Markup<'_>, context: &Context<'_>) {
    xml.open("body");
    let mut body = Body {
        xml,
        context,
        chapter: context.chapter,
        frames: Vec::new(),
        paragraph: false,
        item: 0,
        base: None,
        last: None,
        sentences: 0,
        bare: false,
    };
    body.open(DivKind::Pian);
    let sections = &context.chapter.sections;
    for (i, section) in sections.iter().enumerate() {
        body.section(section, i + 1 == sections.len());
    }
    body.close_above(0);
    xml.line().close().line();
}

struct Body<'a, 'w> {
    xml: &'a mut Markup<'w>,
    context: &'a Context<'a>,
    chapter: &'a ChapterText<'a>,
    frames: Vec<DivFrame>,
    /// A paragraph of 疏 is open.
    paragraph: bool,
    /// Next inline item.
    item: usize,
    /// The last 經 and the last segment, as targets of notes.
    base: Option<usize>,
    last: Option<usize>,
    /// Number of sentences of 經 so far in the section.
    sentences: u32,
    /// True if a blank without its own element was written last.
    bare: bool,
}

impl<'a> Body<'a, '_> {
    fn section(&mut self, section: &Section, last: bool) {
        if let Some(d) = section.division {
            self.close_above(1);
            self.open(DivKind::Zhang);
            self.division_attributes(d);
            self.sentences = 0;
        }
        let portions = &self.chapter.portions[section.portions.clone()];
        let base = self.frames.len();
        let passages = portions.iter().any(|p| is_shu(self.layer(p)));
        let may_end = last || section.division.is_some();
        let body = |p: &Portion| {
            self.layer(p).is_text() && self.layer(p) != Layer::Label && !is_note(self.layer(p))
        };
        let last_block = portions.iter().rposition(body);
        for (i, portion) in portions.iter().enumerate() {
            let ends = may_end && last_block.is_none_or(|b| i > b);
            self.portion(portion, passages, base, portions.get(i + 1), ends);
        }
        if section.division.is_some() {
            self.close_above(1);
        }
    }

    fn segment(&self, portion: &Portion) -> &'a Segment {
        &self.context.document.segments[portion.segment()]
    }
    fn layer(&self, portion: &Portion) -> Layer {
        self.segment(portion).layer
    }

    /// One segment, or as much of it as lies in this section. `passages` says that there is 疏 in
    /// the section; `base` counts the frames outside the section's own passages.
    fn portion(
        &mut self,
        portion: &Portion,
        passages: bool,
        base: usize,
        next: Option<&Portion>,
        ends: bool,
    ) {
        let layer = self.layer(portion);
        let newline = self.context.document.slice(self.chapter.span(portion)).contains('\n');
        let before_shu = next.is_some_and(|n| is_shu(self.layer(n)));
        let bare = std::mem::take(&mut self.bare);
        match layer.kind() {
            _ if is_shu(layer) => self.shu(portion, base),
            LayerKind::Outside => {
                if newline {
                    self.end_paragraph();
                }
                if layer == Layer::Mark && before_shu && !newline {
                    self.open_shu(base);
                }
                self.outside(portion, bare);
            }
            LayerKind::Note | LayerKind::Commentary => {
                if !self.paragraph
                    && self.frames[base - 1].stage < DivStage::Bottom
                    && (passages || self.frames.len() > base)
                {
                    self.open_passage(base, true);
                }
                self.leaf(portion, "note", None);
            }
            _ if layer == Layer::Heading => self.heading(portion, passages, base),
            _ if layer == Layer::Label
                && ends
                && self.frames[base - 1].stage >= DivStage::Blocks =>
            {
                self.close_above(base);
                self.frames[base - 1].stage = DivStage::Bottom;
                self.leaf(portion, "trailer", None);
            }
            _ => {
                self.open_passage(base, passages);
                self.block(portion);
            }
        }
        self.last = Some(portion.segment());
    }

    fn heading(&mut self, portion: &Portion, passages: bool, base: usize) {
        self.base = None;
        if self.frames.len() == base && self.frames[base - 1].stage == DivStage::Top {
            return self.leaf(portion, "head", None);
        }
        self.open_passage(base, passages);
        let top = self.top();
        if top.stage == DivStage::Top {
            return self.leaf(portion, "head", None);
        }
        self.block(portion);
    }

    fn block(&mut self, portion: &Portion) {
        self.top().stage = DivStage::Blocks;
        match self.layer(portion) {
            Layer::Label => self.leaf(portion, "label", Some("label")),
            Layer::Heading => self.leaf(portion, "label", Some("heading")),
            _ => self.leaf(portion, "ab", None),
        }
    }

    fn shu(&mut self, portion: &Portion, base: usize) {
        self.open_shu(base);
        match self.layer(portion) {
            Layer::ShuHeader => self.leaf(portion, "label", Some("lemma")),
            _ => self.leaf(portion, "seg", None),
        }
    }

    /// A paragraph of 疏, in a `div` of 疏, in a passage.
    fn open_shu(&mut self, base: usize) {
        if self.top().kind != DivKind::Shu {
            if self.frames.len() == base {
                self.open_div(DivKind::Jie);
            }
            self.open_div(DivKind::Shu);
            self.speaker(Layer::Shu);
        }
        if !self.paragraph {
            self.top().stage = DivStage::Blocks;
            self.xml.line().open("p");
            self.paragraph = true;
        }
    }

    /// Prepares for a block: leaves 疏, and opens a passage if this part has passages or blocks are
    /// no longer allowed.
    fn open_passage(&mut self, base: usize, passages: bool) {
        self.end_paragraph();
        if self.frames.len() > base && self.top().stage >= DivStage::Divs
            || self.top().kind == DivKind::Shu
        {
            self.close_above(base);
        }
        if self.frames.len() == base && (passages || self.top().stage >= DivStage::Divs) {
            self.open_div(DivKind::Jie);
        }
    }

    fn open_div(&mut self, kind: DivKind) {
        self.end_paragraph();
        self.top().stage = DivStage::Divs;
        self.open(kind);
    }

    fn open(&mut self, kind: DivKind) {
        if let Some(outer) = self.frames.last_mut() {
            outer.stage = outer.stage.max(DivStage::Divs);
        }
        self.frames.push(DivFrame { kind, stage: DivStage::Top });
        self.xml.line().open("div").attr(
            "type",
            match kind {
                DivKind::Pian => "pian",
                DivKind::Zhang => "zhang",
                DivKind::Jie => "jie",
                DivKind::Shu => "shu",
            },
        );
        if kind == DivKind::Pian {
            self.xml.attr("n", text_of(self.context.document));
        }
    }

    fn division_attributes(&mut self, index: usize) {
        let division = &self.context.document.divisions[index];
        self.xml.attr("n", division.n);
        self.context.inferred_unless_stated(self.xml, division.certainty, &division.evidence);
        if let Some(title) = &division.title {
            self.xml.line().open("head").attr("type", "supplied").attr("resp", "#zhushu");
            self.xml.text(Plain(title)).close();
        }
    }

    fn top(&mut self) -> &mut DivFrame {
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

    /// Writes marks, furniture and blanks: a blank of only line ends and spaces does not need its
    /// own element.
    fn outside(&mut self, portion: &Portion, after_bare: bool) {
        let segment = self.segment(portion);
        let (source, span) = (&self.context.document.source, self.chapter.span(portion));
        let words = source.slice(span);
        let blank = segment.layer == Layer::Blank
            && segment.evidence.is_empty()
            && segment.certainty == crate::model::Certainty::SURE;
        if blank && !after_bare && words.bytes().all(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'))
        {
            if !self.paragraph {
                self.xml.line();
            }
            stretch(self.xml, source, span, false);
            self.bare = true;
            return;
        }
        self.leaf(portion, "fw", None);
    }

    /// An element with the text of a segment.
    fn leaf(&mut self, portion: &Portion, element: &'static str, kind: Option<&str>) {
        let segment = self.segment(portion);
        if !self.paragraph {
            self.xml.line();
        }
        self.xml.open(element).attr("type", kind.unwrap_or_else(|| super::type_of(segment.layer)));
        self.xml.maybe("subtype", segment.sub.map(super::type_of));
        let first = self.chapter.begins_segment(portion);
        if first {
            self.xml.attr("xml:id", &segment.id);
        } else {
            self.xml.attr("prev", format_args!("#{}", segment.id));
        }
        let number = self.context.number(portion.elements().start).filter(|_| first);
        self.xml.maybe("part", self.chapter.fragment(portion)).maybe("n", number);
        if is_note(segment.layer) {
            self.note_attributes(segment.layer);
        }
        self.context.inferred_unless_stated(self.xml, segment.certainty, &segment.evidence);
        if matches!(segment.layer, Layer::Mark | Layer::Furniture) {
            self.context.mark(self.xml, self.chapter.span(portion));
        }
        self.content(portion, segment);
        self.xml.close();
        match segment.layer.kind() {
            LayerKind::Base | LayerKind::Translation => self.base = Some(portion.segment()),
            LayerKind::Structure if segment.layer != Layer::ShuHeader => self.base = None,
            _ => {}
        }
    }

    /// `@place`, the target of the note, and its speaker.
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

    fn content(&mut self, portion: &Portion, segment: &Segment) {
        let doubt = segment.layer.is_text();
        if !has_sentences(segment.layer) {
            return self.words(self.chapter.span(portion), doubt);
        }
        let chapter = self.chapter;
        for e in &chapter.elements[portion.elements().clone()] {
            self.sentences += 1;
            self.xml.line().open("seg").attr("type", "ju");
            match e.sentence() {
                Some(i) => self.xml.attr("n", self.context.document.sentences[i].number()),
                None => self.xml.attr("n", self.sentences),
            };
            self.xml.attr("xml:id", chapter.id(e));
            self.words(e.span, doubt);
            self.xml.close();
        }
        self.xml.line();
    }

    fn words(&mut self, span: Span, doubt: bool) {
        inline::write(self.xml, self.context, &mut self.item, span, doubt);
    }
}

fn is_shu(layer: Layer) -> bool {
    matches!(layer, Layer::Shu | Layer::ShuHeader)
}

/// Layers written as `note`.
fn is_note(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Note | LayerKind::Commentary) && !is_shu(layer)
}
