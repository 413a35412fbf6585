//! A translation that nothing cuts into chapters is aligned with each chapter of its book. What
//! several of these claim is of the one that it fits best.

use rustc_hash::FxHashMap;

use crate::diag::Diagnostic;
use crate::model::{Alignment, Bead, Certainty, is_decided};

/// Leaves each sentence of a translation to one of the chapters of a book that it was aligned with,
/// and says so.
pub(super) fn settle(alignments: &mut [Alignment]) -> Option<Diagnostic> {
    if alignments.len() < 2 {
        return None;
    }
    let mut order: Vec<usize> = (0..alignments.len()).collect();
    let fits: Vec<f64> = alignments.iter().map(fit).collect();
    order.sort_by(|a, b| fits[*b].total_cmp(&fits[*a]));
    let mut owners: FxHashMap<usize, usize> = FxHashMap::default();
    let mut lost = 0;
    for (n, alignment) in alignments.iter().enumerate() {
        let decided = alignment.beads.iter().filter(|b| is_decided(&b.evidence));
        decided.flat_map(|b| &b.translation).for_each(|s| _ = owners.insert(s.start(), n));
    }
    for n in order {
        for bead in alignments[n].beads.iter().filter(|b| is_pair(b)) {
            for span in &bead.translation {
                owners.entry(span.start()).or_insert(n);
            }
        }
        let is_own =
            |bead: &Bead| bead.translation.iter().all(|s| owners.get(&s.start()) == Some(&n));
        let beads = std::mem::take(&mut alignments[n].beads);
        for bead in beads {
            if !is_pair(&bead) || is_decided(&bead.evidence) || is_own(&bead) {
                alignments[n].beads.push(bead);
                continue;
            }
            lost += 1;
            alignments[n].beads.extend(apart(bead));
        }
    }
    let message = format!(
        "it is aligned with {} chapters of a book; {lost} beads in which several of them have the \
         same sentence are left to one",
        alignments.len()
    );
    (lost > 0).then(|| {
        Diagnostic::warning("translation-of-several", None, message)
            .hint("if it is of one chapter, name this in a manifest: chapter = …")
    })
}

/// How surely the sentences of the chapter correspond to some of the translation, on average.
fn fit(alignment: &Alignment) -> f64 {
    let of_chapter = alignment.beads.iter().filter(|b| !b.source.is_empty());
    let all: usize = of_chapter.clone().map(|b| b.source.len()).sum();
    let sure = |b: &Bead| b.certainty.get() * b.source.len() as f64;
    of_chapter.filter(|b| is_pair(b)).map(sure).sum::<f64>() / all.max(1) as f64
}

fn is_pair(bead: &Bead) -> bool {
    !bead.source.is_empty() && !bead.translation.is_empty()
}

/// Both sides of a bead, which do not correspond.
fn apart(bead: Bead) -> [Bead; 2] {
    let Bead { source, translation, certainty, evidence } = bead;
    let certainty = Certainty::new(1.0 - certainty.get());
    let side =
        |source, translation| Bead { source, translation, certainty, evidence: evidence.clone() };
    [side(source, vec![]), side(vec![], translation)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Grain;
    use crate::source::Span;

    #[test]
    fn a_sentence_is_left_to_the_chapter_that_it_fits_best() {
        let bead = |source: &[usize], translation: &[usize], certainty: f64| {
            let spans = |at: &[usize]| at.iter().map(|n| Span::new(n * 10, n * 10 + 9)).collect();
            let certainty = Certainty::new(certainty);
            let (source, translation) = (spans(source), spans(translation));
            Bead { source, translation, certainty, evidence: vec![] }
        };
        let alignment = |source: &str, beads: Vec<Bead>| Alignment {
            source: source.into(),
            translation: "yi".into(),
            grain: Grain::Sentence,
            beads,
        };
        let worse = vec![bead(&[0], &[0], 0.9), bead(&[1, 2], &[1], 0.3), bead(&[3], &[7], 0.4)];
        let better = vec![bead(&[0], &[0], 0.8), bead(&[1], &[1], 0.9), bead(&[2], &[], 0.5)];
        let mut all = [alignment("a-1", worse), alignment("a-2", better.clone())];
        assert!(settle(&mut all).is_some());
        assert_eq!(all[1].beads, better);
        let shown: Vec<(usize, usize)> =
            all[0].beads.iter().map(|b| (b.source.len(), b.translation.len())).collect();
        assert_eq!(shown, [(1, 0), (0, 1), (2, 0), (0, 1), (1, 1)]);
        assert!(settle(&mut all).is_none());
    }
}
