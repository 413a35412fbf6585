//! The certain runs of marked texts, as the files `runs.txt` and `voices.tsv` that ship: the
//! sources' own characters without punctuation.

use std::fmt::Write as _;

use zhushu::model::thresholds::MIN_TEACHING_CERTAINTY;
use zhushu::model::{Document, Layer};
use zhushu::text::Key;

/// Runs of 經 and 注.
pub fn of_classic_and_notes<'a>(documents: impl IntoIterator<Item = &'a Document>) -> String {
    let head = "# Runs of 經 and 注 as their sources mark them, made by `lab train`.\n";
    table(head, &[Layer::Jing, Layer::Zhu], documents)
}

/// Runs of 音義 and 疏.
pub fn of_voices<'a>(documents: impl IntoIterator<Item = &'a Document>) -> String {
    let head = "# Runs of 音義 and 疏 of the bundled texts, made by `lab train --voices`.\n";
    table(head, &[Layer::Yin, Layer::Shu], documents)
}

fn table<'a>(
    head: &str,
    layers: &[Layer],
    documents: impl IntoIterator<Item = &'a Document>,
) -> String {
    let mut out = String::from(head);
    for d in documents {
        let _ = writeln!(out, "# {}", d.id);
        for s in d
            .segments
            .iter()
            .filter(|s| layers.contains(&s.layer) && s.certainty.get() >= MIN_TEACHING_CERTAINTY)
        {
            let key = Key::of(d.source.text(), s.span);
            let words: String = (0..key.len()).map(|k| d.slice(key.span(k, k + 1))).collect();
            if !words.is_empty() {
                let _ = writeln!(out, "{}\t{words}", s.layer);
            }
        }
    }
    out
}
