//! How a text that has to be guessed is laid out in paragraphs. In one copy each passage and each
//! note is a paragraph of its own, in another each passage is one with its notes. A copy keeps to
//! its layout, so it is found for the whole text: how much probability do the readings have that
//! agree with it, of all readings?

use super::semimarkov::Lattice;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{NOTE, Run};

/// A layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Passages and notes are paragraphs of their own.
    Apart,
    /// Every paragraph is 經 and one note on it.
    Pairs,
    /// Every paragraph opens with 經; its notes follow in it.
    Passages,
}

/// All of them, those that allow less first.
const LAYOUTS: [Layout; 3] = [Layout::Apart, Layout::Pairs, Layout::Passages];
/// What a run against the layout costs while layouts are compared, as a natural logarithm.
const COST: f64 = 6.0;
/// The least mean logarithm of the probability of a layout, for each joint of paragraphs.
const LEAST_EVIDENCE: f64 = -0.7;

impl Layout {
    /// How much a run is against the layout.
    pub fn violations(self, p: &Paragraph, run: Run) -> f64 {
        let (from, to) = (p.units[run.from].from, p.units[run.to - 1].to);
        let at_joint = run.from > 0 && p.joints.binary_search(&from).is_ok();
        let note_over = run.label == NOTE && (at_joint || p.joints_within(from, to) > 0);
        let against = match self {
            Layout::Apart => run.from > 0 && !at_joint,
            Layout::Pairs => note_over || run.label != NOTE && run.from > 0 && !at_joint,
            Layout::Passages => note_over,
        };
        f64::from(u8::from(against))
    }
}

/// The evidence for each layout, summed over paragraphs.
#[derive(Default)]
pub struct LayoutEvidence {
    log_probability: [f64; LAYOUTS.len()],
    joints: f64,
}

impl LayoutEvidence {
    /// Adds a paragraph with all its runs.
    pub fn add(&mut self, p: &Paragraph, lattice: &Lattice) {
        if p.joints.is_empty() {
            return;
        }
        self.joints += p.joints.len() as f64;
        let all = lattice.log_total();
        for (sum, layout) in self.log_probability.iter_mut().zip(LAYOUTS) {
            let costs = lattice.with_costs(|run| COST * layout.violations(p, run));
            *sum += costs.log_total() - all;
        }
    }

    /// The layout that has the most evidence, if any has enough.
    pub fn layout(&self) -> Option<Layout> {
        let of = |n: usize| self.log_probability[n] / self.joints.max(1.0);
        if self.joints == 0.0 {
            return None;
        }
        // What allows more is always more probable than what allows less.
        let (narrow, wide) = if of(0) > of(1) { (0, 2) } else { (1, 2) };
        [narrow, wide].into_iter().find(|n| of(*n) >= LEAST_EVIDENCE).map(|n| LAYOUTS[n])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::evidence::run::CLASSIC;

    /// Three paragraphs of four clauses each, joined.
    fn paragraph() -> Paragraph {
        use crate::model::{Document, Layer};
        let text = "甲乙，丙丁。甲戊，丙己。甲庚，丙辛。";
        let document = Document::of_pieces(&[(Layer::Undivided, text)]);
        let mut p = crate::passes::evidence::group::paragraphs(&document).remove(0);
        p.join_at(&[18, 36]);
        p
    }

    /// The layout of a text in which runs that `is_good` accepts are much better.
    fn layout(is_good: impl Fn(Run) -> bool) -> Option<Layout> {
        let p = paragraph();
        let score = |run| if is_good(run) { 6.0 } else { 0.0 };
        let mut evidence = LayoutEvidence::default();
        evidence.add(&p, &Lattice::new(p.units.len(), 6, false, score));
        evidence.layout()
    }

    fn is(run: Run, from: usize, to: usize, label: usize) -> bool {
        run == Run { from, to, label }
    }

    #[test]
    fn a_layout_is_found_by_what_the_best_readings_share() {
        assert_eq!(paragraph().joints, [4, 8]);
        let apart = |r| is(r, 0, 2, CLASSIC) || is(r, 2, 4, NOTE) || is(r, 4, 6, CLASSIC);
        assert_eq!(layout(apart), Some(Layout::Apart));
        let pairs = |r: Run| r.to - r.from == 1 && r.from.is_multiple_of(2) == (r.label == CLASSIC);
        assert_eq!(layout(pairs), Some(Layout::Pairs));
        let neither = |r| is(r, 0, 1, CLASSIC) || is(r, 1, 3, NOTE) || is(r, 3, 6, CLASSIC);
        assert_eq!(layout(neither), None);
    }

    #[test]
    fn without_joints_there_is_no_layout() {
        assert_eq!(LayoutEvidence::default().layout(), None);
    }
}
