//! Features of 音義: readings of characters, which open a paragraph after a ○.

use super::super::feature::Feature::{self, *};
use super::sums::prefix;
use crate::passes::evidence::paragraph::Paragraph;
use crate::passes::evidence::run::Run;
use crate::text::sound;

/// The longest head of a gloss (the words whose sound it gives), in characters.
const MAX_HEAD_CHARS: usize = 3;

/// What is known of the readings of a paragraph, as prefix sums over clauses; empty if no ○ opens
/// it.
pub struct SoundGlosses {
    /// Clauses that give a sound, and their heads.
    glosses: Vec<f64>,
    /// Heads with a character that occurs in the text before.
    known: Vec<f64>,
    /// Heads without one.
    unknown: Vec<f64>,
}

impl SoundGlosses {
    /// Finds the readings of a paragraph.
    pub fn of(p: &Paragraph, text: &str, before: &[char]) -> Self {
        if !p.opens_with_circle {
            return SoundGlosses { glosses: Vec::new(), known: Vec::new(), unknown: Vec::new() };
        }
        let n = p.units.len();
        let end = |u: usize| p.units.get(u + 1).map_or(p.span.end(), |next| next.start);
        let gloss: Vec<bool> = p
            .units
            .iter()
            .enumerate()
            .map(|(u, c)| sound::is_gloss(&text[c.start..end(u)]))
            .collect();
        let short = |u: usize| p.units[u].to - p.units[u].from <= MAX_HEAD_CHARS;
        let head = |u: usize| {
            !gloss[u] && short(u) && !p.units[u].ends_sentence && gloss.get(u + 1) == Some(&true)
        };
        let occurs = |u: usize| {
            let first = p.units[u].from;
            let words = &p.key.chars[first..p.units[u].to.min(first + MAX_HEAD_CHARS)];
            words.iter().any(|c| before.contains(c))
        };
        let names = |u: usize| head(u) || gloss[u] && (u == 0 || !head(u - 1));
        SoundGlosses {
            glosses: prefix(n, |u| gloss[u] || head(u)),
            known: prefix(n, |u| names(u) && occurs(u)),
            unknown: prefix(n, |u| names(u) && !occurs(u)),
        }
    }

    fn is_gloss(&self, unit: usize) -> bool {
        self.glosses.get(unit + 1).is_some_and(|n| *n > self.glosses[unit])
    }

    /// The features of a run of 音義, or of another layer that opens a paragraph after ○.
    pub fn yin(&self, p: &Paragraph, run: Run, out: &mut Vec<(Feature, f64)>) {
        let sum = |sums: &[f64]| sums[run.to] - sums[run.from];
        let (glosses, all) = (sum(&self.glosses), (run.to - run.from) as f64);
        out.push((Yin, 1.0));
        out.push((YinGlosses, glosses));
        out.push((YinOthers, all - glosses));
        out.push((YinKnownHeads, sum(&self.known).ln_1p()));
        out.push((YinUnknownHeads, sum(&self.unknown)));
        let mut on = |f, yes: bool| out.extend(yes.then_some((f, 1.0)));
        on(YinEndsOtherwise, !self.is_gloss(run.to - 1));
        on(YinBeforeGloss, self.is_gloss(run.to));
        on(YinWhole, run.to == p.units.len());
        on(YinAtClause, run.to < p.units.len() && !p.units[run.to - 1].ends_sentence);
    }

    /// Number of clauses of readings in a run of another layer.
    pub fn inside(&self, run: Run) -> f64 {
        if self.glosses.is_empty() { 0.0 } else { self.glosses[run.to] - self.glosses[run.from] }
    }
}
