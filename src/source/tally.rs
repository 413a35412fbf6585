//! What bytes give in one encoding, measured.

use encoding_rs::{DecoderResult, Encoding};

use super::charset::Charset;
use super::likely::{ODD, cost};
use super::piece::Kind;

/// Bits of a malformed sequence: its first byte, and each further one.
const MALFORMED: (f64, f64) = (22.0, 8.0);

/// Bits against encodings other than UTF-8: bytes in other encodings are hardly ever valid UTF-8.
const NOT_UTF_8: f64 = 8.0;

/// Further bits against encodings that few Chinese texts have.
const FOREIGN: f64 = 8.0;

/// Further bits against UTF-16 and UTF-32 without a byte order mark.
const NO_MARK: f64 = 8.0;

/// Bits of a byte order mark.
const MARK: f64 = 6.0;

/// Bits of a character that was not encoded twice, as others of the file were.
const ONCE: f64 = 10.0;

/// The beginning of a file.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) bytes: &'a [u8],
    /// True if the file has no more bytes.
    pub(super) whole: bool,
}

/// The sample decoded by one candidate.
pub(super) struct Tally {
    pub(super) charset: Charset,
    pub(super) text: String,
    pub(super) bits: f64,
    chars: usize,
    ascii: usize,
    /// Characters of the table, and letters, digits and blanks of ASCII.
    common: usize,
    /// Characters of the table that are not ASCII.
    han: usize,
    /// Malformed sequences, and characters that no text has; a run of one counts once.
    pub(super) malformed: usize,
    junk: usize,
    /// Characters that are not ASCII, or junk; and those of them that are not in the table.
    weighed: usize,
    odd: usize,
    /// Only the head of the sample was decoded.
    pub(super) of_head: bool,
}

impl Tally {
    pub(super) fn of(charset: Charset, sample: Sample<'_>) -> Self {
        let mut tally = Tally {
            charset,
            text: String::with_capacity(sample.bytes.len() * 3 / 2 + 16),
            bits: prior(charset),
            chars: 0,
            ascii: 0,
            common: 0,
            han: 0,
            malformed: 0,
            junk: 0,
            weighed: 0,
            odd: 0,
            of_head: false,
        };
        tally.decode(sample);
        tally.count();
        tally
    }

    fn decode(&mut self, sample: Sample<'_>) {
        match self.charset {
            Charset::Utf8 => self.by_table(encoding_rs::UTF_8, sample),
            Charset::Table(encoding) => self.by_table(encoding, sample),
            Charset::Wide(wide) => {
                for (c, unit) in wide.chars(sample.bytes) {
                    self.text.extend(c);
                    if c.is_none() {
                        self.bad(unit.len());
                    }
                }
                if !self.text.starts_with('\u{FEFF}') {
                    self.bits += NO_MARK;
                }
            }
            Charset::Escaped(escaped) => escaped.pieces(sample.bytes, |piece| {
                self.text.push_str(piece.text);
                if piece.kind == Kind::Malformed {
                    self.bad(piece.bytes.len());
                }
            }),
            Charset::Twice(twice) => twice.pieces(sample.bytes, |piece| {
                self.text.push_str(piece.text);
                match piece.kind {
                    Kind::Irregular => self.bits += ONCE,
                    // Each run of an odd number of bytes lost one.
                    Kind::Malformed => self.bad(1),
                    Kind::Regular => {}
                }
            }),
        }
    }

    fn by_table(&mut self, encoding: &'static Encoding, Sample { mut bytes, whole }: Sample<'_>) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        loop {
            self.text.reserve(64);
            let (result, read) =
                decoder.decode_to_string_without_replacement(bytes, &mut self.text, whole);
            bytes = &bytes[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => self.text.reserve(bytes.len() * 3 / 2),
                DecoderResult::Malformed(bad, _) => {
                    self.bad(bad.into());
                    // The decoder finishes once it has seen the last byte.
                    if bytes.is_empty() {
                        break;
                    }
                }
            }
        }
    }

    fn bad(&mut self, bytes: usize) {
        self.malformed += 1;
        self.bits += MALFORMED.0 + MALFORMED.1 * (bytes.saturating_sub(1)) as f64;
    }

    fn count(&mut self) {
        let mut last = None;
        let text = std::mem::take(&mut self.text);
        let start = text.strip_prefix('\u{FEFF}');
        self.bits += if start.is_some() { MARK } else { 0.0 };
        // Almost any two bytes are a character of UTF-16, but mostly an unusual one.
        let guess = matches!(self.charset, Charset::Wide(_)) && start.is_none();
        let mut bits: u64 = 0;
        for c in start.unwrap_or(&text).chars() {
            let (of_char, known) = cost(c);
            let junk = is_junk(c) || guess && of_char == ODD;
            // A run of zeros or of empty lines counts once: two line ends are one odd character of
            // UTF-16.
            let goes_on = |last: char| junk && last == c || is_blank(last) && is_blank(c);
            if last.replace(c).is_some_and(goes_on) {
                continue;
            }
            bits += u64::from(of_char);
            self.chars += 1;
            self.ascii += usize::from(c.is_ascii());
            self.common += usize::from(known);
            self.han += usize::from(known && !c.is_ascii());
            self.junk += usize::from(junk);
            let weighed = junk || !c.is_ascii();
            self.weighed += usize::from(weighed);
            self.odd += usize::from(weighed && (junk || !known));
        }
        self.bits += bits as f64;
        self.text = text;
    }

    pub(super) fn is_binary(&self, max_junk: f64) -> bool {
        self.junk_share() > max_junk && self.bad_or_junk() > self.han
    }

    pub(super) fn junk_share(&self) -> f64 {
        self.bad_or_junk() as f64 / (self.chars + self.malformed).max(1) as f64
    }

    /// Sequences that speak for a binary file; what was encoded twice is valid UTF-8 at least.
    fn bad_or_junk(&self) -> usize {
        match self.charset {
            Charset::Twice(_) => self.junk,
            _ => self.junk + self.malformed,
        }
    }

    /// Characters that are not ASCII.
    pub(super) fn beyond_ascii(&self) -> usize {
        self.chars - self.ascii
    }

    /// Of what is not plain ASCII, the share that is malformed or no common character.
    pub(super) fn odd_share(&self) -> f64 {
        let odd = self.odd + self.malformed;
        odd as f64 / (self.weighed + self.malformed).max(1) as f64
    }

    /// True if most of what is not ASCII are letters of Greek or Cyrillic. They are not in the
    /// table of common characters, but no Chinese text read in a wrong encoding consists of them.
    pub(super) fn is_greek_or_cyrillic(&self) -> bool {
        let is_one = |c: &char| matches!(c, '\u{370}'..='\u{52F}');
        self.text.chars().filter(is_one).count() * 2 > self.beyond_ascii()
    }

    pub(super) fn words(&self) -> String {
        let n = (100 * self.common).checked_div(self.chars).unwrap_or(0);
        match self.malformed {
            0 => format!("{n}% common characters"),
            m => format!("{n}% common characters, {m} malformed"),
        }
    }
}

/// Bits against an encoding before anything is decoded.
fn prior(charset: Charset) -> f64 {
    match charset {
        Charset::Utf8 => 0.0,
        Charset::Wide(wide) if !wide.is_utf32() => NOT_UTF_8,
        Charset::Table(encoding) if matches!(encoding.name(), "gb18030" | "Big5") => NOT_UTF_8,
        _ => NOT_UTF_8 + FOREIGN,
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '\u{3000}')
}

/// Controls, noncharacters.
fn is_junk(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | '\u{C}' | '\u{85}' => false,
        c => c.is_control() || c as u32 & 0xFFFE == 0xFFFE || matches!(c, '\u{FDD0}'..='\u{FDEF}'),
    }
}
