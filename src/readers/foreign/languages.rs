//! What the language of an element of TEI says: beside a classic, text in another language is a
//! translation. Modern Chinese is another language only where the file names that of the classic,
//! since most files call that `zh` too.

use std::sync::LazyLock;

use quick_xml::events::BytesStart;
use regex::Regex;

use super::elements::{self, is_classical};
use crate::model::Layer;
use crate::text::class::is_content;
use crate::text::letters::is_spaced;
use crate::text::pattern;

static LANGUAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"\bxml:lang\s*=\s*["']([^"']+)["']"#));
/// Elements of which the language counts. Others are words within the text.
const BLOCKS: [&str; 9] = ["div", "p", "ab", "lg", "l", "seg", "s", "quote", "u"];
/// Languages of the text that a Chinese translation is of, or of nothing.
const NO_TRANSLATION: [&str; 8] = ["sa", "san", "pi", "pli", "und", "mul", "zxx", "x"];
/// So many characters after a tag are looked at for the first word.
const AHEAD: usize = 2000;

/// What the languages of a file say.
#[derive(Debug, Default)]
pub(super) struct TeiLanguages {
    /// The language of the classic has its own name in the file.
    has_classical: bool,
}

impl TeiLanguages {
    pub(super) fn of(text: &str) -> Self {
        let mut named = LANGUAGE.captures_iter(text);
        TeiLanguages { has_classical: named.any(|found| is_classical(&found[1].to_lowercase())) }
    }

    /// The layer of an element of which nothing else says the layer; `after` is what follows its
    /// tag, `above` the layer around it, and `base` that of the text.
    pub(super) fn layer(
        &self,
        e: &BytesStart<'_>,
        after: &str,
        (above, base): (Layer, Layer),
    ) -> Option<Layer> {
        if !BLOCKS.contains(&elements::local(e)) {
            return None;
        }
        let language = e.try_get_attribute("xml:lang").ok()??.value.to_lowercase();
        let main = language.split(['-', '_']).next().unwrap_or_default();
        let is_east_asian = matches!(main, "zh" | "cmn" | "ja" | "jpn" | "ko" | "kor");
        let is_foreign = match main {
            _ if is_classical(&language) => false,
            "zh" | "cmn" => self.has_classical,
            // What a template says of Chinese text is no language of it.
            _ => !NO_TRANSLATION.contains(&main) && (is_east_asian || begins_in_letters(after)),
        };
        match (is_foreign, above) {
            (true, above) if above == base => Some(Layer::Translation),
            (false, Layer::Translation) if is_classical(&language) => Some(base),
            _ => None,
        }
    }
}

/// True if the first word outside tags is of a script that has blanks.
fn begins_in_letters(text: &str) -> bool {
    let mut in_tag = false;
    let first = text.chars().take(AHEAD).find(|c| {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c => return !in_tag && is_content(*c),
        }
        false
    });
    first.is_some_and(is_spaced)
}

#[cfg(test)]
mod tests {
    use crate::model::Layer;
    use crate::readers::read;
    use crate::source::Source;

    fn layers(body: &str) -> Vec<(Layer, String)> {
        let text = format!(
            "<TEI xmlns=\"http://www.tei-c.org/ns/1.0\" xml:lang=\"en\"><text><body>{body}</body></text></TEI>"
        );
        let d = read(Source::from_text("t.xml", text), None).unwrap();
        let text = d.segments.iter().filter(|s| s.layer.is_text());
        text.map(|s| (s.layer, d.words(s.span).into_owned())).collect()
    }

    #[test]
    fn text_in_another_language_is_a_translation() {
        let of = |layer, words: &str| (layer, words.to_string());
        let classic = of(Layer::Jing, "子曰學而時習之");
        let two = |a: &str, b: &str, words: &str| {
            layers(&format!(
                "<p xml:lang=\"{a}\">子曰學而時習之</p><p xml:lang=\"{b}\">{words}</p>"
            ))
        };
        let english = "The Master said: to learn";
        let expected = [classic.clone(), of(Layer::Translation, english)];
        assert_eq!(two("lzh", "en", english), expected);
        assert_eq!(two("zh", "en", english), expected);
        let expected = [classic.clone(), of(Layer::Translation, "孔子說學習")];
        assert_eq!(two("lzh", "zh", "孔子說學習"), expected);
        // Most files call the language of the classic so; a template may call it anything.
        let expected = [classic, of(Layer::Jing, "有朋自遠方來")];
        assert_eq!(two("zh", "zh", "有朋自遠方來"), expected);
        assert_eq!(two("zh", "en", "有朋自遠方來"), expected);
    }

    #[test]
    fn words_of_another_language_in_the_text_are_text() {
        let body = "<p>佛說<seg xml:lang=\"sa\">oṃ</seg>是</p>";
        assert!(layers(body).iter().all(|(layer, _)| *layer == Layer::Jing));
        for small in ["rend=\"small\"", "style=\"font-size:8pt\""] {
            let small = layers(&format!("<p>子曰學而<hi {small}>馬曰子者</hi></p>"));
            let found: Vec<_> = small.iter().map(|(layer, _)| *layer).collect();
            assert_eq!(found, [Layer::Jing, Layer::Zhu]);
        }
    }
}
