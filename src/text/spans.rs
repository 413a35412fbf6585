//! Spans among which those that overlap another are found without looking at all.

use crate::source::Span;

/// Spans in the order in which they begin.
#[derive(Debug, Default)]
pub(crate) struct SpanSet {
    spans: Vec<Span>,
    /// Bytes of the longest.
    longest: usize,
}

impl SpanSet {
    /// Adds a span.
    pub(crate) fn put(&mut self, span: Span) {
        let at = self.spans.partition_point(|s| s.start() <= span.start());
        self.spans.insert(at, span);
        self.longest = self.longest.max(span.len());
    }

    /// The spans that overlap another.
    pub(crate) fn overlapping(&self, span: Span) -> impl Iterator<Item = &Span> {
        let from = self.spans.partition_point(|s| s.start() + self.longest <= span.start());
        let near = self.spans[from..].iter().take_while(move |s| s.start() < span.end());
        near.filter(move |s| s.overlap(span) > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_same_are_found_as_by_looking_at_all(
            spans in proptest::collection::vec((0usize..60, 0usize..20), 0..20),
            (at, len) in (0usize..60, 0usize..20),
        ) {
            let spans: Vec<Span> = spans.iter().map(|(s, n)| Span::new(*s, s + n)).collect();
            let span = Span::new(at, at + len);
            let mut set = SpanSet::default();
            spans.iter().for_each(|s| set.put(*s));
            let mut found: Vec<Span> = set.overlapping(span).copied().collect();
            let mut all: Vec<Span> = spans.into_iter().filter(|s| s.overlap(span) > 0).collect();
            found.sort();
            all.sort();
            prop_assert_eq!(found, all);
        }
    }
}
