//! The order of questions: by place, or the most instructive first.
//!
//! An answer is instructive if the program does not know it, and if other doubtful decisions depend
//! on the same evidence: these become more certain with it. Of several questions about one passage
//! or with the same evidence, the first answer probably settles the others too, so they come later.

use rustc_hash::FxHashMap;

use super::Question;
use crate::model::EvidenceKind;

/// How much less a further question about the same passage is worth.
const SAME_PASSAGE: f64 = 0.5;
/// The same for a further question with the same evidence.
const SAME_EVIDENCE: f64 = 0.93;
/// How much a similar question adds to the worth of one, in units of its own.
const SIMILAR: f64 = 0.08;

/// An order of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The most instructive first.
    #[default]
    Instructive,
    /// As in the text.
    Place,
}

/// What the decision mainly rests on: its strongest evidence for and against.
type EvidencePattern<'a> = (Option<&'a EvidenceKind>, Option<&'a EvidenceKind>);

fn pattern(q: &Question) -> EvidencePattern<'_> {
    let strongest = |sign: f64| {
        let of_sign = q.evidence.iter().filter(|e| e.1 * sign > 0.0);
        of_sign.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|e| &e.0)
    };
    (strongest(1.0), strongest(-1.0))
}

/// How little is known, in bits.
pub fn entropy(q: &Question) -> f64 {
    let p = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    let known: f64 = q.choices.iter().map(|c| c.probability).sum();
    q.choices.iter().map(|c| p(c.probability)).sum::<f64>() + p((1.0 - known).max(0.0))
}

/// Puts questions, which are in the order of the text, into an order.
pub fn put(questions: Vec<Question>, order: Order) -> Vec<Question> {
    if order == Order::Place {
        return questions;
    }
    let patterns: Vec<_> = questions.iter().map(pattern).collect();
    let mut similar: FxHashMap<&EvidencePattern<'_>, usize> = FxHashMap::default();
    patterns.iter().for_each(|p| *similar.entry(p).or_default() += 1);
    let worth = |n: usize| {
        let q = &questions[n];
        let others = (similar[&patterns[n]] - 1) as f64;
        // What is probably wrong changes the text; what is only unknown teaches.
        (entropy(q) + (1.0 - q.certainty())) * (1.0 + SIMILAR * others.ln_1p())
    };
    let mut left: Vec<(usize, f64)> = (0..questions.len()).map(|n| (n, worth(n))).collect();
    let mut chosen = vec![];
    while let Some(best) = left
        .iter()
        .enumerate()
        .max_by(|a, b| a.1.1.total_cmp(&b.1.1).then(b.1.0.cmp(&a.1.0)))
        .map(|(at, _)| at)
    {
        let (n, _) = left.swap_remove(best);
        for (other, worth) in &mut left {
            if questions[*other].passage == questions[n].passage {
                *worth *= SAME_PASSAGE;
            }
            if patterns[*other] == patterns[n] {
                *worth *= SAME_EVIDENCE;
            }
        }
        chosen.push(n);
    }
    let mut questions: Vec<Option<Question>> = questions.into_iter().map(Some).collect();
    chosen.into_iter().filter_map(|n| questions[n].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Confirmation, Layer};
    use crate::review::{Choice, QuestionKind};
    use crate::source::Span;

    /// A question about a passage, answered with a certainty, with its main evidence.
    fn question(passage: usize, certainty: f64, evidence: EvidenceKind) -> Question {
        let passage = Span::new(passage * 100, passage * 100 + 90);
        let choice = |after, probability| Choice {
            what: Confirmation::Cut(Layer::Jing, after),
            span: passage,
            probability,
        };
        Question {
            kind: QuestionKind::Cut,
            span: passage,
            passage,
            runs: vec![],
            choices: vec![choice(Layer::Zhu, certainty), choice(Layer::Jing, 1.0 - certainty)],
            evidence: vec![(evidence, 1.0)],
            facts: vec![],
        }
    }

    #[test]
    fn what_is_least_certain_comes_first_and_what_it_settles_comes_later() {
        let formula = || EvidenceKind::Formula;
        let questions = vec![
            question(1, 0.90, EvidenceKind::Length),
            question(2, 0.55, formula()),
            question(2, 0.56, EvidenceKind::Layout),
            question(3, 0.60, EvidenceKind::Canon),
        ];
        let certainties = |order| -> Vec<f64> {
            put(questions.clone(), order).iter().map(Question::certainty).collect()
        };
        assert_eq!(certainties(Order::Instructive), [0.55, 0.60, 0.56, 0.90]);
        assert_eq!(certainties(Order::Place), [0.90, 0.55, 0.56, 0.60]);
        // Of two that are as doubtful, the one with more like it comes first.
        let questions = vec![
            question(1, 0.6, EvidenceKind::Length),
            question(2, 0.6, formula()),
            question(3, 0.6, formula()),
        ];
        let first = put(questions, Order::Instructive).remove(0);
        assert_eq!(first.passage.start(), 200);
    }
}
