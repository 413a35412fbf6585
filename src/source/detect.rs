//! Detects the encoding of bytes. Every candidate decodes them, and the one that gives the most
//! likely Chinese text wins.
//!
//! The measure is the length of the text in bits under a model of single characters: a common
//! character costs few bits, a rare one many, and bytes that do not decode cost more than any
//! character. So invalid bytes and rare characters are measured in one unit, and a single damaged
//! byte does not decide. The difference to the next candidate gives the certainty.

use std::sync::LazyLock;

use encoding_rs::{BIG5, DecoderResult, Encoding, GB18030, UTF_8, UTF_16BE, UTF_16LE};
use rustc_hash::FxHashMap;

use super::decode::{is_utf16, utf16};

/// Bytes at the beginning of a file that are examined.
const SAMPLE: usize = 1 << 18;

/// Bytes that are examined first: they nearly always decide.
const HEAD: usize = 1 << 14;

/// By so many bits one candidate must be better than all others in the head, so that these are not
/// tried on the rest.
const CLEAR_BITS: f64 = 4096.0;

/// Bits of a malformed sequence: its first byte, and each further one.
const MALFORMED: (f64, f64) = (22.0, 8.0);

/// Bits against encodings other than UTF-8: bytes in other encodings are hardly ever valid UTF-8.
const NOT_UTF_8: f64 = 8.0;

/// Further bits against UTF-16 that has no byte order mark.
const NO_MARK: f64 = 8.0;

/// Each bit of difference counts as this much evidence: neighbouring characters depend on each
/// other, so a sum over characters is overconfident.
const WEIGHT_OF_BITS: f64 = 0.3;

/// A file with more than this share of characters that no text has, and fewer common ones, is
/// binary.
const MAX_JUNK: f64 = 0.05;

/// The same for a file that begins with the signature of a binary format.
const MAX_JUNK_IN_TEXT: f64 = 0.01;

/// The encoding of some bytes, and the evidence for it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detected {
    /// Its name in the WHATWG Encoding Standard.
    pub encoding: &'static str,
    /// Probability that it is right, 0 to 1.
    pub certainty: f64,
    /// The evidence, in one phrase.
    pub why: String,
    /// The second best encoding, if it gives another text.
    pub alternative: Option<&'static str>,
    /// True if the bytes are not text in any of the encodings.
    pub binary: bool,
}

impl Detected {
    /// The same, if there was a choice: `None` for clear UTF-8, or an encoding given by the user.
    pub(crate) fn guessed(&self) -> Option<&Self> {
        let plain = self.encoding == "UTF-8" && self.certainty > 0.99;
        (self.alternative.is_some() && !plain).then_some(self)
    }

    /// An encoding that did not have to be guessed.
    pub(super) fn known(encoding: &'static Encoding, why: &str) -> Self {
        Detected {
            encoding: encoding.name(),
            certainty: 1.0,
            why: why.into(),
            alternative: None,
            binary: false,
        }
    }
}

/// Detects the encoding of `bytes`: UTF-8, UTF-16 with or without byte order mark, GB18030 (which
/// includes GBK and GB2312) or Big5 with its Hong Kong characters.
pub fn detect(bytes: &[u8]) -> Detected {
    let sample = Sample { bytes: &bytes[..bytes.len().min(SAMPLE)], whole: bytes.len() <= SAMPLE };
    if sample.bytes.is_ascii() && !sample.bytes.contains(&0) {
        let binary = Tally::of(UTF_8, sample).is_binary();
        return Detected { binary, ..Detected::known(UTF_8, "only ASCII characters") };
    }
    let tallies = clear_by_head(sample).unwrap_or_else(|| candidates(sample));
    let best = &tallies[0];
    let next = tallies[1..].iter().find(|t| t.text != best.text);
    let certainty = next.map_or(1.0, |next| {
        1.0 / (1.0 + (-(next.bits - best.bits) * WEIGHT_OF_BITS * std::f64::consts::LN_2).exp())
    });
    Detected {
        encoding: best.encoding.name(),
        certainty,
        why: why(best, next),
        alternative: next.map(|t| t.encoding.name()),
        binary: best.is_binary() || best.junk_share() > MAX_JUNK_IN_TEXT && has_magic(bytes),
    }
}

/// The sample decoded by all candidates, the likeliest first.
fn candidates(sample: Sample<'_>) -> Vec<Tally> {
    let mut tallies: Vec<Tally> =
        [UTF_8, GB18030, BIG5, UTF_16LE, UTF_16BE].map(|e| Tally::of(e, sample)).into();
    tallies.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    tallies
}

/// The sample decoded by the candidate that is clearly the likeliest in its head, then the others,
/// of which only the head was decoded; `None` if none is, or if it does not fit the rest.
fn clear_by_head(sample: Sample<'_>) -> Option<Vec<Tally>> {
    let head = Sample { bytes: sample.bytes.get(..HEAD)?, whole: false };
    let mut tallies = candidates(head);
    let next = tallies[1..].iter().find(|t| t.text != tallies[0].text)?;
    if next.bits - tallies[0].bits < CLEAR_BITS || tallies[0].malformed > 0 {
        return None;
    }
    // Bits of the head only can be compared.
    tallies[0] = Tally { bits: tallies[0].bits, ..Tally::of(tallies[0].encoding, sample) };
    tallies.iter_mut().skip(1).for_each(|t| t.of_head = true);
    (tallies[0].malformed == 0).then_some(tallies)
}

fn why(best: &Tally, next: Option<&Tally>) -> String {
    let mark = if best.text.starts_with('\u{FEFF}') { "a byte order mark; " } else { "" };
    let next = next.map(|t| {
        let part = if t.of_head { "its beginning as" } else { "as" };
        format!("; {part} {} {}", t.encoding.name(), t.words())
    });
    format!("{mark}{}{}", best.words(), next.unwrap_or_default())
}

/// The beginning of a file.
#[derive(Clone, Copy)]
struct Sample<'a> {
    bytes: &'a [u8],
    /// True if the file has no more bytes.
    whole: bool,
}

/// The sample decoded by one candidate.
struct Tally {
    encoding: &'static Encoding,
    text: String,
    bits: f64,
    chars: usize,
    /// Characters of the table, and letters, digits and blanks of ASCII.
    common: usize,
    /// Han characters of the table.
    han: usize,
    /// Malformed sequences, and characters that no text has; a run of one counts once.
    malformed: usize,
    junk: usize,
    /// Only the head of the sample was decoded.
    of_head: bool,
}

impl Tally {
    fn of(encoding: &'static Encoding, sample: Sample<'_>) -> Self {
        let mut tally = Tally {
            encoding,
            text: String::with_capacity(sample.bytes.len() * 3 + 16),
            bits: 0.0,
            chars: 0,
            common: 0,
            han: 0,
            malformed: 0,
            junk: 0,
            of_head: false,
        };
        if encoding != UTF_8 {
            tally.bits += NOT_UTF_8;
        }
        if is_utf16(encoding) {
            tally.utf16(sample.bytes);
        } else {
            tally.decode(sample);
        }
        tally.count();
        tally
    }

    fn utf16(&mut self, bytes: &[u8]) {
        for (c, unit) in utf16(bytes, self.encoding == UTF_16BE) {
            self.text.extend(c);
            if c.is_none() {
                self.bad(unit.len());
            }
        }
        if !self.text.starts_with('\u{FEFF}') {
            self.bits += NO_MARK;
        }
    }

    fn decode(&mut self, Sample { mut bytes, whole }: Sample<'_>) {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        loop {
            self.text.reserve(64);
            let (result, read) =
                decoder.decode_to_string_without_replacement(bytes, &mut self.text, whole);
            bytes = &bytes[read..];
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
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
        self.bits += if start.is_some() { 6.0 } else { 0.0 };
        // Almost any two bytes are a character of UTF-16, but mostly an unusual one.
        let guess = is_utf16(self.encoding) && start.is_none();
        for c in start.unwrap_or(&text).chars() {
            let (bits, known) = cost(c);
            let junk = is_junk(c) || guess && bits == ODD;
            // A run of zeros or of empty lines counts once: two line ends are one odd character of
            // UTF-16.
            let goes_on = |last: char| junk && last == c || is_blank(last) && is_blank(c);
            if last.replace(c).is_some_and(goes_on) {
                continue;
            }
            self.bits += bits;
            self.chars += 1;
            self.common += usize::from(known);
            self.han += usize::from(known && !c.is_ascii());
            self.junk += usize::from(junk);
        }
        self.text = text;
    }

    fn is_binary(&self) -> bool {
        self.junk_share() > MAX_JUNK && self.junk + self.malformed > self.han
    }

    fn junk_share(&self) -> f64 {
        let junk = self.junk + self.malformed;
        junk as f64 / (self.chars + self.malformed).max(1) as f64
    }

    fn words(&self) -> String {
        let share = (100 * self.common).checked_div(self.chars).unwrap_or(0);
        let malformed = match self.malformed {
            0 => String::new(),
            n => format!(", {n} malformed"),
        };
        format!("{share}% common characters{malformed}")
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

/// Bits of a character of no class that Chinese texts use.
const ODD: f64 = 22.0;

/// True if the bytes begin like an image, an archive or another binary format.
fn has_magic(bytes: &[u8]) -> bool {
    infer::get(bytes).is_some_and(|t| t.matcher_type() != infer::MatcherType::Text)
}

/// Bits of a character, and whether it is a common one.
fn cost(c: char) -> (f64, bool) {
    static TABLE: LazyLock<FxHashMap<char, f64>> = LazyLock::new(|| {
        let rows = include_str!("data/characters.tsv").lines().filter(|l| !l.starts_with('#'));
        rows.filter_map(|l| l.split_once('\t'))
            .flat_map(|(bits, chars)| {
                let bits = bits.parse().unwrap_or(16.0);
                chars.chars().map(move |c| (c, bits))
            })
            .collect()
    });
    if c.is_ascii() {
        return match c {
            ' ' | '\n' | '\r' | '\t' => (6.0, true),
            c if c.is_ascii_alphanumeric() => (8.0, true),
            c if c.is_ascii_control() => (20.0, false),
            _ => (8.0, false),
        };
    }
    if let Some(bits) = TABLE.get(&c) {
        return (*bits, true);
    }
    let bits = match c {
        // Pinyin, and symbols of editions.
        '\u{A0}'..='\u{24F}' | '\u{2000}'..='\u{206F}' | '\u{2460}'..='\u{24FF}' => 15.0,
        '\u{25A0}'..='\u{25FF}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}' => 15.0,
        '\u{4E00}'..='\u{9FFF}' => 18.0,
        '\u{3400}'..='\u{4DBF}' => 20.0,
        '\u{3040}'..='\u{312F}' | '\u{20000}'..='\u{3FFFF}' => 21.0,
        _ => ODD,
    };
    (bits, false)
}
