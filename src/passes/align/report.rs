//! The evidence for beads, and diagnostics for what a person should check.

use ecow::EcoString;

use super::confirmed::ConfirmedUnits;
use super::pair::TokenSide;
use super::score::Length;
use super::step::PathStep;
use super::train::Trained;
use super::transposed::Transposition;
use super::units::TextUnit;
use super::words;
use crate::diag::Diagnostic;
use crate::model::thresholds::BEAD_NEEDS_REVIEW;
use crate::model::{Bead, Certainty, Evidence, EvidenceKind};
use crate::source::Span;

/// A learned pair is listed if it occurs more than this many times as often as by chance.
const MIN_PAIR_RATIO: f32 = 12.0;
/// Most learned pairs listed for one bead.
const MAX_SHOWN_PAIRS: usize = 4;
/// Standard deviations of length above which a bead is reported.
const MAX_LENGTH_DEVIATIONS: f64 = 2.5;

/// Both sides, cut and numbered.
pub struct TextPair {
    /// Units of the classic.
    pub source: Vec<TextUnit>,
    /// Units of the translation.
    pub translation: Vec<TextUnit>,
    /// The classic as indices.
    pub left: TokenSide,
    /// The translation as indices.
    pub right: TokenSide,
    /// What a person decided about the units.
    pub confirmed: ConfirmedUnits,
    /// True if the translation is in another language than Chinese.
    pub is_foreign: bool,
}

impl TextPair {
    /// Indexes two sides.
    pub fn new(source: Vec<TextUnit>, translation: Vec<TextUnit>) -> Self {
        let (left, right) = (TokenSide::new(&source), TokenSide::new(&translation));
        let is_foreign = words::is_foreign(translation.iter().flat_map(|u| &u.chars).copied());
        let confirmed = ConfirmedUnits::default();
        TextPair { source, translation, left, right, confirmed, is_foreign }
    }

    /// How long a translation is expected to be before anything is learned.
    pub fn expected_length(&self) -> Length {
        match self.is_foreign {
            true => Length::of_whole(self.left.tokens.len(), self.right.tokens.len()),
            false => Length::GUESS,
        }
    }

    /// True if the translation is in another language, and as long as one of the whole classic.
    pub fn is_whole(&self) -> bool {
        let written = self.translation.iter().flat_map(|unit| &unit.written);
        self.is_foreign && words::is_whole(self.left.tokens.len(), written.map(|w| &**w))
    }

    fn lengths(&self, step: &PathStep) -> (usize, usize) {
        let a = self.left.chars_in(step.source.start, step.source.end);
        (a, self.right.chars_in(step.translation.start, step.translation.end))
    }
}

/// The bead of a step.
pub fn bead(pair: &TextPair, step: &PathStep, trained: &Trained) -> Bead {
    let spans = |units: &[TextUnit]| units.iter().flat_map(|u| u.spans.iter().copied()).collect();
    Bead {
        source: spans(&pair.source[step.source.clone()]),
        translation: spans(&pair.translation[step.translation.clone()]),
        certainty: Certainty::new(step.posterior),
        evidence: evidence(pair, step, trained),
    }
}

/// The evidence for a bead: the characters that both sides have, and the best learned pairs; and
/// against it, an unusual length. Of what a person decided, only that.
pub fn evidence(pair: &TextPair, step: &PathStep, trained: &Trained) -> Vec<Evidence> {
    if let Some(person) = pair.confirmed.evidence(step) {
        return vec![person.clone()];
    }
    if !step.is_bead() {
        return vec![Evidence::of(EvidenceKind::NoCounterpart)];
    }
    let kept = kept(pair, step);
    let learned = learned(pair, step, trained);
    let mut found = Vec::new();
    if !kept.is_empty() {
        found.push(Evidence::new(EvidenceKind::SameCharacters, kept));
    }
    if !learned.is_empty() {
        found.push(Evidence::new(EvidenceKind::LearnedPairs, learned));
    }
    if found.is_empty() {
        found.push(Evidence::new(EvidenceKind::Order, "supported only by its neighbours"));
    }
    let (a, b) = pair.lengths(step);
    if trained.length.deviate(a, b).abs() > MAX_LENGTH_DEVIATIONS {
        found.push(Evidence::new(EvidenceKind::OddLength, format!("{a} characters against {b}")));
    }
    found
}

/// Characters of the classic that are also in the translation, each once.
fn kept(pair: &TextPair, step: &PathStep) -> String {
    let mut kept = String::new();
    for (c, written) in
        pair.source[step.source.clone()].iter().flat_map(|u| u.chars.iter().zip(&u.written))
    {
        if !kept.contains(written.as_str())
            && pair.translation[step.translation.clone()].iter().any(|u| u.chars.contains(c))
        {
            kept.push_str(written);
        }
    }
    kept
}

/// Learned pairs of characters, the strongest first: `適→至 興→起`.
fn learned(pair: &TextPair, step: &PathStep, trained: &Trained) -> String {
    let units = |of: &[TextUnit]| {
        of.iter()
            .flat_map(|u| u.chars.iter().copied().zip(u.written.iter().cloned()))
            .collect::<Vec<_>>()
    };
    let (a, b) = (
        units(&pair.source[step.source.clone()]),
        units(&pair.translation[step.translation.clone()]),
    );
    let s = pair.left.slice(step.source.start, step.source.end);
    let t = pair.right.slice(step.translation.start, step.translation.end);
    let mut pairs: Vec<(f32, &str, &str)> = Vec::new();
    if a.len() != s.len() || b.len() != t.len() {
        return String::new();
    }
    for (written, &s) in a
        .iter()
        .zip(s)
        .filter(|(c, _)| !b.iter().any(|d| d.0 == c.0))
        .map(|(c, s)| (c.1.as_str(), s))
    {
        let best = b
            .iter()
            .zip(t)
            .filter(|(d, _)| !a.iter().any(|c| c.0 == d.0))
            .map(|(d, &t)| (trained.lexicon.forth(s, t), d.1.as_str()));
        if let Some((ratio, d)) =
            best.max_by(|x, y| x.0.total_cmp(&y.0)).filter(|(r, _)| *r > MIN_PAIR_RATIO)
            && !pairs.iter().any(|p| p.1 == written)
        {
            pairs.push((ratio, written, d));
        }
    }
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    pairs
        .iter()
        .take(MAX_SHOWN_PAIRS)
        .map(|(_, c, d)| format!("{c}→{d}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Diagnostics for the classic and for the translation: texts that are hardly related, text without
/// counterpart, transposed sections, doubtful beads.
pub fn report(pair: &TextPair, trained: &Trained) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut source, mut translation) = (Vec::new(), Vec::new());
    if let Some(d) = whole(pair, trained) {
        translation.push(d);
    }
    source.extend(trained.transposed.iter().map(|section| elsewhere(pair, section)));
    source.extend(stretches(pair, &pair.source, trained, |s| &s.source, "translation"));
    translation.extend(stretches(pair, &pair.translation, trained, |s| &s.translation, "classic"));
    translation.extend(
        trained
            .steps
            .iter()
            .filter(|s| s.is_bead() && s.posterior < BEAD_NEEDS_REVIEW)
            .map(|s| doubtful(pair, s, trained)),
    );
    (source, translation)
}

/// Reports sentences of the classic whose translation is in another order.
fn elsewhere(pair: &TextPair, (source, translation): &Transposition) -> Diagnostic {
    let n = source.len();
    let first: String = pair.translation[translation.start]
        .written
        .iter()
        .take(12)
        .map(EcoString::as_str)
        .collect();
    let message =
        format!("the translation of these {n} sentences is in another place, from “{first}…” on");
    Diagnostic::warning("transposed", whole_span(&pair.source[source.clone()]), message)
}

/// The span from the first to the last of some units.
fn whole_span(units: &[TextUnit]) -> Option<Span> {
    let ends =
        units.first().and_then(|u| u.spans.first()).zip(units.last().and_then(|u| u.spans.last()));
    ends.map(|(x, y)| Span::new(x.start(), y.end()))
}

/// The diagnostic for the pair as a whole, if any.
fn whole(pair: &TextPair, trained: &Trained) -> Option<Diagnostic> {
    let (n, m) = (pair.source.len(), pair.translation.len());
    if pair.left.tokens.is_empty() || pair.right.tokens.is_empty() {
        let which = if pair.left.tokens.is_empty() { "the classic" } else { "the translation" };
        return Some(Diagnostic::warning(
            "nothing-to-align",
            None,
            format!("{which} has no sentence to align"),
        ));
    }
    let beads: Vec<&PathStep> = trained.steps.iter().filter(|s| s.is_bead()).collect();
    let (used_source, used): (usize, usize) =
        beads.iter().fold((0, 0), |(a, b), s| (a + s.source.len(), b + s.translation.len()));
    if used * 3 < m && used_source * 3 < n {
        let message = format!(
            "only {used_source} of {n} sentences of the classic and {used} of {m} of the translation match"
        );
        let hint = "check that this translates this text, in the same order";
        return Some(Diagnostic::warning("hardly-related", None, message).hint(hint));
    }
    let same = beads.iter().filter(|s| {
        pair.source[s.source.clone()]
            .iter()
            .flat_map(|u| &u.chars)
            .eq(pair.translation[s.translation.clone()].iter().flat_map(|u| &u.chars))
    });
    if same.count() * 10 > beads.len() * 9 {
        return Some(
            Diagnostic::warning("same-text", None, "both texts are the same")
                .hint("check that neither is the wrong file"),
        );
    }
    None
}

/// Reports runs of units without counterpart, if nobody decided that.
fn stretches<'a>(
    pair: &'a TextPair,
    units: &'a [TextUnit],
    trained: &'a Trained,
    side: impl Fn(&PathStep) -> &std::ops::Range<usize> + 'a,
    other: &'static str,
) -> Vec<Diagnostic> {
    let alone = trained.steps.iter().filter(|s| !s.is_bead() && !pair.confirmed.has(s));
    let alone: Vec<usize> = alone.flat_map(|s| side(s).clone()).collect();
    let runs = alone.chunk_by(|a, b| a + 1 == *b);
    runs.map(|run| {
        let (first, last) = (&units[run[0]].spans, &units[run[run.len() - 1]].spans);
        let span = first.first().zip(last.last()).map(|(a, b)| Span::new(a.start(), b.end()));
        let what = match run.len() {
            1 => "a sentence".to_string(),
            n => format!("{n} sentences"),
        };
        Diagnostic::warning(
            "no-counterpart",
            span,
            format!("{what} without counterpart in the {other}"),
        )
    })
    .collect()
}

/// Reports a doubtful bead, with the evidence against it.
fn doubtful(pair: &TextPair, step: &PathStep, trained: &Trained) -> Diagnostic {
    let (a, b) = pair.lengths(step);
    let kept = kept(pair, step).chars().count();
    let mut against = Vec::new();
    if kept * 4 < a {
        against.push(format!("{kept} of {a} characters are kept"));
    }
    if trained.length.deviate(a, b).abs() > MAX_LENGTH_DEVIATIONS {
        against.push(format!("{a} characters against {b}"));
    }
    if step.source.len() + step.translation.len() > 2 {
        let sentences = if step.source.len() == 1 { "sentence" } else { "sentences" };
        against.push(format!("{} {sentences} for {}", step.source.len(), step.translation.len()));
    }
    if against.is_empty() {
        against.push("another grouping is about as good".into());
    }
    let spans = &pair.translation[step.translation.clone()];
    Diagnostic::warning(
        "doubtful-bead",
        whole_span(spans),
        format!("aligned with certainty {:.2}: {}", step.posterior, against.join("; ")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::align::lexicon::Prior;
    use crate::passes::align::score::Length;
    use crate::passes::align::units::unit;

    /// Whether the length of a bead of so many characters is evidence against it.
    fn is_odd(source: usize, translation: usize) -> bool {
        let whole = |c: &str, n: usize| {
            let text = c.repeat(n);
            vec![unit(&text, vec![Span::new(0, text.len())])]
        };
        let pair = TextPair::new(whole("甲", source), whole("乙", translation));
        let lexicon = Prior::new(&pair.left, &pair.right, false).lexicon();
        let length = Length::GUESS;
        let trained = Trained { steps: vec![], lexicon, length, transposed: vec![] };
        let step = PathStep { source: 0..1, translation: 0..1, posterior: 0.9 };
        let odd = |e: &Evidence| e.kind == EvidenceKind::OddLength;
        evidence(&pair, &step, &trained).iter().any(odd)
    }

    #[test]
    fn a_translation_may_be_much_longer_than_its_text_but_not_much_shorter() {
        assert!(!is_odd(7, 11) && !is_odd(7, 45));
        assert!(is_odd(7, 90) && is_odd(45, 7));
    }
}
