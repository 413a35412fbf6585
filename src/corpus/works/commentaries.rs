//! Who wrote the notes of a layer, by the work and by the title of the edition.

use serde::{Deserialize, Deserializer};

use super::folded;
use crate::model::Layer;
use crate::text::class::is_content;

/// The notes of a layer on some works, in some of their editions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Commentary {
    /// Canonical titles of the works.
    pub(super) of: Vec<String>,
    /// The layer.
    #[serde(deserialize_with = "layer")]
    pub layer: Layer,
    /// Name of the scholar.
    pub by: String,
    /// What follows the name of the work in titles of editions with these notes.
    titled: Vec<String>,
    /// The chapters that have them; none for all.
    #[serde(default)]
    chapters: Vec<String>,
    /// Scholars whose notes these collect.
    #[serde(default)]
    pub cites: Vec<String>,
}

fn layer<'de, D: Deserializer<'de>>(from: D) -> Result<Layer, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

/// What an edition is, as far as titles show it.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditionTitle {
    /// Canonical title of the work.
    pub work: String,
    /// Chapter, if the text is only one.
    pub chapter: Option<String>,
    /// What follows the name of the work in its title (folded): 注疏.
    pub rest: String,
}

impl Commentary {
    /// True if an edition has these notes.
    pub(super) fn is_in(&self, edition: &EditionTitle) -> bool {
        let is_own_chapter = |c: &String| self.chapters.iter().any(|own| c.starts_with(own));
        self.of.contains(&edition.work)
            && (self.chapters.is_empty()
                || self.chapters.contains(&edition.work)
                || edition.chapter.as_ref().is_some_and(is_own_chapter))
            && self.titled.iter().any(|t| folded(t) == edition.rest)
    }
}

/// What follows a name of more than one character in a title, up to the next mark or the number of
/// a volume (folded): nothing after 論語, 集注 after 《論語》集注.
pub(super) fn after_name(title: &str, name: &str) -> Option<String> {
    let name = folded(name);
    let mut parts = title.split(|c: char| !is_content(c)).map(folded).filter(|p| !p.is_empty());
    let rest = parts.find_map(|p| Some(p[p.find(&name)? + name.len()..].to_string()))?;
    let quoted = rest.is_empty() && title.contains('》');
    let rest = if quoted { parts.next().unwrap_or_default() } else { rest };
    let rest = rest.split('卷').next().unwrap_or_default().to_string();
    (name.chars().count() > 1).then_some(rest)
}
