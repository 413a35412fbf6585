//! Citations: a title, and the words cited from it.

use super::link::{Draft, draft};
use super::place::PlaceFinder;
use super::sought::SoughtWords;
use crate::corpus::view::Stream;
use crate::corpus::works::{Resolved, Tail};
use crate::model::{EvidenceKind, Layer, Link, LinkKind};
use crate::source::Span;

/// A link for a title; `said` is the text cited from it, and whether it is marked as a quotation.
pub fn cited(
    places: &PlaceFinder<'_>,
    resolved: &Resolved,
    span: Span,
    said: Option<(Span, bool)>,
    layer: Layer,
) -> Link {
    let named = &resolved.named;
    let mut work = named.locus();
    match resolved.tail {
        Some(Tail::Record) if named.chapter.is_some() => work.push_str("・記"),
        Some(Tail::Commentary)
            if named.work == "儀禮" || named.work == "周禮" || named.work == "禮記" =>
        {
            work.push_str("・鄭注")
        }
        Some(Tail::Commentary) => work.push_str("・注"),
        Some(Tail::Subcommentary) => work.push_str("・疏"),
        _ => {}
    }
    let stream = if resolved.tail == Some(Tail::Commentary) { Stream::Notes } else { Stream::Base };
    let words = said
        .map(|(s, marked)| (s, marked, SoughtWords::of(places.document, s)))
        .filter(|(_, _, w)| w.len() > 0);
    let found = words.as_ref().and_then(|(_, marked, w)| {
        if *marked {
            places.cited(&named.work, named.chapter.as_deref(), w, stream, span.start())
        } else {
            places.common(&named.work, named.chapter.as_deref(), w, stream)
        }
    });
    let mut link: Draft = draft(LinkKind::Citation, span, layer)
        .work(Some(work))
        .because(EvidenceKind::Title)
        .found(found)
        .why(EvidenceKind::NotInCorpus);
    if let Some((s, marked, _)) = words {
        link = if marked || link.is_found() { link.quoted(s) } else { link };
    }
    link.title_only().link()
}
