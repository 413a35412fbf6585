//! Translations that their reader took for a text: one with notes is read by the marks of these.

use crate::model::{Commentary, Document, Layer, LayerKind, Role};
use crate::text::letters::{self, Letters};

/// Fewer letters show no language.
const MIN_LETTERS: usize = 60;
/// So much of a text shows its language.
const SAMPLE_BYTES: usize = 1 << 16;

/// Makes a translation of a document that somebody said is one (`is_said`), or that is in another
/// language: its text is the translation, and its notes are the translator's. What has a
/// translation already stays as it is, since the rest is the text of it.
pub(crate) fn as_translation(document: &mut Document, is_said: bool) {
    let has = |kind| document.segments.iter().any(|s| s.layer.kind() == kind);
    if document.settled || has(LayerKind::Translation) {
        return;
    }
    let text = sample(document);
    let letters = Letters::of(&text);
    let is_foreign =
        letters.all() >= MIN_LETTERS && !letters.is_chinese() && letters.are_words(&text);
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
        as_translation(chapter, true);
    }
    document.meta.role = Role::Translation;
    if is_foreign {
        document.meta.language = letters::language(&text).into();
    }
}

/// The beginning of the text without its notes.
fn sample(document: &Document) -> String {
    let mut sample = String::new();
    for segment in document.segments.iter().filter(|s| is_text(s.layer)) {
        sample.push_str(&document.words(segment.span));
        if sample.len() > SAMPLE_BYTES {
            break;
        }
    }
    sample
}

fn is_text(layer: Layer) -> bool {
    matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided)
}

#[cfg(test)]
mod tests {
    use crate::corpus::TextEntry;
    use crate::model::{Commentary, Layer, Meta, Role};
    use crate::settings::Settings;
    use crate::source::Source;

    const ENGLISH: &str = "The Master said, \"Is it not a pleasure to learn and to practise?[^1] \
        Is it not a delight to have friends[^2] come from far away?\"\n\nYu said, \"They are few \
        who, being filial, are fond of offending against their superiors.\"[^3]\n\n\
        [^1]: To go over it again.\n[^2]: Men of the same mind.\n[^3]: Yu is You Ruo.\n";

    #[test]
    fn a_translation_with_notes_is_one() {
        let layers = |meta: Option<Meta>, name: &str, text: &str| {
            let mut entry = TextEntry::file(std::path::Path::new(name));
            entry.meta = meta;
            let source = Source::from_text(name, text);
            let document = Settings::default().document(&entry, source).unwrap();
            let all = document.segments.iter().map(|s| s.layer).filter(|l| l.is_text());
            let mut layers: Vec<Layer> = all.filter(|l| *l != Layer::Heading).collect();
            layers.sort();
            layers.dedup();
            (layers, document.meta.language.clone(), document.meta.role)
        };
        let notes = Layer::Named(Commentary::YIZHU);
        let mut both = vec![Layer::Translation, notes];
        both.sort();
        assert_eq!(layers(None, "en.md", ENGLISH), (both.clone(), "en".into(), Role::Translation));
        let chinese = "孔子说：“学了又时常温习和练习，不是很愉快吗？”（说，音悦。）\n\n\
            有子说：“孝顺父母（孝，善事父母。），而喜好触犯上层统治者，这样的人是很少见的。”\n\n\
            孔子说：“花言巧语（巧，好。），装出和颜悦色的样子，这种人的仁心就很少了。”\n";
        let said = Meta { role: Role::Translation, ..Meta::default() };
        assert_eq!(layers(Some(said), "yi.txt", chinese).0, both);
    }
}
