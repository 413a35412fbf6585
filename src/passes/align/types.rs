//! How often beads of each type and gaps are expected, before and after a first path is known.

use super::step::PathStep;

/// Expected frequencies of bead types and gaps.
#[derive(Clone, Debug)]
pub struct Types {
    /// `(n, m, log probability)`.
    pub beads: Vec<(usize, usize, f32)>,
    /// Log probability of opening a gap between beads.
    pub open: f32,
    /// The same at the start or end of a text, where one side often covers more.
    pub open_end: f32,
    /// Log probability of extending a gap.
    pub extend: f32,
}

impl Types {
    /// The types for sentences.
    pub fn sentences() -> Self {
        Self::with(
            &[
                ((1, 1), 0.75),
                ((1, 2), 0.10),
                ((2, 1), 0.10),
                ((2, 2), 0.011),
                ((1, 3), 0.021),
                ((3, 1), 0.014),
                ((2, 3), 0.002),
                ((3, 2), 0.002),
                ((3, 3), 0.0005),
                ((1, 4), 0.003),
                ((4, 1), 0.002),
                ((1, 5), 0.001),
                ((5, 1), 0.0007),
                ((1, 6), 0.0004),
                ((6, 1), 0.0003),
            ],
            0.0075,
        )
    }

    /// The types for sentences of two sides that are whole, or of paragraphs that correspond.
    pub fn of_whole() -> Self {
        /// Log probability that a sentence has no counterpart there.
        const ALONE: f32 = -9.0;
        Types { open: ALONE, open_end: ALONE, extend: ALONE, ..Types::sentences() }
    }

    /// The types for clauses, which the two sides divide less alike.
    pub fn clauses() -> Self {
        Self::with(
            &[
                ((1, 1), 0.62),
                ((1, 2), 0.12),
                ((2, 1), 0.12),
                ((2, 2), 0.02),
                ((1, 3), 0.03),
                ((3, 1), 0.03),
                ((2, 3), 0.005),
                ((3, 2), 0.005),
                ((3, 3), 0.002),
                ((1, 4), 0.008),
                ((4, 1), 0.008),
                ((1, 5), 0.002),
                ((5, 1), 0.002),
                ((1, 6), 0.001),
                ((6, 1), 0.001),
            ],
            0.015,
        )
    }

    /// The types for a classic mixed with notes, which have no counterpart.
    pub fn among_notes() -> Self {
        Types { open: 0.3f32.ln(), open_end: 0.3f32.ln(), extend: 0.8f32.ln(), ..Self::clauses() }
    }

    /// The types updated from the beads of a path, since translators differ in how often they join
    /// and divide.
    pub fn learned(&self, steps: &[PathStep]) -> Types {
        /// Weight of the expected frequencies, in beads.
        const PRIOR_BEADS: f64 = 60.0;
        let seen = |n: usize, m: usize| {
            let same = |s: &&PathStep| (s.source.len(), s.translation.len()) == (n, m);
            steps.iter().filter(same).map(|s| s.posterior).sum::<f64>()
        };
        let all: f64 = steps.iter().filter(|s| s.is_bead()).map(|s| s.posterior).sum();
        let share = |&(n, m, log): &(usize, usize, f32)| {
            let p = f64::from(log).exp();
            (n, m, ((seen(n, m) + PRIOR_BEADS * p) / (all + PRIOR_BEADS)).ln() as f32)
        };
        let gaps = steps
            .windows(2)
            .filter(|w| w[0].is_bead() && !w[1].is_bead())
            .map(|w| w[1].posterior)
            .sum::<f64>();
        let open =
            ((gaps + PRIOR_BEADS * f64::from(self.open).exp()) / (all + PRIOR_BEADS)).ln() as f32;
        Types {
            beads: self.beads.iter().map(share).collect(),
            open,
            open_end: self.open_end.max(open),
            ..self.clone()
        }
    }

    fn with(beads: &[((usize, usize), f32)], open: f32) -> Self {
        let beads = beads.iter().map(|&((n, m), p)| (n, m, p.ln())).collect();
        Types { beads, open: open.ln(), open_end: (open * 8.0).min(0.2).ln(), extend: 0.75f32.ln() }
    }
}
