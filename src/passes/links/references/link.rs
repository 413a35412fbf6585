//! A builder of links.

use ecow::EcoString;

use super::certainty::{TITLE, UNRESOLVED, fitted};
use super::found::FoundPlace;
use super::rules::Rule;
use crate::model::{Certainty, Evidence, EvidenceKind, Layer, Link, LinkKind, Status};
use crate::source::Span;

/// A link that is being built.
#[derive(Clone)]
pub struct Draft {
    link: Link,
    rule: Rule,
    why: EvidenceKind,
    title_only: bool,
}

/// Begins a link that a rule makes.
pub fn draft(rule: Rule, kind: LinkKind, span: Span, layer: Layer) -> Draft {
    let link = Link {
        kind,
        span,
        quoted: None,
        layer,
        work: None,
        target: None,
        alternatives: vec![].into(),
        status: Status::Unresolved,
        certainty: Certainty::new(*UNRESOLVED),
        evidence: vec![].into(),
    };
    Draft { link, rule, why: EvidenceKind::NotFound, title_only: false }
}

impl Draft {
    /// Sets the quoted text.
    pub fn quoted(mut self, span: impl Into<Option<Span>>) -> Self {
        self.link.quoted = span.into();
        self
    }

    /// Sets the work that is named.
    pub fn work(mut self, work: Option<impl Into<EcoString>>) -> Self {
        self.link.work = work.map(Into::into);
        self
    }

    /// Sets the place, if there is one.
    pub fn found(mut self, found: impl Into<Option<FoundPlace>>) -> Self {
        if let Some(f) = found.into() {
            self.link.target = Some(f.target);
            self.link.alternatives = f.alternatives.into();
            self.link.status = f.status;
            self.link.certainty = Certainty::new(f.certainty);
            self.link.evidence.push(Evidence::of(f.how));
            self.link.evidence.extend(f.differs);
        }
        self
    }

    /// Lists places of which none is likelier than the others. The link gets none of them.
    pub fn among(mut self, found: FoundPlace) -> Self {
        self.link.alternatives = std::iter::once(found.target).chain(found.alternatives).collect();
        self.why(EvidenceKind::SeveralPlaces)
    }

    /// Adds evidence.
    pub fn because(mut self, kind: EvidenceKind) -> Self {
        self.link.evidence.push(Evidence::of(kind));
        self
    }

    /// Sets the evidence for a link without a place.
    pub fn why(mut self, kind: EvidenceKind) -> Self {
        self.why = kind;
        self
    }

    /// Marks a link whose title is known even without a place.
    pub fn title_only(mut self) -> Self {
        self.title_only = true;
        self
    }

    /// Returns the link, with the certainty that such links have.
    pub fn link(mut self) -> Link {
        if self.link.target.is_none() {
            self.link.evidence.push(Evidence::of(self.why));
            if self.title_only {
                self.link.status = Status::TitleOnly;
                self.link.certainty = Certainty::new(*TITLE);
            }
        }
        self.link.evidence.push(Evidence::new(EvidenceKind::Rule, self.rule.id()));
        self.link.certainty = fitted(&self.link);
        self.link
    }
}
