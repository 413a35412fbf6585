//! Encodings of seven bits that change their alphabet by escapes: HZ (RFC 1843), of newsgroups and
//! mail, and ISO-2022-JP (RFC 1468). Both are done here: the web no longer has HZ, and only who
//! knows where the escapes stand can restore those that a file has more or in another order.

use std::ops::Range;

use encoding_rs::{EUC_JP, Encoding, GBK};

use super::piece::{Kind, Piece};

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escaped {
    Hz,
    Iso2022Jp,
}

/// What bytes are after an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Ascii,
    /// ASCII with a yen sign and an overline.
    Roman,
    /// Katakana of half width, one byte each.
    Katakana,
    Gb2312,
    Jis0208,
    /// The further kanji of JIS X 0212; they are read and not written.
    Jis0212,
}

use Alphabet::{Ascii, Gb2312, Jis0208, Jis0212, Katakana, Roman};

/// Escapes; the first for an alphabet is the one that is written.
type Escapes = &'static [(&'static [u8], Alphabet)];

const HZ: Escapes = &[(b"~{", Gb2312), (b"~}", Ascii)];
const ISO_2022_JP: Escapes = &[
    (b"\x1B(B", Ascii),
    (b"\x1B(J", Roman),
    (b"\x1B$B", Jis0208),
    (b"\x1B$@", Jis0208),
    (b"\x1B$(B", Jis0208),
    (b"\x1B$(D", Jis0212),
    (b"\x1B(I", Katakana),
];

/// The first katakana of half width, and the last.
const HALF_WIDTH: (char, char) = ('\u{FF61}', '\u{FF9F}');

/// A character or what is none, and where its bytes are in the line, with the escapes before it.
type Token = (Option<char>, Range<usize>);

impl Escaped {
    pub(super) fn name(self) -> &'static str {
        match self {
            Escaped::Hz => "HZ-GB-2312",
            Escaped::Iso2022Jp => "ISO-2022-JP",
        }
    }

    fn escapes(self) -> Escapes {
        match self {
            Escaped::Hz => HZ,
            Escaped::Iso2022Jp => ISO_2022_JP,
        }
    }

    /// True if the bytes have an escape that begins an alphabet of two bytes.
    pub(super) fn may_be(self, bytes: &[u8]) -> bool {
        let opens: &[u8] = match self {
            Escaped::Hz => b"~{",
            Escaped::Iso2022Jp => b"\x1B$",
        };
        memchr::memmem::find(bytes, opens).is_some()
    }

    /// Decodes line by line. A line of which the bytes would be others is given by characters, each
    /// with its bytes, so that what follows it begins in ASCII.
    pub(super) fn pieces(self, bytes: &[u8], mut each: impl FnMut(Piece<'_>)) {
        let mut alphabet = Ascii;
        for line in bytes.split_inclusive(|b| *b == b'\n') {
            let tokens = self.tokens(line, &mut alphabet);
            let text: Option<String> = tokens.iter().map(|(c, _)| *c).collect();
            if let Some(text) = text.filter(|text| self.encode(text) == line) {
                each(Piece { text: &text, bytes: line, kind: Kind::Regular });
                continue;
            }
            for (c, at) in tokens {
                let (text, bytes) = (c.map_or(String::new(), String::from), &line[at]);
                let kind = match c {
                    Some(c) if c.is_ascii() && self.encode(&text) == bytes => Kind::Regular,
                    Some(_) => Kind::Irregular,
                    None => Kind::Malformed,
                };
                each(Piece { text: &text, bytes, kind });
            }
        }
    }

    /// The tokens of a line; `alphabet` is that at its beginning, and then that at its end.
    fn tokens(self, line: &[u8], alphabet: &mut Alphabet) -> Vec<Token> {
        let mut tokens: Vec<Token> = vec![];
        let (mut start, mut at) = (0, 0);
        while at < line.len() {
            let rest = &line[at..];
            if let Some((escape, to)) = self.escapes().iter().find(|(e, _)| rest.starts_with(e)) {
                *alphabet = *to;
                at += escape.len();
            } else if self == Escaped::Hz && *alphabet == Ascii && rest.starts_with(b"~\n") {
                // The line goes on.
                at += 2;
            } else {
                let (c, len) = self.one(rest, alphabet);
                if matches!(c, Some('\r' | '\n')) {
                    add_escapes(&mut tokens, start..at);
                    start = at;
                }
                at += len;
                tokens.push((c, start..at));
                start = at;
            }
        }
        add_escapes(&mut tokens, start..line.len());
        tokens
    }

    /// The character that `bytes` begin with, and the number of its bytes.
    fn one(self, bytes: &[u8], alphabet: &mut Alphabet) -> (Option<char>, usize) {
        let first = bytes[0];
        if first == b'\n' && self == Escaped::Hz {
            // An end that was forgotten does not spoil the next line.
            *alphabet = Ascii;
        }
        if first >= 0x80 {
            return (None, 1);
        }
        if first <= b' ' {
            return (Some(first.into()), 1);
        }
        let two = |encoding: &'static Encoding, before: &[u8]| {
            let Some(second) = bytes.get(1).filter(|b| matches!(b, 0x21..0x7F)) else {
                return (None, 1);
            };
            let high = [before, &[first | 0x80, second | 0x80]].concat();
            let text = encoding.decode_without_bom_handling_and_without_replacement(&high);
            (text.and_then(|t| t.chars().next()), 2)
        };
        match alphabet {
            Ascii if self == Escaped::Hz && bytes.starts_with(b"~~") => (Some('~'), 2),
            Roman if first == b'\\' => (Some('¥'), 1),
            Roman if first == b'~' => (Some('‾'), 1),
            Ascii | Roman => (Some(first.into()), 1),
            Katakana => (half_width(first), 1),
            Gb2312 => two(GBK, &[]),
            Jis0208 => two(EUC_JP, &[]),
            // The byte of EUC-JP before a character of this alphabet.
            Jis0212 => two(EUC_JP, &[0x8F]),
        }
    }

    pub(super) fn encode(self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut now = Ascii;
        let mut change = |bytes: &mut Vec<u8>, to: Alphabet| {
            if now != to {
                let escape = self.escapes().iter().find(|(_, a)| *a == to);
                bytes.extend(escape.map_or(&b""[..], |(escape, _)| escape));
                now = to;
            }
        };
        for c in text.chars() {
            let (alphabet, of_char) = self.bytes_of(c);
            change(&mut bytes, alphabet);
            bytes.extend(of_char);
        }
        change(&mut bytes, Ascii);
        bytes
    }

    /// The bytes of a character; a question mark if there are none.
    fn bytes_of(self, c: char) -> (Alphabet, Vec<u8>) {
        let half = HALF_WIDTH.0 <= c && c <= HALF_WIDTH.1;
        let (encoding, alphabet) = match self {
            _ if c == '~' && self == Escaped::Hz => return (Ascii, b"~~".to_vec()),
            _ if c.is_ascii() => return (Ascii, vec![c as u8]),
            Escaped::Iso2022Jp if half => {
                return (Katakana, vec![(c as u32 - HALF_WIDTH.0 as u32) as u8 + 0x21]);
            }
            Escaped::Hz => (GBK, Gb2312),
            Escaped::Iso2022Jp => (EUC_JP, Jis0208),
        };
        match encoding.encode(c.encode_utf8(&mut [0; 4])) {
            (bytes, _, false) if bytes.len() == 2 && bytes.iter().all(|b| *b > 0xA0) => {
                (alphabet, bytes.iter().map(|b| b & 0x7F).collect())
            }
            _ => (Ascii, b"?".to_vec()),
        }
    }
}

/// Escapes at the end of a line are with what is before them: a line end has no bytes but its own.
fn add_escapes(tokens: &mut Vec<Token>, escapes: Range<usize>) {
    match tokens.last_mut() {
        _ if escapes.is_empty() => {}
        Some((_, last)) => last.end = escapes.end,
        None => tokens.push((None, escapes)),
    }
}

fn half_width(byte: u8) -> Option<char> {
    let c = char::from_u32(HALF_WIDTH.0 as u32 + u32::from(byte.checked_sub(0x21)?))?;
    (c <= HALF_WIDTH.1).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(of: Escaped, bytes: &[u8]) -> (String, Vec<Kind>) {
        let (mut text, mut kinds, mut back) = (String::new(), vec![], Vec::<u8>::new());
        of.pieces(bytes, |p| {
            text.push_str(if p.kind == Kind::Malformed { "\u{FFFD}" } else { p.text });
            // TEI has a line end as such, without bytes.
            assert!(p.text != "\n" || p.kind == Kind::Regular);
            kinds.push(p.kind);
            back.extend(p.bytes);
        });
        assert_eq!(back, bytes);
        (text, kinds)
    }

    #[test]
    fn hz_is_read_with_its_escapes() {
        let regular = b"~{VP~} a~~b\n~{NDWV~}\n";
        assert_eq!(read(Escaped::Hz, regular), ("中 a~b\n文字\n".into(), vec![Kind::Regular; 2]));
        assert_eq!(Escaped::Hz.encode("中 a~b\n文字\n"), regular);
        // A line that goes on, one without its end, escapes that are not needed.
        for (bytes, text) in [
            (&b"a~\nb~{VP~}"[..], "ab中"),
            (b"~{VP\n~{ND~}", "中\n文"),
            (b"~{VP~}~{ND~}", "中文"),
            (b"~{VP\n~}\n", "中\n\u{FFFD}\n"),
            (b"~{~}", "\u{FFFD}"),
            (b"~{VP\xFF~}", "中\u{FFFD}"),
        ] {
            assert_eq!(read(Escaped::Hz, bytes).0, text);
        }
    }

    #[test]
    fn iso_2022_jp_is_read_with_its_escapes() {
        let regular = b"\x1B$BCf\x1B(B a\n\x1B(I1\x1B(B";
        let read_as = read(Escaped::Iso2022Jp, regular);
        assert_eq!(read_as, ("中 a\nｱ".into(), vec![Kind::Regular; 2]));
        for (bytes, text) in [
            (&b"\x1B$@Cf\x1B(J\\"[..], "中¥"),
            (b"\x1B$BCf\nJ8\x1B(B", "中\n文"),
            (b"\x1B$(D0!", "丂"),
        ] {
            assert_eq!(read(Escaped::Iso2022Jp, bytes).0, text);
        }
    }
}
