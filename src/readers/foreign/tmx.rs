//! Which variant of a unit of a translation memory (TMX) is the classic: the one whose language
//! says so (`elements.tsv`), else the only one in Chinese, or that whose words are clearly older;
//! else the one in the language that the memory translates from, else the first.

use std::collections::BTreeMap;

use std::sync::LazyLock;

use quick_xml::events::BytesStart;
use regex::Regex;

use super::elements::{self, ElementRole};
use crate::model::Layer;
use crate::readers::is_modern_prose;
use crate::text::pattern;

static LANGUAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<tuv\b[^<>]*?\b(?:xml:)?lang\s*=\s*["']([^"']+)"#));
/// A variant with its words.
static VARIANT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?s)<tuv\b[^<>]*?\b(?:xml:)?lang\s*=\s*["'](?P<language>[^"']+)[^<>]*>(?P<words>.*?)</tuv>"#,
    )
});
/// Variants that are read to know which language is older.
const SOME_VARIANTS: usize = 400;
static SOURCE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"\bsrclang\s*=\s*["']([^"']+)"#));

/// How the classic is told from its translation.
#[derive(Debug, Default)]
pub(super) enum TmxVariants {
    /// By the table of elements.
    #[default]
    Named,
    /// By this language.
    Language(String),
    /// By its place in the unit; true if the next variant is the first.
    Place(bool),
}

impl TmxVariants {
    pub(super) fn of(text: &str) -> Self {
        let languages = || LANGUAGE.captures_iter(text).map(|found| found[1].to_ascii_lowercase());
        if languages().any(|language| elements::is_classical(&language)) {
            return TmxVariants::Named;
        }
        if let Some(classic) = of_words(text) {
            return TmxVariants::Language(classic);
        }
        let source = SOURCE.captures(text).map(|found| found[1].to_ascii_lowercase());
        let is_own = |source: &String| {
            let own = languages().filter(|language| language == source).count();
            own > 0 && own < languages().count()
        };
        source.filter(is_own).map_or(TmxVariants::Place(true), TmxVariants::Language)
    }

    /// What an element is, unless its language says it.
    pub(super) fn role(&mut self, e: &BytesStart<'_>) -> Option<ElementRole> {
        let is_classic = match (&mut *self, elements::local(e)) {
            (TmxVariants::Place(is_first), "tu") => {
                *is_first = true;
                return None;
            }
            (TmxVariants::Place(is_first), "tuv") => std::mem::take(is_first),
            (TmxVariants::Language(source), "tuv") => ["xml:lang", "lang"].iter().any(|name| {
                let found = e.try_get_attribute(name).ok().flatten();
                found.is_some_and(|a| a.value.eq_ignore_ascii_case(source))
            }),
            _ => return None,
        };
        Some(ElementRole::Layer(if is_classic { Layer::Jing } else { Layer::Translation }))
    }
}

/// The language of the classic by the words of the variants: the only one of Chinese beside others,
/// or the only one that is not modern.
fn of_words(text: &str) -> Option<String> {
    let mut languages: BTreeMap<String, String> = BTreeMap::new();
    for variant in VARIANT.captures_iter(text).take(SOME_VARIANTS) {
        let words = languages.entry(variant["language"].to_ascii_lowercase()).or_default();
        words.push_str(&variant["words"]);
    }
    let is_chinese = |language: &str| language.starts_with("zh") || language.starts_with("cmn");
    let (mut chinese, others): (Vec<_>, Vec<_>) =
        languages.into_iter().partition(|(language, _)| is_chinese(language));
    if chinese.len() > 1 {
        chinese.retain(|(_, words)| !is_modern_prose(words));
    } else if others.is_empty() {
        return None;
    }
    let only = (chinese.len() == 1).then(|| chinese.pop()).flatten();
    only.map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::of_words;

    #[test]
    fn the_classic_is_the_older_chinese() {
        let variant = |language: &str, words: &str| {
            format!("<tuv xml:lang=\"{language}\"><seg>{words}</seg></tuv>")
        };
        let unit = |a: String, b: String| format!("<tu>{a}{b}</tu>");
        let english = unit(variant("en-US", "It is a joy"), variant("zh-TW", "不亦樂乎"));
        assert_eq!(of_words(&english).as_deref(), Some("zh-tw"));
        let modern = variant("zh-CN", "有了朋友从远方来，这不也是很快乐的事吗？");
        let chinese = unit(modern, variant("zh-TW", "有朋自遠方來，不亦樂乎？"));
        assert_eq!(of_words(&chinese).as_deref(), Some("zh-tw"));
        let same = unit(variant("zh-CN", "不亦樂乎"), variant("zh-TW", "不亦說乎"));
        assert_eq!(of_words(&same), None);
    }
}
