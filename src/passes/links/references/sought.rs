//! A quotation to look for, and the place that was found.

use std::ops::Range;

use crate::model::{Document, Evidence, EvidenceKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence};

/// A place found.
#[derive(Clone, Debug)]
pub struct FoundPlace {
    /// The target.
    pub target: Target,
    /// How well the text agrees.
    pub status: Status,
    /// Certainty, 0 to 1.
    pub certainty: f64,
    /// How it was found.
    pub how: EvidenceKind,
    /// Other places.
    pub alternatives: Vec<Target>,
    /// Number of characters that differ.
    pub diff: usize,
    /// The differences.
    pub differs: Option<Evidence>,
}

/// Words to look for, and where their clauses end.
#[derive(Clone, Debug)]
pub struct SoughtWords {
    /// Their characters.
    pub key: Key,
    /// Ends of clauses, as indices into the characters; the last is their number.
    pub cuts: Vec<usize>,
}

impl SoughtWords {
    /// The quotation in a span.
    pub fn of(document: &Document, span: Span) -> Self {
        let text = document.source.text();
        let key = Key::of(text, span);
        let mut cuts = Vec::new();
        for i in 1..key.len() {
            let between = &text[key.end(i - 1)..key.at[i] as usize];
            if between.chars().any(|c| ends_clause(c) || ends_sentence(c)) {
                cuts.push(i);
            }
        }
        cuts.push(key.len());
        SoughtWords { key, cuts }
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.key.len()
    }

    /// The clauses that some of the characters are in.
    pub fn whole_clauses(&self, part: &Range<usize>) -> Range<usize> {
        let start = self.clauses().filter(|c| c.start <= part.start).last();
        let end = self.clauses().find(|c| c.end >= part.end);
        start.map_or(part.start, |c| c.start)..end.map_or(part.end, |c| c.end)
    }

    /// The clauses.
    pub fn clauses(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.cuts.iter().scan(0, |from, &to| {
            let r = *from..to;
            *from = to;
            Some(r)
        })
    }
}

/// Most differences that are accepted in `n` characters.
pub fn tolerance(n: usize) -> usize {
    match n {
        0..=2 => 0,
        3..=6 => 1,
        7..=11 => 2,
        _ => (n / 5).min(6),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::{Index, Works};
    use crate::model::Layer;
    use crate::passes::links::references::place::PlaceFinder;
    use crate::passes::links::references::place::QuotedBefore;

    #[test]
    fn three_to_six_characters_may_differ_in_one_and_shorter_words_in_none() {
        let tolerated: Vec<usize> = (1..=12).map(tolerance).collect();
        assert_eq!(tolerated, [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
        assert_eq!((tolerance(15), tolerance(40)), (3, 6));
    }

    #[test]
    fn a_quotation_of_six_characters_is_not_found_where_two_differ() {
        let found = |quoted: &str| {
            let pieces = [(Layer::Jing, "甲乙丙丁戊己。庚辛壬癸。"), (Layer::Shu, quoted)];
            let document = Arc::new(Document::of_pieces(&pieces));
            let index = Index::of_documents(&[Arc::clone(&document)], &Works::builtin());
            let own = &index.entries[0];
            let span = document.segments[1].span;
            let places = PlaceFinder {
                document: &own.document,
                view: &own.view,
                entry: 0,
                index: &index,
                home: None,
            };
            let passage = own.view.passage_at(span.start()).expect("a passage is before it");
            places
                .in_passage(
                    passage,
                    &SoughtWords::of(&document, span),
                    None,
                    QuotedBefore::default(),
                )
                .map(|f| (f.status, f.diff))
        };
        assert_eq!(found("甲乙丙丁戊己"), Some((Status::Exact, 0)));
        assert_eq!(found("甲乙丙丁戊丑"), Some((Status::Variant, 1)));
        assert_eq!(found("甲乙丙丁子丑"), None);
    }
}
