//! Decodes bytes to text and restores them exactly.
//!
//! What cannot be decoded becomes U+FFFD. Some bytes decode, but would be encoded as other bytes.
//! In both cases the file's bytes are stored beside the text, and so are line ends of old systems.

use encoding_rs::{
    BIG5, DecoderResult, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE,
    UTF_16LE,
};

use super::{KeptBytes, Span};

/// The encoding with this label of the WHATWG Encoding Standard. GBK and GB2312 are read as
/// GB18030, which contains them: files often use characters outside the smaller set.
pub(crate) fn by_label(label: &str) -> Option<&'static Encoding> {
    let label = label.trim().to_ascii_lowercase().replace('_', "-");
    let known = match label.as_str() {
        "gb18030-2005" | "gb18030-2022" | "gb-18030" => Some(GB18030),
        "hkscs" | "big5hkscs" => Some(BIG5),
        "utf16" | "utf16-le" | "utf16le" => Some(UTF_16LE),
        "utf16-be" | "utf16be" => Some(UTF_16BE),
        label => Encoding::for_label(label.as_bytes()),
    };
    match known {
        Some(e) if e == GBK => Some(GB18030),
        Some(e) if e == REPLACEMENT => None,
        known => known,
    }
}

pub(super) fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// The characters of UTF-16 with their bytes; `None` for a lone surrogate or an odd last byte.
pub(super) fn utf16(bytes: &[u8], big: bool) -> impl Iterator<Item = (Option<char>, &[u8])> {
    let unit = move |i: usize| {
        let pair = [*bytes.get(i)?, *bytes.get(i + 1)?];
        Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let first = match unit(at) {
            Some(first) => first,
            None if at == bytes.len() => return None,
            None => {
                at = bytes.len();
                return Some((None, &bytes[start..]));
            }
        };
        let one = char::decode_utf16([first]).next().and_then(Result::ok);
        let two = || {
            let units = [first, unit(start + 2)?];
            char::decode_utf16(units).next().and_then(Result::ok)
        };
        let (c, len) = match one {
            Some(c) => (Some(c), 2),
            None => two().map_or((None, 2), |c| (Some(c), 4)),
        };
        at += len;
        Some((c, &bytes[start..at]))
    })
}

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
}

/// Decodes bytes; keeps those that the encoder would not restore.
pub(super) fn decode(bytes: Vec<u8>, encoding: &'static Encoding) -> (String, Vec<KeptBytes>) {
    let mut made = Decoded::default();
    if encoding == UTF_8 {
        match String::from_utf8(bytes) {
            Ok(text) => made.text = text,
            Err(e) => {
                for chunk in e.as_bytes().utf8_chunks() {
                    made.text.push_str(chunk.valid());
                    if !chunk.invalid().is_empty() {
                        made.undecodable(chunk.invalid());
                    }
                }
            }
        }
    } else if is_utf16(encoding) {
        made.text.reserve(bytes.len() * 3 / 2);
        for (c, unit) in utf16(&bytes, encoding == UTF_16BE) {
            match c {
                Some(c) => made.text.push(c),
                None => made.undecodable(unit),
            }
        }
    } else if let Some(text) = both_ways(&bytes, encoding) {
        made.text = text;
    } else if encoding == ISO_2022_JP {
        // The meaning of a byte depends on all bytes before it.
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        made.keep(&text, &bytes, false);
    } else {
        // No byte of these encodings but a line feed itself is 0x0A.
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            match both_ways(line, encoding) {
                Some(text) => made.text.push_str(&text),
                None => by_characters(line, encoding, &mut made),
            }
        }
    }
    lone_returns(made.text, made.kept, encoding)
}

/// If lines end only in carriage returns, as on old systems, these become line feeds in the text,
/// and the returns are kept. A text that has both is not changed.
pub(super) fn lone_returns(
    text: String,
    mut kept: Vec<KeptBytes>,
    encoding: &'static Encoding,
) -> (String, Vec<KeptBytes>) {
    if text.contains('\n') || !text.contains('\r') {
        return (text, kept);
    }
    let bytes = encode("\r", encoding);
    kept.extend(text.match_indices('\r').map(|(i, _)| KeptBytes {
        span: Span::new(i, i + 1),
        bytes: bytes.clone(),
        undecodable: false,
    }));
    kept.sort_by_key(|k| k.span.start());
    (text.replace('\r', "\n"), kept)
}

/// The text of `bytes`, if every byte decodes and the text gives the same bytes back.
fn both_ways(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    (encode(&text, encoding) == bytes).then(|| text.into_owned())
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
                match encode(&text, encoding) == rest[..n] {
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

/// `encoding_rs` does not write UTF-16 (the web never sends it), so this case is done here.
pub(super) fn encode(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    match encoding.name() {
        "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        _ => encoding.encode(text).0.into_owned(),
    }
}

/// The bytes of a text with its kept bytes.
pub(super) fn restore(text: &str, kept: &[KeptBytes], encoding: &'static Encoding) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut done = 0;
    for k in kept {
        bytes.extend(encode(&text[done..k.span.start()], encoding));
        bytes.extend(&k.bytes);
        done = k.span.end();
    }
    bytes.extend(encode(&text[done..], encoding));
    bytes
}
