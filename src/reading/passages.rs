//! The passages of a page (節): a run of the classic with its commentaries. On a wide screen a
//! passage is one row, with its translation beside it; other layouts use the same passages.
//!
//! A passage begins with classic that follows a note or sub-commentary, at a heading, at the start
//! of a division, and at a paragraph of the source. A note that interrupts a sentence of punctuated
//! text stays inside it; an editor's note (案) stays inside the text that it interrupts.

use super::{Chapter, Portion};
use crate::model::{Document, Layer, LayerKind};
use crate::text::ends_with_sentence;

/// A run of one layer, with what interrupts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) layer: Layer,
    pub(crate) portions: Vec<Portion>,
}

/// A sub-commentary on the passage: its lemma header and its paragraphs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SubCommentary {
    pub(crate) header: Option<Portion>,
    pub(crate) blocks: Vec<Block>,
}

/// A run of the classic with its commentaries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Index of the division it is in.
    pub(crate) division: Option<usize>,
    /// Classic, notes, labels, headings.
    pub(crate) text: Vec<Block>,
    pub(crate) commentaries: Vec<SubCommentary>,
    /// True once its text has a comment: classic after that begins another passage.
    closed: bool,
}

impl Passage {
    /// All its portions, in order.
    pub(crate) fn portions(&self) -> impl Iterator<Item = &Portion> {
        let said = self
            .commentaries
            .iter()
            .flat_map(|c| c.header.iter().chain(c.blocks.iter().flat_map(|b| &b.portions)));
        self.text.iter().flat_map(|b| &b.portions).chain(said)
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.commentaries.is_empty()
    }
}

/// The passages of a chapter, in order. Where each begins is kept; what it consists of is cut when
/// it is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Passages<'a> {
    chapter: &'a Chapter,
    document: &'a Document,
    punctuated: bool,
    /// The first portion of each.
    starts: Vec<u32>,
}

impl<'a> Passages<'a> {
    /// Groups the text of a chapter into passages.
    pub(crate) fn of(chapter: &'a Chapter, document: &'a Document) -> Self {
        let punctuated = document.is_punctuated();
        let mut all = Passages { chapter, document, punctuated, starts: vec![] };
        let mut cutter = all.cutter();
        for (portion, _) in chapter.text() {
            cutter.add(portion.clone());
            all.starts.extend(cutter.done.drain(..).filter_map(|p| start_of(chapter, &p)));
        }
        cutter.next();
        all.starts.extend(cutter.done.drain(..).filter_map(|p| start_of(chapter, &p)));
        all.starts.shrink_to_fit();
        all
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// All of them, one at a time.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Passage> {
        (0..self.len()).map(|n| self.get(n))
    }

    /// Passage number `n`.
    pub(crate) fn get(&self, n: usize) -> Passage {
        let mut cutter = self.cutter();
        self.portions(n).for_each(|p| cutter.add(p.clone()));
        cutter.next();
        // Where one begins depends on nothing before it.
        debug_assert_eq!(cutter.done.len(), 1);
        cutter.done.pop().unwrap_or_default()
    }

    /// The portions of passage `n`, in order.
    pub(crate) fn portions(&self, n: usize) -> impl Iterator<Item = &'a Portion> + use<'a> {
        let (chapter, all) = (self.chapter, &self.chapter.portions);
        let end = self.starts.get(n + 1).map_or(all.len(), |end| *end as usize);
        let own = &all[self.starts[n] as usize..end];
        own.iter().filter(|p| chapter.first(p).layer.is_text())
    }

    /// Index of the division that passage `n` is in.
    pub(crate) fn division(&self, n: usize) -> Option<usize> {
        self.chapter.first(self.portions(n).next()?).division()
    }

    fn cutter(&self) -> Cutter<'a> {
        Cutter {
            chapter: self.chapter,
            document: self.document,
            punctuated: self.punctuated,
            done: vec![],
            now: Passage::default(),
        }
    }
}

/// Index of the first portion of a passage.
fn start_of(chapter: &Chapter, passage: &Passage) -> Option<u32> {
    let first = passage.portions().next()?.elements().start;
    Some(chapter.portions.partition_point(|p| p.elements().start < first) as u32)
}

struct Cutter<'a> {
    chapter: &'a Chapter,
    document: &'a Document,
    punctuated: bool,
    done: Vec<Passage>,
    now: Passage,
}

impl Cutter<'_> {
    fn next(&mut self) {
        let passage = std::mem::take(&mut self.now);
        if !passage.is_empty() {
            self.done.push(passage);
        }
    }

    fn add(&mut self, portion: Portion) {
        let first = self.chapter.first(&portion);
        let (layer, division) = (first.layer, first.division());
        let paragraph = first.gap.ends_paragraph();
        if division != self.now.division && !self.now.is_empty() {
            self.next();
        }
        match layer.kind() {
            _ if layer == Layer::Heading => {
                self.next();
                self.block(portion, layer);
                self.now.division = division;
                self.next();
                return;
            }
            LayerKind::Base | LayerKind::Translation | LayerKind::Undivided => {
                self.base(portion, layer, paragraph)
            }
            LayerKind::Note => self.note(portion, layer, paragraph),
            LayerKind::Commentary => self.commentary(portion, layer, paragraph),
            _ if layer == Layer::ShuHeader => {
                self.now.commentaries.push(SubCommentary { header: Some(portion), blocks: vec![] })
            }
            _ => {
                if !self.now.commentaries.is_empty() {
                    self.next();
                }
                self.block(portion, layer);
                self.now.closed = true;
            }
        }
        self.now.division = division;
    }

    fn block(&mut self, portion: Portion, layer: Layer) {
        self.now.text.push(Block { layer, portions: vec![portion] });
    }

    fn base(&mut self, portion: Portion, layer: Layer, paragraph: bool) {
        if self.now.closed || paragraph || !self.now.commentaries.is_empty() {
            self.next();
        }
        match self.now.text.last_mut() {
            Some(block) if block.layer == layer => block.portions.push(portion),
            _ => self.block(portion, layer),
        }
    }

    fn note(&mut self, portion: Portion, layer: Layer, paragraph: bool) {
        if let Some(last) = self.now.commentaries.last_mut() {
            // An editor's note belongs to the sub-commentary; any other note after it is not
            // attached to a passage.
            match last.blocks.last_mut() {
                Some(block) if layer == Layer::An => return block.portions.push(portion),
                _ => self.next(),
            }
        }
        if let Some(block) = self.now.text.last_mut() {
            let before = block.portions.last().map(|p| &self.document.segments[p.segment()]);
            let broken_off = before.is_some_and(|s| {
                s.layer.kind() == LayerKind::Base
                    && !ends_with_sentence(self.document.slice(s.span))
            });
            let interrupts = block.layer.kind() == LayerKind::Base
                && self.punctuated
                && !paragraph
                && broken_off;
            let goes_on = block.layer == layer && before.is_some_and(|s| s.layer == Layer::An);
            if layer == Layer::An || interrupts || goes_on {
                return block.portions.push(portion);
            }
        }
        self.block(portion, layer);
        self.now.closed = true;
    }

    fn commentary(&mut self, portion: Portion, layer: Layer, paragraph: bool) {
        match self.now.commentaries.last_mut() {
            Some(c) if c.blocks.last().is_none_or(|b| b.layer == layer) => {
                match c.blocks.last_mut() {
                    Some(last) if !paragraph => last.portions.push(portion),
                    _ => c.blocks.push(Block { layer, portions: vec![portion] }),
                }
            }
            _ => {
                let blocks = vec![Block { layer, portions: vec![portion] }];
                self.now.commentaries.push(SubCommentary { header: None, blocks });
            }
        }
    }
}
