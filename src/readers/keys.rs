//! The keys of JSON and the columns of tables that are known, and those that are not.

use crate::corpus::Keys;
use crate::diag::Diagnostic;
use crate::model::{KeyRole, Layer, LayerKind, key_role};
use crate::source::Span;
use crate::text::class::is_content;

/// The keys that are known: those of a manifest before those of the table.
#[derive(Clone, Copy)]
pub(super) struct KnownKeys<'a>(pub(super) Option<&'a Keys>);

impl KnownKeys<'_> {
    /// What is under a key.
    pub(super) fn role(self, key: &str) -> Option<KeyRole> {
        let key = key.trim().trim_start_matches('\u{FEFF}');
        self.0.and_then(|own| own.layer(key)).map(KeyRole::Of).or_else(|| key_role(key))
    }

    /// The layer of text under a key.
    pub(super) fn layer(self, key: &str) -> Option<Layer> {
        match self.role(key)? {
            KeyRole::Of(layer) => Some(layer),
            KeyRole::About => None,
        }
    }
}

/// Warns where the layers of a record, in their order, have notes before the text: a note belongs
/// to the text before it, which is that of another record.
pub(super) fn notes_before_text(
    mut layers: impl Iterator<Item = Option<Layer>>,
    at: Span,
) -> Option<Diagnostic> {
    let is = |layer: Option<Layer>, kind| layer.is_some_and(|layer| layer.kind() == kind);
    let is_before = layers.by_ref().find_map(|layer| {
        let is_note = is(layer, LayerKind::Note);
        (is_note || is(layer, LayerKind::Base)).then_some(is_note)
    })?;
    let is_first = is_before && layers.any(|layer| is(layer, LayerKind::Base));
    is_first.then(|| {
        let message = "notes stand before the text of their record: each is taken for one on the text before it";
        let hint = "put the text before its notes";
        Diagnostic::warning("notes-before-text", at, message).hint(hint)
    })
}

/// How to say what keys hold.
const SAY: &str = "if they hold text, name the file in a manifest ([[text]]) and say which: [keys], then \"key\" = \
                   \"jing\"";

/// Chinese characters under keys that are not known: how many, and the first place.
#[derive(Default)]
pub(super) struct UnknownKeys<'t>(Vec<(&'t str, usize, Span)>);

/// The letters of some words if they are several, as of a translation; none of a name or number.
fn letters_of_prose(words: &str) -> usize {
    let is_word = |w: &&str| {
        w.len() > 1 && w.chars().filter(|c| c.is_alphabetic()).count() * 5 >= w.chars().count() * 4
    };
    match words.split_whitespace().filter(is_word).nth(2) {
        Some(_) => words.chars().filter(|c| c.is_alphabetic()).count(),
        None => 0,
    }
}

impl<'t> UnknownKeys<'t> {
    /// Counts text under a key.
    pub(super) fn add(&mut self, key: &'t str, words: &str, span: Span) {
        let chars = words.chars().filter(|c| is_content(*c) && !c.is_ascii()).count();
        let chars = if chars == 0 { letters_of_prose(words) } else { chars };
        match self.0.iter_mut().find(|(k, ..)| *k == key) {
            _ if chars == 0 => {}
            Some(known) => known.1 += chars,
            None => self.0.push((key, chars, span)),
        }
    }

    fn names(&self) -> String {
        let named = self.0.iter().map(|(key, chars, _)| format!("“{key}” ({chars})"));
        named.collect::<Vec<_>>().join(", ")
    }

    /// Where they can be named, for a text in which no other key holds text.
    pub(super) fn advice(&self) -> Option<String> {
        self.0.first()?;
        let names = self.names();
        Some(format!("it has these, with their characters: {names}; {SAY}"))
    }

    /// Names them.
    pub(super) fn report(&self) -> Option<Diagnostic> {
        let first = self.0.first()?.2;
        let message =
            format!("no layer is known for these keys, with their characters: {}", self.names());
        Some(Diagnostic::warning("keys-unknown", first, message).hint(SAY))
    }
}
