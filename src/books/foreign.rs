//! Translations that their reader took for a text: one with notes is read by the marks of these.

use crate::model::{Commentary, Document, Layer, LayerKind, Role};
use crate::text::letters::{self, Letters};

/// Fewer letters show no language.
const MIN_LETTERS: usize = 60;
/// So much of a text shows its language.
const SAMPLE_BYTES: usize = 1 << 16;

/// Makes a translation of a document that somebody said is one (`is_said`), or that is in another
/// language: its text is the translation, and its notes are the translator's. What has a
/// translation already stays as it is, since the rest is the text of it. So does a language that
/// somebody named (`has_language`).
pub(crate) fn as_translation(document: &mut Document, is_said: bool, has_language: bool) {
    let has = |kind| document.segments.iter().any(|s| s.layer.kind() == kind);
    if document.settled || has(LayerKind::Translation) {
        return;
    }
    let text = sample(document);
    let letters = Letters::of(&text);
    let is_foreign =
        letters.all() >= MIN_LETTERS && letters.is_another_language() && letters.are_words(&text);
    if !is_said && !is_foreign {
        return;
    }
    for segment in &mut document.segments {
        segment.layer = match segment.layer.kind() {
            LayerKind::Base | LayerKind::Undivided => Layer::Translation,
            LayerKind::Note | LayerKind::Commentary => Layer::Named(Commentary::YIZHU),
            _ => segment.layer,
        };
    }
    for chapter in &mut document.chapters {
        as_translation(chapter, true, has_language);
    }
    document.meta.role = Role::Translation;
    if is_foreign && !has_language {
        document.meta.language = letters::language(&text).into();
    }
}

/// So many segments are sampled together.
const NEIGHBOURS: usize = 16;

/// Some of the text without its notes, from all of it: a preface may be in another language.
fn sample(document: &Document) -> String {
    let own = || document.segments.iter().filter(|s| is_text(s.layer));
    let bytes: usize = own().map(|s| s.span.len()).sum();
    // Neighbours together: captions in one language may alternate with text in another.
    let step = bytes / SAMPLE_BYTES + 1;
    let sampled = own().enumerate().filter(|(n, _)| (n / NEIGHBOURS).is_multiple_of(step));
    sampled.map(|(_, s)| document.words(s.span)).collect()
}

fn is_text(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layers of a text of two pieces, and its language.
    fn read(text: &str, note: &str, is_said: bool) -> (Vec<Layer>, String) {
        let mut document = Document::of_pieces(&[(Layer::Jing, text), (Layer::Zhu, note)]);
        as_translation(&mut document, is_said, false);
        let layers = document.segments.iter().map(|s| s.layer).filter(|l| l.is_text());
        (layers.collect(), document.meta.language.clone())
    }

    #[test]
    fn a_translation_with_notes_is_one() {
        let english = "The Master said, \"Is it not a pleasure to learn and to practise? Is it not a \
            delight to have friends come from far away?\"";
        let translated = vec![Layer::Translation, Layer::Named(Commentary::YIZHU)];
        let note = "Men of the same mind.";
        assert_eq!(read(english, note, false), (translated.clone(), "en".into()));
        let chinese = "孔子说：“学了又时常温习和练习，不是很愉快吗？有志同道合的人从远方来，不是很令人高兴的吗？\
            人家不了解我，我也不怨恨、恼怒，不也是一个有德的君子吗？”";
        assert_eq!(read(chinese, "说，音悦。", true).0, translated);
        assert_eq!(read(chinese, "说，音悦。", false).0, [Layer::Jing, Layer::Zhu]);
    }
}
