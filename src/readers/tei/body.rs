//! The body of our TEI: the source's text in order, with the segments, readings and sections that
//! the elements mark.

use std::collections::HashMap;

use super::header::{DeclaredChar, TeiHeader};
use super::tags::{KEPT, OURS};
use super::xml::{Attributes, XmlReader, XmlToken, collapse, is_blank};
use crate::diag::Error;
use crate::model::{
    Certainty, Division, Evidence, EvidenceKind, Layer, LeafImage, Reading, ReadingKind, Segment,
    Sentence, SentenceNumber, SuppliedMark,
};
use crate::source::{KeptBytes, Span};
use crate::text::class::is_punctuation;

/// The result of reading.
#[derive(Debug, Default)]
pub(super) struct TeiBody {
    pub(super) text: String,
    /// Characters of the text that have other bytes in the file than the encoding gives.
    pub(super) kept: Vec<KeptBytes>,
    pub(super) segments: Vec<Segment>,
    pub(super) marks: Vec<Span>,
    pub(super) readings: Vec<Reading>,
    pub(super) supplied: Vec<SuppliedMark>,
    pub(super) divisions: Vec<Division>,
    /// The numbers of the sentences.
    pub(super) ju: Vec<Sentence>,
    /// Index of a reading by the id of its `corr` or `reg`.
    pub(super) ids: HashMap<String, usize>,
    /// Images of leaves.
    pub(super) images: Vec<LeafImage>,
    /// Elements that our writer never writes, by name, with the place of the first in the XML.
    pub(super) strange: Vec<(String, usize)>,
    /// Further such elements.
    pub(super) more_strange: usize,
}

/// Names of strange elements that are listed.
const MAX_STRANGE: usize = 20;

/// The marks in order, cut where a segment begins inside one.
fn marks_by_segment(marks: &[Span], segments: &[Segment]) -> Vec<Span> {
    let mut marks = marks.to_vec();
    marks.sort_unstable();
    let mut cut = Vec::with_capacity(marks.len());
    for mark in marks {
        let first = segments.partition_point(|s| s.span.end() <= mark.start());
        let meets = segments[first..].iter().take_while(|s| s.span.start() < mark.end());
        cut.extend(
            meets
                .map(|s| Span::new(mark.start().max(s.span.start()), mark.end().min(s.span.end()))),
        );
    }
    cut
}

/// What an open element means.
#[derive(Debug)]
enum ElementRole<'a> {
    /// It has no meaning for the text.
    Through,
    /// A reference: whom and what it names.
    Reference,
    /// A segment.
    Segment,
    /// Marks inside a segment, from this byte on.
    Mark(usize),
    /// Index into the divisions.
    Division(usize),
    /// A sentence: where it begins, its section and number.
    Sentence(usize, u32, SentenceNumber),
    Choice,
    /// `sic`, `orig`.
    Here,
    /// `corr`, `reg`: its content is not part of the source.
    There(Attributes<'a>),
    /// `supplied`, `gap`: of which kind, and where its words begin.
    About(ReadingKind, usize, Attributes<'a>),
    /// A heading we supplied.
    Title(Option<usize>),
    /// `g` and the length of the text before it, to see whether it has content.
    Glyph(Option<DeclaredChar>, usize),
}

/// An open `choice`.
#[derive(Debug, Default)]
struct OpenChoice {
    kind: Option<ReadingKind>,
    start: usize,
    /// None until `sic` or `orig` has closed.
    end: Option<usize>,
}

/// An open segment.
#[derive(Debug)]
struct OpenSegment {
    id: String,
    layer: Layer,
    sub: Option<Layer>,
    certainty: Certainty,
    evidence: Vec<Evidence>,
    start: usize,
}

struct Builder<'h, 'a> {
    header: &'h TeiHeader,
    body: TeiBody,
    roles: Vec<ElementRole<'a>>,
    choices: Vec<OpenChoice>,
    segments: Vec<OpenSegment>,
    /// Text that is not part of the source, while it is collected.
    aside: Option<String>,
    /// There is a `pc` in this `corr`.
    has_pc: bool,
    /// Where the text that has a segment ends.
    covered: usize,
    /// Blanks that `space` elements stood for so far.
    blanks: usize,
}

/// What an element must not be where it is.
struct Refused(&'static str);

/// All `space` elements of a text together mean at most so many blanks. A few bytes could otherwise
/// ask for any amount of memory.
const MAX_BLANKS: usize = 1 << 24;

/// Reads from after `<body>` to `</body>`.
///
/// # Errors
/// Where the XML is not well-formed.
pub(super) fn read(xml: &mut XmlReader<'_>, header: &TeiHeader) -> Result<TeiBody, Error> {
    // Memory that is not used costs nothing, but to move what is in it does.
    let body = TeiBody {
        text: String::with_capacity(xml.len() / 4),
        segments: Vec::with_capacity(xml.len() / 128),
        ..TeiBody::default()
    };
    let mut b = Builder {
        header,
        body,
        roles: vec![],
        choices: vec![],
        segments: vec![],
        aside: None,
        has_pc: false,
        covered: 0,
        blanks: 0,
    };
    loop {
        match xml.next()? {
            XmlToken::Open(name, attributes, at) => {
                b.open(name, &attributes, at).map_err(|Refused(why)| {
                    xml.error(at, why).hint("zhushu does not write this; correct the TEI")
                })?;
                xml.reuse(attributes);
            }
            XmlToken::Text(words) => collapse(&words, b.sink()),
            XmlToken::Close | XmlToken::End => match b.roles.pop() {
                Some(role) => b.close(role),
                None => return Ok(b.finish()),
            },
        }
    }
}

impl<'a> Builder<'_, 'a> {
    /// Where text is added.
    fn sink(&mut self) -> &mut String {
        self.aside.as_mut().unwrap_or(&mut self.body.text)
    }

    fn open(&mut self, name: &str, attributes: &Attributes<'a>, at: usize) -> Result<(), Refused> {
        let role = match name {
            "lb" => self.line_end(attributes.get("rend")),
            "space" => {
                let blank = if attributes.get("unit") == Some("tab") { '\t' } else { ' ' };
                let n = attributes.get("quantity").and_then(|q| q.parse().ok()).unwrap_or(1usize);
                self.blanks = self.blanks.saturating_add(n);
                if self.blanks > MAX_BLANKS {
                    return Err(Refused("more blanks are counted than any text has"));
                }
                self.sink().extend(std::iter::repeat_n(blank, n));
                ElementRole::Through
            }
            "pb" => {
                self.body.images.extend(super::images::of(attributes));
                ElementRole::Through
            }
            "g" => {
                let declared = attributes
                    .get("ref")
                    .and_then(|r| self.header.declared.get(r.trim_start_matches('#')))
                    .cloned();
                let before = self.sink().len();
                ElementRole::Glyph(declared, before)
            }
            _ if self.aside.is_some() => self.in_aside(name),
            // Elements of the source that stand in its marks.
            "seg" if attributes.kind() == "kept" => {
                self.aside = Some(String::new());
                ElementRole::Title(None)
            }
            "choice" | "app" => {
                self.choices.push(OpenChoice::default());
                ElementRole::Choice
            }
            "sic" | "orig" | "lem" => self.open_here(name),
            "supplied" => self.about(ReadingKind::Supplied, attributes),
            "gap" => self.about(ReadingKind::Lost, attributes),
            "corr" | "reg" | "rdg" => {
                (self.aside, self.has_pc) = (Some(String::new()), false);
                ElementRole::There(attributes.clone())
            }
            "head" if attributes.kind() == "supplied" => {
                self.aside = Some(String::new());
                ElementRole::Title(self.body.divisions.len().checked_sub(1))
            }
            "div" if attributes.kind() == "zhang" => {
                if self.is_in(|r| matches!(r, ElementRole::Division(_))) {
                    return Err(Refused("a section (div of type zhang) is inside another"));
                }
                self.open_division(attributes)
            }
            "seg" if attributes.kind() == "ju" => {
                if self.is_in(|r| matches!(r, ElementRole::Sentence(..))) {
                    return Err(Refused("a sentence (seg of type ju) is inside another"));
                }
                self.open_ju(attributes)
            }
            _ => match super::tags::layer_of(name, attributes.kind()) {
                Some(Layer::Mark) if self.segments.last().is_some_and(|s| s.layer.is_text()) => {
                    match self.is_in(|r| matches!(r, ElementRole::Mark(_))) {
                        // A mark inside a mark is part of it.
                        true => ElementRole::Through,
                        false => ElementRole::Mark(self.body.text.len()),
                    }
                }
                Some(layer) => {
                    self.open_segment(layer, attributes);
                    ElementRole::Segment
                }
                None if name == "bibl" => ElementRole::Reference,
                None => {
                    self.note_strange(name, at);
                    ElementRole::Through
                }
            },
        };
        self.roles.push(role);
        Ok(())
    }

    fn in_aside(&mut self, name: &str) -> ElementRole<'a> {
        self.has_pc |= name == "pc";
        ElementRole::Through
    }

    fn about(&self, kind: ReadingKind, attributes: &Attributes<'a>) -> ElementRole<'a> {
        ElementRole::About(kind, self.body.text.len(), attributes.clone())
    }

    fn line_end(&mut self, kind: Option<&str>) -> ElementRole<'a> {
        let end = match kind {
            Some("crlf") => "\r\n",
            Some("cr") => "\r",
            _ => "\n",
        };
        self.sink().push_str(end);
        ElementRole::Through
    }

    /// True if an element with such a role is open.
    fn is_in(&self, role: impl Fn(&ElementRole<'a>) -> bool) -> bool {
        self.roles.iter().any(role)
    }

    fn note_strange(&mut self, name: &str, at: usize) {
        let in_reference = || self.is_in(|role| matches!(role, ElementRole::Reference));
        let is_ours = OURS.contains(&name) || KEPT.contains(&name) && in_reference();
        let strange = &mut self.body.strange;
        if !is_ours && !strange.iter().take(MAX_STRANGE).any(|(n, _)| n == name) {
            match strange.len() {
                0..MAX_STRANGE => strange.push((name.to_string(), at)),
                _ => self.body.more_strange += 1,
            }
        }
    }

    fn close(&mut self, role: ElementRole<'a>) {
        match role {
            ElementRole::Through | ElementRole::Reference => {}
            ElementRole::Segment => self.close_segment(),
            ElementRole::Mark(start) if start < self.body.text.len() => {
                self.body.marks.push(Span::new(start, self.body.text.len()))
            }
            ElementRole::Mark(_) => {}
            ElementRole::Division(i) => {
                let (start, end) = (self.body.divisions[i].span.start(), self.body.text.len());
                self.body.divisions[i].span = Span::new(start, end);
            }
            ElementRole::Sentence(start, section, SentenceNumber { n, part })
                if start < self.body.text.len() =>
            {
                self.body.ju.push(Sentence {
                    span: Span::new(start, self.body.text.len()),
                    section,
                    n,
                    part,
                });
            }
            ElementRole::Sentence(..) => {}
            ElementRole::Choice => drop(self.choices.pop()),
            ElementRole::Here => {
                let end = self.body.text.len();
                if let Some(choice) = self.choices.last_mut() {
                    choice.end = Some(end);
                }
            }
            ElementRole::There(attributes) => self.close_there(&attributes),
            ElementRole::About(kind, start, attributes) => {
                let span = Span::new(start, self.body.text.len());
                self.add_reading(span, "", kind, &attributes);
            }
            ElementRole::Title(division) => {
                let title = self.aside.take();
                if let Some(i) = division {
                    self.body.divisions[i].title = title;
                }
            }
            ElementRole::Glyph(Some(DeclaredChar { c, bytes }), before)
                if self.sink().len() == before =>
            {
                self.sink().push(c);
                if let Some(bytes) = bytes.filter(|_| self.aside.is_none()) {
                    let span = Span::new(before, self.body.text.len());
                    let undecodable = c == '\u{FFFD}';
                    self.body.kept.push(KeptBytes { span, bytes, undecodable });
                }
            }
            ElementRole::Glyph(..) => {}
        }
    }

    fn open_here(&mut self, name: &str) -> ElementRole<'a> {
        let start = self.body.text.len();
        if let Some(choice) = self.choices.last_mut() {
            choice.kind = Some(match name {
                "sic" => ReadingKind::Repair,
                "lem" => ReadingKind::Witness,
                _ => ReadingKind::Variant,
            });
            choice.start = start;
        }
        ElementRole::Here
    }

    fn close_there(&mut self, attributes: &Attributes<'_>) {
        let reading = self.aside.take().unwrap_or_default();
        let Some(OpenChoice { kind: Some(kind), start, end: Some(end) }) = self.choices.last()
        else {
            return;
        };
        // Ours; another reading of a person or a witness stays one.
        let is_ours = self.has_pc && *kind == ReadingKind::Repair;
        if is_ours && start == end && reading.chars().all(is_punctuation) {
            let (certainty, mut evidence) = self.header.judged(attributes);
            let (at, words) = (*end, reading.into());
            let evidence = evidence.pop().unwrap_or(Evidence::of(EvidenceKind::Tei));
            self.body.supplied.push(SuppliedMark { at, words, certainty, evidence });
            return;
        }
        self.add_reading(Span::new(*start, *end), &reading, *kind, attributes);
    }

    fn add_reading(&mut self, span: Span, words: &str, kind: ReadingKind, of: &Attributes<'_>) {
        if let Some(id) = of.get("xml:id") {
            self.body.ids.insert(id.to_string(), self.body.readings.len());
        }
        let (certainty, evidence) = self.header.judged(of);
        let (reading, evidence) = (words.into(), evidence.into());
        self.body.readings.push(Reading { span, reading, kind, certainty, evidence });
    }

    fn open_division(&mut self, attributes: &Attributes<'_>) -> ElementRole<'a> {
        let (certainty, evidence) = self.header.judged(attributes);
        let at = self.body.text.len();
        let n = attributes
            .get("n")
            .and_then(|n| n.parse().ok())
            .unwrap_or(self.body.divisions.len() as u32 + 1);
        self.body.divisions.push(Division {
            n,
            title: None,
            span: Span::new(at, at),
            certainty,
            evidence,
        });
        ElementRole::Division(self.body.divisions.len() - 1)
    }

    fn open_ju(&self, attributes: &Attributes<'_>) -> ElementRole<'a> {
        let open = |r: &ElementRole| {
            if let ElementRole::Division(i) = r { Some(self.body.divisions[*i].n) } else { None }
        };
        let section = self.roles.iter().rev().find_map(open).unwrap_or(0);
        match attributes.get("n").and_then(|n| n.parse().ok()) {
            Some(sentence) => ElementRole::Sentence(self.body.text.len(), section, sentence),
            None => ElementRole::Through,
        }
    }

    /// A segment begins; text since the last one is a blank, and a segment around it is continued
    /// after it.
    fn open_segment(&mut self, layer: Layer, attributes: &Attributes<'_>) {
        match self.segments.last() {
            Some(outer) => {
                let start = outer.start.max(self.covered);
                let outer = OpenSegment {
                    start,
                    id: outer.id.clone(),
                    evidence: outer.evidence.clone(),
                    ..*outer
                };
                self.cover(outer);
            }
            None => self.cover_blank(),
        }
        let (certainty, evidence) = self.header.judged(attributes);
        let start = self.body.text.len();
        let id = attributes
            .get("prev")
            .map(|p| p.trim_start_matches('#'))
            .or(attributes.get("xml:id"))
            .unwrap_or_default()
            .to_string();
        let sub = attributes.get("subtype").and_then(|s| s.parse().ok());
        self.segments.push(OpenSegment { id, layer, sub, certainty, evidence, start });
    }

    fn close_segment(&mut self) {
        if let Some(open) = self.segments.pop() {
            let start = open.start.max(self.covered);
            self.cover(OpenSegment { start, ..open });
        }
    }

    /// Makes a segment of the text from its start on; joins it to the last one if that has the same
    /// id.
    fn cover(&mut self, open: OpenSegment) {
        let OpenSegment { id, layer, sub, certainty, evidence, start } = open;
        let end = self.body.text.len();
        if start == end {
            return;
        }
        self.covered = end;
        match self.body.segments.last_mut() {
            Some(last) if !id.is_empty() && last.id == id => {
                last.span = Span::new(last.span.start(), end)
            }
            _ => self.body.segments.push(Segment {
                id: id.into(),
                layer,
                sub,
                span: Span::new(start, end),
                certainty,
                evidence: evidence.into(),
            }),
        }
    }

    /// Text between segments is a blank of the source; anything else there has lost its layer.
    fn cover_blank(&mut self) {
        let start = self.covered;
        let blank = self.body.text[start..].chars().all(is_blank);
        let layer = if blank { Layer::Blank } else { Layer::Other };
        self.cover(OpenSegment {
            id: String::new(),
            layer,
            sub: None,
            certainty: Certainty::SURE,
            evidence: vec![],
            start,
        });
    }

    fn finish(mut self) -> TeiBody {
        self.cover_blank();
        self.body.marks = marks_by_segment(&self.body.marks, &self.body.segments);
        self.body.readings.sort_by_key(|r| (r.span.start(), r.span.end()));
        let TeiBody { strange, text, .. } = &mut self.body;
        strange.retain(|(name, _)| !KEPT.contains(&&**name) || !text.contains(&format!("<{name}")));
        self.body
    }
}
