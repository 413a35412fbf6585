//! Questions about alignments: what some words correspond to in a translation.

use super::part::AskedPart;
use super::quoted::QuotedTexts;
use super::{Question, QuestionKind};
use crate::model::{Alignment, Bead, Confirmation, QuotedPlace};
use crate::source::Span;

/// Questions about the beads of a part with each of its translations.
pub(super) fn of<'a>(asked: AskedPart<'a>, texts: &mut QuotedTexts<'a>) -> Vec<Question> {
    let mut out = vec![];
    let own = |a: &&Alignment| a.source == asked.document.id;
    for alignment in asked.library.alignments.iter().filter(own) {
        let Some(translation) = asked.library.get(&alignment.translation) else { continue };
        let doc = Some(translation.id.clone());
        let mut quoted =
            |at: Span| Some(QuotedPlace { doc: doc.clone(), ..texts.quoted(translation, at)? });
        for (n, bead) in alignment.beads.iter().enumerate() {
            let Some(span) = whole(&bead.source) else { continue };
            if bead.certainty.get() < asked.below
                && let Some(decisions) = decisions(alignment, n, &mut quoted)
            {
                out.push(asked.question(QuestionKind::Bead, span, decisions, &bead.evidence));
            }
        }
    }
    out
}

/// From the first to the last of some spans.
fn whole(spans: &[Span]) -> Option<Span> {
    Some(Span::new(spans.first()?.start(), spans.last()?.end()))
}

/// What bead `n` may correspond to: what the program found; that with what is before or after it;
/// these alone; nothing. `None` if what the program found cannot be quoted.
fn decisions(
    alignment: &Alignment,
    n: usize,
    quoted: &mut impl FnMut(Span) -> Option<QuotedPlace>,
) -> Option<Vec<(Confirmation, f64)>> {
    let beads = &alignment.beads;
    let of = |bead: &Bead| whole(&bead.translation);
    let own = of(&beads[n]);
    let before = beads[..n].iter().rev().find_map(of);
    let after = beads[n + 1..].iter().find_map(of);
    let joined = |a: Option<Span>, b: Option<Span>| {
        a.zip(b).filter(|(a, b)| a.end() <= b.start()).map(|(a, b)| Span::new(a.start(), b.end()))
    };
    let mut places = match own {
        Some(own) => vec![Some(quoted(own)?)],
        None => vec![None],
    };
    let others = [joined(before, own), joined(own, after), before, after];
    for place in others.into_iter().flatten().filter_map(quoted).map(Some).chain([None]) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let certainty = beads[n].certainty.get();
    let rest = (1.0 - certainty) / (places.len() - 1).max(1) as f64;
    let probability = |k: usize| if k == 0 { certainty } else { rest };
    let decision =
        |(k, place)| (Confirmation::Bead(alignment.translation.clone(), place), probability(k));
    Some(places.into_iter().enumerate().map(decision).collect())
}
