//! The table of the script switch: each character of a page that the program's converter changes,
//! with what it becomes.

use std::collections::BTreeMap;

use crate::model::Document;
use crate::source::Span;
use crate::text::script::{Script, convert_from, detect};

/// Characters and what they become.
pub(super) struct ScriptTable {
    /// True for traditional text into simplified; otherwise the other way.
    pub(super) simplifies: bool,
    /// Each character followed by what it becomes, in code order: `執执獲获`.
    pub(super) pairs: String,
}

/// The table for a part of a document; `None` if there is nothing to convert.
///
/// Conversion depends on words, a table does not: of the conversions of a character in the part,
/// the most frequent one is used.
pub(super) fn table(document: &Document, part: Span) -> Option<ScriptTable> {
    let text = document.slice(part);
    let simplifies = detect(text)? == Script::Traditional;
    let (from, to) = if simplifies {
        (Script::Traditional, Script::Simplified)
    } else {
        (Script::Simplified, Script::Traditional)
    };
    let mut ways: BTreeMap<char, BTreeMap<char, usize>> = BTreeMap::new();
    for line in text.split_inclusive('\n') {
        let converted = convert_from(line, from, to);
        // A line whose length changes gives no information about single characters.
        if converted.chars().count() == line.chars().count() {
            for (a, b) in line.chars().zip(converted.chars()) {
                *ways.entry(a).or_default().entry(b).or_default() += 1;
            }
        }
    }
    // If equally frequent, the first in code order, so that the same page gives the same table.
    let commonest =
        |to: BTreeMap<char, usize>| to.into_iter().rev().max_by_key(|(_, n)| *n).map(|(c, _)| c);
    let pairs: String = ways
        .into_iter()
        .filter_map(|(a, to)| commonest(to).filter(|b| *b != a).map(|b| [a, b]))
        .flatten()
        .collect();
    (!pairs.is_empty()).then_some(ScriptTable { simplifies, pairs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;
    use std::sync::Arc;

    fn pairs(text: &str) -> Option<(bool, String)> {
        let d = Document::new(Arc::new(Source::from_text("a.txt", text)), "test");
        table(&d, d.source.span()).map(|t| (t.simplifies, t.pairs))
    }

    #[test]
    fn only_what_changes_is_in_the_table() {
        assert_eq!(pairs("獲者執旌許諾"), Some((true, "執执獲获許许諾诺".into())));
        assert_eq!(pairs("获者执旌"), Some((false, "执執获獲".into())));
        assert_eq!(pairs("子曰"), None);
    }
}
