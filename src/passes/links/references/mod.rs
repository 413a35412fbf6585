//! References: what a comment quotes and cites, and other places it refers to.
//!
//! They are resolved first in the passage explained, then in the chapter, then in the corpus. A
//! reference that cannot be resolved stays a link without a target.

mod candidates;
mod certainty;
mod cues;
mod decide;
mod found;
mod link;
mod mentions;
mod places;
mod prelude;
mod rules;
mod sources;
mod words;

#[cfg(feature = "internals")]
pub use rules::Rule;
pub use sources::annals::labels;

use std::sync::Arc;

use crate::corpus::index::Indexed;
use crate::corpus::view::ExplainedText;
use crate::corpus::{Index, Works};
use crate::model::{Document, EvidenceKind, Layer, LayerKind, Link, LinkKind, Segment, Status};
use crate::passes::context::Context;
use crate::passes::evidence::scopes::{self, Scope};
use crate::source::Span;
use crate::text::class::is_content;
use found::FoundPlace;
use link::draft;
use mentions::{classic, comment, notes, speakers};
use places::Places;
#[cfg(not(feature = "internals"))]
use rules::Rule;
use sources::open::Discourse;
use sources::{annals, home};

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

/// The links of a document that nothing is looked up for: they say what it names, and not where
/// that is.
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
    let (view, entry, home) = (&own.view, own.number, home::of(own, index));
    let work = home.as_ref().map(|home| home.work.as_str());
    let speakers = speakers::of_document(document, &index.works, work);
    let places = Places { document, view, entry, index, home, speakers };
    let scopes = scopes::scopes(document, &own.view);
    let headers = headers(document);
    let scope = |scope: &Scope| scope_link(&places, scope);
    let mut links: Vec<Link> = scopes.iter().filter(|_| Rule::Scope.on()).map(scope).collect();
    for segment in &document.segments {
        links.extend(match segment.layer {
            Layer::Shu => of_comment(&places, segment, &scopes, &headers),
            layer => match layer.kind() {
                LayerKind::Note | LayerKind::Commentary => notes::read(&places, segment),
                LayerKind::Base if Rule::ClassicCites.on() => classic::read(&places, segment),
                _ => vec![],
            },
        });
    }
    links.sort_by_key(|l| (l.span.start(), l.span.end()));
    annals::name_classic(&mut links, &places);
    links
}

/// The links of a part of the sub-commentary. Scopes have links of their own.
fn of_comment(
    places: &Places<'_>,
    segment: &Segment,
    scopes: &[Scope],
    headers: &[(Span, Span)],
) -> Vec<Link> {
    let nowhere = ExplainedText { text: Span::new(0, 0), comment: segment.span };
    let passage = places.view.passage_at(segment.span.start()).unwrap_or(&nowhere);
    let first = scopes.partition_point(|s| s.span.start() < segment.span.start());
    let scopes = scopes[first..].iter().map(|s| s.span);
    let mut comment = Discourse::new(places, passage, segment.layer);
    comment.taken = scopes.take_while(|s| segment.span.contains(*s)).collect();
    comment.header = header_before(places, segment, headers);
    comment::read(&mut comment, segment.span);
    comment.links
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
fn header_before(places: &Places<'_>, segment: &Segment, headers: &[(Span, Span)]) -> Option<Span> {
    let start = segment.span.start();
    let before = headers.partition_point(|(h, _)| h.end() <= start);
    let (header, place) = headers[..before].last()?;
    let between = &places.text()[header.end()..start];
    (!between.contains(is_content)).then_some(*place)
}

fn scope_link(places: &Places<'_>, scope: &Scope) -> Link {
    let document = places.document;
    let how = EvidenceKind::NextPlaceAfter;
    let found =
        scope.end.map(|span| FoundPlace::here(span, Status::Exact, *certainty::SCOPE_END, how));
    let segment = document.segment_at(scope.span.start());
    let layer = segment.map_or(Layer::Shu, |i| document.segments[i].layer);
    draft(Rule::Scope, LinkKind::Internal, scope.span, layer)
        .quoted(scope.words)
        .work(places.locus())
        .found(found)
        .why(EvidenceKind::EndOfScopeNotInText)
        .link()
}
