//! Which variant of a unit of a translation memory (TMX) is the classic: the one whose language
//! says so (`elements.tsv`), else the one in the language that the memory translates from, else the
//! first.

use std::sync::LazyLock;

use quick_xml::events::BytesStart;
use regex::Regex;

use super::elements::{self, ElementRole};
use crate::model::Layer;
use crate::text::pattern;

static LANGUAGE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"<tuv\b[^<>]*?\b(?:xml:)?lang\s*=\s*["']([^"']+)"#));
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
