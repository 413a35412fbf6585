//! What a vessel takes out, collected in any order.

use rustc_hash::FxHashMap;

use super::{Aside, Edit};
use crate::source::Span;
pub(super) use crate::text::NOTE;

/// Edits under construction.
#[derive(Default)]
pub(super) struct Edits(Vec<Edit>);

impl Edits {
    /// Takes signs out that say how the text is to be understood.
    pub(super) fn mark(&mut self, start: usize, end: usize) {
        self.shown(start, end, "");
    }

    /// Takes out what belongs to the file.
    pub(super) fn furniture(&mut self, start: usize, end: usize) {
        self.taken(start, end, Aside::Furniture);
    }

    /// Takes out what is something else than text of the reader.
    pub(super) fn taken(&mut self, start: usize, end: usize, aside: Aside) {
        if start < end {
            self.0.push(Edit::without(Span::new(start, end), aside));
        }
    }

    /// Shows something else to the reader, in a place that may be empty.
    pub(super) fn shown(&mut self, start: usize, end: usize, shown: impl Into<String>) {
        let (span, shown) = (Span::new(start, end), shown.into());
        if !span.is_empty() || !shown.is_empty() {
            self.0.push(Edit { span, aside: Aside::Mark, shown });
        }
    }

    /// In order: what is only shown at a place before what is taken out there. Of two that overlap
    /// the one that begins first, and of these the longer.
    pub(super) fn finish(mut self) -> Vec<Edit> {
        self.0
            .sort_by_key(|e| (e.span.start(), !e.span.is_empty(), std::cmp::Reverse(e.span.end())));
        let mut kept: Vec<Edit> = Vec::with_capacity(self.0.len());
        for edit in self.0 {
            if kept.last().is_none_or(|last| last.span.end() <= edit.span.start()) {
                kept.push(edit);
            }
        }
        kept
    }
}

/// Deepest nesting that is read: what is deeper stays as it is.
pub(super) const MAX_DEPTH: usize = 32;

/// The brackets of a text that close: where each is closed, by where it opens. Found in one walk,
/// so that any number of unclosed ones costs no more.
pub(super) struct Pairs(FxHashMap<usize, usize>);

impl Pairs {
    /// Those of one kind.
    pub(super) fn of(text: &str, open: &str, close: &str) -> Self {
        let (mut pairs, mut stack) = (FxHashMap::default(), vec![]);
        let mut i = 0;
        while i < text.len() {
            if text[i..].starts_with(open) {
                stack.push(i);
                i += open.len();
            } else if text[i..].starts_with(close) {
                pairs.extend(stack.pop().map(|opened| (opened, i)));
                i += close.len();
            } else {
                i += text[i..].chars().next().map_or(1, char::len_utf8);
            }
        }
        Pairs(pairs)
    }

    /// Where the bracket that opens at byte `at` is closed.
    pub(super) fn close(&self, at: usize) -> Option<usize> {
        self.0.get(&at).copied()
    }
}

/// The role of a name in a table of names.
pub(super) fn role<'t>(table: &'t str, name: &str) -> Option<&'t str> {
    let rows = table.lines().filter(|l| !l.starts_with('#'));
    rows.filter_map(|l| l.split_once('\t')).find(|(n, _)| *n == name).map(|(_, role)| role)
}

/// True if it has Chinese characters.
pub(super) fn has_han(text: &str) -> bool {
    text.chars().any(|c| crate::text::class::is_content(c) && !c.is_ascii() && !c.is_numeric())
}
