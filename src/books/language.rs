//! The language of a text that nobody named: it has the script in which the text is written.

use crate::model::{Document, Role};
use crate::text::script::{self, Script};

/// The language of a text that its reader found, with the script in which it is written. What is
/// Chinese and a translation is modern.
pub(crate) fn language_of(document: &Document) -> String {
    let meta = &document.meta;
    if !meta.is_chinese() {
        return meta.language.clone();
    }
    let modern = meta.role == Role::Translation || meta.language.starts_with("zh");
    let script = match script::detect(document.source.text()) {
        Some(Script::Simplified) => "Hans",
        _ => "Hant",
    };
    format!("{}-{script}", if modern { "zh" } else { "lzh" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn the_language_of_a_text_has_the_script_in_which_it_is_written() {
        let language = |text: &str, modern: bool| {
            let mut document = Document::new(Source::from_text("a.txt", text).into(), "a");
            document.meta.role = if modern { Role::Translation } else { Role::Witness };
            language_of(&document)
        };
        assert_eq!(language("子曰：“学而时习之，不亦说乎？”", false), "lzh-Hans");
        assert_eq!(language("子曰：「學而時習之，不亦說乎？」", false), "lzh-Hant");
        assert_eq!(language("孔子说：“学习了，时常去复习它。”", true), "zh-Hans");
    }
}
