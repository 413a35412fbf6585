//! Which links lead to a text: a small table, so that who quotes a passage is found without reading
//! all texts again.

use std::collections::HashMap;

use ecow::EcoString;

use crate::model::{Document, Layer, Link, LinkKind, Target};
use crate::source::Span;

/// A link that leads to a stretch of a text.
#[derive(Clone, Debug)]
pub(super) struct QuotingLink {
    /// The stretch.
    pub(super) at: Span,
    /// Number of the text that has the link, and number of the link in it.
    pub(super) document: u32,
    pub(super) link: u32,
    pub(super) kind: LinkKind,
    /// As answers show it.
    pub(super) certainty: f64,
    /// The place that quotes.
    pub(super) place: Span,
    pub(super) quoting: QuotingSide,
}

/// Which text the place that quotes is in, and its layer if that is known without reading the text.
#[derive(Clone, Debug)]
pub(super) enum QuotingSide {
    /// The text that has the link.
    Own(Layer),
    /// The text that the link leads to: a parallel leads both ways, and this is the way back. Its
    /// id, if it is another text.
    Target(Option<EcoString>),
}

/// Links by the id of the text that they lead to.
#[derive(Debug, Default)]
pub(super) struct LinkTable(HashMap<String, Vec<QuotingLink>>);

impl QuotingLink {
    /// All links of a text that lead somewhere, with the ids of the texts that they lead to.
    pub(super) fn all_of(number: usize, document: &Document) -> Vec<(String, QuotingLink)> {
        let mut all = vec![];
        for (n, link) in document.links.iter().enumerate() {
            let Some(target) = &link.target else { continue };
            if link.kind == LinkKind::Lemma {
                continue;
            }
            let card = QuotingLink {
                at: target.span,
                document: number as u32,
                link: n as u32,
                kind: link.kind,
                certainty: link.certainty.rounded(),
                place: link.span,
                quoting: QuotingSide::Own(link.layer),
            };
            if link.kind == LinkKind::Parallel {
                all.push((document.id.clone(), card.back(link, target)));
            }
            all.push((id_of(target, document).to_string(), card));
        }
        all
    }

    /// The same link from its other end.
    fn back(&self, link: &Link, target: &Target) -> Self {
        let quoting = QuotingSide::Target(target.doc.as_deref().map(EcoString::from));
        QuotingLink { at: link.span, place: target.span, quoting, ..self.clone() }
    }

    /// True for the way back.
    pub(super) fn is_back(&self) -> bool {
        matches!(self.quoting, QuotingSide::Target(_))
    }
}

/// The id of the text that a target is in.
pub(super) fn id_of<'a>(target: &'a Target, document: &'a Document) -> &'a str {
    target.doc.as_deref().unwrap_or(&document.id)
}

impl LinkTable {
    /// Adds the links of a text.
    pub(super) fn extend(&mut self, links: Vec<(String, QuotingLink)>) {
        for (id, link) in links {
            self.0.entry(id).or_default().push(link);
        }
    }

    /// The links that lead to one of some stretches of a text.
    pub(super) fn to<'t>(
        &'t self,
        id: &str,
        spans: &[Span],
    ) -> impl Iterator<Item = &'t QuotingLink> {
        let all = self.0.get(id).into_iter().flatten();
        all.filter(|link| spans.iter().any(|span| span.overlap(link.at) > 0))
    }
}
