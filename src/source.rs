//! One source text: what a file holds, decoded once and never changed.
//!
//! Everything else in the program is a [`Span`] over a [`Source`]. Spans count **bytes of the
//! decoded text**, because that is what slices a Rust string; what leaves the program (JSON,
//! messages) counts code points, and [`Source::char_of`] converts. The file's own bytes come back
//! from [`Source::bytes`]: decoding is refused where it would lose anything.

use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use encoding_rs::{Encoding, UTF_8};
use sha2::{Digest, Sha256};

use crate::diag::{Error, ErrorKind};

/// A stretch of a source's decoded text, in bytes, end exclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// A span of bytes `start..end`; panics in debug builds if they are the wrong way round.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "span {start}..{end}");
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
    /// Bytes covered.
    pub fn len(self) -> usize {
        self.end() - self.start()
    }
    /// True if nothing is covered.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
    /// True if `other` lies wholly inside.
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
    /// Bytes that both cover.
    pub fn overlap(self, other: Span) -> usize {
        (self.end.min(other.end)).saturating_sub(self.start.max(other.start)) as usize
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
    encoding: &'static Encoding,
    sha256: OnceLock<String>,
    lines: OnceLock<Vec<u32>>,
    chars: OnceLock<Vec<u32>>,
}

/// Bytes between two checkpoints of the byte → code point table.
const STEP: usize = 256;

impl Source {
    /// A source that is already text, as if read from UTF-8 at `path`.
    pub fn from_text(path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        Self::with_encoding(path.into(), text.into(), UTF_8)
    }

    fn with_encoding(path: PathBuf, text: String, encoding: &'static Encoding) -> Self {
        Source {
            path,
            text,
            encoding,
            sha256: OnceLock::new(),
            lines: OnceLock::new(),
            chars: OnceLock::new(),
        }
    }

    /// Decodes `bytes`. Without `label` they must be UTF-8, or UTF-16 with a byte order mark;
    /// `label` is a name of the WHATWG Encoding Standard such as `gb18030` or `big5`. A byte order
    /// mark stays in the text as U+FEFF.
    ///
    /// # Errors
    /// Where a byte does not decode, or where the encoding would not give the same bytes back.
    pub fn decode(
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        label: Option<&str>,
    ) -> Result<Self, Error> {
        let path = path.into();
        if bytes.len() > u32::MAX as usize {
            return Err(Error::input(&path, "the file is larger than 4 GiB")
                .hint("split it by chapter (juan)"));
        }
        let encoding = match label {
            Some(l) => Encoding::for_label(l.as_bytes()).ok_or_else(|| {
                Error::request(format!("unknown encoding “{l}”")).hint(
                    "names as in the WHATWG Encoding Standard: utf-8, gb18030, big5, utf-16le …",
                )
            })?,
            None => Encoding::for_bom(&bytes).map_or(UTF_8, |(e, _)| e),
        };
        if encoding == UTF_8 {
            return match String::from_utf8(bytes) {
                Ok(text) => Ok(Self::with_encoding(path, text, UTF_8)),
                Err(e) => Err(not_utf8(&path, &e)),
            };
        }
        let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&bytes)
        else {
            return Err(Error::input(&path, format!("the bytes are not {}", encoding.name()))
                .of_kind(ErrorKind::Encoding)
                .hint("try another encoding"));
        };
        let source = Self::with_encoding(path, text.into_owned(), encoding);
        if source.bytes() != bytes {
            return Err(Error::input(
                source.path(),
                format!("{} would not give the same bytes back", encoding.name()),
            )
            .hint("convert the file to UTF-8 first; zhushu does not read what it cannot restore"));
        }
        Ok(source)
    }

    /// Where the text came from, as the user named it (`-` for standard input).
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last component of the path: what messages, JSON and TEI call the file.
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

    /// Name of the encoding the bytes were in.
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// The file's own bytes, restored.
    pub fn bytes(&self) -> Vec<u8> {
        encode(&self.text, self.encoding)
    }

    /// SHA-256 of the file's own bytes, in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| {
            let digest = if self.encoding == UTF_8 {
                Sha256::digest(self.text.as_bytes())
            } else {
                Sha256::digest(self.bytes())
            };
            digest.iter().map(|b| format!("{b:02x}")).collect()
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
        let start = *lines.get(n.checked_sub(1)?)? as usize;
        let end = lines.get(n).map_or(self.text.len(), |next| *next as usize);
        Some(Span::new(start, start + self.text[start..end].trim_end_matches(['\n', '\r']).len()))
    }

    /// Line and column of byte `at`.
    pub fn place(&self, at: usize) -> Position {
        let lines = self.line_starts();
        let line = lines.partition_point(|&s| s as usize <= at);
        let column = self.text[lines[line - 1] as usize..at].chars().count() + 1;
        Position { line, column }
    }
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

/// `encoding_rs` writes no UTF-16 (the web never sends it), so that one case is done here.
fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    match encoding.name() {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encoding.encode(text).0.into_owned(),
    }
}

/// Restores bytes from text for a reader that kept only the encoding's name (our TEI does).
pub(crate) fn encode_as(text: &str, name: &str) -> Option<Vec<u8>> {
    Encoding::for_label(name.as_bytes()).map(|e| encode(text, e))
}

fn not_utf8(path: &Path, e: &std::string::FromUtf8Error) -> Error {
    let at = e.utf8_error().valid_up_to();
    let head = &e.as_bytes()[..at];
    let line = head.iter().filter(|b| **b == b'\n').count() + 1;
    let line_start = head.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let column = head[line_start..].iter().filter(|b| starts_char(**b)).count() + 1;
    let binary = e.as_bytes().iter().take(8192).any(|b| *b == 0);
    let error = Error::input(path, format!("byte {at} (0x{:02X}) is not UTF-8", e.as_bytes()[at]))
        .at(Position { line, column });
    if binary {
        error.hint("this looks like a binary file, not a text")
    } else {
        let hint = "if the file is in a Chinese legacy encoding (gb18030, big5), name it";
        error.of_kind(ErrorKind::Encoding).hint(hint)
    }
}
