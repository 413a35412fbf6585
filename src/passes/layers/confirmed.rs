//! What a person has decided about layers holds, whatever the other passes find.
//!
//! The splitter treats a decision as evidence, so that its neighbours change too, but it only knows
//! 經, 注 and 音義, and only cuts what the reader left undivided. [`before`] gives it the text that a
//! person says it must cut; [`after`] makes every decision hold in the segments.

use crate::model::{
    Certainty, Confirmation, Confirmed, Document, Evidence, EvidenceKind, Layer, LayerKind,
    Segment, decided_by,
};
use crate::passes::context::Context;
use crate::passes::evidence::run::LAYERS;
use crate::source::Span;
use crate::text;

/// How certain it is where a layer ends that two decisions have between them.
const BETWEEN: f64 = 0.5;

/// Before the splitter: text of layers that it does not know is set apart, and text that begins
/// with 經 or 注 inside another layer becomes undivided.
pub fn before(document: &mut Document, _: &Context<'_>) {
    for c in document.confirmed.clone() {
        let splits = |layer: Layer| LAYERS.contains(&layer);
        match c.what {
            Confirmation::Layer(layer) if !splits(layer) => set(document, c.span, layer, &c),
            Confirmation::Cut(a, b) if a != b => {
                let Some(rest) = rest_of_segment(document, c.span) else { continue };
                let old = document.segments[at(document, c.span)].layer;
                match (splits(b), old) {
                    (false, Layer::Undivided) => set(document, rest, b, &c),
                    (true, Layer::Shu | Layer::Other) => {
                        set(document, rest, Layer::Undivided, &c);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    document.divide_marks();
}

/// After all passes that decide on layers.
pub fn after(document: &mut Document, _: &Context<'_>) {
    // What the characters beside a cut are depends on the text alone.
    let stated = document.confirmed_layers();
    let spans = stated.chunk_by(|a, b| std::ptr::eq(a.2, b.2));
    let spans = spans.map(|own| (own[0].2.clone(), own.iter().map(|s| s.0).collect::<Vec<_>>()));
    for (c, own) in spans.collect::<Vec<_>>() {
        match c.what {
            Confirmation::Layer(layer) => set(document, c.span, layer, &c),
            Confirmation::Cut(a, b) => {
                if let [before, _] = own[..] {
                    side(document, before, a, &c, false);
                }
                side(document, c.span, b, &c, true);
                if a == b { join(document, c.span) } else { certain(document, c.span, &c) }
            }
            Confirmation::Reading(_)
            | Confirmation::Link(_)
            | Confirmation::Bead(..)
            | Confirmation::Speaker(_)
            | Confirmation::Heading(_) => {}
        }
    }
    document.divide_marks();
}

/// The segment of the first character of a span.
fn at(document: &Document, span: Span) -> usize {
    document.segment_at(span.start()).unwrap_or_default()
}

/// From the first character of a span, with what opens before it, to the end of its segment.
fn rest_of_segment(document: &Document, span: Span) -> Option<Span> {
    let segment = document.segments.get(document.segment_at(span.start())?)?;
    let start = document.with_marks_around(span).start().max(segment.span.start());
    Some(Span::new(start, segment.span.end()))
}

fn is_text(layer: Layer) -> bool {
    layer.is_text() || layer.kind() == LayerKind::Undivided
}

/// Gives the text on one side of a border its layer: the rest of its segment, or what is before.
fn side(document: &mut Document, span: Span, layer: Layer, c: &Confirmed, after: bool) {
    let Some(n) = document.segment_at(span.start()) else { return };
    if document.segments[n].layer == layer || !is_text(document.segments[n].layer) {
        return;
    }
    let own = document.segments[n].span;
    if after {
        let part = rest_of_segment(document, span).unwrap_or(own);
        return set(document, part, layer, c);
    }
    let border = document.with_marks_around(c.span).start();
    let part = Span::new(own.start(), own.end().min(border.max(span.end())));
    let Some(by) = decided_by(&document.segments[n].evidence).map(String::from) else {
        return set(document, part, layer, c);
    };
    // A person said what it begins with: of the rest only the last sentence is surely meant.
    let sentences = text::sentences(document.source.text(), part);
    match sentences[..] {
        [_, .., last] => {
            set(document, last, layer, c);
            let first = document.segment_at(last.end().saturating_sub(1)).unwrap_or(n);
            document.segments[first].certainty = Certainty::new(BETWEEN);
        }
        _ => {
            let why = format!("another decision ({by}) is about some of the same sentences");
            document.diagnostics.push(c.not_applied(&why));
        }
    }
}

/// Gives all text of a span a layer.
fn set(document: &mut Document, span: Span, layer: Layer, c: &Confirmed) {
    let span = document.with_marks_around(span);
    let first = document.segments.partition_point(|s| s.span.end() <= span.start());
    let end = document.segments.partition_point(|s| s.span.start() < span.end()).max(first);
    let mut new = vec![];
    for s in &document.segments[first..end] {
        let from = s.span.start().max(span.start());
        let to = s.span.end().min(span.end());
        if from >= to || s.layer == layer || !is_text(s.layer) {
            let mut same = s.clone();
            // What a person said is so is certain, also where the program thought the same.
            let is_said = matches!(c.what, Confirmation::Layer(_)) && s.layer == layer;
            if is_said && (from, to) == (s.span.start(), s.span.end()) {
                confirm(&mut same, c);
            }
            new.push(same);
            continue;
        }
        let mut piece = |from: usize, to: usize, segment: &Segment| {
            if from < to {
                new.push(Segment { span: Span::new(from, to), ..segment.clone() });
            }
        };
        piece(s.span.start(), from, s);
        let decided = Segment::inferred(layer, s.span, Certainty::SURE, vec![evidence(c)]);
        piece(from, to, &decided);
        // What follows was not decided: it keeps its layer, and its start is where this ends.
        piece(to, s.span.end(), s);
    }
    document.segments.splice(first..end, new);
}

/// The border at the start of a span is certain.
fn certain(document: &mut Document, span: Span, c: &Confirmed) {
    let n = at(document, span);
    let start = document.with_marks_around(span).start();
    let segment = &mut document.segments[n];
    // Between the border and the first character there may be what opens or separates.
    if segment.span.start() < start && segment.evidence.is_empty() {
        return;
    }
    confirm(segment, c);
}

/// A person has said that a segment is what it is.
fn confirm(segment: &mut Segment, c: &Confirmed) {
    segment.certainty = Certainty::SURE;
    if decided_by(&segment.evidence).is_none() {
        // The splitter names no one.
        segment.evidence.retain(|e| e.kind != EvidenceKind::Person);
        segment.evidence.insert(0, evidence(c));
    }
}

/// Joins the segment of a span with the one before it, if they are of one layer.
fn join(document: &mut Document, span: Span) {
    let n = at(document, span);
    let Some(before) = n.checked_sub(1) else { return };
    let (a, b) = (&document.segments[before], &document.segments[n]);
    if a.layer == b.layer && b.span.start() + 12 > span.start() {
        document.segments[before].span = Span::new(a.span.start(), b.span.end());
        document.segments.remove(n);
    }
}

fn evidence(c: &Confirmed) -> Evidence {
    let date = c.when.get(..10).unwrap_or(&c.when);
    Evidence::new(EvidenceKind::Person, format!("{}, {date}", c.by))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Library;

    const PIECES: [(Layer, &str); 3] = [
        (Layer::Jing, "一純以取,「實」於左手。"),
        (Layer::Zhu, "純猶全也。"),
        (Layer::Shu, "釋曰:甲乙。丙丁。戊己。"),
    ];

    /// The segments after decisions, each about some words.
    fn decided(decisions: &[(&str, Confirmation)]) -> String {
        let mut document = Document::of_pieces(&PIECES);
        document.confirmed = decisions
            .iter()
            .map(|(words, what)| {
                let from = document.source.text().find(words).unwrap();
                let span = Span::new(from, from + words.len());
                Confirmed { span, what: what.clone(), by: "王".into(), when: "2026-11-22".into() }
            })
            .collect();
        let library = Library::default();
        after(&mut document, &Context::new(&library));
        assert_eq!(document.check(), Ok(()));
        let shown = |s: &Segment| {
            let person = s.evidence.iter().any(|e| e.kind == EvidenceKind::Person);
            let mark = if person { "*" } else { "" };
            format!("{}{mark}:{}", s.layer.zh(), document.slice(s.span))
        };
        document.segments.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn decisions_hold() {
        use Confirmation::{Cut, Layer as Of};
        use Layer::{Jing, Shu, Zhu};
        let rest = "疏:釋曰:甲乙。丙丁。戊己。";
        // What the program thought already is certain then.
        assert_eq!(
            decided(&[("純猶全也。", Of(Zhu))]),
            format!("經:一純以取,「實」於左手。 注*:純猶全也。 {rest}")
        );
        assert_eq!(
            decided(&[("純猶", Cut(Jing, Zhu))]),
            format!("經:一純以取,「實」於左手。 注*:純猶全也。 {rest}")
        );
        assert_eq!(
            decided(&[("實", Cut(Jing, Zhu))]),
            format!("經:一純以取, 注*:「實」於左手。 注:純猶全也。 {rest}")
        );
        assert_eq!(
            decided(&[("純猶", Cut(Jing, Jing))]),
            format!("經:一純以取,「實」於左手。純猶全也。 {rest}")
        );
        assert_eq!(
            decided(&[("丙丁", Of(Jing))]),
            "經:一純以取,「實」於左手。 注:純猶全也。 疏:釋曰:甲乙。 經*:丙丁。 疏:戊己。"
        );
        assert_eq!(
            decided(&[("丙丁", Cut(Shu, Jing)), ("戊己", Cut(Jing, Zhu))]),
            "經:一純以取,「實」於左手。 注:純猶全也。 疏:釋曰:甲乙。 經*:丙丁。 注*:戊己。"
        );
    }
}
