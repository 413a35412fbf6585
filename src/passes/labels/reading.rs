//! How the parts of a run read as label and as 經, and which cut explains the run best.

use rustc_hash::FxHashMap;

use super::Context;
use super::runs::Run;
use crate::model::{Document, Evidence, Layer};
use crate::source::Span;
use crate::text::Key;
use crate::text::ngram::{CharModel, START};

/// Characters assumed to exist.
const ALPHABET: usize = 6000;
/// The longest label considered.
const LONGEST: usize = 24;
/// Characters of 經 after a label that are weighed; what comes later reads the same whichever way.
const AHEAD: usize = 14;
/// Certainty from which an inferred run of another document teaches.
const TEACHES: f64 = 0.9;
/// Characters before and after a label that another document must have in a row to bear witness.
const WITNESS: usize = 4;

/// Prior odds, as natural logarithms.
mod prior {
    /// A paragraph that opens with 右 opens with a label.
    pub const OPENS: f64 = 3.5;
    /// 右 after a note, in the last run of a paragraph.
    pub const CLOSES: f64 = 2.5;
    /// 右 within the last run of a paragraph.
    pub const WITHIN: f64 = 1.0;
    /// The next paragraph opens with a label, so this one has none at its end.
    pub const LABELLED: f64 = -5.0;
    /// The label ends where a line ends.
    pub const LINE_END: f64 = 6.0;
    /// A label runs into the 經 of its own paragraph.
    pub const RUNS_ON: f64 = -1.0;
    /// Another document has the 經 before and after, in a row.
    pub const WITNESS: f64 = 9.0;
}
/// Neighbouring characters are not independent, so the odds of the models are flattened by this.
const FLATTEN: f64 = 0.7;

/// A cut, weighed.
pub struct Weighed {
    /// The label.
    pub label: Span,
    /// Posterior probability.
    pub p: f64,
    /// Why.
    pub evidence: Vec<Evidence>,
}

/// One way of cutting a run: the label is characters `from..to`; nothing is label if they are equal.
#[derive(Clone, Copy, PartialEq)]
struct Cut {
    from: usize,
    to: usize,
}

/// What has been learned.
pub struct Reading<'a> {
    classic: CharModel,
    label: CharModel,
    remarks: CharModel,
    /// 經 of other documents.
    witnesses: Vec<Vec<char>>,
    document: &'a Document,
}

impl<'a> Reading<'a> {
    /// Learns from the runs that leave no question, and from the other documents.
    pub fn learn(document: &'a Document, context: &'a Context<'_>, runs: &[Run]) -> Self {
        let (mut classic, mut label, mut remarks) = (CharModel::new(ALPHABET), CharModel::new(ALPHABET), CharModel::new(ALPHABET));
        for run in runs {
            let chars = run.key.chars.iter().copied();
            if run.opens_with_right() && run.starts | run.after_note && run.ends && run.key.len() <= LONGEST {
                label.learn(chars);
            } else if !(run.opens_with_right() && run.starts) && !(run.ends && run.key.chars.contains(&'右')) {
                classic.learn(chars);
            }
        }
        let text = document.source.text();
        for s in document.of_layer(Layer::Ju) {
            remarks.learn(Key::of(text, s.span).chars.into_iter());
        }
        let mut witnesses = vec![];
        for other in context.library.others(&document.id) {
            let sure = || other.of_layer(Layer::Jing).filter(|s| s.cert.get() >= TEACHES);
            for s in sure() {
                classic.learn(Key::of(other.source.text(), s.span).chars.into_iter());
            }
            witnesses.push(Key::of_spans(other.source.text(), sure().map(|s| s.span)).chars);
        }
        Reading { classic, label, remarks, witnesses, document }
    }

    /// The best cut of run `n`, if it has a label. `labelled_next` says that the next paragraph opens with one.
    pub fn weigh(&self, runs: &[Run], n: usize, labelled_next: bool) -> Option<Weighed> {
        let run = &runs[n];
        let cuts = candidates(run);
        if cuts.is_empty() {
            return None;
        }
        let section = Section::before(self.document, runs, n);
        let beside = self.beside(runs, n, &cuts);
        let none = Cut { from: 0, to: 0 };
        let mut scores = vec![self.score(run, none, &section)];
        for cut in &cuts {
            let mut score = self.score(run, *cut, &section) + prior_of(run, *cut, labelled_next);
            if beside.contains(&cut.to) {
                score += prior::WITNESS;
            }
            scores.push(score);
        }
        let best = (0..scores.len()).max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
        if best == 0 {
            return None;
        }
        let all: f64 = scores.iter().map(|s| (s - scores[best]).exp()).sum();
        let cut = cuts[best - 1];
        let evidence = self.evidence(run, cut, &section, beside.contains(&cut.to));
        Some(Weighed { label: run.key.span(cut.from, cut.to), p: 1.0 / all, evidence })
    }

    /// How well a cut explains the run, as a logarithm.
    fn score(&self, run: &Run, cut: Cut, section: &Section) -> f64 {
        let chars = &run.key.chars;
        // What follows is weighed over the same stretch whatever the cut, or longer labels would look better.
        let end = chars.len().min(LONGEST + AHEAD).max(cut.to);
        let mut sum = 0.0;
        let (mut a, mut b) = (START, START);
        for (i, &c) in chars[..end].iter().enumerate() {
            if i == cut.from && cut.from < cut.to || i == cut.to {
                (a, b) = (START, START);
            }
            let p = if (cut.from..cut.to).contains(&i) { self.as_label(a, b, c, section) } else { self.classic.prob(a, b, c) };
            sum += p.ln();
            (a, b) = (b, c);
        }
        FLATTEN * sum + if cut.from < cut.to { length(cut.to - cut.from) } else { 0.0 }
    }

    /// Probability of a character in a label: as in other labels, as in the section it sums up, as its author writes.
    fn as_label(&self, a: char, b: char, c: char, section: &Section) -> f64 {
        0.4 * self.label.prob(a, b, c) + 0.35 * section.prob(b, c) + 0.25 * self.remarks.prob(a, b, c)
    }

    /// Ends of labels after which another document has the 經 in a row with the 經 before.
    fn beside(&self, runs: &[Run], n: usize, cuts: &[Cut]) -> Vec<usize> {
        let mut out = vec![];
        for cut in cuts {
            let before = classic_before(runs, n, cut.from);
            let after: Vec<char> = match runs[n].key.chars.get(cut.to..) {
                Some(rest) if !rest.is_empty() => rest.iter().copied().take(WITNESS).collect(),
                _ => continue,
            };
            if before.len() < WITNESS || after.len() < WITNESS {
                continue;
            }
            let row: Vec<char> = before.into_iter().chain(after).collect();
            if self.witnesses.iter().any(|w| w.windows(row.len()).any(|x| x == row)) {
                out.push(cut.to);
            }
        }
        out
    }

    fn evidence(&self, run: &Run, cut: Cut, section: &Section, beside: bool) -> Vec<Evidence> {
        let mut why = vec![];
        why.push(match (cut.from, run.starts) {
            (0, true) => Evidence::new("paragraph-start", "右 opens its paragraph"),
            _ => Evidence::new("paragraph-end", "右 stands in the last words of its paragraph"),
        });
        if cut.to == run.key.len() {
            why.push(Evidence::new("alone", "nothing follows it in its paragraph"));
        } else if run.breaks.contains(&(cut.to - 1)) {
            why.push(Evidence::new("line-end", "its line ends here"));
        } else {
            let next: String = run.key.chars[cut.to..].iter().take(2).collect();
            let beginning = self.classic.prob(START, START, next.chars().next().unwrap_or(START));
            why.push(Evidence::new("classic-begins", format!("the 經 may begin with {next}: one run in {:.0} begins so", 1.0 / beginning)));
        }
        let shared: Vec<String> = run.key.chars[cut.from..cut.to].windows(2).filter(|w| section.has(w[0], w[1])).map(String::from_iter).collect();
        if !shared.is_empty() {
            why.push(Evidence::new("sums-up", format!("words of the section before: {}", shared.join(" "))));
        }
        if beside {
            why.push(Evidence::new("witness", "another document has the 經 before and after it in a row"));
        }
        why
    }
}

/// The cuts to consider.
fn candidates(run: &Run) -> Vec<Cut> {
    let n = run.key.len();
    let mut out = vec![];
    if run.opens_with_right() && run.starts {
        out.extend((2..=n.min(LONGEST)).map(|to| Cut { from: 0, to }));
    }
    if run.ends {
        let rights = (0..n).filter(|i| run.key.chars[*i] == '右' && n - i >= 2 && n - i <= LONGEST);
        out.extend(rights.map(|from| Cut { from, to: n }).filter(|c| c.from > 0 || !run.starts));
    }
    out
}

fn prior_of(run: &Run, cut: Cut, labelled_next: bool) -> f64 {
    let whole = cut.to == run.key.len();
    let mut sum = match cut.from {
        0 if run.starts => prior::OPENS,
        0 => prior::CLOSES,
        _ => prior::WITHIN,
    };
    if whole && labelled_next && !(cut.from == 0 && run.starts) {
        sum += prior::LABELLED;
    }
    if !whole {
        sum += if run.breaks.contains(&(cut.to - 1)) { prior::LINE_END } else { prior::RUNS_ON };
    } else if run.ends {
        sum += prior::LINE_END;
    }
    sum
}

/// Logarithm of how usual a label of `n` characters is: a gamma-shaped curve, most at five, few over fourteen.
fn length(n: usize) -> f64 {
    let n = n as f64;
    2.0 * n.ln() - n / 2.5 - 1.5
}

/// The last characters of 經 before character `from` of run `n`.
fn classic_before(runs: &[Run], n: usize, from: usize) -> Vec<char> {
    let mut back: Vec<char> = runs[n].key.chars[..from].iter().rev().copied().take(WITNESS).collect();
    for run in runs[..n].iter().rev() {
        // A run that may itself be a label does not count.
        if back.len() >= WITNESS || run.opens_with_right() && (run.starts || run.ends) {
            break;
        }
        back.extend(run.key.chars.iter().rev().take(WITNESS - back.len()));
    }
    back.reverse();
    back
}

/// The words of the section before a label: 經 and notes since the last paragraph that opened with 右.
struct Section {
    singles: FxHashMap<char, f64>,
    pairs: FxHashMap<(char, char), f64>,
    total: f64,
}

impl Section {
    /// As far back as this, in bytes.
    const FAR: usize = 6000;

    fn before(document: &Document, runs: &[Run], n: usize) -> Self {
        let end = document.segments[runs[n].segment].span.start();
        let opened = runs[..n].iter().rev().find(|r| r.starts).map_or(0, |r| document.segments[r.segment].span.start());
        let text = document.source.text();
        let mut section = Section { singles: FxHashMap::default(), pairs: FxHashMap::default(), total: 0.0 };
        let inside = document.segments.iter().filter(|s| s.span.start() >= opened && s.span.end() <= end && s.span.end() + Self::FAR > end);
        for s in inside.filter(|s| s.layer.is_text()) {
            let chars = Key::of(text, s.span).chars;
            for w in chars.windows(2) {
                *section.pairs.entry((w[0], w[1])).or_default() += 1.0;
            }
            for c in chars {
                *section.singles.entry(c).or_default() += 1.0;
                section.total += 1.0;
            }
        }
        section
    }

    fn has(&self, a: char, b: char) -> bool {
        self.pairs.contains_key(&(a, b))
    }

    fn prob(&self, a: char, b: char) -> f64 {
        let single = self.singles.get(&b).copied().unwrap_or(0.0) / (self.total + 1.0);
        let pair = self.pairs.get(&(a, b)).copied().unwrap_or(0.0);
        let of = self.singles.get(&a).copied().unwrap_or(0.0);
        let p = (pair + 4.0 * single) / (of + 4.0);
        p.max(1e-9)
    }
}
