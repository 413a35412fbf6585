//! How a text without marks is laid out in lines. A copy keeps to its layout, so it is found for
//! the whole text: how much probability do the sequences of layers have that agree with it?

use super::chain::{Chain, LayerPairs, TO_CLASSIC, TO_NOTE};
use crate::network::Gap;

/// What a pair of layers against the layout costs while layouts are compared, as a logarithm.
const COST: f64 = 6.0;
/// What it costs once the layout is found.
const FOUND_COST: f64 = 12.0;
/// The least mean logarithm of the probability of a layout, for each end of a line.
const LEAST_EVIDENCE: f64 = -1.0;
/// The same for the layout that demands least: it fits nearly every text a little.
const LEAST_EVIDENCE_OF_PASSAGES: f64 = -0.25;
/// A text with fewer ends of lines has no layout.
const MIN_LINE_ENDS: usize = 3;

/// A layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineLayout {
    /// Passages and notes are lines of their own.
    Apart,
    /// Every line is a passage and one note on it.
    Pairs,
    /// Every line opens with classic and ends with a note.
    Passages,
    /// Lines say nothing.
    Free,
}

impl LineLayout {
    /// The layout that the sequences of layers agree with.
    pub fn of(chain: &Chain, gaps: &[Gap]) -> Self {
        let line_ends = gaps.iter().skip(1).filter(|g| g.line_end).count();
        if line_ends < MIN_LINE_ENDS {
            return LineLayout::Free;
        }
        let all = chain.log_total();
        let evidence = |layout: LineLayout| {
            let costs = layout.scaled(gaps, COST);
            (chain.with_costs(&costs).log_total() - all) / line_ends as f64
        };
        let (apart, pairs) = (evidence(LineLayout::Apart), evidence(LineLayout::Pairs));
        if apart.max(pairs) >= LEAST_EVIDENCE {
            return if apart > pairs { LineLayout::Apart } else { LineLayout::Pairs };
        }
        match evidence(LineLayout::Passages) >= LEAST_EVIDENCE_OF_PASSAGES {
            true => LineLayout::Passages,
            false => LineLayout::Free,
        }
    }

    /// True if each line or each end of one must have a border.
    pub fn demands_borders(self) -> bool {
        matches!(self, LineLayout::Apart | LineLayout::Pairs)
    }

    /// What each pair of layers at each gap after the first costs in a text that has the layout.
    pub fn costs(self, gaps: &[Gap]) -> Vec<LayerPairs> {
        self.scaled(gaps, FOUND_COST)
    }

    fn scaled(self, gaps: &[Gap], cost: f64) -> Vec<LayerPairs> {
        let costs = |gap: &Gap| self.against(gap.line_end).map(|against| against * cost);
        gaps.iter().skip(1).map(costs).collect()
    }

    /// 1 for pairs that are against the layout.
    fn against(self, at_line_end: bool) -> LayerPairs {
        let mut against = [0.0; 4];
        match (self, at_line_end) {
            (LineLayout::Apart, false) => (against[TO_NOTE], against[TO_CLASSIC]) = (1.0, 1.0),
            (LineLayout::Apart, true) => (against[0], against[3]) = (1.0, 1.0),
            (LineLayout::Pairs | LineLayout::Passages, true) => {
                against = [1.0; 4];
                against[TO_CLASSIC] = 0.0;
            }
            (LineLayout::Pairs, false) => against[TO_CLASSIC] = 1.0,
            _ => {}
        }
        against
    }
}
