//! The sentences of one text by itself.

use std::collections::HashMap;

use crate::model::{Document, Evidence, EvidenceKind, Layer, LayerKind, Segment, Sentence};
use crate::source::Span;
use crate::text::class::is_content;
use crate::text::{ends_with_sentence, sentences};

/// A piece of the classic within one segment, and the sentence it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct NumberedPiece {
    pub span: Span,
    pub section: u32,
    pub n: u32,
}

/// The numbered sentences of a text without other witnesses.
pub fn numbered(document: &Document) -> Vec<Sentence> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    let mut pieces: Vec<NumberedPiece> = Vec::new();
    for ClassicPiece { span, opens } in starts(document) {
        let section = section_of(document, span);
        let goes_on = !opens && pieces.last().is_some_and(|p| p.section == section);
        let n = counts.entry(section).or_insert(0);
        *n += u32::from(!goes_on || *n == 0);
        pieces.push(NumberedPiece { span, section, n: *n });
    }
    parts(document, &pieces)
}

/// A piece of the classic, and whether a sentence begins with it.
pub struct ClassicPiece {
    pub span: Span,
    pub opens: bool,
}

/// The sentences of a text's classic, cut where segments end, and where supplied marks end
/// sentences.
pub fn starts(document: &Document) -> Vec<ClassicPiece> {
    let punctuated = document.is_punctuated();
    let mut cuts = listed_sections(document);
    cuts.extend(supplied_ends(document));
    cuts.sort_unstable();
    let mut out: Vec<ClassicPiece> = Vec::new();
    let mut ended = true;
    for s in document.segments.iter().filter(|s| s.layer.is_text()) {
        if matches!(s.layer, Layer::Label | Layer::Heading) {
            ended = true;
        }
        for span in stretches(document, s).into_iter().flat_map(|span| cut_at(span, &cuts)) {
            ended |= cuts.binary_search(&span.start()).is_ok();
            let words = document.slice(span);
            let wordless = !words.contains(is_content);
            out.push(ClassicPiece { span, opens: ended && !wordless });
            // The mark that ends a sentence may come after the number of a note.
            ended = !punctuated || ends_with_sentence(words) || wordless && ended;
        }
    }
    out
}

/// Where listed sections begin, which may be inside a sentence or a run without punctuation.
fn listed_sections(document: &Document) -> Vec<usize> {
    let listed = |e: &Evidence| e.kind == EvidenceKind::ListedOpening;
    let divisions = document.divisions.iter().filter(|d| d.evidence.iter().any(listed));
    divisions.map(|d| d.span.start()).collect()
}

/// Where sentences of the classic begin by the marks that its source does not have.
fn supplied_ends(document: &Document) -> impl Iterator<Item = usize> {
    let base = |at: usize| {
        let segment = document.segment_at(at.checked_sub(1)?)?;
        (document.segments[segment].layer.kind() == LayerKind::Base).then_some(at)
    };
    let ends = document.supplied.iter().filter(|mark| mark.ends_sentence());
    ends.filter_map(move |mark| base(mark.at)).map(|at| {
        let rest = &document.source.text()[at..];
        at + rest.len() - rest.trim_start().len()
    })
}

/// A stretch cut at those of `cuts` (in order) that are inside it.
fn cut_at(span: Span, cuts: &[usize]) -> Vec<Span> {
    let first = cuts.partition_point(|c| *c <= span.start());
    let inside = cuts[first..].iter().copied().take_while(|c| *c < span.end());
    let mut from = span.start();
    let mut pieces = vec![];
    for end in inside.chain([span.end()]) {
        pieces.push(Span::new(from, end));
        from = end;
    }
    pieces
}

fn stretches(document: &Document, segment: &Segment) -> Vec<Span> {
    match segment.layer.kind() {
        LayerKind::Base => sentences(document.source.text(), segment.span),
        LayerKind::Undivided => vec![segment.span],
        _ => vec![],
    }
}

/// Pieces as sentences: adjacent pieces with one number are joined, and a sentence that is
/// interrupted has parts.
pub fn parts(document: &Document, pieces: &[NumberedPiece]) -> Vec<Sentence> {
    let mut out: Vec<Sentence> = Vec::new();
    for p in pieces {
        match out.last_mut() {
            Some(last)
                if (last.section, last.n) == (p.section, p.n)
                    && together(document, last.span, p.span) =>
            {
                last.span = Span::new(last.span.start(), p.span.end());
            }
            _ => out.push(Sentence { span: p.span, section: p.section, n: p.n, part: 0 }),
        }
    }
    let mut count: HashMap<(u32, u32), u32> = HashMap::new();
    out.iter().for_each(|j| *count.entry((j.section, j.n)).or_insert(0) += 1);
    let mut seen: HashMap<(u32, u32), u32> = HashMap::new();
    for j in out.iter_mut().filter(|j| count[&(j.section, j.n)] > 1) {
        let part = seen.entry((j.section, j.n)).or_insert(0);
        *part += 1;
        j.part = *part;
    }
    out
}

fn together(document: &Document, a: Span, b: Span) -> bool {
    a.end() == b.start() && document.segment_at(a.start()) == document.segment_at(b.start())
}

/// The section of `span`; a section that begins inside a sentence starts with that sentence.
fn section_of(document: &Document, span: Span) -> u32 {
    document.division_at(span).map_or(0, |i| document.divisions[i].n)
}
