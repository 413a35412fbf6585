//! One source text: the content of a file, decoded once and never changed.
//!
//! Everything else in the program is a [`Span`] over a [`Source`]. Spans count **bytes of the
//! decoded text**, because they slice a Rust string. Output (JSON, messages) counts code points,
//! and [`Source::char_of`] converts. [`Source::bytes`] restores the bytes of the file: what does
//! not decode is U+FFFD in the text, and its bytes are stored beside it. Rows that a file has in
//! another order are in the order of reading in the text.

mod charset;
mod container;
mod decode;
mod detect;
mod escaped;
mod exchanged;
mod likely;
mod lines;
mod named;
mod notes;
mod piece;
mod reading;
mod references;
mod regular;
mod stored;
mod tally;
mod twice;
mod wide;

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use charset::Charset;
pub(crate) use charset::{LABELS, by_label};
pub(crate) use container::Container;
pub use detect::{Detected, detect};
pub(crate) use exchanged::Exchange;
pub use lines::Lines;
pub(crate) use references::{TAG, ends_line, is_page, may_begin_tag};
pub(crate) use regular::regular;

/// A stretch of a source's decoded text, in bytes, end exclusive.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(try_from = "(u32, u32)", into = "(u32, u32)")]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// A span of bytes `start..end`.
    ///
    /// # Panics
    /// If they are the wrong way round, or beyond 4 GiB.
    pub fn new(start: usize, end: usize) -> Self {
        assert!(start <= end && end <= u32::MAX as usize, "span {start}..{end}");
        Span { start: start as u32, end: end as u32 }
    }
    /// First byte.
    pub fn start(self) -> usize {
        self.start as usize
    }
    /// One past the last byte.
    pub fn end(self) -> usize {
        self.end as usize
    }
    /// As a range that slices the text.
    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
    /// Number of bytes.
    pub fn len(self) -> usize {
        self.end() - self.start()
    }
    /// True if it is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
    /// True if `other` is entirely inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// Number of bytes in both.
    pub fn overlap(self, other: Span) -> usize {
        (self.end.min(other.end)).saturating_sub(self.start.max(other.start)) as usize
    }
}

impl From<Span> for (u32, u32) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

impl TryFrom<(u32, u32)> for Span {
    type Error = String;

    fn try_from((start, end): (u32, u32)) -> Result<Self, String> {
        if start <= end { Ok(Span { start, end }) } else { Err(format!("span {start}..{end}")) }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A place as a person counts it: both from 1, columns in characters (code points).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in code points, from 1.
    pub column: usize,
}

/// One file's text, immutable. See the [module](self).
///
/// ```
/// use zhushu::source::{Source, Span};
/// let s = Source::from_text("demo.txt", "眾賓繼射\n釋獲皆如初");
/// assert_eq!(s.slice(Span::new(0, 6)), "眾賓");
/// assert_eq!(s.char_of(6), 2);
/// assert_eq!(s.place(13).line, 2);
/// assert_eq!(s.line(1).map(|l| s.slice(l)), Some("眾賓繼射"));
/// ```
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
    encoding: Charset,
    detected: Detected,
    kept: Vec<KeptBytes>,
    exchanged: Vec<Exchange>,
    sha256: OnceLock<String>,
    /// SHA-256 of the file, if the text was changed from it.
    changed_from: Option<String>,
    lines: OnceLock<Vec<u32>>,
    chars: OnceLock<Vec<u32>>,
    part: Option<FilePart>,
    container: Option<Container>,
}

/// The place of a source that is only a part of its file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub struct FilePart {
    /// Which part, from 1, of those that were read.
    pub nth: u32,
    /// How many parts of the file were read.
    pub of: u32,
    /// Lines of the file before it.
    pub lines: usize,
    /// Code points of the file before it.
    pub chars: usize,
}

/// A character that the file encodes in other bytes than the encoder would write.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct KeptBytes {
    /// The character.
    pub(crate) span: Span,
    /// The file's bytes; empty for further characters of the same sequence.
    pub(crate) bytes: Vec<u8>,
    /// The bytes do not decode; the text has U+FFFD in their place.
    pub(crate) undecodable: bool,
}

impl KeptBytes {
    /// The bytes in hexadecimal, without blanks.
    pub(crate) fn hex(&self) -> String {
        self.bytes.iter().map(|b| format!("{b:02X}")).collect()
    }
}

/// Bytes between two checkpoints of the byte → code point table.
const STEP: usize = 256;

/// Most bytes of a file: in positions a byte may become three, and they have 32 bits.
pub(crate) const MAX_BYTES: usize = (u32::MAX / 3) as usize;

impl Source {
    /// A source from text, as if read from a UTF-8 file at `path`.
    pub fn from_text(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        let detected = Detected::known(Charset::Utf8, "it is text");
        let (text, kept) = decode::lone_returns(text.into(), vec![], Charset::Utf8);
        Source { kept, ..Self::with_encoding(path.into(), text, Charset::Utf8, detected) }
    }

    fn with_encoding(path: PathBuf, text: String, encoding: Charset, detected: Detected) -> Self {
        Source {
            path,
            text,
            encoding,
            detected,
            kept: vec![],
            exchanged: vec![],
            sha256: OnceLock::new(),
            changed_from: None,
            lines: OnceLock::new(),
            chars: OnceLock::new(),
            part: None,
            container: None,
        }
    }

    /// Part `nth` of `of` of this source, as a separate source. Its positions are those in the
    /// file; its spans and code points count from its beginning. `span` must begin at the start of
    /// a line.
    pub(crate) fn part(&self, span: Span, nth: u32, of: u32) -> Source {
        let text = self.slice(span).to_string();
        let mut part =
            Self::with_encoding(self.path.clone(), text, self.encoding, self.detected.clone());
        let moved = |k: &KeptBytes| {
            let at = Span::new(k.span.start() - span.start(), k.span.end() - span.start());
            KeptBytes { span: at, ..k.clone() }
        };
        part.kept = self.kept_in(span).iter().map(moved).collect();
        let here = exchanged::within(&self.exchanged, span).iter();
        let here = here.filter(|e| span.contains(e.span));
        part.exchanged = here.map(|e| e.earlier(span.start())).collect();
        let lines = self.place(span.start()).line - 1;
        part.part = Some(FilePart { nth, of, lines, chars: self.char_of(span.start()) });
        part
    }

    /// All of it but the text.
    pub(crate) fn without_text(&self) -> Source {
        let (path, detected) = (self.path.clone(), self.detected.clone());
        let source = Self::with_encoding(path, String::new(), self.encoding, detected);
        let (kept, exchanged) = (self.kept.clone(), self.exchanged.clone());
        Source { kept, exchanged, part: self.part.clone(), ..source }
    }

    /// The same with its text.
    pub(crate) fn with_text(self, text: String) -> Source {
        Source { text, ..self }
    }

    /// Several sources concatenated to a whole one.
    pub(crate) fn joined<'s>(sources: impl Iterator<Item = &'s Source> + Clone) -> Source {
        let text: String = sources.clone().map(Source::text).collect();
        let mut joined = match sources.clone().next() {
            Some(first) => Self::with_encoding(
                first.path.clone(),
                text,
                first.encoding,
                first.detected.clone(),
            ),
            None => Self::from_text("text.txt", text),
        };
        let mut base = 0;
        for source in sources {
            let moved = |k: &KeptBytes| {
                let at = Span::new(k.span.start() + base, k.span.end() + base);
                KeptBytes { span: at, ..k.clone() }
            };
            joined.kept.extend(source.kept.iter().map(moved));
            joined.exchanged.extend(source.exchanged.iter().map(|e| e.later(base)));
            base += source.text.len();
        }
        joined
    }

    /// The same with stretches of lines exchanged, which are in order; `None` if the text has no
    /// such stretches, or some are exchanged already.
    pub(crate) fn exchanged(&self, all: &[Exchange]) -> Option<Source> {
        if !self.exchanged.is_empty() || !exchanged::are_of(&self.text, all) {
            return None;
        }
        let (text, kept) = exchanged::exchanged(&self.text, &self.kept, all);
        let (path, detected) = (self.path.clone(), self.detected.clone());
        let same = Self::with_encoding(path, text, self.encoding, detected);
        let exchanged = all.iter().map(|e| e.turned()).collect();
        // The bytes are the same.
        let sha256 = self.sha256.clone();
        Some(Source { kept, exchanged, sha256, part: self.part.clone(), ..same })
    }

    /// The stretches of this text that the file has the other way round, in order.
    pub(crate) fn exchanges(&self) -> &[Exchange] {
        &self.exchanged
    }

    /// Character `n` of a line, from 0, as the file has it.
    pub(crate) fn char_of_line(&self, line: Span, n: usize) -> Option<Span> {
        exchanged::char_of_line(&self.text, &self.exchanged, line, n)
    }

    /// This source as the only part that was read of its file, after so many lines and code points.
    pub(crate) fn after(mut self, lines: usize, chars: usize) -> Source {
        self.part = Some(FilePart { nth: 1, of: 1, lines, chars });
        self
    }

    /// The place of this source in its file, if it is only a part.
    pub fn file_part(&self) -> Option<&FilePart> {
        self.part.as_ref()
    }

    /// The same, as taken out of a file that is no text itself.
    pub(crate) fn taken_out_of(self, container: Container) -> Self {
        Source { container: Some(container), ..self }
    }

    /// The file that the text was taken out of, if that is no text itself.
    pub(crate) fn container(&self) -> Option<&Container> {
        self.container.as_ref()
    }

    /// Code points in the file before byte `at` of this source.
    pub fn file_char_of(&self, at: usize) -> usize {
        self.part.as_ref().map_or(0, |p| p.chars) + self.char_of(at)
    }

    /// Lines of the file before this source.
    fn lines_before(&self) -> usize {
        self.part.as_ref().map_or(0, |p| p.lines)
    }

    /// Where the text came from, as given by the user (`-` for standard input).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last component of the path: the name of the file in messages, JSON and TEI.
    pub fn name(&self) -> Cow<'_, str> {
        self.path.file_name().map_or(Cow::Borrowed("-"), |n| n.to_string_lossy())
    }

    /// The whole decoded text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The whole text as a span.
    pub fn span(&self) -> Span {
        Span::new(0, self.text.len())
    }

    /// Name of the encoding of the bytes.
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// How the encoding was found, and how certain it is.
    pub fn detected(&self) -> &Detected {
        &self.detected
    }

    /// The characters with kept bytes, in order.
    pub(crate) fn kept(&self) -> &[KeptBytes] {
        &self.kept
    }

    /// Those in a span.
    pub(crate) fn kept_in(&self, span: Span) -> &[KeptBytes] {
        let from = self.kept.partition_point(|k| k.span.start() < span.start());
        let to = self.kept.partition_point(|k| k.span.start() < span.end());
        &self.kept[from..to.max(from)]
    }

    /// The places of sequences that do not decode. The text has U+FFFD there.
    pub fn undecodable(&self) -> impl Iterator<Item = Span> + '_ {
        self.kept.iter().filter(|k| k.undecodable).map(|k| k.span)
    }

    /// The bytes of the file, restored.
    pub fn bytes(&self) -> Vec<u8> {
        if self.exchanged.is_empty() {
            return decode::restore(&self.text, &self.kept, self.encoding);
        }
        let (text, kept) = exchanged::exchanged(&self.text, &self.kept, &self.exchanged);
        decode::restore(&text, &kept, self.encoding)
    }

    /// SHA-256 of the bytes of the file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| {
            let as_text = self.kept.is_empty() && self.exchanged.is_empty();
            if self.encoding == Charset::Utf8 && as_text {
                hex(&Sha256::digest(self.text.as_bytes()))
            } else {
                sha256_of([self.bytes()])
            }
        })
    }

    /// Code points in the text.
    pub fn chars(&self) -> usize {
        self.char_of(self.text.len())
    }

    /// Code points before byte `at`, which must be a character boundary.
    pub fn char_of(&self, at: usize) -> usize {
        let table = self.chars.get_or_init(|| checkpoints(&self.text));
        let step = at / STEP;
        let from = table[step] as usize;
        let base = step * STEP;
        from + self.text.as_bytes()[base..at].iter().filter(|b| starts_char(**b)).count()
    }

    /// Byte offset of code point number `n` (the text's length if there are fewer).
    pub(crate) fn byte_of(&self, n: usize) -> usize {
        let table = self.chars.get_or_init(|| checkpoints(&self.text));
        let step = table.partition_point(|&c| c as usize <= n).saturating_sub(1);
        let mut left = n - table[step] as usize;
        for (i, b) in self.text.as_bytes().iter().enumerate().skip(step * STEP) {
            if starts_char(*b) {
                if left == 0 {
                    return i;
                }
                left -= 1;
            }
        }
        self.text.len()
    }

    /// Where each line starts.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            std::iter::once(0)
                .chain(
                    self.text
                        .bytes()
                        .enumerate()
                        .filter(|(_, b)| *b == b'\n')
                        .map(|(i, _)| i as u32 + 1),
                )
                .collect()
        })
    }

    /// The text of line `n`, from 1, without its line end; none if there are fewer lines.
    pub fn line(&self, n: usize) -> Option<Span> {
        let lines = self.line_starts();
        let n = n.checked_sub(self.lines_before())?;
        let start = *lines.get(n.checked_sub(1)?)? as usize;
        let end = lines.get(n).map_or(self.text.len(), |next| *next as usize);
        Some(Span::new(start, start + self.text[start..end].trim_end_matches(['\n', '\r']).len()))
    }

    /// Number of the line that byte `at` is in, from 1.
    fn line_of(&self, at: usize) -> usize {
        self.line_starts().partition_point(|&s| s as usize <= at)
    }

    /// Line and column of byte `at` in the file.
    pub fn place(&self, at: usize) -> Position {
        let lines = self.line_starts();
        let line = self.line_of(at);
        // Not by counting from the start of the line: a whole book can be one.
        let column = self.char_of(at) - self.char_of(lines[line - 1] as usize) + 1;
        let column =
            column.saturating_add_signed(exchanged::column_shift(&self.text, &self.exchanged, at));
        Position { line: line + self.lines_before(), column }
    }
}

/// SHA-256 of concatenated pieces of bytes, in hexadecimal.
pub(crate) fn sha256_of(pieces: impl IntoIterator<Item = Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    pieces.into_iter().for_each(|p| hash.update(p));
    hex(&hash.finalize())
}

fn starts_char(b: u8) -> bool {
    b & 0xC0 != 0x80
}

/// Number of characters that start before each multiple of [`STEP`] bytes.
fn checkpoints(text: &str) -> Vec<u32> {
    let mut table = vec![0];
    let mut n = 0;
    for chunk in text.as_bytes().chunks(STEP) {
        n += chunk.iter().filter(|b| starts_char(**b)).count() as u32;
        table.push(n);
    }
    table
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|b| format!("{b:02x}")).collect()
}
