//! What is quoted where: a sub-commentary repeats words that stand before it, and words of the
//! classic and its commentary are repeated by the sub-commentary after them.

use rustc_hash::FxHashMap;

use crate::model::Layer;

/// Characters that count as a repetition.
const ECHO_CHARS: usize = 3;
/// How far back and ahead words are looked for, in characters: a passage and its sub-commentary.
const MAX_CHARS_BACK: usize = 500;
const MAX_CHARS_AHEAD: usize = 900;
/// How much a character counts, since its neighbours are repeated with it.
const WEIGHT: f64 = 0.6;

/// How often three characters of a layer are not repeated nearby, repeated after, before, on both
/// sides: counted on chapters of 儀禮, 周禮, 禮記 and 論語 with their 疏.
const SHARES: [(Layer, [f64; 4]); 4] = [
    (Layer::Jing, [0.5, 0.33, 0.06, 0.11]),
    (Layer::Zhu, [0.53, 0.41, 0.015, 0.045]),
    (Layer::Yin, [0.91, 0.04, 0.02, 0.03]),
    (Layer::Shu, [0.77, 0.05, 0.12, 0.06]),
];

/// For each character of a text, which of the four it is.
pub fn echoes(text: &[char]) -> Vec<usize> {
    let mut places: FxHashMap<&[char], Vec<usize>> = FxHashMap::default();
    for (k, words) in text.windows(ECHO_CHARS).enumerate() {
        places.entry(words).or_default().push(k);
    }
    let at = |k: usize| {
        let Some(same) = text.get(k..k + ECHO_CHARS).and_then(|w| places.get(w)) else { return 0 };
        let n = same.partition_point(|p| *p < k);
        let before = n > 0 && k - same[n - 1] <= MAX_CHARS_BACK;
        let after = same.get(n + 1).is_some_and(|p| p - k <= MAX_CHARS_AHEAD);
        usize::from(after) + 2 * usize::from(before)
    };
    (0..text.len()).map(at).collect()
}

/// What that says for a layer, as a log probability.
pub fn said(echo: usize, layer: Layer) -> f64 {
    let shares =
        SHARES.iter().find(|(l, _)| *l == layer).or(SHARES.iter().find(|(l, _)| *l == Layer::Zhu));
    shares.map_or(0.0, |(_, s)| WEIGHT * s[echo].ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_later_reads_as_explained_and_what_was_said_before_as_quoted() {
        let text: Vec<char> = "公降一等揖之釋曰公降一等者此謂公也".chars().collect();
        let found = echoes(&text);
        assert_eq!((found[0], found[1], found[8], found[4], found[14]), (1, 1, 2, 0, 0));
        assert!(
            said(1, Layer::Jing) > said(1, Layer::Shu) && said(2, Layer::Shu) > said(2, Layer::Zhu)
        );
    }
}
