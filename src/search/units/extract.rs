//! From a document to its units.

use std::ops::Range;

use super::laid::keys;
use super::{
    Author, Beginnings, Cited, CitedSentence, DocMeta, SentenceStart, TranslatedText, Unit,
    UnitNames, UnitPart, UnitSpeeches,
};
use crate::corpus::{Library, Loci, loci};
use crate::model::{Bead, Certainty, Document, Layer, LayerKind, LocusPath};
use crate::reading::{self, Chapter, Gap, Leaves, groups};
use crate::source::Span;
use crate::text::Key;

/// A document cut into units. A long text has hundreds of thousands, so each is made only when it
/// is asked for.
pub(crate) struct Extract<'a> {
    pub(crate) meta: DocMeta,
    cutter: Cutter<'a>,
    /// Layer by layer, each in reading order.
    cuts: Vec<UnitCut>,
    /// The segments of units that have several.
    segments: Vec<u32>,
    /// The units of a translation.
    translated: Vec<Unit>,
}

/// What a unit consists of, in few bytes.
#[derive(Clone, Copy)]
struct UnitCut {
    group: u32,
    /// How many characters.
    len: u32,
    /// See [`UnitCut::pieces`].
    first: u32,
    number: u32,
}

/// The pieces of a unit.
enum Pieces {
    /// One segment, by its index.
    Segment(usize),
    /// These of [`Extract::segments`].
    Segments(Range<usize>),
    /// It is this one of [`Extract::translated`].
    Translated(usize),
}

/// Stands for the number of pieces of a unit of a translation.
const TRANSLATED: u32 = u32::MAX;

impl UnitCut {
    fn of_segment(segment: usize, group: u32) -> Self {
        UnitCut { group, len: 0, first: segment as u32, number: 1 }
    }

    fn translated(n: usize, group: u32) -> Self {
        UnitCut { group, len: 0, first: n as u32, number: TRANSLATED }
    }

    fn pieces(&self) -> Pieces {
        let first = self.first as usize;
        match self.number {
            1 => Pieces::Segment(first),
            TRANSLATED => Pieces::Translated(first),
            n => Pieces::Segments(first..first + n as usize),
        }
    }

    /// Adds a segment. Only the last unit grows, so the segments of each are together in `all`.
    fn add(&mut self, segment: usize, all: &mut Vec<u32>) {
        if self.number == 1 {
            all.push(std::mem::replace(&mut self.first, all.len() as u32));
        }
        all.push(segment as u32);
        self.number += 1;
    }
}

/// Cuts a document into units. Units of only punctuation and blanks are left out.
pub(crate) fn extract<'a>(document: &'a Document, library: &Library) -> Extract<'a> {
    let chapter = Chapter::of(document);
    let groups = groups(&chapter, document);
    let cutter = Cutter { document, chapter };
    let mut meta = meta(document);
    let translated = translation(&cutter, library, &groups, &mut meta);
    let (mut cuts, segments) = walk(&cutter, &groups);
    let units = translated.iter().enumerate();
    cuts.extend(units.map(|(n, u)| UnitCut::translated(n, u.group)));
    cuts.shrink_to_fit();
    let mut extract = Extract { meta, cutter, cuts, segments, translated };
    extract.put_in_order();
    extract.count();
    extract
}

impl Extract<'_> {
    /// The units, layer by layer, each in reading order.
    pub(crate) fn units(&self) -> impl ExactSizeIterator<Item = Unit> {
        self.cuts.iter().map(|cut| self.unit(cut))
    }

    /// The document in the order of reading.
    pub(crate) fn chapter(&self) -> &Chapter {
        &self.cutter.chapter
    }

    fn unit(&self, cut: &UnitCut) -> Unit {
        let segments = match cut.pieces() {
            Pieces::Segment(i) => &[i as u32][..],
            Pieces::Segments(of) => &self.segments[of],
            Pieces::Translated(n) => return Unit { len: cut.len, ..self.translated[n].clone() },
        };
        let of = |i: &u32| &self.cutter.document.segments[*i as usize];
        let first = of(&segments[0]);
        let certainty = segments.iter().map(|i| of(i).certainty).fold(first.certainty, lower);
        let parts = segments.iter().map(|i| self.cutter.whole(*i as usize)).collect();
        let made = unit((first.layer, first.sub), parts, certainty, cut.group);
        Unit { len: cut.len, ..made }
    }

    fn put_in_order(&mut self) {
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.sort_unstable_by_key(|cut| {
            let segment = match cut.pieces() {
                Pieces::Segment(i) => i,
                Pieces::Segments(of) => self.segments[of.start] as usize,
                Pieces::Translated(n) => {
                    let unit = &self.translated[n];
                    return (unit.layer, unit.sub, unit.start(), n);
                }
            };
            let s = &self.cutter.document.segments[segment];
            (s.layer, s.sub, s.span.start(), segment)
        });
        self.cuts = cuts;
    }

    /// Counts the characters of the units; those that have none are left out.
    fn count(&mut self) {
        let mut cuts = std::mem::take(&mut self.cuts);
        let mut key = Key::default();
        let (mut speeches, mut n) = (UnitSpeeches::default(), 0);
        let (mut names, marked) = UnitNames::of_document(self.cutter.document);
        cuts.retain_mut(|cut| {
            key.clear();
            self.key(cut, &mut key);
            cut.len = key.len() as u32;
            // A translation reports no one.
            let reports = cut.number != TRANSLATED && !self.cutter.document.speeches.is_empty();
            if cut.len > 0 && reports {
                speeches.add(n, &self.spans(cut), self.cutter.document);
            }
            if cut.len > 0 && !marked.is_empty() {
                names.add(n, &self.spans(cut), self.cutter.document, &marked);
            }
            n += u32::from(cut.len > 0);
            cut.len > 0
        });
        self.cuts = cuts;
        self.meta.speeches = speeches;
        self.meta.marked = names;
    }

    /// Where the segments of a unit are, or the parts of a translation.
    fn spans(&self, cut: &UnitCut) -> Vec<Span> {
        let span = |i: u32| self.cutter.document.segments[i as usize].span;
        match cut.pieces() {
            Pieces::Segment(i) => vec![span(i as u32)],
            Pieces::Segments(of) => self.segments[of].iter().map(|i| span(*i)).collect(),
            Pieces::Translated(n) => self.translated[n].parts.iter().map(|p| p.span).collect(),
        }
    }

    /// The folded characters of a unit.
    fn key(&self, cut: &UnitCut, key: &mut Key) {
        let document = self.cutter.document;
        let mut add = |span: Span| {
            keys(document.slice(span), span.start(), document.marks_in(span), key);
        };
        match cut.pieces() {
            Pieces::Segment(i) => add(document.segments[i].span),
            Pieces::Segments(of) => {
                let all = self.segments[of].iter();
                all.for_each(|i| add(document.segments[*i as usize].span));
            }
            Pieces::Translated(n) => self.translated[n].parts.iter().for_each(|p| add(p.span)),
        }
    }
}

/// Puts the folded characters of a unit of `document` into `key`.
pub(crate) fn key_of(document: &Document, unit: &Unit, key: &mut Key) {
    key.clear();
    for part in &unit.parts {
        keys(document.slice(part.span), part.span.start(), &part.marks, key);
    }
}

fn meta(document: &Document) -> DocMeta {
    let m = &document.meta;
    let author = |(layer, who): &(Layer, crate::model::Commentator)| Author {
        layer: layer.id().into(),
        key: who.key.clone(),
        name: who.name.clone(),
    };
    let sections =
        document.divisions.iter().filter_map(|d| Some((d.span.start(), d.title.as_deref()?)));
    let leaves = Leaves::of(document).at_text(document);
    DocMeta {
        id: document.id.clone(),
        file: document.source.name().into_owned(),
        title: m.title.clone(),
        work: m.work.clone(),
        work_key: m.work_key.clone(),
        chapter: m.chapter.clone(),
        siglum: m.siglum.clone(),
        edition: m.edition.clone(),
        authors: m.layers.iter().map(author).collect(),
        speeches: UnitSpeeches::default(),
        marked: UnitNames::default(),
        sections: Beginnings::of(sections),
        leaves: Beginnings::of(leaves.all().iter().map(|leaf| (leaf.at, leaf.name()))),
        targets: vec![],
        text: loci::text_of(document).to_string(),
    }
}

/// Cuts parts out of segments.
struct Cutter<'a> {
    document: &'a Document,
    chapter: Chapter,
}

impl Cutter<'_> {
    /// An element of a segment that has several.
    fn element(&self, e: &reading::Element) -> SentenceStart {
        let number = |i: usize| {
            let ju = self.document.sentences[i];
            CitedSentence { section: ju.section, n: ju.n, part: ju.part }
        };
        let ju = e.sentence().filter(|_| self.chapter.is_cited()).map(number);
        SentenceStart { at: e.span.start() as u32, ju }
    }

    /// The locus of segment `i`, if it is a note.
    fn cited(&self, i: usize) -> Option<Cited> {
        let locus = self.chapter.locus(self.chapter.of_segment(i).start)?;
        let LocusPath { section, sentence, note, .. } = locus.path;
        let n = sentence.map_or(0, |s| s.n);
        note.map(|note| Cited { section, n, nth: note.nth, before: locus.before })
    }

    /// All of segment `i`.
    fn whole(&self, i: usize) -> UnitPart {
        self.part(i, self.document.segments[i].span)
    }

    /// A stretch of segment `i`, with the elements in which it has content.
    fn part(&self, i: usize, span: Span) -> UnitPart {
        let all = &self.chapter.elements[self.chapter.of_segment(i)];
        let all = if reading::has_sentences(self.document.segments[i].layer) { all } else { &[] };
        let first = all.partition_point(|e| e.span.start() <= span.start()).saturating_sub(1);
        let last = all.partition_point(|e| e.span.start() < span.end()).max(first);
        UnitPart {
            segment: number(&self.document.segments[i].id),
            sentence: all.get(first).map_or(0, |e| e.n() as u32),
            elements: all[first..last].iter().map(|e| self.element(e)).collect(),
            cited: self.cited(i),
            span,
            marks: self.document.marks_in(span).to_vec(),
        }
    }
}

/// The number in a segment's id.
fn number(id: &str) -> u32 {
    id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
}

/// The units of all layers but the translation, and the segments of those that have several.
fn walk(cutter: &Cutter<'_>, groups: &[u32]) -> (Vec<UnitCut>, Vec<u32>) {
    let document = cutter.document;
    let (mut cuts, mut segments): (Vec<UnitCut>, _) = (vec![], vec![]);
    // The last unit that may grow, and its layers.
    let mut last: Option<(usize, (Layer, Option<Layer>))> = None;
    // What lies between the last unit and the next text; editors' notes are included.
    let (mut gap, mut editors) = (Gap::default(), false);
    for portion in cutter.chapter.segments() {
        let (i, first) = (portion.segment(), cutter.chapter.first(portion));
        let (s, group) = (&document.segments[i], groups[i]);
        if !s.layer.is_text() {
            continue;
        }
        gap = gap.and(first.gap);
        if s.layer == Layer::Translation {
            (last, gap, editors) = (None, Gap::default(), false);
            continue;
        }
        let open = last.filter(|(u, layers)| {
            let same = *layers == (s.layer, s.sub) && cuts[*u].group == group;
            same && goes_on(s.layer, gap, editors)
        });
        if let Some((open, _)) = open {
            cuts[open].add(i, &mut segments);
        } else {
            cuts.push(UnitCut::of_segment(i, group));
            if s.layer == Layer::An {
                editors = true;
                continue;
            }
            last = Some((cuts.len() - 1, (s.layer, s.sub)));
        }
        (gap, editors) = (Gap::default(), false);
    }
    (cuts, segments)
}

/// True if text of a layer continues the unit before it, of the same layer: across a page break or
/// an editor's note; a paragraph of a sub-commentary and a passage of the classic also across
/// anything that is not text and does not end a line.
fn goes_on(layer: Layer, gap: Gap, editors: bool) -> bool {
    match layer.kind() {
        _ if layer == Layer::An => false,
        LayerKind::Note => gap.furniture() || editors,
        LayerKind::Base | LayerKind::Commentary => {
            gap.furniture() || editors || !(gap.blank_line() || gap.mark_line())
        }
        _ => false,
    }
}

fn lower(a: Certainty, b: Certainty) -> Certainty {
    if b < a { b } else { a }
}

fn unit(
    (layer, sub): (Layer, Option<Layer>),
    parts: Vec<UnitPart>,
    certainty: Certainty,
    group: u32,
) -> Unit {
    Unit { layer, sub, parts, certainty, group, targets: vec![], renders: None, len: 0 }
}

/// The units of a translation: one for each side of a bead, and one for each segment outside beads.
fn translation(
    cutter: &Cutter<'_>,
    library: &Library,
    groups: &[u32],
    meta: &mut DocMeta,
) -> Vec<Unit> {
    let document = cutter.document;
    if document.of_layer(Layer::Translation).next().is_none() {
        return vec![];
    }
    let mut pieces = TranslationUnits { cutter, groups, covered: vec![], units: vec![] };
    let alignments: Vec<_> =
        library.alignments.iter().filter(|a| a.translation == document.id).collect();
    for bead in alignments.first().iter().flat_map(|a| &a.beads) {
        pieces.add(&bead.translation);
    }
    pieces.add_rest();
    let mut units = pieces.units;
    for alignment in alignments {
        let target = meta.targets.len() as u32;
        let source = library.get(&alignment.source);
        let text = source.map(|d| loci::text_of(d).to_string()).unwrap_or_default();
        meta.targets.push(TranslatedText { id: alignment.source.clone(), text });
        let loci = source.map(|d| Loci::of(d));
        let mut sides: Vec<(Span, &Bead)> = alignment
            .beads
            .iter()
            .flat_map(|b| b.translation.iter().map(move |s| (*s, b)))
            .collect();
        sides.sort_by_key(|(s, _)| *s);
        for unit in &mut units {
            let mut found: Vec<Span> = unit
                .parts
                .iter()
                .flat_map(|p| overlapping(&sides, p.span))
                .flat_map(|b| b.source.iter().copied())
                .collect();
            found.sort_unstable();
            found.dedup();
            if unit.targets.is_empty() {
                unit.renders = loci.as_ref().and_then(|l| rendered(l, &found));
            }
            unit.targets.extend(found.into_iter().map(|s| (target, s)));
        }
    }
    units
}

/// The loci of the passages of a classic, from the first to the last.
fn rendered(loci: &Loci<'_>, spans: &[Span]) -> Option<(CitedSentence, CitedSentence)> {
    let (first, last) = (spans.first()?, spans.iter().max_by_key(|s| s.end())?);
    let locus = loci.name(Span::new(first.start(), last.end()))?;
    let number = |p: LocusPath| {
        p.sentence.map(|s| CitedSentence { section: p.section, n: s.n, part: s.part })
    };
    let from = number(locus.from?)?;
    Some((from, locus.to.and_then(number).unwrap_or(from)))
}

/// The beads whose sides overlap a span.
fn overlapping<'a>(sides: &'a [(Span, &'a Bead)], span: Span) -> impl Iterator<Item = &'a Bead> {
    let first = sides.partition_point(|(s, _)| s.end() <= span.start());
    sides[first..].iter().take_while(move |(s, _)| s.start() < span.end()).map(|(_, b)| *b)
}

struct TranslationUnits<'a> {
    cutter: &'a Cutter<'a>,
    groups: &'a [u32],
    covered: Vec<Span>,
    units: Vec<Unit>,
}

impl TranslationUnits<'_> {
    fn add(&mut self, spans: &[Span]) {
        let document = self.cutter.document;
        let mut parts = vec![];
        let mut first = None;
        for span in spans {
            let from = document.segments.partition_point(|s| s.span.end() <= span.start());
            let meeting = (from..document.segments.len())
                .take_while(|i| document.segments[*i].span.start() < span.end());
            for i in meeting.filter(|i| document.segments[*i].layer == Layer::Translation) {
                let s = &document.segments[i];
                let inside =
                    Span::new(span.start().max(s.span.start()), span.end().min(s.span.end()));
                first = first.or(Some(i));
                parts.push(self.cutter.part(i, inside));
                self.covered.push(inside);
            }
        }
        if let Some(i) = first {
            // A bead's certainty is that of the pairing; the certainty of the layer is that of its
            // segments.
            let s = &document.segments[i];
            self.units.push(unit((s.layer, s.sub), parts, s.certainty, self.groups[i]));
        }
    }

    /// Text outside beads.
    fn add_rest(&mut self) {
        self.covered.sort_unstable();
        let document = self.cutter.document;
        for (i, s) in
            document.segments.iter().enumerate().filter(|(_, s)| s.layer == Layer::Translation)
        {
            let first = self.covered.partition_point(|c| c.end() <= s.span.start());
            let mut from = s.span.start();
            let inside: Vec<Span> = self.covered[first..]
                .iter()
                .take_while(|c| c.start() < s.span.end())
                .copied()
                .collect();
            let gaps =
                inside.iter().map(|c| (c.start(), c.end())).chain([(s.span.end(), s.span.end())]);
            for (to, next) in gaps {
                if from < to {
                    let part = self.cutter.part(i, Span::new(from, to));
                    let kind = (s.layer, s.sub);
                    self.units.push(unit(kind, vec![part], s.certainty, self.groups[i]));
                }
                from = next.max(from);
            }
        }
    }
}
