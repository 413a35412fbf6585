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
mod rules;
mod runs;
mod scan;
mod sought;
mod speakers;
mod taken_up;
mod titles;
mod unquoted;
mod years;

#[cfg(feature = "internals")]
pub use rules::Rule;
pub use years::labels;

use std::sync::Arc;

use crate::corpus::index::Indexed;
use crate::corpus::view::ExplainedText;
use crate::corpus::{Index, Works};
use crate::model::{
    Document, EvidenceKind, Layer, LayerKind, Link, LinkKind, Segment, Status, Target,
};
use crate::passes::context::Context;
use crate::passes::evidence::scopes::{self, Scope};
use crate::source::Span;
use crate::text::class::is_content;
use comment::Reader;
use link::draft;
use place::PlaceFinder;
#[cfg(not(feature = "internals"))]
use rules::Rule;
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
    if Rule::Scope.on() {
        links.extend(scopes.iter().map(|s| scope_link(&places, s)));
    }
    for segment in &document.segments {
        segment_links(&places, segment, &scopes, &headers, &mut links);
    }
    links.iter_mut().for_each(|l| l.certainty = certainty::fitted(l));
    links.sort_by_key(|l| (l.span.start(), l.span.end()));
    if Rule::NamesClassic.on() {
        years::name_classic(&mut links, document, index);
    }
    links
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
        l if l.kind() == LayerKind::Base && Rule::ClassicCites.on() => {
            classic::read(places, segment, links)
        }
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
    (!between.contains(is_content) && Rule::HeaderBefore.on()).then_some(place)
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
