//! The texts of the documents, compressed in blocks, as a file of the index has them.

use std::io::Read;
use std::sync::Arc;

use flate2::read::DeflateDecoder;

use super::cache::once;
use super::file::IndexFile;
use super::pages::{records, u32_at};
use super::recent::{Counted, SentencesOf, locked};
use super::section;
use super::write::{TEXT_BLOCK_BYTES, TEXT_RECORD_BYTES};
use crate::diag::Error;
use crate::search::units::{Laid, Placed, around};
use crate::source::{Position, Span};
use crate::text::sentences;

/// Units of fewer characters are read again.
const LONG_CHARS: u32 = 500;

/// No block has more bytes than this.
const MAX_BLOCK_BYTES: usize = 2 * TEXT_BLOCK_BYTES;

/// Where a block of text begins in its document.
#[derive(Clone, Copy)]
struct BlockStart {
    byte: usize,
    character: usize,
    line: usize,
    column: usize,
    /// First byte of the block among the compressed blocks.
    stored: usize,
}

impl IndexFile {
    /// The text of a unit, laid out.
    pub(crate) fn laid(&self, unit: &Placed) -> Result<Arc<Laid>, Error> {
        let last = &self.recent.laid;
        if let Some((_, laid)) = locked(last).as_ref().filter(|(n, _)| *n == unit.n) {
            return Ok(Arc::clone(laid));
        }
        let laid = Laid::of(&unit.unit, |span| self.text(unit.doc, span).map(Into::into))?;
        if laid.chars.len() != unit.unit.len as usize {
            return Err(self.inconsistent());
        }
        let laid = Arc::new(laid);
        if unit.unit.len >= LONG_CHARS {
            *locked(last) = Some((unit.n, Arc::clone(&laid)));
        }
        Ok(laid)
    }

    /// How many characters other than blanks a stretch of a document has, without marks.
    pub(crate) fn count_shown(&self, doc: u32, span: Span, marks: &[Span]) -> Result<usize, Error> {
        let known = *locked(&self.recent.counted);
        let goes_on = |c: &Counted| {
            c.doc == doc && c.span.start() == span.start() && c.span.end() <= span.end()
        };
        let (from, mut count) = known
            .filter(goes_on)
            .map_or((span.start(), 0), |counted| (counted.span.end(), counted.count));
        let first = marks.partition_point(|mark| mark.end() <= from);
        for part in around(Span::new(from, span.end()), &marks[first..]) {
            count += self.text(doc, part)?.chars().filter(|c| !c.is_whitespace()).count();
        }
        *locked(&self.recent.counted) = Some(Counted { doc, span, count });
        Ok(count)
    }

    /// The sentences of a stretch of a document.
    pub(crate) fn sentences(&self, doc: u32, span: Span) -> Result<Arc<Vec<Span>>, Error> {
        let last = &self.recent.sentences;
        let is_it = |(of, known, _): &&SentencesOf| *of == doc && *known == span;
        if let Some((.., sentences)) = locked(last).as_ref().filter(is_it) {
            return Ok(Arc::clone(sentences));
        }
        let words = self.text(doc, span)?;
        let moved = |s: Span| Span::new(s.start() + span.start(), s.end() + span.start());
        let all = sentences(&words, Span::new(0, words.len())).into_iter().map(moved).collect();
        let all: Arc<Vec<Span>> = Arc::new(all);
        *locked(last) = Some((doc, span, Arc::clone(&all)));
        Ok(all)
    }

    /// Part of a document's text.
    pub(crate) fn text(&self, doc: u32, span: Span) -> Result<String, Error> {
        let mut n = self.text_block_of(doc, span.start())?;
        let mut text = String::new();
        while text.len() < span.len() {
            let block = self.text_block(n)?;
            let from = if text.is_empty() { span.start() - self.text_record(n)?.byte } else { 0 };
            let to = from.saturating_add(span.len() - text.len()).min(block.len());
            let bytes = block.get(from..to).filter(|b| !b.is_empty());
            let piece = bytes.and_then(|b| std::str::from_utf8(b).ok());
            text.push_str(piece.ok_or_else(|| self.inconsistent())?);
            n += 1;
        }
        Ok(text)
    }

    /// Line and column of a byte of a document, and the number of its character.
    pub(crate) fn place(&self, doc: u32, byte: usize) -> Result<(Position, usize), Error> {
        let n = self.text_block_of(doc, byte)?;
        let (block, start) = (self.text_block(n)?, self.text_record(n)?);
        let before = block.get(..byte - start.byte).ok_or_else(|| self.inconsistent())?;
        let line = start.line + count(before, |b| b == b'\n') + 1;
        let column = match before.iter().rposition(|b| *b == b'\n') {
            Some(i) => count(&before[i + 1..], begins_character),
            None => start.column + count(before, begins_character),
        };
        let character = start.character + count(before, begins_character);
        Ok((Position { line, column: column + 1 }, character))
    }

    /// Number of the block that holds a byte of a document.
    fn text_block_of(&self, doc: u32, byte: usize) -> Result<u32, Error> {
        let documents = self.documents()?;
        let first = documents.get(doc as usize).ok_or_else(|| self.inconsistent())?.text as usize;
        let table = records::<TEXT_RECORD_BYTES>(self.text_table()?);
        let end = documents.get(doc as usize + 1).map_or(table.len(), |next| next.text as usize);
        let own = table.get(first..end).ok_or_else(|| self.inconsistent())?;
        match own.partition_point(|r| u32_at(r, 0) as usize <= byte) {
            0 => Err(self.inconsistent()),
            n => Ok((first + n - 1) as u32),
        }
    }

    fn text_table(&self) -> Result<&Vec<u8>, Error> {
        once(&self.text_table, || {
            let count = u32_at(&self.pages.read(section::TEXT, 0..4)?, 0) as usize;
            self.pages.read(section::TEXT, 4..4 + count * TEXT_RECORD_BYTES)
        })
    }

    fn text_record(&self, n: u32) -> Result<BlockStart, Error> {
        let record = records::<TEXT_RECORD_BYTES>(self.text_table()?).get(n as usize);
        let record = record.ok_or_else(|| self.inconsistent())?;
        let [byte, character, line, column, stored] =
            [0, 4, 8, 12, 16].map(|at| u32_at(record, at) as usize);
        Ok(BlockStart { byte, character, line, column, stored })
    }

    /// A block of text. It begins and ends at character boundaries.
    fn text_block(&self, n: u32) -> Result<Arc<Vec<u8>>, Error> {
        self.texts.get(n, || {
            let base = 4 + self.text_table()?.len();
            let start = self.text_record(n)?.stored;
            let last = (n as usize + 1) * TEXT_RECORD_BYTES == self.text_table()?.len();
            let end = if last {
                self.pages.len(section::TEXT) - base
            } else {
                self.text_record(n + 1)?.stored
            };
            let bytes = self.pages.read(section::TEXT, base + start..base + end)?;
            let (size, packed) = bytes.split_at_checked(4).ok_or_else(|| self.inconsistent())?;
            let size = u32_at(size, 0) as usize;
            let mut text = Vec::with_capacity(size.min(MAX_BLOCK_BYTES));
            let mut plain = DeflateDecoder::new(packed).take(MAX_BLOCK_BYTES as u64 + 1);
            let read = plain.read_to_end(&mut text).map_err(|_| self.inconsistent())?;
            if read == size && size <= MAX_BLOCK_BYTES {
                Ok(text)
            } else {
                Err(self.inconsistent())
            }
        })
    }
}

fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// How many bytes pass the test. They are counted in chunks so short that the count of a chunk fits
/// in a byte, which the compiler can vectorise.
fn count(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    bytes.chunks(255).map(|c| usize::from(c.iter().map(|b| u8::from(test(*b))).sum::<u8>())).sum()
}
