//! Whether what stands between the words of a text reads like notes on it, in a book that nobody
//! has read before.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::text::fold::fold;

/// The figures of the characters that weigh most: as the columns of `data/notes.tsv`.
static FIGURES: LazyLock<FxHashMap<char, [f32; 3]>> = LazyLock::new(|| {
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let c: char = cells.next()?.parse().ok()?;
        let mut figure = || cells.next()?.parse().ok();
        Some((c, [figure()?, figure()?, figure()?]))
    };
    let mut figures = FxHashMap::default();
    for (c, figure) in include_str!("data/notes.tsv").lines().filter_map(row) {
        // Of two that are one when they are folded, the one that weighs more comes first.
        figures.entry(fold(c)).or_insert(figure);
    }
    figures
});

/// How much the characters of notes count beside their first and last ones.
const IN_NOTES: f64 = 10.0;
/// What must be exceeded: stretches of classics taken for notes exceeded it once in a hundred
/// times. Few notes say little.
const SURELY: f64 = 0.1;
const FOR_FEW: f64 = 3.0;

/// True if the notes read like notes, compared with the text between them. Nine in ten commentaries
/// do, and hardly ever stretches of a classic. Characters may be folded or not.
pub fn read_like_notes(text: &[char], notes: &[&[char]]) -> bool {
    let all: Vec<char> = notes.concat();
    let first: Vec<char> = notes.iter().filter_map(|n| n.first()).copied().collect();
    let last: Vec<char> = notes.iter().filter_map(|n| n.last()).copied().collect();
    let within = mean(&all, 0) - mean(text, 0);
    IN_NOTES * within + mean(&first, 1) + mean(&last, 2) > SURELY + FOR_FEW / notes.len() as f64
}

fn mean(chars: &[char], column: usize) -> f64 {
    let figure =
        |c: &char| FIGURES.get(&fold(*c)).map_or(0.0, |figures| f64::from(figures[column]));
    chars.iter().map(figure).sum::<f64>() / chars.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_commentary(notes: &[&str]) -> bool {
        let text: Vec<char> =
            "學而時習之不亦說乎有朋自遠方來不亦樂乎人不知而不慍不亦君子乎".chars().collect();
        let notes: Vec<Vec<char>> = notes.iter().map(|n| n.chars().collect()).collect();
        read_like_notes(&text, &notes.iter().map(|n| &n[..]).collect::<Vec<_>>())
    }

    #[test]
    fn notes_are_known_by_how_they_read() {
        assert!(is_commentary(&["習音襲", "同門曰朋", "慍怒也謂凡人有所不知君子不怒也", "樂音洛"]));
        assert!(!is_commentary(&[
            "有子曰其為人也孝弟而好犯上",
            "不好犯上而好作亂者未之有",
            "君子務本本立而道生孝弟",
            "巧言令色鮮矣仁曾子曰吾日三省",
        ]));
    }

    #[test]
    fn every_row_of_the_table_is_read() {
        let rows = include_str!("data/notes.tsv").lines().filter(|l| !l.starts_with('#')).count();
        assert_eq!(rows, 300);
        assert!((280..=300).contains(&FIGURES.len()), "{}", FIGURES.len());
    }
}
