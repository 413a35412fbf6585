//! Encodes some documents as one file of the index.
//!
//! Every character of the text is the first of exactly one pair (the last before a break
//! pairs with the break), so that the lists of all pairs that begin with a character are its own
//! list. Pairs are sorted as 64-bit numbers: rank of the first character, rank of the second,
//! position. Where the source states how a character is to be read, both forms have a pair there.

use std::io::Write;
use std::iter::Peekable;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::pages::SECTIONS;
use super::varint::put;
use super::{section, units};
use crate::model::{Document, Layer};
use crate::search::units::{Extract, Unit, key_of, other_forms, runs_on};
use crate::text::Key;

/// A break, in pairs; it is not a character of any text.
pub(crate) const BREAK: char = '\0';
/// Bytes of text that are compressed together. Larger blocks would compress better, but showing a
/// hit decompresses a block.
pub(crate) const TEXT_BLOCK_BYTES: usize = 8 << 10;
/// Size of the records of fixed size.
pub(crate) const DOCUMENT_BYTES: usize = 20;
pub(crate) const REGION_BYTES: usize = 16;
pub(crate) const CHARACTER_BYTES: usize = 16;
pub(crate) const UNIT_BLOCK_BYTES: usize = 8;
pub(crate) const TEXT_RECORD_BYTES: usize = 20;

/// Bits of a position and of a rank in a sorted pair.
const POSITION_BITS: u32 = 28;
const RANK_BITS: u32 = 18;

/// Collects the documents of a file.
#[derive(Default)]
pub(crate) struct FileWriter {
    sections: [Vec<u8>; SECTIONS],
    /// The folded characters of all runs, breaks between them.
    stream: Vec<char>,
    /// What some of them are read as, by their positions.
    read: Vec<(u32, char)>,
    units: u32,
    /// The characters of the unit that is added.
    key: Key,
    /// The units of the next block, and the position of its first.
    block: Vec<Unit>,
    block_first: u32,
    text: Vec<u8>,
}

/// There is more text than the numbers of one file can address.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl FileWriter {
    /// Adds a document and its units. Of a long text they are large, and given up before its words
    /// are compressed.
    pub(crate) fn add(&mut self, document: &Document, extract: Extract<'_>) {
        let meta = extract.meta.to_bytes();
        let record = [
            self.stream.len() as u32,
            (self.sections[section::REGIONS].len() / REGION_BYTES) as u32,
            (self.sections[section::TEXT].len() / TEXT_RECORD_BYTES) as u32,
            self.sections[section::METAS].len() as u32,
            meta.len() as u32,
        ];
        numbers(&mut self.sections[section::DOCUMENTS], &record);
        self.sections[section::METAS].extend_from_slice(&meta);
        let mut units = extract.units().peekable();
        while let Some(first) = units.next() {
            self.region(document, first, &mut units);
        }
        drop(units);
        drop(extract);
        self.text(document.source.text());
    }

    /// The units of one layer: the first, and those after it.
    fn region(
        &mut self,
        document: &Document,
        first: Unit,
        rest: &mut Peekable<impl Iterator<Item = Unit>>,
    ) {
        let region = (first.layer, first.sub);
        let starts = [self.stream.len() as u32, self.units];
        let mut next = Some(first);
        while let Some(unit) = next {
            if self.block.is_empty() {
                self.block_first = self.stream.len() as u32;
            }
            key_of(document, &unit, &mut self.key);
            let first = self.stream.len() as u32;
            let forms = other_forms(document, &unit).into_iter();
            self.read.extend(forms.map(|form| (first + form.n, form.read)));
            self.stream.extend_from_slice(&self.key.chars);
            next = rest.next_if(|u| (u.layer, u.sub) == region);
            if !runs_on(unit.layer) || next.is_none() {
                self.stream.push(BREAK);
            }
            self.units += 1;
            self.block.push(unit);
            if self.block.len() == units::BLOCK_UNITS {
                self.flush();
            }
        }
        let (layer, sub) = region;
        let kind = u32::from(code(layer)) | u32::from(sub.map_or(NO_LAYER, code)) << 8;
        numbers(
            &mut self.sections[section::REGIONS],
            &[kind, starts[0], starts[1], self.stream.len() as u32],
        );
    }

    fn flush(&mut self) {
        if self.block.is_empty() {
            return;
        }
        let at = self.sections[section::UNITS].len() as u32;
        numbers(&mut self.sections[section::UNIT_BLOCKS], &[self.block_first, at]);
        units::encode(&self.block, &mut self.sections[section::UNITS]);
        self.block.clear();
    }

    /// Compresses a text in blocks, each with its first byte, character, line and column.
    fn text(&mut self, text: &str) {
        let (mut at, mut chars, mut line, mut column) = (0, 0u32, 0u32, 0u32);
        let mut deflate = DeflateEncoder::new(vec![], Compression::default());
        while at < text.len() {
            let mut end = (at + TEXT_BLOCK_BYTES).min(text.len());
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let block = &text[at..end];
            numbers(
                &mut self.sections[section::TEXT],
                &[at as u32, chars, line, column, self.text.len() as u32],
            );
            numbers(&mut self.text, &[block.len() as u32]);
            // Writing to memory does not fail.
            let packed = deflate.write_all(block.as_bytes()).and_then(|()| deflate.reset(vec![]));
            self.text.extend(packed.unwrap_or_default());
            chars += block.chars().count() as u32;
            line += block.bytes().filter(|b| *b == b'\n').count() as u32;
            column = match block.rfind('\n') {
                Some(i) => block[i + 1..].chars().count() as u32,
                None => column + block.chars().count() as u32,
            };
            at = end;
        }
    }

    /// The sections, complete.
    pub(crate) fn finish(mut self) -> Result<[Vec<u8>; SECTIONS], TooLarge> {
        self.flush();
        if self.stream.len() >= 1 << POSITION_BITS || self.text.len() > u32::MAX as usize {
            return Err(TooLarge);
        }
        let (characters, lists) = lists(&self.stream, &self.read)?;
        self.sections[section::CHARACTERS] = characters;
        self.sections[section::LISTS] = lists;
        let mut text = Vec::with_capacity(4 + self.sections[section::TEXT].len() + self.text.len());
        numbers(&mut text, &[(self.sections[section::TEXT].len() / TEXT_RECORD_BYTES) as u32]);
        text.append(&mut self.sections[section::TEXT]);
        text.append(&mut self.text);
        self.sections[section::TEXT] = text;
        Ok(self.sections)
    }
}

/// No layer, in a region.
pub(crate) const NO_LAYER: u8 = u8::MAX;

fn numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    numbers.iter().for_each(|n| out.extend_from_slice(&n.to_le_bytes()));
}

/// The table of the characters of a stream, and the lists of the pairs that each begins. `read` is
/// what some of them are read as, by their positions.
fn lists(stream: &[char], read: &[(u32, char)]) -> Result<(Vec<u8>, Vec<u8>), TooLarge> {
    let (ranks, by_rank) = ranks(stream.iter().chain(read.iter().map(|(_, c)| c)));
    if by_rank.len() >= 1 << RANK_BITS {
        return Err(TooLarge);
    }
    let rank = |c: char| u64::from(ranks[c as usize]);
    let mut pairs: Vec<u64> = Vec::with_capacity(stream.len());
    let mut first = stream.first().map_or(0, |c| rank(*c));
    for (at, next) in stream.iter().skip(1).enumerate() {
        let second = rank(*next);
        if first != 0 {
            pairs.push(first << (RANK_BITS + POSITION_BITS) | second << POSITION_BITS | at as u64);
        }
        first = second;
    }
    let pair = |(at, first, second): (usize, char, char)| {
        rank(first) << (RANK_BITS + POSITION_BITS) | rank(second) << POSITION_BITS | at as u64
    };
    pairs.extend(pairs_of_readings(stream, read).map(pair));
    pairs.sort_unstable();
    pairs.dedup();
    let (mut characters, mut lists) = (vec![], vec![]);
    let mut encoder = PairEncoder::default();
    for of_first in
        pairs.chunk_by(|a, b| a >> (RANK_BITS + POSITION_BITS) == b >> (RANK_BITS + POSITION_BITS))
    {
        let (at, head) = (lists.len() as u32, encoder.block(of_first, &by_rank));
        let c = by_rank[(of_first[0] >> (RANK_BITS + POSITION_BITS)) as usize];
        let often = if read.is_empty() { of_first.len() } else { places(of_first) };
        numbers(&mut characters, &[c as u32, at, head, often as u32]);
        lists.extend_from_slice(&encoder.head);
        lists.extend_from_slice(&encoder.tail);
        if lists.len() > u32::MAX as usize {
            return Err(TooLarge);
        }
    }
    Ok((characters, lists))
}

/// The pairs that characters have as they are read: position, first, second.
fn pairs_of_readings(
    stream: &[char],
    read: &[(u32, char)],
) -> impl Iterator<Item = (usize, char, char)> {
    read.iter().enumerate().flat_map(move |(i, (at, c))| {
        let at = *at as usize;
        let before = at.checked_sub(1).map(|at| (at, stream[at], *c));
        let after = stream.get(at + 1).map(|next| (at, *c, *next));
        let next = read[i + 1..].iter().take_while(move |(n, _)| *n as usize <= at + 1);
        let read_too =
            next.filter(move |(n, _)| *n as usize == at + 1).map(move |(_, d)| (at, *c, *d));
        before.filter(|(_, first, _)| *first != BREAK).into_iter().chain(after).chain(read_too)
    })
}

/// How many positions some pairs have.
fn places(pairs: &[u64]) -> usize {
    let positions = pairs.iter().map(|pair| pair & ((1 << POSITION_BITS) - 1));
    positions.collect::<std::collections::HashSet<_>>().len()
}

/// The rank of each character among those that occur (the break has 0), and the characters by rank.
fn ranks<'c>(occurring: impl Iterator<Item = &'c char>) -> (Vec<u32>, Vec<char>) {
    let mut ranks = vec![0u32; char::MAX as usize + 1];
    occurring.for_each(|c| ranks[*c as usize] = 1);
    ranks[BREAK as usize] = 0;
    let mut by_rank = vec![BREAK];
    for (code, rank) in ranks.iter_mut().enumerate().filter(|(_, r)| **r > 0) {
        *rank = by_rank.len() as u32;
        by_rank.extend(char::from_u32(code as u32));
    }
    (ranks, by_rank)
}

/// The pairs that one character begins: for each second character how often, and the position (if
/// once) or the length of its list.
#[derive(Default)]
struct PairEncoder {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl PairEncoder {
    /// Fills both and returns the length of the head.
    fn block(&mut self, pairs: &[u64], by_rank: &[char]) -> u32 {
        self.head.clear();
        self.tail.clear();
        let mut before = 0;
        for list in pairs.chunk_by(|a, b| a >> POSITION_BITS == b >> POSITION_BITS) {
            let second =
                by_rank[(list[0] >> POSITION_BITS) as usize & ((1 << RANK_BITS) - 1)] as u64;
            put(&mut self.head, second - before);
            before = second;
            put(&mut self.head, list.len() as u64);
            let positions = list.iter().map(|p| p & ((1 << POSITION_BITS) - 1));
            if list.len() == 1 {
                positions.for_each(|p| put(&mut self.head, p));
                continue;
            }
            let (start, mut last) = (self.tail.len(), 0);
            for p in positions {
                put(&mut self.tail, p - last);
                last = p;
            }
            put(&mut self.head, (self.tail.len() - start) as u64);
        }
        self.head.len() as u32
    }
}

/// The layer of a number in a region.
pub(crate) fn layer(n: u8) -> Option<Layer> {
    Layer::numbered(usize::from(n))
}

/// The number of a layer in a region.
fn code(layer: Layer) -> u8 {
    u8::try_from(layer.number()).unwrap_or(NO_LAYER)
}
