//! What is usual in a text: how long its notes are, and where they begin. Books differ in this more
//! than anything else, and each keeps to its way, so a later reading of a text that has to be
//! guessed uses what the reading before found.

use super::layout::Layout;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::{CLASSIC, NOTE, Run};

/// Added to counts, so that few runs say little.
const ADDED: f64 = 2.0;

/// What is usual in a text. The figures are for classic and for notes, in this order.
#[derive(Clone, Debug, PartialEq)]
pub struct Usual {
    /// Mean of the logarithms of the lengths of runs, in characters.
    pub length: [f64; 2],
    /// How much likelier than not a run after the first begins within a sentence; a natural
    /// logarithm.
    pub within_sentence: [f64; 2],
    /// How much likelier than not a run begins with a further paragraph, where one begins.
    pub with_paragraph: [f64; 2],
    /// The layout that it has, if it has one.
    pub layout: Option<Layout>,
}

/// Counts of runs with one label, each as far as it is certain.
#[derive(Clone, Copy, Default)]
struct RunCounts {
    lengths: f64,
    runs: f64,
    later: f64,
    within_sentence: f64,
    with_paragraph: f64,
}

impl Usual {
    /// What is usual by the runs of a reading: number of the paragraph, run and certainty. None if
    /// there are none of classic or none of notes.
    pub fn of(
        paragraphs: &[Paragraph],
        runs: impl Iterator<Item = (usize, Run, f64)>,
        layout: Option<Layout>,
    ) -> Option<Self> {
        let mut counts = [RunCounts::default(); 2];
        for (paragraph, run, certainty) in runs {
            if let Some(of_label) = counts.get_mut(run.label) {
                of_label.add(&paragraphs[paragraph], run, certainty);
            }
        }
        let joints: f64 = paragraphs.iter().map(|p| p.joints.len() as f64).sum();
        let odds = |n: f64, of: f64| ((n + ADDED) / ((of - n).max(0.0) + ADDED)).ln();
        let of = |f: fn(&RunCounts, f64) -> (f64, f64)| {
            [CLASSIC, NOTE].map(|label| {
                let (n, of) = f(&counts[label], joints);
                odds(n, of)
            })
        };
        (counts.iter().all(|t| t.runs > 0.0)).then(|| Usual {
            length: [CLASSIC, NOTE].map(|label| counts[label].lengths / counts[label].runs),
            within_sentence: of(|t, _| (t.within_sentence, t.later)),
            with_paragraph: of(|t, joints| (t.with_paragraph, joints)),
            layout,
        })
    }
}

impl RunCounts {
    fn add(&mut self, p: &Paragraph, run: Run, sure: f64) {
        let (from, to) = (p.units[run.from].from, p.units[run.to - 1].to);
        self.lengths += sure * ((to - from) as f64).ln();
        self.runs += sure;
        if run.from > 0 {
            self.later += sure;
            if !p.units[run.from - 1].ends_sentence {
                self.within_sentence += sure;
            }
            if p.joints.binary_search(&from).is_ok() {
                self.with_paragraph += sure;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Document, Layer};
    use crate::passes::evidence::group;

    #[test]
    fn usual_figures_need_runs_of_both_layers_and_count_by_certainty() {
        let document = Document::of_pieces(&[(Layer::Undivided, "甲乙，丙丁戊己。庚辛。壬癸。")]);
        let mut p = group::paragraphs(&document).remove(0);
        p.joints = vec![p.units[2].from].into();
        let run = |from, to, label, sure: f64| (0, Run { from, to, label }, sure);
        let of = |runs: &[(usize, Run, f64)]| {
            Usual::of(std::slice::from_ref(&p), runs.iter().copied(), None)
        };
        assert_eq!(of(&[run(0, 4, CLASSIC, 1.0)]), None);
        assert_eq!(of(&[run(0, 4, NOTE, 1.0)]), None);
        let usual = of(&[
            run(0, 1, CLASSIC, 1.0),
            run(1, 2, NOTE, 0.5),
            run(2, 3, CLASSIC, 0.5),
            run(3, 4, NOTE, 0.25),
        ])
        .unwrap();
        let near = |found: [f64; 2], wanted: [f64; 2]| {
            assert!(
                found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9),
                "{found:?} {wanted:?}"
            );
        };
        let two = 2f64.ln();
        near(usual.length, [two, (0.5 * 4f64.ln() + 0.25 * two) / 0.75]);
        // One of the later notes begins after a comma; the classic after it begins with a
        // paragraph.
        let odds = |n: f64, of: f64| ((n + ADDED) / (of - n + ADDED)).ln();
        near(usual.within_sentence, [odds(0.0, 0.5), odds(0.5, 0.75)]);
        near(usual.with_paragraph, [odds(0.5, 1.0), odds(0.0, 1.0)]);
    }
}
