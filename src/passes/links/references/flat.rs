//! Quotations in commentary without punctuation: 云X者, where X goes as far as it agrees with the
//! passage.

use super::link::draft;
use super::place::PlaceFinder;
use super::sought::FoundPlace;
use crate::corpus::view::{ExplainedText, Stream};
use crate::model::{EvidenceKind, Layer, Link, LinkKind, Status, Target};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence};

/// Text with fewer marks than one in this many characters counts as unpunctuated.
const CHARS_PER_MARK: usize = 40;
/// Fewest characters of a quotation without 者 after it.
const MIN_QUOTE_CHARS: usize = 4;

/// True if `words` are not punctuated.
pub fn is_flat(words: &str) -> bool {
    let marks = words.chars().filter(|c| ends_clause(*c) || ends_sentence(*c)).count();
    let n = words.chars().count();
    n >= CHARS_PER_MARK && marks * CHARS_PER_MARK < n
}

/// Finds quotations of the passage in an unpunctuated span.
pub fn read(
    places: &PlaceFinder<'_>,
    passage: &ExplainedText,
    span: Span,
    layer: Layer,
    links: &mut Vec<Link>,
) {
    let key = Key::of(places.document.source.text(), span);
    let mut i = 0;
    while i + 1 < key.len() {
        let from = i + 1;
        let quote = matches!(key.chars[i], '云' | '雲' | '言')
            .then(|| longest(places, passage, &key.chars[from..]))
            .flatten();
        let Some((n, target)) = quote.filter(|(n, _)| {
            *n >= MIN_QUOTE_CHARS || *n > 1 && key.chars.get(from + n) == Some(&'者')
        }) else {
            i += 1;
            continue;
        };
        let found = FoundPlace {
            target: Target { doc: None, span: target },
            status: Status::Exact,
            certainty: if n >= MIN_QUOTE_CHARS { 0.85 } else { 0.7 },
            how: EvidenceKind::LongestWordsOfThePassage,
            alternatives: vec![],
            diff: 0,
            differs: None,
        };
        let quoted = key.span(from, from + n);
        links.push(
            draft(LinkKind::Quotation, key.span(i, from + n), layer)
                .quoted(quoted)
                .found(Some(found))
                .link(),
        );
        i = from + n;
    }
}

/// How many of `words`, from the first on, the passage has in a row, and where.
fn longest(
    places: &PlaceFinder<'_>,
    passage: &ExplainedText,
    words: &[char],
) -> Option<(usize, Span)> {
    let bytes = passage.text.start()..passage.text.end();
    let head = words.get(..2)?;
    let mut best: Option<(usize, Span)> = None;
    for stream in [Stream::Base, Stream::Notes] {
        let key = places.view.stream(stream);
        for hit in places.view.find(stream, bytes.clone(), head, 0) {
            let end = places.view.range(stream, bytes.clone()).end;
            let n =
                words.iter().zip(&key.chars()[hit.from..end]).take_while(|(a, b)| a == b).count();
            if best.is_none_or(|(b, _)| n > b) {
                best = Some((
                    n,
                    places.view.stretch(
                        places.document,
                        stream,
                        &crate::text::find::Hit { to: hit.from + n, ..hit },
                    ),
                ));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_text_almost_without_marks_counts_as_unpunctuated() {
        let words = |n: usize| "甲".repeat(n);
        assert!(!is_flat(&words(CHARS_PER_MARK - 1)) && is_flat(&words(CHARS_PER_MARK)));
        // The mark is a character too.
        let marked = |n: usize| format!("{}。", words(n - 1));
        assert!(!is_flat(&marked(CHARS_PER_MARK)) && is_flat(&marked(CHARS_PER_MARK + 1)));
        assert!(!is_flat(&format!("{}，{}。", words(39), words(39))));
    }
}
