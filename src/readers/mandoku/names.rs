//! The labels that stand before layers, and the words with which a sub-commentary opens.

use crate::model::Layer;

/// The property by which our own files name the labels that stand before brackets.
const DECLARED: &str = "#+PROPERTY: LABELS ";

/// How a sub-commentary opens.
pub(super) const FORMULAS: [&str; 4] = ["釋曰", "释曰", "正義曰", "正义曰"];

/// The labels that editions have.
pub(super) const USUAL: [(&str, Layer); 6] = [
    ("音義", Layer::Yin),
    ("音义", Layer::Yin),
    ("釋文", Layer::Yin),
    ("释文", Layer::Yin),
    ("疏", Layer::Shu),
    ("䟽", Layer::Shu),
];

/// Labels before brackets, and their layers.
pub(super) type Labels<'t> = Vec<(&'t str, Layer)>;

/// Those that editions have, and those that the file itself names.
pub(super) fn of_file(text: &str) -> Labels<'_> {
    let declared = text.lines().find_map(|l| l.strip_prefix(DECLARED)).unwrap_or_default();
    let named = declared.split_whitespace().filter_map(|name| Some((name, name.parse().ok()?)));
    let mut all: Labels<'_> = USUAL.into_iter().chain(named).collect();
    // 別注 before 注.
    all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    all
}

/// True if the file itself names labels.
pub(super) fn are_declared(text: &str) -> bool {
    text.lines().take_while(|l| l.starts_with('#')).any(|l| l.starts_with(DECLARED))
}
