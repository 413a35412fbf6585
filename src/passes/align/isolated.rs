//! Dissolves isolated beads among text without counterpart.
//!
//! A translation follows its text sentence by sentence. Where only a few sentences have a match,
//! they are parallels (rituals are often described in the same words) and not a translation. A bead
//! is kept if, on either side, it is in a window of [`WINDOW_UNITS`] units of which at least
//! [`MIN_ALIGNED_SHARE`] are aligned. So the edges of an aligned section are kept, and so is a
//! short text that is found complete within a long one.

use std::ops::Range;

use super::confirmed::ConfirmedUnits;
use super::step::PathStep;

const WINDOW_UNITS: usize = 7;
const MIN_ALIGNED_SHARE: f64 = 0.5;

/// The path without isolated beads: their units become gaps. What a person decided is kept.
pub fn dissolve(steps: Vec<PathStep>, confirmed: &ConfirmedUnits) -> Vec<PathStep> {
    if steps.iter().all(PathStep::is_bead) {
        return steps;
    }
    let a = supported(&steps, |s| &s.source);
    let b = supported(&steps, |s| &s.translation);
    steps
        .into_iter()
        .enumerate()
        .flat_map(|(k, step)| {
            let kept = !step.is_bead() || a[k] || b[k] || confirmed.has(&step);
            if kept { vec![step] } else { gaps(&step) }
        })
        .collect()
}

/// The path without any beads, if between the first and the last they are sparse on both sides: the
/// texts then only have parallels and are not a text and its translation.
pub fn dissolve_thin(steps: Vec<PathStep>, confirmed: &ConfirmedUnits) -> Vec<PathStep> {
    let thin = |side: fn(&PathStep) -> &Range<usize>| {
        let here: Vec<bool> =
            steps.iter().filter(|s| !side(s).is_empty()).map(PathStep::is_bead).collect();
        let (first, last) = (here.iter().position(|b| *b), here.iter().rposition(|b| *b));
        let Some((first, last)) = first.zip(last) else { return false };
        let aligned = here.iter().filter(|b| **b).count();
        (aligned as f64) < MIN_ALIGNED_SHARE * (last + 1 - first) as f64
    };
    if thin(|s| &s.source) && thin(|s| &s.translation) {
        return steps
            .iter()
            .flat_map(|s| if s.is_bead() && !confirmed.has(s) { gaps(s) } else { vec![s.clone()] })
            .collect();
    }
    steps
}

/// For each step, whether it is in a window of this side that is aligned enough.
fn supported(steps: &[PathStep], side: impl Fn(&PathStep) -> &Range<usize>) -> Vec<bool> {
    let here: Vec<usize> = (0..steps.len()).filter(|&k| !side(&steps[k]).is_empty()).collect();
    let size = WINDOW_UNITS.min(here.len());
    let mut supported = vec![false; steps.len()];
    for window in here.windows(size.max(1)) {
        let aligned = window.iter().filter(|&&k| steps[k].is_bead()).count();
        if aligned as f64 >= MIN_ALIGNED_SHARE * window.len() as f64 {
            window.iter().for_each(|&k| supported[k] = true);
        }
    }
    supported
}

/// One gap for each unit of a bead.
fn gaps(step: &PathStep) -> Vec<PathStep> {
    let posterior = (1.0 - step.posterior).max(0.5);
    let source = step.source.clone().map(|i| PathStep {
        source: i..i + 1,
        translation: step.translation.start..step.translation.start,
        posterior,
    });
    let translation = step.translation.clone().map(|j| PathStep {
        source: step.source.end..step.source.end,
        translation: j..j + 1,
        posterior,
    });
    source.chain(translation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path from letters: `b` a bead, `s` a unit of the classic alone, `t` one of the
    /// translation.
    fn path(shape: &str) -> Vec<PathStep> {
        let (mut i, mut j) = (0, 0);
        shape
            .chars()
            .map(|c| {
                let (n, m) = match c {
                    'b' => (1, 1),
                    's' => (1, 0),
                    _ => (0, 1),
                };
                (i, j) = (i + n, j + m);
                PathStep { source: i - n..i, translation: j - m..j, posterior: 0.9 }
            })
            .collect()
    }

    fn beads(shape: &str) -> usize {
        dissolve(path(shape), &ConfirmedUnits::default()).iter().filter(|s| s.is_bead()).count()
    }

    #[test]
    fn a_bead_isolated_on_both_sides_is_dissolved() {
        assert_eq!(beads("sssttttbssssssttttbsssssttttt"), 0);
        let none = ConfirmedUnits::default();
        assert_eq!(dissolve(path("ssssttttbsssstttt"), &none).len(), 18);
    }

    #[test]
    fn sparse_parallels_are_dissolved_but_not_beads_around_a_gap() {
        let none = ConfirmedUnits::default();
        let left =
            |shape: &str| dissolve_thin(path(shape), &none).iter().filter(|s| s.is_bead()).count();
        assert_eq!(left("sssttttbbbbsssssssstttttttttbbbbssssssstttttttbbbbssst"), 0);
        assert_eq!(left("ttttbbbbbbbbttttttttssbbbbbbbbbb"), 18);
    }

    #[test]
    fn edges_of_a_section_and_a_short_text_found_complete_are_kept() {
        assert_eq!(beads("sssssssttttttbbbbbbbbsssssssttttttt"), 8);
        assert_eq!(beads("ttttttttttttbttttttttttt"), 1);
        assert_eq!(beads("bbsbbtbbbsbb"), 9);
    }
}
