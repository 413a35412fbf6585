//! The characters that the source itself states for others: `茲（緇）衣` is found as 茲衣 and as 緇衣.

use super::Unit;
use super::laid::keys;
use crate::model::{Document, ReadingKind};
use crate::source::Span;
use crate::text::Key;

/// How a character of a unit is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct OtherForm {
    /// The number of the character in the unit.
    pub(crate) n: u32,
    /// What it is read as, folded.
    pub(crate) read: char,
}

/// The readings of the characters of a unit, in order, that differ in more than their form. A
/// reading of more or fewer characters than it stands for has no place of its own and is left out.
pub(crate) fn other_forms(document: &Document, unit: &Unit) -> Vec<OtherForm> {
    let mut forms = vec![];
    if document.readings.is_empty() {
        return forms;
    }
    let (mut before, mut key) = (0, Key::default());
    for part in &unit.parts {
        key.clear();
        keys(document.slice(part.span), part.span.start(), &part.marks, &mut key);
        let index = |at: usize| key.index_at(at.saturating_sub(part.span.start()));
        let all = &document.readings;
        let first = all.partition_point(|r| r.span.start() < part.span.start());
        for r in all[first..].iter().take_while(|r| r.span.end() <= part.span.end()) {
            if !matches!(r.kind, ReadingKind::Variant | ReadingKind::Repair) {
                continue;
            }
            let stated = Key::of(&r.reading, Span::new(0, r.reading.len()));
            let written = index(r.span.start())..index(r.span.end());
            if stated.len() != written.len() {
                continue;
            }
            let pairs = written.zip(stated.chars).filter(|(n, read)| key.chars[*n] != *read);
            forms.extend(pairs.map(|(n, read)| OtherForm { n: (before + n) as u32, read }));
        }
        before += key.len();
    }
    forms.sort_unstable();
    forms.dedup();
    forms
}
