//! Prepares a stretch for the chain: how its characters read, its labels and repetitions, the votes
//! of witnesses, and how likely the classic begins at a place without a label.

use std::sync::LazyLock;

use super::chain::{ChainInput, LabelStep};
use super::echo;
use super::labels::{self, LabelPlace};
use super::stretch::{JIAN, Stretch};
use crate::model::{Document, Layer};
use crate::passes::evidence::scored::Scored;
use crate::text::class::{self, is_content};
use crate::text::fold::fold;
use crate::text::ngram::CharModel;

/// From this probability on, an occurrence counts as a label.
pub const SURE_LABEL: f64 = 0.9;
/// Probability that a layer ends at one of its characters: the inverse of its usual length.
const END_PROBABILITY: [(Layer, f64); 4] =
    [(Layer::Zhu, 0.02), (JIAN, 0.02), (Layer::Yin, 0.02), (Layer::Shu, 0.003)];
/// Factors for this in a punctuated text: after the end of a sentence, after the end of a clause,
/// and elsewhere.
const AFTER_MARK_FACTORS: [f64; 3] = [10.0, 1.0, 0.01];
/// A text is punctuated if it has at least one mark in so many characters.
const CHARS_PER_MARK: usize = 20;
/// Factor for this after a word that opens a quotation or needs an object.
const AFTER_WORD_FACTOR: f64 = 0.02;
/// Words that open a quotation or need an object.
const OPENING_WORDS: &str = "曰云言謂於于無";
/// Characters in a verse of the 毛詩. Factors for a beginning of the classic if pairs of verses fit
/// before the next label, if single verses fit, or neither.
const VERSE_CHARS: usize = 4;
const VERSE_FACTORS: [f64; 3] = [30.0, 8.0, 0.2];
/// Probability that a stretch begins with the classic: if 音義 and 疏 are in brackets, and if they are
/// not.
const CLASSIC_OPENS_PROBABILITY: [f64; 2] = [1.0, 0.97];
/// Probability that a stretch with a label ends with the classic: before a bracket with 音義 or 疏,
/// and elsewhere.
const CLASSIC_CLOSES_PROBABILITY: [f64; 2] = [0.003, 0.05];
/// Exponent of the models' probabilities: if 音義 and 疏 are in brackets, and if they are not.
const MODEL_TRUST: [f64; 2] = [0.2, 0.3];
/// Least probability that a possible label 注 is a word, in 疏 and in 音義.
const WORD_IN_SHU_PROBABILITY: f64 = 0.15;
const WORD_IN_YIN_PROBABILITY: f64 = 0.5;
/// Log odds of a certain vote on one character.
const WITNESS_LOG_ODDS: f64 = 5.0;

/// The input of the chain for a stretch.
pub fn chain_input<'a>(
    document: &Document,
    stretch: &Stretch,
    states: &[Layer],
    models: &[CharModel],
) -> ChainInput<'a> {
    let chars = &stretch.key.chars;
    let index = |l: &Layer| states.iter().position(|s| s == l);
    let places: Vec<LabelStep<'a>> = labels::places(chars, states)
        .into_iter()
        .filter_map(|place| {
            Some(LabelStep {
                to: index(&place.label.to)?,
                from: place.label.from.iter().filter_map(index).collect(),
                place,
            })
        })
        .collect();
    let mut support: Vec<Vec<f64>> = (0..chars.len())
        .map(|k| support(stretch.votes.of.get(k).copied().unwrap_or(0.0), states))
        .collect();
    if states.contains(&Layer::Shu) {
        for (support, echo) in support.iter_mut().zip(&stretch.echoes) {
            support
                .iter_mut()
                .zip(states)
                .for_each(|(support, layer)| *support += echo::support(*echo, *layer));
        }
    }
    for step in &places {
        for (s, layer) in states.iter().enumerate() {
            support[step.place.at][s] += word_probability(&step.place, *layer).ln();
        }
    }
    let unmarked =
        unmarked(document, stretch, states.len(), states.contains(&JIAN).then_some(&places[..]));
    let in_line = usize::from(states.contains(&Layer::Shu));
    let (opens, trust) = (CLASSIC_OPENS_PROBABILITY[in_line], MODEL_TRUST[in_line]);
    let rest = (1.0 - opens) / (states.len() - 1) as f64;
    let first = (0..states.len()).map(|s| if s == 0 { opens.ln() } else { rest.ln() }).collect();
    let labelled = places.iter().any(|p| p.place.likely >= SURE_LABEL);
    let closes = if labelled {
        CLASSIC_CLOSES_PROBABILITY[usize::from(!stretch.explained)].ln()
    } else {
        0.0
    };
    let last = (0..states.len()).map(|s| if s == 0 { closes } else { 0.0 }).collect();
    let scored = models.iter().map(|m| Scored::new(m, chars)).collect();
    let ends = |l: &Layer| {
        END_PROBABILITY.iter().find(|(e, _)| e == l).map_or(f64::NEG_INFINITY, |(_, p)| p.ln())
    };
    let leaves = states.iter().map(ends).collect();
    ChainInput { len: chars.len(), trust, scored, places, unmarked, leaves, support, first, last }
}

/// Probability that a layer has the words of a label as ordinary words.
fn word_probability(place: &LabelPlace<'_>, layer: Layer) -> f64 {
    let word = 1.0 - place.likely;
    match (place.label.to, layer) {
        (Layer::Shu, Layer::Shu) => 1.0,
        (Layer::Zhu, Layer::Shu) => word.max(WORD_IN_SHU_PROBABILITY),
        (Layer::Zhu, Layer::Yin) => word.max(WORD_IN_YIN_PROBABILITY),
        _ => word,
    }
}

/// Log odds of each layer by a vote.
pub fn support(vote: f64, states: &[Layer]) -> Vec<f64> {
    states
        .iter()
        .map(|s| {
            if (vote > 0.0) == matches!(s, Layer::Jing | Layer::Zhuan) {
                0.0
            } else {
                -WITNESS_LOG_ODDS * vote.abs()
            }
        })
        .collect()
}

/// For each character, how much likelier than elsewhere the classic begins there without a label,
/// as a logarithm.
fn unmarked(
    document: &Document,
    stretch: &Stretch,
    states: usize,
    verses: Option<&[LabelStep<'_>]>,
) -> Vec<Vec<f64>> {
    let text = document.source.text();
    let key = &stretch.key;
    let between = |k: usize| if k == 0 { "" } else { &text[key.end(k - 1)..key.at[k] as usize] };
    let ends =
        |words: &str, ends: fn(char) -> bool| words.chars().any(|c| ends(c) && !is_content(c));
    let marks = (0..key.len())
        .filter(|k| {
            ends(between(*k), class::ends_sentence) || ends(between(*k), class::ends_clause)
        })
        .count();
    let likely = |k: usize| match between(k) {
        _ if marks * CHARS_PER_MARK < key.len() => 1.0,
        gap if ends(gap, class::ends_sentence) => AFTER_MARK_FACTORS[0],
        gap if ends(gap, class::ends_clause) => AFTER_MARK_FACTORS[1],
        _ => AFTER_MARK_FACTORS[2],
    };
    static OPENING: LazyLock<Vec<char>> =
        LazyLock::new(|| OPENING_WORDS.chars().map(fold).collect());
    let word = |k: usize| {
        if k > 0 && OPENING.contains(&key.chars[k - 1]) { AFTER_WORD_FACTOR } else { 1.0 }
    };
    let labels: Vec<usize> = verses
        .unwrap_or_default()
        .iter()
        .map(|p| p.place)
        .filter(|p| p.likely >= SURE_LABEL)
        .map(|p| p.at)
        .collect();
    let verse = |k: usize| match labels.get(labels.partition_point(|at| *at <= k)) {
        Some(next) if (next - k).is_multiple_of(2 * VERSE_CHARS) => VERSE_FACTORS[0],
        Some(next) if (next - k).is_multiple_of(VERSE_CHARS) => VERSE_FACTORS[1],
        Some(_) => VERSE_FACTORS[2],
        None => 1.0,
    };
    let classic =
        (0..key.len()).map(|k| (likely(k) * word(k) * verse(k)).ln()).chain([f64::NEG_INFINITY]);
    classic
        .map(|cost| (0..states).map(|s| if s == 0 { cost } else { f64::NEG_INFINITY }).collect())
        .collect()
}
