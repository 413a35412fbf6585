//! Questions about references: where they lead, and who says what is in no text.

use super::questions::{around, moved};
use super::quoted::QuotedTexts;
use super::{Choice, Question, QuestionKind};
use crate::corpus::{Library, Works};
use crate::model::{Confirmation, Document, EvidenceKind, Link, LinkKind, QuotedPlace, Target};

/// Other places that are offered.
const ALTERNATIVES: usize = 3;

/// Questions about the references of a document, which begins with byte `base` of its file.
pub(super) fn of<'a>(
    library: &'a Library,
    part: &'a Document,
    base: usize,
    below: f64,
    texts: &mut QuotedTexts<'a>,
) -> Vec<Question> {
    let mut quoted = |target: &Target| {
        let other = match &target.doc {
            Some(id) => library.get(id)?,
            None => part,
        };
        Some(QuotedPlace { doc: target.doc.clone(), ..texts.quoted(other, target.span)? })
    };
    let doubtful = part.links.iter().filter(|l| {
        l.kind != LinkKind::Parallel && l.target.is_some() && l.certainty.get() < below
    });
    doubtful.filter_map(|l| question(part, l, base, &mut quoted)).collect()
}

fn question(
    part: &Document,
    l: &Link,
    base: usize,
    quoted: &mut impl FnMut(&Target) -> Option<QuotedPlace>,
) -> Option<Question> {
    let (passage, here) = around(part, l.span);
    let (span, passage) = (moved(l.span, base), moved(passage, base));
    let certainty = l.certainty.get();
    let others = l.alternatives.iter().take(ALTERNATIVES);
    let places: Vec<QuotedPlace> = l.target.iter().chain(others).filter_map(&mut *quoted).collect();
    let rest = (1.0 - certainty) / places.len().max(1) as f64;
    let choice = |what, probability| Choice { what: Confirmation::Link(what), span, probability };
    // The program's own target must be among them, or there is nothing to confirm.
    let first = quoted(l.target.as_ref()?)?;
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

/// Questions about what scholars say, if that is not in any text.
pub(super) fn spoken(part: &Document, base: usize, below: f64, works: &Works) -> Vec<Question> {
    let doubtful = part.links.iter().filter(|l| is_spoken(l) && l.certainty.get() < below);
    doubtful.filter_map(|l| who(part, l, base, works)).collect()
}

fn is_spoken(link: &Link) -> bool {
    link.target.is_none() && link.evidence.iter().any(|e| e.kind == EvidenceKind::Commentator)
}

/// Who says some words: whom the program takes it for, others of the surname, or nobody.
fn who(part: &Document, l: &Link, base: usize, works: &Works) -> Option<Question> {
    let called = l.work.as_deref()?.split('(').next()?;
    let others = works.scholars().namesakes(called).filter(|name| *name != called);
    let names: Vec<Option<String>> = std::iter::once(called)
        .chain(others.take(ALTERNATIVES))
        .map(|name| Some(name.to_string()))
        .chain([None])
        .collect();
    let (passage, here) = around(part, l.span);
    let (span, passage) = (moved(l.span, base), moved(passage, base));
    let certainty = l.certainty.get();
    let rest = (1.0 - certainty) / (names.len() - 1) as f64;
    let choice = |(n, name)| Choice {
        what: Confirmation::Speaker(name),
        span,
        probability: if n == 0 { certainty } else { rest },
    };
    Some(Question {
        kind: QuestionKind::Speaker,
        span,
        passage,
        runs: vec![(passage, here)],
        choices: names.into_iter().enumerate().map(choice).collect(),
        evidence: l.evidence.iter().map(|e| (e.kind.clone(), 0.0)).collect(),
        facts: vec![],
    })
}
