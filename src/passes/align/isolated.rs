//! Takes apart beads that stand alone among words without counterpart.
//!
//! A translation answers to its text sentence after sentence. Where only here and there a sentence
//! finds another like it, the two are parallels (rituals are told in the same words again and
//! again), and one is not the translation of the other. A bead stands if, on either side, it
//! belongs to some window of [`WINDOW_UNITS`] neighbours of which at least [`MIN_ALIGNED_SHARE`] are aligned; so the
//! edges of an aligned stretch stand, and so does a short text found whole within a long one.

use std::ops::Range;

use super::step::PathStep;

const WINDOW_UNITS: usize = 7;
const MIN_ALIGNED_SHARE: f64 = 0.5;

/// The path without isolated beads: their units become gaps.
pub fn dissolve(steps: Vec<PathStep>) -> Vec<PathStep> {
    if steps.iter().all(PathStep::is_bead) {
        return steps;
    }
    let a = stands(&steps, |s| &s.source);
    let b = stands(&steps, |s| &s.translation);
    steps
        .into_iter()
        .enumerate()
        .flat_map(
            |(k, step)| if !step.is_bead() || a[k] || b[k] { vec![step] } else { apart(&step) },
        )
        .collect()
}

/// The path without any beads, if these lie thinly on both sides over the stretch from the first to
/// the last of them: the texts then have parallels and are not a text and its translation.
pub fn dissolve_thin(steps: Vec<PathStep>) -> Vec<PathStep> {
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
            .flat_map(|s| if s.is_bead() { apart(s) } else { vec![s.clone()] })
            .collect();
    }
    steps
}

/// Of each step: whether it is in a window, on this side, that is aligned enough.
fn stands(steps: &[PathStep], side: impl Fn(&PathStep) -> &Range<usize>) -> Vec<bool> {
    let here: Vec<usize> = (0..steps.len()).filter(|&k| !side(&steps[k]).is_empty()).collect();
    let size = WINDOW_UNITS.min(here.len());
    let mut stands = vec![false; steps.len()];
    for window in here.windows(size.max(1)) {
        let aligned = window.iter().filter(|&&k| steps[k].is_bead()).count();
        if aligned as f64 >= MIN_ALIGNED_SHARE * window.len() as f64 {
            window.iter().for_each(|&k| stands[k] = true);
        }
    }
    stands
}

/// One gap a unit.
fn apart(step: &PathStep) -> Vec<PathStep> {
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

    /// `b` a bead, `s` a unit of the classic alone, `t` one of the translation.
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
        dissolve(path(shape)).iter().filter(|s| s.is_bead()).count()
    }

    #[test]
    fn a_bead_alone_among_gaps_of_both_sides_is_taken_apart() {
        assert_eq!(beads("sssttttbssssssttttbsssssttttt"), 0);
        assert_eq!(dissolve(path("ssssttttbsssstttt")).len(), 18);
    }

    #[test]
    fn thin_parallels_are_taken_apart_and_a_hole_is_not() {
        let left = |shape: &str| dissolve_thin(path(shape)).iter().filter(|s| s.is_bead()).count();
        assert_eq!(left("sssttttbbbbsssssssstttttttttbbbbssssssstttttttbbbbssst"), 0);
        assert_eq!(left("ttttbbbbbbbbttttttttssbbbbbbbbbb"), 18);
    }

    #[test]
    fn the_edges_of_a_stretch_and_a_text_found_whole_stand() {
        assert_eq!(beads("sssssssttttttbbbbbbbbsssssssttttttt"), 8);
        assert_eq!(beads("ttttttttttttbttttttttttt"), 1);
        assert_eq!(beads("bbsbbtbbbsbb"), 9);
    }
}
