//! A long document over several files: whole sections in order up to a certain length; a longer
//! section is cut between passages. The first sheet is `yili-07-judou.html`, the second
//! `yili-07-judou.2.html`; ids of documents have no full stop, so names are unique.

use std::ops::Range;

use crate::model::Document;
use crate::reading::{ChapterText, Passages};
use crate::source::Span;

/// Characters after which a sheet ends with its section.
const MIN_SHEET_CHARS: usize = 3_600;

/// Characters that a sheet does not exceed, unless a single passage does. With this, every page
/// answers within a second on a slow phone (`benches/pages.py`).
const MAX_SHEET_CHARS: usize = 4_950;

/// Where the sheets of a document begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sheets {
    /// First passage and first byte of each sheet; the first sheet begins with the source.
    starts: Vec<(usize, usize)>,
    /// Passages and bytes of the whole.
    end: (usize, usize),
}

impl Sheets {
    /// Everything on one sheet: so many passages.
    pub(super) fn one(document: &Document, passages: usize) -> Self {
        Sheets { starts: vec![(0, 0)], end: (passages, document.source.text().len()) }
    }

    /// Sheets of a bounded length.
    pub(super) fn several(chapter: &ChapterText<'_>, passages: &Passages<'_>) -> Self {
        let mut sheets = Sheets::one(&chapter.document, passages.len());
        let (mut length, mut division) = (0, None);
        for n in 0..passages.len() {
            let turns = passages.division(n) != division;
            let elements = passages.portions(n).flat_map(|p| &chapter.elements[p.elements()]);
            // About three bytes for each character.
            let own = elements.map(|e| e.span.len() / 3).sum::<usize>();
            let full = length > 0 && length + own > MAX_SHEET_CHARS;
            let first = passages.portions(n).next().map(|p| chapter.first(p).span.start());
            if let Some(start) = first
                && (full || (turns && length >= MIN_SHEET_CHARS))
            {
                sheets.starts.push((n, start));
                length = 0;
            }
            division = passages.division(n);
            length += own;
        }
        sheets
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The sheet that byte `at` is on.
    pub(super) fn at(&self, at: usize) -> usize {
        self.starts.partition_point(|(_, start)| *start <= at).saturating_sub(1)
    }

    /// For each sheet the numbers of the spans that begin on it; what has no span is on the last.
    pub(super) fn sorted(&self, spans: impl Iterator<Item = Option<Span>>) -> Vec<Vec<usize>> {
        let mut sorted = vec![vec![]; self.len()];
        for (n, span) in spans.enumerate() {
            sorted[span.map_or(self.len() - 1, |s| self.at(s.start()))].push(n);
        }
        sorted
    }

    fn border(&self, n: usize) -> (usize, usize) {
        self.starts.get(n).copied().unwrap_or(self.end)
    }

    /// The passages of sheet `n`.
    pub(super) fn passages(&self, n: usize) -> Range<usize> {
        self.border(n).0..self.border(n + 1).0
    }

    /// The bytes of sheet `n`.
    pub(super) fn span(&self, n: usize) -> Span {
        Span::new(self.border(n).1, self.border(n + 1).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Certainty, Division, Document, Evidence, EvidenceKind, Layer, Segment};
    use crate::source::Source;
    use std::sync::Arc;

    #[test]
    fn sheets_end_with_sections_and_hold_everything_once() {
        let line = format!("{}。\n", "射".repeat(MIN_SHEET_CHARS / 6));
        let text = line.repeat(30);
        let mut d = Document::new(Arc::new(Source::from_text("a.txt", text.as_str())), "test");
        for n in 0..30 {
            let at = n * line.len();
            d.segments.push(Segment::marked(Layer::Jing, Span::new(at, at + line.len() - 1)));
            d.segments.push(Segment::marked(
                Layer::Blank,
                Span::new(at + line.len() - 1, at + line.len()),
            ));
        }
        d.number();
        // Sections of 4 lines, the last of 18.
        for (n, from, to) in [(1, 0, 4), (2, 4, 8), (3, 8, 12), (4, 12, 30)] {
            let span = Span::new(from * line.len(), to * line.len());
            d.divisions.push(Division {
                n,
                title: None,
                span,
                certainty: Certainty::SURE,
                evidence: vec![Evidence::of(EvidenceKind::from("x"))],
            });
        }
        let chapter = ChapterText::of(&d);
        let passages = Passages::of(&chapter, &chapter.document);
        let sheets = Sheets::several(&chapter, &passages);
        let cut: Vec<_> = (0..sheets.len()).map(|n| sheets.passages(n)).collect();
        // The first sheet ends with a section, the second where a ninth line would be too much.
        assert_eq!(cut, [0..8, 8..16, 16..24, 24..30]);
        assert!(cut.iter().all(|lines| lines.len() * line.chars().count() <= MAX_SHEET_CHARS));
        assert_eq!(sheets.at(0), 0);
        assert_eq!(sheets.at(8 * line.len()), 1);
        assert_eq!(sheets.span(3).end(), text.len());
    }
}
