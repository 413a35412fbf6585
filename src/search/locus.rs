//! The locus of a hit, and its place on the pages of a site.

use std::fmt;
use std::sync::Arc;

use super::store::file::IndexFile;
use super::units::{CitedSentence, DocMeta, Placed, UnitPart};
use crate::diag::Error;
use crate::model::{self, Layer, LocusPath, NoteName, SentenceNumber, TextName};
use crate::source::{Position, Span};

/// A place as a person cites it: `yili.05.23.2.zhu`, or in a text without numbers `儀禮・鄉射禮 今譯
/// 8:16`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitLocus {
    /// The locus, the same in all witnesses of the chapter; a translation has the locus of what it
    /// translates. `None` if the text has no numbers.
    pub passage: Option<model::Locus>,
    /// Work and chapter, or the title of the text: 儀禮・鄉射禮.
    pub text: String,
    /// Siglum of the witness, or the id of its document.
    pub witness: String,
    /// Title of the section, as in the text.
    pub section: Option<String>,
    /// Line and column in the file.
    pub place: Position,
}

impl fmt::Display for HitLocus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(passage) = &self.passage {
            return passage.fmt(f);
        }
        if self.text != self.witness {
            write!(f, "{} ", self.text)?;
        }
        write!(f, "{} {}:{}", self.witness, self.place.line, self.place.column)
    }
}

/// The locus of byte `at` of a document, which is at `place`.
pub(super) fn locus_of(
    meta: &DocMeta,
    passage: Option<model::Locus>,
    at: usize,
    place: Position,
) -> HitLocus {
    let section = meta.sections.name(at).map(String::from);
    HitLocus {
        passage,
        text: meta.text_name(),
        witness: meta.siglum.clone().unwrap_or_else(|| meta.id.clone()),
        section,
        place,
    }
}

/// The characters of a hit that lie in one part of a unit.
#[derive(Clone, Copy)]
pub(super) struct HitPart<'a> {
    pub(super) file: &'a IndexFile,
    pub(super) meta: &'a DocMeta,
    pub(super) unit: &'a Placed,
    /// Index of the part.
    pub(super) part: usize,
    /// Where they are, marks included.
    pub(super) span: Span,
}

/// The locus of a hit from its first part to its last.
pub(super) fn passage(
    first: &HitPart<'_>,
    last: &HitPart<'_>,
) -> Result<Option<model::Locus>, Error> {
    let Some(text) = first.text() else { return Ok(None) };
    let (from, to) = (first.passage(true)?, last.passage(false)?);
    let Some((mut from, mut to)) = from.or(to).zip(to.or(from)) else { return Ok(None) };
    let same = (first.unit.n, first.part) == (last.unit.n, last.part);
    if same && first.is_whole_note(from, to)? {
        (from.inner, to.inner) = (None, None);
    }
    Ok(Some(model::Locus { text, from: Some(from), to: (to != from).then_some(to), version: None }))
}

impl<'a> HitPart<'a> {
    fn own(&self) -> Option<&'a UnitPart> {
        self.unit.unit.parts.get(self.part)
    }

    /// The text that the locus names.
    fn text(&self) -> Option<TextName> {
        let translated =
            self.unit.unit.targets.first().filter(|_| self.unit.unit.layer == Layer::Translation);
        let name = translated
            .and_then(|(i, _)| self.meta.targets.get(*i as usize))
            .map_or(&self.meta.text, |t| &t.text);
        let (work, chapter) = name.rsplit_once('.')?;
        Some(TextName { work: work.into(), chapter: chapter.parse().ok()? })
    }

    /// The passage of the first character, or of the last.
    fn passage(&self, first: bool) -> Result<Option<LocusPath>, Error> {
        let Some(part) = self.own() else { return Ok(None) };
        if self.unit.unit.layer == Layer::Translation {
            return Ok(self
                .unit
                .unit
                .renders
                .map(|(from, to)| passage_of(if first { from } else { to })));
        }
        let Some(note) = self.note() else {
            let at = if first { self.span.start() } else { self.span.end().saturating_sub(1) };
            let element = part
                .elements
                .partition_point(|e| e.at as usize <= at)
                .checked_sub(1)
                .map(|i| part.elements[i]);
            return Ok(element.and_then(|e| e.ju).map(passage_of));
        };
        if self.unit.unit.layer == Layer::ShuHeader {
            return Ok(Some(LocusPath { inner: Some(0), ..note }));
        }
        let pieces = self.sentences()?;
        if self.unit.unit.layer != Layer::Shu && pieces.len() < 2 {
            return Ok(Some(note));
        }
        let n = match first {
            true => pieces.partition_point(|p| p.end() <= self.span.start()),
            false => pieces.partition_point(|p| p.start() < self.span.end()).saturating_sub(1),
        };
        Ok(Some(LocusPath { inner: Some(self.before() + n as u32 + 1), ..note }))
    }

    /// The note that contains them.
    fn note(&self) -> Option<LocusPath> {
        let cited = self.own()?.cited?;
        let layer = if self.unit.unit.layer == Layer::ShuHeader {
            Layer::Shu
        } else {
            self.unit.unit.layer
        };
        let note = Some(NoteName { layer, nth: cited.nth });
        Some(LocusPath {
            section: cited.section,
            sentence: Some(SentenceNumber { n: cited.n, part: 0 }),
            note,
            inner: None,
        })
    }

    fn before(&self) -> u32 {
        self.own().and_then(|p| p.cited).map_or(0, |c| c.before)
    }

    /// The sentences of the part, as the document numbers them.
    fn sentences(&self) -> Result<Arc<Vec<Span>>, Error> {
        let Some(part) = self.own() else { return Ok(Arc::default()) };
        self.file.sentences(self.unit.doc, part.span)
    }

    /// True if the hit covers a note from its first sentence to its last. A sub-commentary is
    /// always cited by sentence.
    fn is_whole_note(&self, from: LocusPath, to: LocusPath) -> Result<bool, Error> {
        let Some((first, last)) =
            from.inner.zip(to.inner).filter(|_| from.note.is_some_and(|n| n.layer != Layer::Shu))
        else {
            return Ok(false);
        };
        Ok(first == self.before() + 1
            && last as usize == self.before() as usize + self.sentences()?.len())
    }

    /// The id that pages give to the element with the first character: its locus, else its id in
    /// TEI.
    pub(super) fn anchor(&self) -> Option<String> {
        let part = self.own()?;
        let element =
            part.elements.partition_point(|e| e.at as usize <= self.span.start()).checked_sub(1);
        let passage = match self.note() {
            Some(note) => {
                let inner = match self.unit.unit.layer {
                    Layer::ShuHeader => Some(0),
                    Layer::Shu => Some(self.before() + 1),
                    _ => None,
                };
                Some(LocusPath { inner, ..note })
            }
            None => element.and_then(|i| part.elements[i].ju).map(passage_of),
        };
        match passage.zip(self.text()).filter(|_| self.unit.unit.layer != Layer::Translation) {
            Some((passage, text)) => Some(model::Locus::of(text, passage).to_string()),
            None => self.id(element),
        }
    }

    /// The element of byte `at` as in TEI and on pages (`x1.2`), and how many characters other than
    /// blanks it has before byte `end`.
    pub(super) fn element(&self, at: usize, end: usize) -> Result<Option<(String, usize)>, Error> {
        let Some(part) = self.own() else { return Ok(None) };
        let element = part.elements.partition_point(|e| e.at as usize <= at).checked_sub(1);
        let Some(id) = self.id(element) else { return Ok(None) };
        let begin = element.map_or(part.span.start(), |i| part.elements[i].at as usize);
        let before = Span::new(begin, end.max(begin));
        Ok(Some((id, self.file.count_shown(self.unit.doc, before, &part.marks)?)))
    }

    fn id(&self, element: Option<usize>) -> Option<String> {
        let part = self.own().filter(|p| p.segment > 0)?;
        let id = format!("{}{}", self.unit.unit.layer.info().prefix, part.segment);
        Some(element.map_or(id.clone(), |i| format!("{id}.{}", part.sentence as usize + i)))
    }
}

fn passage_of(number: CitedSentence) -> LocusPath {
    LocusPath::sentence(number.section, number.n, number.part)
}
