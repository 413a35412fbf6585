//! Finds quoted words in the passage explained.

use super::rules::Rule;
use std::ops::Range;

use super::sought::{FoundPlace, SoughtWords, tolerance};
use crate::corpus::index::{Index, Indexed};
use crate::corpus::view::{ExplainedText, Stream, View};
use crate::corpus::works::Named;
use crate::model::{Document, Evidence, EvidenceKind, Status, Target};
use crate::passes::links::differs::{self, KeyedText};
use crate::source::Span;
use crate::text::PackedKey;
use crate::text::collate::differences;
use crate::text::find::Hit;

/// How often a place with exactly the words is right: on three lists made by hand, 156 of 157.
const EXACT_CERTAINTY: f64 = 0.98;
/// What words of one or two characters, and words with other places, take from that.
const SHORT_COST: f64 = 0.02;
const CROWD_COST: f64 = 0.04;
/// Most other places of the same words that a link lists.
pub const MAX_ALTERNATIVES: usize = 8;
/// Characters after a passage that its sub-commentary may quote.
const NEXT_PASSAGE_CHARS: usize = 24;
/// Most quotations before one that may repeat their words.
pub const MAX_RECENT: usize = 3;
/// Most places of a cited chapter that are compared by their context.
pub const MAX_WEIGHED_PLACES: usize = 64;

/// What a comment has quoted before: of several places with the same words one of them is the likeliest.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuotedBefore<'a> {
    /// Where the previous quotation was found.
    pub after: Option<usize>,
    /// The words of it and of those before: a word of them may be repeated.
    pub recent: &'a [Span],
    /// The stream from which the header quotes, if there is one just before the comment.
    pub header: Option<Stream>,
}

/// Looks words up around one document.
pub struct PlaceFinder<'a> {
    /// The document.
    pub document: &'a Document,
    /// Its view.
    pub view: &'a View,
    /// Its number in the index.
    pub entry: usize,
    /// All texts.
    pub index: &'a Index,
    /// The work and chapter of the document, if they are known.
    pub home: Option<Named>,
}

impl PlaceFinder<'_> {
    /// The work of the document.
    pub fn work(&self) -> Option<&str> {
        self.home.as_ref().map(|n| n.work.as_str())
    }

    /// What this chapter is called.
    pub fn locus(&self) -> Option<String> {
        self.document.meta.locus().or_else(|| self.home.as_ref().map(Named::locus))
    }

    /// Looks in the passage explained. `prefer` is the stream the cue names.
    pub fn in_passage(
        &self,
        passage: &ExplainedText,
        words: &SoughtWords,
        prefer: Option<Stream>,
        before: QuotedBefore<'_>,
    ) -> Option<FoundPlace> {
        let QuotedBefore { after, recent, header } = before;
        let bytes = passage.text.start()..passage.text.end();
        let streams = if prefer == Some(Stream::Notes) {
            [Stream::Notes, Stream::Base]
        } else {
            [Stream::Base, Stream::Notes]
        };
        let mut hits: Vec<(Stream, Hit)> = Vec::new();
        for stream in streams {
            let found =
                self.scanned(stream, bytes.clone(), &words.key.chars, tolerance(words.len()));
            hits.extend(found.into_iter().map(|h| (stream, h)));
        }
        let order = |(stream, h): &(Stream, Hit)| {
            let at = self.view.stream(*stream).at(h.from);
            (
                h.diff,
                prefer.is_none()
                    && !recent
                        .iter()
                        .rev()
                        .take(MAX_RECENT)
                        .any(|l| l.start() <= at && at < l.end()),
                match (prefer, header) {
                    (None, Some(header)) if words.len() > 3 && Rule::StreamOfHeader.on() => {
                        *stream != header
                    }
                    _ => *stream != streams[0] && (prefer.is_some() || words.len() < 4),
                },
                after.is_some_and(|a| at < a),
                at,
            )
        };
        hits.sort_by_key(order);
        let best = hits.first()?.1.diff;
        hits.retain(|h| h.1.diff == best);
        self.found(None, self.document, self.view, &hits, words, EvidenceKind::InPassage)
    }

    /// Looks for exactly these words where the text goes on after the passage: some editions cut a
    /// sentence in two.
    pub fn in_next_passage(
        &self,
        passage: &ExplainedText,
        words: &SoughtWords,
    ) -> Option<FoundPlace> {
        let last = self.view.range(Stream::Base, passage.text.start()..passage.text.end()).end;
        let range = last.saturating_sub(words.len())..last + words.len() + NEXT_PASSAGE_CHARS;
        let chars = &words.key.chars;
        let hits = self.index.nearest(self.entry, Stream::Base, range, chars, false, 1);
        let hits: Vec<_> = hits.into_iter().map(|h| (Stream::Base, h)).collect();
        (words.len() > 3)
            .then(|| {
                let how = EvidenceKind::InPassage;
                self.found(None, self.document, self.view, &hits, words, how)
            })
            .flatten()
    }

    /// Looks in the classic and the notes of an entry, within `range` of each. The order is by
    /// fewest differences, then classic first, then nearest.
    pub fn both(
        &self,
        entry: usize,
        range: impl Fn(Stream) -> Range<usize>,
        words: &SoughtWords,
        max: usize,
        back: bool,
    ) -> Vec<(Stream, Hit)> {
        let of = |s: Stream| {
            self.near(entry, s, range(s), &words.key.chars, max, back)
                .into_iter()
                .map(move |h| (s, h))
        };
        let mut hits: Vec<_> = of(Stream::Base).chain(of(Stream::Notes)).collect();
        hits.sort_by_key(|(s, h)| (h.diff, *s));
        hits
    }

    /// Exact hits, else hits with up to `max` differences, nearest first.
    pub fn near(
        &self,
        entry: usize,
        stream: Stream,
        range: Range<usize>,
        words: &[char],
        max: usize,
        back: bool,
    ) -> Vec<Hit> {
        let exact =
            self.index.nearest(entry, stream, range.clone(), words, back, MAX_WEIGHED_PLACES);
        if !exact.is_empty() || max == 0 {
            return exact;
        }
        let mut hits = whole_if_short(self.index.find(entry, stream, range, words, max), words);
        if back {
            hits.reverse();
        }
        hits
    }

    /// The same in some bytes of this document, in order.
    fn scanned(&self, stream: Stream, bytes: Range<usize>, words: &[char], max: usize) -> Vec<Hit> {
        let exact = self.view.find(stream, bytes.clone(), words, 0);
        if !exact.is_empty() || max == 0 {
            return exact;
        }
        whole_if_short(self.view.find(stream, bytes, words, max), words)
    }

    /// The first hit as a place, with the others of as few differences as alternatives.
    pub fn found(
        &self,
        entry: Option<&Indexed>,
        document: &Document,
        view: &View,
        hits: &[(Stream, Hit)],
        words: &SoughtWords,
        how: EvidenceKind,
    ) -> Option<FoundPlace> {
        let target = |(s, h): &(Stream, Hit)| Target {
            doc: entry.map(|e| e.document.id.as_str().into()),
            span: view.stretch(document, *s, h),
        };
        let (first, rest) = hits.split_first()?;
        let diff = first.1.diff;
        let status = if diff == 0 { Status::Exact } else { Status::Variant };
        let short = if words.len() < 3 { SHORT_COST } else { 0.0 };
        let alternatives: Vec<Target> =
            rest.iter().filter(|h| h.1.diff == diff).take(MAX_ALTERNATIVES).map(target).collect();
        let crowd = if alternatives.is_empty() { 0.0 } else { CROWD_COST };
        let certainty =
            EXACT_CERTAINTY - short - crowd - 0.35 * diff as f64 / words.len().max(1) as f64;
        let differs = (diff > 0)
            .then(|| self.differing(words, document, view.stream(first.0), first.1))
            .flatten();
        Some(FoundPlace {
            target: target(first),
            status,
            certainty,
            how,
            alternatives,
            diff,
            differs,
        })
    }
}

impl PlaceFinder<'_> {
    /// The differences between the words and the text they quote.
    fn differing(
        &self,
        words: &SoughtWords,
        document: &Document,
        key: &PackedKey,
        hit: Hit,
    ) -> Option<Evidence> {
        let quoted = KeyedText { text: self.document.source.text(), key: &words.key };
        let there = KeyedText { text: document.source.text(), key };
        let found = differences(&words.key.chars, &key.chars()[hit.from..hit.to]);
        let found: Vec<_> = found.into_iter().map(|(here, there)| [here, there]).collect();
        differs::evidence([(quoted, 0), (there, hit.from)], &found)
    }
}

/// In fewer than four characters none may be missing, but one may differ.
pub fn whole_if_short(mut hits: Vec<Hit>, words: &[char]) -> Vec<Hit> {
    if words.len() < 4 {
        hits.retain(|h| h.to - h.from >= words.len());
    }
    hits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_three_characters_none_may_be_missing() {
        let hits = |lens: &[usize]| -> Vec<Hit> {
            lens.iter().map(|n| Hit { from: 5, to: 5 + n, diff: 1 }).collect()
        };
        let kept = |words: &str, lens: &[usize]| -> Vec<usize> {
            let words: Vec<char> = words.chars().collect();
            whole_if_short(hits(lens), &words).iter().map(|h| h.to - h.from).collect()
        };
        assert_eq!(kept("射獲中", &[2, 3, 4]), [3, 4]);
        assert_eq!(kept("射獲中皮", &[3, 4]), [3, 4]);
    }
}
