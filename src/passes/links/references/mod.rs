//! References: what a comment quotes and cites, and other places it refers to.
//!
//! They are resolved first in the passage explained, then in the chapter, then in the corpus. A
//! reference that cannot be resolved stays a link without a target.

mod alike;
mod certainty;
mod citation;
mod cited;
mod classic;
mod comment;
mod continued;
mod cues;
mod echoes;
mod elsewhere;
mod flat;
mod generic;
mod guessed;
mod home;
mod learned;
mod link;
mod locate;
mod mentions;
mod noted;
mod notes;
mod own_work;
mod pairs;
mod place;
mod pointed;
mod quotes;
mod runs;
mod scan;
mod sought;
mod speakers;
mod taken_up;
mod titles;
mod unquoted;
mod years;

pub use years::labels;

use std::sync::Arc;

use crate::corpus::index::Indexed;
use crate::corpus::view::ExplainedText;
use crate::corpus::{Index, View, Works};
use crate::model::{
    Document, Evidence, EvidenceKind, Layer, LayerKind, Link, LinkKind, Segment, Status, Target,
};
use crate::passes::context::Context;
use crate::passes::evidence::scopes::{self, Scope};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::is_content;
use comment::Reader;
use link::draft;
use place::PlaceFinder;
use sought::FoundPlace;

/// Finds and resolves quotations, citations and references to other places.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let links = match context.indexed(document) {
        Some(own) => recorded(document, own, context),
        None => {
            let others = context.library.others(&document.id).cloned();
            let index = Index::of_documents(
                &std::iter::once(Arc::new(document.clone())).chain(others).collect::<Vec<_>>(),
                &context.works,
            );
            found(document, &index.entries[0], &index)
        }
    };
    document.links.add(links);
}

/// The links of a document that nothing is looked up for: they say what it names, and not where that is.
pub fn naming(document: &Arc<Document>, works: &Arc<Works>) -> Vec<Link> {
    let index = Index::of_documents(std::slice::from_ref(document), works).finding_nothing();
    found(document, &index.entries[0], &index)
}

/// The links. A build notes what was looked up for them.
fn recorded(document: &Document, own: &Indexed, context: &Context<'_>) -> Vec<Link> {
    if context.memo.is_none() {
        return found(document, own, context.index());
    }
    let index = context.index().recording(own.number);
    let links = found(document, own, &index);
    context.looks_up(own.number, index.recorded().unwrap_or_default());
    links
}

fn found(document: &Document, own: &Indexed, index: &Index) -> Vec<Link> {
    let mut links = Vec::new();
    let home = home::of(own, index);
    let places = PlaceFinder { document, view: &own.view, entry: own.number, index, home };
    let scopes = scopes::scopes(document, &own.view);
    let headers = headers(document);
    links.extend(scopes.iter().map(|s| scope_link(&places, s)));
    for segment in &document.segments {
        segment_links(&places, segment, &scopes, &headers, &mut links);
    }
    explain(document, &own.view, &mut links);
    links.iter_mut().for_each(|l| l.certainty = certainty::fitted(l));
    links.sort_by_key(|l| (l.span.start(), l.span.end()));
    years::name_classic(&mut links, document, index);
    leave_out_named_twice(&mut links);
    links
}

/// Leaves out what a sub-commentary says about the source of a note that names it itself.
fn leave_out_named_twice(links: &mut Vec<Link>) {
    let is_named =
        |l: &Link| l.evidence.iter().any(|e| e.kind == EvidenceKind::NamedBySubcommentary);
    let by_notes = links.iter().filter(|l| l.kind == LinkKind::Citation && l.layer == Layer::Zhu);
    let mut quoted: Vec<Span> =
        by_notes.filter(|l| !is_named(l)).filter_map(|l| l.quoted).collect();
    quoted.sort_by_key(|span| span.end());
    let is_quoted = |span: Span| {
        let first = quoted.partition_point(|q| q.end() <= span.start());
        quoted.get(first).is_some_and(|q| q.overlap(span) > 0)
    };
    links.retain(|l| !is_named(l) || !is_quoted(l.span));
}

/// A note has 如卒射, its sub-commentary 上文卒射…: the note gets the target of the sub-commentary.
fn explain(document: &Document, view: &View, links: &mut [Link]) {
    let points =
        |l: &&Link| l.kind == LinkKind::Internal && l.layer == Layer::Shu && l.target.is_some();
    let mut pointers: Vec<Link> = links.iter().filter(points).cloned().collect();
    pointers.sort_by_key(|p| p.span.start());
    for link in links.iter_mut().filter(|l| l.kind == LinkKind::Internal && l.layer == Layer::Zhu) {
        let (Some(passage), Some(quoted)) = (view.passage_at(link.span.start()), link.quoted)
        else {
            continue;
        };
        let words = Key::of(document.source.text(), quoted).chars;
        let explains = |p: &&Link| {
            let said =
                p.quoted.map(|q| Key::of(document.source.text(), q).chars).unwrap_or_default();
            passage.comment.contains(p.span) && said.starts_with(&words)
        };
        let first = pointers.partition_point(|p| p.span.start() < passage.comment.start());
        let of_passage =
            pointers[first..].iter().take_while(|p| p.span.start() < passage.comment.end());
        if let Some(p) = of_passage.into_iter().find(explains) {
            link.alternatives.extend(link.target.take());
            link.target.clone_from(&p.target);
            link.status = p.status;
            link.evidence = [Evidence::of(EvidenceKind::ExplainedBySubcommentary)].into();
        }
    }
}

fn segment_links(
    places: &PlaceFinder<'_>,
    segment: &Segment,
    scopes: &[Scope],
    headers: &[(Span, Span)],
    links: &mut Vec<Link>,
) {
    match segment.layer {
        Layer::Shu => {
            let nowhere = ExplainedText { text: Span::new(0, 0), comment: segment.span };
            let passage = places.view.passage_at(segment.span.start()).unwrap_or(&nowhere);
            let first = scopes.partition_point(|s| s.span.start() < segment.span.start());
            let taken = scopes[first..]
                .iter()
                .map(|s| s.span)
                .take_while(|s| segment.span.contains(*s))
                .collect();
            let mut reader = Reader::new(places, passage, segment.layer, taken);
            reader.header = header_before(places.document, segment, headers);
            reader.read(segment.span);
            links.extend(reader.links);
        }
        l if matches!(l.kind(), LayerKind::Note | LayerKind::Commentary) => {
            notes::read(places, segment, links)
        }
        l if l.kind() == LayerKind::Base => classic::read(places, segment, links),
        _ => {}
    }
}

/// The parts of headers that have a place, in order, and their places.
fn headers(document: &Document) -> Vec<(Span, Span)> {
    let place = |l: &Link| Some((l.span, l.target.as_ref().filter(|t| t.doc.is_none())?.span));
    let lemmas = document.links.iter().filter(|l| l.kind == LinkKind::Lemma);
    let mut headers: Vec<_> = lemmas.filter_map(place).collect();
    headers.sort_by_key(|(header, _)| header.end());
    headers
}

/// The place of the header that is just before a segment.
fn header_before(document: &Document, segment: &Segment, headers: &[(Span, Span)]) -> Option<Span> {
    let start = segment.span.start();
    let (header, place) =
        headers[..headers.partition_point(|(h, _)| h.end() <= start)].last().copied()?;
    let between = &document.source.text()[header.end()..start];
    (!between.contains(is_content)).then_some(place)
}

fn scope_link(places: &PlaceFinder<'_>, scope: &Scope) -> Link {
    let document = places.document;
    let found = scope.end.map(|span| FoundPlace {
        target: Target { doc: None, span },
        status: Status::Exact,
        certainty: 0.9,
        how: EvidenceKind::NextPlaceAfter,
        alternatives: vec![],
        diff: 0,
        differs: None,
    });
    let layer =
        document.segment_at(scope.span.start()).map_or(Layer::Shu, |i| document.segments[i].layer);
    draft(LinkKind::Internal, scope.span, layer)
        .quoted(scope.words)
        .work(places.locus())
        .found(found)
        .why(EvidenceKind::EndOfScopeNotInText)
        .link()
}
