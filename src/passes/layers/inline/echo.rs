//! Repetitions: a sub-commentary repeats words before it, and words of the classic and its
//! commentary are repeated in the sub-commentary after them.

use rustc_hash::FxHashMap;

use crate::model::Layer;

/// Length of a repetition, in characters.
const ECHO_CHARS: usize = 3;
/// How far back and ahead repetitions are searched, in characters: a passage and its
/// sub-commentary.
const MAX_CHARS_BACK: usize = 500;
const MAX_CHARS_AHEAD: usize = 900;
/// Weight of one character; its neighbours are repeated with it.
const ECHO_WEIGHT: f64 = 0.6;

/// For each layer, the shares of its three-character sequences that are not repeated nearby,
/// repeated after, before, on both sides. Counted in chapters of 儀禮, 周禮, 禮記 and 論語 with
/// their 疏.
const ECHO_SHARES: [(Layer, [f64; 4]); 4] = [
    (Layer::Jing, [0.5, 0.33, 0.06, 0.11]),
    (Layer::Zhu, [0.53, 0.41, 0.015, 0.045]),
    (Layer::Yin, [0.91, 0.04, 0.02, 0.03]),
    (Layer::Shu, [0.77, 0.05, 0.12, 0.06]),
];

/// For each character of a text, the index of its case among the four.
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

/// Weighted log probability of the case in a layer.
pub fn support(echo: usize, layer: Layer) -> f64 {
    let shares = ECHO_SHARES
        .iter()
        .find(|(l, _)| *l == layer)
        .or(ECHO_SHARES.iter().find(|(l, _)| *l == Layer::Zhu));
    shares.map_or(0.0, |(_, s)| ECHO_WEIGHT * s[echo].ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_repeated_later_suggest_a_base_text_and_repeated_words_a_sub_commentary() {
        let text: Vec<char> = "公降一等揖之釋曰公降一等者此謂公也".chars().collect();
        let found = echoes(&text);
        assert_eq!((found[0], found[1], found[8], found[4], found[14]), (1, 1, 2, 0, 0));
        assert!(
            support(1, Layer::Jing) > support(1, Layer::Shu)
                && support(2, Layer::Shu) > support(2, Layer::Zhu)
        );
    }
}
