//! What the keys of JSON and the columns of tables contain, from `keys.tsv`.

use std::sync::LazyLock;

use crate::diag::Diagnostic;
use crate::model::Layer;
use crate::source::Span;
use crate::text::class::is_content;

static KEYS: LazyLock<Vec<(&str, Layer)>> = LazyLock::new(|| {
    let lines = include_str!("keys.tsv").lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|l| {
            let (key, role) = l.split_once('\t').expect("a test reads the table");
            (key, role.parse().expect("a test reads the table"))
        })
        .collect()
});

/// The layer of text under a key.
pub(super) fn layer(key: &str) -> Option<Layer> {
    let key = key.trim().trim_start_matches('\u{FEFF}').to_lowercase();
    let row = KEYS.iter().find(|(k, _)| *k == key).map(|(_, layer)| *layer);
    row.or_else(|| key.parse().ok().filter(|l: &Layer| l.is_text() && *l != Layer::Undivided))
}

/// Chinese characters under keys that are not known: how many, and the first place.
#[derive(Default)]
pub(super) struct UnknownKeys<'t>(Vec<(&'t str, usize, Span)>);

impl<'t> UnknownKeys<'t> {
    /// Counts text under a key.
    pub(super) fn add(&mut self, key: &'t str, words: &str, span: Span) {
        let chars = words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
        match self.0.iter_mut().find(|(k, ..)| *k == key) {
            _ if chars == 0 => {}
            Some(known) => known.1 += chars,
            None => self.0.push((key, chars, span)),
        }
    }

    /// Names them.
    pub(super) fn report(&self) -> Option<Diagnostic> {
        let first = self.0.first()?.2;
        let named: Vec<String> =
            self.0.iter().map(|(key, chars, _)| format!("“{key}” ({chars})")).collect();
        let message = format!(
            "no layer is known for these keys, with their Chinese characters: {}",
            named.join(", ")
        );
        let hint = "if they hold text, rename them: `jing`, `zhu`, `translation`";
        Some(Diagnostic::warning("keys-unknown", first, message).hint(hint))
    }
}
