//! Tells the layers apart in a running text whose only marks are words in it:
//! 經…注…經…注…音義…疏釋曰…經.
//!
//! A label says where a commentary begins, not where it ends: after it the classic goes on without
//! a mark. A reader leaves such a stretch undivided and says so ([`Evidence::LABELS_IN_LINE`]);
//! here a chain over its characters ([`chain`]) weighs where each layer begins and whether a 注 is
//! a label or a word ([`labels`]), by how the words read as each layer. The models are learned from
//! what ships with the program, from texts beside this one that mark their layers, and from the
//! text itself, read several times; a stretch is judged by models that have not learned from it.

pub mod bare;
mod chain;
mod echo;
mod labels;
mod scene;

use super::split::feature::{CLASSIC, NOTE};
use super::split::group::Hint;
use super::split::model::ALPHABET;
use super::split::witness::{self, Votes};
use super::{Context, known};
use crate::diag::Diagnostic;
use crate::model::{Certainty, Commentary, Document, Evidence, Layer, Segment};
use crate::source::Span;
use crate::text::Key;
use crate::text::ngram::CharModel;
use chain::Run;
use scene::{SURE_LABEL, scene};

/// 音義 and 疏 to begin with: common turns, and what the bundled texts have.
static TURNS: &str = include_str!("data/turns.tsv");
static VOICES: &str = include_str!("data/voices.tsv");
/// Folds the stretches are dealt into, and how often they are read.
const FOLDS: usize = 4;
const ROUNDS: usize = 3;
/// How sure a run must be to be learned from.
const TEACHES: f64 = 0.9;
/// No beginning is surer than this.
const SUREST: f64 = 0.999;
/// Below this a person should look.
const DOUBT: f64 = 0.7;
/// How much of a sub-commentary's words are those of what it explains.
const QUOTES: f32 = 0.02;
/// 鄭箋: a text with it is a 毛詩.
const JIAN: Layer = Layer::Named(Commentary::JIAN);
/// How much a 箋 reads like a 注.
const ALIKE: f32 = 0.5;

/// An undivided stretch.
#[derive(Default)]
struct Stretch {
    segment: usize,
    key: Key,
    /// A bracket follows whose label treats what stands here.
    explained: bool,
    /// Where its characters are repeated.
    echoes: Vec<usize>,
    /// What witnesses say of its characters.
    votes: Votes,
    /// What the headers of the sub-commentary say of the place before each character.
    hints: Vec<Hint>,
}

/// Runs the pass.
pub fn run(document: &mut Document, context: &Context<'_>) {
    let mut stretches = stretches(document);
    if stretches.is_empty() {
        return;
    }
    let text = listen(document, context, &mut stretches);
    let mut echoes = echo::echoes(&text).into_iter();
    stretches.iter_mut().for_each(|s| s.echoes = echoes.by_ref().take(s.key.len()).collect());
    let states = states(document, &text);
    let base = base_models(document, context, &states);
    let plain = stretches.iter().map(|s| anchors(s, &states)).collect();
    let cuts = read(&stretches, &base, plain, |s, models| scene(document, s, &states, models));
    report(document, &stretches, &cuts);
    apply(document, &stretches, &cuts, &states);
}

/// Notes down what witnesses say of the stretches; gives their characters, run together.
fn listen(document: &Document, context: &Context<'_>, stretches: &mut [Stretch]) -> Vec<char> {
    let chars: Vec<&[char]> = stretches.iter().map(|s| &s.key.chars[..]).collect();
    let (text, votes) = (chars.concat(), witness::votes(document, context, &chars));
    stretches.iter_mut().zip(votes).for_each(|(s, v)| s.votes = v);
    text
}

/// Reads the stretches several times; each reading teaches the next.
fn read<'a>(
    stretches: &[Stretch],
    base: &[CharModel],
    plain: Vec<Vec<Run>>,
    scene: impl Fn(&Stretch, &[CharModel]) -> chain::Scene<'a>,
) -> Vec<Vec<Run>> {
    let mut cuts = plain;
    for _ in 0..ROUNDS {
        let models: Vec<Vec<CharModel>> =
            (0..FOLDS).map(|fold| taught(base, stretches, &cuts, fold)).collect();
        cuts = stretches
            .iter()
            .enumerate()
            .map(|(n, s)| scene(s, &models[n % FOLDS]).runs())
            .collect();
    }
    cuts
}

fn stretches(document: &Document) -> Vec<Stretch> {
    let text = document.source.text();
    let asked = |s: &Segment| {
        s.layer == Layer::Undivided && s.evidence.iter().any(|e| e.code == Evidence::LABELS_IN_LINE)
    };
    let segments = document.segments.iter().enumerate().filter(|(_, s)| asked(s));
    let next =
        |n: usize| document.segments[n + 1..].iter().find(|s| s.layer.is_text()).map(|s| s.layer);
    let explained = |n: usize| matches!(next(n), Some(Layer::Yin | Layer::Shu));
    segments
        .map(|(n, s)| Stretch {
            segment: n,
            key: Key::of(text, s.span),
            explained: explained(n),
            ..Stretch::default()
        })
        .collect()
}

/// The layers of the text: those of the 毛詩 where 箋云 recurs; 音義 and 疏 unless brackets set
/// them apart.
fn states(document: &Document, text: &[char]) -> Vec<Layer> {
    let marked = |l: Layer| document.segments.iter().any(|s| s.layer == l);
    let count = |words: &str| {
        let words = Key::of(words, Span::new(0, words.len())).chars;
        text.windows(words.len()).filter(|w| *w == words).count()
    };
    let mut states = vec![Layer::Jing, Layer::Zhu];
    if count("箋云") >= 2 {
        states.extend([JIAN, Layer::Zhuan]);
    }
    states.extend(
        [Layer::Yin, Layer::Shu].into_iter().filter(|l| !marked(*l) && !marked(Layer::Shu)),
    );
    states
}

/// What ships with the program and what the other documents mark.
fn base_models(document: &Document, context: &Context<'_>, states: &[Layer]) -> Vec<CharModel> {
    let mut models = vec![CharModel::new(ALPHABET); states.len()];
    let voices = known::parse(TURNS).chain(known::parse(VOICES));
    let others = context.library.others(&document.id).flat_map(|d| {
        let sure = d.segments.iter().filter(|s| s.certainty.get() >= TEACHES);
        sure.map(|s| (s.layer, Key::of(d.source.text(), s.span).chars))
            .filter(|(_, chars)| !chars.is_empty())
    });
    for (layer, run) in known::runs().chain(voices).chain(others) {
        for (model, state) in models.iter_mut().zip(states) {
            match (*state, layer) {
                (s, l) if s == l => model.learn(run.iter().copied()),
                // A sub-commentary has the words of what it explains.
                (Layer::Shu, Layer::Jing | Layer::Zhu) => {
                    model.learn_in_part(run.iter().copied(), QUOTES)
                }
                // A second commentary and a preface read more like the first than like anything
                // else.
                (JIAN | Layer::Zhuan, Layer::Zhu) => {
                    model.learn_in_part(run.iter().copied(), ALIKE)
                }
                _ => {}
            }
        }
    }
    models
}

/// What is plain before anything is read: the classic before the first label of a stretch, a layer
/// between its label and one that may follow it, and the last one before a bracket.
fn anchors(stretch: &Stretch, states: &[Layer]) -> Vec<Run> {
    let chars = &stretch.key.chars;
    let index = |l: Layer| states.iter().position(|s| *s == l).unwrap_or(0);
    let plain: Vec<_> =
        labels::places(chars, states).into_iter().filter(|p| p.likely >= SURE_LABEL).collect();
    let run = |from: usize, to: usize, state: usize| Run {
        from,
        to,
        state,
        mark: 0,
        label: None,
        p: 1.0,
    };
    let first = plain.first().filter(|p| p.at > 0).map(|p| run(0, p.at, 0));
    let between = plain
        .windows(2)
        .filter(|w| w[0].label.to != Layer::Jing && w[1].label.from.contains(&w[0].label.to));
    let between = between.map(|w| run(w[0].at + w[0].label.mark, w[1].at, index(w[0].label.to)));
    let last = plain
        .last()
        .filter(|_| stretch.explained)
        .map(|p| run(p.at + p.label.mark, chars.len(), index(p.label.to)));
    first.into_iter().chain(between).chain(last).filter(|r| r.from < r.to).collect()
}

/// The base models with what was learned from the sure runs outside a fold.
fn taught(
    base: &[CharModel],
    stretches: &[Stretch],
    cuts: &[Vec<Run>],
    fold: usize,
) -> Vec<CharModel> {
    let mut models = base.to_vec();
    for (_, (s, runs)) in stretches.iter().zip(cuts).enumerate().filter(|(n, _)| n % FOLDS != fold)
    {
        for (n, run) in runs.iter().enumerate() {
            let ends = runs.get(n + 1).is_none_or(|next| next.p >= TEACHES);
            if run.p >= TEACHES && ends {
                models[run.state].learn(s.key.chars[run.from..run.to].iter().copied());
            }
        }
    }
    models
}

/// Puts the runs in the place of the stretches.
fn apply(document: &mut Document, stretches: &[Stretch], cuts: &[Vec<Run>], states: &[Layer]) {
    let mut out = Pieces {
        marks: &document.marks,
        states,
        segments: Vec::with_capacity(document.segments.len() * 2),
        between: Vec::new(),
    };
    let mut cut = stretches.iter().zip(cuts).peekable();
    for (n, whole) in document.segments.iter().enumerate() {
        match cut.next_if(|(s, runs)| s.segment == n && !runs.is_empty()) {
            Some((stretch, runs)) => out.stretch(whole, stretch, runs),
            None => out.segments.push(whole.clone()),
        }
    }
    let Pieces { segments, between, .. } = out;
    let inside = |m: &Span| {
        let next = between.partition_point(|b| b.end() < m.end());
        !between.get(next).is_some_and(|b| b.contains(*m))
    };
    document.marks.retain(inside);
    document.segments = segments;
}

/// Segments in the making.
struct Pieces<'a> {
    marks: &'a [Span],
    states: &'a [Layer],
    segments: Vec<Segment>,
    /// What has become a segment between two layers: labels, and turns of the page.
    between: Vec<Span>,
}

impl Pieces<'_> {
    fn stretch(&mut self, whole: &Segment, stretch: &Stretch, runs: &[Run]) {
        let key = &stretch.key;
        let mut at = whole.span.start();
        for (n, run) in runs.iter().enumerate() {
            let start = if n == 0 && run.mark == 0 { at } else { key.at[run.from] as usize };
            let label = if run.mark > 0 { key.at[run.from - run.mark] as usize } else { start };
            self.mark(Span::new(at, label.max(at)));
            self.mark(Span::new(label.max(at), start));
            let next = runs.get(n + 1).map(|r| key.at[r.from - r.mark] as usize);
            at = next
                .map_or(whole.span.end(), |next| self.turn(key.ends[run.to - 1] as usize, next));
            let certainty = Certainty::new(run.p.min(SUREST));
            let segment = Segment::inferred(
                self.states[run.state],
                Span::new(start, at),
                certainty,
                vec![why(stretch, run)],
            );
            self.segments.push(segment);
        }
    }

    fn mark(&mut self, span: Span) {
        if !span.is_empty() {
            self.between.push(span);
            self.segments.push(Segment::marked(Layer::Mark, span));
        }
    }

    /// Where a run ends that is followed at `next`: before the page turns behind its last
    /// character.
    fn turn(&self, last: usize, next: usize) -> usize {
        let first = self.marks.partition_point(|m| m.start() < last);
        self.marks.get(first).filter(|m| m.end() <= next).map_or(next, |m| m.start())
    }
}

fn why(stretch: &Stretch, run: &Run) -> Evidence {
    let label = if run.state == 0 { CLASSIC } else { NOTE };
    match run.label {
        Some(_) => {
            Evidence::new("label-in-line", "the word before it, or its first words, name the layer")
        }
        None if stretch.votes.sum(label, run.from, run.to) >= 1.0 => {
            stretch.votes.evidence(run.from, run.to, label)
        }
        None if stretch.hints.get(run.from).is_some_and(|h| bare::named(h)[label]) => {
            Evidence::code("lemma-header")
        }
        None => Evidence::new(
            "reads-as-layer",
            "nothing marks the border; the words read so from here on",
        ),
    }
}

/// Says how the layers were told apart, and how much of it is unsure.
fn report(document: &mut Document, stretches: &[Stretch], cuts: &[Vec<Run>]) {
    let all = || stretches.iter().zip(cuts).flat_map(|(s, runs)| runs.iter().map(move |r| (s, r)));
    let labels = all().filter(|(_, r)| r.label.is_some()).count();
    let bare: Vec<_> = all().filter(|(_, r)| r.label.is_none() && r.from > 0).collect();
    let message = format!(
        "{labels} words such as 注, 音義 and 疏 say which layer follows; in {} places 經 goes on after one without a mark",
        bare.len()
    );
    document.diagnostics.push(Diagnostic::info(Evidence::LABELS_IN_LINE, None, message));
    let unsure: Vec<_> = all().filter(|(_, r)| r.p < DOUBT).collect();
    if let Some((s, run)) = unsure.first() {
        let message = format!(
            "where a layer begins is not sure in {} places, the first of them here (probability {:.2})",
            unsure.len(),
            run.p
        );
        let hint = "put each layer in brackets or on a line of its own, or give a marked edition with --with";
        document.diagnostics.push(
            Diagnostic::warning("not-told-apart", s.key.span(run.from, run.from + 1), message)
                .hint(hint),
        );
    }
}
