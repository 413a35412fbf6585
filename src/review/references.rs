//! Questions about references: where they lead.

use std::collections::HashMap;

use super::questions::{around, moved};
use super::{Choice, Question, QuestionKind};
use crate::corpus::Library;
use crate::corrections::anchor::AnchorText;
use crate::model::{Confirmation, Document, Link, LinkKind, QuotedPlace, Target};

/// Other places that are offered.
const ALTERNATIVES: usize = 3;

/// Finds doubtful references; keeps the texts to which they lead, so that each is prepared once.
pub(super) struct DoubtfulReferences<'a> {
    library: &'a Library,
    texts: HashMap<String, AnchorText<'a>>,
}

impl<'a> DoubtfulReferences<'a> {
    pub(super) fn new(library: &'a Library) -> Self {
        DoubtfulReferences { library, texts: HashMap::new() }
    }

    /// Questions about the references of a document, which begins with byte `base` of its file.
    pub(super) fn of(&mut self, part: &'a Document, base: usize, below: f64) -> Vec<Question> {
        let doubtful = part.links.iter().filter(|l| {
            l.kind != LinkKind::Parallel && l.target.is_some() && l.certainty.get() < below
        });
        doubtful.filter_map(|l| self.question(part, l, base)).collect()
    }

    fn question(&mut self, part: &'a Document, l: &Link, base: usize) -> Option<Question> {
        let (passage, here) = around(part, l.span);
        let (span, passage) = (moved(l.span, base), moved(passage, base));
        let certainty = l.certainty.get();
        let others = l.alternatives.iter().take(ALTERNATIVES);
        let places: Vec<QuotedPlace> =
            l.target.iter().chain(others).filter_map(|t| self.quoted(part, t)).collect();
        let rest = (1.0 - certainty) / places.len().max(1) as f64;
        let choice =
            |what, probability| Choice { what: Confirmation::Link(what), span, probability };
        // The program's own target must be among them, or there is nothing to confirm.
        let first = self.quoted(part, l.target.as_ref()?)?;
        let mut choices = vec![choice(Some(first.clone()), certainty)];
        choices.extend(places.into_iter().filter(|p| *p != first).map(|p| choice(Some(p), rest)));
        choices.push(choice(None, rest));
        Some(Question {
            kind: QuestionKind::Link,
            span,
            passage,
            runs: vec![(passage, here)],
            choices,
            evidence: l.evidence.iter().map(|e| (e.kind.clone(), 0.0)).collect(),
            facts: vec![],
        })
    }

    /// A target by its words; `None` if these are elsewhere too.
    fn quoted(&mut self, part: &'a Document, target: &Target) -> Option<QuotedPlace> {
        let other = match &target.doc {
            Some(id) => self.library.get(id)?,
            None => part,
        };
        let text = self
            .texts
            .entry(other.id.clone())
            .or_insert_with(|| AnchorText::new(other.source.text()));
        let quote = text.quote(target.span)?;
        Some(QuotedPlace {
            doc: target.doc.clone(),
            before: quote.before.replace('¶', ""),
            at: quote.at.replace('¶', ""),
            until: quote.until.map(|u| u.replace('¶', "")),
            after: quote.after.replace('¶', ""),
        })
    }
}
