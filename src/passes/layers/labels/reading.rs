//! How the parts of a run read as label and as 經, and which cut explains the run best.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::runs::ClassicRun;
use crate::model::thresholds::MIN_TEACHING_CERTAINTY;
use crate::model::{Document, Era, Evidence, EvidenceKind, Layer, LayerKind, Segment};
use crate::passes::context::Context;
use crate::passes::evidence::neighbours;
use crate::passes::learned::LayerModels;
use crate::source::Span;
use crate::text::Key;
use crate::text::ngram::{CharModel, END, START};

/// A model learns from this many characters; more would make it slower, not better.
const MAX_LEARNED_CHARS: usize = 200_000;
/// Assumed number of distinct characters.
const ALPHABET: usize = 6000;
/// The longest label considered, in characters.
const MAX_LABEL_CHARS: usize = 24;
/// Characters of 經 after a label that are weighed; what follows reads the same for every cut.
const CLASSIC_CHARS_AHEAD: usize = 14;
/// Characters before and after a label that must adjoin in another document to count as a witness.
const WITNESS_CHARS: usize = 4;

/// Prior odds, as natural logarithms.
mod prior {
    /// A paragraph that opens with 右 opens with a label.
    pub const OPENS_PARAGRAPH: f64 = 3.5;
    /// 右 after a note opens a run that is all label.
    pub const FILLS_RUN: f64 = 2.5;
    /// 右 inside the last run of a paragraph.
    pub const IN_LAST_RUN: f64 = 1.0;
    /// The section has its label already: at the end of the paragraph before, or at the start of
    /// the next.
    pub const LABELLED_ALREADY: f64 = -5.0;
    /// The label ends where a line or the paragraph ends.
    pub const LINE_END: f64 = 6.0;
    /// 右 after a note opens a run that is not all label.
    pub const AFTER_NOTE: f64 = 0.0;
    /// A note follows the label.
    pub const NOTE_FOLLOWS: f64 = -3.0;
    /// A label runs into the 經 of its own paragraph.
    pub const RUNS_ON: f64 = -1.0;
    /// In another document the 經 before and after are adjacent.
    pub const WITNESS: f64 = 9.0;
}
/// Exponent of the models' probabilities: neighbouring characters are not independent.
const MODEL_TRUST: f64 = 0.7;

/// Labels of other texts.
static LABELS: &str = include_str!("data/labels.txt");
/// Words that begin sections.
static OPENERS: &str = include_str!("data/openers.txt");
/// Probability that a label ends after any of its characters.
const END_PROBABILITY: f64 = 0.15;
/// A listed opener counts as so many occurrences.
const LISTED_OPENER_COUNT: f64 = 2.0;

/// Trains the models on what was learned from other texts.
fn shipped(
    known: &LayerModels,
    classic: &mut CharModel,
    label: &mut CharModel,
    starts: &mut Starts,
) {
    let folded = |words: &str| Key::of(words, Span::new(0, words.len())).chars;
    for words in lines(LABELS) {
        label.learn(folded(words).into_iter());
    }
    for (_, run) in known.runs().filter(|(layer, _)| *layer == Layer::Jing) {
        starts.learn(&run);
        classic.learn(run.into_iter());
    }
    for words in lines(OPENERS) {
        starts.list(&folded(words));
    }
}

fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().filter(|l| !l.starts_with('#'))
}

/// What is known about the paragraphs next to a run.
#[derive(Clone, Copy)]
pub struct Neighbours {
    /// The paragraph before ended with a label.
    pub closed: bool,
    /// The next paragraph opens with 右.
    pub labelled_next: bool,
}

/// A cut with its certainty.
pub struct Weighed {
    /// The label.
    pub label: Span,
    /// Posterior probability.
    pub certainty: f64,
    /// Why.
    pub evidence: Vec<Evidence>,
}

/// One way of cutting a run: characters `from..to` are the label.
#[derive(Clone, Copy, PartialEq)]
struct LabelCut {
    from: usize,
    to: usize,
}

/// The trained models.
pub struct LabelModels<'a> {
    classic: CharModel,
    label: CharModel,
    remarks: CharModel,
    starts: Starts,
    /// 經 of other documents.
    witnesses: Vec<Arc<SureClassic>>,
    document: &'a Document,
}

/// The 經 of which a document is sure, folded.
struct SureClassic(Vec<char>);

impl SureClassic {
    fn of(document: &Document) -> Self {
        let spans = sure_classic(document).map(|s| s.span);
        SureClassic(Key::of_spans(document.source.text(), spans).chars)
    }
}

fn sure_classic(document: &Document) -> impl Iterator<Item = &Segment> {
    document.of_layer(Layer::Jing).filter(|s| s.certainty.get() >= MIN_TEACHING_CERTAINTY)
}

impl<'a> LabelModels<'a> {
    /// Learns from the runs that are clear, and from the other documents.
    pub fn learn(document: &'a Document, context: &'a Context<'_>, runs: &[ClassicRun]) -> Self {
        let (mut classic, mut label, mut remarks) =
            (CharModel::new(ALPHABET), CharModel::new(ALPHABET), CharModel::new(ALPHABET));
        let mut starts = Starts::default();
        shipped(&context.models, &mut classic, &mut label, &mut starts);
        for run in runs {
            let chars = run.key.chars.iter().copied();
            if run.opens_with_right()
                && run.starts | run.after_note
                && run.ends
                && run.key.len() <= MAX_LABEL_CHARS
            {
                label.learn(chars);
            } else if classic.len() < MAX_LEARNED_CHARS
                && !(run.opens_with_right() && run.starts)
                && !(run.ends && run.key.chars.contains(&'右'))
            {
                starts.learn(&run.key.chars);
                classic.learn(chars);
            }
        }
        let text = document.source.text();
        for s in document.segments.iter().filter(|s| is_own_note(s.layer)) {
            if remarks.len() >= MAX_LEARNED_CHARS {
                break;
            }
            remarks.learn(Key::of(text, s.span).chars.into_iter());
        }
        for other in neighbours::kin(document, context) {
            for s in sure_classic(other) {
                if classic.len() >= MAX_LEARNED_CHARS {
                    break;
                }
                let chars = Key::of(other.source.text(), s.span).chars;
                starts.learn(&chars);
                classic.learn(chars.into_iter());
            }
        }
        let witnesses = neighbours::witnesses(document, context)
            .into_iter()
            .map(|other| context.of_document(other, SureClassic::of))
            .collect();
        LabelModels { classic, label, remarks, starts, witnesses, document }
    }

    /// The best cut of run `n`; none if it has no label.
    pub fn weigh(&self, runs: &[ClassicRun], n: usize, around: Neighbours) -> Option<Weighed> {
        let run = &runs[n];
        let cuts = candidates(run);
        if cuts.is_empty() {
            return None;
        }
        let (section, next) = (
            LabelledSection::before(self.document, runs, n),
            LabelledSection::after(self.document, runs, n),
        );
        let beside = self.beside(runs, n, &cuts);
        let read = self.read(run, &cuts, &next);
        let mut scores = vec![MODEL_TRUST * read.classic(0, read.end)];
        for cut in &cuts {
            let label: f64 = self.label_sums(run, *cut, &section);
            let mut score =
                MODEL_TRUST * (read.classic(0, cut.from) + label + read.classic(cut.to, read.end));
            score += length(cut.to - cut.from) + prior_of(run, *cut, around);
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
        Some(Weighed { label: run.key.span(cut.from, cut.to), certainty: 1.0 / all, evidence })
    }

    /// How a run reads as 經, in the range that its cuts reach. All cuts are weighed over the same
    /// range, or longer labels would look better.
    fn read(&self, run: &ClassicRun, cuts: &[LabelCut], next: &LabelledSection) -> ReadAs {
        let chars = &run.key.chars;
        let heads = cuts.iter().any(|c| c.from == 0);
        let tails = cuts.iter().any(|c| c.from > 0);
        let start = if heads {
            0
        } else {
            chars.len().saturating_sub(MAX_LABEL_CHARS + CLASSIC_CHARS_AHEAD)
        };
        let end = if tails {
            chars.len()
        } else {
            chars.len().min(MAX_LABEL_CHARS + CLASSIC_CHARS_AHEAD)
        };
        let at = |i: usize| chars.get(i).copied();
        let mixed = |a: char, i: usize| {
            (0.8 * self.classic.prob(a, chars[i - 1], chars[i])
                + 0.2 * next.prob(chars[i - 1], chars[i]))
            .ln()
        };
        let mut read = ReadAs { start, end, first: vec![], second: vec![], sums: vec![0.0] };
        for i in start..end {
            read.first.push(
                self.starts.ratio(chars[i], at(i + 1)).ln() + self.classic.unigram(chars[i]).ln(),
            );
            read.second.push(if i > 0 { mixed(START, i) } else { 0.0 });
            let each = if i > 1 { mixed(chars[i - 2], i) } else { 0.0 };
            read.sums.push(read.sums[i - start] + each);
        }
        read
    }

    /// How the characters of a cut read as a label, its end included.
    fn label_sums(&self, run: &ClassicRun, cut: LabelCut, section: &LabelledSection) -> f64 {
        let (mut a, mut b, mut sum) = (START, START, 0.0);
        for &c in &run.key.chars[cut.from..cut.to] {
            sum += self.as_label(a, b, c, section).ln();
            (a, b) = (b, c);
        }
        sum + (0.8 * self.label.prob(a, b, END) + 0.2 * END_PROBABILITY).ln()
    }

    /// Probability of a character in a label: by other labels, by the section that it sums up, and
    /// by its author's notes.
    fn as_label(&self, a: char, b: char, c: char, section: &LabelledSection) -> f64 {
        0.4 * self.label.prob(a, b, c)
            + 0.35 * section.prob(b, c)
            + 0.25 * self.remarks.prob(a, b, c)
    }

    /// Ends of labels at which another document has the 經 before and after adjacent.
    fn beside(&self, runs: &[ClassicRun], n: usize, cuts: &[LabelCut]) -> Vec<usize> {
        let chars = &runs[n].key.chars;
        let before = classic_before(runs, n, 0);
        let inside = |to: usize| to + WITNESS_CHARS <= chars.len();
        if before.len() < WITNESS_CHARS || !cuts.iter().any(|c| c.from == 0 && inside(c.to)) {
            return vec![];
        }
        let here = |w: &'_ [char]| -> Vec<usize> {
            (WITNESS_CHARS..w.len()).filter(|i| w[i - WITNESS_CHARS..*i] == before[..]).collect()
        };
        let witnesses = self.witnesses.iter().map(|w| &w.0[..]);
        let after: Vec<(&[char], usize)> =
            witnesses.flat_map(|w| here(w).into_iter().map(move |i| (w, i))).collect();
        let follows = |to: usize| {
            after.iter().any(|(w, i)| w[*i..].starts_with(&chars[to..to + WITNESS_CHARS]))
        };
        cuts.iter().filter(|c| c.from == 0 && inside(c.to) && follows(c.to)).map(|c| c.to).collect()
    }

    fn evidence(
        &self,
        run: &ClassicRun,
        cut: LabelCut,
        section: &LabelledSection,
        beside: bool,
    ) -> Vec<Evidence> {
        let mut why = vec![];
        why.push(match (cut.from, run.starts) {
            (0, true) => Evidence::new(EvidenceKind::ParagraphStart, "右 opens its paragraph"),
            _ => Evidence::new(
                EvidenceKind::ParagraphEnd,
                "右 is in the last words of its paragraph",
            ),
        });
        if cut.to == run.key.len() {
            why.push(Evidence::new(EvidenceKind::Alone, "nothing follows it in its paragraph"));
        } else if run.breaks.contains(&(cut.to - 1)) {
            why.push(Evidence::new(EvidenceKind::LineEnd, "its line ends here"));
        } else {
            let next: String = run.key.chars[cut.to..].iter().take(2).collect();
            let times =
                self.starts.ratio(run.key.chars[cut.to], run.key.chars.get(cut.to + 1).copied());
            why.push(Evidence::new(
                EvidenceKind::ClassicBegins,
                format!("{next} begins runs of 經 {times:.1} times as often as expected by chance"),
            ));
        }
        let shared: Vec<String> = run.key.chars[cut.from..cut.to]
            .windows(2)
            .filter(|w| section.has(w[0], w[1]))
            .map(String::from_iter)
            .collect();
        if !shared.is_empty() {
            why.push(Evidence::new(
                EvidenceKind::SumsUp,
                format!("words of the section before: {}", shared.join(" ")),
            ));
        }
        if beside {
            why.push(Evidence::new(
                EvidenceKind::Witness,
                "in another document the 經 before and after it are adjacent",
            ));
        }
        why
    }
}

/// How characters `start..end` of a run read as 經, for any beginning of the 經 among them.
struct ReadAs {
    start: usize,
    end: usize,
    /// Scores as the first character of 經 and as the second; running sums as any later one.
    first: Vec<f64>,
    second: Vec<f64>,
    sums: Vec<f64>,
}

impl ReadAs {
    /// Log probability of characters `from..to` as 經 that begins at `from`.
    fn classic(&self, from: usize, to: usize) -> f64 {
        let (from, to) =
            (from.max(self.start) - self.start, to.min(self.end).saturating_sub(self.start));
        if from >= to {
            return 0.0;
        }
        let second = if from + 1 < to { self.second[from + 1] } else { 0.0 };
        self.first[from] + second + self.sums[to] - self.sums[(from + 2).min(to)]
    }
}

/// The cuts to consider.
fn candidates(run: &ClassicRun) -> Vec<LabelCut> {
    let n = run.key.len();
    let mut out = vec![];
    if run.opens_with_right() && (run.starts || run.after_note) {
        out.extend((2..=n.min(MAX_LABEL_CHARS)).map(|to| LabelCut { from: 0, to }));
    }
    if run.ends {
        let rights =
            (0..n).filter(|i| run.key.chars[*i] == '右' && n - i >= 2 && n - i <= MAX_LABEL_CHARS);
        out.extend(rights.map(|from| LabelCut { from, to: n }).filter(|c| c.from > 0));
    }
    out
}

fn prior_of(run: &ClassicRun, cut: LabelCut, around: Neighbours) -> f64 {
    let whole = cut.to == run.key.len();
    let mut sum = match cut.from {
        0 if run.starts => prior::OPENS_PARAGRAPH,
        0 if whole => prior::FILLS_RUN,
        0 => prior::AFTER_NOTE,
        _ => prior::IN_LAST_RUN,
    };
    if cut.from == 0 && run.starts && around.closed {
        sum += prior::LABELLED_ALREADY;
    }
    if whole && around.labelled_next && !(cut.from == 0 && run.starts) {
        sum += prior::LABELLED_ALREADY;
    }
    if !whole {
        sum += if run.breaks.contains(&(cut.to - 1)) { prior::LINE_END } else { prior::RUNS_ON };
    } else {
        sum += if run.ends { prior::LINE_END } else { prior::NOTE_FOLLOWS };
    }
    sum
}

/// Log prior of a label's length `n`: a gamma-shaped curve with its maximum at five; few have more
/// than fourteen characters.
fn length(n: usize) -> f64 {
    let n = n as f64;
    2.0 * n.ln() - n / 2.5 - 1.5
}

/// The last characters of 經 before character `from` of run `n`.
fn classic_before(runs: &[ClassicRun], n: usize, from: usize) -> Vec<char> {
    let mut back: Vec<char> =
        runs[n].key.chars[..from].iter().rev().copied().take(WITNESS_CHARS).collect();
    for run in runs[..n].iter().rev() {
        // A run that may itself be a label does not count.
        if back.len() >= WITNESS_CHARS || run.opens_with_right() && (run.starts || run.ends) {
            break;
        }
        back.extend(run.key.chars.iter().rev().take(WITNESS_CHARS - back.len()));
    }
    back.reverse();
    back
}

/// Character counts of the text around a run, 經 and notes: the section before a label, or what
/// follows.
struct LabelledSection {
    singles: FxHashMap<char, f64>,
    pairs: FxHashMap<(char, char), f64>,
    total: f64,
}

impl LabelledSection {
    /// At most this far, in bytes.
    const MAX_SECTION_BYTES: usize = 6000;

    /// The section that a label in run `n` closes, from the last paragraph start.
    fn before(document: &Document, runs: &[ClassicRun], n: usize) -> Self {
        let end = document.segments[runs[n].segment].span.start();
        let opened = runs[..n]
            .iter()
            .rev()
            .find(|r| r.starts)
            .map_or(0, |r| document.segments[r.segment].span.start());
        Self::between(document, opened.max(end.saturating_sub(Self::MAX_SECTION_BYTES)), end)
    }

    /// What follows run `n` in its paragraph.
    fn after(document: &Document, runs: &[ClassicRun], n: usize) -> Self {
        let start = document.segments[runs[n].segment].span.end();
        let closed = runs[n + 1..]
            .iter()
            .find(|r| r.starts)
            .map_or(usize::MAX, |r| document.segments[r.segment].span.start());
        Self::between(document, start, closed.min(start + Self::MAX_SECTION_BYTES))
    }

    fn between(document: &Document, from: usize, to: usize) -> Self {
        let text = document.source.text();
        let mut section = LabelledSection {
            singles: FxHashMap::default(),
            pairs: FxHashMap::default(),
            total: 0.0,
        };
        let first = document.segments.partition_point(|s| s.span.start() < from);
        for s in document.segments[first..]
            .iter()
            .take_while(|s| s.span.end() <= to)
            .filter(|s| s.layer.is_text())
        {
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

/// How often characters begin a run of 經.
#[derive(Default)]
struct Starts {
    /// Occurrences at a beginning, and all occurrences.
    singles: FxHashMap<char, (f64, f64)>,
    pairs: FxHashMap<(char, char), (f64, f64)>,
    runs: f64,
    total: f64,
}

impl Starts {
    fn learn(&mut self, run: &[char]) {
        for (i, c) in run.iter().enumerate() {
            let first = f64::from(u8::from(i == 0));
            let single = self.singles.entry(*c).or_default();
            *single = (single.0 + first, single.1 + 1.0);
            if let Some(d) = run.get(i + 1) {
                let pair = self.pairs.entry((*c, *d)).or_default();
                *pair = (pair.0 + first, pair.1 + 1.0);
            }
            self.total += 1.0;
        }
        self.runs += 1.0;
    }

    /// Counts a listed word as a beginning.
    fn list(&mut self, word: &[char]) {
        let Some(c) = word.first() else { return };
        let single = self.singles.entry(*c).or_default();
        *single = (single.0 + LISTED_OPENER_COUNT, single.1 + LISTED_OPENER_COUNT);
        if let Some(d) = word.get(1) {
            let pair = self.pairs.entry((*c, *d)).or_default();
            *pair = (pair.0 + LISTED_OPENER_COUNT, pair.1 + LISTED_OPENER_COUNT);
        }
        self.runs += LISTED_OPENER_COUNT;
        self.total += LISTED_OPENER_COUNT * word.len() as f64;
    }

    /// How much likelier `c` (followed by `d`) begins a run than an average character. Rare
    /// characters are drawn towards the average.
    fn ratio(&self, c: char, d: Option<char>) -> f64 {
        let average = (self.runs + 1.0) / (self.total + 20.0);
        let (begun, all) = self.singles.get(&c).copied().unwrap_or_default();
        let single = (begun + average) / (all + 1.0);
        let (begun, all) = d.and_then(|d| self.pairs.get(&(c, d)).copied()).unwrap_or_default();
        (begun + single) / (all + 1.0) / average
    }
}

/// True for the notes of a later scholar, who may have written the labels too.
pub fn is_own_note(layer: Layer) -> bool {
    layer.era() == Some(Era::Late) && layer.kind() == LayerKind::Note
}
