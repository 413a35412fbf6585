//! Whose words a note or a sub-commentary reports, from the name before them to where they end: at
//! the closing quotation mark, else at the end of the sentence. Text without punctuation reports
//! someone up to the next name, or to the end of the note.

use crate::model::{
    Certainty, Document, Evidence, EvidenceKind, Layer, LayerKind, Segment, Speech,
};
use crate::passes::evidence::speakers::{NamedSpeaker, SpeakerNames};
use crate::source::Span;
use crate::text::Key;
use crate::text::class::{ends_clause, ends_sentence, is_content};

/// Text with fewer marks than one in this many characters counts as unpunctuated.
const CHARS_PER_MARK: usize = 40;
/// A quotation longer than this many bytes counts as unclosed.
const MAX_QUOTE_BYTES: usize = 3000;
/// Most characters that a sub-commentary without punctuation is taken to report.
const MAX_FLAT_CHARS: usize = 40;
/// By how much less certain the end is where no mark closes the words.
const TO_SENTENCE: f64 = 0.8;
const TO_NEXT_NAME: f64 = 0.7;

/// All that the notes and sub-commentaries of a document report, in order.
pub fn speeches(document: &Document, names: &SpeakerNames<'_>) -> Vec<Speech> {
    let text = document.source.text();
    let quoted = text.contains(['“', '「', '『']);
    let speaks = |s: &&Segment| {
        matches!(s.layer.kind(), LayerKind::Note | LayerKind::Commentary) && s.layer != Layer::Yin
    };
    let mut speeches = vec![];
    for segment in document.segments.iter().filter(speaks) {
        let key = Key::of(text, segment.span);
        let named = named(text, &key, names);
        let place =
            Reported { text, segment, quoted, is_flat: is_flat(document.slice(segment.span)) };
        for (n, speaker) in named.iter().enumerate() {
            let next = named.get(n + 1).map_or(segment.span.end(), |s| s.span.start());
            speeches.extend(place.speech(speaker, next));
        }
    }
    speeches
}

/// True if `words` are not punctuated.
fn is_flat(words: &str) -> bool {
    let marks = words.chars().filter(|c| ends_clause(*c) || ends_sentence(*c)).count();
    let n = words.chars().count();
    marks == 0 || marks * CHARS_PER_MARK < n
}

/// The speakers that a text names, in order.
fn named<'a>(text: &str, key: &Key, names: &SpeakerNames<'a>) -> Vec<NamedSpeaker<'a>> {
    let mut found: Vec<NamedSpeaker<'a>> = vec![];
    for i in 0..key.len() {
        let is_after = found.last().is_none_or(|f| f.span.end() <= key.at[i] as usize);
        found.extend(is_after.then(|| names.speaker_at(text, key, i)).flatten());
    }
    found
}

/// A segment that may report others.
struct Reported<'a> {
    text: &'a str,
    segment: &'a Segment,
    /// The text has quotation marks somewhere.
    quoted: bool,
    /// The segment has no punctuation.
    is_flat: bool,
}

impl Reported<'_> {
    /// What a speaker says, if anything is left before the next speaker is named at byte `next`.
    fn speech(&self, speaker: &NamedSpeaker<'_>, next: usize) -> Option<Speech> {
        let limit = self.segment.span.end();
        let after = speaker.span.end();
        let start = self.text[after..limit].char_indices().find(|(_, c)| !is_gap(*c))?;
        let (start, first) = (after + start.0, start.1);
        let (span, factor) = match closing(first) {
            Some(close) => (self.quotation(start, first, close), 1.0),
            None if speaker.again && !self.is_flat && self.quoted => return None,
            None if self.is_flat || speaker.again || self.is_note() && !self.quoted => {
                (self.to_next_name(start, next), TO_NEXT_NAME)
            }
            None => (Span::new(start, self.sentence_end(start)), TO_SENTENCE),
        };
        let cue = self.text[speaker.span.range()].to_string();
        self.text[span.range()].contains(is_content).then(|| Speech {
            span,
            who: speaker.scholar.name.as_str().into(),
            certainty: Certainty::new(speaker.certainty * factor),
            evidence: [Evidence::new(EvidenceKind::Commentator, cue)].into(),
        })
    }

    fn is_note(&self) -> bool {
        self.segment.layer.kind() == LayerKind::Note
    }

    /// The words in the quotation marks that open at `at`; if they are not closed, the sentence.
    fn quotation(&self, at: usize, open: char, close: char) -> Span {
        let start = at + open.len_utf8();
        let mut depth = 0;
        for (i, c) in self.text[start..self.segment.span.end()].char_indices() {
            match c {
                _ if i > MAX_QUOTE_BYTES => break,
                _ if c == close && depth == 0 => return Span::new(start, start + i),
                _ if c == close => depth -= 1,
                _ if c == open => depth += 1,
                _ => {}
            }
        }
        Span::new(start, self.sentence_end(start))
    }

    /// The end of the sentence that begins at `start`, in the segment.
    fn sentence_end(&self, start: usize) -> usize {
        let end = self.segment.span.end();
        let mut chars = self.text[start..end].char_indices();
        let found = chars.find(|(_, c)| ends_sentence(*c) || matches!(c, '\n' | '○'));
        found.map_or(end, |(i, _)| start + i)
    }

    /// The words up to the next name, a circle or the end of the segment. In a sub-commentary they
    /// are not many.
    fn to_next_name(&self, start: usize, next: usize) -> Span {
        let end = next.min(self.segment.span.end());
        let stop = self.text[start..end].find('○').map_or(end, |i| start + i);
        let most = if self.is_note() { usize::MAX } else { MAX_FLAT_CHARS };
        let far = self.text[start..stop].char_indices().nth(most).map_or(stop, |(i, _)| start + i);
        Span::new(start, far)
    }
}

/// True for what may be between a verb and what is said.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, ':' | '：' | ',' | '，')
}

/// What closes a quotation that `open` opens.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '“' => '”',
        '「' => '」',
        '『' => '』',
        '‘' => '’',
        _ => return None,
    })
}
