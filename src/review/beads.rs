//! Questions about alignments: what some words correspond to in a translation.

use super::questions::{around, moved};
use super::quoted::QuotedTexts;
use super::{Choice, Question, QuestionKind};
use crate::corpus::Library;
use crate::model::{Alignment, Bead, Confirmation, Document, QuotedPlace};
use crate::source::Span;

/// Questions about the beads of a document, which begins with byte `base` of its file.
pub(super) fn of<'a>(
    library: &'a Library,
    part: &'a Document,
    base: usize,
    below: f64,
    texts: &mut QuotedTexts<'a>,
) -> Vec<Question> {
    let mut out = vec![];
    for alignment in library.alignments.iter().filter(|a| a.source == part.id) {
        let Some(translation) = library.get(&alignment.translation) else { continue };
        for (n, bead) in alignment.beads.iter().enumerate() {
            let Some(span) = whole(&bead.source) else { continue };
            if bead.certainty.get() >= below {
                continue;
            }
            let mut quoted = |at: Span| {
                Some(QuotedPlace {
                    doc: Some(translation.id.clone()),
                    ..texts.quoted(translation, at)?
                })
            };
            let Some(choices) = choices(alignment, n, moved(span, base), &mut quoted) else {
                continue;
            };
            let (passage, here) = around(part, span);
            let passage = moved(passage, base);
            out.push(Question {
                kind: QuestionKind::Bead,
                span: moved(span, base),
                passage,
                runs: vec![(passage, here)],
                choices,
                evidence: bead.evidence.iter().map(|e| (e.kind.clone(), 0.0)).collect(),
                facts: vec![],
            });
        }
    }
    out
}

/// From the first to the last of some spans.
fn whole(spans: &[Span]) -> Option<Span> {
    Some(Span::new(spans.first()?.start(), spans.last()?.end()))
}

/// What bead `n` may correspond to: what the program found; what is before and after that; both;
/// nothing. `None` if what the program found cannot be quoted.
fn choices(
    alignment: &Alignment,
    n: usize,
    span: Span,
    quoted: &mut impl FnMut(Span) -> Option<QuotedPlace>,
) -> Option<Vec<Choice>> {
    let beads = &alignment.beads;
    let of = |bead: &Bead| whole(&bead.translation);
    let (own, before, after) =
        (of(&beads[n]), beads[..n].iter().rev().find_map(of), beads[n + 1..].iter().find_map(of));
    let joined = |a: Option<Span>, b: Option<Span>| {
        a.zip(b).filter(|(a, b)| a.end() <= b.start()).map(|(a, b)| Span::new(a.start(), b.end()))
    };
    let places = [own, joined(before, own), joined(own, after), before, after];
    let mut decisions: Vec<Option<QuotedPlace>> = vec![];
    if let Some(own) = own {
        decisions.push(Some(quoted(own)?));
    } else {
        decisions.push(None);
    }
    for place in places.into_iter().skip(1).flatten().filter_map(&mut *quoted).map(Some) {
        if !decisions.contains(&place) {
            decisions.push(place);
        }
    }
    if own.is_some() {
        decisions.push(None);
    }
    let certainty = beads[n].certainty.get();
    let rest = (1.0 - certainty) / (decisions.len() - 1).max(1) as f64;
    let choice = |(k, place): (usize, Option<QuotedPlace>)| Choice {
        what: Confirmation::Bead(alignment.translation.clone(), place),
        span,
        probability: if k == 0 { certainty } else { rest },
    };
    Some(decisions.into_iter().enumerate().map(choice).collect())
}
