//! From a document to its units.

use std::collections::HashMap;

use super::groups::groups;
use super::laid::keys;
use super::{Author, DocMeta, Part, Section, Unit};
use crate::corpus::Library;
use crate::model::{Bead, Cert, Document, Layer, LayerKind};
use crate::source::Span;
use crate::text::{Key, sentences};

/// A document cut into units, and their characters.
pub(crate) struct Extract {
    pub(crate) meta: DocMeta,
    /// Layer by layer, each in reading order.
    pub(crate) units: Vec<Unit>,
    /// The folded characters of all units, in their order.
    pub(crate) chars: Vec<char>,
}

/// Cuts a document into units. Units without a character that carries words are left out.
pub(crate) fn extract(document: &Document, library: &Library) -> Extract {
    let mut meta = meta(document);
    let groups = groups(document);
    let mut units = walk(document, &groups);
    units.extend(translation(document, library, &groups, &mut meta));
    units.sort_by_key(|u| (u.layer, u.sub, u.start()));
    let mut key = Key::default();
    units.retain_mut(|unit| {
        let before = key.len();
        for part in &unit.parts {
            keys(document.slice(part.span), part.span.start(), &part.marks, &mut key);
        }
        unit.len = (key.len() - before) as u32;
        unit.len > 0
    });
    Extract { meta, units, chars: key.chars }
}

fn meta(document: &Document) -> DocMeta {
    let m = &document.meta;
    let author = |(layer, who): &(Layer, crate::model::Commentator)| Author {
        layer: layer.id().into(),
        key: who.key.clone(),
        name: who.name.clone(),
    };
    let section = |d: &crate::model::Division| Some(Section { at: d.span.start(), title: d.title.clone()? });
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
        sections: document.divisions.iter().filter_map(section).collect(),
        targets: vec![],
    }
}

/// The number in a segment's id.
fn number(id: &str) -> u32 {
    id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
}

/// What stands between the last words and those that come now.
#[derive(Default)]
struct Between {
    line: bool,
    furniture: bool,
    editors: bool,
}

fn walk(document: &Document, groups: &[u32]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::with_capacity(document.segments.len());
    let mut last: Option<usize> = None;
    let mut between = Between::default();
    for (s, group) in document.segments.iter().zip(groups) {
        match s.layer {
            Layer::Furniture => between.furniture = true,
            layer if !layer.is_text() => between.line |= document.slice(s.span).contains('\n'),
            Layer::Translation => (last, between) = (None, Between::default()),
            layer => {
                let part = part(document, s.span, number(&s.id), u32::from(layer.kind() == LayerKind::Base));
                let open = last.filter(|u| (units[*u].layer, units[*u].sub, units[*u].group) == (layer, s.sub, *group));
                if let Some(u) = open.filter(|_| goes_on(layer, &between)) {
                    units[u].parts.push(part);
                    units[u].cert = lower(units[u].cert, s.cert);
                } else {
                    units.push(Unit { layer, sub: s.sub, parts: vec![part], cert: s.cert, group: *group, targets: vec![], len: 0 });
                    if layer == Layer::An {
                        between.editors = true;
                        continue;
                    }
                    last = Some(units.len() - 1);
                }
                between = Between::default();
            }
        }
    }
    units
}

/// True if words of a layer go on the unit before them, of the same layer: over a page, over an editor's note; a paragraph
/// of a sub-commentary and a passage of the classic also over whatever is no words and ends no line.
fn goes_on(layer: Layer, between: &Between) -> bool {
    match layer.kind() {
        _ if layer == Layer::An => false,
        LayerKind::Note => between.furniture || between.editors,
        LayerKind::Base | LayerKind::Commentary => between.furniture || between.editors || !between.line,
        _ => false,
    }
}

fn lower(a: Cert, b: Cert) -> Cert {
    if b < a { b } else { a }
}

fn part(document: &Document, span: Span, segment: u32, sentence: u32) -> Part {
    Part { segment, sentence, span, marks: document.marks_in(span).to_vec() }
}

/// The units of a translation: a side of a bead each; what no bead holds, a segment each.
fn translation(document: &Document, library: &Library, groups: &[u32], meta: &mut DocMeta) -> Vec<Unit> {
    if document.of_layer(Layer::Translation).next().is_none() {
        return vec![];
    }
    let mut pieces = Pieces { document, groups, sentences: HashMap::new(), covered: vec![], units: vec![] };
    let alignments: Vec<_> = library.alignments.iter().filter(|a| a.translation == document.id).collect();
    for bead in alignments.first().iter().flat_map(|a| &a.beads) {
        pieces.add(&bead.translation, bead);
    }
    pieces.add_rest();
    let mut units = pieces.units;
    for alignment in alignments {
        let target = meta.targets.len() as u32;
        meta.targets.push(alignment.source.clone());
        let mut sides: Vec<(Span, &Bead)> = alignment.beads.iter().flat_map(|b| b.translation.iter().map(move |s| (*s, b))).collect();
        sides.sort_by_key(|(s, _)| *s);
        for unit in &mut units {
            let mut found: Vec<Span> =
                unit.parts.iter().flat_map(|p| overlapping(&sides, p.span)).flat_map(|b| b.source.iter().copied()).collect();
            found.sort_unstable();
            found.dedup();
            unit.targets.extend(found.into_iter().map(|s| (target, s)));
        }
    }
    units
}

/// The beads whose sides share words with a span.
fn overlapping<'a>(sides: &'a [(Span, &'a Bead)], span: Span) -> impl Iterator<Item = &'a Bead> {
    let first = sides.partition_point(|(s, _)| s.end() <= span.start());
    sides[first..].iter().take_while(move |(s, _)| s.start() < span.end()).map(|(_, b)| *b)
}

struct Pieces<'a> {
    document: &'a Document,
    groups: &'a [u32],
    /// Starts of the sentences of a segment.
    sentences: HashMap<usize, Vec<usize>>,
    covered: Vec<Span>,
    units: Vec<Unit>,
}

impl Pieces<'_> {
    fn add(&mut self, spans: &[Span], bead: &Bead) {
        let mut parts = vec![];
        let (mut cert, mut group) = (bead.cert, None);
        for span in spans {
            let first = self.document.segments.partition_point(|s| s.span.end() <= span.start());
            let meeting = (first..self.document.segments.len()).take_while(|i| self.document.segments[*i].span.start() < span.end());
            for i in meeting.filter(|i| self.document.segments[*i].layer == Layer::Translation).collect::<Vec<_>>() {
                let s = &self.document.segments[i];
                let inside = Span::new(span.start().max(s.span.start()), span.end().min(s.span.end()));
                cert = lower(cert, s.cert);
                group = group.or(Some(self.groups[i]));
                parts.push(part(self.document, inside, number(&s.id), self.sentence(i, inside.start())));
                self.covered.push(inside);
            }
        }
        if let Some(group) = group {
            // A bead's certainty is that of the pairing; the layer is as sure as its segments.
            let cert = self.document.segment_at(parts[0].span.start()).map_or(cert, |i| self.document.segments[i].cert);
            self.units.push(Unit { layer: Layer::Translation, sub: None, parts, cert, group, targets: vec![], len: 0 });
        }
    }

    /// What no bead holds.
    fn add_rest(&mut self) {
        self.covered.sort_unstable();
        let document = self.document;
        for (i, s) in document.segments.iter().enumerate().filter(|(_, s)| s.layer == Layer::Translation) {
            let first = self.covered.partition_point(|c| c.end() <= s.span.start());
            let mut from = s.span.start();
            let inside: Vec<Span> = self.covered[first..].iter().take_while(|c| c.start() < s.span.end()).copied().collect();
            let gaps = inside.iter().map(|c| (c.start(), c.end())).chain([(s.span.end(), s.span.end())]);
            for (to, next) in gaps {
                if from < to {
                    let part = part(document, Span::new(from, to), number(&s.id), self.sentence(i, from));
                    let unit = Unit {
                        layer: s.layer,
                        sub: s.sub,
                        parts: vec![part],
                        cert: s.cert,
                        group: self.groups[i],
                        targets: vec![],
                        len: 0,
                    };
                    self.units.push(unit);
                }
                from = next.max(from);
            }
        }
    }

    /// Number of the sentence of a segment that byte `at` is in, from 1.
    fn sentence(&mut self, segment: usize, at: usize) -> u32 {
        let document = self.document;
        let span = document.segments[segment].span;
        let starts =
            self.sentences.entry(segment).or_insert_with(|| sentences(document.source.text(), span).iter().map(|s| s.start()).collect());
        starts.partition_point(|s| *s <= at).max(1) as u32
    }
}
