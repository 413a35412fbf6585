//! Questions about references: where they lead, and who says what is in no text.

use super::part::AskedPart;
use super::quoted::QuotedTexts;
use super::{Question, QuestionKind};
use crate::corpus::Works;
use crate::model::{Confirmation, EvidenceKind, Link, LinkKind, QuotedPlace, Target};

/// Other places, or other scholars, that are offered.
const ALTERNATIVES: usize = 3;

/// Questions about where the references of a part lead.
pub(super) fn of<'a>(asked: AskedPart<'a>, texts: &mut QuotedTexts<'a>) -> Vec<Question> {
    let mut quoted = |target: &Target| {
        let other = match &target.doc {
            Some(id) => asked.library.get(id)?,
            None => asked.document,
        };
        Some(QuotedPlace {
            doc: target.doc.as_deref().map(String::from),
            ..texts.quoted(other, target.span)?
        })
    };
    let doubtful = asked.document.links.iter().filter(|l| {
        l.kind != LinkKind::Parallel && l.target.is_some() && l.certainty.get() < asked.below
    });
    doubtful.filter_map(|l| question(asked, l, &mut quoted)).collect()
}

fn question(
    asked: AskedPart<'_>,
    l: &Link,
    quoted: &mut impl FnMut(&Target) -> Option<QuotedPlace>,
) -> Option<Question> {
    // The program's own target must be among them, or there is nothing to confirm.
    let first = quoted(l.target.as_ref()?)?;
    let others = l.alternatives.iter().take(ALTERNATIVES).filter_map(quoted);
    let others: Vec<QuotedPlace> = others.filter(|place| *place != first).collect();
    let certainty = l.certainty.get();
    let rest = (1.0 - certainty) / (others.len() + 1) as f64;
    let others = others.into_iter().map(Some).chain([None]);
    let decisions = std::iter::once((Some(first), certainty)).chain(others.map(|o| (o, rest)));
    let decisions = decisions.map(|(place, p)| (Confirmation::Link(place), p));
    Some(asked.question(QuestionKind::Link, l.span, decisions, &l.evidence))
}

/// Questions about what scholars say, if that is not in any text.
pub(super) fn spoken(asked: AskedPart<'_>, works: &Works) -> Vec<Question> {
    let is_spoken = |l: &&Link| {
        l.target.is_none() && l.evidence.iter().any(|e| e.kind == EvidenceKind::Commentator)
    };
    let spoken = asked.document.links.iter().filter(is_spoken);
    spoken
        .filter(|l| l.certainty.get() < asked.below)
        .filter_map(|l| who(asked, l, works))
        .collect()
}

/// Who says some words: whom the program takes it for, others of the surname, or nobody.
fn who(asked: AskedPart<'_>, l: &Link, works: &Works) -> Option<Question> {
    let called = l.work.as_deref()?.split('(').next()?;
    let others = works.scholars().namesakes(called).filter(|name| *name != called);
    let others: Vec<&str> = others.take(ALTERNATIVES).collect();
    let certainty = l.certainty.get();
    let rest = (1.0 - certainty) / (others.len() + 1) as f64;
    let others = others.into_iter().map(Some).chain([None]);
    let decisions = std::iter::once((Some(called), certainty)).chain(others.map(|o| (o, rest)));
    let decisions = decisions.map(|(name, p)| (Confirmation::Speaker(name.map(String::from)), p));
    Some(asked.question(QuestionKind::Speaker, l.span, decisions, &l.evidence))
}
