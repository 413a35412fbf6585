//! What brackets hold: where another commentary begins within a note (箋云 after the words of the
//! 毛傳), and small type that is no note (a humble 臣, a lacuna, a reading).

use std::sync::LazyLock;

use regex::Regex;

use crate::model::{Commentary, Layer, LayerKind};
use crate::text::class::ends_sentence;
use crate::text::pattern;

/// The opening at the start of a note, after the end of a sentence, or after a blank.
static AFTER_END: LazyLock<Regex> = LazyLock::new(|| opening(r"(?:^|[。”」○\s])"));
/// The opening anywhere, for notes without punctuation.
static ANYWHERE: LazyLock<Regex> = LazyLock::new(|| opening(""));

fn opening(before: &str) -> Regex {
    let opens: Vec<_> = openings().map(|(words, _)| words).collect();
    pattern(&format!("{before}(?P<opens>{})", opens.join("|")))
}

/// Openings of notes of the named commentaries.
fn openings() -> impl Iterator<Item = (&'static str, Layer)> {
    let notes = Commentary::all().filter(|(_, info)| info.kind == LayerKind::Note);
    notes.flat_map(|(c, info)| info.opens.iter().map(move |words| (*words, Layer::Named(c))))
}

/// A bracket that holds nothing but the reading of the character before it.
static READING: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\p{Han}?音\p{Han}{1,2}|[平上去入][聲声]|\p{Han}{2}[反切])。?$"));
/// The rows of `small-type.tsv`: words, and their layer if they are not of the text around them.
static SMALL: LazyLock<Vec<(&str, Option<Layer>)>> = LazyLock::new(|| {
    let rows = include_str!("small-type.tsv").lines().filter(|l| !l.starts_with('#'));
    let row = |row: &'static str| {
        let (words, layer) = row.split_once('\t').expect("a test reads the table");
        (words, layer.parse().ok())
    };
    rows.map(row).collect()
});

/// The layer of all that a bracket holds if it is no note; `text` is that of the text around it.
pub(super) fn small_type(words: &str, text: Layer) -> Option<Layer> {
    let words = words.trim();
    let row = SMALL.iter().find(|(known, _)| *known == words);
    let row = row.map(|(_, layer)| layer.unwrap_or(text));
    row.or_else(|| READING.is_match(words).then_some(Layer::Yin))
}

/// The byte of a note where another commentary begins, and which it is.
pub(super) fn commentary(note: &str) -> Option<(usize, Layer)> {
    let pattern = if note.contains(ends_sentence) { &AFTER_END } else { &ANYWHERE };
    let opens = pattern.captures(note)?.name("opens")?;
    let (_, layer) = openings().find(|(words, _)| *words == opens.as_str())?;
    Some((opens.start(), layer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_type_is_no_note() {
        let layer = |words| small_type(words, Layer::Jing);
        assert_eq!(layer("臣"), Some(Layer::Jing));
        assert_eq!((layer("闕"), layer("去聲")), (Some(Layer::An), Some(Layer::Yin)));
        assert_eq!((layer("音扶"), layer("丁丈反")), (Some(Layer::Yin), Some(Layer::Yin)));
        assert_eq!((layer("說同悅"), layer("闕疑")), (None, None));
        assert!(SMALL.iter().all(|(_, layer)| layer.is_none_or(|l| l == Layer::An)));
    }

    #[test]
    fn without_punctuation_it_begins_anywhere() {
        let jian: Layer = "箋".parse().unwrap();
        let note = "窈窕幽閒也箋云怨耦曰仇";
        assert_eq!(commentary(note), note.find("箋云").map(|at| (at, jian)));
        assert_eq!(commentary("窈窕，幽閒也。所箋云何"), None);
    }
}
