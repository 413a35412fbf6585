//! UTF-8 encoded twice: its bytes were taken for another encoding, and what they gave was saved as
//! UTF-8. So 子 became `å­\u{90}` or `瀛`. The text is what the first bytes say.

use encoding_rs::{Encoding, GBK, WINDOWS_1252};

use super::piece::{Kind, Piece};

/// What the bytes were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twice {
    Windows1252,
    Latin1,
    Gbk,
}

/// The first of the two texts as bytes, and which characters of the file they are.
#[derive(Default)]
struct Inner {
    bytes: Vec<u8>,
    /// After each character of the file: the bytes here, and those of the file.
    ends: Vec<(usize, usize)>,
}

impl Twice {
    pub(super) fn name(self) -> &'static str {
        match self {
            Twice::Windows1252 => "UTF-8-twice",
            Twice::Latin1 => "UTF-8-twice-latin1",
            Twice::Gbk => "UTF-8-twice-GBK",
        }
    }

    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        let encoding = match self {
            Twice::Windows1252 => WINDOWS_1252,
            Twice::Latin1 => {
                return text
                    .as_bytes()
                    .iter()
                    .copied()
                    .map(char::from)
                    .collect::<String>()
                    .into_bytes();
            }
            Twice::Gbk => GBK,
        };
        encoding.decode_without_bom_handling(text.as_bytes()).0.into_owned().into_bytes()
    }

    /// Decodes stretches that can be decoded twice. Other characters are as they are in the file:
    /// only a part of it may have been spoilt.
    pub(super) fn pieces(self, bytes: &[u8], mut each: impl FnMut(Piece<'_>)) {
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            for chunk in line.utf8_chunks() {
                self.chunk(chunk.valid(), &mut each);
                if !chunk.invalid().is_empty() {
                    each(Piece { text: "", bytes: chunk.invalid(), kind: Kind::Malformed });
                }
            }
        }
    }

    /// The pieces of a valid text.
    fn chunk(self, text: &str, each: &mut impl FnMut(Piece<'_>)) {
        if text.is_ascii() {
            return each(Piece { text, bytes: text.as_bytes(), kind: Kind::Regular });
        }
        let mut inner = Inner::default();
        let mut start = 0;
        for (at, c) in text.char_indices() {
            let end = at + c.len_utf8();
            if self.add(c, &mut inner.bytes) {
                inner.ends.push((inner.bytes.len(), end - start));
                continue;
            }
            self.run(&inner, &text[start..at], each);
            once(&text[at..end], each);
            inner = Inner::default();
            start = end;
        }
        self.run(&inner, &text[start..], each);
    }

    /// Adds the bytes that a character was made of; false if there are none.
    fn add(self, c: char, bytes: &mut Vec<u8>) -> bool {
        let by = |encoding: &'static Encoding, bytes: &mut Vec<u8>| {
            let mut buffer = [0; 4];
            let (encoded, _, lacks) = encoding.encode(c.encode_utf8(&mut buffer));
            bytes.extend(encoded.iter().filter(|_| !lacks));
            !lacks
        };
        match (self, u32::from(c)) {
            (_, n @ 0..0x80) | (Twice::Windows1252 | Twice::Latin1, n @ 0x80..0x100) => {
                bytes.push(n as u8);
                true
            }
            (Twice::Gbk, _) => by(GBK, bytes),
            (Twice::Windows1252 | Twice::Latin1, _) => by(WINDOWS_1252, bytes),
        }
    }

    /// The pieces of a run of characters that all have bytes; `text` is the run in the file.
    fn run(self, inner: &Inner, text: &str, each: &mut impl FnMut(Piece<'_>)) {
        if text.is_empty() {
            return;
        }
        if let Ok(real) = std::str::from_utf8(&inner.bytes)
            && self.encode(real) == text.as_bytes()
        {
            return each(Piece { text: real, bytes: text.as_bytes(), kind: Kind::Regular });
        }
        let (mut from, mut done) = ((0, 0), 0);
        let (mut is_bad, mut is_cut) = (false, false);
        for (len, valid) in units(&inner.bytes) {
            done += len;
            is_bad |= !valid;
            // Several bytes that begin a character of which the rest is lost.
            is_cut |= !valid && len > 1;
            // Two characters can share one of the file's.
            let Ok(n) = inner.ends.binary_search_by_key(&done, |(end, _)| *end) else { continue };
            let end = inner.ends[n];
            let bytes = &text[from.1..end.1];
            match std::str::from_utf8(&inner.bytes[from.0..end.0]) {
                Ok(real) if !is_bad => {
                    let regular = self.encode(real) == bytes.as_bytes();
                    let kind = if regular { Kind::Regular } else { Kind::Irregular };
                    each(Piece { text: real, bytes: bytes.as_bytes(), kind });
                }
                _ if !is_cut && is_plain(bytes) => {
                    once(bytes, each);
                }
                _ => each(Piece { text: "", bytes: bytes.as_bytes(), kind: Kind::Malformed }),
            }
            (from, is_bad, is_cut) = (end, false, false);
        }
    }
}

/// A character that was encoded once. One that was lost before cannot be restored.
fn once(c: &str, each: &mut impl FnMut(Piece<'_>)) {
    let bytes = c.as_bytes();
    match c {
        "\u{FFFD}" => each(Piece { text: "", bytes, kind: Kind::Malformed }),
        c => each(Piece { text: c, bytes, kind: Kind::Irregular }),
    }
}

/// Lengths of the characters of UTF-8 and of what is malformed, and whether it is a character.
fn units(bytes: &[u8]) -> impl Iterator<Item = (usize, bool)> {
    bytes.utf8_chunks().flat_map(|chunk| {
        let bad = chunk.invalid().len();
        let chars = chunk.valid().chars().map(|c| (c.len_utf8(), true));
        chars.chain((bad > 0).then_some((bad, false)))
    })
}

/// A single letter or sign that the file may have meant, such as é or ·.
fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c >= '\u{A0}') && chars.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(of: Twice, file: &str) -> String {
        let (mut text, mut back) = (String::new(), Vec::<u8>::new());
        of.pieces(file.as_bytes(), |p| {
            text.push_str(if p.kind == Kind::Malformed { "\u{FFFD}" } else { p.text });
            back.extend(p.bytes);
            assert!(p.kind != Kind::Regular || of.encode(p.text) == p.bytes);
        });
        assert_eq!(back, file.as_bytes());
        text
    }

    #[test]
    fn what_was_encoded_twice_is_restored() {
        for of in [Twice::Windows1252, Twice::Latin1, Twice::Gbk] {
            let text = "子曰學則時習之也 a\n不亦說乎\n";
            let file = String::from_utf8(of.encode(text)).expect("UTF-8");
            assert!(file.chars().count() > text.chars().count());
            assert_eq!(read(of, &file), text, "{of:?}");
        }
    }

    #[test]
    fn what_was_not_stays() {
        assert_eq!(read(Twice::Latin1, "子曰·é å\u{AD}\u{90}"), "子曰·é 子");
        assert_eq!(read(Twice::Latin1, "å\u{AD}"), "\u{FFFD}");
        assert_eq!(read(Twice::Windows1252, "è€\u{8C}"), "而");
        // Both forms of one byte are read; one of them is written.
        assert_eq!(read(Twice::Latin1, "è€Œ"), "而");
    }
}
