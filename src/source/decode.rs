//! Decodes bytes to text and restores them exactly.
//!
//! What cannot be decoded becomes U+FFFD. Some bytes decode, but would be encoded as other bytes.
//! In both cases the file's bytes are stored beside the text, and so are line ends of old systems.

use encoding_rs::{DecoderResult, Encoding};

use super::charset::Charset;
use super::piece::{Kind, Piece};
use super::{KeptBytes, Span, references};

/// A text being decoded.
#[derive(Default)]
struct Decoded {
    text: String,
    kept: Vec<KeptBytes>,
}

impl Decoded {
    /// Keeps the bytes of a sequence with its first character; the others have none.
    fn keep(&mut self, text: &str, bytes: &[u8], undecodable: bool) {
        let mut bytes = bytes.to_vec();
        for c in text.chars() {
            let start = self.text.len();
            self.text.push(c);
            let span = Span::new(start, self.text.len());
            self.kept.push(KeptBytes { span, bytes: std::mem::take(&mut bytes), undecodable });
        }
    }

    fn undecodable(&mut self, bytes: &[u8]) {
        self.keep("\u{FFFD}", bytes, true);
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        match piece.kind {
            Kind::Regular => self.text.push_str(piece.text),
            Kind::Irregular => self.keep(piece.text, piece.bytes, false),
            Kind::Malformed => self.undecodable(piece.bytes),
        }
    }
}

/// Decodes bytes; keeps those that the encoder would not restore.
pub(super) fn decode(bytes: Vec<u8>, charset: Charset) -> (String, Vec<KeptBytes>) {
    let mut made = Decoded::default();
    match charset {
        Charset::Utf8 => match String::from_utf8(bytes) {
            Ok(text) => made.text = text,
            Err(e) => {
                for chunk in e.as_bytes().utf8_chunks() {
                    made.text.push_str(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        made.undecodable(chunk.invalid());
                    }
                }
            }
        },
        Charset::Wide(wide) => {
            made.text.reserve(bytes.len() * 3 / 2);
            for (c, unit) in wide.chars(&bytes) {
                match c {
                    Some(c) => made.text.push(c),
                    None => made.undecodable(unit),
                }
            }
        }
        Charset::Escaped(escaped) => escaped.pieces(&bytes, |piece| made.piece(&piece)),
        Charset::Twice(twice) => twice.pieces(&bytes, |piece| made.piece(&piece)),
        Charset::Table(encoding) => by_table(&bytes, encoding, &mut made),
    }
    let (text, kept) = lone_returns(made.text, made.kept, charset);
    references::resolved(text, kept, charset)
}

fn by_table(bytes: &[u8], encoding: &'static Encoding, made: &mut Decoded) {
    if let Some(text) = both_ways(bytes, encoding) {
        made.text = text;
        return;
    }
    // No byte of these encodings but a line feed itself is 0x0A.
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        match both_ways(line, encoding) {
            Some(text) => made.text.push_str(&text),
            None => by_characters(line, encoding, made),
        }
    }
}

/// If lines end only in carriage returns, as on old systems, these become line feeds in the text,
/// and the returns are kept. A text that has both is not changed.
pub(super) fn lone_returns(
    text: String,
    mut kept: Vec<KeptBytes>,
    charset: Charset,
) -> (String, Vec<KeptBytes>) {
    if text.contains('\n') || !text.contains('\r') {
        return (text, kept);
    }
    let bytes = charset.encode("\r");
    let is_kept = |i: usize| kept.binary_search_by_key(&i, |k| k.span.start()).is_ok();
    let returns = text.match_indices('\r').map(|(i, _)| i).filter(|i| !is_kept(*i));
    let returns = returns.map(|i| KeptBytes {
        span: Span::new(i, i + 1),
        bytes: bytes.clone(),
        undecodable: false,
    });
    let returns: Vec<_> = returns.collect();
    kept.extend(returns);
    kept.sort_by_key(|k| k.span.start());
    (text.replace('\r', "\n"), kept)
}
/// The text of `bytes`, if every byte decodes and the text gives the same bytes back.
fn both_ways(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    (*encoding.encode(&text).0 == *bytes).then(|| text.into_owned())
}

/// The longest sequence of bytes for one character, in any encoding of the Standard.
const MAX_BYTES: usize = 4;

fn by_characters(bytes: &[u8], encoding: &'static Encoding, made: &mut Decoded) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let one = (1..=MAX_BYTES.min(rest.len())).find_map(|n| {
            let text = encoding.decode_without_bom_handling_and_without_replacement(&rest[..n])?;
            Some((text.into_owned(), n))
        });
        let n = match one {
            Some((text, n)) => {
                match *encoding.encode(&text).0 == rest[..n] {
                    true => made.text.push_str(&text),
                    false => made.keep(&text, &rest[..n], false),
                }
                n
            }
            None => {
                let n = malformed(rest, encoding);
                made.undecodable(&rest[..n]);
                n
            }
        };
        rest = &rest[n..];
    }
}

/// Length of the malformed sequence that `bytes` begin with.
fn malformed(bytes: &[u8], encoding: &'static Encoding) -> usize {
    let head = &bytes[..bytes.len().min(MAX_BYTES)];
    let mut text = String::with_capacity(64);
    let mut decoder = encoding.new_decoder_without_bom_handling();
    match decoder.decode_to_string_without_replacement(head, &mut text, true).0 {
        DecoderResult::Malformed(n, _) => usize::from(n).clamp(1, head.len()),
        _ => 1,
    }
}

/// The bytes of a text with its kept bytes.
pub(super) fn restore(text: &str, kept: &[KeptBytes], charset: Charset) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut done = 0;
    for k in kept {
        bytes.extend(charset.encode(&text[done..k.span.start()]));
        bytes.extend(&k.bytes);
        done = k.span.end();
    }
    bytes.extend(charset.encode(&text[done..]));
    bytes
}
