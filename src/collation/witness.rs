//! A witness as collation sees it: the text of the chosen layers, its characters and the points
//! between them.

use std::borrow::Cow;
use std::ops::Range;

use crate::model::{Document, Layer, LayerKind, ReadingKind};
use crate::source::Span;
use crate::text::{Key, class, scrap};

/// A witness with at least one mark of punctuation for so many characters is punctuated.
const CHARS_PER_POINT: usize = 40;

/// Which layers of the witnesses are collated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollatedLayers(Vec<Layer>);

impl CollatedLayers {
    /// These layers.
    pub fn of(layers: impl IntoIterator<Item = Layer>) -> Self {
        CollatedLayers(layers.into_iter().collect())
    }

    /// The layers, in the order given.
    pub fn layers(&self) -> &[Layer] {
        &self.0
    }

    /// True if text of this layer is collated. Text that is not separated counts as 經, and the
    /// header of a 疏 belongs to it.
    fn has(&self, layer: Layer) -> bool {
        self.0.iter().any(|wanted| match wanted {
            Layer::Jing => matches!(layer.kind(), LayerKind::Base | LayerKind::Undivided),
            Layer::Shu => matches!(layer, Layer::Shu | Layer::ShuHeader),
            wanted => layer == *wanted,
        })
    }
}

/// One witness.
pub struct CollatedWitness<'a> {
    /// The document it is taken from.
    pub document: &'a Document,
    /// Its short name, different from those of the others.
    pub siglum: String,
    /// The text of the chosen layers, as in the source.
    words: Cow<'a, str>,
    /// Where each stretch of the source begins in `words`.
    pieces: Vec<(usize, Span)>,
    /// The folded characters.
    chars: Vec<char>,
    /// Where each begins and ends in `words`.
    at: Vec<u32>,
    ends: Vec<u32>,
    /// The points before each character and after the last, in one form of each mark.
    points: Vec<Box<str>>,
    punctuated: bool,
}

impl<'a> CollatedWitness<'a> {
    /// The chosen layers of a document.
    pub fn of(document: &'a Document, siglum: String, layers: &CollatedLayers) -> Self {
        let spans: Vec<Span> =
            document.segments.iter().filter(|s| layers.has(s.layer)).map(|s| s.span).collect();
        let text = document.source.text();
        let (mut pieces, mut length) = (Vec::with_capacity(spans.len()), 0);
        let (mut chars, mut at, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for span in &spans {
            pieces.push((length, *span));
            let key = Key::of(text, *span);
            let moved = |byte: u32| (byte as usize - span.start() + length) as u32;
            at.extend(key.at.iter().map(|b| moved(*b)));
            ends.extend((0..key.len()).map(|n| moved(key.end(n) as u32)));
            chars.extend(key.chars);
            length += span.len();
        }
        let words = match &spans[..] {
            [one] => Cow::Borrowed(document.slice(*one)),
            many => Cow::Owned(many.iter().map(|s| document.slice(*s)).collect()),
        };
        let mut witness = CollatedWitness {
            document,
            siglum,
            words,
            pieces,
            chars,
            at,
            ends,
            points: Vec::new(),
            punctuated: false,
        };
        witness.points = (0..=witness.chars.len()).map(|n| witness.points_at(n)).collect();
        let marks: usize = witness.points.iter().map(|p| p.chars().count()).sum();
        witness.punctuated = marks * CHARS_PER_POINT >= witness.chars.len();
        witness
    }

    /// The text of the chosen layers, unchanged.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Its folded characters.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// True unless it has hardly any punctuation.
    pub fn is_punctuated(&self) -> bool {
        self.punctuated
    }

    /// Character `n` as it is written.
    pub(super) fn form(&self, n: usize) -> &str {
        &self.words[self.at[n] as usize..self.ends[n] as usize]
    }

    /// The bytes of characters, with what is between them.
    pub(super) fn bytes(&self, chars: Range<usize>) -> Range<usize> {
        self.at[chars.start] as usize..self.ends[chars.end - 1] as usize
    }

    /// The characters that some bytes have.
    pub(super) fn chars_in(&self, bytes: &Range<usize>) -> Range<usize> {
        let from = self.at.partition_point(|at| (*at as usize) < bytes.start);
        let to = self.ends.partition_point(|end| *end as usize <= bytes.end);
        from..to.max(from)
    }

    /// The characters of a span of the source; none if it is not in the chosen layers.
    pub(super) fn chars_of(&self, span: Span) -> Option<Range<usize>> {
        let byte = |at: usize| {
            let piece = self.pieces.partition_point(|(_, s)| s.end() <= at);
            let (from, piece) = self.pieces.get(piece)?;
            (piece.start() <= at).then(|| from + at - piece.start())
        };
        let last = byte(span.end().checked_sub(1)?)?;
        let chars = self.chars_in(&(byte(span.start())?..last + 1));
        (!chars.is_empty()).then_some(chars)
    }

    /// The bytes between character `n` and the one before it.
    pub(super) fn bytes_before(&self, n: usize) -> Range<usize> {
        let from = n.checked_sub(1).map_or(0, |n| self.ends[n] as usize);
        from..self.at.get(n).map_or(self.words.len(), |at| *at as usize)
    }

    /// The bytes of the last character before a byte.
    pub(super) fn last_char_before(&self, at: usize) -> Option<Range<usize>> {
        let n = self.ends.partition_point(|end| *end as usize <= at).checked_sub(1)?;
        Some(self.bytes(n..n + 1))
    }

    /// The points before character `n`, in one form of each mark.
    pub(super) fn points(&self, n: usize) -> &str {
        &self.points[n]
    }

    fn points_at(&self, n: usize) -> Box<str> {
        let bytes = self.bytes_before(n);
        if bytes.is_empty() {
            return Box::default();
        }
        let shown = self.shown(bytes);
        shown.chars().filter(|c| !class::is_content(*c)).map(point).collect()
    }

    /// The stretches of the source that some bytes of [`words`](Self::words) come from.
    pub fn spans(&self, bytes: Range<usize>) -> Vec<Span> {
        let first = self.pieces.partition_point(|(at, span)| at + span.len() <= bytes.start);
        let within = self.pieces[first..].iter().take_while(|(at, _)| *at < bytes.end);
        let part = |(at, span): &(usize, Span)| {
            let from = bytes.start.max(*at) - at;
            let to = bytes.end.min(at + span.len()) - at;
            Span::new(span.start() + from, span.start() + to)
        };
        within.map(part).collect()
    }

    /// The byte of the source at which character `n` begins.
    pub(super) fn source_at(&self, n: usize) -> usize {
        let at = self.at[n] as usize;
        let piece = self.pieces.partition_point(|(from, _)| *from <= at).saturating_sub(1);
        let (from, span) = self.pieces[piece];
        span.start() + at - from
    }

    /// The place in the source of some bytes, or where they would be.
    pub fn place_of(&self, bytes: Range<usize>) -> usize {
        if let Some(span) = self.spans(bytes.clone()).first() {
            return span.start();
        }
        let before = self.spans(bytes.start.saturating_sub(1)..bytes.start);
        let first = self.pieces.first().map_or(0, |(_, s)| s.start());
        before.first().map_or(first, |s| s.end())
    }

    /// Some bytes as a reader sees them: without blanks, ends of printed lines and page marks.
    pub fn shown(&self, bytes: Range<usize>) -> String {
        let mut shown = String::new();
        for span in self.spans(bytes) {
            let words = self.document.words(span);
            let mut skip = 0;
            for (at, c) in words.char_indices() {
                if at < skip {
                    continue;
                }
                match scrap(&words[at..]) {
                    Some(length) => skip = at + length,
                    None if c.is_whitespace()
                        || c.is_control()
                        || matches!(c, '¶' | '\u{FEFF}') => {}
                    None => shown.push(c),
                }
            }
        }
        shown
    }

    /// Where each sentence begins in [`words`](Self::words), with its section and number.
    pub fn sentences(&self) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        for (at, span) in &self.pieces {
            let sentences = &self.document.sentences;
            let first = sentences.partition_point(|s| s.span.start() < span.start());
            let within = sentences[first..].iter().take_while(|s| s.span.start() < span.end());
            found.extend(within.map(|s| {
                let at = at + s.span.start() - span.start();
                (at, format!("{}.{}", s.section, s.number()))
            }));
        }
        found
    }

    /// The places in the source at which characters are repaired.
    pub(super) fn repairs(&self) -> impl Iterator<Item = usize> + '_ {
        let all = self.document.readings.iter().filter(|r| r.kind == ReadingKind::Repair);
        all.map(|r| r.span.start())
    }
}

/// Short names of witnesses: those of the manifest, or the letter of the number that each comes
/// with; all different.
pub fn sigla<'a>(witnesses: impl Iterator<Item = (&'a Document, usize)>) -> Vec<String> {
    let mut sigla: Vec<String> = Vec::new();
    for (document, number) in witnesses {
        let stated = document.meta.siglum.clone().filter(|s| !s.trim().is_empty());
        let siglum = stated.unwrap_or_else(|| letter(number));
        let like = |k: usize| if k == 1 { siglum.clone() } else { format!("{siglum}{k}") };
        sigla.extend((1..).map(like).find(|s| !sigla.contains(s)));
    }
    sigla
}

fn letter(number: usize) -> String {
    match u8::try_from(number) {
        Ok(n) if n < 26 => char::from(b'A' + n).to_string(),
        _ => format!("W{}", number + 1),
    }
}

/// One form of a mark: half and full width, and the two styles of quotation marks, are the same.
fn point(c: char) -> char {
    match c {
        ',' => '，',
        '.' | '｡' | '．' => '。',
        ':' => '：',
        ';' => '；',
        '!' => '！',
        '?' => '？',
        '(' => '（',
        ')' => '）',
        '「' | '‘' | '『' | '"' | '\'' => '“',
        '」' | '’' | '』' => '”',
        '〈' => '《',
        '〉' => '》',
        '◯' => '○',
        c => c,
    }
}
