//! What the chain is told of a stretch: how its characters read, where labels stand, what is
//! repeated, what witnesses say, and how likely the classic goes on at a place without a label.

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

/// How likely a word must be a label to be counted on.
pub const SURE_LABEL: f64 = 0.9;
/// How likely a layer ends at any of its characters: one in as many as it has.
const ENDS: [(Layer, f64); 4] =
    [(Layer::Zhu, 0.02), (JIAN, 0.02), (Layer::Yin, 0.02), (Layer::Shu, 0.003)];
/// How much likelier that is, where a text has punctuation, after a mark that ends a sentence, a
/// clause, and elsewhere.
const AFTER_MARK: [f64; 3] = [10.0, 1.0, 0.01];
/// Marks a text of so many characters has, if it is punctuated.
const CHARS_PER_MARK: usize = 20;
/// How much less likely it is after a word that opens a quotation or asks for an object.
const AFTER_WORD: f64 = 0.02;
/// Such words.
const OPENING_WORDS: &str = "曰云言謂於于無";
/// Characters of a verse of the 毛詩, and how much likelier the classic begins pairs of verses
/// before the next label, single verses, or neither.
const VERSE: usize = 4;
const VERSES: [f64; 3] = [30.0, 8.0, 0.2];
/// How likely a stretch begins with the classic: where brackets hold 音義 and 疏, and where they
/// stand in line.
const OPENS: [f64; 2] = [1.0, 0.97];
/// How likely one that has a label ends with the classic: before the label of a bracket, and
/// elsewhere.
const CLOSES: [f64; 2] = [0.003, 0.05];
/// How far the models are trusted: where brackets hold 音義 and 疏, and where they stand in line.
const MODEL_TRUST: [f64; 2] = [0.2, 0.3];
/// How likely a 注 that might be a label is a word, in 疏 and in 音義.
const IN_SHU: f64 = 0.15;
const IN_YIN: f64 = 0.5;
/// What a sure witness is worth for a character, as log odds.
const WITNESS_ODDS: f64 = 5.0;

/// What speaks for each layer at each character of a stretch.
pub fn scene<'a>(
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
    let mut said: Vec<Vec<f64>> = (0..chars.len())
        .map(|k| said(stretch.votes.of.get(k).copied().unwrap_or(0.0), states))
        .collect();
    if states.contains(&Layer::Shu) {
        for (said, echo) in said.iter_mut().zip(&stretch.echoes) {
            said.iter_mut()
                .zip(states)
                .for_each(|(said, layer)| *said += echo::said(*echo, *layer));
        }
    }
    for step in &places {
        for (s, layer) in states.iter().enumerate() {
            said[step.place.at][s] += passed(&step.place, *layer).ln();
        }
    }
    let unmarked =
        unmarked(document, stretch, states.len(), states.contains(&JIAN).then_some(&places[..]));
    let in_line = usize::from(states.contains(&Layer::Shu));
    let (opens, trust) = (OPENS[in_line], MODEL_TRUST[in_line]);
    let rest = (1.0 - opens) / (states.len() - 1) as f64;
    let first = (0..states.len()).map(|s| if s == 0 { opens.ln() } else { rest.ln() }).collect();
    let labelled = places.iter().any(|p| p.place.likely >= SURE_LABEL);
    let closes = if labelled { CLOSES[usize::from(!stretch.explained)].ln() } else { 0.0 };
    let last = (0..states.len()).map(|s| if s == 0 { closes } else { 0.0 }).collect();
    let scored = models.iter().map(|m| Scored::new(m, chars)).collect();
    let ends =
        |l: &Layer| ENDS.iter().find(|(e, _)| e == l).map_or(f64::NEG_INFINITY, |(_, p)| p.ln());
    let leaves = states.iter().map(ends).collect();
    ChainInput { len: chars.len(), trust, scored, places, unmarked, leaves, said, first, last }
}

/// How likely a layer holds the words of a label as words.
fn passed(place: &LabelPlace<'_>, layer: Layer) -> f64 {
    let word = 1.0 - place.likely;
    match (place.label.to, layer) {
        (Layer::Shu, Layer::Shu) => 1.0,
        (Layer::Zhu, Layer::Shu) => word.max(IN_SHU),
        (Layer::Zhu, Layer::Yin) => word.max(IN_YIN),
        _ => word,
    }
}

/// What a vote says of each layer.
pub fn said(vote: f64, states: &[Layer]) -> Vec<f64> {
    states
        .iter()
        .map(|s| {
            if (vote > 0.0) == matches!(s, Layer::Jing | Layer::Zhuan) {
                0.0
            } else {
                -WITNESS_ODDS * vote.abs()
            }
        })
        .collect()
}

/// For each character how much likelier than elsewhere the classic begins there without a label, as
/// a logarithm.
fn unmarked(
    document: &Document,
    stretch: &Stretch,
    states: usize,
    verses: Option<&[LabelStep<'_>]>,
) -> Vec<Vec<f64>> {
    let text = document.source.text();
    let key = &stretch.key;
    let between =
        |k: usize| if k == 0 { "" } else { &text[key.ends[k - 1] as usize..key.at[k] as usize] };
    let ends =
        |words: &str, ends: fn(char) -> bool| words.chars().any(|c| ends(c) && !is_content(c));
    let marks = (0..key.len())
        .filter(|k| {
            ends(between(*k), class::ends_sentence) || ends(between(*k), class::ends_clause)
        })
        .count();
    let likely = |k: usize| match between(k) {
        _ if marks * CHARS_PER_MARK < key.len() => 1.0,
        gap if ends(gap, class::ends_sentence) => AFTER_MARK[0],
        gap if ends(gap, class::ends_clause) => AFTER_MARK[1],
        _ => AFTER_MARK[2],
    };
    static OPENING: LazyLock<Vec<char>> =
        LazyLock::new(|| OPENING_WORDS.chars().map(fold).collect());
    let word =
        |k: usize| if k > 0 && OPENING.contains(&key.chars[k - 1]) { AFTER_WORD } else { 1.0 };
    let labels: Vec<usize> = verses
        .unwrap_or_default()
        .iter()
        .map(|p| p.place)
        .filter(|p| p.likely >= SURE_LABEL)
        .map(|p| p.at)
        .collect();
    let verse = |k: usize| match labels.get(labels.partition_point(|at| *at <= k)) {
        Some(next) if (next - k).is_multiple_of(2 * VERSE) => VERSES[0],
        Some(next) if (next - k).is_multiple_of(VERSE) => VERSES[1],
        Some(_) => VERSES[2],
        None => 1.0,
    };
    let classic =
        (0..key.len()).map(|k| (likely(k) * word(k) * verse(k)).ln()).chain([f64::NEG_INFINITY]);
    classic
        .map(|cost| (0..states).map(|s| if s == 0 { cost } else { f64::NEG_INFINITY }).collect())
        .collect()
}
