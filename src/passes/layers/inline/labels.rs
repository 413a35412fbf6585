//! The words that name a layer in a running text, and how likely each occurrence is a label.

use std::sync::LazyLock;

use super::stretch::JIAN;
use crate::model::Layer;
use crate::source::Span;
use crate::text::Key;

static TABLE: &str = include_str!("data/labels.tsv");

/// After these characters, 注 and other labels are words: 鄭注, 周禮注, 彼注. (So they are in 上注 and 下注,
/// but many a 經 ends with 上 or 下.)
const NOT_AFTER: &str = "鄭彼此某諸舊禮詩書傳氏孔毛何杜馬服賈范包郭趙";
/// Before these characters they are words: 注云, 注于.
const NOT_BEFORE: &str = "云曰言于於及文疏";
/// Probability that such a word is a label after all.
const WORD_AS_LABEL_PROBABILITY: f64 = 0.02;

/// A label.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its characters, folded.
    pub words: Vec<char>,
    /// How many of them are only a mark; the rest belong to the layer that follows.
    pub mark: usize,
    /// The layer that begins with it.
    pub to: Layer,
    /// The layers it may end.
    pub from: Vec<Layer>,
    /// It may open a stretch.
    pub opens: bool,
    /// How likely an occurrence is a label.
    pub likely: f64,
}

/// An occurrence of a label.
#[derive(Clone, Copy, Debug)]
pub struct LabelPlace<'a> {
    /// The label.
    pub label: &'a Label,
    /// The character it begins with.
    pub at: usize,
    /// How likely it is a label here.
    pub likely: f64,
}

/// All labels.
pub static LABELS: LazyLock<Vec<Label>> =
    LazyLock::new(|| TABLE.lines().filter_map(label).collect());

fn label(line: &str) -> Option<Label> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [words, mark, to, from, likely] = cells[..] else { return None };
    Some(Label {
        words: folded(words),
        mark: mark.parse().ok()?,
        to: to.parse().ok()?,
        from: from.split(' ').filter_map(|l| l.parse().ok()).collect(),
        opens: from.contains('^'),
        likely: likely.parse().ok()?,
    })
}

fn folded(words: &str) -> Vec<char> {
    Key::of(words, Span::new(0, words.len())).chars
}

/// The labels in some characters, in order; the longer of two that begin together. Only labels
/// between layers of `states` count.
pub fn places<'a>(chars: &[char], states: &[Layer]) -> Vec<LabelPlace<'a>> {
    static AFTER: LazyLock<Vec<char>> = LazyLock::new(|| folded(NOT_AFTER));
    static BEFORE: LazyLock<Vec<char>> = LazyLock::new(|| folded(NOT_BEFORE));
    // The 毛詩 has 傳 where others have 注; 注 is a word there.
    let odes = states.contains(&JIAN);
    let fits = |l: &&Label| {
        states.contains(&l.to) && (l.to != Layer::Zhu || odes == (l.words == folded("傳")))
    };
    let usable: Vec<&'static Label> = LABELS.iter().filter(fits).collect();
    let at = |k: usize| {
        let label = usable
            .iter()
            .find(|l| chars[k..].starts_with(&l.words) && (!l.from.is_empty() || k == 0))?;
        let end = k + label.words.len();
        let short = label.words.len() == 1;
        let word = short
            && (k > 0 && AFTER.contains(&chars[k - 1])
                || chars.get(end).is_some_and(|c| BEFORE.contains(c)))
            && !(label.opens && k == 0);
        Some(LabelPlace {
            label,
            at: k,
            likely: if word { WORD_AS_LABEL_PROBABILITY } else { label.likely },
        })
    };
    (0..chars.len()).filter_map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_a_label() {
        let lines = TABLE.lines().filter(|l| !l.starts_with('#')).count();
        assert_eq!(LABELS.len(), lines);
        assert!(LABELS.iter().all(|l| l.mark <= l.words.len() && (l.opens || !l.from.is_empty())));
        // The first match is taken, so a label must precede its own prefixes.
        let hidden = |(n, l): (usize, &Label)| {
            LABELS[..n].iter().any(|before| l.words.starts_with(&before.words))
        };
        assert!(!LABELS.iter().enumerate().any(hidden));
    }

    #[test]
    fn labels_and_words_are_distinguished_by_adjacent_characters() {
        let chars = folded("樂人縣注縣鍾磬也周禮注云音義縣音玄疏注釋曰");
        let found: Vec<(usize, Layer, bool)> =
            places(&chars, &[Layer::Jing, Layer::Zhu, Layer::Yin, Layer::Shu])
                .iter()
                .map(|p| (p.at, p.label.to, p.likely > 0.1))
                .collect();
        assert_eq!(
            found[..3],
            [(3, Layer::Zhu, true), (10, Layer::Zhu, false), (12, Layer::Yin, true)]
        );
        assert_eq!(found[3], (17, Layer::Shu, true));
    }
}
