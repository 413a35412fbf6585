//! From a document to its units.

use super::laid::keys;
use super::{
    Author, Cited, CitedSentence, DocMeta, Sections, SentenceStart, TranslatedText, Unit, UnitPart,
};
use crate::corpus::{Library, Loci, loci};
use crate::model::{Bead, Certainty, Document, Layer, LayerKind, LocusPath, Segment};
use crate::reading::{self, Chapter, Gap, groups};
use crate::source::Span;
use crate::text::Key;

/// A document cut into units, and their characters.
pub(crate) struct Extract {
    pub(crate) meta: DocMeta,
    /// Layer by layer, each in reading order.
    pub(crate) units: Vec<Unit>,
    /// The folded characters of all units, in their order.
    pub(crate) chars: Vec<char>,
}

/// Cuts a document into units. Units of only punctuation and blanks are left out.
pub(crate) fn extract(document: &Document, library: &Library) -> Extract {
    let (meta, units) = cut(document, library, &Chapter::of(document));
    keyed(document, meta, units)
}

/// The same, with the document in the order of reading.
pub(crate) fn extract_with_chapter(document: &Document, library: &Library) -> (Extract, Chapter) {
    let chapter = Chapter::of(document);
    let (meta, units) = cut(document, library, &chapter);
    (keyed(document, meta, units), chapter)
}

fn cut(document: &Document, library: &Library, chapter: &Chapter) -> (DocMeta, Vec<Unit>) {
    let mut meta = meta(document);
    let groups = groups(chapter, document);
    let cutter = Cutter { document, chapter };
    let mut units = walk(&cutter, &groups);
    units.extend(translation(&cutter, library, &groups, &mut meta));
    units.sort_by_key(|u| (u.layer, u.sub, u.start()));
    (meta, units)
}

/// Adds the characters of the units; those that have none are left out.
fn keyed(document: &Document, meta: DocMeta, mut units: Vec<Unit>) -> Extract {
    let mut chars = vec![];
    units.retain_mut(|unit| {
        let mut key = Key::default();
        for part in &unit.parts {
            keys(document.slice(part.span), part.span.start(), &part.marks, &mut key);
        }
        unit.len = key.len() as u32;
        chars.extend_from_slice(&key.chars);
        unit.len > 0
    });
    Extract { meta, units, chars }
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
        sections: Sections::of(sections),
        targets: vec![],
        text: loci::text_of(document).to_string(),
    }
}

/// Cuts parts out of segments.
struct Cutter<'a> {
    document: &'a Document,
    chapter: &'a Chapter,
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

fn walk(cutter: &Cutter<'_>, groups: &[u32]) -> Vec<Unit> {
    let document = cutter.document;
    let mut units: Vec<Unit> = Vec::with_capacity(document.segments.len());
    let mut last: Option<usize> = None;
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
        let part = cutter.whole(i);
        let open = last.map(|u| &mut units[u]).filter(|u| {
            (u.layer, u.sub, u.group) == (s.layer, s.sub, group) && goes_on(s.layer, gap, editors)
        });
        if let Some(open) = open {
            open.parts.push(part);
            open.certainty = lower(open.certainty, s.certainty);
        } else {
            units.push(unit(s, vec![part], s.certainty, group));
            if s.layer == Layer::An {
                editors = true;
                continue;
            }
            last = Some(units.len() - 1);
        }
        (gap, editors) = (Gap::default(), false);
    }
    units
}

/// True if text of a layer continues the unit before it, of the same layer: across a page break or
/// an editor's note; a paragraph of a sub-commentary and a passage of the classic also across
/// anything that is not text and does not end a line.
fn goes_on(layer: Layer, gap: Gap, editors: bool) -> bool {
    match layer.kind() {
        _ if layer == Layer::An => false,
        LayerKind::Note => gap.furniture || editors,
        LayerKind::Base | LayerKind::Commentary => {
            gap.furniture || editors || !(gap.blank_line || gap.mark_line)
        }
        _ => false,
    }
}

fn lower(a: Certainty, b: Certainty) -> Certainty {
    if b < a { b } else { a }
}

fn unit(s: &Segment, parts: Vec<UnitPart>, certainty: Certainty, group: u32) -> Unit {
    Unit {
        layer: s.layer,
        sub: s.sub,
        parts,
        certainty,
        group,
        targets: vec![],
        renders: None,
        len: 0,
    }
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
            self.units.push(unit(s, parts, s.certainty, self.groups[i]));
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
                    self.units.push(unit(s, vec![part], s.certainty, self.groups[i]));
                }
                from = next.max(from);
            }
        }
    }
}
